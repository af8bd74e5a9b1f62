/* Assembly of the one-step problem, in memory that is reused from step to step. An integrator is a short list of calls:
 *
 *     crn_begin             A = M, p = M v, no rows
 *     crn_add_gravity ...   forces into p; implicit forces also into A
 *     crn_add_joint_rows    G, b
 *     crn_add_contact_rows  H, w, mu
 *     crn_finish            the problem is complete
 *
 * The total cost is O(bodies + springs + joints + contacts). The impulse of each force is recorded in a term (spring_term,
 * ...), from which its work is computed after the solve.
 */
#ifndef CRN_FORMULATE_ASSEMBLE_H
#define CRN_FORMULATE_ASSEMBLE_H

#include "base/memory.h"
#include "cairn/simulation.h"
#include "formulate/frame.h"

/* One spring coordinate in this step. Its impulse on the system is -(a + b g'v+) g, where g is the gradient of phi, and
 * a and b are sums of an elastic and a damping part. The terms b g g' go into A and a g into p. Where b outweighs the
 * masses by far, the impulse is instead an unknown c in a compliant joint row (springs_add.c); share (c - lag) of it is
 * elastic. */
typedef struct crn_spring_term
{
    int spring;
    bool as_row; /* the impulse is an unknown of its own */
    int row;     /* joint row of that unknown; -1: the spring is in A and p */
    double share, lag;
    double elastic_a, elastic_b;
    double damping_a, damping_b;
    double
        target_phi; /* phi at the start of the step (or stage), for the projection's prediction phi + h (g'v+ + drive) */
    double drive;   /* part of the rate caused by driven bodies */
    crn_gradient gradient;
} crn_spring_term;

/* One external force: its impulse, in the six coordinates of a gradient. */
typedef struct crn_force_term
{
    int force; /* -1: the user's drag spring */
    int body;
    double impulse[6];
    bool is_implicit; /* the impulse is less by J v+, whose rows and columns are those of the six coordinates */
    double J[6][6];
} crn_force_term;

/* An expression that is not a finite number at a state. */
typedef struct crn_fault
{
    bool is_force, is_joint; /* neither: there is none */
    int index;               /* of the force or the joint */
    int part;                /* 0 to 2: of the force, 3 to 5: of the torque; or the row of the joint */
} crn_fault;

/* Block rows in growing arrays. */
typedef struct crn_rows
{
    crn_arena memory;
    cairn_block_rows rows;
    int entry_count, value_count, row_count;
    size_t item_room, entry_room, value_room; /* so many of each the arrays can hold */
} crn_rows;

typedef struct crn_patches crn_patches; /* formulate/patch.h */
typedef struct crn_anchors crn_anchors; /* formulate/anchor.h */

/* One compliant patch of the problem. */
typedef struct crn_patch_item
{
    crn_contact contact; /* the contact of the whole patch, in the patch's frame */
    int block;           /* index of its block in crn_patches */
    int first;           /* contact of its first element in the problem */
    int patch;           /* index of the patch in the problem */
    double turn;         /* rad: mean rotation of its two bodies about the normal over the step */
} crn_patch_item;

/* The user's drag spring on a body, see drag_spring.c. */
typedef struct crn_drag_spring
{
    int body;
    double point[3];           /* m, body frame */
    double target[3];          /* m, world */
    double stiffness, damping; /* N/m, N s/m */
} crn_drag_spring;

/* A bounded row as its joint was evaluated, before it is in the problem. */
typedef struct crn_kept_row
{
    int joint;
    double theta, rate;
    crn_gradient gradient;
    crn_joint_bound bound;
} crn_kept_row;

/* A bounded row of a joint, or of the rolling friction of a contact, in the problem. A rotational row is measured in metres, along an arc whose radius is the
 * body's size, so that its rate and impulse are comparable to those of contacts. The joint's own impulse is `length`
 * times the problem's. */
typedef struct crn_bounded_row
{
    int joint, row; /* index of the model's joint, -1: of a contact; index among all rows of the joint or contact */
    int contact;    /* item of the contact whose normal impulse multiplies the bounds, if the row is of one */
    double axis[3]; /* world: of its rotation */
    bool tried; /* in space: moment and rate of its contact's rolling rows are those of the last solve (rolling.c) */
    double moment[3], rate[3];
    double length; /* m per unit: 1 for a translational row */
    double theta;  /* m: gap of a limit, deviation of a drive */
    double lo, hi; /* N or N m; m, of a contact */
    bool is_limit; /* the row limits a gap */
    bool is_drive; /* it holds a coordinate at a target, as far as its bounds allow */
    bool is_force; /* it gives a force */
    double k, c;   /* its stiffness and damping, of the joint's units; 0, 0: rigid, or a given force */
    bool drives;   /* a motor: it may do work on the bodies */
} crn_bounded_row;

