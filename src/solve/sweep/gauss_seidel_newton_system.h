/* Rows of the matrix of a thin Newton step (gauss_seidel_newton_thin.c), and its factors. A row has whole vectors.
 *
 * The factors are those of Gauss' elimination with exchanges of rows, P a = L U: U stays in the rows, column k of L is row k of `lower`, with 1 / U_kk in
 * the place of its 1. */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_SYSTEM_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_SYSTEM_H

#include "math/lanes.h"
#include "solve/sweep/gauss_seidel_newton.h"

#include <math.h>

enum
{
    MOST_VECTORS = CRN_GS_NEWTON_COLUMNS / LANES
};

/* The functions below take numbers from `first` on, a multiple of LANES. */

INLINE void row_load(size_t stride, size_t first, const double *x, lanes *row)
{
    UNROLL
    for (size_t c = first; c < stride; c += LANES)
        row[c / LANES] = *(const loose_lanes *)(x + c);
}

INLINE void row_store(size_t stride, size_t first, const lanes *row, double *out)
{
    UNROLL
    for (size_t c = first; c < stride; c += LANES)
        *(loose_lanes *)(out + c) = row[c / LANES];
}

INLINE void row_zero(size_t stride, lanes *row)
{
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        row[c / LANES] = (lanes){0.0};
}

/* row += f x */
INLINE void row_add(size_t stride, double f, const double *x, lanes *row)
{
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        row[c / LANES] += f * *(const loose_lanes *)(x + c);
}

INLINE double row_dot(size_t stride, const double *x, const lanes *y)
{
    lanes sum = {0.0};
    UNROLL
    for (size_t c = 0; c < stride; c += LANES)
        sum += *(const loose_lanes *)(x + c) * y[c / LANES];
    return lanes_sum(sum);
}

/* ---------------------------------------------------------------------------------------------------------- elimination */

/* The row with the largest entry of the first column. */
INLINE int first_pivot(int size, size_t stride, const double *a)
{
    int best = 0;
    for (int i = 1; i < size; ++i)
        best = fabs(a[(size_t)i * stride]) > fabs(a[(size_t)best * stride]) ? i : best;
    return best;
}

INLINE void exchange(size_t stride, double *row, double *other)
{
    lanes x[MOST_VECTORS], y[MOST_VECTORS];
    row_load(stride, 0, row, x);
    row_load(stride, 0, other, y);
    row_store(stride, 0, x, other);
    row_store(stride, 0, y, row);
}

/* Eliminate column k, which lies in the vector from `first`, from the rows below. Returns the one with the largest entry of the next column. */
INLINE int eliminate(int size, size_t stride, double *a, int k, size_t first, double *lower)
{
    const double *row = a + (size_t)k * stride;
    double inverse = 1.0 / row[k], most = -1.0;
    int best = k + 1;
    lanes pivot[MOST_VECTORS];
    row_load(stride, first, row, pivot);
    lower[k] = inverse;
    for (int i = k + 1; i < size; ++i)
    {
        double *to = a + (size_t)i * stride, l = to[k] * inverse;
        lower[i] = l;
        if (l != 0.0)
        {
            UNROLL
            for (size_t c = first; c < stride; c += LANES)
                *(loose_lanes *)(to + c) -= l * pivot[c / LANES];
        }
        double value = fabs(to[k + 1]);
        best = value > most ? i : best;
        most = value > most ? value : most;
    }
    return best;
}

/* a -> U; order[k]: the row that was exchanged with row k. False: a is singular. */
INLINE bool factorise(int size, size_t stride, double *a, double *lower, int *order)
{
    int best = first_pivot(size, stride, a);
    UNROLL
    for (size_t first = 0; first < stride; first += LANES)
    {
        for (int k = (int)first; k < (int)first + LANES && k < size; ++k)
        {
            order[k] = best;
            if (best != k)
                exchange(stride, a + (size_t)k * stride, a + (size_t)best * stride);
            if (!(fabs(a[(size_t)k * stride + (size_t)k]) > 0.0))
                return false;
            best = eliminate(size, stride, a, k, first, lower + (size_t)k * stride);
        }
    }
    return true;
}

/* x -> a^-1 x by the factors. */
INLINE void substitute(int size, size_t stride, const double *a, const double *lower, const int *order, double *x)
{
    for (int k = 0; k < size; ++k)
    {
        const double *column = lower + (size_t)k * stride;
        double own = x[order[k]];
        x[order[k]] = x[k];
        x[k] = own;
        for (int i = k + 1; i < size; ++i)
            x[i] -= column[i] * own;
    }
    for (int j = size - 1; j >= 0; --j)
    {
        const double *above = a + j;
        double own = x[j] *= lower[(size_t)j * stride + (size_t)j];
        for (int i = 0; i < j; ++i, above += stride)
            x[i] -= above[0] * own;
    }
}

#endif
