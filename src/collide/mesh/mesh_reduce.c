/* Drop contacts that others imply.
 *
 * Contacts i of one pair with the same normal n require gap_i + h n (u + w x x_i) >= 0, u and w being the relative
 * motion. That is linear in the position x_i across n. A contact adds no constraint if its position is a mean of others
 * with weights c_j >= 0, sum 1, and its gap is no less than the mean of theirs. In one plane it can carry no additional
 * load either, friction included: its force, distributed by the same weights, has the same moment. So of contacts in a
 * plane, the corners of their convex hull are kept, and every contact nearer than those imply.
 */
#include "base/memory.h"
#include "collide/broad/sort.h"
#include "collide/mesh/mesh.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double SAME_NORMAL = 1e-12; /* 1 - cosine */
static const double SAME_PLANE = 1e-7;   /* of the size */
static const double SAME_PLACE = 1e-9;   /* of the size */
static const double SAME_GAP = 1e-11;    /* of the size */

/* A contact of the current group. */
typedef struct crn_spread
{
    double u, v;        /* position across the normal */
    double gap, height; /* height: of the midpoint of its two points along the normal */
    int raw;            /* index of the raw contact */
    bool on_hull;       /* it is a corner of the hull of the group */
} crn_spread;

/* Sort by key and remove duplicates; of equal keys the first found is kept. */
static cairn_status sort_raw(crn_mesh_work *work)
{
    size_t count = (size_t)work->raw_count;
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->order, 2 * count), CRN_ARRAY(work->raw, 2 * count)));
    for (size_t i = 0; i < count; ++i)
        work->order[i] = (crn_keyed){.key = work->raw[i].key, .a = (int)i};
    crn_sort(work->order, count, work->order + count);
    memcpy(work->raw + count, work->raw, count * sizeof(crn_raw));
    work->raw_count = 0;
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || work->order[i].key != work->order[i - 1].key)
            work->raw[work->raw_count++] = work->raw[count + (size_t)work->order[i].a];
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- groups */

/* Heights of a contact's two points along n. */
static void heights(const crn_raw *raw, const double n[3], double out[2])
{
    out[0] = crn_dot3(n, raw->point_a);
    out[1] = out[0] - raw->gap * crn_dot3(n, raw->normal);
}

static bool belong(const crn_raw *a, const crn_raw *b, double size)
{
    double x[2], y[2];
    if (crn_dot3(a->normal, b->normal) < 1.0 - SAME_NORMAL)
        return false;
    heights(a, a->normal, x);
    heights(b, a->normal, y);
    return fabs(x[0] - y[0]) <= SAME_PLANE * size || fabs(x[1] - y[1]) <= SAME_PLANE * size;
}

static bool before(const crn_spread *x, const crn_spread *y)
{
    return x->u != y->u ? x->u < y->u : x->v != y->v ? x->v < y->v : x->raw < y->raw;
}

static void sift(crn_spread *list, int at, int end)
{
    assert(at >= 0 && at < end);
    crn_spread item = list[at];
    for (int child = 2 * at + 1; child < end; child = 2 * at + 1)
    {
        child += child + 1 < end && before(&list[child], &list[child + 1]) ? 1 : 0;
        if (!before(&item, &list[child]))
            break;
        list[at] = list[child];
        at = child;
    }
    list[at] = item;
}

/* Heap sort by position: qsort may allocate. */
static void sort_places(crn_spread *list, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i)
        sift(list, i, count);
    for (int end = count - 1; end > 0; --end)
    {
        crn_spread last = list[end];
        list[end] = list[0];
        list[0] = last;
        sift(list, 0, end);
    }
}

/* Move the group of the contact at `begin` to the front of the list from there on; returns its size. */
static int gather(crn_mesh_work *work, int begin, double size)
{
    assert(begin >= 0 && begin < work->raw_count);
    crn_spread *list = work->spread;
    const crn_raw *seed = &work->raw[list[begin].raw];
    double t[2][3];
    int end = begin + 1;
    for (int i = begin + 1; i < work->raw_count; ++i)
    {
        if (belong(seed, &work->raw[list[i].raw], size))
        {
            crn_spread moved = list[i];
            list[i] = list[end];
            list[end++] = moved;
        }
    }
    crn_tangents(seed->normal, t[0], t[1]);
    for (int i = begin; i < end; ++i)
    {
        const crn_raw *raw = &work->raw[list[i].raw];
        double h[2], arm[3];
        crn_sub3(raw->point_a, seed->point_a, arm);
        heights(raw, seed->normal, h);
        list[i].u = crn_dot3(arm, t[0]);
        list[i].v = crn_dot3(arm, t[1]);
        list[i].gap = raw->gap;
        list[i].height = 0.5 * (h[0] + h[1]);
        list[i].on_hull = false;
    }
    sort_places(list + begin, end - begin);
    return end - begin;
}

/* ------------------------------------------------------------------------------------------------------------ hull */

static double twice_area(const crn_spread *p, const crn_spread *q, const crn_spread *r)
{
    return (q->u - p->u) * (r->v - p->v) - (q->v - p->v) * (r->u - p->u);
}

/* Whether q is not a corner between p and r, counter-clockwise. */
static bool is_straight(const crn_spread *p, const crn_spread *q, const crn_spread *r, double place)
{
    double length = hypot(r->u - p->u, r->v - p->v);
    return hypot(q->u - p->u, q->v - p->v) <= place || twice_area(p, q, r) <= place * length;
}

