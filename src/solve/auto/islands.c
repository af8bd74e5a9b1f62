#include "solve/auto/islands.h"

#include "base/union_find.h"

#include <assert.h>
#include <string.h>

void crn_islands_release(crn_islands *islands)
{
    crn_arena_release(&islands->memory);
    memset(islands, 0, sizeof *islands);
}

int crn_members_count(const crn_members *members, int group)
{
    assert(members->start[group] <= members->start[group + 1]);
    return members->start[group + 1] - members->start[group];
}

int crn_islands_weight(const crn_islands *islands, int group)
{
    assert(group >= 0 && group < islands->group_count);
    return crn_members_count(&islands->blocks, group) + crn_members_count(&islands->joints, group) +
           crn_members_count(&islands->contacts, group);
}

/* ------------------------------------------------------------------------------------------------------ components */

static void join_rows(int *parent, const cairn_block_rows *B, int first_node)
{
    for (int i = 0; i < B->item_count; ++i)
        for (int e = B->entry_start[i]; e < B->entry_start[i + 1]; ++e)
            crn_union_join(parent, first_node + i, B->block[e]);
}

static void join_all(int *parent, const cairn_problem *problem)
{
    int first_joint = problem->block_count;
    int first_contact = first_joint + problem->G.item_count;
    for (int i = 0; i < first_contact + problem->contact_count; ++i)
        parent[i] = i;
    for (int i = 0; i < problem->block_count; ++i)
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
            crn_union_join(parent, i, problem->A.column[e]);
    join_rows(parent, &problem->G, first_joint);
    join_rows(parent, &problem->H, first_contact);
    for (int k = 0; k < problem->patch_count; ++k)
        for (int j = problem->patch_start[k] + 1; j < problem->patch_start[k + 1]; ++j)
            crn_union_join(parent, first_contact + j - 1, first_contact + j);
    for (int i = 0; i < problem->W.block_count; ++i)
        for (int e = problem->W.row_start[i]; e < problem->W.row_start[i + 1]; ++e)
            crn_union_join(parent, first_contact + i, first_contact + problem->W.column[e]);
    for (int j = 0; problem->bound && j < problem->contact_count; ++j)
        if (problem->bound[j].is_row && problem->bound[j].by >= 0)
            crn_union_join(parent, first_contact + j, first_contact + problem->bound[j].by);
}

/* The group of every node. A root precedes all other nodes of its component. */
static void number_groups(crn_islands *islands, int block_count, int node_count)
{
    assert(block_count <= node_count);
    int *parent = islands->parent;
    int *group = islands->group;
    memset(islands->held, 0, (size_t)node_count * sizeof(bool));
    for (int i = block_count; i < node_count; ++i)
        islands->held[crn_union_root(parent, i)] = true;
    islands->count = islands->component_count = 0;
    for (int i = 0; i < node_count; ++i)
    {
        int root = crn_union_root(parent, i);
        islands->component[i] = root != i ? islands->component[root] : islands->component_count++;
        group[i] = root != i ? group[root] : islands->held[i] ? islands->count++ : -1;
    }
    islands->group_count = islands->count;
    for (int i = 0; i < block_count; ++i)
    {
        if (group[i] < 0)
        {
            group[i] = islands->count;
            islands->group_count = islands->count + 1;
        }
    }
}

/* --------------------------------------------------------------------------------------------------------- members */

/* Sort `count` things by group: thing i belongs to group[i], or a patch to the group of its first contact. */
static cairn_status list_members(crn_islands *islands, crn_members *members, int count, const int *group,
                                 const int *patch_start)
{
    int group_count = islands->group_count;
    CRN_TRY(crn_reserve_all(&islands->memory, CRN_ARRAY(members->start, group_count + 2),
                            CRN_ARRAY(members->member, count)));
    int *start = members->start;
    if (group_count == 1)
    {
        start[0] = 0;
        start[1] = start[2] = count;
        for (int i = 0; i < count; ++i)
            members->member[i] = i;
        return CAIRN_OK;
    }
    memset(start, 0, ((size_t)group_count + 2) * sizeof(int));
    for (int i = 0; i < count; ++i)
        start[group[patch_start ? patch_start[i] : i] + 2]++;
    for (int k = 2; k <= group_count; ++k)
        start[k] += start[k - 1];
    for (int i = 0; i < count; ++i)
        members->member[start[group[patch_start ? patch_start[i] : i] + 1]++] = i;
    assert(start[group_count] == count);
    return CAIRN_OK;
}

/* Patches with contacts; problem_check.c allows empty ones at the end. */
static int count_patches(const cairn_problem *problem)
{
    int count = problem->patch_count;
    while (count > 0 && problem->patch_start[count - 1] >= problem->contact_count)
        --count;
    return count;
}

static cairn_status list_all(crn_islands *islands, const cairn_problem *problem)
{
    const int *joint_group = islands->group + problem->block_count;
    const int *contact_group = joint_group + problem->G.item_count;
    CRN_TRY(list_members(islands, &islands->blocks, problem->block_count, islands->group, NULL));
    CRN_TRY(list_members(islands, &islands->joints, problem->G.item_count, joint_group, NULL));
    CRN_TRY(list_members(islands, &islands->contacts, problem->contact_count, contact_group, NULL));
    return list_members(islands, &islands->patches, count_patches(problem), contact_group, problem->patch_start);
}

