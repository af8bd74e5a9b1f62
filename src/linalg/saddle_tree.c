/* From an order of elimination to fronts.
 *
 * Eliminating a block couples all later ones it is coupled with. The parent of a block in the elimination tree is the
 * first of these; the blocks below row k's earlier neighbours are found by walking from each of them up the tree to k
 * (with marks, as many steps as the factors have blocks). Any order that puts children before parents gives the same
 * factors; in a postorder blocks with the same ones below stand side by side and make one front. A child that comes right
 * before its parent joins its front also where this stores some zeros: small fronts cost more than they save. Of several
 * children the one with most below stands last, for it loses least.
 *
 * The tree has joints above bodies: a block after a joint is a joint. So fronts of bodies have bodies below first.
 */
#include "base/memory.h"
#include "linalg/saddle_pattern.h"

#include <assert.h>
#include <string.h>

/* The share of zeros that a joined front may store, by its number of pivots. */
static const struct
{
    int pivots;
    double zeros;
} RELAXATION[] = {{48, 0.2}, {96, 0.1}};
static const double LEAST_RELAXATION = 0.05;

static int rows_of(const crn_saddle_pattern *pattern, int position)
{
    assert(0 <= position && position < pattern->blocks);
    int block = pattern->order[position];
    return pattern->start[block + 1] - pattern->start[block];
}

static bool is_joint(const crn_saddle_pattern *pattern, int position)
{
    assert(0 <= position && position < pattern->blocks);
    return pattern->order[position] >= pattern->bodies;
}

/* Put the earlier block of each pair first. */
static void sort_pairs(crn_saddle_pattern *pattern)
{
    for (int k = 0; k < pattern->blocks; ++k)
        pattern->position[pattern->order[k]] = k;
    for (int k = 0; k < pattern->pair_count; ++k)
    {
        int a = pattern->pair_a[k];
        int b = pattern->pair_b[k];
        bool sorted = pattern->position[a] < pattern->position[b];
        pattern->pair_a[k] = sorted ? a : b;
        pattern->pair_b[k] = sorted ? b : a;
    }
}

double crn_saddle_find_tree(crn_saddle_pattern *pattern)
{
    int *mark = pattern->mark;
    double work = 0.0;
    sort_pairs(pattern);
    crn_saddle_group_pairs(pattern);
    for (int k = 0; k < pattern->blocks; ++k)
    {
        int block = pattern->order[k];
        int rows = rows_of(pattern, k);
        mark[k] = k;
        pattern->parent[k] = -1;
        pattern->count[k] = 0;
        for (int e = pattern->graph_start[block]; e < pattern->graph_start[block + 1]; ++e)
        {
            for (int i = pattern->position[pattern->graph[e]]; mark[i] != k; i = pattern->parent[i])
            {
                pattern->parent[i] = pattern->parent[i] < 0 ? k : pattern->parent[i];
                pattern->count[i] += rows;
                mark[i] = k;
            }
        }
    }
    for (int k = 0; k < pattern->blocks; ++k)
    {
        double below = pattern->count[k];
        work += rows_of(pattern, k) * below * below;
    }
    return work;
}

/* Lists of children in head and next, the one with most below last; the roots are children of a root above all. */
static void list_children(crn_saddle_pattern *pattern)
{
    int blocks = pattern->blocks;
    int *largest = pattern->mark;
    for (int k = 0; k <= blocks; ++k)
        pattern->head[k] = largest[k] = -1;
    for (int k = 0; k < blocks; ++k)
    {
        int above = pattern->parent[k] < 0 ? blocks : pattern->parent[k];
        if (largest[above] < 0 || pattern->count[k] >= pattern->count[largest[above]])
            largest[above] = k;
    }
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int k = blocks - 1; k >= 0; --k)
        {
            int above = pattern->parent[k] < 0 ? blocks : pattern->parent[k];
            if ((largest[above] == k) == (pass == 0))
            {
                pattern->next[k] = pattern->head[above];
                pattern->head[above] = k;
            }
        }
    }
}

/* mark[k] becomes the place of position k in a postorder. */
static void rank_postorder(crn_saddle_pattern *pattern)
{
    int *stack = pattern->row; /* not yet in use */
    int depth = 0;
    int count = 0;
    stack[0] = pattern->blocks;
    while (depth >= 0)
    {
        int k = stack[depth];
        int child = pattern->head[k];
        if (child >= 0)
        {
            pattern->head[k] = pattern->next[child];
            stack[++depth] = child;
        }
        else
        {
            pattern->mark[k] = count++;
            --depth;
        }
    }
    assert(count == pattern->blocks + 1);
}

