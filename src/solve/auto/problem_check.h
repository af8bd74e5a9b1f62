/* The checks behind cairn_problem_is_valid, with a status that distinguishes bad structure from bad numbers. */
#ifndef CRN_SOLVE_AUTO_PROBLEM_CHECK_H
#define CRN_SOLVE_AUTO_PROBLEM_CHECK_H

#include "cairn/problem.h"

/* Whether none of the numbers is infinite or NaN. */
bool crn_numbers_finite(const double *x, int count);

/* CAIRN_OK; CAIRN_INVALID for sizes, indices and ranges; CAIRN_NUMERIC for numbers that are not finite. */
cairn_status crn_problem_check(cairn_context *context, const cairn_problem *problem);

/* Check the bounded rows of a problem that is valid otherwise. */
cairn_status crn_problem_check_bounds(cairn_context *context, const cairn_problem *problem);

/* CAIRN_NUMERIC when the symmetric part of one diagonal block of A, or of any, is not positive definite. Blocks of more than 8
 * rows and couplings are not checked here, but when A is factorised; not all methods do that. */
cairn_status crn_problem_check_mass(cairn_context *context, const cairn_problem *problem, int block);
cairn_status crn_problem_check_masses(cairn_context *context, const cairn_problem *problem);

#endif
