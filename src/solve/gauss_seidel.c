/* Block projected Gauss-Seidel with exact local solves.
 *
 * A sweep (gauss_seidel_sweep.h) visits every contact once and solves its law with all other impulses held. v always satisfies
 * the dynamics and the joints of the present r, so joints hold in every iterate. The plan (gauss_seidel_plan.h) gives the
 * order: by colours, whether there are threads or not, and contacts of one colour share no data. The bits are therefore
 * the same for any number of threads.
 *
 * Large problems are first worked on where it is needed, by visits to the contacts that are due (gauss_seidel_due.h). Plain
 * sweeps converge slowly where contacts are redundant or loads travel far; they are extrapolated (gauss_seidel_anderson.h).
 *
 * Every few sweeps the natural map is measured at the current point. The method stops at the tolerance. When
 * doubling the number of sweeps has gained less than a third it halves the relaxation, since under strong coupling
 * plain sweeps can cycle between two points; at the third time it gives up and hands back the best point seen.
 */
#include "solve/gauss_seidel.h"

#include "base/memory.h"
#include "solve/gauss_seidel_anderson.h"
#include "solve/gauss_seidel_due.h"
#include "solve/gauss_seidel_sweep.h"
#include "solve/method.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FIRST_CHECK = 5,
    LEAST_SWEEPS = 100, /* before a stall is believed */
    MAX_SWEEPS = 20000,
    PATIENCE = 3, /* stalls */
    LARGE = 5000  /* contacts: from here on visits are spared where they are not due */
};

/* The work of the default limit, in contact visits, for problems too large for MAX_SWEEPS. */
static const double MAX_VISITS = 4e8;

typedef struct gauss_seidel
{
    crn_gs_plan plan;
    double relaxation; /* the caller's */
    crn_gs_due due;
    crn_gs_history history;
    double *best; /* r of the smallest error seen */
    double *next; /* r extrapolated */
    size_t best_capacity, next_capacity;
} gauss_seidel;

/* One call. */
typedef struct run
{
    crn_gs_run now;
    gauss_seidel *work;
    double error, best_error; /* relative */
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
        crn_gs_due_release(&work->due);
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
    case CAIRN_LAW_LAGGED:
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
    case CAIRN_LAW_LAGGED:
        return CRN_LOCAL_LAGGED;
    case CAIRN_LAW_PYRAMID:
    case CAIRN_LAW_BOX:
    case CAIRN_LAW_CONE:
        break;
    }
    return CRN_LOCAL_COULOMB;
}

/* A sweep, and from its result further on by what the last ones teach. */
static void advance(const run *at)
{
    gauss_seidel *work = at->work;
    crn_gs_history_before(&work->history, at->now.solution->r);
    crn_gs_sweep(&at->now);
    if (crn_gs_history_after(&work->history, at->now.solution->r, work->next) != CRN_GS_GO_ON)
    {
        crn_gs_move_to(&at->now, work->next);
    }
}

/* ----------------------------------------------------------------------------------------------------- the method */

static void copy_impulses(const run *at, const double *from, double *to)
{
    for (int i = 0; i < at->now.solution->contact_rows; ++i)
    {
        to[i] = from[i];
    }
}

/* v and c afresh from r, and the error there. */
static void settle(run *at)
{
    cairn_solution *solution = at->now.solution;
    crn_gs_plan_recover(&at->work->plan, at->now.problem, true, solution->r, solution->v, solution->c);
    at->error = crn_gs_error(&at->now);
}

static void keep_best(run *at)
{
    if (at->error < at->best_error)
    {
        at->best_error = at->error;
        copy_impulses(at, at->now.solution->r, at->work->best);
    }
}

static void go_back_to_best(run *at)
{
    if (isfinite(at->best_error))
    {
        copy_impulses(at, at->work->best, at->now.solution->r);
    }
    settle(at);
}

/* Impulses of the guess put on their cones, so that a poor guess does no harm. */
static void start(run *at, double tolerance)
{
    const cairn_problem *problem = at->now.problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double guess[3] = {0.0, 0.0, 0.0};
        double *r = at->now.solution->r + (size_t)j * problem->dim;
        bool finite = true;
        for (int k = 0; k < problem->dim; ++k)
        {
            finite = finite && isfinite(r[k]);
            guess[k] = r[k];
        }
        memset(guess, 0, finite ? 0 : sizeof guess);
        crn_local_project(at->now.law, problem->dim, crn_gs_friction(&at->now, j), guess, r);
    }
    crn_gs_plan_recover(&at->work->plan, problem, false, at->now.solution->r, at->now.solution->v, at->now.solution->c);
    at->best_error = INFINITY;
    at->error = crn_gs_error(&at->now);
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
        at->now.omega *= 0.5;
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
        at->error = crn_gs_error(&at->now);
        if (at->error <= tolerance)
        {
            settle(at); /* without the rounding of the sweeps' updates */
        }
        keep_best(at);
    }
    return sweeps;
}

static bool is_large(const run *at)
{
    return at->now.problem->contact_count >= LARGE && crn_gs_due_applies(&at->now);
}

/* First by visits to contacts that are due alone. */
static cairn_status visit_due(run *at, double tolerance, int limit, int *sweeps)
{
    cairn_status status = CAIRN_OK;
    if (at->error > tolerance)
    {
        status = crn_gs_due_iterate(&at->work->due, &at->now, tolerance, limit, &at->error, sweeps);
    }
    if (!status && at->error <= tolerance)
    {
        settle(at);
    }
    keep_best(at);
    return status;
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    gauss_seidel *work = workspace;
    run at = {{&work->plan, problem, solution, local_law(problem), 1.0, work->relaxation, options->threads},
              work,
              INFINITY,
              INFINITY};
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
    at.now.scale = crn_gs_scale(&work->plan, problem);
    start(&at, options->tolerance);
    int limit = options->max_iterations > 0 ? options->max_iterations : default_limit(problem);
    int sweeps = 0;
    if (is_large(&at) && visit_due(&at, options->tolerance, limit, &sweeps))
    {
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    }
    report->iterations = sweeps + iterate(&at, options->tolerance, limit - sweeps);
    if (at.error > options->tolerance)
    {
        go_back_to_best(&at);
    }
    report->converged = at.error <= options->tolerance;
    return CAIRN_OK;
}

const crn_method crn_method_gauss_seidel = {"gauss-seidel", can_solve, create, destroy, solve};
