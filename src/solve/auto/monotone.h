/* Whether the compliance R of a problem is monotone, x'R x >= 0 for all x. Where it is not, the problem may have many solutions or
 * none, no proof of infeasibility holds, and methods that factorise R fail. */
#ifndef CRN_SOLVE_AUTO_MONOTONE_H
#define CRN_SOLVE_AUTO_MONOTONE_H

#include "base/context.h"
#include "cairn/problem.h"

/* *patch: the first patch whose compliance is not monotone; -1: none; 0 where
 * the compliance is in sparse blocks that are not. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_find_not_monotone(const cairn_problem *problem, int *patch);

/* CAIRN_NUMERIC, with a message that says why a method could not factorise. */
cairn_status crn_tell_numeric(cairn_context *context, const cairn_problem *problem);

#endif
