/* The search for events within a part of a step: collisions, edges, and transitions between stick and slip.
 *
 * Sets of contacts:
 *     closed    touch at the state; second-order schemes hold them at the velocity level
 *     pressed   carried a force at the end of the last part; they stay closed, whatever their gap
 *     struck    close at the collision just found and take part in its impact
 *     carried   closed contacts that a stage would lose at an edge, moved along with their bodies
 *     needed    contacts that the problem of a first-order step contains or must get (reach.c)
 *     wedged    contacts whose overlap cannot be pushed out; they are only required not to close further (wedge.c)
 */
#ifndef CRN_STEP_EVENTS_SEARCH_H
#define CRN_STEP_EVENTS_SEARCH_H

#include "step/stage.h"
#include "step/state.h"

/* Contacts that touch at the state, sorted by identity (ascending). */
typedef struct crn_closed
{
    uint64_t *identity;
    double *gap;   /* m, at the state */
    double *bias;  /* m/s: corrects the drift of the gap */
    double *rate;  /* m/s: normal velocity at the state */
    double *jump;  /* m/s: the contribution to `rate` of velocity jumps of driven bodies at the state */
    double *speed; /* m/s: speed of the bodies, the scale of rounding errors in `rate` */
    int count;
} crn_closed;

/* The contacts at a given fraction of the part that is being computed. Filled in by crn_look_ahead in collision.c. */
typedef struct crn_look
{
    double share;     /* fraction of the part; NAN: none */
    double new_share; /* the fraction that q_new and v_new belong to; NAN: none */
    const double *q;
    const crn_contact *contacts;
    int count;
} crn_look;

/* A limit of a joint, in metres. */
typedef struct crn_limit
{
    uint64_t identity;
    double gap, rate, speed; /* speed: the size of what the rate is the sum of */
} crn_limit;

/* Scratch memory of the search. None of it outlives a step. */
typedef struct crn_search
{
    crn_closed closed;
    uint64_t *struck; /* contacts that close at the collision just found */
    int struck_count;
    crn_look look;
    crn_contact *carried;      /* contacts of a stage, plus those that it would lose at an edge */
    double (*drive_now)[6];    /* per body, where some are driven: velocity of those just after the state */
    double (*drive_before)[6]; /* the same just before the state */
    double *v_far;             /* velocity at the end of the part that is searched for events */
    bool modes_hold;           /* a transition was searched for, and the modes hold to the end of the part */
    double curve_share; /* the part ends at this fraction of the curve through both ends of a step; 0: it does not */
    bool holding;       /* stages are being solved with the modes of the state held */
    bool held_regular;
    crn_hold *hold; /* per contact of the problem */
    crn_limit *limits;
} crn_search;

/* Result of the search for a transition. */
typedef enum crn_transition
{
    CRN_TRANSITION_UNKNOWN, /* the modes do not determine the forces */
    CRN_TRANSITION_LATER,   /* the modes hold to the end of the step */
    CRN_TRANSITION_FOUND,
} crn_transition;

/* Collisions, in collision.c. crn_find_collision finds the first fraction tau of the part of length h just computed at
 * which an open gap closes, or 1 if none does. crn_look_ahead finds the contacts at a fraction of the part (crn_look),
 * either by a step of that length or on the curve between both ends. */
cairn_status crn_find_collision(cairn_simulation *simulation, double h, double *tau);
cairn_status crn_look_ahead(cairn_simulation *simulation, double h, double tau);
bool crn_follows_curve(const cairn_simulation *simulation);

/* All rigid limits of joints at a frame, into search.limits; returns their number. In limits.c. */
int crn_list_limits(cairn_simulation *simulation, const crn_frame *frame, const double *v);

/* Modes of bounded rows other than limits, in row_modes.c: between its bounds, or at one of them. */
crn_contact_mode crn_read_row_mode(const cairn_simulation *simulation, const crn_stage *stage, int j);
/* What changed from one mode to the next; false: nothing. */
bool crn_row_changed(const crn_stage *stage, int j, const crn_contact_mode *old, const crn_contact_mode *now,
                     cairn_event_kind *kind);
/* How far row j is from a change of the mode that it is held in, given its force at the end; negative: beyond it. */
double crn_row_feasibility(const cairn_simulation *simulation, const crn_stage *stage, const crn_contact_mode *old,
                           int j, double force);
/* The mode in which row j is held; `old` is the remembered one, NULL: there is none. */
crn_hold crn_row_hold(const crn_stage *stage, int j, const crn_contact_mode *old);

/* Contacts that run over an edge, in edges.c. crn_carry_closed carries along the closed contacts that a stage would
 * lose. */