/* The corners of the hull of `count` sorted positions, counter-clockwise (A. M. Andrew, Another efficient algorithm for
 * convex hulls in two dimensions, 1979). Returns their number. */
static int hull_of(crn_spread *list, int count, double place, int *corner)
{
    assert(count >= 1);
    int height = 0;
    for (int turn = 0; turn < 2; ++turn)
    {
        int floor = height;
        for (int k = 0; k < count; ++k)
        {
            int i = turn == 0 ? k : count - 1 - k;
            while (height - floor >= (turn == 0 ? 2 : 1) && height >= 2 &&
                   is_straight(&list[corner[height - 2]], &list[corner[height - 1]], &list[i], place))
                --height;
            if (height == 0 ||
                hypot(list[i].u - list[corner[height - 1]].u, list[i].v - list[corner[height - 1]].v) > place)
                corner[height++] = i;
        }
    }
    if (height > 1 &&
        (corner[height - 1] == corner[0] || hypot(list[corner[height - 1]].u - list[corner[0]].u,
                                                  list[corner[height - 1]].v - list[corner[0]].v) <= place))
        --height;
    return height;
}

/* Barycentric weights of position x in three corners; returns the least. */
static double weigh(const crn_spread *p, const crn_spread *q, const crn_spread *r, const crn_spread *x, double c[3])
{
    double area = twice_area(p, q, r);
    c[0] = twice_area(x, q, r) / area;
    c[1] = twice_area(p, x, r) / area;
    c[2] = 1.0 - c[0] - c[1];
    return fmin(c[0], fmin(c[1], c[2]));
}

/* Whether the corners of a hull imply contact x. */
static bool is_implied(const crn_spread *list, const int *corner, int count, const crn_spread *x, double size)
{
    assert(count >= 1);
    const crn_spread *first = &list[corner[0]], *best[3] = {first, first, first};
    double c[3] = {1, 0, 0}, most = -INFINITY;
    if (count == 2)
    {
        const crn_spread *last = &list[corner[1]];
        double du = last->u - first->u, dv = last->v - first->v;
        c[1] = ((x->u - first->u) * du + (x->v - first->v) * dv) / (du * du + dv * dv);
        c[0] = 1.0 - c[1];
        best[1] = last;
        most = fmin(c[0], c[1]);
    }
    for (int k = 1; k + 1 < count; ++k)
    {
        double w[3], least = weigh(first, &list[corner[k]], &list[corner[k + 1]], x, w);
        if (least > most)
        {
            most = least;
            memcpy(c, w, sizeof c);
            best[1] = &list[corner[k]];
            best[2] = &list[corner[k + 1]];
        }
    }
    double gap = 0, height = 0;
    for (int k = 0; k < 3; ++k)
    {
        gap += c[k] * best[k]->gap;
        height += c[k] * best[k]->height;
    }
    return (count == 1 || most >= -1e-6) && x->gap >= gap - SAME_GAP * size &&
           fabs(x->height - height) <= SAME_PLANE * size;
}

/* Give the contacts of a group that others imply an infinite gap. */
static void reduce_group(crn_mesh_work *work, int begin, int count, double size)
{
    assert(begin >= 0 && count >= 1 && begin + count <= work->raw_count);
    crn_spread *list = work->spread + begin;
    int *corner = work->corner, corners = hull_of(list, count, SAME_PLACE * size, corner);
    for (int k = 0; k < corners; ++k)
        list[corner[k]].on_hull = true;
    for (int i = 0; i < count; ++i)
        if (!list[i].on_hull && is_implied(list, corner, corners, &list[i], size))
            work->raw[list[i].raw].gap = INFINITY;
}

static cairn_status reduce_all(crn_mesh_work *work, double size)
{
    size_t count = (size_t)work->raw_count;
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->spread, count), CRN_ARRAY(work->corner, 2 * count + 2)));
    for (int i = 0; i < work->raw_count; ++i)
        work->spread[i].raw = i;
    for (int begin = 0, group = 0; begin < work->raw_count; begin += group)
    {
        group = gather(work, begin, size);
        if (group > 1)
            reduce_group(work, begin, group, size);
    }
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- names */

/* Make the features of the sorted touches distinct and less than 2^bits: a repeated one becomes the next number. */
static void part_twins(crn_manifold *out)
{
    uint64_t free = UINT64_C(1) << out->bits;
    for (int i = 1; i < out->count; ++i)
    {
        uint64_t last = out->touches[i - 1].feature;
        out->touches[i].feature = out->touches[i].feature > last ? out->touches[i].feature : last + 1;
    }
    for (int i = out->count - 1; i >= 0 && out->touches[i].feature >= free; --i)
        out->touches[i].feature = --free;
}

void crn_mesh_reduce(crn_mesh_work *work, double size, crn_manifold *out)
{
    assert(size >= 0.0 && out->bits > 0 && out->bits < 64);
    work->found = work->kept = 0;
    if (work->raw_count == 0)
        return;
    cairn_status status = sort_raw(work);
    work->found = work->raw_count;
    if (status == CAIRN_OK && !work->plain && work->raw_count > 1)
        status = reduce_all(work, size);
    for (int i = 0; i < work->raw_count && status == CAIRN_OK; ++i)
    {
        const crn_raw *raw = &work->raw[i];
        crn_manifold_add(out, raw->gap, raw->normal, raw->point_a, raw->key >> (64 - out->bits));
    }
    out->status = status ? status : out->status;
    work->kept = out->count;
    part_twins(out);
}
