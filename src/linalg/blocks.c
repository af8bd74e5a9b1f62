#include "linalg/blocks.h"

#include "linalg/compliance.h"
#include "linalg/lanes.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Written once and specialised for the block sizes of bodies in space and in the plane, which nearly all blocks have. */
INLINE void add_block(int rows, int columns, const double *value, double f, const double *x, long double *y)
{
    for (int i = 0; i < rows; ++i)
    {
        long double sum = 0.0L;
        UNROLL
        for (int j = 0; j < columns; ++j)
            sum += (long double)value[i * columns + j] * x[j];
        y[i] += f * sum;
    }
}

void crn_block_add(int rows, int columns, const double *value, double f, const double *x, long double *y)
{
    assert(rows >= 0 && columns >= 0);
    assert(value || rows == 0 || columns == 0);
    if (columns == 6)
        add_block(rows, 6, value, f, x, y);
    else if (columns == 3)
        add_block(rows, 3, value, f, x, y);
    else
        add_block(rows, columns, value, f, x, y);
}

INLINE void add_transposed_block(int rows, int columns, const double *value, double f, const double *x, long double *y)
{
    for (int j = 0; j < columns; ++j)
    {
        long double sum = 0.0L;
        UNROLL
        for (int i = 0; i < rows; ++i)
            sum += (long double)value[i * columns + j] * x[i];
        y[j] += f * sum;
    }
}

static void dense_transposed_add(int rows, int columns, const double *value, double f, const double *x, long double *y)
{
    assert(rows >= 0 && columns >= 0);
    bool zero = true;
    for (int i = 0; i < rows; ++i)
        zero = zero && x[i] == 0.0;
    if (zero)
        return; /* an open contact */
    if (rows == 3 && columns == 6)
        add_transposed_block(3, 6, value, f, x, y);
    else if (rows == 5 && columns == 6)
        add_transposed_block(5, 6, value, f, x, y);
    else if (rows == 2 && columns == 3)
        add_transposed_block(2, 3, value, f, x, y);
    else
        add_transposed_block(rows, columns, value, f, x, y);
}

void crn_matrix_add(const cairn_block_matrix *A, const int *block_start, const double *x, long double *y)
{
    assert(A->block_count == 0 || block_start);
    for (int i = 0; i < A->block_count; ++i)
    {
        int rows = block_start[i + 1] - block_start[i];
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int j = A->column[e];
            int columns = block_start[j + 1] - block_start[j];
            crn_block_add(rows, columns, A->value + A->value_start[e], 1.0, x + block_start[j], y + block_start[i]);
        }
    }
}

int crn_matrix_find(const cairn_block_matrix *A, int i, int j)
{
    assert(i >= 0 && i < A->block_count);
    int low = A->row_start[i], high = A->row_start[i + 1];
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (A->column[middle] == j)
            return middle;
        low = A->column[middle] < j ? middle + 1 : low;
        high = A->column[middle] < j ? high : middle;
    }
    return -1;
}

bool crn_matrix_symmetric_part(const cairn_block_matrix *A, const int *block_start, double *out)
{
    bool differs = false;
    for (int i = 0; i < A->block_count; ++i)
    {
        int rows = block_start[i + 1] - block_start[i];
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int j = A->column[e];
            int columns = block_start[j + 1] - block_start[j];
            int other = crn_matrix_find(A, j, i);
            for (int k = 0; k < rows * columns; ++k)
            {
                double a = A->value[A->value_start[e] + k];
                int mirrored = (k % columns) * rows + k / columns;
                double b = other < 0 ? a : A->value[A->value_start[other] + mirrored];
                out[A->value_start[e] + k] = 0.5 * a + 0.5 * b;
                differs = differs || a != b;
            }
        }
    }
    return differs;
}

const double *crn_diagonal_block(const cairn_block_matrix *A, int i)
{
    assert(i >= 0 && i < A->block_count);
    int e = A->row_start[i];
    while (A->column[e] != i)
        ++e;
    return A->value + A->value_start[e];
}

void crn_rows_add(const cairn_block_rows *B, const int *block_start, double f, const double *x, long double *y)
{
    assert(B->item_count >= 0);
    for (int i = 0; i < B->item_count; ++i)
    {
        int rows = B->row_start[i + 1] - B->row_start[i];
        for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
        {
            int start = block_start[B->block[e]];
            int columns = block_start[B->block[e] + 1] - start;
            crn_block_add(rows, columns, B->value + B->value_start[e], f, x + start, y + B->row_start[i]);
        }
    }
}

