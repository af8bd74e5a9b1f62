/* Newton's steps (gauss_seidel_newton.c) where W = X Y' is the product of two thin matrices, with fewer columns than rows: a mechanism has
 * fewer degrees of freedom than contacts have rows. With E = I - D + rho' alpha D J, block-diagonal, a step s solves
 *
 *     (E + rho' D J X Y') s = F        z = Y's:    (I + Y'K X) z = Y'E^-1 F,    K = E^-1 rho' D J,    s = E^-1 F - K X z
 *
 * so that the matrix has the size of z. A block of K is a sum of products a b': three where a contact sticks, two where it slips
 * (gauss_seidel_newton_blocks.c). The matrix is the sum of products of the rows Y'a and X'b, over the contacts that reach a column.
 */
#include "solve/sweep/gauss_seidel_newton_blocks.h"

#include "math/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

cairn_status crn_gs_newton_reserve_thin(crn_gs_newton *newton, int columns)
{
    size_t rows = (size_t)newton->rows;
    newton->columns = columns;
    newton->stride = ((size_t)columns + LANES - 1) & ~(size_t)(LANES - 1);
    return crn_reserve_all(
        &newton->memory, CRN_ARRAY(newton->X, rows * newton->stride), CRN_ARRAY(newton->Y, rows * newton->stride),
        CRN_ARRAY(newton->system, (size_t)columns * newton->stride), CRN_ARRAY(newton->z, 2 * newton->stride),
        CRN_ARRAY(newton->reach, columns), CRN_ARRAY(newton->pairs, 2 * 3 * (size_t)newton->contacts * newton->stride),
        CRN_ARRAY(newton->blocks, newton->contacts));
}

/* to += f from */
INLINE void add_row(size_t stride, double f, const double *from, double *to)
{
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        *(loose_lanes *)(to + c) += f * *(const loose_lanes *)(from + c);
}

INLINE double dot(size_t stride, const double *x, const double *y)
{
    lanes sum = {0.0};
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        sum += *(const loose_lanes *)(x + c) * *(const loose_lanes *)(y + c);
    return lanes_sum(sum);
}

INLINE void apply(const crn_gs_newton *newton, size_t stride, double sign, const double *x, const double *from,
                  double *out)
{
    memset(newton->z, 0, stride * sizeof(double));
    for (int i = 0; i < newton->rows; ++i)
        if (x[i] != 0.0)
            add_row(stride, x[i], newton->Y + (size_t)i * stride, newton->z);
    for (int i = 0; i < newton->rows; ++i)
        out[i] = from[i] + sign * dot(stride, newton->X + (size_t)i * stride, newton->z);
}

/* out = the sum of f_l times row l, of two rows in the plane, three in space. */
INLINE void combine(size_t stride, int dim, const double *f, const double *rows, double *out)
{
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
    {
        lanes sum = f[0] * *(const loose_lanes *)(rows + c) + f[1] * *(const loose_lanes *)(rows + stride + c);
        *(loose_lanes *)(out + c) = dim == 3 ? sum + f[2] * *(const loose_lanes *)(rows + 2 * stride + c) : sum;
    }
}

/* Row k of the pairs of item i: Y'a and X'b. */
INLINE double *pair_left(const crn_gs_newton *newton, size_t stride, int i, int k)
{
    return newton->pairs + (size_t)(6 * i + k) * stride;
}

INLINE double *pair_right(const crn_gs_newton *newton, size_t stride, int i, int k)
{
    return newton->pairs + (size_t)(6 * i + 3 + k) * stride;
}

/* The rows of item i whose products it adds to the matrix. */
INLINE void find_pairs(const crn_gs_newton *newton, size_t stride, int i, int dim)
{
    const crn_newton_block *block = &newton->blocks[i];
    const double *X = newton->X + (size_t)(i * dim) * stride, *Y = newton->Y + (size_t)(i * dim) * stride;
    for (int k = 0; k < block->rank && block->is_plain; ++k)
    {
        UNROLL
        for (size_t c = 0; c < stride; c += LANES)
        {
            *(loose_lanes *)(pair_left(newton, stride, i, k) + c) = *(const loose_lanes *)(Y + (size_t)k * stride + c);
            *(loose_lanes *)(pair_right(newton, stride, i, k) + c) =
                block->b[k][k] * *(const loose_lanes *)(X + (size_t)k * stride + c);
        }
    }
    for (int k = 0; k < block->rank && !block->is_plain; ++k)
    {
        combine(stride, dim, block->a[k], Y, pair_left(newton, stride, i, k));
        combine(stride, dim, block->b[k], X, pair_right(newton, stride, i, k));
    }
}

