/* The simulation's inside: constant model, changing state. */
#ifndef CRN_STEP_SIMULATION_H
#define CRN_STEP_SIMULATION_H

#include "cairn/simulation.h"
#include "collide/collide.h"
#include "formulate/assemble.h"

/* Energies of one configuration. */
typedef struct crn_potentials
{
    double gravity, elastic, systems;
} crn_potentials;

struct cairn_simulation
{
    cairn_context *context;
    const cairn_model *model;
    cairn_settings settings;
    crn_layout *layout;

    /* the state */
    double t;
    double t_base; /* time is t_base + steps_since_base * h: no rounding piles up over equal steps */
    int64_t steps_since_base;
    double h_base;
    int64_t step;
    double *q, *v;
    double *spring_angle; /* a spring: length or angle, from which full turns are counted */

    /* where the bodies are and touch, at the state; fresh when made for a step of contacts_h */
    crn_frame frame;
    crn_collider *collider;
    const crn_contact *contacts;
    int contact_count;
    double contacts_h; /* 0: not fresh */
    double *margin;    /* a body */

    /* the step */
    crn_assembly assembly;
    cairn_solver *solver;
    cairn_solution solution;
    double *q_old, *v_old, *mean; /* mean of old and new velocity */

    /* the projection (its own problem and solver, so that the step's stay readable) */
    crn_frame projection_frame;
    crn_assembly projection;
    cairn_solver *projector;
    double *displacement;

    /* the account */
    double total_at_start;
    crn_potentials potentials;
    cairn_energy energy;
    double *spring_work, *joint_work, *force_work;
    cairn_step_report report;
};

/* One file an integrator: fill the assembly's A, p, G, b, H, w for a step. */
typedef cairn_status (*crn_formulate_fn)(crn_assembly *assembly, const crn_input *in);
cairn_status crn_formulate_euler(crn_assembly *assembly, const crn_input *in);
cairn_status crn_formulate_stiff(crn_assembly *assembly, const crn_input *in);

/* Frame, contacts and margins for the state and a coming step of h. */
cairn_status crn_locate(cairn_simulation *simulation, double h);

/* Energies from the state; the frame must be that of q. */
double crn_kinetic(cairn_simulation *simulation);
crn_potentials crn_potentials_at(const cairn_simulation *simulation, const crn_frame *frame, const double *q);
/* Book the work of every impulse of the step just solved (v_old and v are set, positions not yet moved). */
void crn_book_work(cairn_simulation *simulation, double h);
/* Book what moving the positions (without and then with projection) did to the potentials, and close the balance. */
void crn_book_motion(cairn_simulation *simulation, crn_potentials moved, crn_potentials projected);
void crn_close_balance(cairn_simulation *simulation);

/* Paper 0, eq. 46. q holds the unprojected positions on entry and the projected ones on return. */
cairn_status crn_project(cairn_simulation *simulation, double h);

#endif
