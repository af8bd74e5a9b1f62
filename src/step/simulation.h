/* The simulation's inside: constant model, changing state. */
#ifndef CRN_STEP_SIMULATION_H
#define CRN_STEP_SIMULATION_H

#include "cairn/simulation.h"
#include "collide/collide.h"
#include "formulate/patch.h"
#include "solve/pivot/fixed_mode_solve.h"
#include "step/account/ledger.h"
#include "step/schemes/scheme.h"
#include "step/warm.h"

/* Energies of one configuration. */
typedef struct crn_potentials
{
    double gravity, elastic, systems;
} crn_potentials;

/* One one-step problem of a step, kept until the next step: euler, stiff and the trapezoidal schemes have one, stiff2 two. */
typedef struct crn_stage
{
    crn_frame frame; /* poses where the problem was evaluated */
    crn_assembly assembly;
    cairn_solver *solver;
    cairn_solution solution;
    crn_warm warm;
    double weight; /* of its impulses in M (v+ - v) */
    double h;      /* s: of its problem; first-order schemes */
    int left;      /* contacts of which less was asked, in wedge.c */
} crn_stage;

enum
{
    CRN_STAGES = 2
};

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
    size_t identity_capacity, capacity[5];
} crn_closed;

/* How much of their restitution the bounces of an island may give back, in bounce.c. */
typedef struct crn_bounce_share
{
    double low, high, at;
    double work_low, work_high; /* J */
    bool limited;
} crn_bounce_share;

/* A look at the contacts at a share of the part of a step that is being computed, in collision.c. */
typedef struct crn_look
{
    double share;     /* of the part; NAN: none */
    double new_share; /* where q_new and v_new stand; NAN: nowhere */
    const double *q;
    const crn_contact *contacts;
    int count;
} crn_look;

/* Contacts whose overlap is not pushed out, by identity (ascending). */
typedef struct crn_wedged
{
    uint64_t *identity;
    int count;
    size_t capacity;
} crn_wedged;

/* The state at the start of a step, to go back to when a part of it fails. */
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
    crn_warm lag;        /* the impulses before s->lag's, once those were kept in this step, */
    double lag_h;        /* the length of their step, */
    bool lag_kept;       /* and whether they were */
    cairn_event *events; /* of the step before */
    size_t event_count, event_capacity;
} crn_saved;

/* What a contact did at the end of a step. */
typedef struct crn_contact_mode
{
    uint64_t identity;
    crn_hold hold;
    double force[3]; /* N: mean over the (part of a) step, normal and tangents */
    double u_t[2];   /* m/s */
    double speed;    /* |u_t| */
    double mu;
    double impulse[2][3]; /* N s, scratch: over held steps of two lengths, whose difference tells the force */
} crn_contact_mode;

/* What the search for a transition found. */
typedef enum crn_transition
{
    CRN_TRANSITION_UNKNOWN, /* the modes do not determine the forces */
    CRN_TRANSITION_LATER,   /* the modes hold to the end of the step */
    CRN_TRANSITION_FOUND,
} crn_transition;

struct cairn_simulation
{
    cairn_context *context;
    const cairn_model *model;
    crn_model_size size; /* of the model when the simulation was made; every array here has that size */
    cairn_settings settings;
    crn_layout *layout;

    /* the state */
    double t;
    double t_base; /* time is t_base + steps_since_base * h: no rounding piles up over equal steps */
    int64_t steps_since_base;
    double h_base;
    int64_t step;
    double *q, *v;
    double gravity[3]; /* m/s^2 */
    double friction;   /* mu of all contacts of bodies; NAN: that of the materials */
    bool pulled;       /* a hand pulls */
    crn_drag_spring pull;
    double *spring_angle; /* a spring: length or angle, from which full turns are counted */
    crn_patches patches;  /* deformations of compliant contacts */

    /* where the bodies are and touch, at the state; fresh when made for a step of contacts_h */
    crn_frame frame;
    crn_collider *collider;
    const crn_contact *contacts;
    int contact_count;
    double contacts_h;   /* 0: not fresh */
    double *margin;      /* a body: m, see reach.c */
    double (*travel)[3]; /* a body: m, its motion foreseen */
    crn_reach reach;     /* the two above */
    crn_sides sides;     /* of thin shapes at the state */
    crn_contact *needed; /* chosen from the contacts in reach when a first choice missed some */
    size_t needed_capacity;

