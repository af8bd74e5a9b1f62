/* Products with dense matrices, row-major. Four partial sums hide the latency of additions; their order is fixed. */
#ifndef CRN_LINALG_DENSE_H
#define CRN_LINALG_DENSE_H

#include <stddef.h>

static inline double crn_dense_dot(int n, const double *x, const double *y)
{
    double sum[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 3 < n; i += 4)
    {
        sum[0] += x[i] * y[i];
        sum[1] += x[i + 1] * y[i + 1];
        sum[2] += x[i + 2] * y[i + 2];
        sum[3] += x[i + 3] * y[i + 3];
    }
    for (; i < n; ++i)
        sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* y = A x, n x n */
static inline void crn_dense_times(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; ++i)
        y[i] = crn_dense_dot(n, A + (size_t)i * (size_t)n, x);
}

#endif
