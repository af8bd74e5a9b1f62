/* Two stable counting sorts, by column and then by row, order any list of triplets in linear time. */
#include "problem/sparse.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

/* Sort the entries from[0 .. count) by their keys; start[k] becomes the first place of key k. from NULL: 0, 1, ... */
static void sort_by(int count, const int *key, int keys, const int *from, int *to, int *start)
{
    for (int k = 0; k <= keys; ++k)
        start[k] = 0;
    for (int e = 0; e < count; ++e)
    {
        assert(key[e] >= 0 && key[e] < keys);
        ++start[key[e] + 1];
    }
    for (int k = 0; k < keys; ++k)
        start[k + 1] += start[k];
    for (int i = 0; i < count; ++i)
    {
        int e = from ? from[i] : i;
        to[start[key[e]]++] = e;
    }
    for (int k = keys; k > 0; --k)
        start[k] = start[k - 1];
    start[0] = 0;
}

/* Copy the entries in `order`, row by row, into the matrix: those at the same place are summed, zeros left out. */
static void gather(crn_sparse *matrix, const int *order, const int *row_start, const int *column, const double *value)
{
    int filled = 0;
    for (int i = 0; i < matrix->m; ++i)
    {
        matrix->start[i] = filled;
        for (int k = row_start[i]; k < row_start[i + 1];)
        {
            int place = column[order[k]];
            double sum = 0.0;
            for (; k < row_start[i + 1] && column[order[k]] == place; ++k)
                sum += value[order[k]];
            matrix->column[filled] = place;
            matrix->value[filled] = sum;
            filled += sum != 0.0;
        }
    }
    matrix->start[matrix->m] = filled;
}

bool crn_sparse_open(crn_sparse *matrix, int m, int n, int count, const int *row, const int *column,
                     const double *value)
{
    assert(m >= 0 && n >= 0 && count >= 0);
    size_t lines = (size_t)(m > n ? m : n) + 1;
    int *order = calloc(2 * (size_t)count + 1, sizeof(int));
    int *starts = calloc(lines, sizeof(int));
    *matrix = (crn_sparse){.m = m,
                           .n = n,
                           .start = calloc((size_t)m + 1, sizeof(int)),
                           .column = calloc((size_t)count + 1, sizeof(int)),
                           .value = calloc((size_t)count + 1, sizeof(double))};
    bool done = order && starts && matrix->start && matrix->column && matrix->value;
    if (done)
    {
        sort_by(count, column, n, NULL, order, starts);
        sort_by(count, row, m, order, order + count, starts);
        gather(matrix, order + count, starts, column, value);
    }
    assert(!done || matrix->start[m] <= count);
    free(order);
    free(starts);
    return done;
}

void crn_sparse_close(crn_sparse *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (crn_sparse){0};
}

/* The row of every entry, in an array with room for `copies` times as many; NULL when memory ran out. */
static int *row_indices(const crn_sparse *matrix, size_t copies)
{
    assert(copies >= 1);
    int *row = calloc(copies * (size_t)matrix->start[matrix->m] + 1, sizeof(int));
    for (int i = 0; i < matrix->m && row; ++i)
        for (int e = matrix->start[i]; e < matrix->start[i + 1]; ++e)
            row[e] = i;
    return row;
}

bool crn_sparse_transpose(const crn_sparse *matrix, crn_sparse *out)
{
    int *row = row_indices(matrix, 1);
    *out = (crn_sparse){0};
    bool done =
        row && crn_sparse_open(out, matrix->n, matrix->m, matrix->start[matrix->m], matrix->column, row, matrix->value);
    free(row);
    return done;
}

static bool is_one_triangle(const crn_sparse *matrix)
{
    assert(matrix->m == matrix->n);
    bool upper = false;
    bool lower = false;
    for (int i = 0; i < matrix->m; ++i)
    {
        for (int e = matrix->start[i]; e < matrix->start[i + 1]; ++e)
        {
            upper = upper || matrix->column[e] > i;
            lower = lower || matrix->column[e] < i;
        }
    }
    return upper != lower;
}

bool crn_sparse_mirror(crn_sparse *matrix)
{
    assert(matrix->m == matrix->n);
    if (!is_one_triangle(matrix))
        return true;
    int count = matrix->start[matrix->m];
    int *row = row_indices(matrix, 2);
    int *column = calloc(2 * (size_t)count + 1, sizeof(int));
    double *value = calloc(2 * (size_t)count + 1, sizeof(double));
    bool done = row && column && value;
    int total = count;
    for (int e = 0; e < count && done; ++e)
    {
        column[e] = matrix->column[e];
        value[e] = matrix->value[e];
        if (row[e] != column[e])
        {
            row[total] = column[e];
            column[total] = row[e];
            value[total++] = value[e];
        }
    }
    crn_sparse whole = {0};
    done = done && crn_sparse_open(&whole, matrix->m, matrix->n, total, row, column, value);
    crn_sparse_close(done ? matrix : &whole);
    *matrix = done ? whole : *matrix;
    free(row);
    free(column);
    free(value);
    return done;
}
