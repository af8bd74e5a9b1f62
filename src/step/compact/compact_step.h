/* Steps over large islands of rigid bodies, solved by sweeps over the compact view (solve/compact/compact.h) instead of the general
 * one-step problem.
 *
 * view.c       makes the compact view of the state: bodies in the world frame, contacts as normals and arms
 * uneven.c     adds forces to it that are taken implicitly
 * pull.c       adds cohesion to it
 * rolling.c    adds rolling friction to it, and remembers its moments
 * islands.c    finds the islands of the contacts
 * rest.c       holds islands at rest
 * carry.c      impulses of a heap that has none: loads carried from above
 * settle.c     stops structures that have nearly come to rest and can stand
 * policy.c     how many sweeps the others get, and what is good enough
 * polish.c     brings small islands beside large ones to the solver's tolerance
 * bounce.c     limits restitution
 * general.c    makes the general problem of the step on request
 * compact_step.c   the step: contacts, sweeps, certificate, velocities
 */
#ifndef CRN_STEP_COMPACT_COMPACT_STEP_H
#define CRN_STEP_COMPACT_COMPACT_STEP_H

#include "formulate/assemble.h"
#include "solve/compact/compact.h"
#include "step/stage.h"

enum
{
    CRN_COMPACT_THREADS = 64 /* the most that share a loop */
};

/* What implicit forces add to A of a body. */
typedef struct crn_uneven
{
    double v[9], w[9]; /* J_vv and J_ww; rotations are in the body's frame */
    bool turns;        /* J_ww is not 0 */
} crn_uneven;

/* Scratch of compact steps. All arrays belong to the simulation's arena. */
typedef struct crn_compact_scratch
{
    crn_compact *sweeps; /* NULL until the first compact step */
    crn_compact_problem problem;
    crn_compact_polygon polygon; /* of its law, if it has one */
    crn_compact_body *free,
        *after; /* per body: without contacts, and at the end; until that is known, at the start, then as sweeps go on */
    crn_compact_body *room; /* memory of `after` */
    /* free, residual, height, across and island_work are known until the solve ends */
    double (*inverse_inertia)[9]; /* per body */
    bool *is_round;               /* per body */
    int *uneven;                  /* per body: its place below, -1: it is even; in steps with uneven bodies */
    crn_uneven *slopes;
    double (*uneven_mass)[9];
    int uneven_count;
    double *height, *across; /* per body: against gravity, and across it */
    double (*centre)[3];     /* per body: m, world, at the start of the step */
    double *bias;            /* per contact of the step: m/s */
    crn_compact_span span[CRN_COMPACT_CHUNKS];
    double (*drift)[3];   /* per contact: m/s, world, in models whose surfaces drift */
    double (*impulse)[3]; /* per contact: N s, world; in space those that are remembered, in the plane the next */
    double (*plane_impulse)[3];
    bool is_kept;                 /* the impulses are where they are remembered, under the names of their contacts */
    crn_compact_rolling *rolling; /* per contact; NULL until something resists rolling */
    double *residual;             /* per contact: m/s */
    double (*before)[6];          /* per body: momentum of the sweeps, in the memory of residual and left */
    double *own;                  /* memory of what only the solve needs, where the new state has no room for it */
    double *left;                 /* what is left of that room, so many numbers */
    size_t left_count;
    double *bounce;      /* per contact: m/s, e u_n of one that bounces; 0 for others */
    double *island_work; /* per body: J, of the island of which it is the root */
    double *kept_moment; /* scratch of rolling.c */
    double *r;           /* impulses in the frames of the contacts; NULL until somebody reads them */
    int *parent;         /* per body: union-find */
    int *island;         /* per contact: its island's root body */
    int *island_contacts,
        *island_bodies; /* per body: contacts and dynamic bodies of the island of which it is the root */
    /* islands that are not at rest, where others are */
    crn_compact_problem moving;
    crn_compact_problem plain; /* that one, or all, without momentum */
    crn_compact_contact *moving_contact;
    double (*moving_impulse)[3], (*moving_drift)[3];
    crn_compact_rolling *moving_rolling;
    int *moving_index; /* per contact of `moving`: its index among all */
    /* contacts that rest, and their impulses, where they are swept with many others */
    int *resting_index, resting_count;
    double (*resting_impulse)[3];
    bool *at_rest; /* per body: its island stays at rest in this step */
    bool any_rest;
    bool *settles; /* per body: the island of which it is the root is stopped in this step if its impulses balance */
    bool any_settles;
    crn_compact_certificate judged; /* of the impulses that rest was tried with */
    /* scratch of polish.c: small islands as a problem of their own, with their contacts in moving_contact */
    crn_compact_problem small;
    crn_compact_body *small_body, *polished; /* in the room that is left, or else in memory of their own */
    crn_compact_body *small_own;
    double (*small_inertia)[9];
    bool *small_round;
    double *small_residual;
    int *small_uneven;
    int *small_index;   /* per body of `small`: its index among all */
    int *small_contact; /* per contact of `small`: likewise */
    int *local;         /* per body: 1 + its index in `small`; 0: it is not there */
    bool has_many_islands;
    int largest;       /* contacts of the largest island that is not small; 0: all are small */
    bool any_small;    /* of the islands in contact */
    bool has_faces;    /* something other than spheres and half-spaces touches */
    bool is_structure; /* most of what touches does so at whole faces */
    int layers;        /* as crn_compact_layers says; -1: it has not been asked in this step */
    bool any_bounces;  /* of the contacts of the step */
    /* the model has only spheres and half-spaces, and the spheres of all moving bodies are about their centres; known if looked_at is
     * the model's revision + 1 */
    bool all_plain, all_central;
    uint64_t looked_at;
    /* the general problem is solved exactly, however loose the tolerance: the structure then stays at rest */
    bool is_first_load;
    bool is_load_missed; /* that solution would have taken too much work */
    /* a heap whose impulses nobody remembers: they are found once, with more sweeps than other steps get */
    bool is_cold;
    int taken;                    /* sweeps in the earlier passes of this step */
    double mean_speed, mean_size; /* m/s, m: of the dynamic bodies */
    bool is_even;                 /* their masses differ little */
    int in_a_row;                 /* compact steps since the general solver was last used */
    crn_contact *contacts_kept;   /* scratch of general.c */
    crn_frame frame;              /* of general.c; without arrays until it is needed */
    double still;                 /* m/s: the largest velocity that impulses at rest leave unbalanced */
} crn_compact_scratch;

