/* Block projected Gauss-Seidel with exact local solves.
 *
 * A sweep (gauss_seidel_sweep.h) visits every contact once and solves its law with all other impulses held. v always satisfies
 * the dynamics and the joints of the present r, so joints hold in every iterate. The plan (gauss_seidel_plan.h) gives the
 * order: by colours, with or without threads, and contacts of one colour share no data. Results are therefore bit-identical
 * for any number of threads.
 *
 * Problems of many rigid contacts begin with sweeps of their compact view (momentum_sweeps.h), and what these leave of large ones is first looked for by visits
 * to only those contacts that are due (active_visits.h). Plain sweeps converge slowly where
 * contacts are redundant or loads travel far; they are extrapolated (gauss_seidel_anderson.h), and where contacts are few
 * Newton's method takes over when it is expected to be faster (gauss_seidel_newton.h).
 *
 * Every few sweeps the natural map is measured at the current point. The method stops at the tolerance. When
 * doubling the number of sweeps has gained less than a third it halves the relaxation, since under strong coupling
 * plain sweeps can cycle between two points; the third time it gives up and returns the best point seen.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "linalg/compliance.h"
#include "solve/auto/bounded.h"
#include "solve/auto/method.h"
#include "solve/sweep/active_visits.h"
#include "solve/sweep/gauss_seidel_anderson.h"
#include "solve/sweep/gauss_seidel_newton.h"
#include "solve/sweep/gauss_seidel_pack.h"
#include "solve/sweep/gauss_seidel_sweep.h"
#include "solve/sweep/momentum_sweeps.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FIRST_CHECK = 1,    /* bodies that rest only on the ground need one sweep, */
    CHECK_EVERY = 5,    /* most others about ten */
    LEAST_SWEEPS = 100, /* before a stall counts */
    MAX_SWEEPS = 20000,
    FIRST_LEAP = 10, /* sweeps */
    FIRST_LOOK = 20,
    MOST_HOPELESS = 200, /* contacts */
    PATIENCE = 3,        /* stalls */
    GATHERED = 300,      /* contacts: from here on sweeps of the compact view come first, */
    GATHERED_MORE = 10,  /* this many times as many as a successor leaves to sweeps: they cost so much less */
    LARGE = 5000         /* contacts: from here on only contacts that are due are visited first */
};

/* An error below this share of the tolerance is below the tolerance despite rounding. */
static const double SURE = 0.1;

/* Give up when the sweeps still needed exceed those left by this factor. */
static const double HOPELESS = 4.0;

/* The default limit in contact visits, for problems too large for MAX_SWEEPS. */
static const double MAX_VISITS = 4e8;

typedef struct gauss_seidel
{
    crn_gs_plan plan;
    crn_gs_pack pack;
    crn_gs_due due;
    crn_gs_history history;
    crn_gs_newton newton;
    crn_gs_momentum momentum;
    double *best; /* r of the smallest error seen */
    double *next; /* r extrapolated */
    crn_polygon polygon;
    crn_arena memory;
} gauss_seidel;

/* One call. */
typedef struct run
{
    crn_gs_run now;
    gauss_seidel *work;
    double error, best_error; /* relative */
    const crn_method_options *options;
} run;

static void *create(void)
{
    gauss_seidel *work = calloc(1, sizeof(gauss_seidel));
    if (work && !crn_gs_plan_open(&work->plan))
    {
        free(work);
        return NULL;
    }
    return work;
}

static void destroy(void *workspace)
{
    gauss_seidel *work = workspace;
    if (!work)
        return;
    crn_gs_plan_close(&work->plan);
    crn_gs_pack_release(&work->pack);
    crn_gs_due_release(&work->due);
    crn_gs_history_release(&work->history);
    crn_gs_newton_release(&work->newton);
    crn_gs_momentum_release(&work->momentum);
    crn_arena_release(&work->memory);
    free(work);
}

/* In the plane there are only two directions: all exact laws with friction coincide, and so do all convex ones. */
static bool can_solve(const cairn_problem *problem)
{
    switch (problem->law.kind)
    {
    case CAIRN_LAW_FRICTIONLESS:
    case CAIRN_LAW_PYRAMID:
    case CAIRN_LAW_BOX:
    case CAIRN_LAW_CONE:
    case CAIRN_LAW_CONVEX_CONE:
    case CAIRN_LAW_LAGGED:
        return true;
    case CAIRN_LAW_CONVEX_PYRAMID:
        return problem->dim == 2 || crn_has_rows_only(problem);
    }
    return false;
}

