/* Impacts (impact.c), and bounces that must not create energy (bounce.c). */
#ifndef CRN_STEP_EVENTS_IMPACT_H
#define CRN_STEP_EVENTS_IMPACT_H

#include "step/stage.h"

/* The share of its restitution that an island may give back, with the bracket of its search. Used by impact.c and
 * bounce.c. */
typedef struct crn_bounce_share
{
    double low, high, at;
    double work_low, work_high; /* J, without what is granted */
    double granted;             /* J: bounce.c */
    bool limited;
} crn_bounce_share;

/* Scratch memory of impacts. */
typedef struct crn_impact_scratch
{
    double *r;                /* contact impulses, joint impulses and velocities of a compression */
    double *share;            /* per contact: the share of its restitution that it gives back */
    crn_bounce_share *bounce; /* per island */
} crn_impact_scratch;

/* Resolve the impact of the contacts that touch at the state, under the given friction law. */
cairn_status crn_impact(cairn_simulation *simulation, cairn_law law, cairn_solver_report *report);

/* J: the work that the contacts of an island did on its bodies between v_before and the solution's velocity. The motion
 * of driven bodies is included in the rates. *scale receives the largest work these impulses could have done. This
 * function and the next are in bounce.c. */
double crn_island_work(const cairn_simulation *simulation, const crn_stage *stage, const cairn_island *island,
                       const double *v_before, double *scale);
/* Solve again with less restitution in the islands whose bounces create energy. */
cairn_status crn_limit_bounces(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);

#endif
