/* Block projected Gauss-Seidel with exact local solves.
 *
 * A sweep visits every contact once. At contact j, with all other impulses held,
 *
 *     u_j = H_j v + (R r)_j + w_j,     q_j = u_j - W_jj r_j,     r_j <- the exact solution of law(W_jj r + q_j, r, mu_j),
 *
 * and v follows at once: v += X_j (change of r_j). v always satisfies the dynamics and the joints of the present r, so
 * joints hold in every iterate. The plan (gauss_seidel_plan.h) says where X_j comes from and gives the order: by
 * colours, whether there are threads or not, and contacts of one colour share no data. The bits are therefore the same
 * for any number of threads.
 *
 * Plain sweeps converge slowly where contacts are redundant or loads travel far; they are extrapolated
 * (gauss_seidel_anderson.h).
 *
 * Every few sweeps the natural map is measured at the current point. The method stops at the tolerance. When
 * doubling the number of sweeps has gained less than a third it halves the relaxation, since under strong coupling
 * plain sweeps can cycle between two points; at the third time it gives up and hands back the best point seen.
 */
#include "solve/gauss_seidel.h"

#include "base/memory.h"
#include "solve/gauss_seidel_anderson.h"
#include "solve/gauss_seidel_kernel.h"
#include "solve/gauss_seidel_plan.h"
#include "solve/local_coulomb.h"
#include "solve/method.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FIRST_CHECK = 5,
    LEAST_SWEEPS = 100, /* before a stall is believed */
    MAX_SWEEPS = 20000,
    PATIENCE = 3,           /* stalls */
    PARALLEL_CONTACTS = 256 /* below this many of a colour threads cost more than they gain */
};

/* The work of the default limit, in contact visits, for problems too large for MAX_SWEEPS. */
static const double MAX_VISITS = 4e8;

typedef struct gauss_seidel
{
    crn_gs_plan plan;
    double relaxation; /* the caller's */
    crn_gs_history history;
    double *best; /* r of the smallest error seen */
    double *next; /* r extrapolated */
    size_t best_capacity, next_capacity;
} gauss_seidel;

/* One call. */
typedef struct run
{
    gauss_seidel *work;
    const cairn_problem *problem;
    cairn_solution *solution;
    crn_local_law law;
    double scale;
    double omega;             /* relaxation */
    double error, best_error; /* relative */
    int threads;
} run;

void crn_gauss_seidel_relax(void *workspace, double relaxation)
{
    assert(relaxation > 0.0 && relaxation <= 1.9);
    ((gauss_seidel *)workspace)->relaxation = relaxation;
}

static void *create(void)
{
    gauss_seidel *work = calloc(1, sizeof(gauss_seidel));
    if (work && !crn_gs_plan_open(&work->plan))
    {
        free(work);
        return NULL;
    }
    if (work)
    {
        work->relaxation = 1.0;
    }
    return work;
}

static void destroy(void *workspace)
{
    gauss_seidel *work = workspace;
    if (work)
    {
        crn_gs_plan_close(&work->plan);
        crn_gs_history_release(&work->history);
        free(work->best);
        free(work->next);
        free(work);
    }
}

/* In the plane there are but two directions: all laws with friction fall together, exact ones and convex ones. */
static bool can_solve(const cairn_problem *problem)
{
    switch (problem->law.kind)
    {
    case CAIRN_LAW_FRICTIONLESS:
    case CAIRN_LAW_CONE:
    case CAIRN_LAW_CONVEX_CONE:
        return true;
    case CAIRN_LAW_PYRAMID:
    case CAIRN_LAW_BOX:
    case CAIRN_LAW_CONVEX_PYRAMID:
        return problem->dim == 2;
    }
    return false;
}

static crn_local_law local_law(const cairn_problem *problem)
{
    switch (problem->law.kind)
    {
    case CAIRN_LAW_FRICTIONLESS:
        return CRN_LOCAL_FRICTIONLESS;
    case CAIRN_LAW_CONVEX_PYRAMID:
    case CAIRN_LAW_CONVEX_CONE:
        return CRN_LOCAL_CONVEX;
    case CAIRN_LAW_PYRAMID:
    case CAIRN_LAW_BOX:
    case CAIRN_LAW_CONE:
        break;
    }
    return CRN_LOCAL_COULOMB;
}

