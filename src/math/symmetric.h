/* Eigenvalues and eigenvectors of a dense symmetric matrix.
 *
 * Own code for the reason given in linalg/lu.h: results do not depend on the number of threads.
 */
#ifndef CRN_MATH_SYMMETRIC_H
#define CRN_MATH_SYMMETRIC_H

#include <stdbool.h>

/* A = Q diag(value) Q' of the n x n matrix a (row-major, symmetric), which is overwritten: its row k becomes the
 * eigenvector of value[k], that is, Q'. Values ascend. `work`: n numbers. False when the iteration does not settle. */
bool crn_symmetric_eigen(int n, double *a, double *value, double *work);

#endif