void crn_rows_transposed_add(const cairn_block_rows *B, const int *block_start, double f, const double *x,
                             long double *y)
{
    assert(B->item_count >= 0);
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

/* y += B'x of three rows of six numbers. */
static inline void add_three(const double *B, const double *x, double *y)
{
    for (int k = 0; k < 6; k += 2)
        *(crn_lanes *)(y + k) +=
            (x[0] * crn_lanes_at(B + k) + x[1] * crn_lanes_at(B + 6 + k)) + x[2] * crn_lanes_at(B + 12 + k);
}

/* to += B x of the same. */
static inline void add_six(const double *B, const double *x, double *to)
{
    for (int k = 0; k < 3; ++k, B += 6)
    {
        crn_lanes sum = (crn_lanes_at(B) * crn_lanes_at(x) + crn_lanes_at(B + 2) * crn_lanes_at(x + 2)) +
                        crn_lanes_at(B + 4) * crn_lanes_at(x + 4);
        to[k] += sum[0] + sum[1];
    }
}

void crn_rows_transposed_add_plain(const cairn_block_rows *B, const int *block_start, const double *x, double *y)
{
    for (int i = 0; i < B->item_count; ++i)
        for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
        {
            int start = block_start[B->block[e]], size = block_start[B->block[e] + 1] - start;
            int rows = B->row_start[i + 1] - B->row_start[i];
            const double *value = B->value + B->value_start[e], *f = x + B->row_start[i];
            if (rows == 3 && size == 6)
                add_three(value, f, y + start);
            else
                for (int k = 0; k < rows * size; ++k)
                    y[start + k % size] += value[k] * f[k / size];
        }
}

void crn_contact_velocities(const cairn_problem *problem, const double *v, const double *r, long double *u)
{
    assert(problem->H.item_count == problem->contact_count);
    for (int i = 0; i < problem->dim * problem->contact_count; ++i)
        u[i] = problem->w[i];
    crn_rows_add(&problem->H, problem->block_start, 1.0, v, u);
    if (r)
        crn_compliance_add(problem, r, u);
}

void crn_contact_velocities_plain(const cairn_problem *problem, const double *v, double *u)
{
    const cairn_block_rows *H = &problem->H;
    memcpy(u, problem->w, (size_t)(problem->dim * problem->contact_count) * sizeof(double));
    for (int j = 0; j < problem->contact_count; ++j)
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int first = problem->block_start[H->block[e]], size = problem->block_start[H->block[e] + 1] - first;
            int rows = H->row_start[j + 1] - H->row_start[j];
            const double *B = H->value + H->value_start[e];
            double *to = u + H->row_start[j];
            if (rows == 3 && size == 6)
                add_six(B, v + first, to);
            else
                for (int k = 0; k < rows * size; ++k)
                    to[k / size] += B[k] * v[first + k % size];
        }
}

double crn_row_times(const cairn_problem *problem, const cairn_block_rows *B, int i, int row, const double *x)
{
    assert(i >= 0 && i < B->item_count);
    assert(row >= 0 && row < B->row_start[i + 1] - B->row_start[i]);
    double sum = 0.0;
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int start = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - start;
        const double *value = B->value + B->value_start[e] + row * size;
        for (int k = 0; k < size; ++k)
            sum += value[k] * x[start + k];
    }
    return sum;
}

static inline double add_speeds(int size, const double *value, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < size; ++k)
        sum += fabs(value[k] * x[k]);
    return sum;
}

double crn_row_speed(const cairn_problem *problem, const cairn_block_rows *B, int i, int row, const double *x)
{
    assert(i >= 0 && i < B->item_count);
    assert(row >= 0 && row < B->row_start[i + 1] - B->row_start[i]);
    double sum = 0.0;
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int first = problem->block_start[B->block[e]];
        int size = problem->block_start[B->block[e] + 1] - first;
        const double *value = B->value + B->value_start[e] + row * size;
        sum += size == 6 ? add_speeds(6, value, x + first) : add_speeds(size, value, x + first);
    }
    return sum;
}

void crn_item_speeds(const cairn_block_rows *B, const int *block_start, int i, const double *x, double *speed)
{
    int first = B->row_start[i], end = B->row_start[i + 1];
    for (int row = first; row < end; ++row)
        speed[row] = 0.0;
    for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
    {
        int start = block_start[B->block[e]], size = block_start[B->block[e] + 1] - start;
        const double *value = B->value + B->value_start[e];
        for (int row = first; row < end; ++row, value += size)
            speed[row] += size == 6 ? add_speeds(6, value, x + start) : add_speeds(size, value, x + start);
    }
}
