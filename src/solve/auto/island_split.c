#include "solve/auto/island_split.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void crn_island_split_release(crn_island_split *split)
{
    free(split->part);
    free(split->local);
    free(split->ints);
    free(split->reals);
    free(split->identities);
    free(split->bounds);
    memset(split, 0, sizeof *split);
}

/* ---------------------------------------------------------------------------------------------------------- memory */

static int entry_count(const cairn_block_rows *B)
{
    return B->item_count > 0 ? B->entry_start[B->item_count] : 0;
}

static int value_count(const cairn_block_rows *B)
{
    int entries = entry_count(B);
    return entries > 0 ? B->value_start[entries] : 0;
}

static size_t patch_values(const cairn_problem *problem, int patch)
{
    size_t side = (size_t)problem->dim * (size_t)(problem->patch_start[patch + 1] - problem->patch_start[patch]);
    return side * side;
}

/* Each part has the arrays of a problem, with one entry more than items in all that start at 0. */
static size_t ints_needed(const cairn_problem *problem, size_t groups)
{
    size_t blocks = (size_t)problem->block_count;
    size_t entries = blocks > 0 ? (size_t)problem->A.row_start[blocks] : 0;
    size_t rows = (size_t)problem->G.item_count + (size_t)problem->H.item_count;
    size_t row_entries = (size_t)entry_count(&problem->G) + (size_t)entry_count(&problem->H);
    return 2 * (blocks + entries + rows + row_entries + (size_t)problem->patch_count) + 10 * groups;
}

static size_t reals_needed(const cairn_problem *problem)
{
    size_t blocks = (size_t)problem->block_count;
    size_t contacts = (size_t)problem->contact_count;
    size_t A_values = blocks > 0 ? (size_t)problem->A.value_start[problem->A.row_start[blocks]] : 0;
    size_t R_values = 0;
    for (int k = 0; k < problem->patch_count; ++k)
        R_values += patch_values(problem, k);
    return A_values + R_values + (size_t)value_count(&problem->G) + (size_t)value_count(&problem->H) +
           2 * (size_t)problem->n + 4 * (size_t)problem->joint_rows + (2 * (size_t)problem->dim + 3) * contacts;
}

static cairn_status reserve(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem)
{
    size_t groups = (size_t)islands->group_count;
    size_t blocks = (size_t)problem->block_count;
    size_t contacts = (size_t)problem->contact_count;
    size_t *capacity = split->capacity;
    split->ints_used = split->reals_used = split->identities_used = split->bounds_used = 0;
    cairn_status status = crn_reserve(&split->part, &capacity[0], groups, sizeof(crn_island_part));
    status = status ? status : crn_reserve(&split->local, &capacity[1], blocks + 1, sizeof(int));
    status = status ? status : crn_reserve(&split->ints, &capacity[2], ints_needed(problem, groups), sizeof(int));
    status = status ? status : crn_reserve(&split->reals, &capacity[3], reals_needed(problem) + 1, sizeof(double));
    status = status ? status : crn_reserve(&split->identities, &capacity[4], contacts + 1, sizeof(uint64_t));
    return status || !problem->bound ? status
                                     : crn_reserve(&split->bounds, &capacity[5], contacts + 1, sizeof(cairn_bound));
}

static int *take_ints(crn_island_split *split, int count)
{
    int *taken = split->ints + split->ints_used;
    split->ints_used += (size_t)count;
    assert(split->ints_used <= split->capacity[2]);
    return taken;
}

static double *take_reals(crn_island_split *split, int count)
{
    double *taken = split->reals + split->reals_used;
    split->reals_used += (size_t)count;
    assert(split->reals_used <= split->capacity[3]);
    return taken;
}

/* A copy of `count` values from `from`, taken. */
static void copy_reals(crn_island_split *split, const double *from, int count)
{
    double *to = take_reals(split, count);
    for (int i = 0; i < count; ++i)
        to[i] = from[i];
}

/* ----------------------------------------------------------------------------------------------------------- parts */

static void copy_blocks(crn_island_split *split, const int *member, int count, const cairn_problem *problem,
                        cairn_problem *part)
{
    part->block_count = count;
    part->block_start = take_ints(split, count + 1);
    part->block_start[0] = 0;
    part->p = take_reals(split, 0);
    for (int i = 0; i < count; ++i)
    {
        int start = problem->block_start[member[i]];
        int size = problem->block_start[member[i] + 1] - start;
        split->local[member[i]] = i;
        part->block_start[i + 1] = part->block_start[i] + size;
        copy_reals(split, problem->p + start, size);
    }
    part->n = part->block_start[count];
    part->length = problem->length ? take_reals(split, 0) : NULL;
    for (int i = 0; i < count && problem->length; ++i)
    {
        int start = problem->block_start[member[i]];
        copy_reals(split, problem->length + start, problem->block_start[member[i] + 1] - start);
    }
}

