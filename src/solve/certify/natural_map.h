/* The natural map of a contact or bounded row: zero exactly when its law holds, and a velocity.
 *
 * With the effective mass rho, the contact velocity u and the impulse r of a contact it is
 *
 *     normal        | r_n - max(0, r_n - rho u_n) | / rho
 *     tangential    | r_t - P(r_t - rho u_t) | / rho,   P the projection on mu max(0, r_n) times the law's figure
 *
 * (regular polygon, square, disc, interval in the plane). Conical laws are projected as a whole: with K the cone over that
 * figure,
 *
 *     convex        | r - P_K(r - rho u) | / rho
 *     cone          | r - P_K(r - rho (u + mu |u_t| e_n)) | / rho       (the bipotential of de Saxce and Feng)
 *
 * A bounded row uses the interval that the solution's own impulses give it:
 *
 *     row           | z - P(z - rho s) | / rho,          P the projection on [lo, hi]
 *
 * r may be so large that rho u is lost beside it: a body that joints hold inside a wall can push arbitrarily hard, and nothing
 * moves. So where a component of the projection is the projected point itself, its part of the natural map is rho u instead of
 * a difference. Differences that remain count with a thousandth of their rounding error, |r| eps / rho, which no impulse can
 * hide.
 */
#ifndef CRN_SOLVE_CERTIFY_NATURAL_MAP_H
#define CRN_SOLVE_CERTIFY_NATURAL_MAP_H

#include "cairn/problem.h"

typedef struct crn_law_residual
{
    double natural_map;     /* m/s */
    double outside;         /* N s: the distance of the impulse from those that the law allows */
    double complementarity; /* J: the work that the law says is zero */
} crn_law_residual;

/* How far item j is from its law. r: the impulses of all items; u: their velocities; rho: the effective mass of item j. */
crn_law_residual crn_law_residual_of(const cairn_problem *problem, int j, const double *r, const long double *u,
                                     double rho);

#endif
