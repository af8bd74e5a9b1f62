/* The public solver, and the way from a call to a method. The solver (this file) checks the problem, finds its islands, and
 * looks for the cause of a failure. The island pool (island_pool.c) solves the islands of a problem separately and merges their
 * solutions; it is left out where there is only one. The policy (auto.c) chooses methods for one problem, by its size and law,
 * until one meets the tolerance. The attempt (attempt.c) runs one method, judges its result by the certificate and keeps the
 * best. The method (method.h; solve/pivot for Lemke's) is one algorithm and knows nothing of the others.
 *
 * Sweeps do not care whether a problem has several islands, and splitting it costs more than a few sweeps. So where all islands
 * are small, some sweeps over the whole problem come first; it is split only when they miss the tolerance.
 */
#include "cairn/solver.h"

#include "base/clock.h"
#include "base/context.h"
#include "base/memory.h"
#include "solve/auto/auto.h"
#include "solve/auto/cause.h"
#include "solve/auto/island_pool.h"
#include "solve/auto/laws.h"
#include "solve/auto/monotone.h"
#include "solve/auto/problem_check.h"
#include "solve/auto/solver.h"

#include <assert.h>
#include <stdlib.h>

struct cairn_solver
{
    cairn_context *context;
    crn_solver_policy *policy;
    crn_solver_policy *presweep_workspace; /* separate, so each keeps its ordering; NULL: not needed yet */
    crn_island_pool pool;
    bool apart;                 /* the last problem was solved by islands */
    bool lazy;                  /* forces may be chosen when they are asked for */
    bool waiting;               /* those of the last problem are still to be chosen */
    cairn_solver_report report; /* of the last problem */
};

crn_attempt *crn_solver_attempt(cairn_solver *solver)
{
    return &solver->policy->attempt;
}

cairn_context *crn_solver_context(cairn_solver *solver)
{
    return solver->context;
}

void crn_solver_release_methods(cairn_solver *solver)
{
    crn_workshop_release(&solver->policy->workshop);
    for (int i = 0; i < solver->pool.worker_count; ++i)
        if (solver->pool.worker[i])
            crn_workshop_release(&solver->pool.worker[i]->workshop);
}

void crn_solver_set_lazy(cairn_solver *solver, bool lazy)
{
    solver->lazy = lazy;
}

bool crn_solver_is_waiting(const cairn_solver *solver)
{
    return solver->waiting;
}

cairn_status crn_solver_choose_forces(cairn_solver *solver, cairn_solution *solution, cairn_solver_report *report)
{
    assert(solver->waiting);
    solver->waiting = false;
    return crn_solver_policy_choose_later(solver->policy, solution, report);
}

cairn_solver_options cairn_solver_default(void)
{
    return (cairn_solver_options){
        .struct_size = sizeof(cairn_solver_options), .kind = CAIRN_SOLVER_AUTO, .tolerance = 1e-9, .threads = 1};
}

cairn_solver *cairn_solver_create(cairn_context *context)
{
    cairn_solver *solver = calloc(1, sizeof(cairn_solver));
    if (solver)
    {
        solver->context = context;
        solver->policy = crn_solver_policy_create();
    }
    if (!solver || !solver->policy || !crn_island_pool_open(&solver->pool, solver->policy))
    {
        cairn_solver_destroy(solver);
        crn_fail(context, CAIRN_NO_MEMORY, "no memory for a solver");
        return NULL;
    }
    return solver;
}

void cairn_solver_destroy(cairn_solver *solver)
{
    if (solver)
    {
        crn_island_pool_close(&solver->pool);
        crn_solver_policy_destroy(solver->policy);
        crn_solver_policy_destroy(solver->presweep_workspace);
        free(solver);
    }
}

static cairn_status check_options(cairn_context *context, const cairn_solver_options *options)
{
    CRN_TRY(crn_check_size(context, "solver", options->struct_size, sizeof *options));
    if ((int)options->kind < 0 || options->kind >= CAIRN_SOLVER_KINDS)
        return crn_fail(context, CAIRN_INVALID, "the solver %d is unknown", (int)options->kind);
    if (!(options->tolerance > 0.0))
    {
        return crn_fail(context, CAIRN_INVALID, "the solver's tolerance is %g; it must be positive",
                        options->tolerance);
    }
    if (options->max_iterations < 0)
    {
        return crn_fail(context, CAIRN_INVALID, "max_iterations is %d; it must not be negative",
                        options->max_iterations);
    }
    if (!(options->time_limit >= 0.0))
        return crn_fail(context, CAIRN_INVALID, "time_limit is %g s; it must be 0 (none) or more", options->time_limit);
    if (!(options->work_limit >= 0.0))
        return crn_fail(context, CAIRN_INVALID, "work_limit is %g; it must be 0 (none) or more", options->work_limit);
    if (options->threads < 0 || options->threads > CAIRN_MAX_THREADS)
    {
        return crn_fail(context, CAIRN_INVALID, "threads is %d; it must be from 0 (one) to %d", options->threads,
                        CAIRN_MAX_THREADS);
    }
    return CAIRN_OK;
}

