/* The search for events within a part of a step: collisions, edges, and the ends of stick and slip.
 *
 * Sets of contacts:
 *     closed    touch at the state; second-order schemes hold them at the velocity level
 *     pressed   carried a force at the end of the last part; they stay closed, whatever their gap
 *     struck    close at the collision just found, and take part in its impact
 *     carried   closed contacts that a stage would lose at an edge, moved along with their bodies
 *     needed    the problem of a first-order step has them, or must get them (reach.c)
 *     wedged    their overlap cannot be pushed out; they are asked only not to close further (wedge.c)
 */
#ifndef CRN_STEP_EVENTS_SEARCH_H
#define CRN_STEP_EVENTS_SEARCH_H

#include "step/stage.h"
#include "step/state.h"

/* Contacts that touch at the state, by identity (ascending). */
typedef struct crn_closed
{
    uint64_t *identity;
    double *gap;   /* m, at the state */
    double *bias;  /* m/s: what corrects its drift */
    double *rate;  /* m/s: its normal velocity at the state */
    double *jump;  /* m/s: the part of it by which driven bodies jump at the state */
    double *speed; /* m/s: of the bodies, the scale of its rounding */
    int count;
} crn_closed;

/* A look at the contacts at a share of the part of a step that is being computed, in collision.c. */
typedef struct crn_look
{
    double share;     /* of the part; NAN: none */
    double new_share; /* where q_new and v_new stand; NAN: nowhere */
    const double *q;
    const crn_contact *contacts;
    int count;
} crn_look;

/* Scratch of the search; nothing of it outlives a step. */
typedef struct crn_search
{
    crn_closed closed;
    uint64_t *struck; /* contacts that close at the collision just found */
    int struck_count;
    crn_look look;
    crn_contact *carried;      /* contacts of a stage, with those that it would lose at an edge */
    double (*drive_now)[6];    /* per body: velocity of driven ones just after the state, */
    double (*drive_before)[6]; /* and just before it */
    double *v_far;             /* velocity at the end of the part that events are sought in */
    bool modes_hold;           /* a transition was looked for, and the modes hold to the end of the part */
    double curve_share; /* the part ends on the curve through both ends of a step, at this share; 0: it does not */
    bool holding;       /* stages are solved with the modes of the state */
    bool held_regular;
    crn_hold *hold; /* per contact of the problem */
} crn_search;

/* What the search for a transition found. */
typedef enum crn_transition
{
    CRN_TRANSITION_UNKNOWN, /* the modes do not determine the forces */
    CRN_TRANSITION_LATER,   /* the modes hold to the end of the step */
    CRN_TRANSITION_FOUND,
} crn_transition;

/* Collisions, in collision.c: the first share tau of the part of h just computed at which an open gap closes, 1 when none does;
 * the contacts at a share (the look above), by a step of that length or on the curve between both ends. */
cairn_status crn_find_collision(cairn_simulation *simulation, double h, double *tau);
cairn_status crn_look_ahead(cairn_simulation *simulation, double h, double tau);
bool crn_follows_curve(const cairn_simulation *simulation);

/* Contacts that run over an edge, in edges.c. Carry along the closed contacts of a stage that it would lose. */
cairn_status crn_carry_closed(cairn_simulation *simulation, const crn_stage *stage, crn_input *in);
/* Shares of h just before and after the first edge that a contact runs over within the share `limit`. */
cairn_status crn_find_edge(cairn_simulation *simulation, double h, double limit, double *before, double *after,
                           bool *found);
/* Whether a contact that was not there at the state stands for a closed one that has gone; `contacts`: all that are there. */
bool crn_is_successor(const cairn_simulation *simulation, const crn_contact *contact, const crn_contact *contacts,
                      int count, double h);
/* Replace pressed contacts that are gone by their successors; drop those without one. */
void crn_pass_on_pressed(cairn_simulation *simulation);
const crn_contact *crn_find_contact(const crn_contact *contacts, int count, uint64_t identity);

/* Stick, slip and take-off, in transitions.c. */
cairn_status crn_remember_modes(cairn_simulation *simulation, double h);
/* Whether the step just computed lets go of a contact, and its mode does not hold it. */
bool crn_contact_lost(const cairn_simulation *simulation, uint64_t identity);
/* Whether a contact is closed by a mode that holds to the end of the part. */
bool crn_mode_holds(const cairn_simulation *simulation, uint64_t identity);
/* The modes of the step before still hold at the end of this one, whatever its last stage shows: renew the forces alone. */
void crn_keep_modes(cairn_simulation *simulation, double h);
/* Whether the step of h shows another mode of a contact than the one remembered; fills kind, contact and bodies. */
bool crn_modes_changed(const cairn_simulation *simulation, double h, cairn_event *event);
cairn_status crn_solve_held(cairn_simulation *simulation, crn_stage *stage);
/* The share of h at which the remembered modes stop being right; q_new and v_new are then those of a step to there. */
crn_transition crn_find_transition(cairn_simulation *simulation, double h, double *share);

/* Cubic Hermite interpolation from (q, v) to (q_new, v_new), at the share tau of h, in hermite.c. */
void crn_hermite(cairn_simulation *simulation, double h, double tau, double *q_out, double *v_out);

/* Contacts that press, in closed.c: note those of the last stage, except those that part after an impact. */
cairn_status crn_remember_pressed(cairn_simulation *simulation, bool impact);
/* Whether contact j of a solved stage is pressed together. */
bool crn_presses(const cairn_simulation *simulation, const crn_stage *stage, int j);
const crn_contact *crn_find_pressed(const cairn_simulation *simulation, uint64_t identity);
void crn_sort_pressed(cairn_simulation *simulation);
/* Whether a closed contact approaches at the state, or jumps: an impact must come before a smooth part of h. */
cairn_status crn_must_strike(cairn_simulation *simulation, double h, bool *strike);
/* Second-order steps: which contacts touch at the state, and what corrects the drift of contacts and joints. `unknowns`
 * velocities stand in a row: 1, or 2 where the row holds for v + v+. */
void crn_list_closed(cairn_simulation *simulation, double h, double unknowns, crn_input *in);
/* Decide which contacts are closed, once for all trials of a part of h that starts at the state; INFINITY: for an impact. */
cairn_status crn_close_contacts(cairn_simulation *simulation, double h);

/* The longest part of h in which bodies near each other turn by little enough for one curve; in tunnelling.c, as the next two. */
double crn_steady_part(const cairn_simulation *simulation, double h);
/* Whether a contact that was open may have come and gone within the step of h to v_new. */
bool crn_may_pass(const cairn_simulation *simulation, double h);
/* The least share of h that a contact needs to close; 0 when it touches and closes, infinite when it does not approach. */
double crn_safe_share(const cairn_simulation *simulation, const crn_contact *contact, double h);

#endif
