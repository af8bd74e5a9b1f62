/* Symbolic work by blocks: list the couplings, order the blocks (CAMD, bodies before joints), find the fronts
 * (saddle_tree.c), and where in them each entry of A and G goes.
 */
#include "linalg/saddle_pattern.h"

#include "base/memory.h"
#include "linalg/saddle_dissect.h"

#include <assert.h>
#include <camd.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FEW_ROWS = 48,
    MANY_BODIES = 400 /* from here on dissection may be better than minimum degree alone */
};

void crn_saddle_pattern_release(crn_saddle_pattern *pattern)
{
    crn_arena_release(&pattern->memory);
    memset(pattern, 0, sizeof *pattern);
}

/* A walk over the integers the pattern depends on: compare them with the key, or write them into it. */
typedef struct key_walk
{
    int *key;
    int length;
    bool write, same;
} key_walk;

static void visit(key_walk *walk, const int *data, int count)
{
    assert(count >= 0 && (data || count == 0));
    size_t bytes = (size_t)count * sizeof(int);
    if (count > 0 && walk->write)
        memcpy(walk->key + walk->length, data, bytes);
    else if (count > 0 && walk->same)
        walk->same = memcmp(walk->key + walk->length, data, bytes) == 0;
    walk->length += count;
}

static void visit_all(key_walk *walk, const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G;
    int entries = problem->block_count ? problem->A.row_start[problem->block_count] : 0;
    int joint_entries = G->item_count ? G->entry_start[G->item_count] : 0;
    int sizes[] = {problem->n, problem->joint_rows, problem->block_count, entries, G->item_count, joint_entries};
    visit(walk, sizes, 6);
    visit(walk, problem->block_start, problem->block_count);
    visit(walk, problem->A.row_start, problem->block_count);
    visit(walk, problem->A.column, entries);
    visit(walk, G->row_start, G->item_count);
    visit(walk, G->entry_start, G->item_count);
    visit(walk, G->block, joint_entries);
}

static int key_length(const cairn_problem *problem)
{
    int entries = problem->block_count ? problem->A.row_start[problem->block_count] : 0;
    int joint_entries = problem->G.item_count ? problem->G.entry_start[problem->G.item_count] : 0;
    return 6 + 2 * problem->block_count + entries + 2 * problem->G.item_count + joint_entries;
}

static bool key_is_same(const crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    key_walk walk = {.key = pattern->key, .same = true};
    if (!pattern->key || pattern->key_length != key_length(problem))
        return false;
    /* The sizes come first, and the walk compares nothing more once they differ. */
    visit_all(&walk, problem);
    return walk.same;
}

static cairn_status write_key(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    int length = key_length(problem);
    cairn_status status = crn_reserve_all(&pattern->memory, CRN_ARRAY(pattern->key, length));
    if (!status)
    {
        key_walk walk = {.key = pattern->key, .write = true};
        visit_all(&walk, problem);
        assert(walk.length == length);
        pattern->key_length = length;
    }
    return status;
}

static int count_entries(const cairn_problem *problem)
{
    return problem->block_count ? problem->A.row_start[problem->block_count] : 0;
}

static int count_joint_entries(const cairn_problem *problem)
{
    return problem->G.item_count ? problem->G.entry_start[problem->G.item_count] : 0;
}

static cairn_status reserve(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    size_t blocks = (size_t)pattern->blocks + 2; /* an end, and a root above all trees */
    size_t pairs = (size_t)count_entries(problem) + (size_t)count_joint_entries(problem) + 1;
    return crn_reserve_all(
        &pattern->memory, CRN_ARRAY(pattern->start, blocks), CRN_ARRAY(pattern->order, blocks),
        CRN_ARRAY(pattern->position, blocks), CRN_ARRAY(pattern->row, blocks), CRN_ARRAY(pattern->front_of, blocks),
        CRN_ARRAY(pattern->graph_start, blocks), CRN_ARRAY(pattern->parent, blocks), CRN_ARRAY(pattern->count, blocks),
        CRN_ARRAY(pattern->head, blocks), CRN_ARRAY(pattern->next, blocks), CRN_ARRAY(pattern->mark, blocks),
        CRN_ARRAY(pattern->front, blocks), CRN_ARRAY(pattern->pair_a, pairs), CRN_ARRAY(pattern->pair_b, pairs),
        CRN_ARRAY(pattern->place, pairs), CRN_ARRAY(pattern->graph, 2 * pairs));
}

