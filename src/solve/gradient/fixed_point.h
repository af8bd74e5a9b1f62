/* Exact Coulomb friction by a method that solves only the convex law, and bounds that are multiples of an impulse by a method
 * that takes only constant ones. */
#ifndef CRN_SOLVE_GRADIENT_FIXED_POINT_H
#define CRN_SOLVE_GRADIENT_FIXED_POINT_H

#include "solve/auto/attempt.h"
#include "solve/auto/perturbed_problem.h"

/* The method can solve the convex law in place of the problem's exact one. */
bool crn_fixed_point_applies(const crn_method *method, const cairn_problem *problem);

/* The method cannot solve the problem as it stands. */
bool crn_fixed_point_is_needed(const crn_method *method, const cairn_problem *problem);

cairn_status crn_fixed_point(crn_perturbed *near, crn_attempt *attempt, const crn_method *method, void *workspace);

#endif
