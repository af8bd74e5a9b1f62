/* Newton's method on the contacts alone, for sweeps that converge slowly where contacts are few (gauss_seidel_newton.c). */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_H

#include "solve/sweep/gauss_seidel_plan.h"
#include "solve/sweep/local_coulomb.h"

enum
{
    CRN_GS_NEWTON_ROWS = 60 /* at most: its matrix is dense */
};

typedef struct crn_gs_newton
{
    const cairn_problem *problem;
    int dim, contacts, rows;
    crn_local_law law;
    const double *mu, *rho; /* each contact */
    double weight;          /* of the proximal term */
    double *W, *q;          /* u = W r + q */
    double *matrix;
    int *order; /* of its rows */
    double *r, *u;
    double *centre; /* the impulses that the proximal term holds on to */
    double *F, *step;
    double *column; /* n */
    crn_arena memory;
} crn_gs_newton;

void crn_gs_newton_release(crn_gs_newton *newton);

/* From impulses r and the contact velocities u that go with them, for laws of cones. True when the natural map is at most `target` m/s: then r is
 * the solution; otherwise it is as it was. *iterations is raised by the systems solved. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_newton_solve(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem,
                                 crn_local_law law, double target, const double *u, double *r, int *iterations,
                                 bool *found);

#endif