/* List the rows of each block, and the pairs of different blocks that an entry couples; a pair may be listed twice. */
static void list_blocks(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    assert(pattern->blocks >= pattern->bodies);
    const cairn_block_rows *G = &problem->G;
    int count = 0;
    for (int i = 0; i < pattern->bodies; ++i)
    {
        pattern->start[i] = problem->block_start[i];
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
        {
            pattern->pair_a[count] = i;
            pattern->pair_b[count] = problem->A.column[e];
            count += problem->A.column[e] != i;
        }
    }
    for (int i = 0; i < G->item_count; ++i)
    {
        pattern->start[pattern->bodies + i] = problem->n + G->row_start[i];
        for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
        {
            pattern->pair_a[count] = G->block[e];
            pattern->pair_b[count++] = pattern->bodies + i;
        }
    }
    pattern->start[pattern->blocks] = pattern->size;
    pattern->pair_count = count;
}

/* Where nothing couples the blocks, or there are few rows, as in many islands, the natural order is as good as any and saves the
 * memory that CAMD needs. */
static bool is_in_order(const crn_saddle_pattern *pattern)
{
    return pattern->size <= FEW_ROWS || pattern->pair_count == 0;
}

void crn_saddle_group_pairs(crn_saddle_pattern *pattern)
{
    assert(pattern->pair_count >= 0);
    const int *key = pattern->pair_b;
    const int *value = pattern->pair_a;
    int *start = pattern->graph_start;
    memset(start, 0, ((size_t)pattern->blocks + 1) * sizeof(int));
    for (int k = 0; k < pattern->pair_count; ++k)
        ++start[key[k]];
    for (int j = 0; j < pattern->blocks; ++j)
        start[j + 1] += start[j];
    for (int k = pattern->pair_count - 1; k >= 0; --k)
        pattern->graph[--start[key[k]]] = value[k];
}

/* The bodies each body is coupled with, once each. */
static void list_neighbours(crn_saddle_pattern *pattern)
{
    int *start = pattern->graph_start;
    int *mark = pattern->mark;
    memset(start, 0, ((size_t)pattern->blocks + 1) * sizeof(int));
    for (int k = 0; k < pattern->pair_count; ++k)
    {
        ++start[pattern->pair_a[k]];
        ++start[pattern->pair_b[k]];
    }
    for (int j = 0; j < pattern->blocks; ++j)
        start[j + 1] += start[j];
    for (int k = 0; k < pattern->pair_count; ++k)
    {
        pattern->graph[--start[pattern->pair_a[k]]] = pattern->pair_b[k];
        pattern->graph[--start[pattern->pair_b[k]]] = pattern->pair_a[k];
    }
    memset(mark, -1, (size_t)pattern->blocks * sizeof(int));
    int count = 0;
    for (int i = 0; i < pattern->bodies; ++i)
    {
        int e = start[i];
        start[i] = count;
        for (; e < start[i + 1]; ++e)
        {
            int j = pattern->graph[e];
            if (j < pattern->bodies && mark[j] != i)
            {
                mark[j] = i;
                pattern->graph[count++] = j;
            }
        }
    }
    start[pattern->bodies] = count;
}