/* Input of a step or of one of its stages. The one-step problem moves a base (q_b, v) over h. Its forces and rows are
 * evaluated at a point that may lie ahead of the base, by h times the velocity `ahead`. */
typedef struct crn_input
{
    const crn_layout *layout;
    const crn_frame *frame; /* poses at the evaluation point */
    const cairn_settings *settings;
    const double *gravity;       /* m/s^2 */
    const crn_drag_spring *pull; /* NULL: none */
    const double *q;             /* coordinates at the evaluation point */
    const double *v;             /* velocity of the base: p = M v + ... */
    const double *v_at;          /* velocity at the evaluation point, for forces that depend on it */
    const double *ahead;         /* the evaluation point is the base moved by h * ahead; NULL: it is the base */
    const double *row_bias;      /* NULL, or a velocity added to the unknown in joint and contact rows */
    const double *spring_angle;  /* per spring: its angle in the previous step */
    bool inelastic;              /* no restitution */
    double t;                    /* time of the evaluation point */
    double h;
    const crn_contact *contacts; /* at the evaluation point */
    int contact_count;
    const crn_patches *patches;   /* deformations of compliant contacts; NULL: these get no rows */
    const crn_anchors *anchors;   /* tangential springs of soft contacts; NULL: they are not stretched */
    const crn_collider *collider; /* the collider that found the contacts; patches query its surfaces */
    /* Second-order schemes: identities of the contacts that touch at the start of the step, ascending. They are held at
     * the velocity level, w_n = closed_bias. The others may use up their gap, or are left to event detection. */
    const uint64_t *closed;
    const double *closed_bias; /* m/s: 0, or gap/h to correct drift */
    int closed_count;
    bool hold_closed;   /* the list above applies */
    bool only_closed;   /* contacts not in the list get no rows */
    bool positions;     /* the unknown is a displacement: limits are the only bounded rows */
    bool splits_forces; /* of the derivatives of applied forces, those between translation and rotation are left out */
    bool instant;       /* an impact takes no time: nothing of finite force takes part */
    const double *
        rotor_rate; /* CRN_JOINT_COORDINATES per joint: rates of coordinates with a rotor at the base; NULL: rotors take no part */
    const double *joint_bias;                /* NULL, or b of each joint row, to correct drift */
    double (*joint_impulse)[CRN_JOINT_ROWS]; /* per joint: in the last step, of length joint_h; NULL: not known */
    double joint_h;
    /* the trapezoidal schemes evaluate forces at the start and at the explicitly predicted end */
    const crn_frame *frame_start, *frame_end;
    const double *q_start, *q_end;
    double t_start, t_end;
} crn_input;

/* A gyroscopic impulse  -K w+  on the rotation of a block (K 3x3), plus a constant part. */
typedef struct crn_gyro_term
{
    int block;
    bool numerical; /* not a gyroscopic moment but one that the scheme adds (taut.c); in the plane K[8] alone counts */
    double K[9];
    double constant[3];
} crn_gyro_term;

/* The one-step problem under construction, with bookkeeping for its rows. `memory` owns all arrays, including those of
 * the problem. Exceptions are the pattern of A, which belongs to the layout, and G and H, which own their arrays. */
