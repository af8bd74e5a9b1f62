/* Sparse matrices as FCLIB's files hold them, brought to one form: compressed rows, columns ascending, entries that share
 * a place added up, zeros left out. */
#ifndef CRN_PROBLEM_SPARSE_H
#define CRN_PROBLEM_SPARSE_H

#include <stdbool.h>

typedef struct crn_sparse
{
    int m, n;
    int *start;  /* m + 1 */
    int *column; /* an entry */
    double *value;
} crn_sparse;

/* From triplets whose indices are in range. False when memory ran out; a zeroed matrix may always be closed. */
bool crn_sparse_open(crn_sparse *matrix, int m, int n, int count, const int *row, const int *column,
                     const double *value);
void crn_sparse_close(crn_sparse *matrix);

/* Rows become columns. False when memory ran out. */
bool crn_sparse_transpose(const crn_sparse *matrix, crn_sparse *out);

/* Where the matrix has entries above the diagonal or below it but not both, the other triangle is made its mirror image.
 * False when memory ran out. */
bool crn_sparse_mirror(crn_sparse *matrix);

#endif
