/* The matrices of a one-step problem written out in full, row-major; released with free. */
#ifndef TESTS_SUPPORT_DENSE_H
#define TESTS_SUPPORT_DENSE_H

#include <cairn/problem.h>

double *dense_matrix(const cairn_problem *problem);                                        /* A, n by n */
double *dense_rows(const cairn_problem *problem, const cairn_block_rows *rows, int count); /* count by n */

#endif
