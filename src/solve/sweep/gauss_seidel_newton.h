/* Newton's method on the contacts alone, for sweeps that converge slowly where contacts are few (gauss_seidel_newton.c). */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_NEWTON_H

#include "solve/sweep/gauss_seidel_plan.h"
#include "solve/sweep/local_coulomb.h"

#include <stdint.h>

enum
{
    CRN_GS_NEWTON_ROWS = 60,    /* at most: its matrix is dense */
    CRN_GS_NEWTON_COLUMNS = 120 /* at most, of thin factors of W */
};

/* What the matrix of a thin step depends on beside the impulses: one bit per contact. */
typedef struct crn_newton_mode
{
    uint64_t active, sticks;
    double weight;
} crn_newton_mode;

typedef struct crn_gs_newton
{
    const cairn_problem *problem;
    int dim, contacts, rows;
    crn_local_law law;
    const double *mu, *rho; /* per contact */
    double weight;          /* of the proximal term */
    double *W, *q;          /* u = W r + q */
    int columns;            /* where W = X Y' by thin factors instead; 0: W in full */
    size_t stride;          /* of their rows */
    double *X, *Y;
    double *system, *lower, *z; /* of a step with these (gauss_seidel_newton_thin.c) */
    crn_newton_mode factored;   /* where it was factorised last */
    struct crn_newton_block *blocks;
    double *pairs;   /* the rows whose products make its matrix */
    uint64_t *reach; /* per column: the contacts whose rows of X and Y need not be 0 there */
    double *matrix;
    int *order; /* of its rows */
    double *r, *u;
    bool fresh;     /* u is that of r */
    double *centre; /* the centre of the proximal term */
    double *F, *step;
    double *slip, *moved; /* u with the proximal term, and r - rho' (u + e_0 g), as F has them */
    double *column;       /* n */
    bool apart;           /* contacts that carry nothing are left out of the matrix */
    bool hasty;           /* give up a weight when errors grow, and fall faster where one step was enough */
    bool contradicted;    /* the last run has ended at an error that no proximal term changes */
    double *last;         /* r before the last of Newton's steps */
    bool *active;         /* per contact: it carries something */
    int *index;           /* rows of those that do */
    double *part;         /* their matrix */
    double reached;       /* m/s: the natural map at the end of the last run */
    crn_arena memory;
} crn_gs_newton;

/* After crn_gs_newton_begin: W is in full, which the caller fills. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_newton_reserve_full(crn_gs_newton *newton);

/* The same: W is X Y' with so many columns, which the caller fills together with `reach`; columns up to `stride` are 0. CAIRN_NO_MEMORY is the only
 * failure. */
cairn_status crn_gs_newton_reserve_thin(crn_gs_newton *newton, int columns);

/* out = from + sign W x. */
void crn_gs_newton_apply(const crn_gs_newton *newton, double sign, const double *x, const double *from, double *out);

/* The same with thin factors, and one Newton step where F was computed last; false: its matrix is singular. again: with the factors of the last
 * step; false where they belong to other contacts or another weight. */
void crn_gs_newton_apply_thin(const crn_gs_newton *newton, double sign, const double *x, const double *from,
                              double *out);
bool crn_gs_newton_take_thin(crn_gs_newton *newton, bool again);

/* D and D J of item i where F was computed last, dim x dim. */
void crn_gs_newton_derivative(const crn_gs_newton *newton, int i, double *D, double *DJ);

/* F of all items as crn_gs_newton_residuals has it, to the bit, where all are contacts in space: four at a time. */
double crn_gs_newton_residuals_by_four(crn_gs_newton *newton);

void crn_gs_newton_release(crn_gs_newton *newton);

/* Begin with a problem for laws of cones, rho a mass per contact. apart: leave contacts that carry nothing out of the
 * matrix, which is quicker and rounds differently. The caller then reserves and sets W, and q of all rows. CAIRN_NO_MEMORY is the only
 * failure. */
cairn_status crn_gs_newton_begin(crn_gs_newton *newton, const cairn_problem *problem, crn_local_law law,
                                 const double *rho, bool apart);

/* Start from the impulses r. Returns m/s: the natural map of the problem that was begun, there. */
double crn_gs_newton_start(crn_gs_newton *newton, const double *r);

/* Where a run ends, m/s: at `target`; where errors no longer fall, at `enough`; at `close` where contacts contradict each other by it, which only
 * runs with `apart` find out. hasty: a better start is at hand if this one is not nearly the solution, and a few steps show that. */
typedef struct crn_newton_aim
{
    double target, enough, close;
    bool hasty;
} crn_newton_aim;

/* Solve the problem that was begun, from the impulses where it was started. True when the aim is reached: then r becomes the solution; otherwise
 * it is as it was. first_weight: of the proximal term, small where the start is nearly the solution. */
bool crn_gs_newton_run(crn_gs_newton *newton, double first_weight, const crn_newton_aim *aim, double *r,
                       int *iterations);

/* The largest |F| / rho' in m/s for the present r and u. Not finite where r ran away. */
double crn_gs_newton_residuals(crn_gs_newton *newton);

/* F' where F was computed last; with `apart` without the rows of contacts that carry nothing. */
void crn_gs_newton_differentiate(crn_gs_newton *newton);

/* The impulses at the end of the last run, projected on their cones: the best that was found, whether it is the solution or not. */
void crn_gs_newton_take(const crn_gs_newton *newton, double *r);

/* From impulses r and the contact velocities u that go with them, for laws of cones. True when the natural map is at most `target` m/s: then r is
 * the solution; otherwise it is as it was. *iterations is raised by the systems solved. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_newton_solve(crn_gs_newton *newton, const crn_gs_plan *plan, const cairn_problem *problem,
                                 crn_local_law law, double target, const double *u, double *r, int *iterations,
                                 bool *found);

#endif
