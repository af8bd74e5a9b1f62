/* Solutions with the factors of K for several right-hand sides at once.
 *
 * Right-hand sides go through the fronts in groups of eight, two vectors of four, row by row: x[row][0..7]. Every factor is
 * loaded once for the eight, and the arithmetic needs no sums across a vector. With p pivots and u rows below, a front costs
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

/* sum -= f x */
INLINE void subtract(double f, const double *x, pair *sum)
{
    sum->a -= f * *(const loose_lanes *)x;
    sum->b -= f * *(const loose_lanes *)(x + LANES);
}

static bool is_zero(int rows, const double *x)
{
    int i = 0;
    while (i < rows * GROUP && x[i] == 0.0)
        ++i;
    return i == rows * GROUP;
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
        load(x + k * GROUP, &sum);
        for (int m = 0; m < k; ++m)
            subtract(P[(size_t)k * front->stride + (size_t)m], x + m * GROUP, &sum);
        store(&sum, x + k * GROUP);
    }
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        double *to = saddle->many + (size_t)pattern->row[pattern->below[e]] * GROUP;
        int rows = pattern->row[pattern->below[e] + 1] - pattern->row[pattern->below[e]];
        for (int i = 0; i < rows; ++i, ++L, to += GROUP)
        {
            load(to, &sum);
            for (int k = 0; k < front->pivots; ++k)
                subtract(L[(size_t)k * front->below_stride], x + k * GROUP, &sum);
            store(&sum, to);
        }
    }
}

INLINE void go_down(const crn_saddle *saddle, const crn_saddle_front *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    double *x = saddle->many + (size_t)front->row * GROUP;
    for (int k = front->pivots - 1; k >= 0; --k)
    {
        const double *P = saddle->values + front->values + (size_t)k * front->stride;
        double inverse = saddle->inverse[front->row + k];
        pair sum;
        load(x + k * GROUP, &sum);
        for (int m = k + 1; m < front->pivots; ++m)
            subtract(P[m], x + m * GROUP, &sum);
        P += front->pivots;
        for (int e = front->below; e < front->below + front->below_count; ++e)
        {
            const double *other = saddle->many + (size_t)pattern->row[pattern->below[e]] * GROUP;
            int rows = pattern->row[pattern->below[e] + 1] - pattern->row[pattern->below[e]];
            for (int i = 0; i < rows; ++i, other += GROUP)
                subtract(*P++, other, &sum);
        }
        sum.a *= inverse;
        sum.b *= inverse;
        store(&sum, x + k * GROUP);
    }
}

INLINE void go(const crn_saddle *saddle)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int s = 0; s < pattern->front_count; ++s)
        go_up(saddle, &pattern->front[s]);
    for (int s = pattern->front_count - 1; s >= 0; --s)
        go_down(saddle, &pattern->front[s]);
}

static void plain_go(const crn_saddle *saddle)
{
    go(saddle);
}

WIDE static void wide_go(const crn_saddle *saddle)
{
    go(saddle);
}

/* Columns first .. of the blocks first_block .. end-1, `rows` long each, into the group; columns that do not exist are zero. */
static void gather(const crn_saddle *saddle, int first_block, int end, int count, const double *X, size_t rows)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int i = first_block; i < end; ++i)
    {
        double *to = saddle->many + (size_t)pattern->row[pattern->position[i]] * GROUP;
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k, to += GROUP)
            for (int j = 0; j < GROUP; ++j)
                to[j] = X && j < count ? X[(size_t)j * rows + (size_t)(k - pattern->start[first_block])] : 0.0;
    }
}

static void give(const crn_saddle *saddle, int first_block, int end, int count, double *X, size_t rows)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int i = first_block; i < end; ++i)
    {
        const double *from = saddle->many + (size_t)pattern->row[pattern->position[i]] * GROUP;
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k, from += GROUP)
            for (int j = 0; j < count; ++j)
                X[(size_t)j * rows + (size_t)(k - pattern->start[first_block])] = from[j];
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
    CRN_TRY(crn_reserve_all(&saddle->memory, CRN_ARRAY(saddle->many, GROUP * ((size_t)pattern->size + 1))));
    for (int first = 0; first < count; first += GROUP)
    {
        int columns = least(GROUP, count - first);
        double *v = V + (size_t)first * n;
        double *c = C ? C + (size_t)first * m : NULL;
        gather(saddle, 0, pattern->bodies, columns, v, n);
        gather(saddle, pattern->bodies, pattern->blocks, columns, c, m);
        if (HAS_WIDE)
            wide_go(saddle);
        else
            plain_go(saddle);
        give(saddle, 0, pattern->bodies, columns, v, n);
        if (c)
            give(saddle, pattern->bodies, pattern->blocks, columns, c, m);
    }
    return CAIRN_OK;
}
