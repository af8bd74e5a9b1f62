/* Newton's steps (gauss_seidel_newton.c) where W = X Y' is the product of two thin matrices, with fewer columns than rows: a mechanism has
 * fewer degrees of freedom than contacts have rows. With E = I - D + rho' alpha D J, block-diagonal, a step s solves
 *
 *     (E + rho' D J X Y') s = F        z = Y's:    (I + Y'K X) z = Y'E^-1 F,    K = E^-1 rho' D J,    s = E^-1 F - K X z
 *
 * so that the matrix has the size of z. A block of K is a sum of products a b': three where a contact sticks, two where it slips
 * (gauss_seidel_newton_blocks.c). The matrix is the sum of products of the rows Y'a and X'b, over the contacts that reach a column. Its factors
 * are kept, and serve again while the same contacts stick and slip and the proximal term has the same weight.
 */
#include "solve/sweep/gauss_seidel_newton_blocks.h"
#include "solve/sweep/gauss_seidel_newton_system.h"

#include <assert.h>
#include <string.h>

cairn_status crn_gs_newton_reserve_thin(crn_gs_newton *newton, int columns)
{
    size_t rows = (size_t)newton->rows;
    newton->columns = columns;
    newton->stride = ((size_t)columns + LANES - 1) & ~(size_t)(LANES - 1);
    return crn_reserve_all(
        &newton->memory, CRN_ARRAY(newton->X, rows * newton->stride), CRN_ARRAY(newton->Y, rows * newton->stride),
        CRN_ARRAY(newton->system, (size_t)columns * newton->stride),
        CRN_ARRAY(newton->lower, (size_t)columns * newton->stride), CRN_ARRAY(newton->z, newton->stride),
        CRN_ARRAY(newton->reach, columns), CRN_ARRAY(newton->pairs, 2 * 3 * (size_t)newton->contacts * newton->stride),
        CRN_ARRAY(newton->blocks, newton->contacts));
}

INLINE void apply(const crn_gs_newton *newton, size_t stride, double sign, const double *x, const double *from,
                  double *out)
{
    lanes z[MOST_VECTORS];
    row_zero(stride, z);
    for (int i = 0; i < newton->rows; ++i)
        if (x[i] != 0.0)
            row_add(stride, x[i], newton->Y + (size_t)i * stride, z);
    for (int i = 0; i < newton->rows; ++i)
        out[i] = from[i] + sign * row_dot(stride, newton->X + (size_t)i * stride, z);
}

/* out = the sum of f_l times row l, of two rows in the plane, three in space. */
INLINE void combine(size_t stride, int dim, const double *f, const double *rows, double *out)
{
    lanes sum[MOST_VECTORS];
    row_zero(stride, sum);
    UNROLL
    for (int l = 0; l < dim; ++l)
        row_add(stride, f[l], rows + (size_t)l * stride, sum);
    row_store(stride, 0, sum, out);
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
        lanes left[MOST_VECTORS], right[MOST_VECTORS];
        row_load(stride, 0, Y + (size_t)k * stride, left);
        row_zero(stride, right);
        row_add(stride, block->b[k][k], X + (size_t)k * stride, right);
        row_store(stride, 0, left, pair_left(newton, stride, i, k));
        row_store(stride, 0, right, pair_right(newton, stride, i, k));
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
    double *row = newton->system + (size_t)d * stride;
    lanes sum[MOST_VECTORS];
    row_zero(stride, sum);
    for (; among; among &= among - 1)
    {
        int i = __builtin_ctzll(among), rank = newton->blocks[i].rank;
        const double *left = pair_left(newton, stride, i, 0) + d, *right = pair_right(newton, stride, i, 0);
        assert(rank == 2 || rank == 3);
        row_add(stride, left[0], right, sum);
        row_add(stride, left[stride], right + stride, sum);
        if (rank == 3)
            row_add(stride, left[2 * stride], right + 2 * stride, sum);
    }
    row_store(stride, 0, sum, row);
    row[d] += 1.0;
}

/* What the matrix depends on, from its blocks. */
static crn_newton_mode find_mode(const crn_gs_newton *newton)
{
    crn_newton_mode mode = {.weight = newton->weight};
    for (int i = 0; i < newton->contacts; ++i)
    {
        mode.active |= (uint64_t)newton->active[i] << i;
        mode.sticks |= (uint64_t)(newton->active[i] && newton->blocks[i].is_plain) << i;
    }
    return mode;
}

