/* Solutions with the factors of K for several right-hand sides at once.
 *
 * Right-hand sides go through the fronts in groups of eight, two vectors of four, row by row: x[row][0..7]. Every factor is
 * loaded once for the eight, and no sum runs across a vector. Sums are in the order of saddle_solve.c, so each solution has the bits
 * that it has alone. With p pivots and u rows below, a front costs
 * p (p - 1 + 2u) products up and down for each right-hand side. A front is skipped on the way up when its rows are
 * zero in the whole group: the rows of a contact touch two bodies and the joints between them and the root of the tree.
 */
#include "linalg/saddle.h"

#include "linalg/saddle_front.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <string.h>

enum
{
    GROUP = 2 * LANES
};

/* One row of a group. */
typedef struct pair
{
    lanes a, b;
} pair;

/* sum += f x */
INLINE void add(double f, const double *x, pair *sum)
{
    sum->a += f * *(const loose_lanes *)x;
    sum->b += f * *(const loose_lanes *)(x + LANES);
}

INLINE void add_pair(const pair *x, pair *sum)
{
    sum->a += x->a;
    sum->b += x->b;
}

/* x -= sum */
INLINE void subtract(const pair *sum, double *x)
{
    *(loose_lanes *)x -= sum->a;
    *(loose_lanes *)(x + LANES) -= sum->b;
}

/* sum = f_i X_i + f_k X_k, rows i and k of X */
INLINE void add_two(const double *f, const double *X, int i, int k, pair *sum)
{
    const loose_lanes *x = (const loose_lanes *)(X + (size_t)i * GROUP);
    const loose_lanes *y = (const loose_lanes *)(X + (size_t)k * GROUP);
    sum->a = f[i] * x[0] + f[k] * y[0];
    sum->b = f[i] * x[1] + f[k] * y[1];
}

/* sum = f'X of eight rows, in the order in which eight partial sums are added up. */
INLINE void add_eight(const double *f, const double *X, pair *sum)
{
    pair other, more;
    add_two(f, X, 0, 4, sum);
    add_two(f, X, 1, 5, &other);
    add_pair(&other, sum);
    add_two(f, X, 2, 6, &other);
    add_two(f, X, 3, 7, &more);
    add_pair(&more, &other);
    add_pair(&other, sum);
}

/* The same for more rows, a multiple of eight, and one vector of the pair. */
INLINE void add_eights(int count, const double *f, const double *X, lanes *sum)
{
    lanes part[8] = {{0.0}};
    for (int i = 0; i < count; i += 8)
    {
        UNROLL
        for (int k = 0; k < 8; ++k)
            part[k] += f[i + k] * *(const loose_lanes *)(X + (size_t)(i + k) * GROUP);
    }
    *sum = ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

/* sum = f'X, the rows of X in the order in which `dot` of saddle_solve.c adds them: eight partial sums, then the rest. */
INLINE void dot(int count, const double *f, const double *X, pair *sum)
{
    int whole = count / 8 * 8;
    if (whole == 8)
    {
        add_eight(f, X, sum);
    }
    else
    {
        add_eights(whole, f, X, &sum->a);
        add_eights(whole, f, X + LANES, &sum->b);
    }
    for (int i = whole; i < count; ++i)
        add(f[i], X + (size_t)i * GROUP, sum);
}

/* sum = f'X, f `step` apart, in the order in which `combine` of saddle_solve.c adds: by fours, then the rest. */
INLINE void combine(int count, const double *f, size_t step, const double *X, pair *sum)
{
    int k = 0;
    *sum = (pair){{0.0}, {0.0}};
    for (; k + 4 <= count; k += 4)
    {
        pair two = {{0.0}, {0.0}};
        pair other = {{0.0}, {0.0}};
        add(f[(size_t)k * step], X + (size_t)k * GROUP, &two);
        add(f[(size_t)(k + 1) * step], X + (size_t)(k + 1) * GROUP, &two);
        add(f[(size_t)(k + 2) * step], X + (size_t)(k + 2) * GROUP, &other);
        add(f[(size_t)(k + 3) * step], X + (size_t)(k + 3) * GROUP, &other);
        add_pair(&other, &two);
        add_pair(&two, sum);
    }
    for (; k < count; ++k)
        add(f[(size_t)k * step], X + (size_t)k * GROUP, sum);
}

INLINE bool is_zero(int rows, const double *x)
{
    const loose_lanes *row = (const loose_lanes *)x;
    lane_bits found = {0};
    for (int i = 0; i < 2 * rows; ++i)
        found |= row[i] != 0.0;
    return (found[0] | found[1] | found[2] | found[3]) == 0;
}

static void exchange(const crn_saddle *saddle, const crn_saddle_front *front, double *x)
{
    for (int k = 0; k < front->pivots; ++k)
    {
        double *a = x + (size_t)k * GROUP;
        double *b = x + (size_t)saddle->exchange[front->row + k] * GROUP;
        for (int j = 0; j < GROUP; ++j)
        {
            double value = a[j];
            a[j] = b[j];
            b[j] = value;
        }
    }
}

INLINE void go_up(const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    const double *L = P + (size_t)front->pivots * front->stride;
    double *x = saddle->many + (size_t)front->row * GROUP;
    pair sum;
    if (is_zero(front->pivots, x))
        return;
    if (saddle->any && pattern->order[front->first] < pattern->bodies)
        exchange(saddle, front, x);
    for (int k = 1; k < front->pivots; ++k)
    {
        dot(k, P + (size_t)k * front->stride, x, &sum);
        subtract(&sum, x + (size_t)k * GROUP);
    }
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row, ++L)
        {
            combine(front->pivots, L, front->below_stride, x, &sum);
            subtract(&sum, saddle->many + (size_t)row * GROUP);
        }
    }
}

