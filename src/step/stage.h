/* One-step problems of a step: their data, and how they are solved. */
#ifndef CRN_STEP_STAGE_H
#define CRN_STEP_STAGE_H

#include "formulate/assemble.h"
#include "step/warm.h"

typedef cairn_status (*crn_formulate_fn)(crn_assembly *assembly, const crn_input *in);

/* A one-step problem, kept until the next step. euler, stiff and the trapezoidal schemes have one per step, stiff2 has two. */
typedef struct crn_stage
{
    crn_frame frame;     /* poses at which problems elsewhere than at the state are evaluated */
    const crn_frame *at; /* those of the last problem in motion */
    crn_assembly assembly;
    cairn_solver *solver;
    cairn_solution solution;
    double (*impulse)[3];       /* N s, world: the same per contact, if the assembly is rowless */
    crn_warm *warm;             /* stored in the state */
    double weight;              /* weight of its impulses in M (v+ - v) */
    double h;                   /* s: step size of its problem; first-order schemes */
    crn_formulate_fn formulate; /* first-order schemes: makes its general problem */
    int relaxed;                /* number of wedged contacts, which are only required not to close further (wedge.c) */
} crn_stage;

/* The last problem of the last step. Its law holds at the new velocity. */
const crn_stage *crn_last_stage(const cairn_simulation *simulation);

/* In stage.c. */
crn_input crn_stage_input(const cairn_simulation *simulation, const crn_stage *stage, double h);
/* Solve the problem in a stage's assembly, and add to the report's counts. */
cairn_status crn_stage_solve(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);
/* Impulses of the contacts of the last problem of this stage, in the frames of the present ones, and the reverse. places: contacts
 * may take over from others of the same two shapes, which needs to know where they were. */
cairn_status crn_recall_impulses(cairn_simulation *simulation, crn_stage *stage, const double **guess);
/* The contacts of a stage by their identities. */
crn_named crn_stage_names(const crn_stage *stage);
cairn_status crn_keep_impulses(crn_stage *stage, bool places);
/* Remember where the contacts of a stage are. */
cairn_status crn_keep_places(crn_stage *stage);
/* In space, where contacts may take over from others: as world vectors. */
void crn_recall_world(cairn_simulation *simulation, crn_stage *stage, double (*impulse)[3]);
/* The impulse of contact j in its frame; in the plane r[2] = 0. */
void crn_stage_impulse(const crn_stage *stage, int j, double r[3]);
/* N m s, world: the moment of rolling friction of contact j on its first body. */
void crn_stage_moment(const cairn_simulation *simulation, const crn_stage *stage, int j, double moment[3]);
/* m: size of the smaller dynamic body of a contact. */
double crn_contact_size(const cairn_simulation *simulation, const crn_contact *contact);
/* Repeat what the last step's report, which is part of the state, said about forces that were kept. It counts islands over all
 * problems of that step. */
void crn_repeat_forces(const cairn_solver_report *last, cairn_solver_report *report);
/* Find the contacts at a stage's frame, with the margins of the step. */
cairn_status crn_stage_collide(cairn_simulation *simulation, crn_stage *stage, crn_input *in);
/* First-order steps: solve at the state, and solve again while faster bodies bring new contacts into reach. */
cairn_status crn_solve_at_state(cairn_simulation *simulation, double h, crn_formulate_fn formulate,
                                crn_treatment gyroscopic, cairn_solver_report *report);
/* Velocity of contact j's row i, including driven bodies, if the bodies have velocity v. */
double crn_contact_rate(const cairn_simulation *simulation, const crn_stage *stage, int j, int i, const double *v);

/* Turn the axes of rolling friction to where the contacts roll, and solve again, in friction/rolling.c. */
cairn_status crn_turn_rolling(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);

/* Fail with the reason that a problem has no solution, in report_unsolved.c. */
cairn_status crn_report_unsolved(const cairn_simulation *simulation, const crn_stage *stage,
                                 const cairn_solver_report *report);

/* Fail with the expression that is not a finite number, likewise. */
cairn_status crn_report_fault(const cairn_simulation *simulation, const crn_fault *fault);

/* Overlaps that a first-order step cannot push out, in wedge.c. The first function relaxes the contacts of islands
 * without a solution, so that they are only required not to close further; it returns false if nothing was relaxed. The
 * second does the same for contacts that were relaxed in the previous step. The third records which contacts are
 * relaxed. */
bool crn_wedge_relax(const cairn_simulation *simulation, crn_stage *stage, const cairn_solver_report *report);
void crn_wedge_recall(const cairn_simulation *simulation, crn_stage *stage);
cairn_status crn_wedge_keep(cairn_simulation *simulation, const crn_stage *stage);

/* Set the bounds of lagged friction for the problem in a stage, and keep the impulses that define the next bounds, in
 * friction/lagged.c. */
cairn_status crn_lag_friction(cairn_simulation *simulation, crn_stage *stage, double h);
cairn_status crn_keep_lag(cairn_simulation *simulation, double h);

#endif
