/* The product runs over tiles of C of ROWS x COLUMNS that stay in registers while k runs; the operands are packed so that
 * k runs through consecutive memory: CHUNK columns of B at a time, which stay in the second cache, and the ROWS rows of A,
 * which stay in the first. Tiles at the edge are filled up with zeros.
 */
#include "linalg/saddle_kernel.h"

#include "linalg/saddle_lanes.h"

#include <assert.h>
#include <string.h>

enum
{
    ROWS = 4,
    COLUMNS = 2 * LANES,
    CHUNK = 192,
    STRIPE = 4 * LANES /* columns of a triangular solution in registers at a time */
};

/* ---------------------------------------------------------------------------------------------------------- product */

INLINE void plain_product(int rows, int columns, int depth, crn_operand A, const double *restrict B, size_t B_row,
                          double *restrict C, size_t C_row)
{
    for (int i = 0; i < rows; ++i)
    {
        double *out = C + (size_t)i * C_row;
        for (int k = 0; k < depth; ++k)
        {
            double f = A.data[(size_t)i * A.row + (size_t)k * A.step];
            const double *in = B + (size_t)k * B_row;
            for (int j = 0; j < columns; ++j)
                out[j] -= f * in[j];
        }
    }
}

/* Up to ROWS rows of A, k by k. */
INLINE void pack_rows(int rows, int depth, crn_operand A, double *restrict packed)
{
    for (int k = 0; k < depth; ++k, packed += ROWS)
    {
        const double *in = A.data + (size_t)k * A.step;
        for (int r = 0; r < ROWS; ++r)
            packed[r] = r < rows ? in[(size_t)r * A.row] : 0.0;
    }
}

/* Columns of B in tiles of COLUMNS, k by k. */
INLINE void pack_columns(int columns, int depth, const double *restrict B, size_t B_row, double *restrict packed)
{
    for (int first = 0; first < columns; first += COLUMNS)
    {
        int width = columns - first < COLUMNS ? columns - first : COLUMNS;
        for (int k = 0; k < depth; ++k, packed += COLUMNS)
        {
            const double *in = B + (size_t)k * B_row + first;
            for (int j = 0; j < COLUMNS; ++j)
                packed[j] = j < width ? in[j] : 0.0;
        }
    }
}

/* One tile: out = A B. Written out so that the sums stay in registers. */
INLINE void multiply_tile(int depth, const double *restrict a, const double *restrict b, double *restrict out)
{
    lanes left[ROWS] = {{0.0}};
    lanes right[ROWS] = {{0.0}};
    for (int k = 0; k < depth; ++k, a += ROWS, b += COLUMNS)
    {
        lanes x = *(const loose_lanes *)b;
        lanes y = *(const loose_lanes *)(b + LANES);
        left[0] += a[0] * x;
        right[0] += a[0] * y;
        left[1] += a[1] * x;
        right[1] += a[1] * y;
        left[2] += a[2] * x;
        right[2] += a[2] * y;
        left[3] += a[3] * x;
        right[3] += a[3] * y;
    }
    for (int i = 0; i < ROWS; ++i)
    {
        *(loose_lanes *)(out + i * COLUMNS) = left[i];
        *(loose_lanes *)(out + i * COLUMNS + LANES) = right[i];
    }
}

INLINE void subtract_tile(int rows, int columns, const double *restrict tile, double *restrict C, size_t C_row)
{
    for (int i = 0; i < rows; ++i, tile += COLUMNS, C += C_row)
    {
        if (columns == COLUMNS)
        {
            *(loose_lanes *)C -= *(const loose_lanes *)tile;
            *(loose_lanes *)(C + LANES) -= *(const loose_lanes *)(tile + LANES);
            continue;
        }
        for (int j = 0; j < columns; ++j)
            C[j] -= tile[j];
    }
}

