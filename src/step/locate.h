/* Where the bodies are and touch, at the state and over a coming step: reach.c and tunnelling.c. */
#ifndef CRN_STEP_LOCATE_H
#define CRN_STEP_LOCATE_H

#include "formulate/assemble.h"

/* Follows from the state and the length of the coming step. */
typedef struct crn_located
{
    crn_frame frame;
    crn_collider *collider;
    const crn_contact *contacts;
    int contact_count;
    double *margin;      /* m, per body: see reach.c */
    double (*travel)[3]; /* m, per body: its motion foreseen */
    crn_reach reach;     /* the two above */
    crn_contact *needed; /* chosen from the contacts in reach when a first choice missed some */
    size_t needed_capacity;
} crn_located;

/* Motion of a body over a step, m: that of its origin, and the most that turning adds to any of its points. */
typedef struct crn_motion
{
    double travel[3];
    double turn;
} crn_motion;

crn_motion crn_motion_of(const cairn_simulation *simulation, int body, const double *v, double h);

/* Frame, contacts and margins for the state and a coming step of h; crn_ensure_located does nothing when they are those of h. */
cairn_status crn_locate(cairn_simulation *simulation, double h);
cairn_status crn_ensure_located(cairn_simulation *simulation, double h);
/* Contacts anew where bodies are faster than foreseen, at velocity v. */
cairn_status crn_widen(cairn_simulation *simulation, double h, const double *v);
/* The same for a problem solved with velocity v: *missed when contacts that it lacks do not hold; they are added. */
cairn_status crn_find_missed(cairn_simulation *simulation, double h, const crn_assembly *solved, const double *v,
                             bool *missed);

#endif