/* out[rank[k]] = in[k], back in `in`. */
static void permute(int count, const int *rank, int *in, int *work)
{
    assert(count >= 0);
    for (int k = 0; k < count; ++k)
        work[rank[k]] = in[k];
    memcpy(in, work, (size_t)count * sizeof(int));
}

static void sort_postorder(crn_saddle_pattern *pattern)
{
    int blocks = pattern->blocks;
    list_children(pattern);
    rank_postorder(pattern);
    for (int k = 0; k < blocks; ++k)
        pattern->parent[k] = pattern->parent[k] < 0 ? -1 : pattern->mark[pattern->parent[k]];
    permute(blocks, pattern->mark, pattern->parent, pattern->head);
    permute(blocks, pattern->mark, pattern->count, pattern->head);
    permute(blocks, pattern->mark, pattern->order, pattern->head);
    pattern->row[0] = 0;
    for (int k = 0; k < blocks; ++k)
    {
        pattern->position[pattern->order[k]] = k;
        pattern->row[k + 1] = pattern->row[k] + rows_of(pattern, k);
    }
}

static double zeros_allowed(int pivots)
{
    assert(pivots > 0);
    for (size_t i = 0; i < sizeof RELAXATION / sizeof RELAXATION[0]; ++i)
        if (pivots <= RELAXATION[i].pivots)
            return RELAXATION[i].zeros;
    return LEAST_RELAXATION;
}

/* Join `child`, the front right before `front` with last block k, to it when that is worth it. zeros: the zeros that the fronts
 * store in one triangle. */
static bool join(const crn_saddle_pattern *pattern, const crn_saddle_front *child, double child_zeros,
                 crn_saddle_front *front, int k, double *zeros)
{
    int above = pattern->parent[front->first - 1];
    if (above < front->first || above > k || is_joint(pattern, child->first) != is_joint(pattern, front->first))
        return false;
    int pivots = child->pivots + front->pivots;
    int width = child->pivots + front->width;
    double sum = *zeros + child_zeros + (double)child->pivots * (double)(width - child->width);
    double all = (double)pivots * ((double)width - 0.5 * (double)(pivots - 1));
    if (sum > zeros_allowed(pivots) * all)
        return false;
    *zeros = sum;
    front->first = child->first;
    front->pivots = pivots;
    front->width = width;
    return true;
}

/* A block is one front at first and takes in those before it. zeros of fronts are kept as doubles in front->values until
 * that is needed for its own. */
static void gather_fronts(crn_saddle_pattern *pattern)
{
    int count = 0;
    for (int k = 0; k < pattern->blocks; ++k)
    {
        int rows = rows_of(pattern, k);
        crn_saddle_front front = {.first = k, .pivots = rows, .width = rows + pattern->count[k], .parent = -1};
        double zeros = 0.0;
        while (count > 0 &&
               join(pattern, &pattern->front[count - 1], (double)pattern->front[count - 1].values, &front, k, &zeros))
            --count;
        front.values = (size_t)zeros;
        pattern->front[count++] = front;
    }
    pattern->front_count = count;
    pattern->front[count] = (crn_saddle_front){.first = pattern->blocks, .parent = -1};
    for (int s = 0; s < count; ++s)
        for (int k = pattern->front[s].first; k < pattern->front[s + 1].first; ++k)
            pattern->front_of[k] = s;
}

/* Parents, children and the stack each update is on. */
static void link_fronts(crn_saddle_pattern *pattern)
{
    for (int s = pattern->front_count - 1; s >= 0; --s)
    {
        crn_saddle_front *front = &pattern->front[s];
        int above = pattern->parent[front[1].first - 1];
        front->row = pattern->row[front->first];
        front->parent = above < 0 ? -1 : pattern->front_of[above];
        front->child = front->sibling = -1;
        if (front->parent >= 0)
        {
            crn_saddle_front *parent = &pattern->front[front->parent];
            front->stack = 1 - parent->stack;
            front->sibling = parent->child;
            parent->child = s;
        }
    }
}

