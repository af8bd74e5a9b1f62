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
#include "linalg/forest/forest.h"
#include "math/lanes.h"
#include "solve/auto/bounded.h"
#include "solve/auto/lengths.h"
#include "solve/hold/hold.h"
#include "solve/mechanism/central_path.h"
#include "solve/mechanism/delassus.h"
#include "solve/sweep/gauss_seidel_newton.h"
#include "solve/sweep/gauss_seidel_sweep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The error of a guess that is nearly right, as a share of the scale. */
static const double NEAR = 0.01;
/* Weights of the proximal term: where the guess is nearly right, elsewhere, and where nothing else has helped. */
static const double NEAR_WEIGHT = 1e-4;
static const double FAR_WEIGHT = 1e-2;
static const double LAST_WEIGHT = 1.0;
/* Shares of the tolerance: what Newton's method aims at, since its last step costs little and errors left would act again, and what is
 * enough where errors no longer fall. */
static const double AIM = 1e-2;
static const double ENOUGH = 0.9;
/* The share of the largest contradiction that may be left: the certificate, which knows other masses, sees up to some times as much. */
static const double LEFT = 0.3;
/* The share of the tolerance by which a guess may change speeds at rest, and the share of the scale up to which speeds are rest. */
static const double STILL = 0.05;
static const double RESTS = 1e-6;

enum
{
    MOST_ROWS = 120, /* of contacts: their matrix is dense */
    ROUNDS = 3,      /* new starts of Newton's method, */
    SWEEPS = 3,      /* the first after so many sweeps, */
    RESTING =
        10, /* or so many for bodies at rest: impulses that these leave within their cones hold them in the next steps too; */
    MORE = 3 /* and each after so many times as many more as the one before */
};

typedef struct mechanism
{
    crn_forest forest;
    crn_gs_newton newton;
    int columns;    /* of thin factors of W; 0: it is computed in full */
    double *rho;    /* per contact */
    long double *f; /* what v and c leave of p + H'r */
    long double *g; /* what they leave of b */
    double *dv, *dc;
    double *velocity; /* of the contacts, in sweeps */
    crn_near near;    /* the problem solved last, where bounded rows were decided */
    bool decides;
    crn_central_path path;
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
    crn_near_release(&work->near);
    crn_central_path_release(&work->path);
    crn_arena_release(&work->memory);
    free(work);
}

/* Whether contacts, or contacts and bounded rows, are few enough for a dense matrix. */
static bool are_few(const cairn_problem *problem, int count)
{
    return problem->dim * count <= MOST_ROWS && count <= CRN_FOREST_CONTACTS;
}

/* Whether bounded rows are decided before contacts are solved, rather than solved with them. */
static bool decides_rows(const cairn_problem *problem)
{
    int contacts = 0;
    bool many = !are_few(problem, problem->contact_count) || problem->patch_count > 0;
    for (int j = 0; j < problem->contact_count && many; ++j)
        contacts += !crn_is_row(problem, j);
    return many && are_few(problem, contacts) && crn_near_applies(problem);
}

static bool can_solve(const cairn_problem *problem)
{
    bool few = are_few(problem, problem->contact_count) && problem->patch_count == 0;
    bool lawful = problem->contact_count == 0 ||
                  (crn_method_gauss_seidel.can_solve(problem) && crn_local_is_conical(crn_gs_law(problem)));
    return problem->joint_rows > 0 && lawful && (problem->contact_count == 0 || few || decides_rows(problem));
}

/* v and c of the impulses r. */
static void follow_impulses(mechanism *work, const cairn_problem *problem, cairn_solution *solution)
{
    memcpy(solution->v, problem->p, (size_t)problem->n * sizeof(double));
    crn_rows_transposed_add_plain(&problem->H, problem->block_start, solution->r, solution->v);
    memcpy(solution->c, problem->b, (size_t)problem->joint_rows * sizeof(double));
    crn_forest_solve(&work->forest, problem, solution->v, solution->c);
}

/* --------------------------------------------------------------------------------------------------------------- the step */

/* Where the certificate's scale is not known: the largest speed without contact impulses. */
static double largest_speed(const cairn_problem *problem, const double *v)
{
    double largest = 0.0;
    for (int i = 0; i < problem->n; ++i)
        largest = fmax(largest, crn_length(problem, i) * fabs(v[i]));
    return largest;
}

static bool is_at_rest(const cairn_problem *problem, const double *before, double speed)
{
    double fastest = 0.0;
    for (int i = 0; i < problem->n && before; ++i)
        fastest = fmax(fastest, crn_length(problem, i) * fabs(before[i]));
    return before && fastest <= RESTS * speed && !problem->bound;
}

