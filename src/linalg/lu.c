#include "linalg/lu.h"

#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* y -= f x */
INLINE void subtract(int count, double f, const double *restrict x, double *restrict y)
{
    int i = 0;
    for (; i + LANES <= count; i += LANES)
        *(loose_lanes *)(y + i) -= f * *(const loose_lanes *)(x + i);
    for (; i < count; ++i)
        y[i] -= f * x[i];
}

INLINE void swap_rows(int n, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i)
    {
        double t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

INLINE int find_pivot(int n, const double *a, int stride, int k)
{
    assert(0 <= k && k < n);
    int best = k;
    for (int i = k + 1; i < n; ++i)
        if (fabs(a[(size_t)i * stride + k]) > fabs(a[(size_t)best * stride + k]))
            best = i;
    return best;
}

INLINE bool factorise(int n, double *a, int stride, int *row, double floor)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i)
    {
        row[i] = i;
        for (int j = 0; j < n; ++j)
        {
            double value = fabs(a[(size_t)i * stride + j]);
            largest = value > largest ? value : largest;
        }
    }
    for (int k = 0; k < n; ++k)
    {
        double *pivot_row = a + (size_t)k * stride;
        int best = find_pivot(n, a, stride, k);
        if (best != k)
        {
            swap_rows(n, pivot_row, a + (size_t)best * stride);
            int t = row[k];
            row[k] = row[best];
            row[best] = t;
        }
        if (!(fabs(pivot_row[k]) > floor * largest))
            return false;
        for (int i = k + 1; i < n; ++i)
        {
            double *target = a + (size_t)i * stride;
            if (target[k] != 0.0)
            {
                target[k] /= pivot_row[k];
                subtract(n - k - 1, target[k], pivot_row + k + 1, target + k + 1);
            }
        }
    }
    return true;
}

static bool plain_factorise(int n, double *a, int stride, int *row, double floor)
{
    return factorise(n, a, stride, row, floor);
}

WIDE static bool wide_factorise(int n, double *a, int stride, int *row, double floor)
{
    return factorise(n, a, stride, row, floor);
}

/* Inertias and contacts in space are 3 x 3; those are written out. */
bool crn_lu_factorise(int n, double *a, int stride, int *row, double floor)
{
    assert(n >= 0 && stride >= n);
    assert(floor >= 0.0);
    if (n == 3)
        return factorise(3, a, stride, row, floor);
    return HAS_WIDE ? wide_factorise(n, a, stride, row, floor) : plain_factorise(n, a, stride, row, floor);
}

/* One right-hand side whose values stand together. */
static void solve_column(int n, const double *a, int stride, double *b)
{
    for (int i = 1; i < n; ++i)
    {
        const double *row = a + (size_t)i * stride;
        double sum = b[i];
        for (int j = 0; j < i; ++j)
            sum -= row[j] * b[j];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i)
    {
        const double *row = a + (size_t)i * stride;
        double sum = b[i];
        for (int j = i + 1; j < n; ++j)
            sum -= row[j] * b[j];
        b[i] = sum / row[i];
    }
}

INLINE void solve(int n, const double *a, int stride, double *b, int b_stride, int columns)
{
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            double f = a[(size_t)i * stride + j];
            if (f != 0.0)
                subtract(columns, f, b + (size_t)j * b_stride, b + (size_t)i * b_stride);
        }
    }
    for (int i = n - 1; i >= 0; --i)
    {
        double *x = b + (size_t)i * b_stride;
        for (int j = i + 1; j < n; ++j)
        {
            double f = a[(size_t)i * stride + j];
            if (f != 0.0)
                subtract(columns, f, b + (size_t)j * b_stride, x);
        }
        double d = a[(size_t)i * stride + i];
        for (int c = 0; c < columns; ++c)
            x[c] /= d;
    }
}

void crn_lu_solve(int n, const double *a, int stride, double *b, int b_stride, int columns)
{
    assert(n >= 0 && stride >= n);
    assert(columns >= 0 && b_stride >= columns);
    if (columns == 1 && b_stride == 1)
        solve_column(n, a, stride, b);
    else if (n == 3 && columns == 3)
        solve(3, a, stride, b, b_stride, 3);
    else
        solve(n, a, stride, b, b_stride, columns);
}