    /* the step: what it is made of, and where it leads */
    crn_stage stage[CRN_STAGES];
    int stage_count; /* of the last step; 0 before the first */
    crn_collider *stage_collider;
    crn_closed closed;
    crn_wedged wedged;
    crn_warm lag;         /* impulses of the last step, under the lagged law, */
    double lag_h;         /* and its length */
    crn_contact *pressed; /* contacts that carried a force at the end of the last (part of a) step, by identity */
    int pressed_count;
    size_t pressed_capacity;
    uint64_t *struck; /* contacts that close at the collision just found */
    int struck_count;
    size_t struck_capacity;
    crn_look look;
    crn_bounce_share *bounce_shares; /* an island */
    size_t bounce_share_capacity;
    crn_contact *carried; /* scratch: contacts of a stage, with those that it would lose at an edge */
    size_t carried_capacity;
    double (*drive_now)[6],
        (*drive_before)[6]; /* a body: velocity of driven ones just after and just before the state */
    double *v_far;          /* velocity at the end of the part that events are sought in */
    double *joint_bias;     /* a joint row: b that corrects drift */
    double *joint_gradient; /* scratch for users' joints */
    double *q_new, *v_new;
    double *q_at, *v_at, *v_base, *ahead; /* where a stage is evaluated, and from where it moves */
    crn_frame frame_end;                  /* trapezoidal schemes: the explicitly predicted end */
    double *q_end;
    crn_contact_mode *modes; /* of the last (part of a) step, by identity */
    int mode_count;
    size_t mode_capacity;
    double velocity_scale; /* m/s: of the last certificate, to tell stick from slip */
    bool holding;          /* stages are solved with the modes above */
    bool held_regular;
    crn_hold *hold; /* scratch: a contact of the problem */
    size_t hold_capacity;
    double mode_h;   /* s: length of the (part of a) step that the modes are of */
    bool modes_hold; /* a transition was looked for, and these modes hold to the end of the part */
    double
        curve_share; /* the part at hand ends on the curve through both ends of a step, at this share; 0: it does not */
    bool inelastic;  /* nothing bounces in the (part of a) step at hand */
    bool rough;      /* the part before was one of first order within a scheme of second */
    cairn_event *events; /* of the last step */
    size_t event_count, event_capacity;
    double *impact_r;     /* scratch: impulses, joint impulses and velocities of a compression */
    double *impact_share; /* scratch: a contact: how much of its restitution it gives back */
    size_t impact_r_capacity, impact_share_capacity;
    int problems;          /* solved in this step */
    int parts;             /* accepted in this step */
    double push_out_speed; /* m/s: largest in this step */
    double part_length;    /* s: what the error tolerance allows next; 0: not known yet */
    double *v_old, *mean;  /* velocity before the last step, and the mean of before and after */

    /* the projection (its own problem and solver, so that the step's stay readable) */
    crn_stage projection;
    double *q_projected;   /* scratch: the unprojected positions */
    double *spring_target; /* three a spring: the stretch that the projection keeps */
    double *displacement;
    bool springs_free; /* the initial state is being projected: springs may change their stretch */

    crn_saved saved;
    crn_ledger ledger; /* what the step did, for the audit and for those who ask for impulses */

    /* the account */
    double total_at_start;
    crn_potentials potentials;
    double contact_elastic; /* J in regularised contacts */
    cairn_energy energy;
    double *spring_work, *joint_work, *force_work;
    cairn_step_report report;
};

/* The last problem of the last step: the one whose law holds at the new velocity. */
const crn_stage *crn_last_stage(const cairn_simulation *simulation);

/* CAIRN_INVALID with a message when something was added to the model since the simulation was made. */
cairn_status crn_check_model(const cairn_simulation *simulation);

/* What a step changes beside positions, velocities and works, in saved.c: kept before it, and put back when it fails. */
void crn_save_rest(cairn_simulation *simulation);
void crn_restore_rest(cairn_simulation *simulation);