static bool is_factored(const crn_gs_newton *newton)
{
    crn_newton_mode mode = find_mode(newton), last = newton->factored;
    return mode.active == last.active && mode.sticks == last.sticks && mode.weight == last.weight;
}

/* I + Y'K X, and its factors. False: it is singular. */
INLINE bool factorise_system(crn_gs_newton *newton, size_t stride, int dim)
{
    newton->factored = find_mode(newton);
    for (int i = 0; i < newton->contacts; ++i)
        if (newton->active[i])
            find_pairs(newton, stride, i, dim);
    for (int d = 0; d < newton->columns; ++d)
        fill_row(newton, stride, d, newton->factored.active & newton->reach[d]);
    return factorise(newton->columns, stride, newton->system, newton->lower, newton->order);
}

/* z = (I + Y'K X)^-1 Y'E^-1 F */
INLINE void solve_system(crn_gs_newton *newton, size_t stride, int dim)
{
    lanes right[MOST_VECTORS];
    row_zero(stride, right);
    for (int i = 0; i < newton->contacts; ++i)
        for (int k = 0; k < dim; ++k)
            if (newton->blocks[i].step[k] != 0.0)
                row_add(stride, newton->blocks[i].step[k], newton->Y + (size_t)(i * dim + k) * stride, right);
    row_store(stride, 0, right, newton->z);
    substitute(newton->columns, stride, newton->system, newton->lower, newton->order, newton->z);
}

/* r - s. */
INLINE void move(crn_gs_newton *newton, size_t stride, int dim)
{
    lanes z[MOST_VECTORS];
    row_load(stride, 0, newton->z, z);
    for (int i = 0; i < newton->contacts; ++i)
    {
        const crn_newton_block *block = &newton->blocks[i];
        double step[3] = {block->step[0], block->step[1], block->step[2]};
        for (int k = 0; k < block->rank && newton->active[i]; ++k)
        {
            double back = row_dot(stride, pair_right(newton, stride, i, k), z);
            for (int l = 0; l < dim; ++l)
                step[l] -= block->a[k][l] * back;
        }
        for (int k = 0; k < dim; ++k)
            newton->r[i * dim + k] -= step[k];
    }
}

INLINE bool take(crn_gs_newton *newton, size_t stride, int dim, bool again)
{
    assert(newton->stride == stride);
    if (!crn_gs_newton_find_blocks(newton))
        return false;
    if (again ? !is_factored(newton) : !factorise_system(newton, stride, dim))
        return false;
    solve_system(newton, stride, dim);
    move(newton, stride, dim);
    return true;
}

/* In space for the numbers of columns of usual mechanisms, whose rows are then written out, and for any. */
INLINE bool take_any(crn_gs_newton *newton, bool again)
{
    if (newton->dim == 2)
        return take(newton, newton->stride, 2, again);
    switch (newton->stride)
    {
    case 12:
        return take(newton, 12, 3, again);
    case 16:
        return take(newton, 16, 3, again);
    case 20:
        return take(newton, 20, 3, again);
    default:
        return take(newton, newton->stride, 3, again);
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

WIDER static void wider_apply(const crn_gs_newton *newton, double sign, const double *x, const double *from,
                              double *out)
{
    apply_any(newton, sign, x, from, out);
}

void crn_gs_newton_apply_thin(const crn_gs_newton *newton, double sign, const double *x, const double *from,
                              double *out)
{
    assert(newton->columns > 0 && newton->columns <= CRN_GS_NEWTON_COLUMNS);
    if (HAS_WIDER)
        wider_apply(newton, sign, x, from, out);
    else if (HAS_WIDE)
        wide_apply(newton, sign, x, from, out);
    else
        plain_apply(newton, sign, x, from, out);
}

static bool plain_take(crn_gs_newton *newton, bool again)
{
    return take_any(newton, again);
}

WIDE static bool wide_take(crn_gs_newton *newton, bool again)
{
    return take_any(newton, again);
}

WIDER static bool wider_take(crn_gs_newton *newton, bool again)
{
    return take_any(newton, again);
}

bool crn_gs_newton_take_thin(crn_gs_newton *newton, bool again)
{
    assert(newton->weight > 0.0);
    if (HAS_WIDER)
        return wider_take(newton, again);
    return HAS_WIDE ? wide_take(newton, again) : plain_take(newton, again);
}
