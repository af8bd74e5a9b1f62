/* The elimination of small fronts: 1 to 6 pivots, the sizes of bodies and joints, written out for each number of them so that the
 * pivots stay in registers. The same sums in the same order as the general kernels (saddle_kernel.h): the same bits.
 */
#ifndef CRN_LINALG_SADDLE_SMALL_H
#define CRN_LINALG_SADDLE_SMALL_H

#include <stdbool.h>
#include <stddef.h>

/* A front whose own columns are eliminated: P_p = L_p U_p. Rows are padded to whole vectors of four (saddle_pattern.h). */
typedef struct crn_small_front
{
    int pivots, below;
    size_t stride, below_stride;
    double *P, *L, *C;
    const double *inverse;
    bool fresh; /* C is zero and need not have been cleared */
} crn_small_front;

bool crn_small_fits(int pivots, int below);

/* P_u becomes L_p^-1 P_u, L becomes L U_p^-1, C becomes C - L P_u. */
void crn_small_eliminate(const crn_small_front *front);

#endif
