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

#include "cairn/simulation.h"
#include "formulate/frame.h"

/* One spring coordinate in this step: impulse on the system  -h (gamma (phi + h_e rate) + delta rate) gradient, with the
 * rate at the new velocity (implicit, h_e = h) or the old one (explicit, h_e = 0). */
typedef struct crn_spring_term
{
    int spring;
    bool implicit;
    double gamma, delta, phi;
    double drive; /* part of the rate that driven bodies make */
    crn_gradient gradient;
} crn_spring_term;

/* One outer force: impulse h f, f in the six coordinates of a gradient. */
typedef struct crn_force_term
{
    int force;
    int body;
    double f[6];
} crn_force_term;

/* Block rows that grow. */
typedef struct crn_rows
{
    cairn_block_rows rows;
    size_t item_capacity[2], entry_capacity[2], value_capacity;
    int entry_count, value_count, row_count;
} crn_rows;

/* What a step is made from. */
typedef struct crn_input
{
    const crn_layout *layout;
    const crn_frame *frame;
    const cairn_settings *settings;
    const double *q, *v;        /* at the start of the step */
    const double *spring_angle; /* a spring: its angle the step before */
    double t, h;
    const crn_contact *contacts;
    int contact_count;
} crn_input;

typedef struct crn_assembly
{
    cairn_problem problem;
    double *M;         /* mass matrices, block after block (layout->mass_start) */
    double *k_q, *k_v; /* scratch for users' systems */
    double *scratch;   /* for users' joints and gaps */
    size_t scratch_capacity;
    crn_rows G, H;
    size_t b_capacity, R_c_capacity, w_capacity, mu_capacity, identity_capacity;
    crn_spring_term *spring_terms;
    size_t spring_term_count, spring_term_capacity;
    crn_force_term *force_terms;
    size_t force_term_count, force_term_capacity;
    double *theta; /* a joint row: Theta at the start */
    size_t theta_capacity;
    crn_contact *active; /* a contact of the problem: its geometry; bodies -1: a gap of a user's system */
    size_t active_capacity;
    double (*contact_drive)[3]; /* a contact: part of its relative velocity that driven bodies make */
    size_t contact_drive_capacity;
} crn_assembly;

cairn_status crn_assembly_create(const crn_layout *layout, crn_assembly *assembly);
void crn_assembly_destroy(crn_assembly *assembly);

/* Masses of users' systems at q (those of bodies are constant). */
void crn_evaluate_masses(crn_assembly *assembly, const crn_layout *layout, const double *q);

/* A = M, p = M v; no joints, no contacts. Masses of users' systems are evaluated at q. */
void crn_begin(crn_assembly *assembly, const crn_input *in);
void crn_finish(crn_assembly *assembly, const crn_input *in, cairn_law law);

/* Forces, in dynamics.c. */
void crn_add_gravity(crn_assembly *assembly, const crn_input *in);
cairn_status crn_add_forces(crn_assembly *assembly, const crn_input *in);
void crn_add_gyroscopic(crn_assembly *assembly, const crn_input *in, bool implicit);
cairn_status crn_add_springs(crn_assembly *assembly, const crn_input *in, bool implicit);
void crn_add_systems(crn_assembly *assembly, const crn_input *in, bool implicit);

/* Rows, in rows.c. joint_bias: b = -factor * Theta (0 or 1/h). */
cairn_status crn_add_joint_rows(crn_assembly *assembly, const crn_input *in, double factor);
cairn_status crn_add_contact_rows(crn_assembly *assembly, const crn_input *in);
/* One more item of one joint row with a given gradient and right-hand side (springs held by the projection). */
cairn_status crn_add_equation(crn_assembly *assembly, const crn_input *in, const crn_gradient *gradient, double rhs);

/* y = M x with the mass matrices of the last crn_begin. */
void crn_mass_times(const crn_assembly *assembly, const crn_layout *layout, const double *x, double *y);

/* A new item of `rows` rows; then its entries, zeroed rows x width values each (NULL: memory ran out). */
cairn_status crn_rows_begin(crn_rows *rows, int count);
double *crn_rows_entry(crn_rows *rows, int block, int width);

#endif
