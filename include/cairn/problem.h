/* The one-step problem: what every integrator solves once or twice per step, as plain data.
 *
 *     unknowns   v  new generalised velocity (n),  c  joint impulses,  r_j  impulse of contact j in its frame
 *     dynamics   A v = p + G' c + sum_j H_j' r_j
 *     joints     G v + R_c c = b
 *     contacts   u_j = H_j v + (R r)_j + w_j,   law(u_j, r_j, mu_j)
 *     bounded    s_j = B_j v + (R z)_j + w_j,   lo_j <= z_j <= hi_j,   s_j complementary to the bounds
 *
 * A is block-sparse: one diagonal block per body, plus blocks where a spring couples two bodies. It is positive definite,
 * but not always symmetric. G and H are block rows: an item (a joint, a contact) has a few rows and touches a few blocks.
 * Each contact has `dim` rows: the normal first, then dim - 1 tangents. All dense pieces are row-major.
 *
 * A problem is complete in itself. It can be taken from a simulation (cairn_simulation_problem), loaded from a file, or
 * filled by hand, then solved (cairn/solver.h) and certified without the model it came from.
 *
 *     cairn_problem *problem;
 *     if (cairn_problem_load(context, "step.h5", &problem) == CAIRN_OK)
 *         cairn_solver_solve(solver, problem, &options, &solution, &report);
 *     cairn_problem_destroy(problem);
 */
#ifndef CAIRN_PROBLEM_H
#define CAIRN_PROBLEM_H

#include "cairn/base.h"

CAIRN_BEGIN_DECLS

/* ---------------------------------------------------------------------------------------------- friction laws */

/* The law that ties the impulse r of a contact to its relative velocity u. Subscript n is the normal part, t the
 * tangential one. */
typedef enum cairn_law_kind
{
    /* No friction: 0 <= u_n  _|_  r_n >= 0. */
    CAIRN_LAW_FRICTIONLESS = 0,
    /* Polyhedral Coulomb friction: r_t in mu r_n conv{d_1..d_m}, maximal dissipation (Anitescu & Potra 2002, eq. 14-16). */
    CAIRN_LAW_PYRAMID,
    /* |r_t| <= mu r_n and |r_o| <= mu r_n, each tangent by itself (Song et al. 2004, eq. 16). */
    CAIRN_LAW_BOX,
    /* Exact Coulomb friction: |r_t| <= mu r_n, and -u_t in the normal cone of that disc. Not convex. */
    CAIRN_LAW_CONE,
    /* r in K, u in K*, u'r = 0 with K the pyramid's cone: a quadratic program (Anitescu 2006, eq. 5.1-5.3). */
    CAIRN_LAW_CONVEX_PYRAMID,
    /* The same with the circular cone: a second-order cone program (Anitescu 2006, eq. 5.5). */
    CAIRN_LAW_CONVEX_CONE,
    /* r_t in a disc of given radius, maximal dissipation: convex (Preclik et al. 2011, eq. 57). */
    CAIRN_LAW_LAGGED,
} cairn_law_kind;

/* Largest number of directions of a pyramid. */
#define CAIRN_MAX_DIRECTIONS 64

/* A friction law with its parameter. */
typedef struct cairn_law
{
    cairn_law_kind kind;
    /* m of pyramid(m) and convex pyramid(m): even, from 4 to CAIRN_MAX_DIRECTIONS. Ignored in the plane, which has only two
     * tangent directions, and by the other laws. */
    int directions;
} cairn_law;

/* Write the name of a law as scene files spell it, such as "cone" or "pyramid(8)", into `text`, which has room for `size`
 * bytes. A longer name is truncated; the text always ends in a zero byte. */
CAIRN_API void cairn_law_name(cairn_law law, char *text, size_t size);

/* Parse such a name. Returns false, and leaves *out alone, when the name is unknown or m is odd or out of range. */
CAIRN_API bool cairn_law_parse(const char *text, cairn_law *out);

/* Whether sliding contacts lift off under this law, by h mu |u_t| per step. True for the convex laws. */
CAIRN_API bool cairn_law_lifts_off(cairn_law_kind kind);

/* --------------------------------------------------------------------------------------------------- matrices */

/* A block-sparse square matrix. Block row i holds the entries row_start[i] .. row_start[i+1]-1, in ascending order of their
 * columns, the diagonal block always among them. The values of entry e start at value[value_start[e]]. */
typedef struct cairn_block_matrix
{
    int block_count;
    /* block_count + 1 values: the first scalar row of each block. */
    const int *block_start;
    /* block_count + 1 values: the first entry of each block row. */
    int *row_start;
    /* Block column of each entry. */
    int *column;
    /* Where the values of each entry start, and one past the last. */
    int *value_start;
    double *value;
} cairn_block_matrix;