/* ------------------------------------------------------------------------------------------------------- a sweep */

/* u_j = H_j v + (R r)_j + w_j */
static void find_velocity(const run *at, int j, double *u)
{
    const cairn_problem *problem = at->problem;
    const cairn_block_rows *H = &problem->H;
    const crn_gs_plan *plan = &at->work->plan;
    int dim = problem->dim;
    for (int k = 0; k < dim; ++k)
    {
        u[k] = problem->w[(size_t)j * dim + k];
    }
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int start = problem->block_start[H->block[e]];
        int size = problem->block_start[H->block[e] + 1] - start;
        crn_gs_gather(dim, size, H->value + H->value_start[e], at->solution->v + start, u);
    }
    for (size_t e = plan->R_start[j]; e < plan->R_start[j + 1]; ++e)
    {
        const double *R = plan->R + e * (size_t)(dim * dim);
        const double *r = at->solution->r + (size_t)plan->R_contact[e] * dim;
        crn_gs_gather(dim, dim, R, r, u);
    }
}

/* v += X_j change */
static void move_bodies(const run *at, int j, const double *change)
{
    const crn_gs_plan *plan = &at->work->plan;
    for (size_t e = plan->X_start[j]; e < plan->X_start[j + 1]; ++e)
    {
        crn_gs_spread(at->problem->dim, plan->X_size[e], plan->X + plan->X_value[e], change,
                      at->solution->v + plan->X_first[e]);
    }
}

/* From r_old towards `target` by the relaxation, back onto the cone where that leaves it. */
static void relax(const run *at, int j, const double *r_old, double *target)
{
    double moved[3] = {0.0, 0.0, 0.0};
    int dim = at->problem->dim;
    for (int k = 0; k < dim; ++k)
    {
        moved[k] = r_old[k] + at->omega * (target[k] - r_old[k]);
    }
    double mu = at->law == CRN_LOCAL_FRICTIONLESS ? 0.0 : at->problem->mu[j];
    crn_local_project(dim, mu, moved, target);
}

/* Set r_j and let the bodies follow. */
static void set_impulse(const run *at, int j, const double *target)
{
    int dim = at->problem->dim;
    double *r = at->solution->r + (size_t)j * dim;
    double change[3] = {0.0, 0.0, 0.0};
    bool moved = false;
    for (int k = 0; k < dim; ++k)
    {
        change[k] = target[k] - r[k];
        r[k] = target[k];
        moved = moved || change[k] != 0.0;
    }
    if (moved)
    {
        move_bodies(at, j, change);
    }
}

static void visit(const run *at, int j)
{
    const crn_gs_plan *plan = &at->work->plan;
    int dim = at->problem->dim;
    const double *W = plan->W + (size_t)j * (size_t)(dim * dim);
    const double *factors = plan->factors + (size_t)j * (size_t)(dim * dim);
    const double *r = at->solution->r + (size_t)j * dim;
    double u[3] = {0.0, 0.0, 0.0};
    double q[3] = {0.0, 0.0, 0.0};
    double target[3] = {0.0, 0.0, 0.0};
    find_velocity(at, j, u);
    if (r[0] == 0.0 && u[0] >= 0.0 && at->law != CRN_LOCAL_CONVEX)
    {
        return; /* open, and stays so */
    }
    for (int k = 0; k < dim; ++k)
    {
        double own = W[k * dim] * r[0] + W[k * dim + 1] * r[1];
        q[k] = u[k] - (dim == 3 ? own + W[k * dim + 2] * r[2] : own);
        target[k] = r[k];
    }
    crn_local_solve(&(crn_local){at->law, dim, W, q, at->problem->mu[j], plan->factored[j] ? factors : NULL}, target);
    if (at->omega != 1.0)
    {
        relax(at, j, r, target);
    }
    set_impulse(at, j, target);
}

/* Contacts order[first] .. order[end - 1], all of one colour, by threads. */
static void visit_by_threads(const run *at, int first, int end)
{
    const int *order = at->work->plan.order;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(at->threads)
#endif
    for (int k = first; k < end; ++k)
    {
        visit(at, order[k]);
    }
}

