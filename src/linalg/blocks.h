/* Products with the block-sparse pieces of a one-step problem. Most sums are carried in long double: they serve
 * residuals, where the terms nearly cancel. */
#ifndef CRN_LINALG_BLOCKS_H
#define CRN_LINALG_BLOCKS_H

#include "cairn/problem.h"

/* y += f B x of one dense piece */
void crn_block_add(int rows, int columns, const double *value, double f, const double *x, long double *y);

/* y += A x */
void crn_matrix_add(const cairn_block_matrix *A, const int *block_start, const double *x, long double *y);

/* y += f B x, with B block rows */
void crn_rows_add(const cairn_block_rows *B, const int *block_start, double f, const double *x, long double *y);

/* y += f B' x */
void crn_rows_transposed_add(const cairn_block_rows *B, const int *block_start, double f, const double *x,
                             long double *y);

/* out = the symmetric part of A, a block without a partner as it is; true when A was not symmetric. */
bool crn_matrix_symmetric_part(const cairn_block_matrix *A, const int *block_start, double *out);

/* The diagonal block of row i of A, which a valid problem has. */
const double *crn_diagonal_block(const cairn_block_matrix *A, int i);

/* The entry of A at block (i, j), -1 when it has none. */
int crn_matrix_find(const cairn_block_matrix *A, int i, int j);

/* u = w + H v + R r, the velocities of all contacts and bounded rows; r NULL: 0 */
void crn_contact_velocities(const cairn_problem *problem, const double *v, const double *r, long double *u);

/* y += B' x in double. */
void crn_rows_transposed_add_plain(const cairn_block_rows *B, const int *block_start, const double *x, double *y);

/* u = H v + w in double. */
void crn_contact_velocities_plain(const cairn_problem *problem, const double *v, double *u);

/* B x and |B| |x| of one row, counted from the first of item i */
double crn_row_times(const cairn_problem *problem, const cairn_block_rows *B, int i, int row, const double *x);
double crn_row_speed(const cairn_problem *problem, const cairn_block_rows *B, int i, int row, const double *x);
/* The same of all rows of item i, at their places in `speed`. */
void crn_item_speeds(const cairn_block_rows *B, const int *block_start, int i, const double *x, double *speed);

#endif
