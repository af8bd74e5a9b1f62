/* The positive part of a symmetric 3 x 3 matrix: the sum of l x x' over its positive eigenvalues l with their unit eigenvectors x. */
#ifndef CRN_MATH_POSITIVE_PART_H
#define CRN_MATH_POSITIVE_PART_H

#include <stdbool.h>

/* Row-major, both triangles. False: no eigenvalue is positive, or the matrix is not finite; `out` is zero. */
bool crn_positive_part(const double A[9], double out[9]);

#endif
