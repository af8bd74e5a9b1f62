/* Solutions with the factors of K for several right-hand sides at once.
 *
 * Right-hand sides go through the fronts in groups of eight, two vectors of four, row by row: x[row][0..7]. Every factor is
 * loaded once for the eight, and no sum runs across a vector. With p pivots and u rows below, a front costs
 * p (p - 1 + 2u) products up and down for each right-hand side. Fronts whose part
 * is zero in the whole group are skipped: the rows of a contact touch two bodies, and on the way up only the joints between
 * them and the root of the tree.
 */
#include "linalg/saddle.h"

#include "linalg/saddle_front.h"
#include "linalg/saddle_lanes.h"
#include "linalg/saddle_small.h"

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

INLINE void load(const double *x, pair *out)
{
    out->a = *(const loose_lanes *)x;
    out->b = *(const loose_lanes *)(x + LANES);
}

INLINE void store(const pair *in, double *x)
{
    *(loose_lanes *)x = in->a;
    *(loose_lanes *)(x + LANES) = in->b;
}

/* y -= f x */
INLINE void subtract(double f, const pair *x, pair *y)
{
    y->a -= f * x->a;
    y->b -= f * x->b;
}

INLINE bool is_zero(int rows, const double *x)
{
    const loose_lanes *row = (const loose_lanes *)x;
    lane_bits found = {0};
    for (int i = 0; i < 2 * rows; ++i)
        found |= row[i] != 0.0;
    return (found[0] | found[1] | found[2] | found[3]) == 0;
}

/* Forward substitution through a front with few pivots, whose rows stay in registers. */
INLINE void go_up_by(int pivots, const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    const double *L = P + (size_t)pivots * front->stride;
    double *at = saddle->many + (size_t)front->row * GROUP;
    pair x[CRN_SMALL_PIVOTS];
    UNROLL
    for (int k = 0; k < pivots; ++k)
    {
        load(at + k * GROUP, &x[k]);
        UNROLL
        for (int m = 0; m < k; ++m)
            subtract(P[(size_t)k * front->stride + (size_t)m], &x[m], &x[k]);
        store(&x[k], at + k * GROUP);
    }
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row, ++L)
        {
            pair y;
            load(saddle->many + (size_t)row * GROUP, &y);
            UNROLL
            for (int k = 0; k < pivots; ++k)
                subtract(L[(size_t)k * front->below_stride], &x[k], &y);
            store(&y, saddle->many + (size_t)row * GROUP);
        }
    }
}

INLINE void go_down_by(int pivots, const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    const double *right = P + pivots;
    double *at = saddle->many + (size_t)front->row * GROUP;
    pair x[CRN_SMALL_PIVOTS];
    UNROLL
    for (int k = 0; k < pivots; ++k)
        load(at + k * GROUP, &x[k]);
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row, ++right)
        {
            pair y;
            load(saddle->many + (size_t)row * GROUP, &y);
            UNROLL
            for (int k = 0; k < pivots; ++k)
                subtract(right[(size_t)k * front->stride], &y, &x[k]);
        }
    }
    UNROLL
    for (int k = pivots - 1; k >= 0; --k)
    {
        UNROLL
        for (int m = pivots - 1; m > k; --m)
            subtract(P[(size_t)k * front->stride + (size_t)m], &x[m], &x[k]);
        x[k].a *= saddle->inverse[front->row + k];
        x[k].b *= saddle->inverse[front->row + k];
        store(&x[k], at + k * GROUP);
    }
}

/* The same for any number of pivots. */
INLINE void go_up_large(const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    const double *L = P + (size_t)front->pivots * front->stride;
    double *at = saddle->many + (size_t)front->row * GROUP;
    pair x, y;
    for (int k = 1; k < front->pivots; ++k)
    {
        load(at + (size_t)k * GROUP, &y);
        for (int m = 0; m < k; ++m)
        {
            load(at + (size_t)m * GROUP, &x);
            subtract(P[(size_t)k * front->stride + (size_t)m], &x, &y);
        }
        store(&y, at + (size_t)k * GROUP);
    }
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row, ++L)
        {
            load(saddle->many + (size_t)row * GROUP, &y);
            for (int k = 0; k < front->pivots; ++k)
            {
                load(at + (size_t)k * GROUP, &x);
                subtract(L[(size_t)k * front->below_stride], &x, &y);
            }
            store(&y, saddle->many + (size_t)row * GROUP);
        }
    }
}

