/* The state at the start of a step, to go back to when the step fails. */
#ifndef CRN_STEP_EVENTS_SAVED_H
#define CRN_STEP_EVENTS_SAVED_H

#include "step/state.h"

typedef struct crn_saved
{
    double t;
    double *q, *v, *spring_angle, *spring_work, *joint_work, *force_work;
    crn_sides sides;
    crn_potentials potentials;
    cairn_energy energy;
    double t_base, h_base;
    int64_t steps_since_base, step;
    double part_length, velocity_scale;
    double frame_h; /* s: over which the frame told how driven bodies move */
    int projection_iterations;
    bool projection_met;
    double patch_energy, patch_penetration;
    int patch_turns;     /* of the patches: another one when their lists have changed places */
    crn_warm lag;        /* the impulses before the state's, once those were kept in this step, */
    double lag_h;        /* the length of their step, */
    bool lag_kept;       /* and whether they were */
    cairn_event *events; /* of the step before */
    size_t event_count, event_capacity;
} crn_saved;

/* What a step changes beside positions, velocities and works: kept before it, and put back when it fails. */
void crn_save_rest(cairn_simulation *simulation);
void crn_restore_rest(cairn_simulation *simulation);

#endif