/* Block rows. Item i has the rows row_start[i] .. row_start[i+1]-1 and the entries entry_start[i] .. entry_start[i+1]-1.
 * Entry e touches block block[e]; its (rows of the item) x (size of the block) values start at value[value_start[e]]. */
typedef struct cairn_block_rows
{
    int item_count;
    /* item_count + 1 values: the first row of each item. */
    int *row_start;
    /* item_count + 1 values: the first entry of each item. */
    int *entry_start;
    /* Block that each entry touches. */
    int *block;
    /* Where the values of each entry start, and one past the last. */
    int *value_start;
    double *value;
} cairn_block_rows;

/* A bounded row: lo <= z <= hi, with s >= 0 where z = lo, s <= 0 where z = hi, and s = 0 in between. Limits, motors with
 * saturation, dry friction in joints, ropes and drives are all rows of this kind. */
typedef struct cairn_bound
{
    /* The item is a bounded row. False: it is a contact, and the other fields are ignored. */
    bool is_row;
    /* -1: the bounds are impulses. j >= 0: they are multiples of the first impulse of item j (the normal impulse of a
     * contact, or z of a bounded row with lo >= 0), which is never negative; then lo <= 0 <= hi. */
    int32_t by;
    /* N s, or dimensionless with `by`: lo <= hi; -INFINITY and INFINITY where there is no bound. */
    double lo, hi;
} cairn_bound;

/* ------------------------------------------------------------------------------------------------ the problem */

/* All data of one step. Arrays of a problem that the library returned belong to whatever returned it: to the simulation
 * (cairn_simulation_problem), or to the problem itself (cairn_problem_load). Arrays of a problem that you fill by hand are
 * yours; the library only reads them. */
typedef struct cairn_problem
{
    /* Blocks of unknowns, one per body that can move or per user system. */
    int block_count;
    /* block_count + 1 values: the first unknown of each block; block_start[block_count] = n. */
    int *block_start;
    /* Number of unknowns v. */
    int n;
    /* Rows per contact: 2 in the plane, 3 in space. */
    int dim;
    /* The law of all contacts. */
    cairn_law law;
    /* Mass matrix of the step, with the implicit parts of springs and dampers (kg; kg m^2 for rotations). */
    cairn_block_matrix A;
    /* n values: momentum and impulses of known forces (N s; N m s). */
    double *p;

    /* Scalar rows of all joints together. */
    int joint_rows;
    /* Joint gradients; an item is a joint. */
    cairn_block_rows G;
    /* joint_rows values: diagonal compliance of the joints, >= 0; 0 is rigid. */
    double *R_c;
    /* joint_rows values: the rates the joints are to have (m/s or rad/s). */
    double *b;

    /* Items of H: contacts and bounded rows. */
    int contact_count;
    /* Item j is contact j and has dim rows. */
    cairn_block_rows H;
    /* dim * contact_count values: bias velocity (m/s). */
    double *w;
    /* contact_count values: coefficients of friction, >= 0. */
    double *mu;
    /* contact_count values, under the law lagged: the largest |r_t|, in N s, >= 0. NULL under the other laws. */
    double *radius;
    /* contact_count values: names of the contacts that stay the same from step to step. */
    uint64_t *identity;

    /* contact_count values; NULL when every item is a contact. Bounded rows are items of H too: only the first of the
     * item's `dim` rows has entries other than zero (it is B_j), the impulses of the others are 0, and mu is 0. Identity,
     * weight, compliance R and bias w mean what they mean for a contact. */
    cairn_bound *bound;

    /* Relative stiffnesses of contacts and joint rows, > 0; NULL when all are equal. Redundant contacts and rows share a load
     * in proportion to them (docs/forces.md). They have no other effect. */
    /* contact_count values. */
    double *weight;
    /* joint_rows values. */
    double *joint_weight;

    /* Metres per unit of velocity, > 0: 1 where the velocity is in m/s, the body's size where it is in rad/s. The
     * certificate converts all velocities to m/s by them (docs/certificate.md). They have no other effect. NULL: all 1. */
    /* n values. */
    double *length;
    /* joint_rows values. */
    double *joint_length;

    /* The compliance R of contacts: one dense block per patch. Patch k covers the contacts
     * patch_start[k] .. patch_start[k+1]-1; its ((contacts * dim)^2) values start at R[R_start[k]]. */
    /* Number of patches; 0: R = 0, all contacts are rigid. */
    int patch_count;
    int *patch_start;
    int *R_start;
    double *R;

    /* Or, in a problem without bodies, joints and patches, the compliance in sparse blocks: the Delassus matrix W of
     * u = W r + w. Block row j is contact j, so that block_start has the values of H.row_start; where W has a block (i, j)
     * it has (j, i) too. block_count is contact_count, or 0: there is no such matrix. */
    cairn_block_matrix W;
} cairn_problem;