/* Refuse a kind that does not solve the law. */
static cairn_status check_law(cairn_context *context, cairn_solver_kind kind, const cairn_problem *problem)
{
    assert(crn_law_is_valid(problem->law));
    if (kind == CAIRN_SOLVER_AUTO || crn_kind_can_solve(kind, problem))
        return CAIRN_OK;
    if (kind == CAIRN_SOLVER_LEMKE)
    {
        return crn_fail(context, CAIRN_INVALID,
                        "the solver lemke takes polyhedral laws only; take pyramid(m) or convex pyramid(m), or the "
                        "solver auto for the circular cone");
    }
    return crn_fail(context, CAIRN_INVALID, "the solver %s does not solve this law; take the solver auto",
                    cairn_solver_kind_name(kind));
}

enum
{
    SMALL_ISLAND = 100, /* contacts and bounded rows of the largest island, for sweeps before the problem is split */
    SWEEPS = 12
};

/* The contacts of the island with most; bounded rows count as well where `bound` is NULL. */
static int largest_island(const crn_islands *islands, const cairn_bound *bound)
{
    int largest = 0;
    for (int k = 0; k < islands->count; ++k)
    {
        int contacts = 0;
        for (int i = islands->contacts.start[k]; i < islands->contacts.start[k + 1]; ++i)
            contacts += !bound || !bound[islands->contacts.member[i]].is_row;
        largest = contacts > largest ? contacts : largest;
    }
    return largest;
}

/* Whether to sweep before splitting: not where forces have to be chosen, which is done island by island. */
static bool may_sweep(const cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options)
{
    assert(solver->apart);
    int largest = largest_island(&solver->pool.islands, NULL);
    bool no_choice = options->forces == CAIRN_FORCES_ANY || (largest <= 1 && problem->joint_rows == 0);
    return no_choice && options->kind == CAIRN_SOLVER_AUTO && problem->contact_count > 0 &&
           crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, problem) && !crn_auto_pivots_first(problem) &&
           largest <= SMALL_ISLAND;
}

/* Some sweeps over the whole problem. */
static cairn_status sweep(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                          cairn_solution *solution, cairn_solver_report *report)
{
    assert(solver->pool.islands.group_count > 1);
    solver->presweep_workspace = solver->presweep_workspace ? solver->presweep_workspace : crn_solver_policy_create();
    if (!solver->presweep_workspace)
        return CAIRN_NO_MEMORY;
    crn_attempt *attempt = &solver->presweep_workspace->attempt;
    bool exact = crn_auto_is_exact(problem, largest_island(&solver->pool.islands, NULL));
    CRN_TRY(crn_attempt_begin(attempt, solver->context, problem, options));
    attempt->islands = &solver->pool.islands;
    attempt->brief = true;
    CRN_TRY(crn_solve_sweep(solver->presweep_workspace, SWEEPS, exact));
    *solution = attempt->best;
    *report = attempt->report;
    return CAIRN_OK;
}

/* Whether the answer may be the guess with the forces it has: not where forces have to be chosen in every step. */
static bool may_keep(const cairn_solver_options *options)
{
    return options->steady && (options->forces == CAIRN_FORCES_AUTO || options->forces == CAIRN_FORCES_ANY);
}

/* Whether forces of the problem just solved can be chosen later. The choice must not depend on the time that passes until then. */
static bool may_wait(const cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options)
{
    const crn_solver_policy *policy = solver->policy;
    return solver->lazy && (policy->direct || policy->resting) && policy->attempt.report.outcome == CAIRN_SOLVED &&
           options->time_limit == 0.0 && crn_forces_keep_velocities(problem, options->forces);
}

/* Solve by islands where there are several. When an island fails for a reason other than memory the whole problem is tried,
 * whose messages name rows and contacts by the caller's numbers. */