static int matrix_entries(const cairn_block_matrix *A, const int *member, int count)
{
    int entries = 0;
    for (int i = 0; i < count; ++i)
        entries += A->row_start[member[i] + 1] - A->row_start[member[i]];
    return entries;
}

static cairn_block_matrix copy_matrix(crn_island_split *split, const cairn_block_matrix *A, const int *member,
                                      int count, const int *block_start)
{
    int entries = matrix_entries(A, member, count);
    cairn_block_matrix part = {.block_count = count, .block_start = block_start};
    part.row_start = take_ints(split, count + 1);
    part.column = take_ints(split, entries);
    part.value_start = take_ints(split, entries + 1);
    part.value = take_reals(split, 0);
    part.row_start[0] = part.value_start[0] = 0;
    int at = 0;
    for (int i = 0; i < count; ++i)
    {
        for (int e = A->row_start[member[i]]; e < A->row_start[member[i] + 1]; ++e, ++at)
        {
            int values = A->value_start[e + 1] - A->value_start[e];
            part.column[at] = split->local[A->column[e]];
            part.value_start[at + 1] = part.value_start[at] + values;
            copy_reals(split, A->value + A->value_start[e], values);
        }
        part.row_start[i + 1] = at;
    }
    return part;
}

static int row_entries(const cairn_block_rows *B, const int *member, int count)
{
    int entries = 0;
    for (int i = 0; i < count; ++i)
        entries += B->entry_start[member[i] + 1] - B->entry_start[member[i]];
    return entries;
}

static cairn_block_rows copy_rows(crn_island_split *split, const cairn_block_rows *B, const int *member, int count)
{
    int entries = row_entries(B, member, count);
    cairn_block_rows part = {.item_count = count};
    part.row_start = take_ints(split, count + 1);
    part.entry_start = take_ints(split, count + 1);
    part.block = take_ints(split, entries);
    part.value_start = take_ints(split, entries + 1);
    part.value = take_reals(split, 0);
    part.row_start[0] = part.entry_start[0] = part.value_start[0] = 0;
    int at = 0;
    for (int i = 0; i < count; ++i)
    {
        int item = member[i];
        for (int e = B->entry_start[item]; e < B->entry_start[item + 1]; ++e, ++at)
        {
            int values = B->value_start[e + 1] - B->value_start[e];
            part.block[at] = split->local[B->block[e]];
            part.value_start[at + 1] = part.value_start[at] + values;
            copy_reals(split, B->value + B->value_start[e], values);
        }
        part.entry_start[i + 1] = at;
        part.row_start[i + 1] = part.row_start[i] + B->row_start[item + 1] - B->row_start[item];
    }
    return part;
}

/* The values of x that belong to the rows of some items. */
static double *copy_by_rows(crn_island_split *split, const cairn_block_rows *B, const int *member, int count,
                            const double *x)
{
    double *taken = take_reals(split, 0);
    for (int i = 0; i < count; ++i)
    {
        int first = B->row_start[member[i]];
        copy_reals(split, x + first, B->row_start[member[i] + 1] - first);
    }
    return taken;
}

static void copy_joints(crn_island_split *split, const int *member, int count, const cairn_problem *problem,
                        cairn_problem *part)
{
    part->G = copy_rows(split, &problem->G, member, count);
    part->joint_rows = part->G.row_start[count];
    part->R_c = copy_by_rows(split, &problem->G, member, count, problem->R_c);
    part->b = copy_by_rows(split, &problem->G, member, count, problem->b);
    part->joint_weight =
        problem->joint_weight ? copy_by_rows(split, &problem->G, member, count, problem->joint_weight) : NULL;
    part->joint_length =
        problem->joint_length ? copy_by_rows(split, &problem->G, member, count, problem->joint_length) : NULL;
}

/* One value a contact of x, which may be missing. */
static double *copy_by_contact(crn_island_split *split, const int *member, int count, const double *x)
{
    double *taken = x ? take_reals(split, count) : NULL;
    for (int i = 0; i < count && x; ++i)
        taken[i] = x[member[i]];
    return taken;
}

/* The place of an item among the members of its island, which ascend. */
static int place_of(const int *member, int count, int item)
{
    int low = 0, high = count;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        low = member[middle] <= item ? middle : low;
        high = member[middle] <= item ? high : middle;
    }
    assert(count > 0 && member[low] == item);
    return low;
}

