/* One front:
 *
 *     [ P ]   [ P_p  P_u ]      P_p = L_p U_p        by blocks of columns, with exchange of rows where any pivot will do
 *     [   ] = [          ]      P_u becomes L_p^-1 P_u
 *     [ L C ] [ L    C   ]      L   becomes L U_p^-1, that is U_p'^-1 L' as it is stored
 *                               C   becomes C - L P_u
 *
 * L_p has a unit diagonal; the inverses of U_p's are kept apart. They are 0 for dropped joint rows, which makes the
 * column of L zero: such a row has no part in what follows.
 *
 * A positive definite A has positive pivots in every order. The joints' pivots are those of R_c + G A^-1 G'; the size one
 * of them would have without cancellation is the sum of the sizes of its terms, |R_c| + sum_k |l_ik u_ki| over all pivots
 * before it, and it vanishes against this for a row that depends on those before it.
 */
#include "linalg/saddle_front.h"

#include "linalg/lanes.h"
#include "linalg/saddle_kernel.h"
#include "linalg/saddle_lanes.h"
#include "linalg/saddle_small.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    NARROW = 8 /* columns eliminated one by one before the rest of a block is updated */
};

/* Rounding leaves about 1e-15 of the terms' size in a pivot that should vanish; an honest one reaches down to the mass
 * ratio, 1e-8. */
static const double JOINT_PIVOT_FLOOR = 1e-11;

/* The pivot of a compliant row is at least R_c and never vanishes; below this share rounding hides its size. */
static const double SOFT_PIVOT_FLOOR = 1e-15;

/* Below this part of its terms a pivot of any sign is rounding alone. */
static const double PIVOT_FLOOR = 1e-14;

/* A front with its pieces; arrays by rows start at its own. */
typedef struct piece
{
    int pivots, width, below;
    size_t stride, below_stride; /* of P, and of L' and C */
    bool joints, exchanges, any;
    double *P, *L, *C;
    double *inverse, *terms;
    const double *compliance;
    int *exchange;
    int dropped, bad; /* bad: -1, or a pivot that is not good enough */
    double bad_pivot;
} piece;

/* ------------------------------------------------------------------------------------------------ updates of children */

/* Add an update's block of rows x columns to rows of the front. */
INLINE void add_block(int rows, int columns, const double *from, size_t from_row, double *restrict to, size_t to_row)
{
    for (int i = 0; i < rows; ++i, from += from_row, to += to_row)
    {
        int j = 0;
        for (; j + 2 <= columns; j += 2)
            *(crn_lanes *)(to + j) += crn_lanes_at(from + j);
        for (; j < columns; ++j)
            to[j] += from[j];
    }
}

/* The same to rows of L, which is stored transposed. */
static void add_transposed(int rows, int columns, const double *from, size_t from_row, double *restrict to,
                           size_t to_row)
{
    for (int i = 0; i < rows; ++i, from += from_row, ++to)
        for (int j = 0; j < columns; ++j)
            to[(size_t)j * to_row] += from[j];
}

/* Add the block of run a by run b of an update. Joints of five rows are written out. */
static void add_runs(const piece *front, const crn_saddle_run *a, const crn_saddle_run *b, const double *update,
                     size_t row)
{
    assert(a->to >= 0 && a->to + a->length <= front->width && b->to + b->length <= front->width);
    int p = front->pivots;
    const double *from = update + (size_t)a->from * row + b->from;
    double *to = NULL; /* not in L */
    if (a->to < p)
        to = front->P + (size_t)a->to * front->stride + b->to;
    else if (b->to >= p)
        to = front->C + (size_t)(a->to - p) * front->below_stride + (b->to - p);
    size_t to_row = a->to < p ? front->stride : front->below_stride;
    if (a->to >= p && b->to < p)
        add_transposed(a->length, b->length, from, row, front->L + (size_t)b->to * front->below_stride + (a->to - p),
                       front->below_stride);
    else if (b->length == 5)
        add_block(a->length, 5, from, row, to, to_row);
    else
        add_block(a->length, b->length, from, row, to, to_row);
}

static void add_children(const crn_saddle *saddle, int s, const piece *front)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    memset(front->C, 0, (size_t)front->below * front->below_stride * sizeof(double));
    for (int c = pattern->front[s].child; c >= 0; c = pattern->front[c].sibling)
    {
        const crn_saddle_front *child = &pattern->front[c];
        const crn_saddle_run *run = pattern->run + child->run;
        const double *update = saddle->stack[child->stack] + child->update;
        for (int a = 0; a < child->run_count; ++a)
            for (int b = 0; b < child->run_count; ++b)
                add_runs(front, &run[a], &run[b], update, child->below_stride);
    }
}

/* ------------------------------------------------------------------------------------------------------------- pivots */

