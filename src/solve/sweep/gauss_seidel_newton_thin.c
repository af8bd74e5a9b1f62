/* Newton's steps (gauss_seidel_newton.c) where W = X Y' is the product of two thin matrices, with fewer columns than rows: a mechanism has
 * fewer degrees of freedom than contacts have rows. With E = I - D + rho' alpha D J, block-diagonal, a step s solves
 *
 *     (E + rho' D J X Y') s = F        z = Y's:    (I + Y'K X) z = Y'E^-1 F,    K = E^-1 rho' D J,    s = E^-1 F - K X z
 *
 * so that the matrix has the size of z. Of a contact that sticks D = I, K = rho / a and E^-1 F = J^-1 F (1 + a) / a: the proximal term is
 * divided by, and must not vanish.
 */
#include "linalg/lu.h"
#include "math/lanes.h"
#include "solve/sweep/gauss_seidel_newton.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One block of E^-1 F and K. */
typedef struct thin_block
{
    double step[3], K[9];
    double stuck; /* K is this number times the identity; 0: it is not */
} thin_block;

cairn_status crn_gs_newton_reserve_thin(crn_gs_newton *newton, int columns)
{
    size_t rows = (size_t)newton->rows;
    newton->columns = columns;
    newton->stride = ((size_t)columns + LANES - 1) & ~(size_t)(LANES - 1);
    return crn_reserve_all(&newton->memory, CRN_ARRAY(newton->X, rows * newton->stride),
                           CRN_ARRAY(newton->Y, rows * newton->stride),
                           CRN_ARRAY(newton->system, (size_t)columns * newton->stride),
                           CRN_ARRAY(newton->system_order, columns), CRN_ARRAY(newton->z, 2 * newton->stride),
                           CRN_ARRAY(newton->thin, (size_t)newton->contacts * sizeof(thin_block) / sizeof(double)));
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

/* E^-1 F and K of item i, which sticks. */
INLINE void find_stuck(const crn_gs_newton *newton, int i, int dim, const double *J, thin_block *block)
{
    double weight = newton->weight / (1.0 + newton->weight), K = newton->rho[i] / newton->weight;
    const double *F = newton->F + i * dim;
    memset(block->K, 0, sizeof block->K);
    block->stuck = K;
    for (int k = 0; k < dim; ++k)
    {
        block->K[k * (dim + 1)] = K;
        block->step[k] = F[k] / weight;
    }
    for (int k = 1; k < dim; ++k)
        block->step[0] -= J[k] * block->step[k];
}

/* E^-1 F and K of item i. False: E is singular. */
INLINE bool find_block(const crn_gs_newton *newton, int i, int dim, thin_block *block)
{
    int order[3];
    double D[9], DJ[9], E[9], weight = newton->weight / (1.0 + newton->weight);
    double rho = newton->rho[i] / (1.0 + newton->weight);
    const double *F = newton->F + i * dim;
    lanes x[3] = {{0.0}};
    block->stuck = 0.0;
    crn_gs_newton_derivative(newton, i, D, DJ);
    if (D[0] == 1.0 && D[dim * dim - 1] == 1.0)
    {
        find_stuck(newton, i, dim, DJ, block);
        return true;
    }
    for (int k = 0; k < dim * dim; ++k)
        E[k] = (k % (dim + 1) ? 0.0 : 1.0) - D[k] + weight * DJ[k];
    if (!crn_lu_factorise(dim, E, dim, order, 0.0))
        return false;
    for (int k = 0; k < dim; ++k)
    {
        const double *row = DJ + order[k] * dim;
        x[k] = (lanes){F[order[k]], rho * row[0], rho * row[1], dim == 3 ? rho * row[2] : 0.0};
        for (int l = 0; l < k; ++l)
            x[k] -= E[k * dim + l] * x[l];
    }
    for (int k = dim - 1; k >= 0; --k)
    {
        for (int l = k + 1; l < dim; ++l)
            x[k] -= E[k * dim + l] * x[l];
        x[k] /= E[k * (dim + 1)];
        block->step[k] = x[k][0];
        for (int l = 0; l < dim; ++l)
            block->K[k * dim + l] = x[k][1 + l];
    }
    return true;
}

/* K X of one item, whose rows of X these are. */
INLINE void find_KX(size_t stride, int dim, const thin_block *block, const double *X,
                    double KX[3][CRN_GS_NEWTON_COLUMNS])
{
    const double *K = block->K;
    for (int k = 0; k < dim; ++k)
    {
        UNROLL
        for (size_t c = 0; c < stride; c += LANES)
        {
            lanes sum = block->stuck * *(const loose_lanes *)(X + (size_t)k * stride + c);
            if (block->stuck == 0.0)
            {
                UNROLL
                for (int l = 0; l < dim; ++l)
                    sum += K[k * dim + l] * *(const loose_lanes *)(X + (size_t)l * stride + c);
            }
            *(loose_lanes *)(KX[k] + c) = sum;
        }
    }
}

/* Add Y'K X of one item. */
INLINE void add_block(crn_gs_newton *newton, size_t stride, int i, int dim, const thin_block *block)
{
    const double *X = newton->X + (size_t)(i * dim) * stride, *Y = newton->Y + (size_t)(i * dim) * stride;
    double KX[3][CRN_GS_NEWTON_COLUMNS];
    find_KX(stride, dim, block, X, KX);
    for (int d = 0; d < newton->columns; ++d)
    {
        double f[3] = {Y[d], Y[stride + (size_t)d], dim == 3 ? Y[2 * stride + (size_t)d] : 0.0};
        double *to = newton->system + (size_t)d * stride;
        if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0)
            continue;
        UNROLL
        for (size_t c = 0; c < stride; c += LANES)
        {
            lanes sum = *(const loose_lanes *)(to + c);
            UNROLL
            for (int k = 0; k < dim; ++k)
                sum += f[k] * *(const loose_lanes *)(KX[k] + c);
            *(loose_lanes *)(to + c) = sum;
        }
    }
}

