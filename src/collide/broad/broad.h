/* The broad phase: which pairs of placed shapes may touch.
 *
 * Every bounded shape has its bounds (grown by the reach of its body) and fat ones around them. The pairs whose fat bounds
 * overlap are kept from call to call; only shapes that have left their fat bounds, or whose reach has shrunk much, get new
 * ones, look for their pairs in a tree of all fat bounds (tree.h), and the tree is built anew when as many have moved as there
 * are. What may touch follows from the bounds of the day, so that the pairs told do not depend on what was before.
 * Half-planes and half-spaces stand apart from the tree and are compared with every shape.
 *
 * Cost: one comparison a shape and one a pair, both of fat bounds, and O(log n) for each shape that has moved far. All anew:
 * O(n log n) and the pairs. Neither depends on how different the sizes are.
 */
#ifndef CRN_COLLIDE_BROAD_BROAD_H
#define CRN_COLLIDE_BROAD_BROAD_H

#include "collide/broad/sort.h"
#include "collide/narrow.h"
#include "math/tree.h"

typedef struct crn_shape_pair
{
    int a, b; /* shapes, a < b */
} crn_shape_pair;

/* A growing list of pairs. */
typedef struct crn_pair_list
{
    crn_shape_pair *pair;
    size_t count, capacity;
} crn_pair_list;

/* What one thread of a search has: what a shape meets, and the pairs so far. */
typedef struct crn_searcher
{
    crn_hits found;
    crn_pair_list pairs;
    cairn_status status;
} crn_searcher;

/* The half-plane or half-space { x : normal x <= offset }, as fat bounds. */
typedef struct crn_fat_half
{
    int shape;
    double normal[3], offset;
} crn_fat_half;

typedef struct crn_broad
{
    crn_bounds *tight, *fat; /* by shape; not for half-planes and half-spaces */
    crn_tree tree;           /* over the fat bounds */
    int *bounded;            /* the shapes in it */
    int bounded_count;
    crn_fat_half *half;
    int half_count;
    bool *moved; /* by shape: its fat bounds are new */
    int *movers; /* those that have */
    int mover_count;
    int64_t unbuilt;     /* shapes that have moved since the tree was built */
    crn_pair_list pairs; /* of fat bounds, sorted by (a, b) */
    crn_pair_list merged;
    crn_keyed *fresh, *work;
    crn_searcher *searcher; /* one per thread */
    int searcher_count;
    const cairn_model *model; /* what the pairs were made for */
    size_t shape_count, ignored_count;
    crn_arena memory; /* all arrays but those of tree, searchers and pair lists */
} crn_broad;

/* Bring broad->pairs up to date: every pair of shapes that crn_broad_near may find near and whose bodies may touch, once each
 * and sorted. A crn_broad serves one model. */
cairn_status crn_broad_update(crn_broad *broad, const cairn_model *model, const crn_placed *placed, int threads);

/* Whether the bounds of a pair overlap, reach counted in. */
bool crn_broad_near(const crn_broad *broad, const crn_placed *placed, crn_shape_pair pair);

void crn_broad_free(crn_broad *broad);

#endif
