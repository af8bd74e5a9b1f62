/* One step of a mechanism. The factors of the joints give the velocities without contact impulses, W = H K^-1 H', and the velocities of the
 * impulses found:
 *
 *     K (v_0, c_0) = (p, b),    q = H v_0 + w,    u = W r + q with law(u, r),    K (v, c) = (p + H'r, b).
 *
 * The impulses of the last step are nearly right while the same contacts stick and slide. So Newton's method starts with a small
 * proximal term first; where contacts change, it starts again from some sweeps over W.
 */
#include "solve/mechanism/mechanism.h"

#include "linalg/blocks.h"
#include "linalg/forest.h"
#include "solve/auto/bounded.h"
#include "solve/sweep/gauss_seidel_newton.h"
#include "solve/sweep/gauss_seidel_sweep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights of the proximal term: where the guess is nearly right, and elsewhere. */
static const double NEAR_WEIGHT = 1e-4;
static const double FAR_WEIGHT = 1e-2;
/* Shares of the tolerance: what Newton's method aims at, since its last step costs little and errors left would act again, and what is
 * enough where redundant contacts contradict each other a little. */
static const double AIM = 1e-2;
static const double ENOUGH = 0.9;

typedef struct mechanism
{
    crn_forest forest;
    crn_gs_newton newton;
    double *rho;    /* per contact */
    long double *f; /* p + H'r */
    long double *u;
    crn_arena memory;
} mechanism;

static void *create(void)
{
    return calloc(1, sizeof(mechanism));
}

static void destroy(void *workspace)
{
    mechanism *work = workspace;
    if (!work)
        return;
    crn_forest_release(&work->forest);
    crn_gs_newton_release(&work->newton);
    crn_arena_release(&work->memory);
    free(work);
}

static bool can_solve(const cairn_problem *problem)
{
    bool few = problem->dim * problem->contact_count <= CRN_GS_NEWTON_ROWS;
    bool lawful = problem->contact_count == 0 || (crn_method_gauss_seidel.can_solve(problem) &&
                                                  problem->patch_count == 0 && crn_gs_law(problem) != CRN_LOCAL_LAGGED);
    return problem->joint_rows > 0 && few && lawful;
}

/* rho of each contact: rows / trace of its block of W, as the certificate has it but with joints. */
static void find_masses(mechanism *work, const cairn_problem *problem)
{
    int dim = problem->dim, rows = work->newton.rows;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double trace = 0.0;
        for (int k = 0; k < crn_item_rows(problem, j); ++k)
            trace += work->newton.W[(size_t)(j * dim + k) * (size_t)(rows + 1)];
        double rho = crn_item_rows(problem, j) / trace;
        work->rho[j] = isfinite(rho) && rho > 0.0 ? rho : 1.0;
    }
}

/* v and c of the impulses r. */
static void follow_impulses(mechanism *work, const cairn_problem *problem, cairn_solution *solution)
{
    for (int i = 0; i < problem->n; ++i)
        work->f[i] = problem->p[i];
    crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, solution->r, work->f);
    for (int i = 0; i < problem->n; ++i)
        solution->v[i] = (double)work->f[i];
    memcpy(solution->c, problem->b, (size_t)problem->joint_rows * sizeof(double));
    crn_forest_solve(&work->forest, problem, solution->v, solution->c);
}

static cairn_status solve_contacts(mechanism *work, const cairn_problem *problem, const crn_method_options *options,
                                   cairn_solution *solution, crn_method_report *report)
{
    double target = AIM * options->tolerance * options->scale;
    double enough = ENOUGH * options->tolerance * options->scale;
    double *r = solution->r;
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->rho, problem->contact_count),
                            CRN_ARRAY(work->u, solution->contact_rows), CRN_ARRAY(work->f, problem->n)));
    CRN_TRY(crn_gs_newton_begin(&work->newton, problem, crn_gs_law(problem), work->rho, true));
    CRN_TRY(crn_forest_delassus(&work->forest, problem, work->newton.W));
    find_masses(work, problem);
    crn_contact_velocities(problem, solution->v, NULL, work->u);
    for (int i = 0; i < solution->contact_rows; ++i)
        work->newton.q[i] = (double)work->u[i];
    report->converged = crn_gs_newton_run(&work->newton, NEAR_WEIGHT, target, enough, r, &report->iterations) ||
                        crn_gs_newton_run(&work->newton, FAR_WEIGHT, target, enough, r, &report->iterations);
    if (report->converged)
        follow_impulses(work, problem, solution);
    return CAIRN_OK;
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    assert(can_solve(problem));
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    mechanism *work = workspace;
    bool fits;
    (void)context;
    *report = (crn_method_report){0};
    CRN_TRY(crn_forest_arrange(&work->forest, problem, &fits));
    report->converged = fits && crn_forest_factorise(&work->forest, problem, solution->v, solution->c);
    if (report->converged && problem->contact_count > 0)
        CRN_TRY(solve_contacts(work, problem, options, solution, report));
    report->declined = !report->converged;
    return CAIRN_OK;
}

const crn_method crn_method_mechanism = {
    .name = "mechanism",
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
