/* Solutions with the factors of K, one right-hand side at a time; saddle_solve_many.c solves for several at once.
 *
 * A solve goes through the fronts upwards, x_p := L_p^-1 x_p, x_u -= L x_p, and back, x_p := U_p^-1 (x_p - P_u x_u). Fronts whose
 * part of the right-hand side is zero are skipped: the right-hand side of a single contact touches few.
 */
#include "linalg/saddle.h"

#include "linalg/saddle_front.h"
#include "linalg/saddle_lanes.h"
#include "linalg/saddle_small.h"

#include <assert.h>
#include <string.h>

INLINE double dot(int count, const double *x, const double *y)
{
    double sum = 0.0;
    int i = 0;
    if (count >= 2 * LANES)
    {
        lanes part[2] = {{0.0}};
        for (; i + 2 * LANES <= count; i += 2 * LANES)
        {
            part[0] += *(const loose_lanes *)(x + i) * *(const loose_lanes *)(y + i);
            part[1] += *(const loose_lanes *)(x + i + LANES) * *(const loose_lanes *)(y + i + LANES);
        }
        part[0] += part[1];
        sum = (part[0][0] + part[0][1]) + (part[0][2] + part[0][3]);
    }
    for (; i < count; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* y = sum_k f_k A(k, :) of rows padded to whole vectors. */
INLINE void combine(int rows, int count, const double *A, size_t A_row, const double *f, double *restrict y)
{
    for (int j = 0; j < count; j += LANES)
    {
        lanes sum = {0.0};
        int k = 0;
        for (; k + 4 <= rows; k += 4)
        {
            const double *a = A + (size_t)k * A_row + j;
            sum +=
                (f[k] * *(const loose_lanes *)a + f[k + 1] * *(const loose_lanes *)(a + A_row)) +
                (f[k + 2] * *(const loose_lanes *)(a + 2 * A_row) + f[k + 3] * *(const loose_lanes *)(a + 3 * A_row));
        }
        for (; k < rows; ++k)
            sum += f[k] * *(const loose_lanes *)(A + (size_t)k * A_row + j);
        *(loose_lanes *)(y + j) = sum;
    }
}

INLINE bool is_zero(int count, const double *x)
{
    int i = 0;
    while (i < count && x[i] == 0.0)
        ++i;
    return i == count;
}

static void exchange(const crn_saddle *saddle, const crn_saddle_front *front, double *x)
{
    for (int k = 0; k < front->pivots; ++k)
    {
        int other = saddle->exchange[front->row + k];
        double value = x[k];
        x[k] = x[other];
        x[other] = value;
    }
}

/* Forward substitution through one front; only its first `width` rows take part. */
INLINE void go_up(const crn_saddle *saddle, const crn_saddle_front *front, int width)
{
    assert(front->pivots <= width && width <= front->width);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    const double *L = P + (size_t)front->pivots * front->stride;
    double *x = saddle->solution + front->row;
    const double *w = saddle->segment;
    if (is_zero(front->pivots, x))
        return;
    if (saddle->any && pattern->order[front->first] < pattern->bodies)
        exchange(saddle, front, x);
    for (int k = 1; k < front->pivots; ++k)
        x[k] -= dot(k, P + (size_t)k * front->stride, x);
    combine(front->pivots, width - front->pivots, L, front->below_stride, x, saddle->segment);
    for (int e = front->below; e < front->below + front->below_count && pattern->offset[e] < width; ++e)
    {
        int k = pattern->below[e];
        for (int row = pattern->row[k]; row < pattern->row[k + 1]; ++row)
            saddle->solution[row] -= *w++;
    }
}

INLINE void go_down(const crn_saddle *saddle, const crn_saddle_front *front, int width)
{
    assert(front->pivots <= width && width <= front->width);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    double *x = saddle->solution + front->row;
    double *w = saddle->segment;
    double *to = w;
    for (int k = 0; k < front->pivots; ++k)
        *to++ = x[k];
    for (int e = front->below; e < front->below + front->below_count && pattern->offset[e] < width; ++e)
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row)
            *to++ = saddle->solution[row];
    if (is_zero(width, w))
        return;
    for (int k = front->pivots - 1; k >= 0; --k)
    {
        const double *row = P + (size_t)k * front->stride;
        w[k] = (w[k] - dot(width - k - 1, row + k + 1, w + k + 1)) * saddle->inverse[front->row + k];
        x[k] = w[k];
    }
}

/* The same for fronts of few pivots, written out for each number of them. */
INLINE void go_up_by(int pivots, const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    const double *L = P + (size_t)pivots * front->stride;
    double *at = saddle->solution + front->row;
    double x[CRN_SMALL_PIVOTS];
    const double *w = saddle->segment;
    if (is_zero(pivots, at))
        return;
    UNROLL
    for (int k = 0; k < pivots; ++k)
    {
        x[k] = at[k];
        UNROLL
        for (int m = 0; m < k; ++m)
            x[k] -= P[(size_t)k * front->stride + (size_t)m] * x[m];
        at[k] = x[k];
    }
    for (int j = 0; j < front->width - pivots; j += LANES)
    {
        lanes sum = x[0] * *(const loose_lanes *)(L + j);
        UNROLL
        for (int k = 1; k < pivots; ++k)
            sum += x[k] * *(const loose_lanes *)(L + (size_t)k * front->below_stride + j);
        *(loose_lanes *)(saddle->segment + j) = sum;
    }
    for (int e = front->below; e < front->below + front->below_count; ++e)
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row)
            saddle->solution[row] -= *w++;
}