/* Find what pivots are compared with: the terms from other fronts, and the columns as they are now. */
static void find_sizes(const piece *front)
{
    for (int i = 0; i < front->pivots; ++i)
    {
        for (int k = 0; k < front->pivots; ++k)
        {
            double value = fabs(front->P[(size_t)i * front->stride + (size_t)k]);
            front->terms[k] = value > front->terms[k] ? value : front->terms[k];
        }
    }
}

/* Bring the largest entry of column k to the diagonal. */
static void exchange_rows(const piece *front, int k)
{
    size_t stride = front->stride;
    int best = k;
    for (int i = k + 1; i < front->pivots; ++i)
    {
        best = fabs(front->P[(size_t)i * stride + (size_t)k]) > fabs(front->P[(size_t)best * stride + (size_t)k])
                   ? i
                   : best;
    }
    front->exchange[k] = best;
    double *a = front->P + (size_t)k * stride;
    double *b = front->P + (size_t)best * stride;
    for (size_t j = 0; j < (size_t)front->width && best != k; ++j)
    {
        double value = a[j];
        a[j] = b[j];
        b[j] = value;
    }
}

/* The inverse of pivot k; false when it is not good enough. */
static bool invert(piece *front, int k)
{
    double d = front->P[(size_t)k * front->stride + (size_t)k];
    double size = front->any ? fabs(d) : d;
    double soft = front->compliance[k];
    bool held = soft > SOFT_PIVOT_FLOOR * front->terms[k] && size > 0.5 * soft;
    bool good = front->joints      ? held || size > JOINT_PIVOT_FLOOR * front->terms[k]
                : front->exchanges ? size > PIVOT_FLOOR * front->terms[k]
                                   : size > 0.0;
    bool drop = front->joints && !good;
    front->inverse[k] = drop ? 0.0 : 1.0 / d;
    front->dropped += drop;
    return drop || (good && isfinite(d));
}

/* Eliminate the columns first .. end-1 from the first `rows` rows, one by one and no further to the right. */
INLINE bool eliminate_rows(piece *front, int first, int end, int rows)
{
    size_t stride = front->stride;
    UNROLL
    for (int k = first; k < end; ++k)
    {
        if (front->exchanges)
            exchange_rows(front, k);
        const double *restrict pivot = front->P + (size_t)k * stride;
        if (!invert(front, k))
        {
            front->bad = k;
            front->bad_pivot = pivot[k];
            return false;
        }
        UNROLL
        for (int i = k + 1; i < rows; ++i)
        {
            double *restrict row = front->P + (size_t)i * stride;
            row[k] *= front->inverse[k];
            UNROLL
            for (int j = k + 1; j < end; ++j)
                row[j] -= row[k] * pivot[j];
            if (front->joints && i < end)
                front->terms[i] += fabs(row[k] * pivot[i]);
        }
    }
    return true;
}

/* The columns first .. end-1 from all rows of pivots; written out for whole fronts of one body or one joint. */
static bool eliminate(piece *front, int first, int end)
{
    assert(0 <= first && first <= end && end <= front->pivots);
    if (end - first == 6 && front->pivots == 6)
        return eliminate_rows(front, 0, 6, 6);
    if (end - first == 5 && front->pivots == 5)
        return eliminate_rows(front, 0, 5, 5);
    return eliminate_rows(front, first, end, front->pivots);
}

/* The terms that pivots first .. end-1 add to the diagonal of later pivots up to `last`. */
static void add_own_terms(const piece *front, int first, int end, int last)
{
    assert(0 <= first && first <= end && end <= last);
    size_t stride = front->stride;
    for (int i = end; i < last; ++i)
        for (int k = first; k < end; ++k)
            front->terms[i] +=
                fabs(front->P[(size_t)i * stride + (size_t)k] * front->P[(size_t)k * stride + (size_t)i]);
}

