/* The balance of forces of an active set, in sparse blocks: B = S C D^-1/2 with C = J'gamma (active.h), a column per variable
 * and a row per unknown of the bodies.
 *
 * Forces x that leave all velocities as they are are those with C x = C x0, where x0 are the forces of the solution at hand:
 * A and p do not matter. That is the balance of forces of each body, n equations that couple only bodies that touch. The
 * matrix of the dual, B P' B', is the stiffness of the structure with springs of stiffness 1/D in the place of contacts and
 * joints: block-sparse, symmetric and semidefinite, since free motions meet no resistance. Its rows are scaled by S to length
 * one, and a small multiple of the identity makes it definite.
 */
#ifndef CRN_SOLVE_FORCES_BALANCE_H
#define CRN_SOLVE_FORCES_BALANCE_H

#include "linalg/coupled.h"
#include "linalg/saddle.h"
#include "solve/newton/active.h"

typedef struct crn_balance
{
    int n, count;       /* rows and columns of B */
    int *entry_start;   /* count + 1: the blocks that each variable acts on */
    int *block;         /* per entry */
    int *value_start;   /* per entry, and one past the last */
    double *value;      /* of B */
    double *row_scale;  /* n: S */
    long double *sum;   /* n: work */
    const int *first;   /* the first unknown of each block, the problem's */
    crn_coupled square; /* the pattern of B B' */
    cairn_problem aux;  /* only its A is used: B P' B' */
    crn_saddle *saddle;
    crn_arena memory;
} crn_balance;

bool crn_balance_open(crn_balance *balance);
void crn_balance_close(crn_balance *balance);

/* Fill B for an active set; scale: D^-1/2 of each variable. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_balance_arrange(crn_balance *balance, const crn_active *active, const cairn_problem *problem,
                                 const double *scale);

/* y += B'pi */
void crn_balance_add_transposed(const crn_balance *balance, const double *pi, double *y);

/* out = B z - f, summed in long double; f NULL: 0 */
void crn_balance_times(const crn_balance *balance, const double *z, const double *f, double *out);

/* Factorise B P' B' + regular I, P' given as nine values per piece; NULL: the identity. False where that fails or would take
 * more than the limit of the saddle. */
bool crn_balance_factorise(crn_balance *balance, const crn_active *active, const double *derivative, double regular);

/* Factorise B B' + share S A S, A scaled to diagonal entries of at most 1. */
bool crn_balance_factorise_with(crn_balance *balance, const crn_active *active, const cairn_problem *problem,
                                double share);

/* Overwrite b with the solution of the system that was factorised last. */
void crn_balance_solve(const crn_balance *balance, double *b);

/* The n pivots of the system that was factorised last. */
void crn_balance_pivots(const crn_balance *balance, double *pivot);

#endif
