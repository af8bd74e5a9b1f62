/* Bodies whose joints form trees, with few contacts or none: the joints are eliminated limb by limb (linalg/forest/forest.h), and what is left
 * is a small problem of the contacts alone, u = W r + q, for Newton's method (solve/sweep/gauss_seidel_newton.h). */
#ifndef CRN_SOLVE_MECHANISM_MECHANISM_H
#define CRN_SOLVE_MECHANISM_MECHANISM_H

#include "solve/auto/method.h"

/* Not one of the kinds a user can ask for: it solves mechanisms only, and declines where joints form loops, where their rows depend on
 * each other, or where Newton's method does not converge. The guess should be that of the last step.
 *
 * Contacts of one body that stick contradict each other a little: while gaps close, the body turns, and points at different heights
 * cannot all have the speed 0. The exact solution then lets some slide at some 1e-7 m/s, with friction at its bound; finding out which is a
 * long search for a motion of nanometres. Where Newton's method ends at such a contradiction, of up to CRN_MECHANISM_CLOSE times the
 * tolerance, its result is returned without the report's `converged`. */
#define CRN_MECHANISM_CLOSE 1e4
extern const crn_method crn_method_mechanism;

/* Correct v and c of a solution of the problem solved last by its workspace, with the same factors: long chains need it. CAIRN_NO_MEMORY is the
 * only failure. */
cairn_status crn_mechanism_refine(void *workspace, const cairn_problem *problem, cairn_solution *solution);

/* v and c of the impulses r, to rounding, with the factors of the problem solved last, where the workspace has those. CAIRN_NO_MEMORY is the only
 * failure. */
bool crn_mechanism_can_follow(const void *workspace);
cairn_status crn_mechanism_follow(void *workspace, const cairn_problem *problem, cairn_solution *solution);

#endif