/* Row d of I + Y'K X, from the contacts `among`. */
INLINE void fill_row(const crn_gs_newton *newton, size_t stride, int d, uint64_t among)
{
    enum
    {
        MOST = CRN_GS_NEWTON_COLUMNS / LANES
    };
    lanes sum[MOST];
    double *row = newton->system + (size_t)d * stride;
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        sum[c / LANES] = (lanes){0.0};
    for (; among; among &= among - 1)
    {
        int i = __builtin_ctzll(among), rank = newton->blocks[i].rank;
        const double *left = pair_left(newton, stride, i, 0) + d, *right = pair_right(newton, stride, i, 0);
        double f[3] = {left[0], left[stride], left[2 * stride]};
        assert(rank == 2 || rank == 3);
        UNROLL
        for (size_t c = 0; c < stride; c += LANES)
            sum[c / LANES] += f[0] * *(const loose_lanes *)(right + c);
        UNROLL
        for (size_t c = 0; c < stride; c += LANES)
            sum[c / LANES] += f[1] * *(const loose_lanes *)(right + stride + c);
        if (rank < 3)
            continue;
        UNROLL
        for (size_t c = 0; c < stride; c += LANES)
            sum[c / LANES] += f[2] * *(const loose_lanes *)(right + 2 * stride + c);
    }
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        *(loose_lanes *)(row + c) = sum[c / LANES];
    row[d] += 1.0;
}

/* I + Y'K X and Y'E^-1 F, the latter in the second half of z. */
INLINE void assemble(crn_gs_newton *newton, size_t stride, int dim)
{
    double *right = newton->z + stride;
    uint64_t active = 0;
    memset(right, 0, stride * sizeof(double));
    for (int i = 0; i < newton->contacts; ++i)
    {
        const crn_newton_block *block = &newton->blocks[i];
        active |= (uint64_t)newton->active[i] << i;
        if (newton->active[i])
            find_pairs(newton, stride, i, dim);
        for (int k = 0; k < dim; ++k)
            if (block->step[k] != 0.0)
                add_row(stride, block->step[k], newton->Y + (size_t)(i * dim + k) * stride, right);
    }
    for (int d = 0; d < newton->columns; ++d)
        fill_row(newton, stride, d, active & newton->reach[d]);
}

/* r - s. */
INLINE void move(crn_gs_newton *newton, size_t stride, int dim)
{
    for (int i = 0; i < newton->contacts; ++i)
    {
        const crn_newton_block *block = &newton->blocks[i];
        double step[3] = {block->step[0], block->step[1], block->step[2]};
        for (int k = 0; k < block->rank && newton->active[i]; ++k)
        {
            double back = dot(stride, pair_right(newton, stride, i, k), newton->z);
            for (int l = 0; l < dim; ++l)
                step[l] -= block->a[k][l] * back;
        }
        for (int k = 0; k < dim; ++k)
            newton->r[i * dim + k] -= step[k];
    }
}

/* Exchange rows so that the pivot of column k is the largest; false where it is 0. */
INLINE bool choose_pivot(int size, size_t stride, double *a, int k, double *x)
{
    double *row = a + (size_t)k * stride, most = fabs(row[k]);
    int best = k;
    for (int i = k + 1; i < size; ++i)
    {
        double value = fabs(a[(size_t)i * stride + (size_t)k]);
        best = value > most ? i : best;
        most = value > most ? value : most;
    }
    if (best == k)
        return most > 0.0;
    double *other = a + (size_t)best * stride, t = x[k];
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
    {
        lanes y = *(loose_lanes *)(row + c);
        *(loose_lanes *)(row + c) = *(loose_lanes *)(other + c);
        *(loose_lanes *)(other + c) = y;
    }
    x[k] = x[best];
    x[best] = t;
    return most > 0.0;
}