/* The integrator of the settings. */
cairn_status crn_advance(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Take (q_new, v_new) over as the state at t + h; works are booked with the stages' weights. */
cairn_status crn_accept(cairn_simulation *simulation, double h);

/* A step of a second-order scheme with its events (paper 1, sections 7 and 8), in events.c and impact.c. */
cairn_status crn_step_with_events(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Resolve the impact of the contacts that touch at the state, under a law of friction. */
cairn_status crn_impact(cairn_simulation *simulation, cairn_law law, cairn_solver_report *report);
cairn_status crn_add_event(cairn_simulation *simulation, const cairn_event *event);

/* A step of a second-order scheme of the settings with `events` off, in events.c: what closes in it is taken by `stiff`. */
cairn_status crn_step_without_events(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Whether a part of stiff2 is not the smooth motion it takes it for, in smooth.c; strict: every contact that works counts. */
cairn_status crn_velocity_jumped(cairn_simulation *simulation, double h, bool strict, bool *jumped);

/* Collisions, in collision.c: the first share tau of the part of h just computed at which an open gap closes, 1 when none does;
 * the contacts at a share (s->look), by a step of that length or on the curve between both ends. */
cairn_status crn_find_collision(cairn_simulation *simulation, double h, double *tau);
cairn_status crn_look_ahead(cairn_simulation *simulation, double h, double tau);
bool crn_follows_curve(const cairn_simulation *simulation);

/* Contacts that run over an edge, in edges.c. Carry the closed contacts of a stage along that it would lose. */
cairn_status crn_carry_closed(cairn_simulation *simulation, const crn_stage *stage, crn_input *in);
/* Shares of h just before and after the first edge that a contact runs over within the share `limit`. */
cairn_status crn_find_edge(cairn_simulation *simulation, double h, double limit, double *before, double *after,
                           bool *found);
/* Whether a contact that was not there at the state stands for a closed one that has gone; `contacts`: all that are there. */
bool crn_is_successor(const cairn_simulation *simulation, const crn_contact *contact, const crn_contact *contacts,
                      int count, double h);
/* Give the names of pressed contacts on to those that stand for them now; drop those that nothing stands for. */
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
/* Velocity of contact j's row i (driven bodies counted) when the bodies have velocity v. */
double crn_contact_rate(const cairn_simulation *simulation, const crn_stage *stage, int j, int i, const double *v);

/* Cubic Hermite interpolation from (q, v) to (q_new, v_new), at the share tau of h, in hermite.c. */
void crn_hermite(cairn_simulation *simulation, double h, double tau, double *q_out, double *v_out);

/* Shared by the integrators, in stage.c. */
crn_input crn_stage_input(const cairn_simulation *simulation, const crn_stage *stage, double h);
/* Solve the problem in a stage's assembly; adds to the report's counts. */
cairn_status crn_stage_solve(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);
/* J: what the contacts of an island did on its bodies from v_before to the solution's velocity, driven ones counted as moving, and
 * *scale what they could have done; in bounce.c, as the next. */
double crn_island_work(const cairn_simulation *simulation, const crn_stage *stage, const cairn_island *island,
                       const double *v_before, double *scale);
/* Solve again with less restitution where bounces make energy. */
cairn_status crn_limit_bounces(cairn_simulation *simulation, crn_stage *stage, cairn_solver_report *report);
/* Overlaps that a first-order step cannot push out, in wedge.c: ask no more of the contacts of islands without a solution than
 * not to close further (false when nothing more was asked of them); the same of those of which it was so in the step
 * before; and remember which those are. */
bool crn_wedge_leave(const cairn_simulation *simulation, crn_stage *stage, const cairn_solver_report *report);
void crn_wedge_recall(const cairn_simulation *simulation, crn_stage *stage);
cairn_status crn_wedge_keep(cairn_simulation *simulation, const crn_stage *stage);
/* Fail with the bodies that have no solution, in blame.c. */
cairn_status crn_report_unsolved(cairn_simulation *simulation, const crn_stage *stage);
/* Contacts at a stage's frame, for the margins of the step. */
cairn_status crn_stage_collide(cairn_simulation *simulation, crn_stage *stage, crn_input *in);
/* First-order steps: solve at the state, and again while faster bodies bring new contacts into reach. */
cairn_status crn_solve_at_state(cairn_simulation *simulation, double h,
                                cairn_status (*formulate)(crn_assembly *assembly, const crn_input *in),
                                cairn_solver_report *report);
/* Regularised contacts and joints, in regularised.c: whether the settings allow them; their elastic energies; and their works,
 * where false says that the row is rigid. r and c: impulses times the stage's weight. */
cairn_status crn_check_regularised(const cairn_simulation *simulation);
double crn_contact_elastic(const cairn_simulation *simulation);
double crn_joint_elastic(const cairn_simulation *simulation, const crn_frame *frame);
bool crn_book_soft_contact(cairn_simulation *simulation, const crn_stage *stage, int j, double r, double mean_rate);
bool crn_book_soft_joint(cairn_simulation *simulation, const crn_stage *stage, int joint, int row, double c,
                         double mean_rate);
void crn_book_contact_elastic(cairn_simulation *simulation);
/* The bounds of lagged friction for the problem in a stage, and the impulses they will come from next, in lagged.c. */
cairn_status crn_lag_friction(cairn_simulation *simulation, crn_stage *stage, double h);
cairn_status crn_keep_lag(cairn_simulation *simulation, double h);
/* Contacts that press, in closed.c: note those of the last stage, but for those that part after an impact. */
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

/* Of a body over a step, m: that of its origin, and the most that turning adds to any of its points. */
typedef struct crn_motion
{
    double travel[3];
    double turn;
} crn_motion;
crn_motion crn_motion_of(const cairn_simulation *simulation, int body, const double *v, double h);
/* What of h bodies within reach of each other may turn through on one curve; in passing.c, as the next two. */
double crn_steady_part(const cairn_simulation *simulation, double h);
/* Whether a contact that was open may have come and gone within the step of h to v_new. */
bool crn_may_pass(const cairn_simulation *simulation, double h);
/* The least share of h that a contact needs to close; 0 when it touches and closes, infinite when it does not approach. */
double crn_safe_share(const cairn_simulation *simulation, const crn_contact *contact, double h);

/* Frame, contacts and margins for the state and a coming step of h. */
cairn_status crn_locate(cairn_simulation *simulation, double h);
/* Compliant contacts, in patches.c: their place in a new simulation; the turn of their frames, told before the positions
 * move; and their deformations and works at the end of an accepted step. */
cairn_status crn_open_patches(cairn_simulation *simulation);
void crn_turn_patches(cairn_simulation *simulation, double h);
cairn_status crn_accept_patches(cairn_simulation *simulation, double h);
/* Contacts anew where bodies are faster than foreseen, at velocity v. */
cairn_status crn_widen(cairn_simulation *simulation, double h, const double *v);
/* The same for a problem solved with velocity v: *missed when contacts that it lacks do not hold; they are added. */
cairn_status crn_find_missed(cairn_simulation *simulation, double h, const crn_assembly *solved, const double *v,
                             bool *missed);

/* Penetration and joint errors of the state into the report, in step.c; contacts and joints were listed before. */
void crn_report_violations(cairn_simulation *simulation);
/* Energies from the state; the frame must be that of q. */
double crn_kinetic(cairn_simulation *simulation);
crn_potentials crn_potentials_at(const cairn_simulation *simulation, const crn_frame *frame, const double *q);
/* Book the work of every impulse of the step just solved (v_old, v and mean are set, positions not yet moved). */
void crn_book_work(cairn_simulation *simulation, double h);
/* Book what moving the positions (without and then with projection) did to the potentials. */
void crn_book_motion(cairn_simulation *simulation, crn_potentials moved, crn_potentials projected);
void crn_close_balance(cairn_simulation *simulation);

/* CAIRN_NUMERIC, naming the fastest body, when state, energy or works are no longer numbers; in range.c. */
cairn_status crn_check_range(const cairn_simulation *simulation);

/* Paper 0, eq. 46. q holds the unprojected positions on entry and the projected ones on return. */
cairn_status crn_project(cairn_simulation *simulation, double h);

/* Say which open meshes have most bodies behind them, in winding.c. */
void crn_suspect_winding(const cairn_simulation *simulation);

/* Project or check the state before the first step, as the settings ask, in initial.c. */
cairn_status crn_begin_consistent(cairn_simulation *simulation);

#endif