static void sweep(const run *at)
{
    const crn_gs_plan *plan = &at->work->plan;
    for (int colour = 0; colour < plan->colour_count; ++colour)
    {
        int first = plan->colour_start[colour];
        int end = plan->colour_start[colour + 1];
        if (at->threads > 1 && end - first >= PARALLEL_CONTACTS)
        {
            visit_by_threads(at, first, end);
            continue;
        }
        for (int k = first; k < end; ++k)
        {
            visit(at, plan->order[k]);
        }
    }
}

/* Set r to `next`, put on the cones, and let the bodies follow. */
static void move_to(const run *at, const double *next)
{
    const cairn_problem *problem = at->problem;
    int dim = problem->dim;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double target[3] = {0.0, 0.0, 0.0};
        double mu = at->law == CRN_LOCAL_FRICTIONLESS ? 0.0 : problem->mu[j];
        crn_local_project(dim, mu, next + (size_t)j * dim, target);
        set_impulse(at, j, target);
    }
}

/* A sweep, and from its result further on by what the last ones teach. */
static void advance(const run *at)
{
    gauss_seidel *work = at->work;
    crn_gs_history_before(&work->history, at->solution->r);
    sweep(at);
    if (crn_gs_history_after(&work->history, at->solution->r, work->next) != CRN_GS_GO_ON)
    {
        move_to(at, work->next);
    }
}

/* ------------------------------------------------------------------------------------------------------ measuring */

/* The largest natural map over the contacts, relative; infinite where it is not a number. What rounding hides in r, when
 * it has grown without bound because there is no solution, counts as error. */
static double measure(const run *at)
{
    double worst = 0.0;
    for (int j = 0; j < at->problem->contact_count; ++j)
    {
        double u[3] = {0.0, 0.0, 0.0};
        find_velocity(at, j, u);
        double rho = at->work->plan.rho[j];
        const double *r = at->solution->r + (size_t)j * at->problem->dim;
        double error = crn_local_error(at->law, at->problem->dim, at->problem->mu[j], rho, u, r);
        error = error + DBL_EPSILON * fabs(r[0]) / rho;
        worst = error <= worst ? worst : error;
        if (!isfinite(error))
        {
            return INFINITY;
        }
    }
    return worst / at->scale;
}

/* Row k of item i of B: the sum of |B| |x|. */
static double row_speed(const cairn_problem *problem, const cairn_block_rows *B, int i, int k, const double *x)
{
    double sum = 0.0;
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int start = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - start;
        for (int c = 0; c < size; ++c)
        {
            sum += fabs(B->value[B->value_start[e] + k * size + c] * x[start + c]);
        }
    }
    return sum;
}

/* The certificate's scale: the largest speed the data promise (certify.c). */
static double find_scale(gauss_seidel *work, const cairn_problem *problem)
{
    double *x = work->plan.f;
    double scale = DBL_MIN;
    for (int i = 0; i < problem->n; ++i)
    {
        x[i] = problem->p[i];
    }
    crn_saddle_solve_free(work->plan.saddle, x);
    for (int i = 0; i < problem->n; ++i)
    {
        scale = fmax(scale, fabs(x[i]));
    }
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
        {
            double speed = row_speed(problem, &problem->G, i, row - problem->G.row_start[i], x);
            scale = fmax(scale, speed + fabs(problem->b[row]));
        }
    }
    for (int row = 0; row < problem->dim * problem->contact_count; ++row)
    {
        double speed = row_speed(problem, &problem->H, row / problem->dim, row % problem->dim, x);
        double w = problem->w[row];
        scale = fmax(scale, speed + (row % problem->dim == 0 && w > speed ? speed : fabs(w)));
    }
    return scale;
}

/* ----------------------------------------------------------------------------------------------------- the method */

static void copy_impulses(const run *at, const double *from, double *to)
{
    for (int i = 0; i < at->solution->contact_rows; ++i)
    {
        to[i] = from[i];
    }
}

/* v and c afresh from r, and the error there. */
static void settle(run *at)
{
    cairn_solution *solution = at->solution;
    crn_gs_plan_recover(&at->work->plan, at->problem, true, solution->r, solution->v, solution->c);
    at->error = measure(at);
}

