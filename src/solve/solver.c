/* The public solver: check, solve by the kind asked for (auto.c chooses), certify. The best solution by certificate is the
 * answer; its arrays are the attempt's own.
 */
#include "cairn/solver.h"

#include "base/context.h"
#include "base/memory.h"
#include "solve/auto.h"
#include "solve/problem_check.h"
#include "solve/solver.h"

#include <stdlib.h>

struct cairn_solver
{
    cairn_context *context;
    crn_chooser chooser;
};

crn_attempt *crn_solver_attempt(cairn_solver *solver)
{
    return &solver->chooser.attempt;
}

cairn_context *crn_solver_context(cairn_solver *solver)
{
    return solver->context;
}

cairn_solver_options cairn_solver_default(void)
{
    return (cairn_solver_options){.kind = CAIRN_SOLVER_AUTO, .tolerance = 1e-9, .max_iterations = 0};
}

cairn_solver *cairn_solver_create(cairn_context *context)
{
    cairn_solver *solver = calloc(1, sizeof(cairn_solver));
    if (!solver || !crn_attempt_open(&solver->chooser.attempt))
    {
        cairn_solver_destroy(solver);
        crn_fail(context, CAIRN_NO_MEMORY, "no memory for a solver");
        return NULL;
    }
    solver->context = context;
    return solver;
}

void cairn_solver_destroy(cairn_solver *solver)
{
    if (solver)
    {
        crn_attempt_close(&solver->chooser.attempt);
        crn_workshop_release(&solver->chooser.workshop);
        crn_near_release(&solver->chooser.near);
        free(solver);
    }
}

static cairn_status check_options(cairn_context *context, const cairn_solver_options *options)
{
    if ((int)options->kind < 0 || (int)options->kind >= CRN_SOLVER_KINDS)
    {
        return crn_fail(context, CAIRN_INVALID, "the solver %d is unknown", (int)options->kind);
    }
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
    return CAIRN_OK;
}

/* Refuse a kind that does not solve the law, rather than give an answer to another question. */
static cairn_status check_law(cairn_context *context, cairn_solver_kind kind, const cairn_problem *problem)
{
    if (kind == CAIRN_SOLVER_AUTO || crn_kind_can_solve(kind, problem))
    {
        return CAIRN_OK;
    }
    if (kind == CAIRN_SOLVER_LEMKE)
    {
        return crn_fail(context, CAIRN_INVALID,
                        "the solver lemke takes polyhedral laws only; take pyramid(m) or convex pyramid(m), or the "
                        "solver auto for the circular cone");
    }
    const crn_method *method = crn_method_of(kind);
    return crn_fail(context, CAIRN_INVALID, "the solver %s does not solve this law; take the solver auto",
                    method ? method->name : "asked for");
}

static cairn_status solve(crn_chooser *chooser, cairn_context *context, const cairn_problem *problem,
                          const cairn_solver_options *options)
{
    cairn_status status = crn_attempt_begin(&chooser->attempt, context, problem, options);
    if (status)
    {
        return status;
    }
    return options->kind == CAIRN_SOLVER_AUTO ? crn_solve_auto(chooser) : crn_solve_with(chooser, options->kind);
}

cairn_status cairn_solver_solve(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                                cairn_solution *solution, cairn_solver_report *report)
{
    cairn_context *context = solver->context;
    cairn_status status = check_options(context, options);
    status = status ? status : crn_problem_check(context, problem);
    status = status ? status : check_law(context, options->kind, problem);
    status = status ? status : solve(&solver->chooser, context, problem, options);
    if (status == CAIRN_NO_MEMORY)
    {
        return crn_fail(context, status, "no memory to solve a problem of %d contacts", problem->contact_count);
    }
    if (!status)
    {
        crn_attempt_result(&solver->chooser.attempt, solution, report);
    }
    return status;
}