/* The natural map at the guess, m/s, from the velocities that it causes. The masses only weigh impulses of contacts that part. */
static double guess_error(mechanism *work, const cairn_problem *problem, cairn_solution *solution)
{
    double worst = 0.0, *u = work->velocity;
    follow_impulses(work, problem, solution);
    crn_contact_velocities_plain(problem, solution->v, u);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int at = j * problem->dim;
        double mass = crn_diagonal_block(&problem->A, problem->H.block[problem->H.entry_start[j]])[0];
        double own = crn_local_error(crn_gs_law(problem), problem->dim, problem->mu[j], mass, u + at, solution->r + at);
        worst = own <= worst ? worst : own;
    }
    return worst;
}

/* Whether contacts that hold keep their speeds: what changes them would do so in every later step. */
static bool stays(mechanism *work, const cairn_problem *problem, const double *before, double least,
                  const cairn_solution *solution)
{
    for (int i = 0; i < problem->n; ++i)
        work->dv[i] = solution->v[i] - before[i];
    return crn_hold_is_still(problem, solution->r, work->dv, least);
}

/* The columns of thin factors of W, where it has the smaller rank; 0: W is computed in full. */
static int thin_columns(mechanism *work, const cairn_problem *problem)
{
    int freedoms = crn_has_multiples(problem) ? -1 : crn_forest_freedoms(&work->forest, problem);
    return freedoms > 0 && freedoms <= problem->dim * problem->contact_count ? freedoms : 0;
}

/* W, in full or by thin factors, and the masses of the contacts. *regular: false where the joints cannot be factorised by rows. */
static cairn_status find_responses(mechanism *work, const cairn_problem *problem, cairn_solution *solution,
                                   bool *regular)
{
    crn_gs_newton *newton = &work->newton;
    CRN_TRY(crn_gs_newton_begin(newton, problem, crn_gs_law(problem), work->rho, true));
    bool thin = work->columns > 0;
    *regular = true;
    if (thin)
    {
        CRN_TRY(crn_gs_newton_reserve_thin(newton, work->columns));
        CRN_TRY(crn_forest_spread(&work->forest, problem, newton->stride, newton->X, newton->Y, &thin));
        if (thin)
            crn_forest_reach(&work->forest, newton->reach);
    }
    if (!thin)
    {
        CRN_TRY(crn_gs_newton_reserve_full(newton));
        if (work->forest.kept != CRN_KEPT_FACTORS)
            *regular = crn_forest_factorise(&work->forest, problem, CRN_KEPT_FACTORS, solution->v, solution->c);
        if (!*regular)
            return CAIRN_OK;
        CRN_TRY(crn_forest_delassus(&work->forest, problem, newton->W));
    }
    crn_delassus_masses(newton, work->rho);
    return CAIRN_OK;
}

/* Newton's method from a guess that is nearly right: a few steps show whether it is, and what they have won is kept where they were too few. */
static bool solve_near(crn_gs_newton *newton, const crn_newton_aim *patient, double enough, double *r, int *systems)
{
    double start = newton->reached;
    crn_newton_aim hasty = {patient->target, enough, patient->close, true};
    if (crn_gs_newton_run(newton, NEAR_WEIGHT, &hasty, r, systems))
        return true;
    if (!(newton->reached < start))
        return false;
    crn_gs_newton_take(newton, r);
    crn_gs_newton_start(newton, r);
    return crn_gs_newton_run(newton, NEAR_WEIGHT, patient, r, systems);
}

static cairn_status solve_contacts(mechanism *work, const cairn_problem *problem, const crn_method_options *options,
                                   cairn_solution *solution, crn_method_report *report)
{
    double speed = options->scale > 0.0 ? options->scale : largest_speed(problem, solution->v);
    double wanted = options->tolerance * speed;
    double target = AIM * wanted, enough = ENOUGH * wanted, close = LEFT * CRN_MECHANISM_CLOSE * wanted;
    double *r = solution->r;
    crn_gs_newton *newton = &work->newton;
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->rho, problem->contact_count),
                            CRN_ARRAY(work->velocity, solution->contact_rows + LANES), CRN_ARRAY(work->f, problem->n),
                            CRN_ARRAY(work->dv, problem->n)));
    bool rests = is_at_rest(problem, options->before, speed);
    report->converged = rests && guess_error(work, problem, solution) <= enough &&
                        stays(work, problem, options->before, STILL * wanted, solution);
    report->declined = report->resting = rests && !report->converged; /* `hold` is made for that */
    if (rests)
        return CAIRN_OK;
    bool regular;
    CRN_TRY(find_responses(work, problem, solution, &regular));
    report->declined = !regular;
    if (!regular)
        return CAIRN_OK;
    crn_contact_velocities_plain(problem, solution->v, newton->q);
    crn_newton_aim aim = {target, close, close, false};
    bool found =
        crn_gs_newton_start(newton, r) <= NEAR * speed && solve_near(newton, &aim, enough, r, &report->iterations);
    for (int round = 0, sweeps = options->before ? SWEEPS : RESTING; round < ROUNDS && !found; ++round, sweeps *= MORE)
    {
        crn_delassus_sweep(newton, sweeps, work->velocity, r);
        report->iterations += sweeps;
        crn_gs_newton_start(newton, r);
        double weight = round < ROUNDS - 1 ? FAR_WEIGHT : LAST_WEIGHT;
        found = crn_gs_newton_run(newton, weight, &aim, r, &report->iterations);
    }
    report->converged = found && newton->reached <= enough;
    report->declined = !found;
    if (!report->declined)
        follow_impulses(work, problem, solution);
    return CAIRN_OK;
}