/* mark[] becomes the stage in which each block is eliminated: bodies in one or by dissection, joints last. */
static cairn_status find_stages(crn_saddle_pattern *pattern, bool dissected)
{
    int stages = 1;
    cairn_status status = CAIRN_OK;
    memset(pattern->mark, 0, (size_t)pattern->blocks * sizeof(int));
    if (dissected)
    {
        list_neighbours(pattern);
        status = crn_saddle_dissect(pattern->bodies, pattern->graph_start, pattern->graph, pattern->mark, &stages);
    }
    for (int j = pattern->bodies; j < pattern->blocks; ++j)
        pattern->mark[j] = stages;
    return status;
}

/* Fill-reducing order by stages. *work: about the products that elimination takes. */
static cairn_status find_staged_order(crn_saddle_pattern *pattern, bool dissected, double *work)
{
    cairn_status status = find_stages(pattern, dissected);
    if (status)
        return status;
    crn_saddle_group_pairs(pattern);
    int result =
        camd_order(pattern->blocks, pattern->graph_start, pattern->graph, pattern->order, NULL, NULL, pattern->mark);
    assert(result != CAMD_INVALID);
    if (result == CAMD_OUT_OF_MEMORY)
        return CAIRN_NO_MEMORY;
    *work = crn_saddle_find_tree(pattern);
    return CAIRN_OK;
}

/* Order by minimum degree, for large heaps within nested dissection if that is better. */
static cairn_status find_order(crn_saddle_pattern *pattern)
{
    int blocks = pattern->blocks;
    double work = 0.0;
    double dissected_work = 0.0;
    if (is_in_order(pattern))
    {
        for (int k = 0; k < blocks; ++k)
            pattern->order[k] = k;
        return CAIRN_OK;
    }
    cairn_status status = find_staged_order(pattern, false, &work);
    if (status || pattern->bodies < MANY_BODIES)
        return status;
    memcpy(pattern->row, pattern->order, (size_t)blocks * sizeof(int));
    status = find_staged_order(pattern, true, &dissected_work);
    if (!status && work <= dissected_work)
        memcpy(pattern->order, pattern->row, (size_t)blocks * sizeof(int));
    return status;
}

/* The offset of the later of two blocks in the front of the earlier; 0 when both are pivots of one. */
static int find_place(const crn_saddle_pattern *pattern, int block, int other)
{
    assert(0 <= block && block < pattern->blocks);
    assert(0 <= other && other < pattern->blocks);
    int a = pattern->position[block];
    int b = pattern->position[other];
    int later = a > b ? a : b;
    int s = pattern->front_of[a > b ? b : a];
    const crn_saddle_front *front = &pattern->front[s];
    if (pattern->front_of[later] == s)
        return 0;
    int low = front->below;
    int high = low + front->below_count - 1;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (pattern->below[middle] < later)
            low = middle + 1;
        else
            high = middle;
    }
    assert(pattern->below[low] == later);
    return pattern->offset[low];
}

static void find_places(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    int *place = pattern->place;
    for (int i = 0; i < pattern->bodies; ++i)
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
            *place++ = find_place(pattern, i, problem->A.column[e]);
    for (int i = 0; i < problem->G.item_count; ++i)
        for (int e = problem->G.entry_start[i]; e < problem->G.entry_start[i + 1]; ++e)
            *place++ = find_place(pattern, problem->G.block[e], pattern->bodies + i);
}

cairn_status crn_saddle_pattern_update(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    assert(problem->block_count >= 0 && problem->joint_rows >= 0);
    if (key_is_same(pattern, problem))
        return CAIRN_OK;
    pattern->key_length = 0; /* an unfinished pattern must not be taken for a valid one */
    pattern->n = problem->n;
    pattern->size = problem->n + problem->joint_rows;
    pattern->bodies = problem->block_count;
    pattern->blocks = problem->block_count + problem->G.item_count;
    cairn_status status = reserve(pattern, problem);
    if (status)
        return status;
    list_blocks(pattern, problem);
    status = find_order(pattern);
    status = status ? status : crn_saddle_find_fronts(pattern);
    if (status)
        return status;
    find_places(pattern, problem);
    return write_key(pattern, problem);
}
