/* Sweeps over the contacts of a mechanism, and their masses, with W in full or W = X Y' by thin factors. A visit solves one contact with
 * all others held. What it reads is kept up to date in between: u = W r + q in the first case, z = Y'r with u = X z + q in the other.
 */
#include "solve/mechanism/delassus.h"

#include "linalg/forest/forest.h"
#include "math/lanes.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* x'y of rows of thin factors, whose columns past the last are 0. */
INLINE double dot(size_t stride, const double *x, const double *y)
{
    lanes sum = {0.0};
    for (size_t c = 0; c < stride; c += LANES)
        sum += *(const loose_lanes *)(x + c) * *(const loose_lanes *)(y + c);
    return lanes_sum(sum);
}

INLINE double entry(const crn_gs_newton *newton, int i, int k)
{
    size_t stride = newton->stride;
    assert(i >= 0 && i < newton->rows && k >= 0 && k < newton->rows);
    if (newton->columns == 0)
        return newton->W[(size_t)i * (size_t)newton->rows + (size_t)k];
    return dot(stride, newton->X + (size_t)i * stride, newton->Y + (size_t)k * stride);
}

INLINE void find_masses(const crn_gs_newton *newton, double *rho)
{
    for (int j = 0; j < newton->contacts; ++j)
    {
        double trace = 0.0;
        int rows = crn_item_rows(newton->problem, j);
        for (int k = 0; k < rows; ++k)
            trace += entry(newton, j * newton->dim + k, j * newton->dim + k);
        rho[j] = rows / trace;
        rho[j] = isfinite(rho[j]) && rho[j] > 0.0 ? rho[j] : 1.0;
    }
}

static void plain_masses(const crn_gs_newton *newton, double *rho)
{
    find_masses(newton, rho);
}

WIDE static void wide_masses(const crn_gs_newton *newton, double *rho)
{
    find_masses(newton, rho);
}

void crn_delassus_masses(const crn_gs_newton *newton, double *rho)
{
    if (HAS_WIDE)
        wide_masses(newton, rho);
    else
        plain_masses(newton, rho);
}

/* u of row i, from what is kept. */
INLINE double velocity(const crn_gs_newton *newton, const double *u, int i)
{
    return newton->columns == 0 ? u[i] : newton->q[i] + dot(newton->stride, newton->X + (size_t)i * newton->stride, u);
}

/* The impulse of row k changes: what is kept follows. */
INLINE void follow(const crn_gs_newton *newton, int k, double change, double *u)
{
    int rows = newton->rows;
    for (int i = 0; i < rows && newton->columns == 0; ++i)
        u[i] += newton->W[(size_t)i * (size_t)rows + (size_t)k] * change;
    const double *Y = newton->Y + (size_t)k * newton->stride;
    for (size_t c = 0; newton->columns > 0 && c < newton->stride; c += LANES)
        *(loose_lanes *)(u + c) += change * *(const loose_lanes *)(Y + c);
}

/* r_j of one item with all others held. */
INLINE void visit(const crn_gs_newton *newton, int j, const double *W, double *u, double *r)
{
    const cairn_problem *problem = newton->problem;
    int dim = newton->dim, at = j * dim;
    double q[3], next[3] = {r[at], r[at + 1], dim == 3 ? r[at + 2] : 0.0};
    for (int k = 0; k < dim; ++k)
    {
        q[k] = velocity(newton, u, at + k);
        for (int l = 0; l < dim; ++l)
            q[k] -= W[k * dim + l] * r[at + l];
    }
    if (!crn_is_row(problem, j))
        crn_local_solve(&(crn_local){newton->law, dim, W, q, problem->mu[j], NULL}, next);
    else if (W[0] > 0.0)
        next[0] = crn_clip(crn_row_interval(problem, j, r), -q[0] / W[0]);
    for (int k = 0; k < dim; ++k)
    {
        double change = next[k] - r[at + k];
        r[at + k] = next[k];
        if (change != 0.0)
            follow(newton, at + k, change, u);
    }
}

INLINE void sweep(const crn_gs_newton *newton, int count, double *u, double *r)
{
    int rows = newton->rows, dim = newton->dim;
    double W[9 * CRN_FOREST_CONTACTS]; /* the own block of each contact */
    assert(newton->columns <= rows && newton->contacts <= CRN_FOREST_CONTACTS);
    for (int j = 0; j < newton->contacts; ++j)
        for (int k = 0; k < dim * dim; ++k)
            W[9 * j + k] = entry(newton, j * dim + k / dim, j * dim + k % dim);
    memset(u, 0, (newton->columns > 0 ? newton->stride : (size_t)rows) * sizeof(double));
    for (int i = 0; i < rows && newton->columns == 0; ++i)
    {
        u[i] = newton->q[i];
        for (int k = 0; k < rows; ++k)
            u[i] += newton->W[(size_t)i * (size_t)rows + (size_t)k] * r[k];
    }
    for (int k = 0; k < rows && newton->columns > 0; ++k)
        follow(newton, k, r[k], u);
    for (int k = 0; k < count; ++k)
        for (int j = 0; j < newton->contacts; ++j)
            visit(newton, j, W + (size_t)(9 * j), u, r);
}

static void plain_sweep(const crn_gs_newton *newton, int count, double *u, double *r)
{
    sweep(newton, count, u, r);
}

WIDE static void wide_sweep(const crn_gs_newton *newton, int count, double *u, double *r)
{
    sweep(newton, count, u, r);
}

void crn_delassus_sweep(const crn_gs_newton *newton, int count, double *u, double *r)
{
    if (HAS_WIDE)
        wide_sweep(newton, count, u, r);
    else
        plain_sweep(newton, count, u, r);
}
