#include "support/problems/dense.h"

#include <stdlib.h>

double *dense_matrix(const cairn_problem *problem)
{
    const int *start = problem->block_start;
    int n = problem->n;
    double *dense = calloc((size_t)(n * n), sizeof(double));
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
        {
            int j = problem->A.column[e];
            int columns = start[j + 1] - start[j];
            for (int k = 0; k < (start[i + 1] - start[i]) * columns; ++k)
            {
                dense[(start[i] + k / columns) * n + start[j] + k % columns] =
                    problem->A.value[problem->A.value_start[e] + k];
            }
        }
    }
    return dense;
}

double *dense_rows(const cairn_problem *problem, const cairn_block_rows *rows, int count)
{
    const int *start = problem->block_start;
    double *dense = calloc((size_t)(count * problem->n + 1), sizeof(double));
    for (int i = 0; i < rows->item_count; ++i)
    {
        for (int e = rows->entry_start[i]; e < rows->entry_start[i + 1]; ++e)
        {
            int first = start[rows->block[e]];
            int columns = start[rows->block[e] + 1] - first;
            for (int k = 0; k < (rows->row_start[i + 1] - rows->row_start[i]) * columns; ++k)
            {
                dense[(rows->row_start[i] + k / columns) * problem->n + first + k % columns] +=
                    rows->value[rows->value_start[e] + k];
            }
        }
    }
    return dense;
}
