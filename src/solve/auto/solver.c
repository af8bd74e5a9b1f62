/* The public solver: check, take the problem apart into its islands (pool.c), solve each by the kind asked for (auto.c chooses),
 * certify. A problem that is one island is solved as it stands; the best solution by certificate is the answer.
 *
 * Sweeps do not care whether a problem falls apart, and to take it apart costs more than a few of them. So where all islands
 * are small some sweeps come first, over the whole, and islands when these have missed.
 */
#include "cairn/solver.h"

#include "base/clock.h"
#include "base/context.h"
#include "base/memory.h"
#include "solve/auto/auto.h"
#include "solve/auto/cause.h"
#include "solve/auto/island_pool.h"
#include "solve/auto/monotone.h"
#include "solve/auto/problem_check.h"
#include "solve/auto/solver.h"

#include <stdlib.h>

struct cairn_solver
{
    cairn_context *context;
    crn_solver_policy *policy;
    crn_solver_policy *
        presweep_workspace; /* for sweeps over problems that fall apart: orderings live on in each by itself; NULL: none yet */
    crn_island_pool pool;
    bool apart;                 /* the last problem was solved by its islands */
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
    if (options->threads < 0 || options->threads > CAIRN_MAX_THREADS)
    {
        return crn_fail(context, CAIRN_INVALID, "threads is %d; it must be from 0 (one) to %d", options->threads,
                        CAIRN_MAX_THREADS);
    }
    return CAIRN_OK;
}

/* Refuse a kind that does not solve the law, rather than give an answer to another question. */
static cairn_status check_law(cairn_context *context, cairn_solver_kind kind, const cairn_problem *problem)
{
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
    SMALL_ISLAND = 100, /* contacts of the largest, for sweeps before the problem is taken apart */
    SWEEPS = 12
};

static int largest_island(const crn_islands *islands)
{
    int largest = 0;
    for (int k = 0; k < islands->count; ++k)
    {
        int contacts = crn_members_count(&islands->contacts, k);
        largest = contacts > largest ? contacts : largest;
    }
    return largest;
}

/* Forces are chosen island by island, where there may be a choice. */
static bool may_sweep(const cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options)
{
    int largest = largest_island(&solver->pool.islands);
    bool no_choice = options->forces == CAIRN_FORCES_ANY || (largest <= 1 && problem->joint_rows == 0);
    return no_choice && options->kind == CAIRN_SOLVER_AUTO && problem->contact_count > 0 &&
           crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, problem) && largest <= SMALL_ISLAND;
}

/* Some sweeps over the whole; they are done when the attempt is. */
static cairn_status sweep(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                          cairn_solution *solution, cairn_solver_report *report)
{
    solver->presweep_workspace = solver->presweep_workspace ? solver->presweep_workspace : crn_solver_policy_create();
    if (!solver->presweep_workspace)
        return CAIRN_NO_MEMORY;
    crn_attempt *attempt = &solver->presweep_workspace->attempt;
    cairn_status status = crn_attempt_begin(attempt, solver->context, problem, options);
    bool exact = crn_auto_is_exact(problem, largest_island(&solver->pool.islands));
    attempt->islands = &solver->pool.islands;
    attempt->brief = true;
    status = status ? status : crn_solve_sweep(solver->presweep_workspace, SWEEPS, exact);
    crn_attempt_result(attempt, solution, report);
    return status;
}

/* As one problem. */
static cairn_status solve_whole(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                                cairn_solution *solution, cairn_solver_report *report)
{
    const crn_islands *islands = &solver->pool.islands;
    cairn_status status = crn_solver_policy_solve(solver->policy, solver->context, problem,
                                                  islands->component_count > 1 ? islands : NULL, options);
    if (!status)
        crn_attempt_result(&solver->policy->attempt, solution, report);
    return status;
}

/* By its islands, where it has several. When one cannot be solved for a reason other than memory the whole is tried, which
 * tells that reason with the numbers that the caller knows rows and contacts by. */
static cairn_status solve(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                          cairn_solution *solution, cairn_solver_report *report)
{
    double deadline = crn_deadline(options->time_limit);
    cairn_status status = crn_island_pool_survey(&solver->pool, problem, &solver->apart);
    cairn_solver_options further = *options;
    if (!status && solver->apart && may_sweep(solver, problem, options))
    {
        status = sweep(solver, problem, options, solution, report);
        further.guess = status ? options->guess : solution->r;
        further.time_limit = crn_time_left(deadline);
        solver->apart = status || report->outcome != CAIRN_SOLVED;
        if (!solver->apart)
            return CAIRN_OK;
    }
    if (status != CAIRN_NO_MEMORY && solver->apart)
    {
        status = crn_island_pool_solve(&solver->pool, problem, &further, solution, report);
        solver->apart = status == CAIRN_OK;
    }
    bool whole = !solver->apart && status != CAIRN_NO_MEMORY;
    return whole ? solve_whole(solver, problem, &further, solution, report) : status;
}

static void count_islands(cairn_solver *solver, cairn_solver_report *report)
{
    const crn_islands *islands = &solver->pool.islands;
    report->islands = islands->count;
    report->largest_island = largest_island(islands);
    solver->report = *report;
}

cairn_status cairn_solver_solve(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                                cairn_solution *solution, cairn_solver_report *report)
{
    if (!solver || !problem || !options || !solution || !report)
        return crn_fail(solver ? solver->context : NULL, CAIRN_INVALID, "solver: an argument is NULL");
    cairn_context *context = solver->context;
    solver->pool.islands.count = 0;
    int messages = cairn_context_message_count(context);
    cairn_status status = check_options(context, options);
    status = status ? status : crn_problem_check(context, problem);
    status = status ? status : check_law(context, options->kind, problem);
    status = status ? status : crn_problem_check_masses(context, problem);
    status = status ? status : solve(solver, problem, options, solution, report);
    solver->pool.islands.count = status ? 0 : solver->pool.islands.count;
    if (status == CAIRN_NUMERIC && cairn_context_message_count(context) == messages)
        status = crn_tell_numeric(context, problem);
    if (status == CAIRN_NO_MEMORY)
        return crn_fail(context, status, "no memory to solve a problem of %d contacts", problem->contact_count);
    if (!status)
    {
        crn_forget_messages(context, messages);
        report->out_of_time = report->out_of_time && report->outcome != CAIRN_SOLVED;
        report->cause = report->out_of_time ? CAIRN_CAUSE_TIME : CAIRN_CAUSE_UNKNOWN;
        report->culprit = -1;
        bool ask = report->outcome == CAIRN_FAILED && !report->out_of_time;
        status = ask ? crn_find_cause(problem, report) : CAIRN_OK;
        count_islands(solver, report);
    }
    return status;
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