crn_local_law crn_gs_law(const cairn_problem *problem)
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
        return problem->dim == 2 ? CRN_LOCAL_COULOMB : CRN_LOCAL_POLYGON;
    case CAIRN_LAW_CONE:
        break;
    }
    return CRN_LOCAL_COULOMB;
}

/* One sweep, and an extrapolation from its result. */
static void advance(const run *at)
{
    gauss_seidel *work = at->work;
    crn_gs_history_before(&work->history, at->now.solution->r);
    crn_gs_sweep(&at->now);
    if (crn_gs_history_after(&work->history, at->now.solution->r, work->next) != CRN_GS_GO_ON)
        crn_gs_move_to(&at->now, work->next);
}

/* ----------------------------------------------------------------------------------------------------- the method */

static void copy_impulses(const run *at, const double *from, double *to)
{
    assert(at->now.solution->contact_rows == at->now.problem->dim * at->now.problem->contact_count);
    for (int i = 0; i < at->now.solution->contact_rows; ++i)
        to[i] = from[i];
}

/* Recompute v and c from r, without the rounding errors of the sweeps' updates, and the error where it may matter. */
static void settle(run *at, double tolerance)
{
    assert(tolerance >= 0.0);
    cairn_solution *solution = at->now.solution;
    crn_gs_plan_recover(&at->work->plan, at->now.problem, true, solution->r, solution->v, solution->c);
    at->error = at->error <= SURE * tolerance ? at->error : crn_gs_error(&at->now);
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
        copy_impulses(at, at->work->best, at->now.solution->r);
    settle(at, 0.0);
}

static bool is_zero(int count, const double *x)
{
    int i = 0;
    while (i < count && x[i] == 0.0)
        ++i;
    return i == count;
}

/* Project the guess onto the cones, so that a poor one does no harm. On entry solution->v is that of r = 0 where no body is tied
 * to another. */
static void start(run *at, double tolerance)
{
    assert(at->now.scale > 0.0);
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
        crn_gs_project(&at->now, j, guess, r);
    }
    cairn_solution *solution = at->now.solution;
    if (!at->work->plan.apart || crn_has_compliance(problem) || !is_zero(solution->contact_rows, solution->r))
        crn_gs_plan_recover(&at->work->plan, problem, false, solution->r, solution->v, solution->c);
    at->best_error = INFINITY;
    at->error = crn_gs_error(&at->now);
    if (at->error <= tolerance)
        settle(at, tolerance);
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
    assert(at->now.omega > 0.0);
    assert(watch->stalls <= PATIENCE);
    if (sweeps < watch->next)
        return false;
    if (at->best_error > 0.67 * watch->before)
    {
        ++watch->stalls;
        at->now.omega *= 0.5;
        crn_gs_history_drop(&at->work->history); /* it belongs to another map */
    }
    watch->before = at->best_error;
    watch->next = 2 * sweeps;
    return watch->stalls >= PATIENCE;
}

static int next_check(int sweeps)
{
    int far = sweeps / 10 > CHECK_EVERY ? sweeps / 10 : CHECK_EVERY;
    return sweeps < CHECK_EVERY ? sweeps + 2 : sweeps + far;
}

/* Detects, where a stronger method can follow, that the error falls too slowly for the limit. Checked each time the number of
 * sweeps has doubled, in the first half of them. With many contacts the sweeps are cheap compared with the method that follows,
 * and give it a better start. */
typedef struct hope
{
    int next;
    double before;
} hope;

static bool is_hopeless(const run *at, hope *h, double tolerance, int sweeps, int limit)
{
    bool may = at->options->has_successor && at->now.problem->contact_count <= MOST_HOPELESS;
    if (!may || sweeps < h->next || sweeps > limit / 2)
        return false;
    double gain = log(h->before / at->best_error) / (0.5 * sweeps);
    bool hopeless = isfinite(h->before) && log(at->best_error / tolerance) > HOPELESS * gain * (limit - sweeps);
    h->next = 2 * sweeps;
    h->before = at->best_error;
    return hopeless;
}

/* When to consider Newton's method next, and the error at the last check. */
typedef struct newton_watch
{
    int next, checked;
    double before;
} newton_watch;

/* Rough operation counts of a visit to a contact, and of Newton's method as a whole. */
static const double VISIT = 500.0;

static double newton_cost(double rows, double contacts)
{
    return 50.0 * rows * contacts + 16.0 * (0.7 * rows * rows * rows + 20.0 * rows * rows);
}

