/* The equations that an assembly solves, and the steps towards their solution.
 *
 * Unknown is a displacement (or a change of velocities) d of all bodies. Rows, in this order:
 *
 *     equations      Theta_i(q) = 0 of joints and users' systems; those of compliant rows are rows of zeros
 *     stiff rows     equations of compliant joints with an initial value, which count as if they were rigid
 *     values         q_i = the initial value of a coordinate
 *     limits         gap_i >= 0; those that are violated, or would be by the step, as equations
 *
 * A step solves, with the residuals b = -Theta and the lengths L that make metres of angles,
 *
 *     M d = G'c,    G d + mu R c = b,    R_ii = kappa / L_i^2 :
 *
 * Levenberg-Marquardt in the norm of the mass. The matrix is regular whatever the rank of G is, so redundant and nearly singular
 * equations need no care, and d is the smallest step that reduces the sum of squares as much as it does.
 */
#ifndef CRN_STEP_ASSEMBLY_FIT_H
#define CRN_STEP_ASSEMBLY_FIT_H

#include "linalg/saddle.h"
#include "step/assembly/branch.h"
#include "step/simulation.h"

/* A limit. Its row is always there; while it is not active, its compliance is so large that it has no effect. */
typedef struct crn_fit_limit
{
    int item;    /* of G */
    double gap;  /* m or rad; where velocities are solved for, its rate */
    bool counts; /* it may become active: velocities do not concern limits that are far away */
    bool active;
} crn_fit_limit;

/* What a row is that crn_add_joint_rows did not add. */
typedef struct crn_fit_extra
{
    int joint;
    enum
    {
        CRN_FIT_EQUATION,
        CRN_FIT_VALUE,
        CRN_FIT_LIMIT
    } kind;
    int place; /* coordinate of a value, row of a limit */
} crn_fit_extra;

typedef struct crn_fit
{
    crn_arena memory;
    cairn_simulation *s;
    crn_saddle *saddle;
    bool rates;      /* velocities are solved for, not positions */
    double share;    /* of the way from the values at the start to the initial values, which the rows ask for */
    double *start;   /* per coordinate of each joint: its value in the poses as given */
    double *given_q; /* the poses as given */
    double *given_v;
    double *last_q, *best_q, *best_coordinate; /* scratch: before a step, and before another try */
    double *step;                              /* the displacement, then the multipliers */
    crn_fit_limit *limit;
    int limit_count;
    crn_fit_extra *extra; /* per row after those of crn_add_joint_rows */
    int extra_item;       /* item of the first of these, */
    int limit_item;       /* and of the first limit among them */
    double merit;         /* 1/2 sum (L b)^2 */
    double worst;         /* max |L b| */
    double *before;       /* per joint: the largest error of the poses as given, */
    double *after;        /* and that of the assembled ones */
    double error_before;  /* the largest of each */
    double error;
    double rate_error;
    int iterations;
    crn_branch branch;
} crn_fit;

cairn_status crn_fit_open(cairn_simulation *simulation, crn_fit *fit);
void crn_fit_close(crn_fit *fit);

/* Evaluate the rigid rows of all joints at the state, by positions or by rates. */
cairn_status crn_begin_joints(cairn_simulation *simulation, bool rates, crn_input *in);
/* Evaluate all rows at the state, with their residuals, merit and worst. In rows.c. */
cairn_status crn_fit_linearise(crn_fit *fit);
/* The step of the rows evaluated last, in fit->step; mu > 0. Limits that it would violate become active. */
cairn_status crn_fit_step(crn_fit *fit, double mu);
/* The largest error of each joint in the rows evaluated last. Returns the largest of all. */
double crn_fit_errors(const crn_fit *fit, double *error);

/* Place the bodies, in positions.c, and set their velocities, in velocities.c. */
cairn_status crn_fit_positions(crn_fit *fit);
cairn_status crn_fit_velocities(crn_fit *fit);

/* Whether an initial state is to be assembled, and doing it; on CAIRN_INVALID the closest assembly is the state. In assembly.c. */
bool crn_wants_assembly(const cairn_simulation *simulation);
cairn_status crn_assemble_initial(cairn_simulation *simulation);

#endif
