/* The pattern of the saddle matrix K by blocks, its order and the fronts of its factors; kept while the blocks stay the
 * same.
 *
 * Blocks are the bodies, then the joints. They are eliminated in the order of their positions; a front is a run of
 * positions eliminated together, either bodies or joints, with the blocks below it that they change:
 *
 *     front = [ P ]   pivots    P: p x f, the rows of the pivots          f = p + u, u rows below, ascending positions
 *             [ L C ] below     L: u x p, stored transposed; C: u x u, the update, which goes to the parent's front
 *
 * Fronts are in postorder: a front's children come before it, and their updates lie on top of a stack. Every joint comes after the
 * bodies it connects, so the fronts of bodies alone factorise A.
 */
#ifndef CRN_LINALG_SADDLE_PATTERN_H
#define CRN_LINALG_SADDLE_PATTERN_H

#include "base/memory.h"
#include "cairn/problem.h"

/* Consecutive rows of an update that are consecutive in the parent's front too. */
typedef struct crn_saddle_run
{
    int from, to, length;
} crn_saddle_run;

typedef struct crn_saddle_front
{
    int first;              /* its first position; the next front's is the end */
    int row;                /* the first of its rows among all in the order of positions */
    int pivots, width;      /* p and f */
    int free_width;         /* rows of bodies among the f */
    int parent;             /* -1: none */
    int child, sibling;     /* first child and next one of the same parent, -1: none */
    int below, below_count; /* where its blocks below start in `below`, and how many there are */
    int run, run_count;     /* where its update's runs start in `run` */
    int stack;              /* which of the two stacks holds its update: parents and children take turns */
    size_t update;          /* where there */
    size_t stride;          /* from one row of P to the next; rows are padded so that vectors of four fit below */
    size_t below_stride;    /* the same for L' and C */
    size_t values;          /* where P starts in the factors, L' after it */
} crn_saddle_front;

typedef struct crn_saddle_pattern
{
    int n, size;           /* rows of A; rows of K */
    int bodies, blocks;    /* blocks of A; blocks with those of joints */
    int *start;            /* blocks + 1: first row of each block in K */
    int *order, *position; /* the block at each position, and its inverse */
    int *row;              /* blocks + 1: first row of each position, in the order of positions */

    int front_count;
    crn_saddle_front *front; /* one more: the end */
    int *front_of;           /* per position */
    int *below, *offset;     /* per block below a front: its position, and its first row in the front */
    crn_saddle_run *run;
    int *place; /* the offset in its front of each entry of A, then of G, that is outside the pivots */
    size_t value_count, stack_size[2];

    int *key; /* what the pattern was made from */
    int key_length;

    int *pair_a, *pair_b, *graph_start, *graph, *parent, *count, *head, *next, *mark; /* work */
    int pair_count;
    crn_arena memory;
} crn_saddle_pattern;

/* Make the pattern fit the problem; does nothing when the block structure is the one seen last. CAIRN_NO_MEMORY is the
 * only failure. */
cairn_status crn_saddle_pattern_update(crn_saddle_pattern *pattern, const cairn_problem *problem);
void crn_saddle_pattern_release(crn_saddle_pattern *pattern);

/* graph_start and graph: the first blocks of all pairs with a block as their second. */
void crn_saddle_group_pairs(crn_saddle_pattern *pattern);

/* The elimination tree of `order`: positions, their parents and the rows below them in `count`; the earlier block of each
 * pair comes first. Returns about how many products elimination takes. */
double crn_saddle_find_tree(crn_saddle_pattern *pattern);

/* The fronts, from pairs of coupled blocks and an order of elimination, which is changed into a postorder. */
cairn_status crn_saddle_find_fronts(crn_saddle_pattern *pattern);

#endif
