/* The public solver: reduce to the contacts, expand the law to a linear complementarity problem, pivot, refine,
 * certify; and when the certificate misses the tolerance, try again in stronger ways (fallback.c), keeping the best.
 */
#include "cairn/solver.h"

#include "base/context.h"
#include "base/memory.h"
#include "solve/problem_check.h"
#include "solve/solver.h"

#include <stdlib.h>

struct cairn_solver
{
    cairn_context *context;
    crn_attempt attempt;
};

crn_attempt *crn_solver_attempt(cairn_solver *solver)
{
    return &solver->attempt;
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
    if (!solver || !crn_attempt_open(&solver->attempt))
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
        crn_attempt_close(&solver->attempt);
        free(solver);
    }
}

static cairn_status check_options(cairn_context *context, const cairn_solver_options *options)
{
    if (options->kind != CAIRN_SOLVER_AUTO && options->kind != CAIRN_SOLVER_LEMKE)
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

cairn_status cairn_solver_solve(cairn_solver *solver, const cairn_problem *problem, const cairn_solver_options *options,
                                cairn_solution *solution, cairn_solver_report *report)
{
    crn_attempt *attempt = &solver->attempt;
    cairn_status status = check_options(solver->context, options);
    status = status ? status : crn_problem_check(solver->context, problem);
    status = status ? status : crn_attempt_prepare(attempt, solver->context, problem, options);
    status = status ? status : crn_attempt_lemke(attempt);
    if (!status && options->kind == CAIRN_SOLVER_AUTO)
    {
        status = crn_attempt_fallbacks(attempt);
    }
    if (status == CAIRN_NO_MEMORY)
    {
        return crn_fail(solver->context, status, "no memory to solve a problem of %d contacts", problem->contact_count);
    }
    if (!status)
    {
        crn_attempt_result(attempt, solution, report);
    }
    return status;
}