/* Whether the settings and the model allow for compact steps. */
bool crn_compact_may_apply(const cairn_simulation *simulation);
/* The same, and whether the contacts in reach call for one. */
bool crn_compact_applies(cairn_simulation *simulation, double h);

/* Contacts up to which structures are solved exactly when they are first loaded or settle. */
#define CRN_STRUCTURE 100000
/* structure.c: whether the contacts in reach are those of a structure: bodies that touch at whole faces, so that pairs have more than one. */
bool crn_is_structure(const cairn_simulation *simulation);
/* structure.c: multiplications that may be spent on loading one of so many contacts, or on finding whether it can stand. */
double crn_structure_work(int contacts);
/* Whether they are those of a structure at rest, of at most CRN_STRUCTURE contacts. */
bool crn_structure_rests(const cairn_simulation *simulation, double h);

/* A first-order step of length h over the contacts in reach: fills the stage's solution and its list of contacts (without rows). */
cairn_status crn_compact_solve(cairn_simulation *simulation, crn_stage *stage, double h, crn_treatment gyroscopic,
                               cairn_solver_report *report);

/* The same if every island in contact stays at rest, whatever its size; otherwise *rests is false and nothing is solved. */
cairn_status crn_compact_rest(cairn_simulation *simulation, crn_stage *stage, double h, crn_treatment gyroscopic,
                              cairn_solver_report *report, bool *rests);

/* structure.c: how many bodies lie on each other at whole faces, where there are large islands and most contacts carry from below, as in walls; 0 where
 * bodies lie every which way. */
int crn_compact_layers(cairn_simulation *simulation);

/* policy.c: find mean speed and size, on which the others depend. */
void crn_compact_measure(cairn_simulation *simulation);
/* policy.c: L, by which sweeps and pushes of steps of length h exceed those of short ones. */
double crn_compact_length(const cairn_simulation *simulation, double h);
/* policy.c: the share of the last step's impulses to start from. */
double crn_compact_trust(cairn_simulation *simulation, double h, int contacts);
/* policy.c: what sweeps may use for their momentum, where the impulses to start from are. */
crn_compact_momentum crn_compact_momentum_of(const crn_compact_scratch *scratch, double (*impulse)[3]);
/* policy.c: sweeps that `max_iterations` leaves to the next pass over the contacts of this step; INT_MAX: it is not given. */
int crn_compact_left(const cairn_simulation *simulation);
/* policy.c: sweep over a loaded problem until the promise of the settings' accuracy holds or its budget is spent. Where momentum has led away from
 * every solution, it is loaded and swept again without. Writes the impulses, the velocities `after`, the residuals and the certificate, and adds
 * the number of sweeps to `sweeps`. */
cairn_status crn_compact_policy(cairn_simulation *simulation, double h, const crn_compact_problem *problem,
                                double (*impulse)[3], crn_compact_certificate *certificate, int *sweeps);

/* rest.c: find the islands that stay at rest in this step, and the problem of the others. Then, once velocities follow from all
 * impulses, hold those islands. */