/* ----------------------------------------------------------------------------------------------------------- order */

enum
{
    CLASSES = 32
};

/* The number of binary digits. */
static int size_class(int weight)
{
    assert(weight > 0);
    int digits = 0;
    while (weight > 0)
    {
        weight >>= 1;
        ++digits;
    }
    return digits;
}

/* The largest first, whatever its class, then class by class. */
static void sort_by_size(crn_islands *islands)
{
    assert(islands->group_count > 0);
    int next[CLASSES + 1] = {0};
    int largest = 0;
    for (int k = 0; k < islands->group_count; ++k)
    {
        int weight = crn_islands_weight(islands, k);
        largest = weight > crn_islands_weight(islands, largest) ? k : largest;
        next[CLASSES - size_class(weight)]++;
    }
    next[CLASSES - size_class(crn_islands_weight(islands, largest))]--;
    for (int place = 1, c = 0; c <= CLASSES; ++c)
    {
        int count = next[c];
        next[c] = place;
        place += count;
    }
    for (int k = 0; k < islands->group_count; ++k)
        if (k != largest)
            islands->order[next[CLASSES - size_class(crn_islands_weight(islands, k))]++] = k;
    islands->order[0] = largest;
}

/* --------------------------------------------------------------------------------------------------------- pattern */

/* Whether entries of A, G and H are all that couples nodes. */
static bool has_entries_alone(const cairn_problem *problem)
{
    bool alone = problem->patch_count == 0 && problem->W.block_count == 0;
    for (int j = 0; alone && problem->bound && j < problem->contact_count; ++j)
        alone = !problem->bound[j].is_row || problem->bound[j].by < 0;
    return alone;
}

/* Put `count` numbers into the pattern; whether they were there. */
static bool keep(int **at, const int *from, int count)
{
    size_t size = (size_t)count * sizeof(int);
    bool same = size == 0 || memcmp(*at, from, size) == 0;
    if (!same)
        memcpy(*at, from, size);
    *at += count;
    return same;
}

static bool keep_entries(int **at, const int *start, const int *to, int count)
{
    bool starts = count == 0 || keep(at, start, count + 1);
    return (count == 0 || keep(at, to + start[0], start[count] - start[0])) && starts;
}

static int entries_in(const int *start, int count)
{
    return count == 0 ? 0 : count + 1 + start[count] - start[0];
}

static int pattern_size(const cairn_problem *problem)
{
    const cairn_block_rows *G = &problem->G, *H = &problem->H;
    return 3 + entries_in(problem->A.row_start, problem->block_count) + entries_in(G->entry_start, G->item_count) +
           entries_in(H->entry_start, H->item_count);
}

/* Remember what couples nodes; whether it is what it was, and so are the islands. */
static bool keep_pattern(crn_islands *islands, const cairn_problem *problem, int size)
{
    const cairn_block_rows *G = &problem->G, *H = &problem->H;
    const int counts[3] = {problem->block_count, G->item_count, H->item_count};
    int *at = islands->pattern;
    bool same = keep(&at, counts, 3);
    same = keep_entries(&at, problem->A.row_start, problem->A.column, counts[0]) && same;
    same = keep_entries(&at, G->entry_start, G->block, counts[1]) && same;
    same = keep_entries(&at, H->entry_start, H->block, counts[2]) && same;
    assert(at == islands->pattern + size);
    return same && islands->pattern_size == size;
}

/* The islands by union-find. */
static cairn_status find(crn_islands *islands, const cairn_problem *problem)
{
    int node_count = problem->block_count + problem->G.item_count + problem->contact_count;
    islands->group_count = islands->component_count = 0;
    CRN_TRY(crn_reserve_all(&islands->memory, CRN_ARRAY(islands->parent, node_count),
                            CRN_ARRAY(islands->group, node_count), CRN_ARRAY(islands->held, node_count),
                            CRN_ARRAY(islands->order, node_count), CRN_ARRAY(islands->component, node_count)));
    join_all(islands->parent, problem);
    number_groups(islands, problem->block_count, node_count);
    CRN_TRY(list_all(islands, problem));
    if (islands->group_count > 0)
        sort_by_size(islands);
    return CAIRN_OK;
}

cairn_status crn_islands_find(crn_islands *islands, const cairn_problem *problem)
{
    assert(problem->H.item_count == problem->contact_count);
    int size = has_entries_alone(problem) ? pattern_size(problem) : 0;
    islands->count = 0;
    CRN_TRY(crn_reserve_all(&islands->memory, CRN_ARRAY(islands->pattern, size)));
    if (size == 0 || !keep_pattern(islands, problem, size))
    {
        islands->pattern_size = 0; /* until they are found */
        CRN_TRY(find(islands, problem));
        islands->pattern_size = size;
        islands->found = islands->count;
    }
    islands->count = islands->found;
    return CAIRN_OK;
}