/* I + Y'K X and Y'E^-1 F, the latter in the second half of z. */
INLINE bool assemble(crn_gs_newton *newton, size_t stride, int dim)
{
    thin_block *blocks = (thin_block *)(void *)newton->thin;
    double *right = newton->z + stride;
    memset(right, 0, stride * sizeof(double));
    memset(newton->system, 0, (size_t)newton->columns * stride * sizeof(double));
    for (int d = 0; d < newton->columns; ++d)
        newton->system[(size_t)d * (stride + 1)] = 1.0;
    for (int i = 0; i < newton->contacts; ++i)
    {
        thin_block *block = &blocks[i];
        if (newton->active[i] && !find_block(newton, i, dim, block))
            return false;
        if (newton->active[i])
            add_block(newton, stride, i, dim, block);
        else
            memcpy(block->step, newton->F + i * dim, (size_t)dim * sizeof(double));
        for (int k = 0; k < dim; ++k)
            if (block->step[k] != 0.0)
                add_row(stride, block->step[k], newton->Y + (size_t)(i * dim + k) * stride, right);
    }
    return true;
}

/* r - s. */
INLINE void move(crn_gs_newton *newton, size_t stride, int dim)
{
    const thin_block *blocks = (const thin_block *)(const void *)newton->thin;
    for (int i = 0; i < newton->contacts; ++i)
    {
        double back[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < dim && newton->active[i]; ++k)
            back[k] = dot(stride, newton->X + (size_t)(i * dim + k) * stride, newton->z);
        for (int k = 0; k < dim; ++k)
        {
            double step = blocks[i].step[k];
            for (int l = 0; l < dim && newton->active[i]; ++l)
                step -= blocks[i].K[k * dim + l] * back[l];
            newton->r[i * dim + k] -= step;
        }
    }
}

/* Exchange rows so that the pivot of column k is the largest; false where it is 0. */
INLINE bool choose_pivot(int size, size_t stride, double *a, int k, int *order)
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
    double *other = a + (size_t)best * stride;
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
    {
        lanes x = *(loose_lanes *)(row + c);
        *(loose_lanes *)(row + c) = *(loose_lanes *)(other + c);
        *(loose_lanes *)(other + c) = x;
    }
    int t = order[k];
    order[k] = order[best];
    order[best] = t;
    return most > 0.0;
}

/* Eliminate column k from the rows below; `first` is the vector that it lies in. */
INLINE void eliminate(int size, size_t stride, double *a, int k, size_t first)
{
    enum
    {
        MOST = CRN_GS_NEWTON_COLUMNS / LANES
    };
    static const lane_bits AFTER[LANES] = {{0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}, {0, 0, 0, 0}};
    const double *row = a + (size_t)k * stride;
    lanes pivot[MOST];
    UNROLL
    for (size_t c = first; c < stride; c += LANES)
        pivot[c / LANES] = *(const loose_lanes *)(row + c);
    pivot[first / LANES] = (lanes)((lane_bits)pivot[first / LANES] & AFTER[(size_t)k - first]);
    for (int i = k + 1; i < size; ++i)
    {
        double *to = a + (size_t)i * stride;
        if (to[k] == 0.0)
            continue;
        double l = to[k] = to[k] / row[k];
        UNROLL
        for (size_t c = first; c < stride; c += LANES)
            *(loose_lanes *)(to + c) -= l * pivot[c / LANES];
    }
}

/* The factors of crn_lu_factorise, of rows in whole vectors. */
INLINE bool factorise(int size, size_t stride, double *a, int *order)
{
    for (int i = 0; i < size; ++i)
        order[i] = i;
    UNROLL
    for (size_t first = 0; first < stride; first += LANES)
    {
        for (int k = (int)first; k < (int)first + LANES && k < size; ++k)
        {
            if (!choose_pivot(size, stride, a, k, order))
                return false;
            eliminate(size, stride, a, k, first);
        }
    }
    return true;
}

/* x -> (L U)^-1 x column by column, so that no sum waits for another. */
INLINE void substitute(int size, const double *LU, size_t stride, double *x)
{
    for (int j = 0; j < size; ++j)
        for (int i = j + 1; i < size; ++i)
            x[i] -= LU[(size_t)i * stride + (size_t)j] * x[j];
    for (int j = size - 1; j >= 0; --j)
    {
        x[j] /= LU[(size_t)j * (stride + 1)];
        for (int i = 0; i < j; ++i)
            x[i] -= LU[(size_t)i * stride + (size_t)j] * x[j];
    }
}

INLINE bool take(crn_gs_newton *newton, size_t stride, int dim)
{
    int size = newton->columns;
    assert(newton->stride == stride);
    if (!assemble(newton, stride, dim) || !factorise(size, stride, newton->system, newton->system_order))
        return false;
    memset(newton->z, 0, stride * sizeof(double));
    for (int d = 0; d < size; ++d)
        newton->z[d] = newton->z[stride + (size_t)newton->system_order[d]];
    substitute(size, newton->system, stride, newton->z);
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