INLINE void go_down_by(int pivots, const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const double *P = saddle->values + front->values;
    double *x = saddle->solution + front->row;
    double *to = saddle->segment;
    lanes sum[CRN_SMALL_PIVOTS] = {{0.0}};
    for (int e = front->below; e < front->below + front->below_count; ++e)
        for (int row = pattern->row[pattern->below[e]]; row < pattern->row[pattern->below[e] + 1]; ++row)
            *to++ = saddle->solution[row];
    *(loose_lanes *)to = (lanes){0.0}; /* the padding */
    for (int j = 0; j < front->width - pivots; j += LANES)
    {
        UNROLL
        for (int k = 0; k < pivots; ++k)
            sum[k] += *(const loose_lanes *)(P + (size_t)k * front->stride + (size_t)(pivots + j)) *
                      *(const loose_lanes *)(saddle->segment + j);
    }
    UNROLL
    for (int k = pivots - 1; k >= 0; --k)
    {
        double value = x[k] - ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]));
        UNROLL
        for (int m = pivots - 1; m > k; --m)
            value -= P[(size_t)k * front->stride + (size_t)m] * x[m];
        x[k] = value * saddle->inverse[front->row + k];
    }
}

INLINE void go_up_small(const crn_saddle *saddle,
                        const crn_saddle_front *front){CRN_FOR_PIVOTS(front->pivots, go_up_by, saddle, front)}

INLINE void go_down_small(const crn_saddle *saddle, const crn_saddle_front *front)
{
    CRN_FOR_PIVOTS(front->pivots, go_down_by, saddle, front)
}

/* x, the rows of the blocks first .. end-1, into the order of positions. */
static void gather(const crn_saddle *saddle, int first, int end, const double *x)
{
    assert(0 <= first && first <= end && end <= saddle->pattern.blocks);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int i = first; i < end; ++i)
    {
        double *to = saddle->solution + pattern->row[pattern->position[i]];
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
            *to++ = x[k - pattern->start[first]];
    }
}

/* The reverse: from the order of positions back to the blocks. */
static void give(const crn_saddle *saddle, int first, int end, double *x)
{
    assert(0 <= first && first <= end && end <= saddle->pattern.blocks);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int i = first; i < end; ++i)
    {
        const double *from = saddle->solution + pattern->row[pattern->position[i]];
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
            x[k - pattern->start[first]] = *from++;
    }
}

/* Up and down through all fronts. free: those of bodies alone, and only their rows of bodies. */
INLINE void go(const crn_saddle *saddle, bool free)
{
    const crn_saddle_front *front = saddle->pattern.front;
    int count = saddle->pattern.front_count;
    bool tied = !free && saddle->pattern.size > saddle->pattern.n && !saddle->any;
    for (int s = 0; s < count; ++s)
        if (tied && crn_small_fits(front[s].pivots, front[s].width - front[s].pivots))
            go_up_small(saddle, &front[s]);
        else if (!free || front[s].free_width > 0)
            go_up(saddle, &front[s], free ? front[s].free_width : front[s].width);
    for (int s = count - 1; s >= 0; --s)
        if (tied && crn_small_fits(front[s].pivots, front[s].width - front[s].pivots))
            go_down_small(saddle, &front[s]);
        else if (!free || front[s].free_width > 0)
            go_down(saddle, &front[s], free ? front[s].free_width : front[s].width);
}

static void plain_go(const crn_saddle *saddle, bool free)
{
    go(saddle, free);
}

WIDE static void wide_go(const crn_saddle *saddle, bool free)
{
    go(saddle, free);
}

static void go_anywhere(const crn_saddle *saddle, bool free)
{
    if (HAS_WIDE)
        wide_go(saddle, free);
    else
        plain_go(saddle, free);
}

void crn_saddle_solve(const crn_saddle *saddle, double *v, double *c)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    assert(c || pattern->size == pattern->n);
    gather(saddle, 0, pattern->bodies, v);
    gather(saddle, pattern->bodies, pattern->blocks, c);
    go_anywhere(saddle, false);
    give(saddle, 0, pattern->bodies, v);
    give(saddle, pattern->bodies, pattern->blocks, c);
}

void crn_saddle_solve_free(const crn_saddle *saddle, double *v)
{
    gather(saddle, 0, saddle->pattern.bodies, v);
    go_anywhere(saddle, true);
    give(saddle, 0, saddle->pattern.bodies, v);
}
