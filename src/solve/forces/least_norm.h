/* The impulses of least weighted norm among those that an active set allows:
 *
 *     min  x'D x / 2 - g'x     such that   E x = e ,   x in a product of pieces (active.h).
 *
 * D has one number a piece, so that D^1/2 x = z lies in pieces of the same shape, only discs and intervals scaled. With the rows of
 * E D^-1/2 scaled to length one as B, and f the right-hand side so scaled, the dual is without constraints,
 *
 *     max over pi   f'pi - (|y|^2 - |y - P(y)|^2) / 2 ,    y = B'pi + D^-1/2 g ,      gradient  f - B P(y) ,
 *
 * P the projection on the pieces: convex, differentiable, and its gradient is semismooth. Newton's method with a line search
 * finds pi, and z = P(y) is the answer. Redundant rows leave pi, not z, undetermined; a small multiple of one keeps the
 * Hessian B P' B' regular. Where no bound is active the first step is the pseudo-inverse's, and the only one.
 */
#ifndef CRN_SOLVE_FORCES_LEAST_NORM_H
#define CRN_SOLVE_FORCES_LEAST_NORM_H

#include "solve/newton/active.h"

typedef struct crn_least_norm
{
    double *x;     /* the answer */
    double *slope; /* g; zero unless set after crn_least_norm_begin */
    double *B, *f, *pi, *y, *z, *gradient, *step, *trial, *hessian, *scale, *factor;
    double *memory;
    size_t capacity;
} crn_least_norm;

void crn_least_norm_release(crn_least_norm *work);

/* Room, and B and f of an active set that is built: of E x = e, or of P x = f, which keeps the velocities. CAIRN_NO_MEMORY is
 * the only failure. */
cairn_status crn_least_norm_begin(crn_least_norm *work, const crn_active *active, bool keep);

/* False when it did not settle: x then is the nearest it came to. */
bool crn_least_norm_solve(crn_least_norm *work, const crn_active *active, int directions);

/* g becomes its part along the null space of E, in the norm of D; returns the size of that part against all of it. */
double crn_least_norm_along_null(crn_least_norm *work, const crn_active *active);

#endif
