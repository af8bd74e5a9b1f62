/* Symbolic work: list the entries, order them (CAMD, bodies before joints), find the elimination tree and the columns
 * of L.
 *
 * The tree's parent of i is the first row below i in column i of L; the pattern of row k of L is the union of the
 * paths towards k from the nonzeros of K's row k. Walking these paths with a mark costs as much as L has entries.
 */
#include "linalg/saddle_pattern.h"

#include "base/memory.h"

#include <assert.h>
#include <camd.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FEW_ROWS = 48
};

void crn_saddle_pattern_release(crn_saddle_pattern *pattern)
{
    void *owned[] = {pattern->order,    pattern->position,    pattern->slot_start, pattern->slot_row,
                     pattern->diagonal, pattern->slot,        pattern->in_upper,   pattern->parent,
                     pattern->L_start,  pattern->L_row,       pattern->key,        pattern->pair_row,
                     pattern->next,     pattern->pair_column, pattern->head,       pattern->mark};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        free(owned[i]);
    }
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
    size_t bytes = (size_t)count * sizeof(int);
    if (count > 0 && walk->write)
    {
        memcpy(walk->key + walk->length, data, bytes);
    }
    else if (count > 0 && walk->same)
    {
        walk->same = memcmp(walk->key + walk->length, data, bytes) == 0;
    }
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
    {
        return false;
    }
    /* The sizes come first, and the walk compares nothing more once they differ. */
    visit_all(&walk, problem);
    return walk.same;
}

static cairn_status write_key(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    int length = key_length(problem);
    cairn_status status = crn_reserve(&pattern->key, &pattern->capacity[0], (size_t)length, sizeof(int));
    if (!status)
    {
        key_walk walk = {.key = pattern->key, .write = true};
        visit_all(&walk, problem);
        assert(walk.length == length);
        pattern->key_length = length;
    }
    return status;
}

static int count_values(const cairn_problem *problem)
{
    int entries = problem->block_count ? problem->A.row_start[problem->block_count] : 0;
    int joint_entries = problem->G.item_count ? problem->G.entry_start[problem->G.item_count] : 0;
    int values = entries ? problem->A.value_start[entries] : 0;
    return values + (joint_entries ? problem->G.value_start[joint_entries] : 0);
}

static cairn_status reserve(crn_saddle_pattern *pattern, int size, int values)
{
    size_t rows = (size_t)size + 1;
    size_t pairs = (size_t)values + (size_t)size + 1;
    int **by_row[] = {&pattern->order,  &pattern->position, &pattern->slot_start, &pattern->diagonal,
                      &pattern->parent, &pattern->L_start,  &pattern->head,       &pattern->mark};
    int **by_pair[] = {&pattern->slot_row, &pattern->slot, &pattern->pair_row, &pattern->pair_column, &pattern->next};
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < 8 && !status; ++i)
    {
        status = crn_reserve(by_row[i], &pattern->capacity[1 + i], rows, sizeof(int));
    }
    for (size_t i = 0; i < 5 && !status; ++i)
    {
        status = crn_reserve(by_pair[i], &pattern->capacity[9 + i], pairs, sizeof(int));
    }
    return status ? status : crn_reserve(&pattern->in_upper, &pattern->capacity[14], pairs, sizeof(bool));
}

/* The row and column of K of every value, in storage order, then of the diagonal, which is always in the pattern. */
static void list_pairs(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    const int *start = problem->block_start;
    int count = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
        {
            int j = problem->A.column[e];
            assert(problem->A.value_start[e] == count);
            for (int row = start[i]; row < start[i + 1]; ++row)
            {
                for (int column = start[j]; column < start[j + 1]; ++column)
                {
                    pattern->pair_row[count] = row;
                    pattern->pair_column[count++] = column;
                }
            }
        }
    }
    const cairn_block_rows *G = &problem->G;
    for (int i = 0; i < G->item_count; ++i)
    {
        for (int e = G->entry_start[i]; e < G->entry_start[i + 1]; ++e)
        {
            for (int row = G->row_start[i]; row < G->row_start[i + 1]; ++row)
            {
                for (int column = start[G->block[e]]; column < start[G->block[e] + 1]; ++column)
                {
                    pattern->pair_row[count] = column; /* -G' stands above the diagonal */
                    pattern->pair_column[count++] = problem->n + row;
                }
            }
        }
    }
    assert(count == pattern->value_count);
    for (int row = 0; row < pattern->size; ++row)
    {
        pattern->pair_row[count] = pattern->pair_column[count] = row;
        ++count;
    }
}

/* Where nothing couples the blocks, or there are few rows, the order they stand in is as good as any, and found without the
 * memory that CAMD asks for: many islands are so. */
static bool is_in_order(const cairn_problem *problem)
{
    bool coupled = problem->block_count > 0 && problem->A.row_start[problem->block_count] > problem->block_count;
    return problem->n + problem->joint_rows <= FEW_ROWS || (!coupled && problem->joint_rows == 0);
}

static void keep_order(crn_saddle_pattern *pattern)
{
    for (int k = 0; k < pattern->size; ++k)
    {
        pattern->order[k] = pattern->position[k] = k;
    }
}

