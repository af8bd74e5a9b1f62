/* The state at the start of a step, restored if the step fails. */
#ifndef CRN_STEP_EVENTS_SAVED_H
#define CRN_STEP_EVENTS_SAVED_H

#include "step/state.h"

typedef struct crn_saved
{
    double t;
    double *q, *v, *spring_angle, *coordinate, *spring_work, *joint_work, *force_work, *element_work;
    bool is_there; /* a step was made since the initial state */
    /* The state is at the end of the step: q has the positions at its start, also where it is trial.q_new. Likewise v. */
    bool has_moved, has_sped;
    bool is_old; /* bodies were moved by hand since: the state is not what the last step made of this one */
    crn_sides sides;
    crn_potentials potentials;
    cairn_energy energy;
    double t_base, h_base;
    int64_t steps_since_base, step;
    double part_length, velocity_scale;
    double frame_h; /* s: the interval over which the frame averaged the motion of driven bodies */
    int projection_iterations;
    bool projection_met;
    double patch_energy, patch_penetration;
    int patch_turns;     /* of the patches; differs from theirs once their lists have been swapped */
    int anchor_turns;    /* the same of the tangential springs */
    crn_warm lag;        /* if lag_kept: the impulses before those of the state */
    double lag_h;        /* if lag_kept: the length of their step */
    bool lag_kept;       /* whether this step has replaced the impulses */
    cairn_event *events; /* of the previous step */
    size_t event_count, event_capacity;
} crn_saved;

/* All that a step changes besides positions, velocities and works: saved before the step, restored if it fails. */
void crn_save_rest(cairn_simulation *simulation);
void crn_restore_rest(cairn_simulation *simulation);

#endif
