/* Poses and contacts of bodies, at the state and over the coming step: reach.c and tunnelling.c. */
#ifndef CRN_STEP_LOCATE_H
#define CRN_STEP_LOCATE_H

#include "formulate/assemble.h"

/* What contacts depend on besides poses and velocities. */
typedef struct crn_located_for
{
    double k, room, friction; /* see reach.c; friction NAN: that of the materials */
    uint64_t revision;        /* of the model */
} crn_located_for;

/* Data computed from the state and the length of the coming step. */
typedef struct crn_located
{
    crn_frame frame;        /* its poses may be given back (poses.c) */
    crn_arena memory;       /* owns margins and travels */
    crn_collider *collider; /* NULL: released, until it is needed */
    const crn_contact *contacts;
    int contact_count;
    double *margin;        /* m, per body: see reach.c */
    double *margin_before; /* m, per body: with which the contacts were found, if margins have grown since */
    double (*travel)[3];   /* m, per body: predicted motion */
    crn_reach reach;       /* made of the two above */
    bool is_short;         /* margins are the shorter ones of steps that may be swept: see reach.c */
    crn_located_for made_for;
    bool
        is_initial; /* the contacts are those found before the step, and the last ones that the collider was asked for */
    bool is_chosen; /* the contacts are only those that the next solve needs, after the last one missed some */
    bool
        is_grown; /* so they are, and all that were found before the step are among them; margin_before is as it was then */
} crn_located;

/* device_away.c: whether the state has the motions of all bodies, and not the ranks alone; and fetch them: whoever reads more than single bodies needs them. */
bool crn_motions_are_here(const cairn_simulation *simulation);
cairn_status crn_motions_fetch(const cairn_simulation *simulation);

/* poses.c: have the poses of all bodies at the state; give them back where the state will do. Then what follows of one body is there in either case: its pose, the place and the
 * coordinates of the velocity of one that moves under forces, and how a driven one moves (0 of others). */
cairn_status crn_poses_open(cairn_simulation *simulation);
void crn_poses_release(cairn_simulation *simulation);
crn_pose crn_pose_of(const cairn_simulation *simulation, int body);
const double *crn_place_of(const cairn_simulation *simulation, int body);
const double *crn_rates_of(const cairn_simulation *simulation, int body);
void crn_drive_of(const cairn_simulation *simulation, int body, double drive[6]);

/* Motion of a body over a step, m: that of its origin, and the most that rotation adds to any of its points. */
typedef struct crn_motion
{
    double travel[3];
    double turn;
} crn_motion;

crn_motion crn_motion_of(const cairn_simulation *simulation, int body, const double *v, double h);

/* Compute frame, contacts and margins for the state and a coming step of h. crn_ensure_located does nothing if they are
 * up to date for h. */
cairn_status crn_locate(cairn_simulation *simulation, double h);
cairn_status crn_ensure_located(cairn_simulation *simulation, double h);
/* crn_locate at the end of a step of length h. Contacts are not searched again if nothing that they depend on has changed in it. */
cairn_status crn_locate_end(cairn_simulation *simulation, double h);
/* Find contacts again if bodies with velocity v are faster than predicted. */
cairn_status crn_widen(cairn_simulation *simulation, double h, const double *v);
/* The same for a problem with solution v. *missed is set if v violates contacts that the problem lacks; they are added if it is to be solved
 * again. */
cairn_status crn_find_missed(cairn_simulation *simulation, double h, const crn_assembly *solved, const double *v,
                             bool again, bool *missed);
/* Give back what finding contacts takes: where a device takes the steps, that is rarely done. */
void crn_located_release(cairn_simulation *simulation);
/* Have it, or have it again. */
cairn_status crn_located_open(cairn_simulation *simulation);
/* Lists of contacts take turns with the simulation's scratch. Before that is taken: whoever still reads a list there gets a copy. */
cairn_status crn_vacate_scratch(cairn_simulation *simulation);

#endif
