/* Forces that hold bodies in place: where contacts either stick or are open, the law is a linear system. Not a kind of solver of
 * its own, since it declines problems in which something slides; the policy (solve/auto/auto.c) tries it on a good guess. */
#ifndef CRN_SOLVE_HOLD_HOLD_H
#define CRN_SOLVE_HOLD_HOLD_H

#include "solve/auto/method.h"

extern const crn_method crn_method_hold;

/* Whether a change of the velocities leaves the speeds of all rows that hold at the impulses r as they are, but for `least`
 * (m/s). */
bool crn_hold_is_still(const cairn_problem *problem, const double *r, const double *change, double least);

#endif