/* Whether the sweeps still needed at the present rate far exceed the limit or cost more than Newton's method. */
static bool is_slow(const run *at, const newton_watch *watch, double tolerance, int sweeps, int limit)
{
    assert(sweeps > watch->checked);
    double gain = log(watch->before / at->error) / (sweeps - watch->checked);
    double more = gain > 0.0 ? log(at->error / tolerance) / gain : INFINITY;
    double contacts = at->now.problem->contact_count;
    return more > 2.0 * (limit - sweeps) ||
           more * VISIT * contacts > newton_cost(at->now.solution->contact_rows, contacts);
}

/* Apply Newton's method where it is worth it; the sweeps go on from its result, or from r unchanged where it fails. */
static cairn_status leap(run *at, newton_watch *watch, double tolerance, int sweeps, int limit, int *iterations)
{
    bool few = at->now.solution->contact_rows <= CRN_GS_NEWTON_ROWS && crn_local_is_conical(at->now.law) &&
               !at->options->brief;
    bool due = few && at->error > tolerance && isfinite(at->error) && (sweeps >= watch->next || sweeps >= limit);
    bool slow = due && is_slow(at, watch, tolerance, sweeps, limit);
    watch->before = at->error;
    watch->checked = sweeps;
    if (!slow)
        return CAIRN_OK;
    double u[CRN_GS_NEWTON_ROWS];
    for (int j = 0; j < at->now.problem->contact_count; ++j)
    {
        double own[3] = {0.0, 0.0, 0.0};
        crn_gs_velocity(&at->now, j, own);
        memcpy(u + (size_t)j * at->now.problem->dim, own, (size_t)at->now.problem->dim * sizeof(double));
    }
    bool found;
    cairn_status status =
        crn_gs_newton_solve(&at->work->newton, &at->work->plan, at->now.problem, at->now.law,
                            0.5 * tolerance * at->now.scale, u, at->now.solution->r, iterations, &found);
    if (!status && found)
    {
        settle(at, 0.0);
        crn_gs_history_drop(&at->work->history);
    }
    watch->next = 4 * sweeps;
    return status;
}

/* Sweep until the tolerance, a stall or the limit; *iterations is raised by the number of sweeps, and of Newton's steps. */
static cairn_status iterate(run *at, double tolerance, int limit, int *iterations)
{
    stall_watch watch = {LEAST_SWEEPS, 0, INFINITY};
    newton_watch leaps = {FIRST_LEAP, 0, at->error};
    hope look = {FIRST_LOOK, INFINITY};
    cairn_status status = CAIRN_OK;
    int sweeps = 0;
    int check = FIRST_CHECK;
    while (!status && sweeps < limit && at->error > tolerance && !has_stalled(at, &watch, sweeps) &&
           !is_hopeless(at, &look, tolerance, sweeps, limit))
    {
        advance(at);
        ++sweeps;
        limit = crn_is_late(at->now.deadline) ? sweeps : limit;
        if (sweeps < check && sweeps < limit)
            continue;
        check = next_check(sweeps);
        at->error = crn_gs_error(&at->now);
        if (at->error <= tolerance)
            settle(at, tolerance);
        keep_best(at);
        status = leap(at, &leaps, tolerance, sweeps, limit, iterations);
        keep_best(at);
    }
    *iterations += sweeps;
    return status;
}

static bool is_large(const run *at)
{
    return at->now.problem->contact_count >= LARGE && !at->options->brief && crn_gs_due_applies(&at->now);
}

/* Visit only the contacts that are due. */
static cairn_status visit_due(run *at, double tolerance, int limit, int *sweeps)
{
    assert(at->now.problem->contact_count >= LARGE);
    cairn_status status = CAIRN_OK;
    if (at->error > tolerance)
        status = crn_gs_due_iterate(&at->work->due, &at->now, tolerance, limit, &at->error, sweeps);
    if (!status && at->error <= tolerance)
        settle(at, tolerance);
    keep_best(at);
    return status;
}

/* Large problems of rigid bodies alone, unless there is a budget of work: its unit is the visit to a block. */
static bool may_gather(const run *at)
{
    return at->now.problem->contact_count >= GATHERED && !at->options->brief && !at->options->work;
}

/* Velocities and error of impulses that came from elsewhere. */
static void follow(run *at)
{
    cairn_solution *solution = at->now.solution;
    crn_gs_plan_recover(&at->work->plan, at->now.problem, false, solution->r, solution->v, solution->c);
    at->error = crn_gs_error(&at->now);
}

/* Sweep the compact view, with momentum. Where faces touch, impulses that miss the tolerance are worse for the methods that may follow than those
 * of sweeps over blocks from the beginning: loads of redundant contacts have gone astray. */