static cairn_status solve(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                          cairn_solution *solution, cairn_solver_report *report)
{
    const crn_islands *islands = &solver->pool.islands;
    double deadline = crn_deadline(options->time_limit);
    cairn_solver_options further = *options;
    CRN_TRY(crn_islands_find(&solver->pool.islands, problem));
    const crn_islands *several = islands->component_count > 1 ? islands : NULL;
    bool still = false;
    if (may_keep(options))
        CRN_TRY(crn_solver_policy_begin(solver->policy, solver->context, problem, several,
                                        largest_island(islands, NULL), options, &still));
    solver->apart = islands->group_count > 1 && !still && !(may_keep(options) && solver->policy->direct);
    if (may_keep(options) && !solver->apart)
    {
        CRN_TRY(crn_solver_policy_run(solver->policy, options));
        /* trees of joints without contacts have one solution: there are no forces to choose */
        bool unique = solver->policy->direct && problem->contact_count == 0;
        solver->waiting = !unique && may_wait(solver, problem, options);
        if (solver->waiting)
            return crn_solver_policy_defer(solver->policy, solution, report);
        if (!still && !solver->policy->slight && !unique)
            return crn_solver_policy_choose(solver->policy, options, solution, report);
        *solution = solver->policy->attempt.best;
        *report = solver->policy->attempt.report;
        report->kept_forces = !unique;
        return CAIRN_OK;
    }
    if (solver->apart && may_sweep(solver, problem, options))
    {
        cairn_status status = sweep(solver, problem, options, solution, report);
        solver->apart = status || report->outcome != CAIRN_SOLVED;
        if (!solver->apart || status == CAIRN_NO_MEMORY)
            return status;
        further.guess = status ? options->guess : solution->r;
        further.time_limit = crn_time_left(deadline);
    }
    if (solver->apart)
    {
        cairn_status status = crn_island_pool_solve(&solver->pool, problem, &further, solution, report);
        solver->apart = status == CAIRN_OK;
        if (solver->apart || status == CAIRN_NO_MEMORY)
            return status;
    }
    return crn_solver_policy_solve(solver->policy, solver->context, problem, several, &further, solution, report);
}

/* Complete the report of a problem that was solved or found to have no solution. */
static cairn_status finish_report(cairn_solver *solver, const cairn_problem *problem, cairn_solver_report *report)
{
    assert(solver->pool.islands.count <= solver->pool.islands.group_count);
    const crn_islands *islands = &solver->pool.islands;
    report->out_of_time = report->out_of_time && report->outcome != CAIRN_SOLVED;
    report->cause = report->out_of_time ? CAIRN_CAUSE_TIME : CAIRN_CAUSE_UNKNOWN;
    report->culprit = -1;
    report->islands = islands->count;
    report->largest_island = largest_island(islands, problem->bound);
    bool ask = report->outcome == CAIRN_FAILED && !report->out_of_time;
    cairn_status status = ask ? crn_find_cause(problem, report) : CAIRN_OK;
    solver->report = *report;
    return status;
}

cairn_status crn_solver_solve_own(cairn_solver *solver, const cairn_problem *problem,
                                  const cairn_solver_options *options, cairn_solution *solution,
                                  cairn_solver_report *report)
{
    cairn_context *context = solver->context;
    assert(cairn_problem_is_valid(NULL, problem));
    solver->pool.islands.count = 0;
    solver->waiting = false;
    int messages = cairn_context_message_count(context);
    cairn_status status = check_options(context, options);
    status = status ? status : check_law(context, options->kind, problem);
    status = status ? status : crn_problem_check_masses(context, problem);
    status = status ? status : solve(solver, problem, options, solution, report);
    solver->pool.islands.count = status ? 0 : solver->pool.islands.count;
    if (status == CAIRN_NUMERIC && cairn_context_message_count(context) == messages)
        status = crn_tell_numeric(context, problem);
    if (status == CAIRN_NO_MEMORY)
        return crn_fail(context, status, "no memory to solve a problem of %d contacts and bounded rows",
                        problem->contact_count);
    if (status)
        return status;
    crn_forget_messages(context, messages);
    return finish_report(solver, problem, report);
}

cairn_status cairn_solver_solve(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                                cairn_solution *solution, cairn_solver_report *report)
{
    if (!solver || !problem || !options || !solution || !report)
        return crn_fail(solver ? solver->context : NULL, CAIRN_INVALID, "solver: an argument is NULL");
    solver->pool.islands.count = 0;
    CRN_TRY(check_options(solver->context, options));
    CRN_TRY(crn_problem_check(solver->context, problem));
    return crn_solver_solve_own(solver, problem, options, solution, report);
}

int cairn_solver_island_count(const cairn_solver *solver)
{
    return solver->pool.islands.count;
}

cairn_island cairn_solver_island(const cairn_solver *solver, int index)
{
    const crn_islands *islands = &solver->pool.islands;
    if (index < 0 || index >= islands->count)
        return (cairn_island){.outcome = CAIRN_FAILED, .method = "none"};
    const cairn_solver_report *report = solver->apart ? &solver->pool.result[index].report : &solver->report;
    return (cairn_island){
        .block_count = crn_members_count(&islands->blocks, index),
        .joint_count = crn_members_count(&islands->joints, index),
        .contact_count = crn_members_count(&islands->contacts, index),
        .block = islands->blocks.member + islands->blocks.start[index],
        .joint = islands->joints.member + islands->joints.start[index],
        .contact = islands->contacts.member + islands->contacts.start[index],
        .outcome = report->outcome,
        .iterations = report->iterations,
        .method = report->method,
    };
}
