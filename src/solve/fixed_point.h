/* Exact Coulomb friction over a method that solves the convex law only. */
#ifndef CRN_SOLVE_FIXED_POINT_H
#define CRN_SOLVE_FIXED_POINT_H

#include "solve/attempt.h"
#include "solve/near.h"

/* The method can solve the convex law in place of the attempt's exact one. */
bool crn_fixed_point_applies(const crn_method *method, const cairn_problem *problem);

cairn_status crn_fixed_point(crn_near *near, crn_attempt *attempt, const crn_method *method, void *workspace);

#endif
