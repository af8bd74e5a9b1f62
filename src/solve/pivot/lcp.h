/* The polyhedral laws as a linear complementarity problem in scaled variables.
 *
 * Contact j with friction has the variables r_n, then for each friction group its directions' beta and one lambda:
 *
 *     pyramid(m)   one group, d_k = (cos 2 pi k/m, sin 2 pi k/m);  in the plane +1 and -1, and so is the cone there
 *     box          two groups, +-t_1 and +-t_2
 *     none         when frictionless or mu = 0
 *
 * Under the lagged law the bound mu r_n is a constant, the radius, and goes into q.
 *
 *     rows         u_n          = n'u                    _|_ r_n
 *                  sigma        = D'u_t + lambda e       _|_ beta
 *                  zeta         = mu r_n - e'beta        _|_ lambda,          r_t = D beta
 *
 * The convex laws (Anitescu 2006, eq. 5.1) have the same variables, but lambda enters the normal row too,
 *
 *                  u_n - mu lambda               _|_ r_n,
 *
 * which makes the law's part of M antisymmetric, and M positive semidefinite.
 *
 * Bounded rows: lcp_rows.h.
 *
 * Scaling. With s_n = 1 / sqrt(W_nn) and s_t = 1 / sqrt(mean W_tt) of a contact, impulses are kappa s z, velocities
 * kappa z / s, and lambda kappa z / s_t. M becomes S M S with ones on its diagonal blocks whatever the mass ratio; the ones
 * of the friction rows stay as they are, mu becomes mu s_n / s_t. kappa makes the largest entry of q one.
 */
#ifndef CRN_SOLVE_PIVOT_LCP_H
#define CRN_SOLVE_PIVOT_LCP_H

#include "base/memory.h"
#include "cairn/problem.h"

typedef struct crn_lcp
{
    int size;
    double *M; /* size x size, row-major */
    double *q; /* size */
    double kappa;
    int *first;   /* contact_count + 1: first variable of each contact or bounded row */
    double *s;    /* per contact: s_n, s_t */
    int *contact; /* per variable */
    int *lambda;  /* per variable: the lambda of a beta's group; -1 for r_n and unbounded betas; itself for a lambda */
    double *direction; /* dim values per variable; zero for a lambda */
    double *work;      /* a combination of rows of W */
    crn_arena memory;
} crn_lcp;

void crn_lcp_release(crn_lcp *lcp);

/* Whether the law is polyhedral. In the plane all laws are, and so are bounded rows. */
bool crn_lcp_can_express(const cairn_problem *problem);

/* The number of variables of a problem. */
int crn_lcp_count(const cairn_problem *problem);

/* Build M and q from W (rows x rows) and u_free. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_lcp_build(crn_lcp *lcp, const cairn_problem *problem, const double *W, const double *u_free);

/* r of z. */
void crn_lcp_impulses(const crn_lcp *lcp, const cairn_problem *problem, const double *z, double *r);

/* The left-hand sides M z + q, from the contact velocities u that z causes. */
void crn_lcp_slacks(const crn_lcp *lcp, const cairn_problem *problem, const double *z, const double *u, double *slack);

#endif
