/* Building the one-step problem, piece by piece, in memory that is kept warm. An integrator is a short list of calls:
 *
 *     crn_begin             A = M, p = M v, no rows
 *     crn_add_gravity ...   forces into p, implicit ones into A too
 *     crn_add_joint_rows    G, b
 *     crn_add_contact_rows  H, w, mu
 *     crn_finish            the problem is complete
 *
 * All pieces cost O(bodies + springs + joints + contacts). What a force did is remembered in terms (spring_term, ...), so
 * that its work can be told after the solve.
 */
#ifndef CRN_FORMULATE_ASSEMBLE_H
#define CRN_FORMULATE_ASSEMBLE_H

#include "base/memory.h"
#include "cairn/simulation.h"
#include "formulate/frame.h"

/* One spring coordinate in this step: impulse on the system  -(a + b g'v+) g, with g the gradient of phi, and a and b the
 * sums of an elastic and a damping part. The b g g' stand in A, the a g in p; or, where b outweighs the masses by far, the
 * impulse is an unknown c of its own, in a compliant joint row (springs_add.c), of which share (c - lag) is elastic. */
typedef struct crn_spring_term
{
    int spring;
    bool as_row; /* the impulse is an unknown, */
    int row;     /* in this joint row; -1: it stands in A and p */
    double share, lag;
    double elastic_a, elastic_b;
    double damping_a, damping_b;
    double
        target_phi; /* phi at the start of the step (or stage), for the projection's prediction phi + h (g'v+ + drive) */
    double drive;   /* part of the rate that driven bodies make */
    crn_gradient gradient;
} crn_spring_term;

/* One outer force: its impulse, in the six coordinates of a gradient. */
typedef struct crn_force_term
{
    int force; /* -1: a pull by hand */
    int body;
    double impulse[6];
} crn_force_term;

/* Block rows that grow. */
typedef struct crn_rows
{
    crn_arena memory;
    cairn_block_rows rows;
    int entry_count, value_count, row_count;
} crn_rows;

typedef struct crn_patches crn_patches; /* formulate/patch.h */

/* One compliant patch of the problem. */
typedef struct crn_patch_item
{
    crn_contact contact; /* the whole one, in the patch's frame */
    int block;           /* of crn_patches */
    int first;           /* its first element's contact in the problem */
    int patch;           /* which patch of the problem it is */
    double turn;         /* rad: how far the step turned its bodies about the normal, on the mean */
} crn_patch_item;

/* A hand that holds a body, in pull.c. */
typedef struct crn_drag_spring
{
    int body;
    double point[3];           /* m, body frame */
    double target[3];          /* m, world */
    double stiffness, damping; /* N/m, N s/m */
} crn_drag_spring;

/* A bounded row of a joint in the problem. A row that turns is counted in metres, along the arc of a body's size, so that its
 * rate and its impulse stand beside those of contacts: the joint's own impulse is `length` times the problem's. */
typedef struct crn_bounded_row
{
    int joint, row; /* of the model's joints; among all rows of the joint */
    double length;  /* m per unit: 1 where the row moves points */
    double lo, hi;  /* N or N m */
    bool is_limit;  /* of a gap */
    bool drives;    /* a motor, which may do work on the bodies */
} crn_bounded_row;

/* What a step, or a stage of one, is made from. The one-step problem moves a base (q_b, v) over h; its forces and rows are
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
    const double *spring_angle;  /* a spring: its angle the step before */
    bool inelastic;              /* nothing bounces */
    double t;                    /* time of the evaluation point */
    double h;
    const crn_contact *contacts; /* at the evaluation point */
    int contact_count;
    const crn_patches *patches;   /* deformations of compliant contacts; NULL: these get no rows */
    const crn_collider *collider; /* that found the contacts, for the surfaces that patches see */
    /* Second-order schemes: contacts that touch at the start of the step, by identity, ascending; they are held at the
     * velocity level, w_n = closed_bias. The others may use up their gap, or are left to event detection. */
    const uint64_t *closed;
    const double *closed_bias; /* m/s: 0, or gap/h to correct drift */
    int closed_count;
    bool hold_closed;         /* the list above is in force */
    bool only_closed;         /* others get no rows */
    bool positions;           /* the unknown is a displacement: of bounded rows, only limits count */
    const double *joint_bias; /* NULL, or b of each joint row, to correct drift */
    /* the trapezoidal schemes evaluate forces at the start and at the explicitly predicted end */
    const crn_frame *frame_start, *frame_end;
    const double *q_start, *q_end;
    double t_start, t_end;
} crn_input;

/* A gyroscopic impulse  -K w+  on the rotation of a block (K 3x3), plus a constant part. */
typedef struct crn_gyro_term
{
    int block;
    double K[9];
    double constant[3];
} crn_gyro_term;

/* The one-step problem under construction, with what is remembered about its rows. All arrays, those of the problem too, belong
 * to `memory`, except for the pattern of A, which is the layout's, and for G and H, which own theirs. */
