/* Bodies and joints eliminated: what is left are the contacts,
 *
 *     u = W r + u_free,     W = H K^-1 H' + R  (Delassus),     u_free = H v_free + w,
 *
 * with K the saddle matrix of bodies and joints. And the way back: v and c of given contact impulses.
 *
 * Joints can take nearly all the motion from a contact, so that W is what is left of 1/m - (1/m - 1/M): its columns are
 * refined with residuals in long double. Where they take all of it W_aa is rounding noise against the H_a A^-1 H_a' of
 * the bodies without joints; such rows are set to zero, and so is their velocity if that is noise too.
 */
#ifndef CRN_SOLVE_PIVOT_REDUCE_H
#define CRN_SOLVE_PIVOT_REDUCE_H

#include "base/context.h"
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
    double *v_free, *c_free; /* without contact impulses */
    bool *locked;            /* rows: joints leave it no motion */
    long double *residual_v; /* work: n */
    long double *residual_c; /* work: joint_rows */
    long double *sum;        /* work: rows */
    size_t capacity[11];
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

/* u = H v + R r + w; r NULL: 0 */
void crn_contact_velocities(crn_reduction *reduction, const cairn_problem *problem, const double *v, const double *r,
                            double *u);

#endif