/* Whether sizes, indices and numbers of a problem make sense. Returns false, and leaves a message in the context that says
 * what is wrong, when they do not. cairn_solver_solve, the save functions and cairn_problem_load make the same checks; the
 * functions under "derived values" below do not, and need a valid problem. */
CAIRN_API bool cairn_problem_is_valid(cairn_context *context, const cairn_problem *problem);

/* Release a problem that cairn_problem_load returned, with all its arrays. NULL is allowed. Not for problems of a
 * simulation, and not for those filled by hand. */
CAIRN_API void cairn_problem_destroy(cairn_problem *problem);

/* ------------------------------------------------------------------------------------------------------ files */

/* Save a problem to an HDF5 file, bit by bit (layout: docs/problem-file.md). A file that is there is replaced.
 * CAIRN_INVALID for a problem that makes no sense, CAIRN_IO when the file cannot be written. */
CAIRN_API cairn_status cairn_problem_save(cairn_context *context, const cairn_problem *problem, const char *path);

/* Load a problem from such a file, or from one in FCLIB's layout. *out belongs to the caller (cairn_problem_destroy); it is
 * NULL on failure. Problems in FCLIB's layout get the law cone, and identities that count the contacts from 1 in the file's
 * order (a local problem is put in the order of its islands). CAIRN_IO when the file cannot be read, CAIRN_INVALID when its
 * contents make no sense, CAIRN_UNSUPPORTED for rolling friction and for bilateral constraints in a local problem. */
CAIRN_API cairn_status cairn_problem_load(cairn_context *context, const char *path, cairn_problem **out);

/* The two layouts of FCLIB, which other programs read (docs/solve.md). FCLIB always means Coulomb's cone, so the law is not
 * stored. */
typedef enum cairn_fclib_layout
{
    /* M v = H r + f + G l, u = H'v + w, G'v + b = 0. Has no place for the compliances R and R_c. */
    CAIRN_FCLIB_GLOBAL = 0,
    /* u = W r + q: bodies and joints are eliminated, R is added in, and W is formed in full. A problem without bodies is
     * written in the order of its identities. */
    CAIRN_FCLIB_LOCAL,
} cairn_fclib_layout;

/* How to write an FCLIB file. Pointers are only read during the call. */
typedef struct cairn_fclib_options
{
    /* Set by cairn_fclib_default; do not change. */
    size_t struct_size;
    /* Default global. */
    cairn_fclib_layout layout;
    /* Texts to store with the problem; NULL: none. */
    const char *title, *description;
    /* A solution to store with the problem; NULL: none. v has n values, l joint_rows values; global layout only. */
    const double *v, *l;
    /* The same for the contacts: dim * contact_count values each; NULL: none. */
    const double *u, *r;
} cairn_fclib_options;

/* The global layout, without texts and without a solution. */
CAIRN_API cairn_fclib_options cairn_fclib_default(void);

/* Save a problem in FCLIB's layout. `options` must not be NULL. CAIRN_UNSUPPORTED for the global layout of a
 * problem that has compliance or no unknowns v, and for bounded rows other than 0 <= z, which are written as contacts without
 * friction. CAIRN_INVALID for options that do not come from cairn_fclib_default, CAIRN_IO when the file cannot be written. */
CAIRN_API cairn_status cairn_problem_save_fclib(cairn_context *context, const cairn_problem *problem, const char *path,
                                                const cairn_fclib_options *options);

/* --------------------------------------------------------------------------------------------- derived values */

/* Eliminate bodies and joints: u = W r + q with W = H K^-1 H' + R, where K is the matrix of bodies and joints. W is dense:
 * (dim * contact_count)^2 values, row-major; pass NULL when only q is wanted. q has dim * contact_count values. Both belong to
 * the caller. CAIRN_NUMERIC when A is not positive definite. */
CAIRN_API cairn_status cairn_problem_delassus(cairn_context *context, const cairn_problem *problem, double *W,
                                              double *q);

/* Relative velocities at the contacts: u = H v + R r + w. v has n values, r and u have dim * contact_count. Returns false
 * when memory ran out. */
CAIRN_API bool cairn_problem_velocities(const cairn_problem *problem, const double *v, const double *r, double *u);

/* The error that Siconos reports for exact Coulomb friction, whatever the problem's law:
 *     || r - P_K(r - (u + mu |u_t| e_n)) || / max(|q|, |r|, |u|),     K = { |r_t| <= mu r_n }
 * (not divided where that maximum is 0). It adds impulses to velocities, and a huge wrong r or u makes it small. Use it to
 * compare with other programs, and the certificate (cairn/solver.h) to judge a solution. */
CAIRN_API double cairn_problem_siconos_error(const cairn_problem *problem, const double *q, const double *r,
                                             const double *u);

CAIRN_END_DECLS

#endif
