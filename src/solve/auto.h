/* Which method, and what next when it misses. */
#ifndef CRN_SOLVE_AUTO_H
#define CRN_SOLVE_AUTO_H

#include "solve/attempt.h"
#include "solve/forces.h"
#include "solve/methods.h"
#include "solve/near.h"

typedef struct crn_chooser
{
    crn_attempt attempt;
    crn_workshop workshop;
    crn_near near;
    crn_forces forces;
    crn_attempt *prover; /* that a problem has no solution; NULL: not needed yet */
} crn_chooser;

/* NULL when memory ran out. */
crn_chooser *crn_chooser_create(void);
void crn_chooser_destroy(crn_chooser *chooser);

/* Solve by the kind asked for, which must be able to; the attempt's result is the answer. */
cairn_status crn_chooser_solve(crn_chooser *chooser, cairn_context *context, const cairn_problem *problem,
                               const crn_islands *islands, const cairn_solver_options *options);

/* Whether a kind can solve the problem's law at all, exact friction over a convex method counted in. */
bool crn_kind_can_solve(cairn_solver_kind kind, const cairn_problem *problem);

/* One kind alone; the attempt has begun. */
cairn_status crn_solve_with(crn_chooser *chooser, cairn_solver_kind kind);

/* Whether an island of so many of the problem's contacts is small enough for pivoting, so that its result is to be exact. */
bool crn_auto_is_exact(const cairn_problem *problem, int contacts);

/* Gauss-Seidel alone, which must be able to, by `limit` sweeps unless the caller has a limit of his own; the attempt has begun.
 * exact: it is done when the certificate is nearly what rounding leaves. */
cairn_status crn_solve_sweep(crn_chooser *chooser, int limit, bool exact);

/* The choice, with fallbacks. */
cairn_status crn_solve_auto(crn_chooser *chooser);

#endif