/* Eliminate column k from the rows below, which lies in the vector from `first`. L is not kept. */
INLINE void eliminate(int size, size_t stride, double *a, int k, size_t first, double *x)
{
    enum
    {
        MOST = CRN_GS_NEWTON_COLUMNS / LANES
    };
    const double *row = a + (size_t)k * stride;
    double inverse = 1.0 / row[k], own = x[k];
    lanes pivot[MOST];
    UNROLL
    for (size_t c = first; c < stride; c += LANES)
        pivot[c / LANES] = *(const loose_lanes *)(row + c);
    for (int i = k + 1; i < size; ++i)
    {
        double *to = a + (size_t)i * stride;
        if (to[k] == 0.0)
            continue;
        double l = to[k] * inverse;
        x[i] -= l * own;
        UNROLL
        for (size_t c = first; c < stride; c += LANES)
            *(loose_lanes *)(to + c) -= l * pivot[c / LANES];
    }
}

/* x -> a^-1 x by elimination; false: a is singular. */
INLINE bool solve(int size, size_t stride, double *a, double *x)
{
    UNROLL
    for (size_t first = 0; first < stride; first += LANES)
    {
        for (int k = (int)first; k < (int)first + LANES && k < size; ++k)
        {
            if (!choose_pivot(size, stride, a, k, x))
                return false;
            eliminate(size, stride, a, k, first, x);
        }
    }
    for (int j = size - 1; j >= 0; --j)
    {
        const double *above = a + j;
        double own = x[j] = x[j] / above[(size_t)j * stride];
        for (int i = 0; i < j; ++i, above += stride)
            x[i] -= above[0] * own;
    }
    return true;
}

INLINE bool take(crn_gs_newton *newton, size_t stride, int dim)
{
    int size = newton->columns;
    assert(newton->stride == stride);
    if (!crn_gs_newton_find_blocks(newton))
        return false;
    assemble(newton, stride, dim);
    memcpy(newton->z, newton->z + stride, stride * sizeof(double));
    if (!solve(size, stride, newton->system, newton->z))
        return false;
    move(newton, stride, dim);
    return true;
}

/* In space for the numbers of columns of usual mechanisms, whose rows are then written out, and for any. */
INLINE bool take_any(crn_gs_newton *newton)
{
    if (newton->dim == 2)
        return take(newton, newton->stride, 2);
    switch (newton->stride)
    {
    case 12:
        return take(newton, 12, 3);
    case 16:
        return take(newton, 16, 3);
    case 20:
        return take(newton, 20, 3);
    default:
        return take(newton, newton->stride, 3);
    }
}

INLINE void apply_any(const crn_gs_newton *newton, double sign, const double *x, const double *from, double *out)
{
    switch (newton->stride)
    {
    case 12:
        apply(newton, 12, sign, x, from, out);
        break;
    case 16:
        apply(newton, 16, sign, x, from, out);
        break;
    case 20:
        apply(newton, 20, sign, x, from, out);
        break;
    default:
        apply(newton, newton->stride, sign, x, from, out);
    }
}

static void plain_apply(const crn_gs_newton *newton, double sign, const double *x, const double *from, double *out)
{
    apply_any(newton, sign, x, from, out);
}

WIDE static void wide_apply(const crn_gs_newton *newton, double sign, const double *x, const double *from, double *out)
{
    apply_any(newton, sign, x, from, out);
}

void crn_gs_newton_apply_thin(const crn_gs_newton *newton, double sign, const double *x, const double *from,
                              double *out)
{
    assert(newton->columns > 0 && newton->columns <= CRN_GS_NEWTON_COLUMNS);
    if (HAS_WIDE)
        wide_apply(newton, sign, x, from, out);
    else
        plain_apply(newton, sign, x, from, out);
}

static bool plain_take(crn_gs_newton *newton)
{
    return take_any(newton);
}

WIDE static bool wide_take(crn_gs_newton *newton)
{
    return take_any(newton);
}

bool crn_gs_newton_take_thin(crn_gs_newton *newton)
{
    assert(newton->weight > 0.0);
    return HAS_WIDE ? wide_take(newton) : plain_take(newton);
}
