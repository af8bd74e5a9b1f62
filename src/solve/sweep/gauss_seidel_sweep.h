/* One visit to a contact, one sweep over all of them, and how far the laws are from holding.
 *
 * At contact j, with all other impulses held,
 *
 *     u_j = H_j v + (R r)_j + w_j,     q_j = u_j - W_jj r_j,     r_j <- the exact solution of law(W_jj r + q_j, r, mu_j),
 *
 * for a bounded row z_j <- z_j - s_j / W_jj within its bounds, and v follows at once: v += X_j (change of r_j). v always satisfies the dynamics and the joints of the present r.
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_SWEEP_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_SWEEP_H

#include "cairn/solver.h"
#include "solve/sweep/gauss_seidel_plan.h"
#include "solve/sweep/local_coulomb.h"
#include "solve/sweep/local_polygon.h"

enum
{
    CRN_GS_PARALLEL = 256 /* contacts of a colour below which threads cost more than they gain */
};

/* One call. */
typedef struct crn_gs_run
{
    crn_gs_plan *plan;
    const cairn_problem *problem;
    cairn_solution *solution;
    crn_local_law law;
    double scale; /* the certificate's */
    double omega; /* relaxation */
    int threads;
    double deadline;             /* 0: none */
    const double *contact_scale; /* per contact: its island's scale, at most `scale`; NULL: all equal `scale` */
    const crn_polygon *polygon;  /* of friction under that law */
} crn_gs_run;

/* The impulse nearest to x that the law of contact j, or the bounds of row j, allow. */
void crn_gs_project(const crn_gs_run *run, int j, const double *x, double *out);

/* What bounds the friction of contact j: mu, or the radius. */
double crn_gs_friction(const crn_gs_run *run, int j);

/* u_j = H_j v + (R r)_j + w_j */
void crn_gs_velocity(const crn_gs_run *run, int j, double *u);

/* The outcome of a visit. */
typedef struct crn_gs_visit
{
    double speed; /* m/s: the largest entry of |W_jj (change of r_j)|, the change of the contact's own velocity */
    double slack; /* m/s: the speed at which a contact parts that carries nothing; 0: it carries */
} crn_gs_visit;

crn_gs_visit crn_gs_visit_contact(const crn_gs_run *run, int j);

/* All contacts, colour by colour. */
void crn_gs_sweep(const crn_gs_run *run);

/* Set r to `next`, projected onto the cones, and update the velocities of the bodies. */
void crn_gs_move_to(const crn_gs_run *run, const double *next);

/* The natural map of one contact (m/s, weighted more where its island is slower than others). The rounding error of r counts too: where
 * there is no solution r grows without bound, and would hide any violation. */
double crn_gs_contact_error(const crn_gs_run *run, int j);

/* The largest over the contacts, relative to the scale; infinite where one is not a number. */
double crn_gs_error(const crn_gs_run *run);

/* The certificate's scale: the largest speed that the data imply (certify.c). x is the velocity without contacts and joints. */
double crn_gs_scale(const cairn_problem *problem, const double *x);

/* The law of one contact for a problem that the method can solve. */
crn_local_law crn_gs_law(const cairn_problem *problem);

#endif
