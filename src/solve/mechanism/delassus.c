/* Sweeps over the contacts of a mechanism, and their masses, with W in full or W = X Y' by thin factors. A visit solves one contact with
 * all others held. What it reads is kept up to date in between: u = W r + q in the first case, z = Y'r with u = X z + q in the other.
 */
#include "solve/mechanism/delassus.h"

#include "linalg/dense.h"
#include "linalg/forest/forest.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double entry(const crn_gs_newton *newton, int i, int k)
{
    size_t stride = newton->stride;
    assert(i >= 0 && i < newton->rows && k >= 0 && k < newton->rows);
    if (newton->columns == 0)
        return newton->W[(size_t)i * (size_t)newton->rows + (size_t)k];
    return crn_dense_dot(newton->columns, newton->X + (size_t)i * stride, newton->Y + (size_t)k * stride);
}

void crn_delassus_masses(const crn_gs_newton *newton, double *rho)
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

/* u of row i, from what is kept. */
static double velocity(const crn_gs_newton *newton, const double *u, int i)
{
    return newton->columns == 0
               ? u[i]
               : newton->q[i] + crn_dense_dot(newton->columns, newton->X + (size_t)i * newton->stride, u);
}

/* The impulse of row k changes: what is kept follows. */
static void follow(const crn_gs_newton *newton, int k, double change, double *u)
{
    int rows = newton->rows;
    for (int i = 0; i < rows && newton->columns == 0; ++i)
        u[i] += newton->W[(size_t)i * (size_t)rows + (size_t)k] * change;
    for (int d = 0; d < newton->columns; ++d)
        u[d] += newton->Y[(size_t)k * newton->stride + (size_t)d] * change;
}

/* r_j of one item with all others held. */
static void visit(const crn_gs_newton *newton, int j, const double *W, double *u, double *r)
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

void crn_delassus_sweep(const crn_gs_newton *newton, int count, double *u, double *r)
{
    int rows = newton->rows, dim = newton->dim;
    double W[9 * CRN_FOREST_CONTACTS]; /* the own block of each contact */
    assert(newton->columns <= rows && newton->contacts <= CRN_FOREST_CONTACTS);
    for (int j = 0; j < newton->contacts; ++j)
        for (int k = 0; k < dim * dim; ++k)
            W[9 * j + k] = entry(newton, j * dim + k / dim, j * dim + k % dim);
    memset(u, 0, (size_t)rows * sizeof(double));
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
