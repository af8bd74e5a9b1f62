/* The sparse matrices of FCLIB's files in one form: compressed rows, columns ascending, entries at the same place summed, zeros
 * left out. */
#ifndef CRN_PROBLEM_SPARSE_H
#define CRN_PROBLEM_SPARSE_H

#include <stdbool.h>

typedef struct crn_sparse
{
    int m, n;
    int *start;  /* m + 1 */
    int *column; /* per entry */
    double *value;
} crn_sparse;

/* Build a matrix from triplets, whose indices must be in range. False when memory ran out; a zeroed matrix may always be closed. */
bool crn_sparse_open(crn_sparse *matrix, int m, int n, int count, const int *row, const int *column,
                     const double *value);
void crn_sparse_close(crn_sparse *matrix);

/* Transpose. False when memory ran out. */
bool crn_sparse_transpose(const crn_sparse *matrix, crn_sparse *out);

/* If only one triangle of the matrix has entries beside the diagonal, make the other its mirror image. False when memory ran
 * out. */
bool crn_sparse_mirror(crn_sparse *matrix);

#endif
