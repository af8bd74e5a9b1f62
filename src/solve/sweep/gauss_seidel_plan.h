/* What the Gauss-Seidel sweeps need to know about a problem, found once before the first sweep.
 *
 *     clusters    blocks of bodies tied together by springs (blocks of A off its diagonal) or by joints. An impulse
 *                 at a contact moves the clusters it touches and nothing else.
 *     response    X_j = the velocities that unit impulses of contact j cause, joints included: the v part of
 *                 K^-1 (H_j', 0), K the saddle matrix. Kept on the blocks of the clusters touched: for a body that
 *                 stands alone its block of A^-1 H_j', so the memory is O(contacts) when no body is tied to another.
 *     own block   W_jj = H_j X_j + R_jj, with a small shift where it is nearly singular (see `shift`)
 *     neighbours  the contacts i with R_ij or R_ji not zero, and the blocks R_ji
 *     patches     where all contacts of a patch are neighbours: R r is kept up to date instead, so that a visit that changes
 *                 nothing costs no sum over the patch, and one that does runs along the columns of R
 *     colours     contacts of one colour touch no common cluster and are no neighbours, and no bounded row among them has
 *                 bounds that are multiples of another's impulse: their order does not matter
 */
#ifndef CRN_SOLVE_SWEEP_GAUSS_SEIDEL_PLAN_H
#define CRN_SOLVE_SWEEP_GAUSS_SEIDEL_PLAN_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/problem.h"
#include "linalg/inverses.h"
#include "linalg/saddle.h"

typedef struct crn_gs_plan
{
    bool ties;          /* there are springs between blocks or joints */
    bool apart;         /* there are none, and no large blocks: the inverses of the blocks suffice, */
    crn_saddle *saddle; /* else the factors of K */
    crn_inverses D;     /* of A's diagonal blocks; of large ones only where there are ties */

    bool *touched; /* per block: by a contact */
    int cluster_count;
    int *cluster;       /* of each block */
    int *cluster_start; /* cluster_count + 1: into cluster_block */
    int *cluster_block;
    bool *tied; /* per cluster: held together by springs or joints, or one large block */

    size_t *X_start; /* contact_count + 1: into the runs of velocities that the contact moves, */
    int *X_first;    /* each from here */
    int *X_size;     /* so many: a block, or neighbouring blocks of one cluster */
    size_t *X_value; /* into X, dim rows of the run's size, the transpose of the response */
    double *X;

    double *W;       /* dim x dim per contact */
    double *factors; /* of W, by crn_local_factorise, */
    bool *factored;  /* where that could be done */
    double *shift;   /* per contact: added to the diagonal of W; the sweep subtracts it from the bias */
    double *rho;     /* per contact: effective mass, as in the certificate */

    size_t *R_start; /* contact_count + 1: into R_contact; all 0 without compliance */
    int *R_contact;
    double *R; /* dim x dim each */

    int *patch;           /* per contact: its full patch, of which it lists only itself; -1: none */
    size_t *column_start; /* per full patch: into columns, */
    double *columns;      /* the transpose of its R */
    double *Rr;           /* R r of the contacts in full patches */

    int colour_count;
    int *colour_start; /* colour_count + 1: into order */
    int *order;        /* contacts by colour, ascending within one */
    int *colour;       /* per contact */
    bool multiples;    /* some bounds are multiples of another item's impulse */

    double *f, *g;           /* work: a right-hand side of K */
    double *column;          /* work: a block's right-hand side, and X_j of one contact on all blocks */
    double *responses;       /* work: X_j of several tied contacts on all blocks */
    long double *residual_v; /* work: n */
    long double *residual_c; /* work: joint_rows */
    uint64_t *mask;          /* work: the colours below 64 each cluster has met (and with `multiples` each item), */
    int *next_colour;        /* and one more than the highest */
    crn_arena memory;
} crn_gs_plan;

/* False when memory ran out. A zeroed struct is ready for this. */
bool crn_gs_plan_open(crn_gs_plan *plan);
void crn_gs_plan_close(crn_gs_plan *plan);

/* Clusters and colours alone. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_plan_arrange(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem);

/* CAIRN_NUMERIC when A is not positive definite, CAIRN_NO_MEMORY. *dear, unless NULL: the responses would be so large that
 * second-order methods are faster; then nothing else is found. */
cairn_status crn_gs_plan_make(crn_gs_plan *plan, cairn_context *context, const cairn_problem *problem, bool *dear);

/* The colours, from the clusters and the neighbours (gauss_seidel_colour.c). CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_gs_plan_colour(crn_gs_plan *plan, const cairn_problem *problem);

/* x = A^-1 p, as if there were no joints; where blocks stand apart as crn_gs_plan_recover gives it for r = 0. */
void crn_gs_plan_free_velocity(crn_gs_plan *plan, const cairn_problem *problem, double *x);

/* Find v, c and R r for given impulses: unrefined as they come from the factors, good enough to begin with, or refined with
 * residuals in long double until the corrections are lost in rounding. A refined call must follow an unrefined one: it leaves
 * bodies alone that no contact touches. */
void crn_gs_plan_recover(crn_gs_plan *plan, const cairn_problem *problem, bool refined, const double *r, double *v,
                         double *c);

/* Update R r after a change of r_j, where it is kept. */
void crn_gs_plan_change(const crn_gs_plan *plan, const cairn_problem *problem, int j, const double *change);

#endif
