/* The state of a simulation: everything that the next step depends on, and the results of the last one.
 *
 * Two simulations with the same model, settings and state take bit-identical steps. Everything else in a simulation is scratch
 * or is computed from the state (poses and contacts, see step/locate.h).
 */
#ifndef CRN_STEP_STATE_H
#define CRN_STEP_STATE_H

#include "base/random.h"
#include "cairn/hooks.h"
#include "cairn/population.h"
#include "cairn/simulation.h"
#include "collide/collide.h"
#include "formulate/anchor.h"
#include "formulate/patch.h"
#include "model/joints/element.h"
#include "solve/pivot/fixed_mode_solve.h"
#include "step/warm.h"

enum
{
    CRN_STAGES = 2, /* one-step problems per step, at most */
    CRN_WARM_PROJECTION = CRN_STAGES,
    CRN_WARM_TURNING,
    CRN_WARMS,
    CRN_METHOD_NAME = 64, /* bytes */
    CRN_ELEMENT_WORKS = CRN_JOINT_COORDINATES * CRN_ROLES
};

/* J: energies of one configuration. */
typedef struct crn_potentials
{
    double gravity, elastic, systems;
} crn_potentials;

/* Contacts whose overlap is not pushed out, by identity (ascending). */
typedef struct crn_wedged
{
    uint64_t *identity;
    int count;
    size_t capacity;
} crn_wedged;

/* The contact's mode at the end of a step. */
typedef struct crn_contact_mode
{
    uint64_t identity;
    crn_hold hold;
    double force[3]; /* N: mean over the (part of a) step, normal and tangents */
    double u_t[2];   /* m/s */
    double speed;    /* |u_t| */
    double mu;
    double impulse[2][3]; /* N s, scratch: over held steps of two lengths, whose difference gives the force */
} crn_contact_mode;

/* A row of a joint or contact in the last choice of forces: what the step was solved with, and what the choice added. */
typedef struct crn_chosen_row
{
    double solved, shift;
} crn_chosen_row;

/* The last choice of forces (account/forces.c): rows of joints, then those of contacts. */
typedef struct crn_choice
{
    uint64_t *identity; /* per contact, in the order of the problem */
    crn_chosen_row *row;
    size_t contacts, contact_capacity, rows, row_capacity; /* no contacts: none was made */
    int null_space, velocity_null_space, unexamined;       /* what it said about the forces */
    bool chosen;
} crn_choice;

/* How far the flow of a population has got. */
typedef struct crn_flow
{
    crn_random random;
    cairn_population_flow told;
    int next; /* grain that is looked at first when one is to come in */
} crn_flow;

/* What has passed the plane of a statistic, along its normal less against it: since the start, and in the last step. */
typedef struct crn_passed
{
    double mass, bodies; /* kg, - */
    double now;          /* kg */
} crn_passed;

typedef struct crn_state
{
    /* time is t_base + steps_since_base * h_base: equal steps are counted, so that rounding does not accumulate */
    double t, t_base, h_base;
    int64_t steps_since_base, step;

    double *q, *v;

    /* grains that come and go (step/flow/) */
    bool *absent;   /* per body: it is not there; NULL: no population has a flow */
    crn_flow *flow; /* per population; NULL likewise */

    /* set by the user between steps */
    double gravity[3]; /* m/s^2 */
    double friction;   /* mu of all contacts between bodies; NAN: that of the materials */
    bool pulled;       /* the drag spring below acts */
    crn_drag_spring pull;

    /* memory of springs and contacts */
    double *spring_angle; /* per spring: length or angle, from which full turns are counted */
    double *coordinate;   /* CRN_JOINT_COORDINATES per joint: at the end of the last step; likewise */
    crn_patches patches;  /* deformations of compliant contacts */
    crn_anchors anchors;  /* tangential springs of soft contacts, and how contacts roll */
    crn_sides sides;      /* sides of thin shapes */
    crn_wedged wedged;
    crn_choice choice;
    crn_warm warm
        [CRN_WARMS]; /* impulses of the last problem of each stage, of the projection, and moments of compact steps */
    crn_warm lag;    /* impulses of the last step under the lagged law */
    double lag_h;    /* s: length of that step */
    crn_contact *pressed; /* contacts that carried a force at the end of the last (part of a) step, by identity */
    int pressed_count;
    size_t pressed_capacity;
    crn_contact_mode *modes; /* of the last (part of a) step, by identity */
    int mode_count;
    size_t mode_capacity;
    double mode_h;         /* s: length of the (part of a) step that the modes belong to */
    double velocity_scale; /* m/s: velocity scale of the last certificate, to tell stick from slip */
    double part_length;    /* s: length that the error tolerance allows next; 0: not yet known */
    bool rough;            /* the last part was of first order within a second-order scheme */
    double located_h;      /* s: poses and contacts are located for a step of this length; 0: they are not */

    /* the account: energies, works since the start, and results of the last step */
    double total_at_start;
    crn_potentials potentials;
    double contact_elastic; /* J in regularised contacts */
    cairn_energy energy;
    double *spring_work, *joint_work, *force_work;
    double *element_work; /* CRN_ELEMENT_WORKS per joint, in the order of coordinates and, per coordinate, of roles */
    size_t element_works; /* length of that array: 0 where nothing acts on coordinates */
    crn_passed *passed;   /* per statistic */
    cairn_step_report report;
    char method[CRN_METHOD_NAME]; /* name of the solver's method for a restored report */
    cairn_contact *contacts;      /* contacts of the last step, once all of them have been requested */
    size_t contact_count, contact_capacity;
    bool contacts_listed;
    cairn_touch *touches; /* pairs of shapes: those that began to touch, those that still touch, those that stopped */
    size_t touch_count[3], touch_capacity;
    cairn_event *events; /* of the last step */
    size_t event_count, event_capacity;
    struct crn_shelf *shelf; /* what is still in a file (keep/shelf.h); NULL: nothing */
    uint64_t *
        device_kept; /* what a device goes on from, where it was restored and the device was not told yet (device_keep.c) */
    size_t device_kept_count, device_kept_capacity;
} crn_state;

/* Open an empty state for a model, with room for motions or without, and close it. CAIRN_NO_MEMORY leaves it closed. */
cairn_status crn_state_open(crn_state *state, const crn_layout *layout, bool has_motions);
void crn_state_close(crn_state *state);

#endif
