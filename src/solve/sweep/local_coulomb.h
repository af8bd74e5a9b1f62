/* The law of one contact, solved exactly: find r with u = W r + q and law(u, r, mu).
 *
 * W is the contact's own dim x dim block (row-major, positive definite, not always symmetric), q its velocity when its
 * own impulse is 0. See local_coulomb.c for the cases and for the guarantee.
 */
#ifndef CRN_SOLVE_SWEEP_LOCAL_COULOMB_H
#define CRN_SOLVE_SWEEP_LOCAL_COULOMB_H

#include <stdbool.h>

typedef enum crn_local_law
{
    CRN_LOCAL_FRICTIONLESS,
    CRN_LOCAL_COULOMB, /* |r_t| <= mu r_n, u_n >= 0, u_n r_n = 0, u_t opposes r_t where it slips */
    CRN_LOCAL_CONVEX,  /* r in K, u in K*, u'r = 0 */
    CRN_LOCAL_LAGGED,  /* K a half cylinder whose radius stands for mu (local_lagged.h) */
    CRN_LOCAL_POLYGON, /* r_t in a polygon: not solved here, but by local_polygon.h */
} crn_local_law;

/* Newton's method on several contacts knows the laws of round cones alone. */
static inline bool crn_local_is_conical(crn_local_law law)
{
    return law == CRN_LOCAL_FRICTIONLESS || law == CRN_LOCAL_COULOMB || law == CRN_LOCAL_CONVEX;
}

/* One contact's problem. */
typedef struct crn_local
{
    crn_local_law law;
    int dim;
    const double *W, *q;
    double mu;
    const double *factors; /* of W, by crn_local_factorise; NULL: W is eliminated afresh */
} crn_local;

/* W = L U without exchange of rows, dim x dim: L below a diagonal of ones, the reciprocals of U's diagonal on it. False
 * when a pivot is small beside its diagonal, so that exchanges are called for. */
bool crn_local_factorise(int dim, const double *W, double *factors);

/* On entry r is a guess, of which only the direction of slip is used; on return it is the solution. False when no
 * case fits (W not positive definite): r is then the candidate with the smallest error. */
bool crn_local_solve(const crn_local *local, double *r);

/* P_K(x), K = {r_n >= 0, |r_t| <= mu r_n}; under the lagged law {r_n >= 0, |r_t| <= mu}. */
void crn_local_project(crn_local_law law, int dim, double mu, const double *x, double *out);

/* The natural map |r - P_K(r - rho u)| / rho, with u_n raised by mu |u_t| under Coulomb's law: 0 exactly when the law
 * holds for (u, r). */
double crn_local_error(crn_local_law law, int dim, double mu, double rho, const double *u, const double *r);

#endif
