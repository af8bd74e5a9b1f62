/* Why a one-step problem has no solution.
 *
 * Lemke's method ends in a ray only when there is none, if the problem is monotone (cf. docs/methods/lemke.md). Three such
 * problems are parts of any:
 *
 *     joints     A v = p + G'c,  G v + R_c c = b                     no contacts: what is left of G v + R_c c - b shows
 *     contacts   with u_n >= 0 _|_ r_n >= 0 added                    every law asks for that
 *     lift-off   with u in K* _|_ r in K added, K the pyramid        the convex laws ask for that, and the cone's K* is smaller
 *
 * The first that has no solution is the cause. Where none fails the laws that are not convex may still have no solution; or
 * there is one, and no method found it. Pivoting is dense, so that large problems keep their cause to themselves.
 */
#ifndef CRN_SOLVE_AUTO_CAUSE_H
#define CRN_SOLVE_AUTO_CAUSE_H

#include "solve/auto/attempt.h"

/* Whether it is proved that joints or contacts alone contradict each other, whatever the law. `work` is open, and lent.
 * CAIRN_NO_MEMORY is its only failure. */
cairn_status crn_prove_infeasible(crn_attempt *work, const cairn_problem *problem, bool *infeasible);

/* Fill in cause and culprit of a problem that could not be solved. CAIRN_NO_MEMORY is its only failure. */
cairn_status crn_find_cause(const cairn_problem *problem, cairn_solver_report *report);

#endif
