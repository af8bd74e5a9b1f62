/* The one-step problem: what every scheme of Cairn solves once per step, as plain data.
 *
 *     unknowns   v  new generalised velocity (n),  c  joint impulses,  r_j  impulse of contact j in its frame
 *     dynamics   A v = p + G' c + sum_j H_j' r_j
 *     joints     G v + R_c c = b
 *     contacts   u_j = H_j v + (R r)_j + w_j,   law(u_j, r_j, mu_j)
 *     bounded    s_j = B_j v + (R z)_j + w_j,   lo_j <= z_j <= hi_j,   s_j complementary to the bounds
 *
 * A is block-sparse: one diagonal block a body, plus blocks where a spring couples two bodies; positive definite,
 * not always symmetric. G and H are block rows: an item (a joint, a contact) has a few rows and touches a few blocks.
 * Each contact has `dim` rows: the normal first, then dim - 1 tangents. All dense pieces are row-major.
 */
#ifndef CAIRN_PROBLEM_H
#define CAIRN_PROBLEM_H

#include "cairn/base.h"

CAIRN_BEGIN_DECLS

typedef enum cairn_law_kind
{
    CAIRN_LAW_FRICTIONLESS = 0, /* 0 <= u_n  _|_  r_n >= 0 */
    CAIRN_LAW_PYRAMID, /* r_t in mu r_n conv{d_1..d_m}, maximal dissipation (Anitescu & Potra 2002, eq. 14-16) */
    CAIRN_LAW_BOX,     /* |r_t| <= mu r_n and |r_o| <= mu r_n, each its own law (Song et al. 2004, eq. 16) */
    CAIRN_LAW_CONE,    /* exact Coulomb: |r_t| <= mu r_n, -u_t in the normal cone of that disc (exact, not convex) */
    CAIRN_LAW_CONVEX_PYRAMID, /* r in K, u in K*, u'r = 0 with K the pyramid's cone: a QP (Anitescu 2006, eq. 5.1-5.3) */
    CAIRN_LAW_CONVEX_CONE,    /* the same with the circular cone: an SOCP (Anitescu 2006, eq. 5.5) */
    CAIRN_LAW_LAGGED, /* r_t in a disc of given radius, maximal dissipation, convex (Preclik et al. 2011, eq. 57) */
} cairn_law_kind;

#define CAIRN_MAX_DIRECTIONS 64

typedef struct cairn_law
{
    cairn_law_kind kind;
    int directions; /* m of pyramid(m) and convex pyramid(m): even, 4 to CAIRN_MAX_DIRECTIONS; in the plane two directions are all there are */
} cairn_law;

/* Names as in scene files: "cone", "pyramid(8)". Parsing also checks that m is even and from 4 to CAIRN_MAX_DIRECTIONS; on
 * failure it leaves *out alone. */
CAIRN_API void cairn_law_name(cairn_law law, char *text, size_t size);
CAIRN_API bool cairn_law_parse(const char *text, cairn_law *out);
/* Whether sliding contacts lift off, at h mu |u_t| per step: the convex laws. */
CAIRN_API bool cairn_law_lifts_off(cairn_law_kind kind);

/* Block-sparse square matrix: block row i holds entries row_start[i] .. row_start[i+1]-1, columns ascending, the
 * diagonal block always among them; the values of entry e start at value[value_start[e]]. */
typedef struct cairn_block_matrix
{
    int block_count;
    const int *block_start; /* block_count + 1: first row of each block */
    int *row_start;         /* block_count + 1 */
    int *column;            /* a block entry */
    int *value_start;       /* a block entry, + 1 */
    double *value;
} cairn_block_matrix;

/* Block rows: item i has rows row_start[i] .. row_start[i+1]-1 and block entries entry_start[i] .. entry_start[i+1]-1;
 * entry e touches block block[e], its (rows of the item) x (size of the block) values start at value[value_start[e]]. */
typedef struct cairn_block_rows
{
    int item_count;
    int *row_start;   /* item_count + 1 */
    int *entry_start; /* item_count + 1 */
    int *block;       /* an entry */
    int *value_start; /* an entry, + 1 */
    double *value;
} cairn_block_rows;

/* A bounded row: lo <= z <= hi, and s >= 0 where z = lo, s <= 0 where z = hi, s = 0 in between. One kind of row for limits,
 * motors with saturation, dry friction in joints, ropes and drives. */
typedef struct cairn_bound
{
    bool is_row; /* the item is a bounded row; false: it is a contact, and nothing else here counts */
    int32_t
        by; /* -1: the bounds are impulses. j >= 0: they are multiples of the first impulse of item j (the normal impulse
                      of a contact, or z of a bounded row with lo >= 0), which is never negative; lo <= 0 <= hi then */
    double lo, hi; /* N s (or 1, with `by`): lo <= hi; -INFINITY and INFINITY where there is no bound */
} cairn_bound;

