/* Each function body below is written for any number of pivots and inlined for the numbers 1 to 6, where the loops over them
 * vanish. Columns are taken four at a time; the padding of a row belongs to the last four.
 */
#include "linalg/saddle_small.h"

#include "linalg/saddle_kernel.h"
#include "linalg/saddle_lanes.h"

#include <assert.h>

/* X becomes D L^-1 X with L(i, k) at A.data[i * A.row + k * A.step] and unit diagonal; D NULL: 1. */
INLINE void solve(int pivots, int columns, crn_operand A, const double *D, double *X, size_t X_row)
{
    for (int j = 0; j < columns; j += LANES)
    {
        lanes x[CRN_SMALL_PIVOTS];
        UNROLL
        for (int i = 0; i < pivots; ++i)
        {
            loose_lanes *at = (loose_lanes *)(X + (size_t)i * X_row + j);
            x[i] = *at;
            UNROLL
            for (int k = 0; k < i; ++k)
                x[i] -= A.data[(size_t)i * A.row + (size_t)k * A.step] * x[k];
            if (D)
                x[i] *= D[i];
            *at = x[i];
        }
    }
}

/* Four columns of row i of C, less what the front's pivots take from them. summed: the terms are added up first. */
INLINE void reduce(int pivots, const crn_small_front *front, int i, const lanes *u, bool summed, lanes *c)
{
    const double *l = front->L + i;
    lanes sum = l[0] * u[0];
    *c -= summed ? (lanes){0.0} : sum;
    UNROLL
    for (int k = 1; k < pivots; ++k)
    {
        lanes term = l[(size_t)k * front->below_stride] * u[k];
        if (summed)
            sum += term;
        else
            *c -= term;
    }
    *c -= summed ? sum : (lanes){0.0};
}

/* |l_ik u_ki| added up over the pivots. */
INLINE void find_sizes(int pivots, const crn_small_front *front)
{
    const lane_bits SIGN = (lane_bits)(lanes){-0.0, -0.0, -0.0, -0.0};
    for (int j = 0; j < front->below; j += LANES)
    {
        lanes sum = {0.0};
        UNROLL
        for (int k = 0; k < pivots; ++k)
        {
            lanes term = *(const loose_lanes *)(front->P + (size_t)k * front->stride + (size_t)(pivots + j)) *
                         *(const loose_lanes *)(front->L + (size_t)k * front->below_stride + j);
            sum += (lanes)((lane_bits)term & ~SIGN);
        }
        *(loose_lanes *)(front->sizes + j) = sum;
    }
}

/* C -= L P_u */
INLINE void update(int pivots, const crn_small_front *front, bool summed)
{
    for (int j = 0; j < front->below; j += LANES)
    {
        lanes u[CRN_SMALL_PIVOTS];
        UNROLL
        for (int k = 0; k < pivots; ++k)
            u[k] = *(const loose_lanes *)(front->P + pivots + (size_t)k * front->stride + j);
        for (int i = 0; i < front->below; ++i)
        {
            loose_lanes *at = (loose_lanes *)(front->C + (size_t)i * front->below_stride + j);
            lanes c = {0.0};
            if (!front->fresh)
                c = *at;
            reduce(pivots, front, i, u, summed, &c);
            *at = c;
        }
    }
}

INLINE void eliminate(int pivots, const crn_small_front *front)
{
    crn_operand rows = {front->P, front->stride, 1};
    crn_operand columns = {front->P, 1, front->stride};
    solve(pivots, front->below, rows, NULL, front->P + pivots, front->stride);
    solve(pivots, front->below, columns, front->inverse, front->L, front->below_stride);
    find_sizes(pivots, front);
    if (crn_kernel_is_summed(front->below, front->below, pivots))
        update(pivots, front, true);
    else
        update(pivots, front, false);
}

static void plain_eliminate(const crn_small_front *front){CRN_FOR_PIVOTS(front->pivots, eliminate, front)}

WIDE static void wide_eliminate(const crn_small_front *front)
{
    CRN_FOR_PIVOTS(front->pivots, eliminate, front)
}

void crn_small_eliminate(const crn_small_front *front)
{
    assert(crn_small_fits(front->pivots, front->below));
    assert(front->below_stride % LANES == 0 && front->below_stride >= (size_t)front->below);
    if (HAS_WIDE)
        wide_eliminate(front);
    else
        plain_eliminate(front);
}
