/* Which method, and what next when it misses. */
#ifndef CRN_SOLVE_AUTO_H
#define CRN_SOLVE_AUTO_H

#include "solve/attempt.h"
#include "solve/methods.h"
#include "solve/near.h"

typedef struct crn_chooser
{
    crn_attempt attempt;
    crn_workshop workshop;
    crn_near near;
} crn_chooser;

/* Whether a kind can solve the problem's law at all, exact friction over a convex method counted in. */
bool crn_kind_can_solve(cairn_solver_kind kind, const cairn_problem *problem);

/* One kind alone; the attempt has begun. */
cairn_status crn_solve_with(crn_chooser *chooser, cairn_solver_kind kind);

/* The choice, with fallbacks. */
cairn_status crn_solve_auto(crn_chooser *chooser);

#endif