/* As below, for a problem without bounded rows to decide. */
static cairn_status refine(mechanism *work, const cairn_problem *problem, cairn_solution *solution)
{
    CRN_TRY(crn_reserve_all(&work->memory, CRN_ARRAY(work->f, problem->n), CRN_ARRAY(work->g, problem->joint_rows),
                            CRN_ARRAY(work->dv, problem->n), CRN_ARRAY(work->dc, problem->joint_rows)));
    if (!work->forest.kept && !crn_forest_factorise(&work->forest, problem, CRN_KEPT_MOTIONS, work->dv, work->dc))
        return CAIRN_OK;
    for (int i = 0; i < problem->n; ++i)
        work->f[i] = 0.0L;
    crn_matrix_add(&problem->A, problem->block_start, solution->v, work->f);
    for (int i = 0; i < problem->n; ++i)
        work->f[i] = problem->p[i] - work->f[i];
    crn_rows_transposed_add(&problem->G, problem->block_start, 1.0, solution->c, work->f);
    crn_rows_transposed_add(&problem->H, problem->block_start, 1.0, solution->r, work->f);
    for (int i = 0; i < problem->joint_rows; ++i)
        work->g[i] = problem->b[i] - (long double)problem->R_c[i] * solution->c[i];
    crn_rows_add(&problem->G, problem->block_start, -1.0, solution->v, work->g);
    for (int i = 0; i < problem->n; ++i)
        work->dv[i] = (double)work->f[i];
    for (int i = 0; i < problem->joint_rows; ++i)
        work->dc[i] = (double)work->g[i];
    crn_forest_solve(&work->forest, problem, work->dv, work->dc);
    for (int i = 0; i < problem->n; ++i)
        solution->v[i] += work->dv[i];
    for (int i = 0; i < problem->joint_rows; ++i)
        solution->c[i] += work->dc[i];
    return CAIRN_OK;
}

cairn_status crn_mechanism_refine(void *workspace, const cairn_problem *problem, cairn_solution *solution)
{
    mechanism *work = workspace;
    if (!work->decides)
        return refine(work, problem, solution);
    crn_near_take(&work->near, problem, solution);
    CRN_TRY(refine(work, &work->near.problem, &work->near.solution));
    crn_near_give(&work->near, problem, solution);
    return CAIRN_OK;
}

bool crn_mechanism_can_follow(const void *workspace)
{
    const mechanism *work = workspace;
    return work->forest.kept && !work->decides;
}

cairn_status crn_mechanism_follow(void *workspace, const cairn_problem *problem, cairn_solution *solution)
{
    mechanism *work = workspace;
    assert(crn_mechanism_can_follow(workspace));
    follow_impulses(work, problem, solution);
    return refine(work, problem, solution);
}

/* Joints and contacts. */
static cairn_status solve_decided(void *workspace, const cairn_problem *problem, const crn_method_options *options,
                                  cairn_solution *solution, crn_method_report *report)
{
    mechanism *work = workspace;
    bool fits;
    *report = (crn_method_report){0};
    CRN_TRY(crn_forest_arrange(&work->forest, problem, &fits));
    work->columns = fits && problem->contact_count > 0 ? thin_columns(work, problem) : 0;
    crn_forest_kept keep = work->columns > 0            ? CRN_KEPT_MOTIONS
                           : problem->contact_count > 0 ? CRN_KEPT_FACTORS
                                                        : CRN_KEPT_NOTHING;
    report->converged = fits && crn_forest_factorise(&work->forest, problem, keep, solution->v, solution->c);
    report->declined = !report->converged;
    return report->declined || problem->contact_count == 0 ? CAIRN_OK
                                                           : solve_contacts(work, problem, options, solution, report);
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    assert(can_solve(problem));
    assert(solution->contact_rows == problem->dim * problem->contact_count);
    mechanism *work = workspace;
    (void)context;
    *report = (crn_method_report){0};
    work->decides = decides_rows(problem);
    return work->decides ? crn_exchange(&work->near, &work->path, problem, &(crn_exchange_solver){solve_decided, work},
                                        options, solution, report)
                         : solve_decided(work, problem, options, solution, report);
}

const crn_method crn_method_mechanism = {
    .name = "mechanism",
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
