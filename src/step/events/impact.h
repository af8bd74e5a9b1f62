/* Impacts, and bounces that must not make energy: impact.c and bounce.c. */
#ifndef CRN_STEP_EVENTS_IMPACT_H
#define CRN_STEP_EVENTS_IMPACT_H

#include "step/stage.h"

/* How much of their restitution the bounces of an island may give back, in bounce.c. */
typedef struct crn_bounce_share
{
    double low, high, at;
    double work_low, work_high; /* J */
    bool limited;
} crn_bounce_share;

/* Scratch. */
typedef struct crn_impact_scratch
{
    double *r;                /* impulses, joint impulses and velocities of a compression */
    double *share;            /* per contact: how much of its restitution it gives back */
    crn_bounce_share *bounce; /* per island */
} crn_impact_scratch;

/* Resolve the impact of the contacts that touch at the state, under a law of friction. */
cairn_status crn_impact(cairn_simulation *simulation, cairn_law law, cairn_solver_report *report);

/* J: what the contacts of an island did on its bodies from v_before to the solution's velocity, driven ones counted as moving, and
 * *scale what they could have done; in bounce.c, as the next. */
double crn_island_work(const cairn_simulation *simulation, const crn_stage *stage, const cairn_island *island,
                       const double *v_before, double *scale);
/* Solve again with less restitution where bounces make energy. */
cairn_status crn_limit_bounces(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);

#endif
