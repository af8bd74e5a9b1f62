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
    const double *at = a + (size_t)k * stride + k;
    double most = fabs(*at);
    int best = k;
    for (int i = k + 1; i < n; ++i)
    {
        at += stride;
        double value = fabs(*at);
        best = value > most ? i : best;
        most = value > most ? value : most;
    }
    return best;
}

INLINE double largest_of(int n, const double *a, int stride)
{
    double most[4] = {0.0}; /* of every fourth column, so that none waits for another */
    for (int i = 0; i < n; ++i)
    {
        const double *row = a + (size_t)i * stride;
        int j = 0;
        for (; j + 4 <= n; j += 4)
            for (int k = 0; k < 4; ++k)
                most[k] = fabs(row[j + k]) > most[k] ? fabs(row[j + k]) : most[k];
        for (; j < n; ++j)
            most[0] = fabs(row[j]) > most[0] ? fabs(row[j]) : most[0];
    }
    double first = most[0] > most[1] ? most[0] : most[1], second = most[2] > most[3] ? most[2] : most[3];
    return first > second ? first : second;
}

/* Exchange rows so that the pivot of column k is the largest; false when it is not above the floor. */
INLINE bool choose_pivot(int n, double *a, int stride, int k, double floor, int *row)
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
    return fabs(pivot_row[k]) > floor;
}

/* Row y, from column `from` on, less f_0 times the first of the pivots' rows, f_1 times the second, and so on. Factors of 0 are left out. */
INLINE void subtract_four(int n, int from, const double *restrict f, const double *x, int stride, double *restrict y)
{
    const double *x1 = x + stride, *x2 = x1 + stride, *x3 = x2 + stride;
    int i = from;
    if (f[0] == 0.0 || f[1] == 0.0 || f[2] == 0.0 || f[3] == 0.0)
    {
        for (int k = 0; k < 4; ++k)
            if (f[k] != 0.0)
                subtract(n - from, f[k], x + k * stride + from, y + from);
        return;
    }
    for (; i + LANES <= n; i += LANES)
    {
        lanes sum = *(const loose_lanes *)(y + i) - f[0] * *(const loose_lanes *)(x + i);
        sum = sum - f[1] * *(const loose_lanes *)(x1 + i);
        sum = sum - f[2] * *(const loose_lanes *)(x2 + i);
        *(loose_lanes *)(y + i) = sum - f[3] * *(const loose_lanes *)(x3 + i);
    }
    for (; i < n; ++i)
        y[i] = (((y[i] - f[0] * x[i]) - f[1] * x1[i]) - f[2] * x2[i]) - f[3] * x3[i];
}

/* Four columns from k on: their pivots, and all rows in these columns; the rest of the pivots' own rows. */
INLINE bool factorise_four(int n, double *a, int stride, int k, double floor, int *row)
{
    for (int p = k; p < k + 4; ++p)
    {
        const double *pivot_row = a + (size_t)p * stride;
        if (!choose_pivot(n, a, stride, p, floor, row))
            return false;
        for (int i = p + 1; i < n; ++i)
        {
            double *target = a + (size_t)i * stride;
            if (target[p] == 0.0)
                continue;
            target[p] /= pivot_row[p];
            for (int j = p + 1; j < k + 4; ++j)
                target[j] -= target[p] * pivot_row[j];
        }
    }
    for (int p = k + 1; p < k + 4; ++p)
        for (int q = k; q < p; ++q)
            if (a[(size_t)p * stride + q] != 0.0)
                subtract(n - k - 4, a[(size_t)p * stride + q], a + (size_t)q * stride + k + 4,
                         a + (size_t)p * stride + k + 4);
    return true;
}

/* Four pivots at a time, so that a row is loaded and stored once for four of them. The sums are those of one at a time. */
INLINE bool factorise(int n, double *a, int stride, int *row, double floor)
{
    double least = floor > 0.0 ? floor * largest_of(n, a, stride) : 0.0;
    int k = 0;
    for (int i = 0; i < n; ++i)
        row[i] = i;
    for (; k + 4 < n; k += 4)
    {
        if (!factorise_four(n, a, stride, k, least, row))
            return false;
        for (int i = k + 4; i < n; ++i)
            subtract_four(n, k + 4, a + (size_t)i * stride + k, a + (size_t)k * stride, stride, a + (size_t)i * stride);
    }
    for (; k < n; ++k)
    {
        double *pivot_row = a + (size_t)k * stride;
        if (!choose_pivot(n, a, stride, k, least, row))
            return false;
        for (int i = k + 1; i < n; ++i)
        {
            double *target = a + (size_t)i * stride;
            if (target[k] == 0.0)
                continue;
            target[k] /= pivot_row[k];
            subtract(n - k - 1, target[k], pivot_row + k + 1, target + k + 1);
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
