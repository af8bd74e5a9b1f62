/* The checks behind cairn_problem_is_valid, with a status that tells bad structure from bad numbers. */
#ifndef CRN_SOLVE_AUTO_PROBLEM_CHECK_H
#define CRN_SOLVE_AUTO_PROBLEM_CHECK_H

#include "cairn/problem.h"

/* Whether none of the numbers is infinite or NaN. */
bool crn_numbers_finite(const double *x, int count);

/* CAIRN_OK; CAIRN_INVALID for sizes, indices and ranges; CAIRN_NUMERIC for numbers that are not finite. */
cairn_status crn_problem_check(cairn_context *context, const cairn_problem *problem);

/* The part of it that looks at bounded rows; the rest must hold already. */
cairn_status crn_problem_check_bounds(cairn_context *context, const cairn_problem *problem);

/* CAIRN_NUMERIC when the symmetric part of a diagonal block of A, or of any, is not positive definite, blocks of at most 8 rows being
 * looked at. Couplings are left to those who factorise A; not all methods do. */
cairn_status crn_problem_check_mass(cairn_context *context, const cairn_problem *problem, int block);
cairn_status crn_problem_check_masses(cairn_context *context, const cairn_problem *problem);

#endif
