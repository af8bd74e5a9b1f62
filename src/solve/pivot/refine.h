/* Refines the solution of a complementary basis until it is as exact as the data allow.
 *
 * The basis says which rows hold with equality: slack_a = 0 where z_a is basic, z_b = 0 elsewhere. M_aa, factorised afresh,
 * corrects z. The slacks are computed each time from the problem's own A, G and H through v, not from M, so that the rounding
 * errors of the elimination do not remain in the answer.
 */
#ifndef CRN_SOLVE_PIVOT_REFINE_H
#define CRN_SOLVE_PIVOT_REFINE_H

#include "base/memory.h"
#include "cairn/solver.h"
#include "solve/pivot/lcp.h"
#include "solve/pivot/reduce.h"

typedef struct crn_refiner
{
    double *lu;
    int *row;      /* of the factors */
    int *basic;    /* the basic variables */
    double *rhs;   /* their right-hand side */
    double *trial; /* z to be tried */
    double *slack; /* of all variables */
    double *u;     /* contact velocities */
    crn_arena memory;
} crn_refiner;

void crn_refiner_release(crn_refiner *refiner);
/* Room for a basis of k variables and for `rows` contact rows. */
cairn_status crn_refiner_reserve(crn_refiner *refiner, const crn_lcp *lcp, int k, int rows);

/* Improve z (>= 0) on its basis, then write r, v and c. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_refine(crn_refiner *refiner, crn_reduction *reduction, const crn_lcp *lcp,
                        const cairn_problem *problem, const bool *is_basic, double *z, cairn_solution *solution);

#endif
