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
 *
 * In large islands, where velocities are to stay, E x = e is replaced by the balance of forces C x = C x0 (balance.h): other
 * equations with the same solutions, in sparse blocks.
 */
#ifndef CRN_SOLVE_FORCES_LEAST_NORM_H
#define CRN_SOLVE_FORCES_LEAST_NORM_H

#include "base/memory.h"
#include "solve/forces/balance.h"

typedef struct crn_least_norm
{
    double *x;                                /* the answer */
    double *slope;                            /* g; zero unless set after crn_least_norm_begin */
    int rows;                                 /* of B */
    double acceptable;                        /* of |f|: the gradient at which only refinement remains */
    double *f, *pi, *gradient, *step, *trial; /* rows */
    double *y, *z, *scale;                    /* count */
    double *derivative;                       /* P' of each piece, nine values */
    bool factorised;                          /* sparse: B B' is */
    bool sparse;                              /* B is in the balance; else it is dense */
    double *B, *hessian, *factor;             /* dense: count x count */
    crn_balance balance;
    crn_arena memory;
} crn_least_norm;

bool crn_least_norm_open(crn_least_norm *work);
void crn_least_norm_close(crn_least_norm *work);

/* Compute B and f of an active set that is built: from E x = e, or with `keep` from P x = f, which keeps the velocities.
 * CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_least_norm_begin(crn_least_norm *work, const crn_active *active, bool keep);

/* After crn_least_norm_begin: where forces x0 within their bounds miss B x = f by more than can be told from rounding, aim at what they meet instead. A
 * loose solution shows that forces of its own velocities exist, but the velocities that its active set should have may be out of reach.
 * Returns whether it does. */
bool crn_least_norm_aim(crn_least_norm *work, const crn_active *active, const double *x0);

/* The same for the forces that keep the velocities, C x = C x0, in sparse blocks. */
cairn_status crn_least_norm_begin_sparse(crn_least_norm *work, const crn_active *active, const cairn_problem *problem,
                                         const double *x0);

/* The dimension of the null space of B, after crn_least_norm_begin_sparse; -1: the factorisation would take more than the limit of
 * the balance. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_least_norm_nullity(crn_least_norm *work, const crn_active *active, const cairn_problem *problem,
                                    double dependent, int *nullity);

/* False when it did not converge; x is then its last iterate. */
bool crn_least_norm_solve(crn_least_norm *work, const crn_active *active, int directions);

/* P' of a piece at y, three values per row. */
void crn_piece_differentiate(const crn_piece *piece, int directions, const double *y, double D[9]);

/* Replace g by its part along the null space of E, in the norm of D; returns the size of that part relative to g. */
double crn_least_norm_along_null(crn_least_norm *work, const crn_active *active);

#endif