INLINE void go_down(const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    double *x = saddle->many + (size_t)front->row * GROUP;
    double *w = saddle->many_segment;
    double *to = w + (size_t)front->pivots * GROUP;
    memcpy(w, x, (size_t)front->pivots * GROUP * sizeof(double));
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        size_t first = (size_t)pattern->row[pattern->below[e]] * GROUP;
        size_t end = (size_t)pattern->row[pattern->below[e] + 1] * GROUP;
        for (; first < end; first += LANES, to += LANES)
            *(loose_lanes *)to = *(const loose_lanes *)(saddle->many + first);
    }
    if (is_zero(front->width, w))
        return;
    for (int k = front->pivots - 1; k >= 0; --k)
    {
        const double *P = saddle->values + front->values + (size_t)k * (front->stride + 1) + 1;
        lanes inverse = {0.0};
        pair sum;
        inverse += saddle->inverse[front->row + k];
        dot(front->width - k - 1, P, w + (size_t)(k + 1) * GROUP, &sum);
        subtract(&sum, w + (size_t)k * GROUP);
        *(loose_lanes *)(w + (size_t)k * GROUP) *= inverse;
        *(loose_lanes *)(w + (size_t)k * GROUP + LANES) *= inverse;
    }
    memcpy(x, w, (size_t)front->pivots * GROUP * sizeof(double));
}

INLINE void go(const crn_saddle *saddle)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int s = 0; s < pattern->front_count; ++s)
        go_up(saddle, &pattern->front[s]);
    for (int s = pattern->front_count - 1; s >= 0; --s)
        go_down(saddle, &pattern->front[s]);
}

static void plain_go_many(const crn_saddle *saddle)
{
    go(saddle);
}

WIDE static void wide_go_many(const crn_saddle *saddle)
{
    go(saddle);
}

/* `count` columns of the blocks first .. end-1, `rows` long each, into the group; X NULL: zeros. Columns that the group has beyond
 * them are zero. */
static void gather(const crn_saddle *saddle, int first, int end, int count, const double *X, size_t rows)
{
    assert(0 <= first && first <= end && end <= saddle->pattern.blocks && count <= GROUP);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int i = first; i < end; ++i)
    {
        double *to = saddle->many + (size_t)pattern->row[pattern->position[i]] * GROUP;
        const double *from = X ? X + (pattern->start[i] - pattern->start[first]) : NULL;
        int size = pattern->start[i + 1] - pattern->start[i];
        if (!X || count < GROUP)
            memset(to, 0, (size_t)size * GROUP * sizeof(double));
        for (int j = 0; j < count && X; ++j, from += rows)
            for (int k = 0; k < size; ++k)
                to[k * GROUP + j] = from[k];
    }
}

/* The reverse. */
static void give(const crn_saddle *saddle, int first, int end, int count, double *X, size_t rows)
{
    assert(0 <= first && first <= end && end <= saddle->pattern.blocks && count <= GROUP);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int i = first; i < end; ++i)
    {
        const double *from = saddle->many + (size_t)pattern->row[pattern->position[i]] * GROUP;
        double *to = X + (pattern->start[i] - pattern->start[first]);
        int size = pattern->start[i + 1] - pattern->start[i];
        for (int j = 0; j < count; ++j, to += rows)
            for (int k = 0; k < size; ++k)
                to[k] = from[k * GROUP + j];
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

cairn_status crn_saddle_solve_many(crn_saddle *saddle, int count, double *V, double *C)
{
    assert(count >= 0);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    size_t n = (size_t)pattern->n;
    size_t m = (size_t)(pattern->size - pattern->n);
    size_t need = GROUP * ((size_t)pattern->size + 1);
    CRN_TRY(crn_reserve_all(&saddle->memory, CRN_ARRAY(saddle->many, need), CRN_ARRAY(saddle->many_segment, need)));
    for (int first = 0; first < count; first += GROUP)
    {
        int columns = least(GROUP, count - first);
        double *v = V + (size_t)first * n;
        double *c = C ? C + (size_t)first * m : NULL;
        gather(saddle, 0, pattern->bodies, columns, v, n);
        gather(saddle, pattern->bodies, pattern->blocks, columns, c, m);
        if (HAS_WIDE)
            wide_go_many(saddle);
        else
            plain_go_many(saddle);
        give(saddle, 0, pattern->bodies, columns, v, n);
        if (c)
            give(saddle, pattern->bodies, pattern->blocks, columns, c, m);
    }
    return CAIRN_OK;
}
