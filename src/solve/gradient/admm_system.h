/* The linear system of an ADMM iteration, bodies and contacts together:
 *
 *     [ A   -H'        -G' ] [ v ]   [ p ]
 *     [ H   R + T       0  ] [ x ] = [ g ]          T = penalty / weight_j on the rows of contact j
 *     [ G   0          R_c ] [ c ]   [ b ]
 *
 * Its leading part [A, -H'; H, R + T] is positive definite (not symmetric) whenever A is, so it is the A of an auxiliary
 * one-step problem whose blocks are the bodies and then the contacts, one block per contact or patch (R in sparse
 * blocks couples them), and crn_saddle factorises it with the joints as they are, in a fill-reducing order over bodies and contacts alike. Redundant contacts
 * do no harm: T > 0.
 */
#ifndef CRN_SOLVE_GRADIENT_ADMM_SYSTEM_H
#define CRN_SOLVE_GRADIENT_ADMM_SYSTEM_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/problem.h"
#include "linalg/saddle.h"

typedef struct crn_admm_system
{
    const cairn_problem *problem;
    cairn_problem aux; /* only A, G and R_c of it are used */
    crn_saddle *saddle;
    int group_count;
    int *group_start; /* group_count + 1: first contact of each group */
    int *pair_start;  /* group_count + 1 */
    int *pair_block;  /* per pair (group, body): the body, ascending within a group */
    int *fill;        /* work, per body */
    int *mark;        /* work, per body: the last group that touched it */
    double *v, *c;    /* right-hand side and solution */
    crn_arena memory;
} crn_admm_system;

/* False when memory ran out. A zeroed struct is ready for this. */
bool crn_admm_system_open(crn_admm_system *system);
void crn_admm_system_close(crn_admm_system *system);

/* Lay the system out. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_admm_system_build(crn_admm_system *system, const cairn_problem *problem);

/* Fill in the values for a penalty and factorise. */
cairn_status crn_admm_system_factorise(crn_admm_system *system, double penalty, const double *weight);

/* x of the right side g (rows each). */
void crn_admm_system_solve(crn_admm_system *system, const double *g, double *x);

#endif
