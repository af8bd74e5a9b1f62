/* Products with the small blocks of one contact, row-major: dim rows over the `size` velocities of a body.
 *
 * Nearly all blocks are 3 x 6. These are written out, two lanes to a vector register, which makes the sweeps twice as
 * fast; other sizes, and the long runs of clusters, go by loops.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_KERNEL_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_KERNEL_H

#include "linalg/lanes.h"

#include <stddef.h>

static inline double crn_gs_row_6(const double *row, crn_lanes x, crn_lanes y, crn_lanes z)
{
    crn_lanes sum = crn_lanes_at(row) * x + crn_lanes_at(row + 2) * y + crn_lanes_at(row + 4) * z;
    return sum[0] + sum[1];
}

static inline void crn_gs_spread_pair(const double *B, const double *c, double *v)
{
    crn_lanes sum = crn_lanes_at(B) * c[0] + crn_lanes_at(B + 6) * c[1] + crn_lanes_at(B + 12) * c[2];
    *(crn_lanes *)v += sum;
}

/* u += B v */
static inline void crn_gs_gather(int dim, int size, const double *restrict B, const double *restrict v,
                                 double *restrict u)
{
    if (dim == 3 && size == 6)
    {
        crn_lanes x = crn_lanes_at(v);
        crn_lanes y = crn_lanes_at(v + 2);
        crn_lanes z = crn_lanes_at(v + 4);
        u[0] += crn_gs_row_6(B, x, y, z);
        u[1] += crn_gs_row_6(B + 6, x, y, z);
        u[2] += crn_gs_row_6(B + 12, x, y, z);
        return;
    }
    for (int k = 0; k < dim; ++k)
    {
        double sum = 0.0;
        for (int i = 0; i < size; ++i)
            sum += B[k * size + i] * v[i];
        u[k] += sum;
    }
}

/* v += B' c */
static inline void crn_gs_spread(int dim, int size, const double *restrict B, const double *restrict c,
                                 double *restrict v)
{
    if (dim == 3 && size == 6)
    {
        double held[3] = {c[0], c[1], c[2]};
        crn_gs_spread_pair(B, held, v);
        crn_gs_spread_pair(B + 2, held, v + 2);
        crn_gs_spread_pair(B + 4, held, v + 4);
        return;
    }
    int i = 0;
    if (dim == 3)
    {
        crn_lanes x = {c[0], c[0]}, y = {c[1], c[1]}, z = {c[2], c[2]};
        const double *B1 = B + size, *B2 = B + 2 * (size_t)size;
        for (; i + 3 < size; i += 4)
        {
            crn_lanes one = crn_lanes_at(B + i) * x + crn_lanes_at(B1 + i) * y + crn_lanes_at(B2 + i) * z;
            crn_lanes two = crn_lanes_at(B + i + 2) * x + crn_lanes_at(B1 + i + 2) * y + crn_lanes_at(B2 + i + 2) * z;
            *(crn_lanes *)(v + i) += one;
            *(crn_lanes *)(v + i + 2) += two;
        }
    }
    for (; i + 1 < size; i += 2)
    {
        crn_lanes sum = crn_lanes_at(B + i) * c[0] + crn_lanes_at(B + size + i) * c[1];
        if (dim == 3)
            sum += crn_lanes_at(B + 2 * size + i) * c[2];
        *(crn_lanes *)(v + i) += sum;
    }
    for (; i < size; ++i)
    {
        double sum = B[i] * c[0] + B[size + i] * c[1];
        v[i] += dim == 3 ? sum + B[2 * size + i] * c[2] : sum;
    }
}

#endif
