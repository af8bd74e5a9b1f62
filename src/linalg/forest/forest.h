/* Bodies whose joints form trees: the saddle matrix
 *
 *     K = [ A  -G' ]      A block-diagonal and positive definite (not always symmetric), R_c >= 0 diagonal
 *         [ G  R_c ]
 *
 * is factorised limb by limb, in time proportional to the number of bodies, without an ordering to search for and without fill. A limb
 * is a body c with the joint j that ties it to its parent p, a body or the world. Leaves come first. Eliminating v_c and the impulse
 * c_j from
 *
 *     [ A_c  -G_c'   .     f_c ]
 *     [ G_c   R_j   G_p    g_j ]
 *     [  .   -G_p'   .      .  ]
 *
 * leaves in the last row what the limb adds to A_p and f_p. This is the articulated-body method (Featherstone 1983) in the coordinates
 * of all bodies. It has no exchange of rows: A_c stays positive definite, and so does G_c A_c^-1 G_c' + R_j unless rows of a joint
 * depend on each other. The general factorisation (saddle.h) drops such rows; here they are a failure.
 *
 * With contacts, W = H K^-1 H' follows from K = L U as (U^-T H')' (L^-1 H'), and the columns of a contact are zero outside of the
 * limbs between its bodies and the root. Where contacts have more rows than the limbs have degrees of freedom, W is the product of two
 * thin matrices (forest_spread.c).
 */
#ifndef CRN_LINALG_FOREST_H
#define CRN_LINALG_FOREST_H

#include "base/memory.h"
#include "cairn/problem.h"

enum
{
    CRN_FOREST_ROWS = 6,      /* of a body: at most */
    CRN_FOREST_JOINT = 12,    /* rows of a joint: at most */
    CRN_FOREST_HINGE = 220,   /* numbers of a body with a hinge: at least */
    CRN_FOREST_CONTACTS = 64, /* at most: a limb's set of contacts is one word */
    CRN_FOREST_WIDTH = 8      /* rows of a body, in whole vectors */
};

/* What a factorisation keeps for other right-hand sides. */
typedef enum crn_forest_kept
{
    CRN_KEPT_NOTHING,
    CRN_KEPT_FACTORS, /* L and U */
    CRN_KEPT_MOTIONS /* of hinges their motions (hinge_limb.h), which takes less time; not enough for crn_forest_delassus */
} crn_forest_kept;

/* The motions that a joint leaves its body, v_c = N y + T v_p (forest_motion.c). */
typedef struct crn_motion
{
    int count;                                         /* of degrees of freedom */
    double free[CRN_FOREST_ROWS][CRN_FOREST_WIDTH];    /* N, one row per degree of freedom */
    double inverse[CRN_FOREST_ROWS][CRN_FOREST_WIDTH]; /* D^-1 */
    double right[CRN_FOREST_ROWS][CRN_FOREST_WIDTH];   /* T_r and T_l */
    double left[CRN_FOREST_ROWS][CRN_FOREST_WIDTH];
} crn_motion;

/* Body, joint and parent of one limb. Limbs are in the order of their elimination. */
typedef struct crn_limb
{
    int body;
    int joint;                  /* item of G; -1: a free root */
    int parent;                 /* limb; -1: none, or the world */
    int own_entry, other_entry; /* of G: of the body and of the parent; -1: none */
    int child, sibling;         /* limbs: the first child, and the next child of the same parent; -1: none */
    int n, m, q;                /* rows of the body, the joint and the parent */
    int row;                    /* first of its n + m rows in `y` */
    size_t values, lower;       /* where its parts of these arrays start */
    size_t columns;             /* where its columns of X and Z start */
    uint64_t contacts;          /* those whose columns are not zero here */
    int freedoms, column;       /* how many it has, and the first of their columns of a thin W (forest_spread.c) */
    int motion;                 /* its place in `motion`, where it was not eliminated by the motion of its hinge */
    bool by_motion;             /* eliminated by the motion of its hinge, not by rows (hinge_limb.h) */
} crn_limb;

typedef struct crn_forest
{
    int limb_count;
    crn_limb *limb;
    int *limb_of; /* per block */
    bool fits;
    crn_forest_kept kept; /* by the last factorisation */
    double *values; /* per limb its rows of U, and below them what it adds to the parent: n | m | right-hand side | q */
    double *lower;  /* per limb its columns of L */
    double *inverse; /* of the pivots, in the order of `y` */
    double *y;       /* L^-1 of a right-hand side */
    double (*inertia)
        [CRN_FOREST_WIDTH]; /* per limb 6 rows: A of its body, with what the limbs below add, if rows of it were kept */
    double *X, *Z;          /* L^-1 H' and U^-T H' */
    crn_motion *motion;     /* per limb that was eliminated by rows */
    double *moves;          /* per limb its right and left, 6 rows each */
    int *key;               /* the pattern that was arranged last */
    int *link;              /* joints of each body */
    size_t key_size;
    crn_arena memory;
} crn_forest;

/* A number of columns rounded up to whole vectors. */
static inline size_t crn_forest_padded(int columns)
{
    return ((size_t)columns + 3) & ~(size_t)3;
}

void crn_forest_release(crn_forest *forest);

/* Find the limbs; the work is redone only when the pattern changed. *fits: A couples no blocks, joints form trees, and no body or joint
 * has too many rows. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_forest_arrange(crn_forest *forest, const cairn_problem *problem, bool *fits);

/* Factorise, and solve K (v, c) = (p, b). keep: for the functions below. False: a pivot is not positive, or a joint has
 * dependent rows. */
bool crn_forest_factorise(crn_forest *forest, const cairn_problem *problem, crn_forest_kept keep, double *v, double *c);

/* Solve K (v, c) = (v, c) in place with what was kept. */
void crn_forest_solve(crn_forest *forest, const cairn_problem *problem, double *v, double *c);

/* W = H K^-1 H' for at most CRN_FOREST_CONTACTS contacts, all rows of H, row-major, by the factors. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_forest_delassus(crn_forest *forest, const cairn_problem *problem, double *W);

/* The contacts of each limb and of all below it. */
void crn_forest_mark(crn_forest *forest, const cairn_problem *problem);

/* The degrees of freedom of all limbs between contacts and roots; -1: a joint has too many rows. */
int crn_forest_freedoms(crn_forest *forest, const cairn_problem *problem);

/* The motion of limb k, which was eliminated by rows. False: rows of its joint depend on each other or are nearly rigid. */
bool crn_forest_find_motion(const crn_forest *forest, const cairn_problem *problem, int k);

/* W = right left', a row per row of H and a column per degree of freedom that was counted, rows `stride` apart. *regular: it was found; false
 * where rows of a joint depend on each other or are nearly rigid. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_forest_spread(crn_forest *forest, const cairn_problem *problem, size_t stride, double *right,
                               double *left, bool *regular);

/* After that: per column the contacts whose rows need not be 0 there, one bit each. */
void crn_forest_reach(const crn_forest *forest, uint64_t *reach);

#endif