cairn_status crn_carry_closed(cairn_simulation *simulation, const crn_stage *stage, crn_input *in);
/* Fractions of h just before and just after the first edge that a contact runs over before the fraction `limit`. */
cairn_status crn_find_edge(cairn_simulation *simulation, double h, double limit, double *before, double *after,
                           bool *found);
/* Whether a contact that did not exist at the state replaces a closed contact that is gone. `contacts` lists all
 * contacts that exist now. */
bool crn_is_successor(const cairn_simulation *simulation, const crn_contact *contact, const crn_contact *contacts,
                      int count, double h);
/* Replace pressed contacts that are gone by their successors. Drop those that have none. */
void crn_pass_on_pressed(cairn_simulation *simulation);
const crn_contact *crn_find_contact(const crn_contact *contacts, int count, uint64_t identity);

/* Stick, slip and take-off, in transitions.c. */
cairn_status crn_remember_modes(cairn_simulation *simulation, double h);
/* Whether the step just computed releases a contact that its mode does not hold. */
bool crn_contact_lost(const cairn_simulation *simulation, uint64_t identity);
/* Whether a contact is kept closed by a mode that holds to the end of the part. */
bool crn_mode_holds(const cairn_simulation *simulation, uint64_t identity);
/* Call when the modes of the previous step still hold at the end of this one, whatever its last stage shows. Updates
 * only the forces. */
void crn_keep_modes(cairn_simulation *simulation, double h);
/* Whether the step of length h shows a different mode at some contact than the one remembered. Fills in the kind, the
 * contact and the bodies of the event. */
bool crn_modes_changed(const cairn_simulation *simulation, double h, cairn_event *event);
cairn_status crn_solve_held(cairn_simulation *simulation, crn_stage *stage);
/* The fraction of h at which the remembered modes cease to be valid. q_new and v_new then belong to a step of that
 * length. */
crn_transition crn_find_transition(cairn_simulation *simulation, double h, double *share);

/* Cubic Hermite interpolation from (q, v) to (q_new, v_new) at the fraction tau of h, in hermite.c. */
void crn_hermite(cairn_simulation *simulation, double h, double tau, double *q_out, double *v_out);

/* Pressed contacts, in closed.c. Record those of the last stage, except contacts that separate after an impact. */
cairn_status crn_remember_pressed(cairn_simulation *simulation, bool impact);
/* Whether contact j of a solved stage is pressed together. */
bool crn_presses(const cairn_simulation *simulation, const crn_stage *stage, int j);
const crn_contact *crn_find_pressed(const cairn_simulation *simulation, uint64_t identity);
void crn_sort_pressed(cairn_simulation *simulation);
/* Whether a closed contact approaches at the state or its rate jumps. An impact must then precede a smooth part of
 * length h. */
cairn_status crn_must_strike(cairn_simulation *simulation, double h, bool *strike);
/* For second-order steps: pass to the problem the contacts that touch at the state, and the corrections of contact and
 * joint drift. `unknowns` is the number of velocities in a row: 1, or 2 if the row holds for v + v+.
 * `ahead`: s after the state at which the rows hold and the gaps are predicted. */
void crn_list_closed(cairn_simulation *simulation, double h, double unknowns, double ahead, crn_input *in);
/* Decide which contacts are closed, once for all trials of a part of length h that starts at the state. INFINITY means
 * an impact. */
cairn_status crn_close_contacts(cairn_simulation *simulation, double h);

/* How far the point of a contact swings around its bodies (math/pose.h) from the start of the part to poses of its bodies, in
 * sizes of the body; and the largest swing of all contacts with a force in the part just computed. In rims.c. */
double crn_contact_swing(const cairn_simulation *simulation, const crn_contact *now, const crn_pose *to);
double crn_largest_swing(const cairn_simulation *simulation);
/* Whether a contact is at a corner of a round cap past which the lowest point of the rim is running. The corner then has the gap of
 * the rim, which is drift, and is not hit. */
bool crn_is_passed(const cairn_simulation *simulation, const crn_contact *contact, const crn_contact *list, int count);

/* The longest part of h in which no body near another turns too far for a single curve. This function and the next two
 * are in tunnelling.c. */
double crn_steady_part(const cairn_simulation *simulation, double h);
/* Whether an open contact may have closed and opened again within the step of length h that ends at v_new. */
bool crn_may_pass(const cairn_simulation *simulation, double h);
/* The smallest fraction of h in which a contact can close: 0 if it touches and closes, infinite if it does not
 * approach. */
double crn_safe_share(const cairn_simulation *simulation, const crn_contact *contact, double h);

#endif