bool crn_rest_is_likely(const cairn_simulation *simulation, double h); /* nothing in contact moves */
cairn_status crn_rest_find(cairn_simulation *simulation, double h, const crn_compact_problem **moving);
void crn_rest_hold(cairn_simulation *simulation);
/* Whether contact j is with a driven body in motion, or a surface that drifts: its island does not rest. */
bool crn_rest_is_driven(const cairn_simulation *simulation, int j);
/* Where few contacts rest among many, all are swept, and those that rest get their impulses back. */
void crn_rest_restore(cairn_simulation *simulation);

/* general.c: give the contacts of the last step their rows, so that its problem is a general one. */
cairn_status crn_compact_generalise(cairn_simulation *simulation);

/* carry.c: guess the impulses of all large islands that are calm, none of which are known yet. *carried: there are such islands. */
cairn_status crn_compact_carry(cairn_simulation *simulation, double h, bool *carried);

/* view.c: a body at the start of the step. */
crn_compact_body crn_compact_start(const cairn_simulation *simulation, int body);
/* m/s: the fastest point of body b that moves so. */
double crn_compact_speed(const cairn_simulation *simulation, const crn_compact_body *moving, int b);
/* The root of a body's island. */
int crn_compact_island_of(const crn_compact_scratch *scratch, int body);

/* settle.c: where it is due, find impulses that balance the large islands that have nearly come to rest, for rest.c to stop them. */
cairn_status crn_compact_settle(cairn_simulation *simulation, crn_stage *stage, double h, int *iterations);

/* polish.c: sweep small islands that miss the solver's tolerance until they meet it, where the settings give no number of sweeps. */
cairn_status crn_compact_polish(cairn_simulation *simulation, crn_compact_certificate *certificate, int *sweeps);

/* bounce.c: reduce restitution to a share in islands whose bounces create energy. Returns whether there are any. */
bool crn_compact_limit_bounces(cairn_simulation *simulation, double h, double residual, double share);

/* Into how many parts a loop over bodies or contacts is divided: one per thread if it is long enough. */
int crn_compact_threads(const cairn_simulation *simulation, int items);

/* view.c */
cairn_status crn_compact_view(cairn_simulation *simulation, crn_stage *stage, double h, crn_treatment treatment);
/* rolling.c: add rolling friction, with the moments of the last step; then remember those of this one. Nothing where none is. */
cairn_status crn_compact_add_rolling(cairn_simulation *simulation, crn_stage *stage);
cairn_status crn_compact_keep_rolling(cairn_simulation *simulation, crn_stage *stage);
/* rolling.c: the same contacts in a problem of `count` of them, by index; and their moments back again. */
cairn_status crn_compact_gather_rolling(cairn_simulation *simulation, crn_compact_problem *of, const int *index,
                                        int count);
void crn_compact_return_rolling(crn_compact_scratch *scratch, const crn_compact_problem *of, const int *index);
/* rolling.c: J, the work that the moment of contact j does over the step, by w before and after. */
double crn_compact_rolling_work(const cairn_simulation *simulation, int j);
/* pull.c: add the pulls of contacts to the velocities without contacts. */
void crn_compact_pull(cairn_simulation *simulation, double h);
/* The velocities and world impulses of the solution; then, on request, its impulses in the frames of the contacts. */
void crn_compact_read_solution(cairn_simulation *simulation, crn_stage *stage);
cairn_status crn_compact_read_rows(cairn_simulation *simulation, crn_stage *stage);
/* m/s: how fast contact j of the step, solved over h, pushes an overlap out. */
static inline double crn_compact_push(const crn_compact_scratch *scratch, const crn_contact *contact, int j, double h)
{
    bool bounces = scratch->any_bounces && scratch->bounce[j] != 0; /* its bias may have been reduced since */
    double w = bounces ? scratch->bounce[j] : scratch->bias[j], out = -contact->gap / h;
    out = -w < out ? -w : out;
    return out > 0 ? out : 0.0;
}
/* Relative velocity of the surfaces of contact j of the step, without the bias: of all bodies as they move, or at the start. */
void crn_compact_velocity(const crn_compact_scratch *scratch, const crn_contact *contact, int j,
                          const crn_compact_body *body, double u[3]);
void crn_compact_start_velocity(const cairn_simulation *simulation, int j, double u[3]);

/* Small islands are solved exactly, as a general problem: few contacts, or few bodies, however many points they touch at. */
static inline bool crn_compact_is_small(const crn_compact_scratch *scratch, int root)
{
    return scratch->island_contacts[root] <= 60 || scratch->island_bodies[root] <= 8;
}

/* islands.c: find the islands of the contacts. Returns the number of contacts of the largest one that is not small; 0: all are small; -1: no
 * memory. */
int crn_compact_islands(cairn_simulation *simulation, const crn_contact *contacts, int count);

#endif