/* Eliminate the pivots first .. end-1 by blocks of `step`, and from the columns up to `last` what follows from it. */
static bool factorise(piece *front, int first, int end, int last, int step)
{
    assert(0 <= first && first <= end && end <= last && step > 0);
    size_t stride = front->stride;
    for (int a = first; a < end; a += step)
    {
        int b = end - a < step ? end : a + step;
        if (!(step == NARROW ? eliminate(front, a, b) : factorise(front, a, b, b, NARROW)))
            return false;
        double *right = front->P + (size_t)a * stride + (size_t)b;
        crn_operand own = {front->P + (size_t)a * stride + (size_t)a, stride, 1};
        crn_operand under = {front->P + (size_t)b * stride + (size_t)a, stride, 1};
        crn_kernel_solve(b - a, last - b, own, NULL, right, stride);
        crn_kernel_product(front->pivots - b, last - b, b - a, under, right, stride, right + (size_t)(b - a) * stride,
                           stride);
        if (front->joints)
            add_own_terms(front, a, b, last < front->pivots ? last : front->pivots);
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- below */

/* L' becomes U_p'^-1 L'. */
static void solve_below(const piece *front)
{
    size_t stride = front->stride;
    size_t below_stride = front->below_stride;
    for (int a = 0; a < front->pivots; a += CRN_KERNEL_DEPTH)
    {
        int b = front->pivots - a < CRN_KERNEL_DEPTH ? front->pivots : a + CRN_KERNEL_DEPTH;
        double *rows = front->L + (size_t)a * below_stride;
        crn_operand own = {front->P + (size_t)a * stride + (size_t)a, 1, stride};
        crn_operand right = {front->P + (size_t)a * stride + (size_t)b, 1, stride};
        crn_kernel_solve(b - a, front->below, own, front->inverse + a, rows, below_stride);
        crn_kernel_product(front->pivots - b, front->below, b - a, right, rows, below_stride,
                           front->L + (size_t)b * below_stride, below_stride);
    }
}

static void update_below(const piece *front)
{
    size_t below_stride = front->below_stride;
    for (int a = 0; a < front->pivots; a += CRN_KERNEL_DEPTH)
    {
        int depth = front->pivots - a < CRN_KERNEL_DEPTH ? front->pivots - a : CRN_KERNEL_DEPTH;
        crn_operand left = {front->L + (size_t)a * below_stride, 1, below_stride};
        const double *right = front->P + (size_t)a * front->stride + (size_t)front->pivots;
        crn_kernel_product(front->below, front->below, depth, left, right, front->stride, front->C, below_stride);
    }
}

/* sizes_i = sum_k |l_ik u_ki| of each row below: what the front's pivots add to the terms of its diagonal entry. */
static void find_sizes_below(const piece *front, double *sizes)
{
    memset(sizes, 0, (size_t)front->below * sizeof(double));
    for (int k = 0; k < front->pivots; ++k)
    {
        const double *u = front->P + (size_t)k * front->stride + front->pivots;
        const double *l = front->L + (size_t)k * front->below_stride;
        for (int i = 0; i < front->below; ++i)
            sizes[i] += fabs(l[i] * u[i]);
    }
}

/* Add the sizes to the terms of diagonal entries below the front: those of joints, or all. */
static void add_terms(crn_saddle *saddle, const crn_saddle_front *where)
{
    const crn_saddle_pattern *pattern = &saddle->pattern;
    for (int e = where->below + where->below_count - 1; e >= where->below; --e)
    {
        int k = pattern->below[e];
        if (pattern->order[k] < pattern->bodies && !saddle->any)
            return;
        const double *size = saddle->segment + (pattern->offset[e] - where->pivots);
        for (int row = pattern->row[k]; row < pattern->row[k + 1]; ++row)
            saddle->terms[row] += *size++;
    }
}

/* Eliminate the pivots by the kernels for small fronts, or by those for any size. False: a pivot is not good enough. */
static bool eliminate_front(piece *front, bool fresh, double *sizes)
{
    if (crn_small_fits(front->pivots, front->below))
    {
        crn_small_front small = {front->pivots, front->below, front->stride, front->below_stride,
                                 front->P,      front->L,     front->C,      front->inverse,
                                 sizes,         fresh};
        if (!eliminate(front, 0, front->pivots))
            return false;
        crn_small_eliminate(&small);
        return true;
    }
    if (!factorise(front, 0, front->pivots, front->width, CRN_KERNEL_DEPTH))
        return false;
    solve_below(front);
    update_below(front);
    find_sizes_below(front, sizes);
    return true;
}

int crn_saddle_front_factorise(crn_saddle *saddle, int s, double *pivot)
{
    assert(0 <= s && s < saddle->pattern.front_count);
    const crn_saddle_pattern *pattern = &saddle->pattern;
    const crn_saddle_front *where = &pattern->front[s];
    bool joints = pattern->order[where->first] >= pattern->bodies;
    piece front = {.pivots = where->pivots,
                   .width = where->width,
                   .below = where->width - where->pivots,
                   .stride = where->stride,
                   .below_stride = where->below_stride,
                   .joints = joints,
                   .exchanges = saddle->any && !joints,
                   .any = saddle->any,
                   .P = saddle->values + where->values,
                   .C = saddle->stack[where->stack] + where->update,
                   .inverse = saddle->inverse + where->row,
                   .terms = saddle->terms + where->row,
                   .compliance = saddle->compliance + where->row,
                   .exchange = saddle->exchange + where->row,
                   .bad = -1};
    front.L = front.P + (size_t)front.pivots * front.stride;
    bool fresh = where->child < 0 && crn_small_fits(front.pivots, front.below);
    if (!fresh)
        add_children(saddle, s, &front);
    if (front.exchanges)
        find_sizes(&front);
    if (!eliminate_front(&front, fresh, saddle->segment))
    {
        *pivot = front.bad_pivot;
        return where->row + front.bad;
    }
    saddle->dropped += front.dropped;
    add_terms(saddle, where);
    return -1;
}
