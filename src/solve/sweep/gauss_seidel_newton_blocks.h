/* The blocks of a Newton step with a thin W (gauss_seidel_newton_thin.c): of E = I - D + rho' alpha D J,
 *
 *     E^-1 F     and     K = E^-1 rho' D J,  the sum of a_k b_k'.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_BLOCKS_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_BLOCKS_H

#include "solve/sweep/gauss_seidel_newton.h"

typedef struct crn_newton_block
{
    double step[4]; /* E^-1 F; the last is unused */
    double a[3][4], b[3][4];
    int rank;      /* how many products */
    bool is_plain; /* a_k = e_k and b_k is a multiple of it */
} crn_newton_block;

/* The blocks of all items where F was computed last; of items that carry nothing E is the identity and K = 0. False: some E is singular. */
bool crn_gs_newton_find_blocks(crn_gs_newton *newton);

#endif
