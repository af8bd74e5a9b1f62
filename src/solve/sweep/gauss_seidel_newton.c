/* Sweeps settle slowly where masses differ much or contacts repeat each other, and soon know which contacts are open, stick or
 * slip. From there Newton's method needs a few steps, and where contacts are few a step costs less than the sweeps it saves. The
 * responses of the plan give W in full, u = W r + q, and the steps of newton.c, taken on the contacts alone, are
 *
 *     F = r - P_K(r - rho' (u + alpha (r - r_k) + e_0 g)),     g = mu |u_t| for the exact law, 0 for the convex ones,
 *     F' = I - D + rho' D J (W + alpha),                       D = P_K',   J = I + e_0 g'
 *
 * with the proximal term alpha_j = a / rho_j, rho' = rho / (1 + a), that makes redundant contacts regular. How a changes and when the
 * search ends is in gauss_seidel_newton_search.c.
 *
 * For a bounded row P is the projection on its interval: D is 1 within and 0 at a bound. Where the bound is a multiple of
 * another impulse f, F = z - hi f there, and -hi stands in the column of f.
 */
#include "solve/sweep/gauss_seidel_newton.h"

#include "linalg/compliance.h"
#include "linalg/lanes.h"
#include "solve/auto/bounded.h"
#include "solve/sweep/gauss_seidel_kernel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double FIRST_WEIGHT = 1e-2;

void crn_gs_newton_release(crn_gs_newton *newton)
{
    crn_arena_release(&newton->memory);
    memset(newton, 0, sizeof *newton);
}

static cairn_status reserve(crn_gs_newton *newton, const cairn_problem *problem)
{
    size_t rows = (size_t)newton->rows, past = rows + 1; /* contacts are read in whole vectors */
    return crn_reserve_all(&newton->memory, CRN_ARRAY(newton->order, rows), CRN_ARRAY(newton->column, problem->n + 1),
                           CRN_ARRAY(newton->q, rows), CRN_ARRAY(newton->r, past), CRN_ARRAY(newton->u, past),
                           CRN_ARRAY(newton->F, past), CRN_ARRAY(newton->step, rows), CRN_ARRAY(newton->last, rows),
                           CRN_ARRAY(newton->centre, past), CRN_ARRAY(newton->slip, past),
                           CRN_ARRAY(newton->moved, past), CRN_ARRAY(newton->active, newton->contacts),
                           CRN_ARRAY(newton->index, rows));
}

cairn_status crn_gs_newton_reserve_full(crn_gs_newton *newton)
{
    size_t size = (size_t)newton->rows * (size_t)newton->rows;
    newton->columns = 0;
    return crn_reserve_all(&newton->memory, CRN_ARRAY(newton->W, size), CRN_ARRAY(newton->matrix, size),
                           CRN_ARRAY(newton->part, newton->apart ? size : 0));
}

/* ---------------------------------------------------------------------------------------------------------------- W */

/* Column k of contact j, from its response. */
static void find_column(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem, int j, int k)
{
    assert(j >= 0 && j < newton->contacts);
    assert(k >= 0 && k < newton->dim);
    const cairn_block_rows *H = &problem->H;
    int dim = newton->dim;
    memset(newton->column, 0, (size_t)problem->n * sizeof(double));
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
    {
        size_t size = (size_t)plan->X_size[e];
        memcpy(newton->column + plan->X_first[e], plan->X + plan->X_value[e] + (size_t)k * size, size * sizeof(double));
    }
    for (int i = 0; i < newton->contacts; ++i)
    {
        double u[3] = {0.0, 0.0, 0.0};
        for (int e = H->entry_start[i]; e < H->entry_start[i + 1]; ++e)
        {
            int first = problem->block_start[H->block[e]];
            int size = problem->block_start[H->block[e] + 1] - first;
            crn_gs_gather(dim, size, H->value + H->value_start[e], newton->column + first, u);
        }
        for (int l = 0; l < dim; ++l)
            newton->W[(i * dim + l) * newton->rows + j * dim + k] = u[l];
    }
}

static void find_W(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem)
{
    int dim = newton->dim;
    for (int column = 0; column < newton->rows; ++column)
        find_column(newton, plan, problem, column / dim, column % dim);
    crn_compliance_add_dense(problem, newton->W);
}

void crn_gs_newton_apply(const crn_gs_newton *newton, double sign, const double *x, const double *from, double *out)
{
    assert(fabs(sign) == 1.0);
    int rows = newton->rows;
    if (newton->columns > 0)
    {
        crn_gs_newton_apply_thin(newton, sign, x, from, out);
        return;
    }
    for (int i = 0; i < rows; ++i)
    {
        const double *row = newton->W + i * rows;
        double sum = 0.0;
        int j = 0;
        crn_lanes part[2] = {{0.0}};
        for (; newton->apart && j + 3 < rows; j += 4)
        {
            part[0] += crn_lanes_at(row + j) * crn_lanes_at(x + j);
            part[1] += crn_lanes_at(row + j + 2) * crn_lanes_at(x + j + 2);
        }
        sum = (part[0][0] + part[0][1]) + (part[1][0] + part[1][1]);
        for (; j < rows; ++j)
            sum += row[j] * x[j];
        out[i] = from[i] + sign * sum;
    }
}

cairn_status crn_gs_newton_begin(crn_gs_newton *newton, const cairn_problem *problem, crn_local_law law,
                                 const double *rho, bool apart)
{
    newton->problem = problem;
    newton->apart = apart;
    newton->columns = 0;
    newton->dim = problem->dim;
    newton->contacts = problem->contact_count;
    newton->rows = problem->dim * problem->contact_count;
    newton->law = law;
    newton->mu = problem->mu;
    newton->rho = rho;
    assert((apart || newton->rows <= CRN_GS_NEWTON_ROWS) && law != CRN_LOCAL_LAGGED);
    return reserve(newton, problem);
}

void crn_gs_newton_take(const crn_gs_newton *newton, double *r)
{
    const cairn_problem *problem = newton->problem;
    for (int i = 0; i < newton->contacts; ++i)
    {
        double mu = newton->law == CRN_LOCAL_FRICTIONLESS ? 0.0 : newton->mu[i];
        const double *found = newton->r + i * newton->dim;
        if (crn_is_row(problem, i))
            r[i * newton->dim] = crn_clip(crn_row_interval(problem, i, newton->r), found[0]);
        else
            crn_local_project(newton->law, newton->dim, mu, found, r + i * newton->dim);
    }
}

cairn_status crn_gs_newton_solve(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem,
                                 crn_local_law law, double target, const double *u, double *r, int *iterations,
                                 bool *found)
{
    *found = false;
    CRN_TRY(crn_gs_newton_begin(newton, problem, law, plan->rho, false));
    CRN_TRY(crn_gs_newton_reserve_full(newton));
    find_W(newton, plan, problem);
    crn_gs_newton_apply(newton, -1.0, r, u, newton->q);
    crn_gs_newton_start(newton, r);
    *found =
        crn_gs_newton_run(newton, FIRST_WEIGHT, &(crn_newton_aim){.target = target, .enough = target}, r, iterations);
    return CAIRN_OK;
}
