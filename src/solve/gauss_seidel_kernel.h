/* Products with the small blocks of one contact, row-major: dim rows over the `size` velocities of a body.
 *
 * Nearly all blocks are 3 x 6 or 2 x 3. With these sizes known the compiler unrolls the loops and uses both halves of
 * a vector register, which makes the sweeps twice as fast; other sizes take the same code with loops.
 */
#ifndef CRN_SOLVE_GAUSS_SEIDEL_KERNEL_H
#define CRN_SOLVE_GAUSS_SEIDEL_KERNEL_H

static inline double crn_gs_row(int size, const double *row, const double *x)
{
    double even = 0.0;
    double odd = 0.0;
    int i = 0;
    for (; i + 1 < size; i += 2)
    {
        even += row[i] * x[i];
        odd += row[i + 1] * x[i + 1];
    }
    return i < size ? even + row[i] * x[i] + odd : even + odd;
}

static inline void crn_gs_spread_fixed(int dim, int size, const double *B, const double *c, double *v)
{
    for (int i = 0; i < size; ++i)
    {
        double sum = B[i] * c[0] + B[size + i] * c[1];
        v[i] += dim == 3 ? sum + B[2 * size + i] * c[2] : sum;
    }
}

/* u += B v */
static inline void crn_gs_gather(int dim, int size, const double *B, const double *v, double *u)
{
    if (dim == 3 && size == 6)
    {
        u[0] += crn_gs_row(6, B, v);
        u[1] += crn_gs_row(6, B + 6, v);
        u[2] += crn_gs_row(6, B + 12, v);
        return;
    }
    if (dim == 2 && size == 3)
    {
        u[0] += crn_gs_row(3, B, v);
        u[1] += crn_gs_row(3, B + 3, v);
        return;
    }
    for (int k = 0; k < dim; ++k)
    {
        u[k] += crn_gs_row(size, B + k * size, v);
    }
}

/* v += B' c */
static inline void crn_gs_spread(int dim, int size, const double *B, const double *c, double *v)
{
    if (dim == 3 && size == 6)
    {
        crn_gs_spread_fixed(3, 6, B, c, v);
        return;
    }
    if (dim == 2 && size == 3)
    {
        crn_gs_spread_fixed(2, 3, B, c, v);
        return;
    }
    crn_gs_spread_fixed(dim, size, B, c, v);
}

#endif