static cairn_status gather(run *at, double tolerance, int limit, int *sweeps)
{
    crn_gs_momentum *momentum = &at->work->momentum;
    bool is_followed = at->options->has_successor;
    int most = is_followed && limit < INT_MAX / GATHERED_MORE ? GATHERED_MORE * limit : limit;
    copy_impulses(at, at->now.solution->r, at->work->next);
    CRN_TRY(crn_gs_momentum_iterate(momentum, &at->now, tolerance, most, sweeps));
    if (*sweeps == 0)
        return CAIRN_OK;
    follow(at);
    if (at->error <= tolerance)
        settle(at, tolerance);
    else if (is_followed && !momentum->view.all_round)
    {
        copy_impulses(at, at->work->next, at->now.solution->r);
        follow(at);
    }
    keep_best(at);
    return CAIRN_OK;
}

/* Solve from the guess in solution->r; the plan has been made. */
static cairn_status work_on(run *at, int *iterations)
{
    const cairn_problem *problem = at->now.problem;
    const crn_method_options *options = at->options;
    cairn_solution *solution = at->now.solution;
    crn_gs_plan_free_velocity(&at->work->plan, problem, solution->v);
    at->now.scale = options->scale > 0.0 ? options->scale : crn_gs_scale(problem, solution->v);
    start(at, options->tolerance);
    int limit = options->max_iterations > 0 ? options->max_iterations : default_limit(problem);
    int sweeps = 0, gathered = 0;
    cairn_status status = CAIRN_OK;
    if (may_gather(at) && at->error > options->tolerance)
        status = gather(at, options->tolerance, limit, &gathered);
    limit = options->has_successor ? limit : limit - gathered;
    if (!status && is_large(at) && limit > 0)
        status = visit_due(at, options->tolerance, limit, &sweeps);
    *iterations = gathered + sweeps;
    status = status ? status : iterate(at, options->tolerance, limit - sweeps, iterations);
    if (!status && at->error > options->tolerance)
        go_back_to_best(at);
    return status;
}

/* Replace the problem and its impulses by copies with the contacts in the order of visits. */
static cairn_status pack(gauss_seidel *work, cairn_context *context, const cairn_problem **problem,
                         cairn_solution *solution)
{
    assert(crn_gs_pack_applies(*problem));
    CRN_TRY(crn_gs_plan_arrange(&work->plan, context, *problem));
    CRN_TRY(crn_gs_pack_make(&work->pack, *problem, work->plan.order, solution->r));
    *problem = &work->pack.problem;
    solution->r = work->pack.r;
    return CAIRN_OK;
}

static cairn_status solve(void *workspace, cairn_context *context, const cairn_problem *problem,
                          const crn_method_options *options, cairn_solution *solution, crn_method_report *report)
{
    gauss_seidel *work = workspace;
    cairn_solution own = *solution;
    bool packed = crn_gs_pack_applies(problem) && !options->brief;
    assert(can_solve(problem) && solution->contact_rows == problem->dim * problem->contact_count);
    *report = (crn_method_report){0};
    size_t rows = (size_t)solution->contact_rows + 1;
    cairn_status status = crn_reserve_all(&work->memory, CRN_ARRAY(work->best, rows), CRN_ARRAY(work->next, rows));
    status = status || !packed ? status : pack(work, context, &problem, &own);
    status = status
                 ? status
                 : crn_gs_plan_make(&work->plan, context, problem, options->has_successor ? &report->declined : NULL);
    if (status == CAIRN_NUMERIC || report->declined)
        return status;
    status = status ? status : crn_gs_history_start(&work->history, own.contact_rows, problem->dim, work->plan.rho);
    crn_local_law law = crn_gs_law(problem);
    if (law == CRN_LOCAL_POLYGON)
        crn_local_polygon_of(problem->law, &work->polygon);
    run at = {{&work->plan, problem, &own, law, 1.0, 1.0, options->threads, options->deadline,
               packed ? NULL : options->contact_scale, law == CRN_LOCAL_POLYGON ? &work->polygon : NULL},
              work,
              INFINITY,
              INFINITY,
              options};
    status = status ? status : work_on(&at, &report->iterations);
    if (status)
        return crn_fail(context, CAIRN_NO_MEMORY, "no memory for %d contacts", problem->contact_count);
    if (packed)
        crn_gs_pack_give(&work->pack, solution->r);
    report->converged = at.error <= options->tolerance;
    return CAIRN_OK;
}

const crn_method crn_method_gauss_seidel = {
    .name = "gauss-seidel",
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
