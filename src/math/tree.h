/* A balanced tree of bounds over numbered items.
 *
 * `order` lists the items. Node i of depth d (node number 2^d + i, the root is 1) covers the places
 * [i n / 2^d, (i + 1) n / 2^d), so that the tree needs no pointers: the children of node k are 2 k and 2 k + 1, all leaves lie
 * at one depth and hold 2 to 4 items, or the owner's `leaf` and half of it at least. Built by halving at the median along the axis on which the centres of a node spread
 * most: the halves have equal numbers whatever the sizes and distances are. An item that moves stays in its leaf, and the nodes
 * above it are refitted. Their bounds overlap more with every refit, so the owner rebuilds the tree from time to time.
 */
#ifndef CRN_MATH_TREE_H
#define CRN_MATH_TREE_H

#include "base/memory.h"
#include "math/bounds.h"

typedef struct crn_tree
{
    int *order;       /* item by place */
    int *place;       /* place by item */
    crn_bounds *node; /* by number, from 1 */
    int count, depth;
    int leaf; /* most items per leaf; set by the owner before the tree is built, 0: 4 */
    crn_arena memory;
    crn_scratch *scratch; /* taken while the tree is built; NULL: it has its own */
} crn_tree;

/* A growing list of items: what searches found. Searches append; the caller sets count to 0 and frees `item`. */
typedef struct crn_hits
{
    int *item;
    int count;
    size_t capacity;
} crn_hits;

/* Append an item to a list. CAIRN_OK or CAIRN_NO_MEMORY. */
cairn_status crn_hits_add(crn_hits *found, int item);

/* Build the tree over items[0 .. count), whose bounds are bounds[item]; items NULL: over 0 .. count - 1. Cost O(n log n). */
cairn_status crn_tree_build(crn_tree *tree, const crn_bounds *bounds, const int *items, int count);
/* Refit the nodes above an item whose bounds have changed. Cost O(log n). */
void crn_tree_refit(crn_tree *tree, const crn_bounds *bounds, int item);
/* Refit all nodes, which costs less where many have changed. Cost O(n). */
void crn_tree_refit_all(crn_tree *tree, const crn_bounds *bounds);
void crn_tree_free(crn_tree *tree);

/* The places [begin, end) of the items of a leaf. Leaves are the nodes numbered 2^depth and up. */
void crn_tree_places(const crn_tree *tree, int leaf, int *begin, int *end);

/* Add the items whose bounds overlap `box`, in no particular order. Cost O(log n) plus the number found. */
cairn_status crn_tree_overlap(const crn_tree *tree, const crn_bounds *bounds, const crn_bounds *box, crn_hits *found);

/* Add the items whose bounds come within `radius` of the point x. */
cairn_status crn_tree_around(const crn_tree *tree, const crn_bounds *bounds, const double x[3], double radius,
                             crn_hits *found);

/* Add the items whose bounds are met by the ray x + s d, 0 <= s <= most. */
cairn_status crn_tree_ray(const crn_tree *tree, const crn_bounds *bounds, const double x[3], const double d[3],
                          double most, crn_hits *found);

#endif
