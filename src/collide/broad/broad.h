/* The broad phase: which pairs of placed shapes may touch.
 *
 * Every bounded shape has its tight bounds (grown by the reach of its body) and fat bounds around them. The pairs whose
 * fat bounds overlap are kept from call to call. Only shapes that have left their fat bounds, or whose reach has shrunk a
 * lot, get new ones and search for their pairs in a tree of all fat bounds (tree.h). The tree is rebuilt after as many
 * moves as there are shapes. Whether a pair is reported depends on the current tight bounds only, not on the history.
 * Half-planes and half-spaces are not in the tree; they are compared with every shape.
 *
 * Cost: one comparison of bounds per shape and one per pair, and O(log n) for each shape that has moved far. A full
 * search costs O(n log n) plus the number of pairs. Neither depends on how different the sizes are.
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

/* The workspace of one thread: the hits of the current shape, and the pairs so far. */
typedef struct crn_searcher
{
    crn_hits found;
    crn_pair_list pairs;
    cairn_status status;
} crn_searcher;

/* The half-plane or half-space { x : normal x <= offset }, padded like fat bounds. */
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
    int *movers; /* those shapes */
    int mover_count;
    int64_t unbuilt;     /* moves since the tree was built */
    crn_pair_list pairs; /* of fat bounds, sorted by (a, b) */
    crn_pair_list merged;
    crn_keyed *fresh, *work;
    crn_searcher *searcher; /* one per thread */
    int searcher_count;
    uint64_t groups, wanted;  /* groups of the bodies of bounded shapes, and groups that some of these collide with */
    const cairn_model *model; /* the model that the pairs belong to */
    size_t shape_count, ignored_count;
    crn_arena memory; /* all arrays but those of tree, searchers and pair lists */
} crn_broad;

/* Update broad->pairs: every pair of shapes whose bodies may touch and that crn_broad_near may accept, once each, sorted.
 * A crn_broad serves one model. */
cairn_status crn_broad_update(crn_broad *broad, const cairn_model *model, const crn_placed *placed, int threads);

/* Whether the tight bounds of a pair, reach included, overlap. */
bool crn_broad_near(const crn_broad *broad, const crn_placed *placed, crn_shape_pair pair);

void crn_broad_free(crn_broad *broad);

#endif
