/* A step and its parts, for every integrator. */
#ifndef CRN_STEP_STEP_H
#define CRN_STEP_STEP_H

#include "formulate/assemble.h"
#include "step/schemes/scheme.h"

/* Where a step, or a trial of one, leads. All arrays are scratch between steps. */
typedef struct crn_trial
{
    crn_collider *collider; /* for poses that are not the state's */
    double *q_new, *v_new;
    double *q_at, *v_at, *v_base, *ahead; /* where a stage is evaluated, and from where it moves */
    crn_frame frame_end;                  /* trapezoidal schemes: the explicitly predicted end */
    double *q_end;
    double *v_old, *mean; /* velocity before the last step, and the mean of before and after */
    double *displacement;
    double *joint_bias;     /* per joint row: b that corrects drift */
    double *joint_gradient; /* scratch for users' joints */
    bool inelastic;         /* nothing bounces in this (part of a) step */
    int problems;           /* solved in this step */
    int parts;              /* accepted in this step */
    double push_out_speed;  /* m/s: largest in this step */
} crn_trial;

/* By the integrator of the settings, from (t, q, v) to (q_new, v_new) over h, without changing the state. */
cairn_status crn_advance(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Take (q_new, v_new) over as the state at t + h; works are booked with the stages' weights. */
cairn_status crn_accept(cairn_simulation *simulation, double h);

/* Penetration and joint errors of the state into the report; contacts and joints were located before. */
void crn_report_violations(cairn_simulation *simulation);

/* Project or check the state before the first step, as the settings ask, in initial.c. */
cairn_status crn_begin_consistent(cairn_simulation *simulation);
/* Say which open meshes have most bodies behind them, in winding.c. */
void crn_suspect_winding(const cairn_simulation *simulation);

/* Compliant contacts, in patches.c: their place in a new simulation; the turn of their frames, read before the positions
 * move; and their deformations and works at the end of an accepted step. */
cairn_status crn_open_patches(cairn_simulation *simulation);
void crn_turn_patches(cairn_simulation *simulation, double h);
cairn_status crn_accept_patches(cairn_simulation *simulation, double h);

#endif
