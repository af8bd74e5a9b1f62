/* The forces that a solution leaves free: its active set, as a linear system in the impulses that may act.
 *
 * At a solution each contact is open, sticks or slides. The impulses that its law then allows are made of variables x with
 * simple bounds,
 *
 *     r = offset + sum_a gamma_a x_a ,    x in a product of lines, rays, cones, discs and intervals ("pieces"),
 *
 * and as many velocities rho_a'u must stay zero:
 *
 *     joint row                    gamma = rho = 1                                    x free
 *     frictionless                 gamma = rho = e_n                                  x >= 0
 *     sticks                       all rows                                           x in the law's cone
 *     slides along d, exact law    gamma = (1, -mu d),  rho = e_n                     x >= 0
 *     slides along d, convex law   gamma = rho = (1, -mu d)                           x >= 0
 *     slides, lagged               gamma = rho = e_n,   offset -radius d              x >= 0
 *     bounded row, s = 0           gamma = rho = e_n                                  x in [lo, hi]
 *     bounded row, at a bound      none,                offset lo or hi
 *     box                          each tangent sticks or slides by itself
 *
 * Bounds that are multiples of another impulse are those of the solution: forces that change that impulse break the law, and
 * the certificate refuses them.
 *
 * With J = (G; H) and the compliances in R these are E x = e:
 *
 *     E_ab = rho_a'(J A^-1 J' + R) gamma_b ,      e_a = rho_a'(target - J A^-1 (p + J' offset) - R offset) .
 *
 * Where E has a null space the forces are not unique. Null vectors of P = gamma'(J A^-1 J' + R) gamma move no body; the
 * others, which only the exact laws have since there rho and gamma differ, change velocities too: the dynamic friction of
 * Preclik et al. 2011, eq. 20-23, whose matrix is not symmetric. P x = f, f with the velocities gamma'u of the solution for its
 * targets, are the forces that leave all velocities as they are: those of the convex problem whose shift mu |u_t| is frozen.
 */
#ifndef CRN_SOLVE_NEWTON_ACTIVE_H
#define CRN_SOLVE_NEWTON_ACTIVE_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/solver.h"
#include "linalg/saddle.h"

typedef enum crn_piece_kind
{
    CRN_PIECE_LINE,    /* a joint row */
    CRN_PIECE_RAY,     /* x >= 0 */
    CRN_PIECE_CONE,    /* |x_t| <= mu x_n: 2 or 3 variables */
    CRN_PIECE_PYRAMID, /* the cone over the law's polygon: 3 variables */
    CRN_PIECE_BOX,     /* |x_1| <= mu x_n and |x_2| <= mu x_n */
    CRN_PIECE_DISC,    /* |x| <= mu: 1 or 2 variables */
    CRN_PIECE_INTERVAL /* lo <= x <= hi: a bounded row */
} crn_piece_kind;

typedef struct crn_piece
{
    crn_piece_kind kind;
    int first, count; /* variables */
    double mu;        /* or the radius of a disc */
    double lo, hi;    /* of an interval */
    double cost;      /* d of x'D x: one over the weight */
} crn_piece;

typedef struct crn_variable
{
    int joint, contact; /* item of G or H; the other is -1 */
    int row;            /* of the joint's item */
    double gamma[3], rho[3];
} crn_variable;

typedef struct crn_active
{
    int count, piece_count;
    bool symmetric; /* rho = gamma for all variables */
    crn_variable *variable;
    crn_piece *piece;
    double *offset;   /* contact rows */
    double *E, *P;    /* count x count; P only where it is not E */
    double *e, *f;    /* count; f only with P */
    double *Y, *X;    /* J'gamma and A^-1 J'gamma, count x n */
    double *u;        /* contact rows: velocities that the active set was taken from */
    double *base;     /* n: A^-1 (p + J'offset) */
    double *scratch;  /* n */
    long double *sum; /* contact rows */
    crn_saddle *saddle;
    crn_arena memory;
} crn_active;

bool crn_active_open(crn_active *active);
void crn_active_close(crn_active *active);

/* An upper bound on the number of variables of a problem. */
int crn_active_most(const cairn_problem *problem);

/* The active set of a solution: a contact is open, sticks or slides as its natural map r - rho (u + ...) tells; velocities
 * below `rest` (m/s) count as zero. mass: effective masses of the contacts. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_active_find(crn_active *active, const cairn_problem *problem, const cairn_solution *solution,
                             const double *mass, double rest);

/* Fill E, P and e. CAIRN_NUMERIC when A cannot be factorised. */
cairn_status crn_active_build(crn_active *active, const cairn_problem *problem);

/* v, c and r of x. */
void crn_active_apply(crn_active *active, const cairn_problem *problem, const double *x, cairn_solution *solution);

/* What gamma'J v of a variable has to be: its velocity rho'u is zero and the slip of the solution stays. Without compliance. */
double crn_active_target(const crn_active *active, const cairn_problem *problem, int variable);

/* Correct v by the residual of A v = p + G'c + H'r. CAIRN_NUMERIC when A cannot be factorised. */
cairn_status crn_active_refine(crn_active *active, const cairn_problem *problem, cairn_solution *solution);

/* The point of a piece nearest to y; directions: of the law's polygon. */
void crn_piece_project(const crn_piece *piece, int directions, const double *y, double *x);

#endif
