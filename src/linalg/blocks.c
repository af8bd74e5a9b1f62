#include "linalg/blocks.h"

static void dense_add(int rows, int columns, const double *value, double f, const double *x, long double *y)
{
    for (int i = 0; i < rows; ++i)
    {
        long double sum = 0.0L;
        for (int j = 0; j < columns; ++j)
        {
            sum += (long double)value[i * columns + j] * x[j];
        }
        y[i] += f * sum;
    }
}

static void dense_transposed_add(int rows, int columns, const double *value, double f, const double *x, long double *y)
{
    for (int i = 0; i < rows; ++i)
    {
        long double fx = (long double)f * x[i];
        for (int j = 0; j < columns; ++j)
        {
            y[j] += value[i * columns + j] * fx;
        }
    }
}

void crn_matrix_add(const cairn_block_matrix *A, const int *block_start, const double *x, long double *y)
{
    for (int i = 0; i < A->block_count; ++i)
    {
        int rows = block_start[i + 1] - block_start[i];
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int j = A->column[e];
            int columns = block_start[j + 1] - block_start[j];
            dense_add(rows, columns, A->value + A->value_start[e], 1.0, x + block_start[j], y + block_start[i]);
        }
    }
}

void crn_rows_add(const cairn_block_rows *B, const int *block_start, double f, const double *x, long double *y)
{
    for (int i = 0; i < B->item_count; ++i)
    {
        int rows = B->row_start[i + 1] - B->row_start[i];
        for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
        {
            int start = block_start[B->block[e]];
            int columns = block_start[B->block[e] + 1] - start;
            dense_add(rows, columns, B->value + B->value_start[e], f, x + start, y + B->row_start[i]);
        }
    }
}

void crn_rows_transposed_add(const cairn_block_rows *B, const int *block_start, double f, const double *x,
                             long double *y)
{
    for (int i = 0; i < B->item_count; ++i)
    {
        int rows = B->row_start[i + 1] - B->row_start[i];
        for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
        {
            int start = block_start[B->block[e]];
            int columns = block_start[B->block[e] + 1] - start;
            dense_transposed_add(rows, columns, B->value + B->value_start[e], f, x + B->row_start[i], y + start);
        }
    }
}

void crn_compliance_add(const cairn_problem *problem, const double *r, long double *y)
{
    for (int k = 0; k < problem->patch_count; ++k)
    {
        int first = problem->patch_start[k] * problem->dim;
        int rows = problem->patch_start[k + 1] * problem->dim - first;
        dense_add(rows, rows, problem->R + problem->R_start[k], 1.0, r + first, y + first);
    }
}
