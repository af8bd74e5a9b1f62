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

#include "collide/broad/sites.h"
#include "math/tree.h"

#define CRN_FAT_PAD   0.05
#define CRN_FAT_LOOSE 8.0 /* fat bounds that are larger by this many times the pad and the margin are shrunk */

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

/* The same in half the memory: sorted by (a, b), as rows. A row is ~a, which is negative, followed by every b. No row is empty. */
typedef struct crn_pair_rows
{
    int *item;
    size_t count, capacity;
    double *
        clear; /* m, per item of a mixed model: the sum of `spent` of the shapes up to which they are apart (sites.h) */
    size_t clear_capacity;
} crn_pair_rows;

/* The shape a of the row in which item i stands. */
static inline int crn_pair_row(const crn_pair_rows *rows, size_t i)
{
    while (rows->item[i] >= 0)
        --i;
    return ~rows->item[i];
}

/* The workspace of one thread. */
typedef struct crn_searcher
{
    crn_hits movers;     /* shapes that got new fat bounds */
    crn_hits found;      /* hits of the current shape */
    crn_pair_rows rows;  /* of its share of all shapes */
    crn_pair_list pairs; /* of its share of the movers */
    size_t first;        /* of the items of its share of all rows, ... */
    int first_shape;     /* ... and of their shapes */
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
    crn_bounds *fat; /* by shape; not for half-planes and half-spaces */
    crn_tree tree;   /* over the fat bounds */
    int *bounded;    /* the shapes in it */
    int bounded_count;
    crn_fat_half *half;
    int half_count;
    bool *moved; /* by shape: its fat bounds are new */
    int *movers; /* those shapes */
    int mover_count;
    int64_t unbuilt;        /* moves since the tree was built */
    crn_pair_rows pairs;    /* of fat bounds */
    crn_searcher *searcher; /* one per thread */
    int searcher_count;
    size_t *cursor;           /* scratch of pair_rows.c */
    uint64_t groups, wanted;  /* groups of the bodies of bounded shapes, and groups that some of these collide with */
    bool nobody_meets;        /* by the groups no two bodies with shapes may touch */
    bool free_for_all;        /* any two bodies that have not both unbounded shapes may touch */
    const cairn_model *model; /* the model that the pairs belong to, and its revision then */
    uint64_t revision;
    size_t shape_count;
    bool anew;        /* no pair is known yet */
    crn_arena memory; /* all arrays but those of tree, searchers and pair lists */
} crn_broad;

/* An update of the pairs: crn_broad_begin, then crn_broad_check on every shape that may have moved, by one thread or by `parts`
 * threads at once, then crn_broad_update. Afterwards broad->pairs has every pair of shapes whose bodies may touch and that
 * crn_broad_gap or crn_balls_near may accept, once each, sorted. A crn_broad serves one model. */
cairn_status crn_broad_begin(crn_broad *broad, const crn_sites *sites, int parts);
void crn_broad_check(crn_broad *broad, const crn_sites *sites, int shape, const double *travel, int part);
cairn_status crn_broad_update(crn_broad *broad, const crn_sites *sites, int parts);
/* place_balls.c: instead of crn_sites_place and crn_broad_check, of the four shapes from `first` on. Returns false if these have to be called all the
 * same: one is no ball about the origin of its body, is about to leave its fat bounds, or is nowhere. */
bool crn_place_balls(const crn_sites *sites, const crn_broad *broad, int first, const crn_pose *poses,
                     const crn_reach *reach, double k);
/* Instead of crn_broad_check, of a bounded shape whose body is absent: it loses its bounds, and with them its pairs. */
void crn_broad_hide(crn_broad *broad, int shape, int part);

/* m: how far the bounds of a pair are apart, margins included, at least; 0 or less (or NaN) where they may meet. Not of two balls. */
double crn_broad_gap(const crn_sites *sites, crn_shape_pair pair);

/* Whether two balls may meet, margins included. */
static inline bool crn_balls_near(const crn_site *a, const crn_site *b)
{
    double reach = a->radius + a->margin + (b->radius + b->margin), arm[3];
    for (int k = 0; k < 3; ++k)
        arm[k] = a->centre[k] - b->centre[k];
    return !(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2] > reach * reach * (1.0 + 1e-9));
}

void crn_broad_free(crn_broad *broad);

/* pair_search.c: find the pairs of all shapes anew, or those of the shapes that have moved. */
cairn_status crn_pair_all(crn_broad *broad, const crn_sites *sites, int parts);
cairn_status crn_pair_movers(crn_broad *broad, const crn_sites *sites, int parts);

/* pair_rows.c: make room for items of rows, and in a mixed model for how long each is known to be apart; and replace the pairs of the
 * shapes that have moved by those that so many searchers have found, by so many threads, for which there are searchers, too. */
cairn_status crn_pair_rows_reserve(crn_pair_rows *rows, const crn_sites *sites, size_t count);
cairn_status crn_pair_rows_replace(crn_broad *broad, const crn_sites *sites, int searchers, int threads);

/* The order of pairs. */
static inline uint64_t crn_pair_key(crn_shape_pair pair)
{
    return (uint64_t)pair.a << 32 | (uint64_t)pair.b;
}

/* m: height of bounds above the offset along a normal. */
double crn_half_gap(const double normal[3], double offset, const crn_bounds *bounds);

#endif
