/* Dense L U with partial pivoting, row-major.
 *
 * Own code rather than LAPACK, whose threads split large factorisations in ways that change the last bits, and whose thread count
 * is a setting of the whole process. Here results are bit-identical for any thread count. Zero multipliers are skipped, which
 * regains much of the speed on sparse bases.
 */
#ifndef CRN_LINALG_LU_H
#define CRN_LINALG_LU_H

#include <stdbool.h>

/* Factorise the n x n matrix a (rows `stride` apart) in place; row[k] is the row that ended at place k. Returns false
 * when a pivot is not above `floor` times the largest entry of a: singular in working precision. */
bool crn_lu_factorise(int n, double *a, int stride, int *row, double floor);

/* Solve a x = b in place for `columns` right-hand sides, b row-major (rows `b_stride` apart). Row i of b must hold the
 * right-hand side of the matrix's row row[i]; x comes out in the matrix's own order. */
void crn_lu_solve(int n, const double *a, int stride, double *b, int b_stride, int columns);

#endif