/* Bounded rows refer to items of their own island. */
static cairn_bound *copy_bounds(crn_island_split *split, const int *member, int count, const cairn_bound *bound)
{
    cairn_bound *taken = split->bounds + split->bounds_used;
    split->bounds_used += (size_t)count;
    assert(split->bounds_used <= split->capacity[5]);
    for (int i = 0; i < count; ++i)
    {
        taken[i] = bound[member[i]];
        if (taken[i].is_row && taken[i].by >= 0)
            taken[i].by = place_of(member, count, taken[i].by);
    }
    return taken;
}

static void copy_contacts(crn_island_split *split, const int *member, int count, const cairn_problem *problem,
                          cairn_problem *part)
{
    part->contact_count = count;
    part->H = copy_rows(split, &problem->H, member, count);
    part->w = copy_by_rows(split, &problem->H, member, count, problem->w);
    part->mu = copy_by_contact(split, member, count, problem->mu);
    part->radius = copy_by_contact(split, member, count, problem->radius);
    part->weight = copy_by_contact(split, member, count, problem->weight);
    part->bound = problem->bound ? copy_bounds(split, member, count, problem->bound) : NULL;
    part->identity = split->identities + split->identities_used;
    split->identities_used += (size_t)count;
    for (int i = 0; i < count; ++i)
        part->identity[i] = problem->identity[member[i]];
}

/* The contacts of a patch stay neighbours, and so do patches: contacts without one stand before or after all of them.
 * Patches that share their matrix go on doing so. */
static void copy_patches(crn_island_split *split, const int *member, int count, const int *contact,
                         const cairn_problem *problem, cairn_problem *part)
{
    int place = 0;
    part->patch_count = count;
    part->patch_start = take_ints(split, count + 1);
    part->R_start = take_ints(split, count);
    part->R = take_reals(split, 0);
    for (int k = 0, values = 0; k < count; ++k)
    {
        int first = problem->patch_start[member[k]];
        int size = (int)patch_values(problem, member[k]);
        while (contact[place] < first)
            ++place;
        part->patch_start[k] = place;
        part->patch_start[k + 1] = place + problem->patch_start[member[k] + 1] - first;
        const double *R = problem->R + problem->R_start[member[k]];
        if (k > 0 && problem->R_start[member[k]] == problem->R_start[member[k - 1]] &&
            size == (int)patch_values(problem, member[k - 1]))
        {
            part->R_start[k] = part->R_start[k - 1];
            continue;
        }
        part->R_start[k] = values;
        copy_reals(split, R, size);
        values += size;
    }
}

static void copy_part(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem,
                      const double *guess, int group)
{
    const int *block = islands->blocks.member + islands->blocks.start[group];
    const int *joint = islands->joints.member + islands->joints.start[group];
    const int *contact = islands->contacts.member + islands->contacts.start[group];
    const int *patch = islands->patches.member + islands->patches.start[group];
    int contacts = crn_members_count(&islands->contacts, group);
    cairn_problem *part = &split->part[group].problem;
    *part = (cairn_problem){.dim = problem->dim, .law = problem->law};
    copy_blocks(split, block, crn_members_count(&islands->blocks, group), problem, part);
    part->A = copy_matrix(split, &problem->A, block, part->block_count, part->block_start);
    copy_joints(split, joint, crn_members_count(&islands->joints, group), problem, part);
    copy_contacts(split, contact, contacts, problem, part);
    copy_patches(split, patch, crn_members_count(&islands->patches, group), contact, problem, part);
    split->part[group].guess = guess ? copy_by_rows(split, &problem->H, contact, contacts, guess) : NULL;
}

cairn_status crn_island_split_make(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem,
                                   const double *guess)
{
    if (reserve(split, islands, problem))
        return CAIRN_NO_MEMORY;
    for (int group = 0; group < islands->group_count; ++group)
        copy_part(split, islands, problem, guess, group);
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- merge */

static void merge_ranges(const crn_members *members, int group, const int *start, const double *from, double *to)
{
    for (int i = members->start[group]; i < members->start[group + 1]; ++i)
    {
        int first = start[members->member[i]];
        int end = start[members->member[i] + 1];
        for (int k = first; k < end; ++k)
            to[k] = *from++;
    }
}

void crn_island_merge(const crn_islands *islands, const cairn_problem *problem, int group, const cairn_solution *part,
                      cairn_solution *whole)
{
    merge_ranges(&islands->blocks, group, problem->block_start, part->v, whole->v);
    merge_ranges(&islands->joints, group, problem->G.row_start, part->c, whole->c);
    merge_ranges(&islands->contacts, group, problem->H.row_start, part->r, whole->r);
}