typedef struct crn_assembly
{
    crn_arena memory;
    cairn_problem problem;
    bool rowless;               /* the contacts are listed without rows: the step is solved in the compact view */
    bool is_pushed;             /* without rows: outer forces act, whose impulses are in p */
    const crn_frame *frame;     /* from the last crn_begin: where rows and contacts were evaluated */
    double *M;                  /* mass matrices of users' systems (layout->mass_start) */
    double *length;             /* storage of problem.length: from the first crn_begin */
    double *k_q, *k_v;          /* scratch for users' systems */
    double *scratch;            /* scratch for users' joints and gaps */
    crn_last_tangents tangents; /* of the last contact that was added */
    crn_rows G, H;
    crn_spring_term *spring_terms;
    crn_fault fault;
    crn_force_term *force_terms;
    crn_gyro_term *gyro_terms;
    double (*stiffness)[9]; /* per block: of joints under tension (taut.c) */
    size_t spring_term_count, force_term_count, gyro_term_count;
    double *theta;        /* per joint row: Theta at the start */
    double *joint_length; /* per joint row: m per unit */
    int spring_item;      /* first item of G that belongs to a spring; the items of joints precede it */
    /* per item of H: geometry; bodies are -1 for a gap of a user's system and for a bounded row. In `listed`, or without rows the list of
     * collision detection itself. */
    const crn_contact *active;
    crn_contact *listed;
    size_t contact_room;        /* contacts for which crn_reserve_contacts has found memory */
    double (*contact_drive)[3]; /* per contact: part of its relative velocity caused by driven bodies */
    double *push;               /* per contact: m/s at which penetration is pushed out; 0: it is not */
    /* compliance; rigid contacts and gaps of systems come first in the problem, followed by the patches */
    crn_patch_item *patches; /* the compliant patches, which come last among the patches of the problem */
    int patch_item_count;
    int *element;                  /* per contact: its element in the patch; -1: the contact is rigid */
    double (*deformation)[3];      /* per contact: m at the end of the step, in its frame; 0 when rigid */
    double (*creep)[3];            /* per contact: m/s, mean rate of deformation over the step */
    int *block_R;                  /* per block of crn_patches: its offset in R; -1: not yet stored */
    size_t R_used;                 /* number of values in R so far */
    double *radius;                /* per contact: friction bound under the lagged law */
    double *weight, *joint_weight; /* weights by which redundant rows share a load */
    int *rolling;                  /* per contact: its first row among the bounded ones; -1: none */
    /* bounded rows of contacts and joints: the last items of the problem, after all contacts */
    crn_bounded_row *bounded;
    int bounded_count;
    crn_kept_row *kept; /* bounded rows of the joints that have equations too, evaluated with these */
    int kept_count;
    cairn_bound *bound; /* storage of problem.bound, if there are bounded rows */
} crn_assembly;

cairn_status crn_assembly_create(const crn_layout *layout, crn_assembly *assembly);
void crn_assembly_destroy(crn_assembly *assembly);

/* Masses of users' systems at q, or the mean of q and another point (those of bodies are constant). */
void crn_evaluate_masses(crn_assembly *assembly, const crn_layout *layout, const double *q, const double *other);

/* A = M, p = M v; no joints, no contacts. Masses of users' systems are evaluated at q. For a check that solves nothing,
 * crn_begin_rows leaves out A and p. */
void crn_begin_rows(crn_assembly *assembly, const crn_input *in);
cairn_status crn_begin(crn_assembly *assembly, const crn_input *in);
void crn_finish(crn_assembly *assembly, const crn_input *in, cairn_law law);

/* How a force is evaluated: at the evaluation point (explicit), through its linearisation at the new velocity
 * (implicit), or as the mean of start and end, linearised (trapezoidal). */
typedef enum crn_treatment
{
    CRN_EXPLICIT,
    CRN_IMPLICIT,
    CRN_TRAPEZOIDAL,
} crn_treatment;

/* Forces, implemented in dynamics.c and springs_add.c. */
void crn_add_gravity(crn_assembly *assembly, const crn_input *in);
cairn_status crn_add_forces(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);
/* The impulse of a force, with its implicit part at the new velocity. */
void crn_force_impulse(const crn_force_term *term, const crn_layout *layout, const double *v, double out[6]);
cairn_status crn_add_gyroscopic(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);
cairn_status crn_add_springs(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);
void crn_add_systems(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);

/* Take joints under tension at the end of the step where it cannot follow them (taut.c); after crn_add_joint_rows. */
cairn_status crn_add_taut_joints(crn_assembly *assembly, const crn_input *in);
/* The impulse -K w+ + constant of a term on the rotation of its body, from new velocities v. */
void crn_gyro_impulse(const crn_layout *layout, const crn_gyro_term *term, const double *v, double impulse[3]);

/* The gyroscopic term of a body with inertia I and angular velocity w, both in its own frame. */
void crn_gyro_make(const double I[9], const double w[3], double h, crn_treatment treatment, crn_gyro_term *term);

/* Add the rows of springs that outweigh the masses, after those of the joints. Called by crn_add_joint_rows. */
cairn_status crn_add_spring_rows(crn_assembly *assembly, const crn_input *in);
/* The impulse of a spring coordinate along its gradient, split into its parts. */
void crn_spring_impulse(const crn_spring_term *term, const crn_layout *layout, const cairn_solution *solution,
                        double *elastic, double *damping);

/* Rows, implemented in joint_rows.c and contact_rows.c. b of a joint row is -factor * Theta (factor 0 or 1/h), or
 * joint_bias. */
