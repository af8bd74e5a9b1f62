/* Blocks of four bodies in space at a time, one per vector lane: 6 x 6, three translations that couple with nothing and three turns. Every
 * lane has the operations and the bits of one body alone (inverses.c, solve/auto/problem_check.c). */
#ifndef CRN_LINALG_FOUR_BODIES_H
#define CRN_LINALG_FOUR_BODIES_H

#include <stdbool.h>

/* X = A^-1 of each. False where a block is not of this kind, has turns of which the first couples with no other, or is singular: X is then
 * anything. */
bool crn_four_bodies_invert(const double *const A[4], double *const X[4]);

/* Whether all are of this kind, and their symmetric parts positive definite. */
bool crn_four_bodies_are_definite(const double *const A[4]);

#endif
