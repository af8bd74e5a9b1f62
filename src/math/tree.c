/* Building, refitting and searching the tree of bounds. */
#include "math/tree.h"

#include <assert.h>
#include <stdlib.h>

enum
{
    LEAF = 4,      /* most items per leaf, where the owner does not say */
    MAX_DEPTH = 30 /* 2^24 shapes need 22 */
};

/* An item and the middle of its bounds; permuted while the tree is built. */
typedef struct crn_centre
{
    double x[3];
    int item;
} crn_centre;

/* First place of node i of depth d. */
static int first_place(const crn_tree *tree, int depth, int64_t i)
{
    assert(depth >= 0 && depth <= MAX_DEPTH);
    return (int)((i * tree->count) >> depth);
}

void crn_tree_places(const crn_tree *tree, int node, int *begin, int *end)
{
    assert(node >= 1 && node < 2 << tree->depth);
    int i = node - (1 << tree->depth);
    *begin = first_place(tree, tree->depth, i);
    *end = first_place(tree, tree->depth, i + 1);
}

/* ------------------------------------------------------------------------------------------------------- building */

static void swap(crn_centre *a, crn_centre *b)
{
    crn_centre c = *a;
    *a = *b;
    *b = c;
}

static double middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Permute the items so that none before place k has a larger coordinate and none after it a smaller one (C. A. R. Hoare,
 * "Find", 1961). */
static void halve(crn_centre *c, int begin, int end, int k, int axis)
{
    assert(begin <= k && k < end && 0 <= axis && axis < 3);
    int low = begin, high = end - 1;
    while (low < high)
    {
        double pivot = middle_of(c[low].x[axis], c[low + (high - low) / 2].x[axis], c[high].x[axis]);
        int i = low, j = high;
        while (i <= j)
        {
            while (c[i].x[axis] < pivot)
                ++i;
            while (pivot < c[j].x[axis])
                --j;
            if (i <= j)
                swap(&c[i++], &c[j--]);
        }
        low = k > j ? i : low;
        high = k < i ? j : high;
    }
}

/* The axis along which the centres spread most. */
static int widest_axis(const crn_centre *c, int begin, int end)
{
    assert(begin < end);
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = begin; i < end; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            lower[k] = c[i].x[k] < lower[k] ? c[i].x[k] : lower[k];
            upper[k] = c[i].x[k] > upper[k] ? c[i].x[k] : upper[k];
        }
    }
    int best = 0;
    for (int k = 1; k < 3; ++k)
        best = upper[k] - lower[k] > upper[best] - lower[best] ? k : best;
    return best;
}

static void fit(crn_tree *tree, int node)
{
    assert(node >= 1 && node < 1 << tree->depth);
    tree->node[node] = tree->node[2 * node];
    crn_bounds_join(&tree->node[node], &tree->node[2 * node + 1]);
}

static void fit_leaf(crn_tree *tree, const crn_bounds *bounds, int node)
{
    assert(node >= 1 << tree->depth && node < 2 << tree->depth);
    int begin, end;
    crn_tree_places(tree, node, &begin, &end);
    crn_bounds all = crn_bounds_empty();
    for (int i = begin; i < end; ++i)
        crn_bounds_join(&all, &bounds[tree->order[i]]);
    tree->node[node] = all;
}

void crn_tree_refit_all(crn_tree *tree, const crn_bounds *bounds)
{
    for (int node = (2 << tree->depth) - 1; node > 0; --node)
        if (node >= 1 << tree->depth)
            fit_leaf(tree, bounds, node);
        else
            fit(tree, node);
}

/* Infinite bounds have no middle and count as centred at the origin: the order affects the cost only, not the result. */
static void fill_centres(int count, const crn_bounds *bounds, const int *items, crn_centre *centre)
{
    for (int i = 0; i < count; ++i)
    {
        int item = items ? items[i] : i;
        const crn_bounds *b = &bounds[item];
        assert(item >= 0);
        centre[i].item = item;
        for (int k = 0; k < 3; ++k)
        {
            double middle = 0.5 * b->lower[k] + 0.5 * b->upper[k];
            centre[i].x[k] = isfinite(middle) ? middle : 0.0;
        }
    }
}

