/* The contact problem as first-order methods see it: one function from impulses to contact velocities,
 *
 *     u(r) = H v + R r + w + s e_n,     A v = p + G'c + H'r,     G v + R_c c = b,
 *
 * evaluated through the sparse factors of K = [A, -G'; G, R_c] without ever forming W = H K^-1 H' + R, and one cone K_j per
 * contact, with the law
 *
 *     r in K,   u in K*,   u'r = 0                                                                      (convex law)
 *
 * For a bounded row K is its interval: z = P(z - rho s). Three things are held constant while a method iterates, and are renewed
 * once the residual has fallen to the target:
 *
 *     s_j = mu_j |u_t,j|                   exact Coulomb friction is the convex law with this shift (de Saxce);
 *     lo f, hi f                           bounds of a row that are multiples of another item's impulse f;
 *     (A - A_s) v  and  (R - R_s) r        for methods that need a symmetric W, the parts that are not symmetric.
 *
 * All are fixed points: where they no longer change, the problem's own law holds.
 *
 * Scales. rho_j is the effective mass the certificate uses, 1 / mean diag (H_j D^-1 H_j' + R_jj) with D the diagonal
 * blocks of A; weight_j is the same with K^-1 in place of D^-1 where that can be afforded, so that joints and springs are
 * seen. One number per contact leaves its cone as it is, and W scaled by the weights has ones on its diagonal, on average,
 * whatever the masses.
 */
#ifndef CRN_SOLVE_GRADIENT_OPERATOR_H
#define CRN_SOLVE_GRADIENT_OPERATOR_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/solver.h"
#include "linalg/saddle.h"
#include "solve/auto/bounded.h"
#include "solve/certify/certify.h"

typedef struct crn_operator
{
    const cairn_problem *problem;
    cairn_problem used; /* what is factorised: the problem, or its symmetric part */
    bool is_exact;      /* the law is Coulomb's: s is renewed */
    bool is_lagging;    /* part of A or R is held in `load` and `bias` */
    bool has_multiples; /* bounds are held in `interval` */
    int rows;           /* dim * contact_count */
    double scale;       /* m/s, the certificate's */
    double target;      /* m/s: the residual at which the bias is to be renewed */

    crn_saddle *saddle;
    crn_certifier *certifier;
    double *A_value, *R_value, *W_value; /* of the symmetric part */
    double *rho, *weight;                /* contact_count */
    double *bias;                        /* rows: w + s e_n + (R - R_s) r */
    double *load;                        /* n: p - (A - A_s) v */
    crn_interval *interval;              /* contact_count, with bounded rows: theirs */
    double *v, *c;                       /* of the last evaluation */
    double *work;                        /* n and joint_rows, or one block's factors */
    int *order;                          /* of a block's rows */
    int *first, *next;                   /* entries of H by block (operator_scale.c) */
    double *before;                      /* rows */
    long double *sum_v, *sum_c, *sum_r;
    double *kept; /* rows: r of the renewal that left the least, */
    double least; /* m/s; INFINITY when there was none */
    crn_arena memory;
} crn_operator;

/* Laws of cones and bounded rows; in the plane pyramid and box are Coulomb's law too. */
bool crn_operator_can_solve(const cairn_problem *problem);

/* A zeroed struct is ready for this. False when memory ran out. */
bool crn_operator_open(crn_operator *op);
void crn_operator_close(crn_operator *op);

/* Factorise and scale. symmetric: the method needs a symmetric W. r, the guess, is projected on the cones, and the bias
 * is taken from it unless it is zero; u becomes u(r). CAIRN_NUMERIC when A is not positive definite. */
cairn_status crn_operator_start(crn_operator *op, cairn_context *context, const cairn_problem *problem, bool symmetric,
                                double tolerance, double *r, double *u);

/* u(r): one product with W, one solve with the factors. */
void crn_operator_apply(crn_operator *op, const double *r, double *u);

/* The point of contact j's cone nearest to x; x and out may be the same. */
void crn_operator_project(const crn_operator *op, int j, const double *x, double *out);

/* The largest natural map |r - P(r - rho u)| / rho over the contacts, in m/s. */
double crn_operator_residual(const crn_operator *op, const double *r, const double *u);

/* The residual of (r, u = u(r)) has come below the target: renew the bias and evaluate u = u(r) anew. True when the
 * problem's own law then holds within `tolerance` m/s; otherwise the target is set to a third of what is missing. */
bool crn_operator_renew(crn_operator *op, double tolerance, double residual, const double *r, double *u);

/* The r that held the problem's own law best when the bias was renewed; NULL when it never was. */
const double *crn_operator_kept(const crn_operator *op);

/* v and c of the problem itself for solution->r, refined with residuals in long double. */
void crn_operator_finish(crn_operator *op, cairn_solution *solution);

/* rho and weight; the factors are there. (operator_scale.c) */
cairn_status crn_operator_find_scales(crn_operator *op);

#endif
