/* Dense kernels of the fronts, row-major.
 *
 * Own code rather than BLAS: a library that picks kernels by processor or splits work by threads changes the last bits.
 * Here every element is one sum in the order of k, whatever the width of the processor's vectors, and multiplications and
 * additions are never fused: results are bit-identical everywhere.
 */
#ifndef CRN_LINALG_SADDLE_KERNEL_H
#define CRN_LINALG_SADDLE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/* A dense operand with element (i, k) at data[i * row + k * step]: a matrix as it stands or transposed. */
typedef struct crn_operand
{
    const double *data;
    size_t row, step;
} crn_operand;

enum
{
    CRN_KERNEL_DEPTH = 48, /* the largest depth of a product */
    CRN_KERNEL_PLAIN = 512 /* products up to this many terms are not worth packing */
};

/* Whether the terms of a product of this size are added up before they are subtracted, or subtracted one by one. */
static inline bool crn_kernel_is_summed(int rows, int columns, int depth)
{
    return (size_t)rows * (size_t)columns * (size_t)depth > CRN_KERNEL_PLAIN;
}

/* C -= A B with C rows x columns, depth <= CRN_KERNEL_DEPTH the number of columns of A. */
void crn_kernel_product(int rows, int columns, int depth, crn_operand A, const double *B, size_t B_row, double *C,
                        size_t C_row);

/* X becomes D L^-1 X for rows x columns X, L the strict lower triangle of A: x_i = d_i (x_i - sum_k<i A(i, k) x_k) one
 * after the other, with unit diagonal when D is NULL. rows <= CRN_KERNEL_DEPTH. */
void crn_kernel_solve(int rows, int columns, crn_operand A, const double *D, double *X, size_t X_row);

#endif