cairn_status crn_tree_build(crn_tree *tree, const crn_bounds *bounds, const int *items, int count)
{
    assert(count >= 0);
    tree->count = count;
    tree->depth = 0;
    int highest = items ? 0 : count;
    for (int i = 0; items && i < count; ++i)
        highest = items[i] > highest ? items[i] : highest;
    int64_t leaf = tree->leaf > 0 ? tree->leaf : LEAF;
    while (tree->depth < MAX_DEPTH && leaf << tree->depth < count)
        ++tree->depth;
    CRN_TRY(crn_reserve_all(&tree->memory, CRN_ARRAY(tree->order, count), CRN_ARRAY(tree->place, highest + 1),
                            CRN_ARRAY(tree->node, (size_t)2 << tree->depth)));
    crn_scratch own = {0}, *scratch = tree->scratch ? tree->scratch : &own;
    crn_centre *centre = crn_scratch_take(scratch, (size_t)count * sizeof *centre);
    CRN_TRY(centre ? CAIRN_OK : CAIRN_NO_MEMORY);
    fill_centres(count, bounds, items, centre);
    for (int depth = 0; depth < tree->depth; ++depth)
    {
        for (int i = 0; i < 1 << depth; ++i)
        {
            int begin = first_place(tree, depth, i), end = first_place(tree, depth, i + 1);
            halve(centre, begin, end, first_place(tree, depth + 1, 2 * (int64_t)i + 1),
                  widest_axis(centre, begin, end));
        }
    }
    for (int i = 0; i < count; ++i)
    {
        tree->order[i] = centre[i].item;
        tree->place[tree->order[i]] = i;
    }
    crn_scratch_release(&own);
    crn_tree_refit_all(tree, bounds);
    return CAIRN_OK;
}

/* The leaf of a place: the last one that begins at or before it. */
static int leaf_of(const crn_tree *tree, int place)
{
    assert(place >= 0 && place < tree->count);
    int64_t i = ((int64_t)place << tree->depth) / tree->count;
    while (first_place(tree, tree->depth, i + 1) <= place)
        ++i;
    return (int)i + (1 << tree->depth);
}

void crn_tree_refit(crn_tree *tree, const crn_bounds *bounds, int item)
{
    assert(item >= 0 && tree->order[tree->place[item]] == item);
    int node = leaf_of(tree, tree->place[item]);
    fit_leaf(tree, bounds, node);
    for (node /= 2; node > 0; node /= 2)
        fit(tree, node);
}

void crn_tree_free(crn_tree *tree)
{
    crn_arena_release(&tree->memory);
    *tree = (crn_tree){.order = NULL};
}

/* ------------------------------------------------------------------------------------------------------ searching */

cairn_status crn_hits_add(crn_hits *found, int item)
{
    assert(found->count >= 0);
    CRN_TRY(crn_reserve(&found->item, &found->capacity, (size_t)found->count + 1, sizeof(int)));
    found->item[found->count++] = item;
    return CAIRN_OK;
}

/* Whether a search should look into these bounds. */
typedef bool (*probe_fn)(const crn_bounds *bounds, const void *probe);

/* Add the items whose bounds the probe meets. A probe that meets an item must also meet the nodes above it. */
static inline cairn_status search(const crn_tree *tree, const crn_bounds *bounds, probe_fn meets, const void *probe,
                                  crn_hits *found)
{
    int stack[MAX_DEPTH + 2], height = 0;
    stack[height++] = 1;
    while (height > 0 && tree->count > 0)
    {
        int node = stack[--height];
        if (!meets(&tree->node[node], probe))
            continue;
        if (node < 1 << tree->depth)
        {
            stack[height++] = 2 * node + 1;
            stack[height++] = 2 * node;
            assert(height <= MAX_DEPTH + 2);
            continue;
        }
        int begin, end;
        crn_tree_places(tree, node, &begin, &end);
        for (int i = begin; i < end; ++i)
            if (meets(&bounds[tree->order[i]], probe) && crn_hits_add(found, tree->order[i]))
                return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

static bool meets_box(const crn_bounds *bounds, const void *probe)
{
    return crn_bounds_overlap(bounds, probe);
}

cairn_status crn_tree_overlap(const crn_tree *tree, const crn_bounds *bounds, const crn_bounds *box, crn_hits *found)
{
    return search(tree, bounds, meets_box, box, found);
}

/* A ray x + s d up to s = most, or a ball of radius `most` about x. */
typedef struct reach
{
    const double *x, *d;
    double most;
} reach;

static bool meets_ray(const crn_bounds *bounds, const void *probe)
{
    const reach *ray = probe;
    return crn_bounds_met(bounds, ray->x, ray->d, ray->most);
}

cairn_status crn_tree_ray(const crn_tree *tree, const crn_bounds *bounds, const double x[3], const double d[3],
                          double most, crn_hits *found)
{
    assert(most >= 0.0);
    return search(tree, bounds, meets_ray, &(reach){.x = x, .d = d, .most = most}, found);
}

static bool meets_ball(const crn_bounds *bounds, const void *probe)
{
    const reach *ball = probe;
    return crn_bounds_square(bounds, ball->x) <= ball->most * ball->most;
}

cairn_status crn_tree_around(const crn_tree *tree, const crn_bounds *bounds, const double x[3], double radius,
                             crn_hits *found)
{
    assert(radius >= 0.0);
    return search(tree, bounds, meets_ball, &(reach){.x = x, .most = radius}, found);
}
