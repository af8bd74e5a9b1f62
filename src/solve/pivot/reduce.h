/* Eliminates bodies and joints; the contacts remain,
 *
 *     u = W r + u_free,     W = H K^-1 H' + R  (Delassus),     u_free = H v_free + w,
 *
 * with K the saddle matrix of bodies and joints; and recovers v and c from given contact impulses.
 *
 * Joints can take nearly all motion from a contact, so that W is the small difference 1/m - (1/m - 1/M): its columns are
 * refined with residuals in long double. Where joints take all motion, W_aa is rounding noise compared with H_a A^-1 H_a' of
 * the bodies without joints. Such rows are set to zero, and so is their velocity if it is noise too.
 */
#ifndef CRN_SOLVE_PIVOT_REDUCE_H
#define CRN_SOLVE_PIVOT_REDUCE_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/problem.h"
#include "linalg/saddle.h"

typedef struct crn_reduction
{
    crn_saddle *saddle;
    int rows;       /* dim * contact_count */
    double *W;      /* rows x rows, row-major */
    double *u_free; /* rows */

    double *f, *g;           /* work: a right-hand side of K */
    double *row;             /* work: a row of H */
    double *X, *Y;           /* work: v and c of K^-1 H_a', one row a after the other */
    double *F, *E;           /* work: their residuals and corrections */
    double *v_free, *c_free; /* without contact impulses */
    bool *locked;            /* rows: joints leave the row no motion */
    long double *residual_v; /* work: n */
    long double *residual_c; /* work: joint_rows */
    long double *u;          /* rows: contact velocities, for callers too */
    crn_arena memory;
} crn_reduction;

/* False when memory ran out. A zeroed struct is ready for this. */
bool crn_reduction_open(crn_reduction *reduction);
void crn_reduction_close(crn_reduction *reduction);

/* Factorise K and form W and u_free. CAIRN_NUMERIC when A is not positive definite. */
cairn_status crn_reduce(crn_reduction *reduction, cairn_context *context, const cairn_problem *problem);

/* Factorise K alone: all that crn_recover needs. No message. */
cairn_status crn_reduction_factorise(crn_reduction *reduction, const cairn_problem *problem);

/* v and c such that A v = p + G'c + H'r and G v + R_c c = b, refined with residuals in long double. r NULL: 0. */
void crn_recover(crn_reduction *reduction, const cairn_problem *problem, const double *r, double *v, double *c);

#endif
