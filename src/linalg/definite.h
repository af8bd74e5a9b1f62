/* Small dense matrices, row-major: Cholesky's method, and how many rows depend on others. By hand, like lu.h: the same bits on
 * any number of threads. */
#ifndef CRN_LINALG_DEFINITE_H
#define CRN_LINALG_DEFINITE_H

#include <stdbool.h>

/* H = L L', symmetric, only its lower half read, L below and on the diagonal in its place; false when H is not definite. */
bool crn_definite_factorise(int m, double *H);

/* H^-1 b in place of b, by the factor. */
void crn_definite_solve(int m, const double *L, double *b);

/* The number of rows of the m x m matrix that depend on others: what is left of a row below `floor` of its length counts as
 * nothing. The matrix is spent. */
int crn_nullity(int m, double *matrix, double floor);

/* The same, quicker, of a matrix with x'(matrix)x >= 0 for all x and ones on its diagonal; `floor` is of these. */
int crn_nullity_monotone(int m, double *matrix, double floor);

#endif