/* Visit every block below a front, row by row so that they come ascending: count them, or write them. */
static void walk_fronts(crn_saddle_pattern *pattern, bool write)
{
    int *mark = pattern->mark;
    for (int s = 0; s < pattern->front_count; ++s)
    {
        mark[s] = -1;
        pattern->front[s].below_count = 0;
    }
    for (int k = 0; k < pattern->blocks; ++k)
    {
        int block = pattern->order[k];
        int own = pattern->front_of[k];
        for (int e = pattern->graph_start[block]; e < pattern->graph_start[block + 1]; ++e)
        {
            int s = pattern->front_of[pattern->position[pattern->graph[e]]];
            for (; s != own && mark[s] != k; s = pattern->front[s].parent)
            {
                crn_saddle_front *front = &pattern->front[s];
                if (write)
                    pattern->below[front->below + front->below_count] = k;
                ++front->below_count;
                mark[s] = k;
            }
        }
    }
}

/* The first row of each block below in its front, and the rows of bodies. */
static void find_offsets(crn_saddle_pattern *pattern, crn_saddle_front *front)
{
    assert(front->below >= 0 && front->below_count >= 0);
    int offset = front->pivots;
    front->free_width = is_joint(pattern, front->first) ? 0 : front->pivots;
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        pattern->offset[e] = offset;
        offset += rows_of(pattern, pattern->below[e]);
        front->free_width = is_joint(pattern, pattern->below[e]) ? front->free_width : offset;
    }
    assert(offset == front->width);
}

/* Where the rows of a front's update go in the parent's front. */
static void find_runs(crn_saddle_pattern *pattern, crn_saddle_front *front)
{
    assert(front->width >= front->pivots);
    front->run = front->below; /* there are no more runs than blocks */
    front->run_count = 0;
    if (front->parent < 0)
        return;
    const crn_saddle_front *parent = &pattern->front[front->parent];
    int at = parent->below;
    crn_saddle_run *last = NULL;
    for (int e = front->below; e < front->below + front->below_count; ++e)
    {
        int k = pattern->below[e];
        int to = pattern->row[k] - parent->row;
        if (k >= parent[1].first)
        {
            while (pattern->below[at] < k)
                ++at;
            assert(pattern->below[at] == k && at < parent->below + parent->below_count);
            to = pattern->offset[at];
        }
        if (!last || last->to + last->length != to || to == parent->pivots)
        {
            last = &pattern->run[front->run + front->run_count++];
            *last = (crn_saddle_run){pattern->offset[e] - front->pivots, to, 0};
        }
        last->length += rows_of(pattern, k);
    }
}

/* Places of the factors and of the updates. A front's own update is put on one stack while those of its children are
 * taken from the other. */
static void lay_out(crn_saddle_pattern *pattern)
{
    size_t top[2] = {0, 0};
    pattern->value_count = pattern->stack_size[0] = pattern->stack_size[1] = 0;
    for (int s = 0; s < pattern->front_count; ++s)
    {
        crn_saddle_front *front = &pattern->front[s];
        size_t below = (size_t)(front->width - front->pivots);
        front->below_stride = (below + 3) / 4 * 4;
        front->stride = (size_t)front->pivots + front->below_stride;
        front->values = pattern->value_count;
        pattern->value_count += (size_t)front->pivots * (front->stride + front->below_stride);
        front->update = top[front->stack];
        top[front->stack] += below * front->below_stride;
        if (top[front->stack] > pattern->stack_size[front->stack])
            pattern->stack_size[front->stack] = top[front->stack];
        if (front->child >= 0)
            top[1 - front->stack] = pattern->front[front->child].update;
    }
}

cairn_status crn_saddle_find_fronts(crn_saddle_pattern *pattern)
{
    crn_saddle_find_tree(pattern);
    sort_postorder(pattern);
    gather_fronts(pattern);
    link_fronts(pattern);
    walk_fronts(pattern, false);
    int count = 0;
    for (int s = 0; s < pattern->front_count; ++s)
    {
        pattern->front[s].below = count;
        count += pattern->front[s].below_count;
    }
    size_t need = (size_t)count + 1;
    if (crn_reserve_all(&pattern->memory, CRN_ARRAY(pattern->below, need), CRN_ARRAY(pattern->offset, need),
                        CRN_ARRAY(pattern->run, need)))
        return CAIRN_NO_MEMORY;
    walk_fronts(pattern, true);
    for (int s = 0; s < pattern->front_count; ++s)
        find_offsets(pattern, &pattern->front[s]);
    for (int s = 0; s < pattern->front_count; ++s)
        find_runs(pattern, &pattern->front[s]);
    lay_out(pattern);
    return CAIRN_OK;
}