typedef struct crn_assembly
{
    crn_arena memory;
    cairn_problem problem;
    const crn_frame *frame; /* of the last crn_begin: where rows and contacts were evaluated */
    double *M;              /* mass matrices, block after block (layout->mass_start) */
    double *k_q, *k_v;      /* scratch for users' systems */
    double *scratch;        /* for users' joints and gaps */
    crn_rows G, H;
    crn_spring_term *spring_terms;
    crn_force_term *force_terms;
    crn_gyro_term *gyro_terms;
    size_t spring_term_count, force_term_count, gyro_term_count;
    double *theta;              /* per joint row: Theta at the start */
    double *joint_length;       /* per joint row: m per unit */
    int spring_item;            /* the first item of G that belongs to a spring; those of joints come before */
    crn_contact *active;        /* per item of H: geometry; bodies -1: a gap of a user's system, or a bounded row */
    double (*contact_drive)[3]; /* per contact: part of its relative velocity due to driven bodies */
    double *push;               /* per contact: m/s at which it is pushed out of penetration, 0: it is not */
    /* compliance; rigid contacts and gaps of systems come first in the problem, then patch after patch */
    crn_patch_item *patches; /* the compliant patches, which come last among those of the problem */
    int patch_item_count;
    int *element;                  /* per contact: its element in the patch, -1: the contact is rigid */
    double (*deformation)[3];      /* per contact: m at the end of the step, in its frame; 0 when rigid */
    double (*creep)[3];            /* per contact: m/s, mean rate of deformation over the step */
    int *block_R;                  /* per block of crn_patches: where it stands in R, -1: not there yet */
    size_t R_used;                 /* values of R so far */
    double *radius;                /* per contact: bound of lagged friction */
    double *weight, *joint_weight; /* how redundant rows share a load */
    /* bounded rows of joints: the last items of the problem, after all contacts */
    crn_bounded_row *bounded;
    int bounded_count;
    cairn_bound *bound; /* problem.bound, where there are any */
} crn_assembly;

cairn_status crn_assembly_create(const crn_layout *layout, crn_assembly *assembly);
void crn_assembly_destroy(crn_assembly *assembly);

/* Masses of users' systems at q, or the mean of q and another point (those of bodies are constant). */
void crn_evaluate_masses(crn_assembly *assembly, const crn_layout *layout, const double *q, const double *other);

/* A = M, p = M v; no joints, no contacts. Masses of users' systems are evaluated at q. */
void crn_begin(crn_assembly *assembly, const crn_input *in);
void crn_finish(crn_assembly *assembly, const crn_input *in, cairn_law law);

/* How a force is taken: at the evaluation point (explicit), through its linearisation at the new velocity (implicit), or
 * as the mean of start and end, linearised (trapezoidal). */
typedef enum crn_treatment
{
    CRN_EXPLICIT,
    CRN_IMPLICIT,
    CRN_TRAPEZOIDAL,
} crn_treatment;

/* Forces, in dynamics.c and springs_add.c. */
void crn_add_gravity(crn_assembly *assembly, const crn_input *in);
cairn_status crn_add_forces(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);
cairn_status crn_add_gyroscopic(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);
cairn_status crn_add_springs(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);
void crn_add_systems(crn_assembly *assembly, const crn_input *in, crn_treatment treatment);

/* The rows of springs that outweigh the masses, after those of the joints; called by crn_add_joint_rows. */
cairn_status crn_add_spring_rows(crn_assembly *assembly, const crn_input *in);
/* The impulse of a spring's coordinate along its gradient, in parts. */
void crn_spring_impulse(const crn_spring_term *term, const crn_layout *layout, const cairn_solution *solution,
                        double *elastic, double *damping);

/* Rows, in joint_rows.c and contact_rows.c. b of a joint row is -factor * Theta (factor 0 or 1/h), or joint_bias. */
cairn_status crn_add_joint_rows(crn_assembly *assembly, const crn_input *in, double factor);
cairn_status crn_add_contact_rows(crn_assembly *assembly, const crn_input *in);
/* Rows of one contact; bias: its w but for driven bodies, NULL: that of a rigid one. */
cairn_status crn_add_contact(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                             const double *bias);
/* One item of `dim` rows from gradients over the same two bodies, with w and the driven bodies' part of its velocity. */
cairn_status crn_add_contact_item(crn_assembly *assembly, const crn_input *in, const crn_contact *contact,
                                  const crn_gradient *gradient, const double *w, const double drive[3]);
/* The normal bias w_n of a rigid contact; u_n_old: its normal velocity before the step. */
double crn_normal_bias(const crn_input *in, double gap, double restitution, double u_n_old);
/* m per unit of a row: 1 where it moves points, the larger body's size where it only turns bodies. */
double crn_row_length(const crn_layout *layout, const crn_gradient *gradient);
/* Contacts among the items of H: bounded rows come after them. */
static inline int crn_contacts_of(const crn_assembly *assembly)
{
    return assembly->problem.contact_count - assembly->bounded_count;
}
/* Item j as a bounded row; NULL: it is a contact. */
static inline const crn_bounded_row *crn_bounded_of(const crn_assembly *assembly, int j)
{
    int k = j - crn_contacts_of(assembly);
    return k >= 0 ? &assembly->bounded[k] : NULL;
}
/* Whether the problem has a contact of collision detection, as one or as a patch. */
bool crn_assembly_has(const crn_assembly *assembly, uint64_t identity);
/* Identity of a gap of a user's system: above all identities of collision detection. */
uint64_t crn_gap_identity(int system, int gap);
/* One more item of one joint row with a given gradient and right-hand side (springs held by the projection). */
cairn_status crn_add_equation(crn_assembly *assembly, const crn_input *in, const crn_gradient *gradient, double rhs);

/* y = M x with the mass matrices of the last crn_begin. */
void crn_mass_times(const crn_assembly *assembly, const crn_layout *layout, const double *x, double *y);

/* A new item of `rows` rows; then its entries, zeroed rows x width values each (NULL: memory ran out). */
cairn_status crn_rows_begin(crn_rows *rows, int count);
double *crn_rows_entry(crn_rows *rows, int block, int width);
/* A whole item of `count` rows from gradients over the same two bodies; its entries ascend by block. */
cairn_status crn_rows_add_item(crn_rows *rows, const crn_layout *layout, const crn_gradient *gradients, int count);

#endif