typedef struct cairn_problem
{
    int block_count;
    int *block_start; /* block_count + 1; block_start[block_count] = n */
    int n;
    int dim; /* rows a contact: 2 in the plane, 3 in space */
    cairn_law law;
    cairn_block_matrix A;
    double *p; /* n */

    int joint_rows;
    cairn_block_rows G;
    double *R_c; /* joint_rows: diagonal compliance, >= 0 */
    double *b;   /* joint_rows */

    int contact_count;
    cairn_block_rows H; /* item j is contact j, dim rows */
    double *w;          /* dim * contact_count */
    double *mu;         /* contact_count */
    double *radius;     /* contact_count: N s, largest |r_t| under the law lagged, >= 0; NULL under the others */
    uint64_t *identity; /* contact_count: stable over steps */

    /* Bounded rows are items of H too: only the first of the item's `dim` rows has entries that are not zero (it is B_j), the
     * impulses of the others are 0, and mu is 0. Identity, weight, compliance R and bias w mean what they mean for a contact. */
    cairn_bound *bound; /* contact_count; NULL: every item is a contact */

    /* How stiff contacts and joint rows are against each other, > 0; NULL: all alike. Redundant ones share the load by it
     * (docs/forces.md); it has no other effect. */
    double *weight;       /* contact_count */
    double *joint_weight; /* joint_rows */

    /* m per unit, > 0: 1 where a velocity is one in m/s, the body's size where it is one in rad/s. The certificate judges all
     * velocities in m/s by it (docs/certificate.md); it has no other effect. NULL: all 1. */
    double *length;       /* n */
    double *joint_length; /* joint_rows */

    /* Compliance R, one dense block a patch; patch k covers contacts patch_start[k] .. patch_start[k+1]-1, its values
     * ((contacts * dim)^2) start at R[R_start[k]]. patch_count 0: R = 0, rigid. */
    int patch_count;
    int *patch_start;
    int *R_start;
    double *R;
} cairn_problem;

/* True when sizes, indices and numbers make sense; otherwise a message in the context says what does not. */
CAIRN_API bool cairn_problem_is_valid(cairn_context *context, const cairn_problem *problem);

/* Save and load as HDF5 (layout: docs/problem-file.md). A loaded problem is released by cairn_problem_destroy. Files in
 * FCLIB's layout are loaded too, with the law cone and identities that count the contacts from 1 in the file's order (those
 * of a local one are put in the order of its islands); bilateral constraints in a local one and rolling friction are
 * CAIRN_UNSUPPORTED. */
CAIRN_API cairn_status cairn_problem_save(cairn_context *context, const cairn_problem *problem, const char *path);
CAIRN_API cairn_status cairn_problem_load(cairn_context *context, const char *path, cairn_problem **out);
CAIRN_API void cairn_problem_destroy(cairn_problem *problem);

/* FCLIB's layout, which other programs read (docs/solve.md). It always means Coulomb's cone, so the law is not stored. */
typedef enum cairn_fclib_layout
{
    CAIRN_FCLIB_GLOBAL = 0, /* M v = H r + f + G l, u = H'v + w, G'v + b = 0; has no place for R and R_c */
    CAIRN_FCLIB_LOCAL, /* u = W r + q: bodies and joints eliminated, R added in; W is formed in full. A problem that has
                          no bodies is written in the order of its identities */
} cairn_fclib_layout;

typedef struct cairn_fclib_options
{
    cairn_fclib_layout layout;
    const char *title;       /* NULL: none */
    const char *description; /* NULL: none */
    const double *v, *l; /* a solution to store beside the problem: n and joint_rows values, global alone; NULL: none */
    const double *u, *r; /* dim * contact_count values each; NULL: none */
} cairn_fclib_options;

CAIRN_API cairn_fclib_options cairn_fclib_default(void);

/* CAIRN_UNSUPPORTED for the global layout of a problem with compliance or without unknowns v, and for bounded rows other than
 * 0 <= z, which are written as contacts without friction. */
CAIRN_API cairn_status cairn_problem_save_fclib(cairn_context *context, const cairn_problem *problem, const char *path,
                                                const cairn_fclib_options *options);

/* Bodies and joints eliminated: u = W r + q with W = H K^-1 H' + R, K the matrix of bodies and joints. W has
 * (dim * contact_count)^2 values, row-major, or is NULL when q alone is wanted; q has dim * contact_count values.
 * CAIRN_NUMERIC when A is not positive definite. */
CAIRN_API cairn_status cairn_problem_delassus(cairn_context *context, const cairn_problem *problem, double *W,
                                              double *q);

/* u = H v + R r + w; false when memory ran out. */
CAIRN_API bool cairn_problem_velocities(const cairn_problem *problem, const double *v, const double *r, double *u);

/* The error that Siconos reports for exact Coulomb friction, whatever the problem's law:
 *     || r - P_K(r - (u + mu |u_t| e_n)) || / max(|q|, |r|, |u|),     K = { |r_t| <= mu r_n }
 * (not divided where that maximum is 0). It adds impulses to velocities, and a huge wrong r or u makes it small: for
 * comparison with others. The certificate (cairn/solver.h) is what judges. */
CAIRN_API double cairn_problem_siconos_error(const cairn_problem *problem, const double *q, const double *r,
                                             const double *u);

CAIRN_END_DECLS

#endif
