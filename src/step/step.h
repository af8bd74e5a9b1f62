/* A step and its parts, for every integrator. */
#ifndef CRN_STEP_STEP_H
#define CRN_STEP_STEP_H

#include "formulate/assemble.h"
#include "step/schemes/scheme.h"

/* The result of a step or of a trial step. All arrays are scratch between steps. */
typedef struct crn_trial
{
    crn_collider *collider;               /* for poses that are not the state's */
    crn_arena memory;                     /* first-order schemes: owns q_new with mean and v_new behind it */
    double *q_new, *v_new;                /* NULL: they are not there (trial.c) */
    size_t room;                          /* first-order schemes: doubles of these, scratch of the solve; others: 0 */
    double *q_at, *v_at, *v_base, *ahead; /* where a stage is evaluated, and the base from which it moves */
    crn_frame frame_end;                  /* trapezoidal schemes: the explicitly predicted end */
    double *q_end;
    double *v_old, *mean;  /* velocity before the last step, and the mean of the velocities before and after it */
    double *displacement;  /* first-order schemes: in the memory of `mean` */
    double *rotor_rate;    /* CRN_JOINT_COORDINATES per joint: of rotors at the base (rotors.h); NULL: there are none */
    crn_frame rotor_frame; /* scratch */
    double *joint_bias;    /* per joint row: b that corrects drift */
    double *joint_gradient; /* scratch for users' joints */
    bool inelastic;         /* no restitution in this (part of a) step */
    int problems;           /* number solved in this step */
    int parts;              /* number accepted in this step */
    double push_out_speed;  /* m/s: largest in this step */
    double still;           /* m/s: what islands held at rest leave unbalanced */
    double left;            /* m/s: residual of contact laws in a compact step; 0 in others */
} crn_trial;

/* trial.c: have the arrays of a first-order step; whether they are there all the time; and give them back if they are not. */
cairn_status crn_trial_open(cairn_simulation *simulation);
bool crn_trial_is_kept(const cairn_simulation *simulation);
void crn_trial_release(cairn_simulation *simulation);

/* Advance with the integrator of the settings from (t, q, v) to (q_new, v_new) over h, without changing the state. */
cairn_status crn_advance(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Make (q_new, v_new) the state at t + h. Works are booked with the stages' weights. */
cairn_status crn_accept(cairn_simulation *simulation, double h);

/* Move the time on by equal steps. They are counted rather than added up. */
void crn_set_time(cairn_simulation *simulation, double start, double h, int64_t steps);

/* Write penetration and joint errors of the state to the report. Contacts and joints must have been located. */
void crn_report_violations(cairn_simulation *simulation);

/* Project or check the state before the first step, as the settings ask, in initial.c. */
cairn_status crn_begin_consistent(cairn_simulation *simulation);
/* Report open meshes that have most bodies behind them, in winding.c. */
void crn_suspect_winding(const cairn_simulation *simulation);

/* Compliant contacts, in patches.c: set them up in a new simulation; read the rotation of their frames before the
 * positions move; and compute their deformations and works at the end of an accepted step. */
cairn_status crn_open_patches(cairn_simulation *simulation);
void crn_turn_patches(cairn_simulation *simulation, double h);
cairn_status crn_accept_patches(cairn_simulation *simulation, double h);
/* rad/s: angular velocity of a body about a world direction n. */
double crn_spin_about(const cairn_simulation *simulation, int body, const double n[3]);

#endif