INLINE void tiled_product(int rows, int columns, int depth, crn_operand A, const double *B, size_t B_row, double *C,
                          size_t C_row)
{
    double a[ROWS * CRN_KERNEL_DEPTH];
    double b[CRN_KERNEL_DEPTH * CHUNK];
    double tile[ROWS * COLUMNS];
    for (int left = 0; left < columns; left += CHUNK)
    {
        int width = columns - left < CHUNK ? columns - left : CHUNK;
        pack_columns(width, depth, B + left, B_row, b);
        for (int i = 0; i < rows; i += ROWS)
        {
            int height = rows - i < ROWS ? rows - i : ROWS;
            crn_operand part = {A.data + (size_t)i * A.row, A.row, A.step};
            pack_rows(height, depth, part, a);
            for (int j = 0; j < width; j += COLUMNS)
            {
                multiply_tile(depth, a, b + (size_t)j * (size_t)depth, tile);
                subtract_tile(height, width - j < COLUMNS ? width - j : COLUMNS, tile, C + (size_t)i * C_row + left + j,
                              C_row);
            }
        }
    }
}

static void product(int rows, int columns, int depth, crn_operand A, const double *B, size_t B_row, double *C,
                    size_t C_row)
{
    tiled_product(rows, columns, depth, A, B, B_row, C, C_row);
}

WIDE static void wide_product(int rows, int columns, int depth, crn_operand A, const double *B, size_t B_row, double *C,
                              size_t C_row)
{
    tiled_product(rows, columns, depth, A, B, B_row, C, C_row);
}

void crn_kernel_product(int rows, int columns, int depth, crn_operand A, const double *B, size_t B_row, double *C,
                        size_t C_row)
{
    assert(depth <= CRN_KERNEL_DEPTH);
    if (rows < 1 || columns < 1)
        return;
    if (!crn_kernel_is_summed(rows, columns, depth))
        plain_product(rows, columns, depth, A, B, B_row, C, C_row);
    else if (HAS_WIDE)
        wide_product(rows, columns, depth, A, B, B_row, C, C_row);
    else
        product(rows, columns, depth, A, B, B_row, C, C_row);
}

/* --------------------------------------------------------------------------------------------------- triangular solve */

INLINE void solve_stripe(int rows, crn_operand A, const double *D, double *X, size_t X_row)
{
    for (int i = 0; i < rows; ++i)
    {
        loose_lanes *x = (loose_lanes *)(X + (size_t)i * X_row);
        lanes sum[4] = {x[0], x[1], x[2], x[3]};
        for (int k = 0; k < i; ++k)
        {
            double f = A.data[(size_t)i * A.row + (size_t)k * A.step];
            const loose_lanes *other = (const loose_lanes *)(X + (size_t)k * X_row);
            sum[0] -= f * other[0];
            sum[1] -= f * other[1];
            sum[2] -= f * other[2];
            sum[3] -= f * other[3];
        }
        double d = D ? D[i] : 1.0;
        x[0] = d * sum[0];
        x[1] = d * sum[1];
        x[2] = d * sum[2];
        x[3] = d * sum[3];
    }
}

/* The remaining columns. */
INLINE void solve_rest(int rows, int columns, crn_operand A, const double *D, double *X, size_t X_row)
{
    for (int i = 0; i < rows; ++i)
    {
        double *restrict x = X + (size_t)i * X_row;
        for (int k = 0; k < i; ++k)
        {
            double f = A.data[(size_t)i * A.row + (size_t)k * A.step];
            const double *restrict other = X + (size_t)k * X_row;
            for (int j = 0; j < columns; ++j)
                x[j] -= f * other[j];
        }
        double d = D ? D[i] : 1.0;
        for (int j = 0; j < columns; ++j)
            x[j] *= d;
    }
}

INLINE void solve_stripes(int rows, int columns, crn_operand A, const double *D, double *X, size_t X_row)
{
    int j = 0;
    for (; j + STRIPE <= columns; j += STRIPE)
        solve_stripe(rows, A, D, X + j, X_row);
    solve_rest(rows, columns - j, A, D, X + j, X_row);
}

static void solve(int rows, int columns, crn_operand A, const double *D, double *X, size_t X_row)
{
    solve_stripes(rows, columns, A, D, X, X_row);
}

WIDE static void wide_solve(int rows, int columns, crn_operand A, const double *D, double *X, size_t X_row)
{
    solve_stripes(rows, columns, A, D, X, X_row);
}

void crn_kernel_solve(int rows, int columns, crn_operand A, const double *D, double *X, size_t X_row)
{
    assert(rows <= CRN_KERNEL_DEPTH);
    if (HAS_WIDE)
        wide_solve(rows, columns, A, D, X, X_row);
    else
        solve(rows, columns, A, D, X, X_row);
}
