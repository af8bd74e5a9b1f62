/* Convex decomposition of a simple polygon: ears are cut off until a triangle is left (G. H. Meisters, Polygons have
 * ears, 1975), then every diagonal is removed whose two ends stay convex without it (S. Hertel, K. Mehlhorn, Fast
 * triangulation of simple polygons, 1983: at most four times the minimal number of pieces).
 *
 * Corners are named by their index. Seen from corner v, the corners v + 1, v + 2, ... that diagonals lead to are sorted
 * by angle, so finding the neighbours of a diagonal at v only takes comparisons of indices.
 */
#include "model/shape/convex_decomposition.h"

#include <assert.h>
#include <math.h>

typedef struct diagonal
{
    int end[2];
    bool gone;
    bool walked[2]; /* from end[0] to end[1], and back */
} diagonal;

typedef struct cutter
{
    const double *v;
    int count;
    int *next, *before;
    diagonal *diagonals;
    int diagonal_count;
    crn_arena memory; /* next, before, diagonals */
} cutter;

/* Twice the area of the triangle of three corners. */
static double turn(const double *v, int a, int b, int c)
{
    const double *p = v + 2 * a, *q = v + 2 * b, *r = v + 2 * c;
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* -------------------------------------------------------------------------------------------------------- checks */

double crn_polygon_twice_area(const double *v, int count)
{
    assert(count >= 3);
    double sum = 0;
    for (int i = 1; i + 1 < count; ++i)
        sum += turn(v, 0, i, i + 1);
    return sum;
}

static double side_squared(const double *v, int a, int b)
{
    double x = v[2 * b] - v[2 * a], y = v[2 * b + 1] - v[2 * a + 1];
    return x * x + y * y;
}

bool crn_polygon_is_convex(const double *v, int count)
{
    double area = crn_polygon_twice_area(v, count), extent = 0, turned = 0;
    for (int i = 0; i < count; ++i)
    {
        const double *a = v + 2 * i, *b = v + 2 * ((i + 1) % count), *c = v + 2 * ((i + 2) % count);
        double e[2] = {b[0] - a[0], b[1] - a[1]}, f[2] = {c[0] - b[0], c[1] - b[1]};
        double cross = e[0] * f[1] - e[1] * f[0];
        extent = fmax(extent, e[0] * e[0] + e[1] * e[1]);
        turned += atan2(cross, e[0] * f[0] + e[1] * f[1]);
        if (cross * area <= 0)
            return false;
    }
    /* one full turn: a star that winds twice has convex corners too */
    return fabs(area) > 1e-12 * extent && fabs(fabs(turned) - 2 * acos(-1.0)) < 1e-6;
}

static bool between(double a, double b, double x)
{
    return x >= fmin(a, b) && x <= fmax(a, b);
}

/* Whether corner p, on the line of a and b, lies between them. */
static bool lies_on(const double *v, int a, int b, int p)
{
    return turn(v, a, b, p) == 0 && between(v[2 * a], v[2 * b], v[2 * p]) &&
           between(v[2 * a + 1], v[2 * b + 1], v[2 * p + 1]);
}

static bool sides_meet(const double *v, int a, int b, int c, int d)
{
    double s = turn(v, a, b, c), t = turn(v, a, b, d), p = turn(v, c, d, a), q = turn(v, c, d, b);
    bool cross = ((s > 0 && t < 0) || (s < 0 && t > 0)) && ((p > 0 && q < 0) || (p < 0 && q > 0));
    return cross || lies_on(v, a, b, c) || lies_on(v, a, b, d) || lies_on(v, c, d, a) || lies_on(v, c, d, b);
}

bool crn_polygon_is_crossed(const double *v, int count, int *i, int *j)
{
    assert(count >= 3);
    for (int a = 0; a < count; ++a)
    {
        int b = (a + 1) % count, c = (a + 2) % count;
        *i = b;
        *j = -1;
        if (!(fabs(turn(v, a, b, c)) > 1e-12 * fmax(side_squared(v, a, b), side_squared(v, b, c))))
            return true;
    }
    for (int a = 0; a < count; ++a)
    {
        for (int c = a + 2; c < count; ++c)
        {
            *i = a;
            *j = c;
            if ((c + 1) % count != a && sides_meet(v, a, (a + 1) % count, c, (c + 1) % count))
                return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- ears */

static bool is_inside(const double *v, int a, int b, int c, int p)
{
    return turn(v, a, b, p) >= 0 && turn(v, b, c, p) >= 0 && turn(v, c, a, p) >= 0;
}

static bool is_ear(const cutter *k, int b)
{
    int a = k->before[b], c = k->next[b];
    if (!(turn(k->v, a, b, c) > 0))
        return false;
    for (int p = k->next[c]; p != a; p = k->next[p])
        if (is_inside(k->v, a, b, c, p))
            return false;
    return true;
}

/* Cut ears until a triangle remains; false when no ear is found. */
static bool cut_ears(cutter *k)
{
    int at = 0, tried = 0;
    for (int left = k->count; left > 3;)
    {
        if (!is_ear(k, at))
        {
            at = k->next[at];
            if (++tried > left)
                return false;
            continue;
        }
        int a = k->before[at], c = k->next[at];
        k->diagonals[k->diagonal_count++] = (diagonal){.end = {a, c}};
        k->next[a] = c;
        k->before[c] = a;
        at = c;
        tried = 0;
        --left;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------- diagonals */

/* The offset of corner u as seen from v: 1 for the next one, count - 1 for the previous one. */
static int offset(const cutter *k, int v, int u)
{
    assert(v >= 0 && v < k->count && u >= 0 && u < k->count);
    return (u - v + k->count) % k->count;
}

/* The neighbours of v, along sides and diagonals, on either side of its neighbour u. */
static void beside(const cutter *k, int v, int u, int *low, int *high)
{
    assert(v != u);
    int at = offset(k, v, u), below = at > 1 ? 1 : 0, above = at < k->count - 1 ? k->count - 1 : k->count;
    for (int i = 0; i < k->diagonal_count; ++i)
    {
        const diagonal *d = &k->diagonals[i];
        if (d->gone || (d->end[0] != v && d->end[1] != v))
            continue;
        int o = offset(k, v, d->end[0] == v ? d->end[1] : d->end[0]);
        below = o < at && o > below ? o : below;
        above = o > at && o < above ? o : above;
    }
    *low = (v + below) % k->count;
    *high = (v + above) % k->count;
}

static bool stays_convex(const cutter *k, int v, int u)
{
    int low, high;
    beside(k, v, u, &low, &high);
    double area = turn(k->v, v, low, high), scale = fmax(side_squared(k->v, v, low), side_squared(k->v, v, high));
    return area > 1e-9 * scale;
}

static void merge(cutter *k)
{
    assert(k->diagonal_count == k->count - 3);
    for (int i = 0; i < k->diagonal_count; ++i)
    {
        diagonal *d = &k->diagonals[i];
        d->gone = stays_convex(k, d->end[0], d->end[1]) && stays_convex(k, d->end[1], d->end[0]);
    }
}

/* The diagonal from i to j, or none. */
static diagonal *find(cutter *k, int i, int j)
{
    for (int d = 0; d < k->diagonal_count; ++d)
    {
        const int *end = k->diagonals[d].end;
        if (!k->diagonals[d].gone && ((end[0] == i && end[1] == j) || (end[0] == j && end[1] == i)))
            return &k->diagonals[d];
    }
    return NULL;
}

/* Add the piece to the left of the edge from i to j. */
static void walk(cutter *k, int i, int j, crn_pieces *out)
{
    int start = i, at = out->begin[out->count];
    do
    {
        diagonal *d = find(k, i, j);
        if (d)
            d->walked[d->end[0] == i ? 0 : 1] = true;
        out->index[at++] = i;
        int low, high;
        beside(k, j, i, &low, &high);
        i = j;
        j = low;
    } while (i != start);
    out->begin[++out->count] = at;
}

/* Collect the pieces: every piece is bounded by a diagonal. */
static void gather(cutter *k, crn_pieces *out)
{
    for (int i = 0; i < 2 * k->diagonal_count; ++i)
    {
        diagonal *d = &k->diagonals[i / 2];
        if (!d->gone && !d->walked[i % 2])
            walk(k, d->end[i % 2], d->end[1 - i % 2], out);
    }
}

cairn_status crn_pieces_cut(const double *vertices, int count, crn_pieces *out)
{
    assert(count >= 3);
    cutter k = {.v = vertices, .count = count};
    *out = (crn_pieces){.count = 0};
    cairn_status status =
        crn_reserve_all(&k.memory, CRN_ARRAY(k.next, count), CRN_ARRAY(k.before, count), CRN_ARRAY(k.diagonals, count));
    if (!status)
        status = crn_reserve_all(&out->memory, CRN_ARRAY(out->begin, count), CRN_ARRAY(out->index, 3 * count));
    if (!status)
    {
        for (int i = 0; i < count; ++i)
        {
            k.next[i] = (i + 1) % count;
            k.before[i] = (i + count - 1) % count;
        }
        status = cut_ears(&k) ? CAIRN_OK : CAIRN_NUMERIC;
    }
    if (status == CAIRN_OK)
    {
        merge(&k);
        gather(&k, out);
    }
    crn_arena_release(&k.memory);
    return status;
}

void crn_pieces_free(crn_pieces *pieces)
{
    crn_arena_release(&pieces->memory);
    *pieces = (crn_pieces){.count = 0};
}