INLINE void go_down_large(const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    double *at = saddle->many + (size_t)front->row * GROUP;
    for (int k = front->pivots - 1; k >= 0; --k)
    {
        const double *P = saddle->values + front->values + (size_t)k * front->stride;
        const double *right = P + front->pivots;
        pair x, y;
        load(at + (size_t)k * GROUP, &x);
        for (int e = front->below; e < front->below + front->below_count; ++e)
        {
            for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row)
            {
                load(saddle->many + (size_t)row * GROUP, &y);
                subtract(*right++, &y, &x);
            }
        }
        for (int m = front->pivots - 1; m > k; --m)
        {
            load(at + (size_t)m * GROUP, &y);
            subtract(P[m], &y, &x);
        }
        x.a *= saddle->inverse[front->row + k];
        x.b *= saddle->inverse[front->row + k];
        store(&x, at + (size_t)k * GROUP);
    }
}

INLINE void go_up(const crn_saddle *saddle, const crn_saddle_front *front)
{
    if (front->pivots > CRN_SMALL_PIVOTS)
        go_up_large(saddle, front);
    else
        CRN_FOR_PIVOTS(front->pivots, go_up_by, saddle, front)
}

INLINE void go_down(const crn_saddle *saddle, const crn_saddle_front *front)
{
    if (front->pivots > CRN_SMALL_PIVOTS)
        go_down_large(saddle, front);
    else
        CRN_FOR_PIVOTS(front->pivots, go_down_by, saddle, front)
}

/* On the way down a front is live when it was on the way up or its parent is: the rows below it belong to fronts above. */
INLINE void go(const crn_saddle *saddle)
{
    const crn_saddle_front *front = saddle->pattern.front;
    bool *live = saddle->live;
    for (int s = 0; s < saddle->pattern.front_count; ++s)
    {
        live[s] = !is_zero(front[s].pivots, saddle->many + (size_t)front[s].row * GROUP);
        if (live[s])
            go_up(saddle, &front[s]);
    }
    for (int s = saddle->pattern.front_count - 1; s >= 0; --s)
    {
        live[s] = live[s] || (front[s].parent >= 0 && live[front[s].parent]);
        if (live[s])
            go_down(saddle, &front[s]);
    }
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

static void solve_group(const crn_saddle *saddle, int count, double *V, double *C)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    size_t n = (size_t)pattern->n;
    size_t m = (size_t)(pattern->size - pattern->n);
    gather(saddle, 0, pattern->bodies, count, V, n);
    gather(saddle, pattern->bodies, pattern->blocks, count, C, m);
    if (HAS_WIDE)
        wide_go_many(saddle);
    else
        plain_go_many(saddle);
    give(saddle, 0, pattern->bodies, count, V, n);
    if (C)
        give(saddle, pattern->bodies, pattern->blocks, count, C, m);
}

cairn_status crn_saddle_solve_many(crn_saddle *saddle, int count, double *V, double *C)
{
    assert(count >= 0);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    size_t n = (size_t)pattern->n;
    size_t m = (size_t)(pattern->size - pattern->n);
    bool grouped = m > 0 && !saddle->any;
    if (grouped)
        CRN_TRY(crn_reserve_all(&saddle->memory, CRN_ARRAY(saddle->many, GROUP * (n + m)),
                                CRN_ARRAY(saddle->live, pattern->front_count)));
    for (int j = 0; j < count && grouped; j += GROUP)
        solve_group(saddle, count - j < GROUP ? count - j : GROUP, V + (size_t)j * n, C ? C + (size_t)j * m : NULL);
    for (int j = 0; j < count && !grouped; ++j)
        crn_saddle_solve(saddle, V + (size_t)j * n, C ? C + (size_t)j * m : NULL);
    return CAIRN_OK;
}