/* Fill-reducing order; slot_start and slot_row serve as the column form CAMD reads. */
static cairn_status find_order(crn_saddle_pattern *pattern)
{
    int size = pattern->size;
    int pairs = pattern->value_count + size;
    int *start = pattern->slot_start;
    memset(start, 0, ((size_t)size + 1) * sizeof(int));
    for (int k = 0; k < pairs; ++k)
    {
        start[pattern->pair_column[k] + 1]++;
    }
    for (int j = 0; j < size; ++j)
    {
        start[j + 1] += start[j];
        pattern->head[j] = start[j];
        pattern->mark[j] = j >= pattern->n; /* constraint set 0: bodies, 1: joints */
    }
    for (int k = 0; k < pairs; ++k)
    {
        pattern->slot_row[pattern->head[pattern->pair_column[k]]++] = pattern->pair_row[k];
    }
    int result = size ? camd_order(size, start, pattern->slot_row, pattern->order, NULL, NULL, pattern->mark) : CAMD_OK;
    assert(result != CAMD_INVALID);
    for (int k = 0; k < size && result != CAMD_OUT_OF_MEMORY; ++k)
    {
        pattern->position[pattern->order[k]] = k;
    }
    return result == CAMD_OUT_OF_MEMORY ? CAIRN_NO_MEMORY : CAIRN_OK;
}

/* Give every value its slot, entries that meet in one place sharing it. */
static void make_slots(crn_saddle_pattern *pattern)
{
    int size = pattern->size;
    int pairs = pattern->value_count + size;
    for (int j = 0; j < size; ++j)
    {
        pattern->head[j] = -1;
        pattern->mark[j] = -1;
    }
    for (int k = pairs - 1; k >= 0; --k)
    {
        int i = pattern->position[pattern->pair_row[k]];
        int j = pattern->position[pattern->pair_column[k]];
        pattern->in_upper[k] = i <= j;
        pattern->pair_row[k] = i <= j ? i : j;
        int column = i <= j ? j : i;
        pattern->next[k] = pattern->head[column];
        pattern->head[column] = k;
    }
    int count = 0;
    for (int j = 0; j < size; ++j)
    {
        pattern->slot_start[j] = count;
        for (int k = pattern->head[j]; k >= 0; k = pattern->next[k])
        {
            int i = pattern->pair_row[k];
            if (pattern->mark[i] < pattern->slot_start[j])
            {
                pattern->mark[i] = count;
                pattern->slot_row[count++] = i;
            }
            pattern->slot[k] = pattern->mark[i];
        }
        pattern->diagonal[j] = pattern->mark[j];
    }
    pattern->slot_start[size] = count;
    pattern->slot_count = count;
}

/* Visit each entry (k, i) of L, k > i, by rows: count the entries of each column, or write them. */
static void walk_rows(crn_saddle_pattern *pattern, bool write)
{
    int *mark = pattern->mark;
    int *fill = pattern->head;
    for (int k = 0; k < pattern->size; ++k)
    {
        mark[k] = k;
        pattern->parent[k] = write ? pattern->parent[k] : -1;
        fill[k] = 0;
        for (int slot = pattern->slot_start[k]; slot < pattern->slot_start[k + 1]; ++slot)
        {
            for (int i = pattern->slot_row[slot]; mark[i] != k; i = pattern->parent[i])
            {
                pattern->parent[i] = pattern->parent[i] < 0 ? k : pattern->parent[i];
                if (write)
                {
                    pattern->L_row[pattern->L_start[i] + fill[i]] = k;
                }
                fill[i]++;
                mark[i] = k;
            }
        }
    }
}

static cairn_status find_columns(crn_saddle_pattern *pattern)
{
    walk_rows(pattern, false);
    pattern->L_start[0] = 0;
    for (int k = 0; k < pattern->size; ++k)
    {
        pattern->L_start[k + 1] = pattern->L_start[k] + pattern->head[k];
    }
    size_t fill = (size_t)pattern->L_start[pattern->size] + 1;
    cairn_status status = crn_reserve(&pattern->L_row, &pattern->capacity[15], fill, sizeof(int));
    if (!status)
    {
        walk_rows(pattern, true);
    }
    return status;
}

cairn_status crn_saddle_pattern_update(crn_saddle_pattern *pattern, const cairn_problem *problem)
{
    if (key_is_same(pattern, problem))
    {
        return CAIRN_OK;
    }
    pattern->key_length = 0; /* no half-made pattern may be taken for a good one */
    pattern->n = problem->n;
    pattern->size = problem->n + problem->joint_rows;
    pattern->value_count = count_values(problem);
    cairn_status status = reserve(pattern, pattern->size, pattern->value_count);
    if (status)
    {
        return status;
    }
    list_pairs(pattern, problem);
    bool in_order = is_in_order(problem);
    status = in_order ? CAIRN_OK : find_order(pattern);
    if (status)
    {
        return status;
    }
    if (in_order)
    {
        keep_order(pattern);
    }
    make_slots(pattern);
    status = find_columns(pattern);
    return status ? status : write_key(pattern, problem);
}
