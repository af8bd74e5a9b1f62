/* The impulses of least weighted norm among those that an active set allows:
 *
 *     min  x'D x / 2 - g'x     such that   E x = e ,   x in a product of pieces (active.h).
 *
 * D has one number per piece, so D^1/2 x = z lies in pieces of the same shape; only discs and intervals are scaled. With the rows of
 * E D^-1/2 scaled to length one as B, and f the right-hand side so scaled, the dual is without constraints,
 *
 *     max over pi   f'pi - (|y|^2 - |y - P(y)|^2) / 2 ,    y = B'pi + D^-1/2 g ,      gradient  f - B P(y) ,
 *
 * P the projection on the pieces: convex, differentiable, with a semismooth gradient. Newton's method with a line search finds
 * pi, and z = P(y) is the answer. Redundant rows leave pi undetermined, but not z; a small multiple of the identity keeps the
 * Hessian B P' B' regular. Where no bound is active, the first step is that of the pseudo-inverse and the only one.
 */
#ifndef CRN_SOLVE_FORCES_LEAST_NORM_H
#define CRN_SOLVE_FORCES_LEAST_NORM_H

#include "base/memory.h"
#include "solve/newton/active.h"

typedef struct crn_least_norm
{
    double *x;     /* the answer */
    double *slope; /* g; zero unless set after crn_least_norm_begin */
    double *B, *f, *pi, *y, *z, *gradient, *step, *trial, *hessian, *scale, *factor;
    crn_arena memory;
} crn_least_norm;

void crn_least_norm_release(crn_least_norm *work);

/* Compute B and f of an active set that is built: from E x = e, or with `keep` from P x = f, which keeps the velocities.
 * CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_least_norm_begin(crn_least_norm *work, const crn_active *active, bool keep);

/* False when it did not converge; x is then its last iterate. */
bool crn_least_norm_solve(crn_least_norm *work, const crn_active *active, int directions);

/* Replace g by its part along the null space of E, in the norm of D; returns the size of that part relative to g. */
double crn_least_norm_along_null(crn_least_norm *work, const crn_active *active);

#endif