cairn_status crn_add_joint_rows(crn_assembly *assembly, const crn_input *in, double factor);
cairn_status crn_add_contact_rows(crn_assembly *assembly, const crn_input *in);
/* Reserve the arrays of so many contacts. */
cairn_status crn_reserve_contacts(crn_assembly *assembly, int dim, size_t count);
/* Add the rows of one contact. bias is its w without the part of driven bodies; NULL: use that of a rigid contact. */
cairn_status crn_add_contact(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                             const double *bias);
/* Add one item of `dim` rows from gradients over the same two bodies, with w and the part of its velocity caused by
 * driven bodies. */
cairn_status crn_add_contact_item(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                                  const crn_gradient *gradient, const double *w, const double drive[3]);
/* Begin a problem of rigid contacts without rows, for steps that are solved in the compact view (step/compact), which makes `active`
 * the list of its contacts. It has no identities and no `push`. */
cairn_status crn_begin_rowless(crn_assembly *assembly, const crn_input *in);
/* Copy `active` to where it lasts, unless it is there. */
cairn_status crn_own_contacts(crn_assembly *assembly);
/* The normal bias w_n of a rigid contact. u_n_old is its normal velocity before the step. */
bool crn_contact_bounces(const crn_input *in, double gap, double restitution, double u_n_old);
double crn_normal_bias(const crn_input *in, double gap, double restitution, double u_n_old);
/* m per unit of a row: 1 if the row is translational, the size of the larger body if it only rotates bodies. */
double crn_row_length(const crn_layout *layout, const crn_joint_rows *rows, int i);
/* Number of contacts among the items of H. Bounded rows follow them. */
static inline int crn_contacts_of(const crn_assembly *assembly)
{
    return assembly->problem.contact_count - assembly->bounded_count;
}
/* Item j as a bounded row; NULL if it is a contact. */
static inline const crn_bounded_row *crn_bounded_of(const crn_assembly *assembly, int j)
{
    int k = j - crn_contacts_of(assembly);
    return k >= 0 ? &assembly->bounded[k] : NULL;
}
/* Whether item j has a gap: a contact, or a limit of a joint. */
static inline bool crn_is_gap(const crn_assembly *assembly, int j)
{
    const crn_bounded_row *row = crn_bounded_of(assembly, j);
    return !row || row->is_limit;
}
/* Whether the problem contains a contact from collision detection, either rigid or as a patch. */
bool crn_assembly_has(const crn_assembly *assembly, uint64_t identity);
/* Identity of a gap of a user's system. It is greater than every identity from collision detection. */
uint64_t crn_gap_identity(int system, int gap);
/* Append an item of one joint row with a given gradient and right-hand side (for springs that the projection holds). */
cairn_status crn_add_equation(crn_assembly *assembly, const crn_input *in, const crn_gradient *gradient, double rhs);
/* The same with the gradient of row i of a joint. */
cairn_status crn_add_row_equation(crn_assembly *assembly, const crn_input *in, const crn_joint_rows *rows, int i,
                                  double rhs);

/* y = M x with the mass matrices of the last crn_begin; and the part of one body, whose block is k. */
void crn_mass_times(const crn_assembly *assembly, const crn_layout *layout, const double *x, double *y);
void crn_body_mass_times(const crn_layout *layout, int k, const double *x, double *y);

/* Append an item of `rows` rows, then its entries. Each entry has rows x width values, set to zero (NULL: out of
 * memory). */
cairn_status crn_rows_begin(crn_rows *rows, int count);
double *crn_rows_entry(crn_rows *rows, int block, int width);
/* Append a complete item of `count` rows from gradients over the same two bodies. Its entries ascend by block. */
/* Room for so many more items, entries and values. */
cairn_status crn_rows_reserve(crn_rows *rows, int items, int entries, int values);
/* An item of `count` rows between two bodies of six unknowns; values[side] becomes the place of its numbers, which the caller sets, where the body has
 * unknowns. Without more room the places of earlier items may move. */
cairn_status crn_rows_add_places(crn_rows *rows, const crn_layout *layout, int count, const int body[2],
                                 double *values[2]);
cairn_status crn_rows_add_item(crn_rows *rows, const crn_layout *layout, const crn_gradient *gradients, int count);
/* Add to that item what rows `first` to first + count - 1 of a coupling have of its third and further bodies. */
cairn_status crn_rows_add_sides(crn_rows *rows, const crn_layout *layout, const crn_joint_rows *from, int first,
                                int count);

#endif