static void keep_best(run *at)
{
    if (at->error < at->best_error)
    {
        at->best_error = at->error;
        copy_impulses(at, at->solution->r, at->work->best);
    }
}

static void go_back_to_best(run *at)
{
    if (isfinite(at->best_error))
    {
        copy_impulses(at, at->work->best, at->solution->r);
    }
    settle(at);
}

/* Impulses of the guess put on their cones, so that a poor guess does no harm. */
static void start(run *at, double tolerance)
{
    const cairn_problem *problem = at->problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double guess[3] = {0.0, 0.0, 0.0};
        double *r = at->solution->r + (size_t)j * problem->dim;
        bool finite = true;
        for (int k = 0; k < problem->dim; ++k)
        {
            finite = finite && isfinite(r[k]);
            guess[k] = r[k];
        }
        memset(guess, 0, finite ? 0 : sizeof guess);
        crn_local_project(problem->dim, at->law == CRN_LOCAL_FRICTIONLESS ? 0.0 : problem->mu[j], guess, r);
    }
    crn_gs_plan_recover(&at->work->plan, problem, false, at->solution->r, at->solution->v, at->solution->c);
    at->best_error = INFINITY;
    at->error = measure(at);
    if (at->error <= tolerance)
    {
        settle(at);
    }
    keep_best(at);
}

static int default_limit(const cairn_problem *problem)
{
    double fitting = MAX_VISITS / (problem->contact_count + 1.0);
    return fitting > MAX_SWEEPS ? MAX_SWEEPS : (int)fmax(fitting, 1000.0);
}

/* Looks at the best error each time the number of sweeps has doubled. */
typedef struct stall_watch
{
    int next, stalls;
    double before;
} stall_watch;

/* True when it is time to give up. */
static bool has_stalled(run *at, stall_watch *watch, int sweeps)
{
    if (sweeps < watch->next)
    {
        return false;
    }
    if (at->best_error > 0.67 * watch->before)
    {
        watch->stalls++;
        at->omega *= 0.5;
        crn_gs_history_drop(&at->work->history); /* it knows another map */
    }
    watch->before = at->best_error;
    watch->next = 2 * sweeps;
    return watch->stalls >= PATIENCE;
}

/* Sweep until the tolerance, a stall or the limit; returns the number of sweeps. */
static int iterate(run *at, double tolerance, int limit)
{
    stall_watch watch = {LEAST_SWEEPS, 0, INFINITY};
    int sweeps = 0;
    int check = FIRST_CHECK;
    while (sweeps < limit && at->error > tolerance && !has_stalled(at, &watch, sweeps))
    {
        advance(at);
        ++sweeps;
        if (sweeps < check && sweeps < limit)
        {
            continue;
        }
        check = sweeps + (sweeps / 10 > FIRST_CHECK ? sweeps / 10 : FIRST_CHECK);
        at->error = measure(at);
        if (at->error <= tolerance)
        {
            settle(at); /* without the rounding of the sweeps' updates */
        }
        keep_best(at);
    }
    return sweeps;
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    gauss_seidel *work = workspace;
    run at = {work, problem, solution, local_law(problem), 1.0, work->relaxation, INFINITY, INFINITY, options->threads};
    assert(can_solve(problem) && solution->contact_rows == problem->dim * problem->contact_count);
    *report = (crn_method_report){0};
    size_t rows = (size_t)solution->contact_rows + 1;
    if (crn_reserve(&work->best, &work->best_capacity, rows, sizeof(double)) ||
        crn_reserve(&work->next, &work->next_capacity, rows, sizeof(double)))
    {
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    }
    cairn_status status = crn_gs_plan_make(&work->plan, context, problem);
    if (status)
    {
        return status;
    }
    if (crn_gs_history_start(&work->history, solution->contact_rows, problem->dim, work->plan.rho))
    {
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    }
    at.scale = find_scale(work, problem);
    start(&at, options->tolerance);
    report->iterations = iterate(&at, options->tolerance,
                                 options->max_iterations > 0 ? options->max_iterations : default_limit(problem));
    if (at.error > options->tolerance)
    {
        go_back_to_best(&at);
    }
    report->converged = at.error <= options->tolerance;
    return CAIRN_OK;
}

const crn_method crn_method_gauss_seidel = {"gauss-seidel", can_solve, create, destroy, solve};
