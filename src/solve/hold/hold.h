/* Forces that hold bodies in place: where contacts either stick or are open, the law is a linear system. Not a kind of solver of
 * its own, since it declines problems in which something slides; the policy (solve/auto/auto.c) tries it on a good guess. */
#ifndef CRN_SOLVE_HOLD_HOLD_H
#define CRN_SOLVE_HOLD_HOLD_H

#include "solve/auto/method.h"

extern const crn_method crn_method_hold;

/* Whether impulses r change the velocities from `before` to v without changing the speed of any row that holds by more than
 * `least` (m/s). */
bool crn_hold_is_still(const cairn_problem *problem, const double *r, const double *before, const double *v,
                       double least);

#endif
