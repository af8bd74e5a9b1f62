/* Which method, and what next when it misses. */
#ifndef CRN_SOLVE_AUTO_AUTO_H
#define CRN_SOLVE_AUTO_AUTO_H

#include "solve/auto/attempt.h"
#include "solve/auto/methods.h"
#include "solve/auto/perturbed_problem.h"
#include "solve/forces/forces.h"

typedef struct crn_solver_policy
{
    crn_attempt attempt;
    crn_workshop workshop;
    crn_perturbed near;
    crn_forces forces;
    crn_attempt *prover; /* that a problem has no solution; NULL: not needed yet */
} crn_solver_policy;

/* NULL when memory ran out. */
crn_solver_policy *crn_solver_policy_create(void);
void crn_solver_policy_destroy(crn_solver_policy *policy);

/* Solve by the kind asked for, which must be able to; the attempt's result is the answer. */
cairn_status crn_solver_policy_solve(crn_solver_policy *policy, cairn_context *context, const cairn_problem *problem,
                                     const crn_islands *islands, const cairn_solver_options *options);

/* Whether a kind can solve the problem's law at all, exact friction over a convex method counted in. */
bool crn_kind_can_solve(cairn_solver_kind kind, const cairn_problem *problem);

/* One kind alone; the attempt has begun. */
cairn_status crn_solve_with(crn_solver_policy *policy, cairn_solver_kind kind);

/* Whether an island of so many of the problem's contacts is small enough for pivoting, so that its result is to be exact. */
bool crn_auto_is_exact(const cairn_problem *problem, int contacts);

/* Gauss-Seidel alone, which must be able to, by `limit` sweeps unless the caller has a limit of his own; the attempt has begun.
 * exact: it is done when the certificate is nearly what rounding leaves. */
cairn_status crn_solve_sweep(crn_solver_policy *policy, int limit, bool exact);

/* The choice, with fallbacks. */
cairn_status crn_solve_auto(crn_solver_policy *policy);

#endif
