/* Building, refitting and searching the tree of bounds. */
#include "math/tree.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum
{
    LEAF = 4,      /* items a leaf has at most */
    MAX_DEPTH = 30 /* 2^24 shapes need 22 */
};

/* An item and the middle of its bounds, moved about while the tree is built. */
typedef struct crn_centre
{
    double x[3];
    int item;
} crn_centre;

/* First place of node i of depth d. */
static int first_place(const crn_tree *tree, int depth, int64_t i)
{
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

/* Move the items so that those before place k have no larger coordinates, and those after it no smaller ones (C. A. R. Hoare,
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

/* The axis along which the centres go furthest. */
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

/* Bounds without a middle count as at the origin: it is only the cost that depends on the order. */
static void fill_centres(crn_tree *tree, const crn_bounds *bounds, const int *items)
{
    for (int i = 0; i < tree->count; ++i)
    {
        const crn_bounds *b = &bounds[items[i]];
        tree->centre[i].item = items[i];
        for (int k = 0; k < 3; ++k)
        {
            double middle = 0.5 * b->lower[k] + 0.5 * b->upper[k];
            tree->centre[i].x[k] = isfinite(middle) ? middle : 0.0;
        }
    }
}

cairn_status crn_tree_build(crn_tree *tree, const crn_bounds *bounds, const int *items, int count)
{
    assert(count >= 0);
    tree->count = count;
    tree->depth = 0;
    int highest = 0;
    for (int i = 0; i < count; ++i)
        highest = items[i] > highest ? items[i] : highest;
    while (tree->depth < MAX_DEPTH && (int64_t)LEAF << tree->depth < count)
        ++tree->depth;
    if (crn_reserve(&tree->order, &tree->order_capacity, (size_t)count, sizeof(int)) ||
        crn_reserve(&tree->place, &tree->place_capacity, (size_t)highest + 1, sizeof(int)) ||
        crn_reserve(&tree->centre, &tree->centre_capacity, (size_t)count, sizeof(crn_centre)) ||
        crn_reserve(&tree->node, &tree->node_capacity, (size_t)2 << tree->depth, sizeof(crn_bounds)))
        return CAIRN_NO_MEMORY;
    fill_centres(tree, bounds, items);
    for (int depth = 0; depth < tree->depth; ++depth)
    {
        for (int i = 0; i < 1 << depth; ++i)
        {
            int begin = first_place(tree, depth, i), end = first_place(tree, depth, i + 1);
            halve(tree->centre, begin, end, first_place(tree, depth + 1, 2 * (int64_t)i + 1),
                  widest_axis(tree->centre, begin, end));
        }
    }
    for (int i = 0; i < count; ++i)
    {
        tree->order[i] = tree->centre[i].item;
        tree->place[tree->order[i]] = i;
    }
    for (int node = (2 << tree->depth) - 1; node > 0; --node)
        if (node >= 1 << tree->depth)
            fit_leaf(tree, bounds, node);
        else
            fit(tree, node);
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
    assert(item >= 0);
    int node = leaf_of(tree, tree->place[item]);
    fit_leaf(tree, bounds, node);
    for (node /= 2; node > 0; node /= 2)
        fit(tree, node);
}

void crn_tree_free(crn_tree *tree)
{
    free(tree->order);
    free(tree->place);
    free(tree->node);
    free(tree->centre);
    *tree = (crn_tree){.order = NULL};
}

/* ------------------------------------------------------------------------------------------------------ searching */

static cairn_status add_found(crn_hits *found, int item)
{
    if (crn_reserve(&found->item, &found->capacity, (size_t)found->count + 1, sizeof(int)))
        return CAIRN_NO_MEMORY;
    found->item[found->count++] = item;
    return CAIRN_OK;
}

/* Whether bounds are among those that a search is for. */
typedef bool (*probe_fn)(const crn_bounds *bounds, const void *probe);

/* Add the items whose bounds the probe meets; it meets those of a node where it meets any within. */
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
            if (meets(&bounds[tree->order[i]], probe) && add_found(found, tree->order[i]))
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
