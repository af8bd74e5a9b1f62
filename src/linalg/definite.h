/* Small dense matrices, row-major: Cholesky's method, and how many rows depend on others. Own code for the reason given in
 * lu.h: results do not depend on the number of threads. */
#ifndef CRN_LINALG_DEFINITE_H
#define CRN_LINALG_DEFINITE_H

#include <stdbool.h>

/* Factorise the symmetric H = L L' in place; only the lower half is read and written. False when H is not positive definite. */
bool crn_definite_factorise(int m, double *H);

/* Overwrite b with H^-1 b, given the factor. */
void crn_definite_solve(int m, const double *L, double *b);

/* Count the rows of the m x m matrix that depend on others: a remainder below `floor` times the row's length counts as zero. The
 * matrix is overwritten. */
int crn_nullity(int m, double *matrix, double floor);

/* The same, faster, for a matrix with x'(matrix)x >= 0 for all x and ones on its diagonal; `floor` is relative to these. */
int crn_nullity_monotone(int m, double *matrix, double floor);

#endif
