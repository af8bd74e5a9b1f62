/* Why a one-step problem has no solution.
 *
 * On a monotone problem Lemke's method ends in a ray only when there is no solution (docs/methods/lemke.md). Every problem
 * contains three monotone ones:
 *
 *     joints     A v = p + G'c,  G v + R_c c = b                     no contacts: the residual G v + R_c c - b tells
 *     contacts   with u_n >= 0 _|_ r_n >= 0 added                    required by every law
 *     lift-off   with u in K* _|_ r in K added, K the pyramid        required by the convex laws; the K* of the cone is smaller
 *
 * The first that has no solution is the cause. Where none fails the laws that are not convex may still have no solution; or
 * there is one, and no method found it. Pivoting is dense, so the cause of a large problem remains unknown.
 */
#ifndef CRN_SOLVE_AUTO_CAUSE_H
#define CRN_SOLVE_AUTO_CAUSE_H

#include "solve/auto/attempt.h"

/* Prove, if possible, that joints or contacts contradict each other whatever the law is. `work` is open; its contents are
 * overwritten. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_prove_infeasible(crn_attempt *work, const cairn_problem *problem, bool *infeasible);

/* Fill in cause and culprit of a problem that could not be solved. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_find_cause(const cairn_problem *problem, cairn_solver_report *report);

#endif
