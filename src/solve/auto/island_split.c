#include "solve/auto/island_split.h"

#include <assert.h>
#include <string.h>

void crn_island_split_release(crn_island_split *split)
{
    crn_arena_release(&split->memory);
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
    assert(patch >= 0 && patch < problem->patch_count);
    assert(problem->patch_start[patch] <= problem->patch_start[patch + 1]);
    size_t side = (size_t)problem->dim * (size_t)(problem->patch_start[patch + 1] - problem->patch_start[patch]);
    return side * side;
}

static const int FEW = 50; /* contacts */

bool crn_sparse_pays(int contacts, size_t blocks)
{
    assert(contacts >= 0);
    return contacts > FEW && 4 * blocks <= (size_t)contacts * (size_t)contacts;
}

static size_t sparse_entries(const cairn_problem *problem)
{
    return problem->W.block_count > 0 ? (size_t)problem->W.row_start[problem->W.block_count] : 0;
}

/* Blocks of W in the rows of some contacts. */
static size_t count_blocks(const cairn_problem *problem, const int *contact, int count)
{
    size_t blocks = 0;
    for (int i = 0; i < count && problem->W.block_count > 0; ++i)
        blocks += (size_t)(problem->W.row_start[contact[i] + 1] - problem->W.row_start[contact[i]]);
    return blocks;
}

/* Values of W in all parts, sparse where that pays and else dense. */
static size_t sparse_values(const cairn_problem *problem, const crn_islands *islands)
{
    size_t values = 0, dim = (size_t)problem->dim;
    for (int group = 0; group < islands->group_count && problem->W.block_count > 0; ++group)
    {
        int contacts = crn_members_count(&islands->contacts, group);
        size_t blocks = count_blocks(problem, islands->contacts.member + islands->contacts.start[group], contacts);
        bool sparse = crn_sparse_pays(contacts, blocks);
        values += dim * dim * (sparse ? blocks : (size_t)contacts * (size_t)contacts);
    }
    return values;
}

/* Each part has the arrays of a problem; index arrays that start at 0 have one entry more than items. */
static size_t ints_needed(const cairn_problem *problem, size_t groups)
{
    size_t blocks = (size_t)problem->block_count;
    size_t entries = blocks > 0 ? (size_t)problem->A.row_start[blocks] : 0;
    size_t rows = (size_t)problem->G.item_count + (size_t)problem->H.item_count;
    size_t row_entries = (size_t)entry_count(&problem->G) + (size_t)entry_count(&problem->H);
    size_t sparse = sparse_entries(problem) + (size_t)problem->W.block_count;
    return 2 * (blocks + entries + rows + row_entries + sparse + (size_t)problem->patch_count) + 15 * groups;
}

static size_t reals_needed(const cairn_problem *problem, const crn_islands *islands)
{
    size_t blocks = (size_t)problem->block_count;
    size_t contacts = (size_t)problem->contact_count;
    size_t A_values = blocks > 0 ? (size_t)problem->A.value_start[problem->A.row_start[blocks]] : 0;
    size_t R_values = sparse_values(problem, islands);
    for (int k = 0; k < problem->patch_count; ++k)
        R_values += patch_values(problem, k);
    return A_values + R_values + (size_t)value_count(&problem->G) + (size_t)value_count(&problem->H) +
           3 * (size_t)problem->n + 4 * (size_t)problem->joint_rows + (2 * (size_t)problem->dim + 3) * contacts;
}

static cairn_status reserve(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem)
{
    size_t groups = (size_t)islands->group_count;
    size_t contacts = (size_t)problem->contact_count;
    CRN_TRY(crn_reserve_all(
        &split->memory, CRN_ARRAY(split->part, groups), CRN_ARRAY(split->local, problem->block_count),
        CRN_ARRAY(split->ints, ints_needed(problem, groups)), CRN_ARRAY(split->reals, reals_needed(problem, islands)),
        CRN_ARRAY(split->local_contact, problem->W.block_count), CRN_ARRAY(split->identities, contacts),
        CRN_ARRAY(split->bounds, problem->bound ? contacts : 0)));
    split->next_int = split->ints;
    split->next_real = split->reals;
    split->next_identity = split->identities;
    split->next_bound = split->bounds;
    return CAIRN_OK;
}

static int *take_ints(crn_island_split *split, int count)
{
    assert(count >= 0);
    int *taken = split->next_int;
    split->next_int += count;
    return taken;
}

static double *take_reals(crn_island_split *split, int count)
{
    assert(count >= 0);
    double *taken = split->next_real;
    split->next_real += count;
    return taken;
}

/* Append `count` values to those taken. */
static void copy_reals(crn_island_split *split, const double *from, int count)
{
    double *to = take_reals(split, count);
    for (int i = 0; i < count; ++i)
        to[i] = from[i];
}

/* ----------------------------------------------------------------------------------------------------------- parts */

/* The values of x that belong to some blocks or items, whose ranges `start` gives. */
static double *copy_ranges(crn_island_split *split, const int *start, const int *member, int count, const double *x)
{
    double *taken = take_reals(split, 0);
    for (int i = 0; i < count; ++i)
        copy_reals(split, x + start[member[i]], start[member[i] + 1] - start[member[i]]);
    return taken;
}

static void copy_blocks(crn_island_split *split, const int *member, int count, const cairn_problem *problem,
                        cairn_problem *part)
{
    part->block_count = count;
    part->block_start = take_ints(split, count + 1);
    part->block_start[0] = 0;
    for (int i = 0; i < count; ++i)
    {
        int size = problem->block_start[member[i] + 1] - problem->block_start[member[i]];
        split->local[member[i]] = i;
        part->block_start[i + 1] = part->block_start[i] + size;
    }
    part->n = part->block_start[count];
    part->p = copy_ranges(split, problem->block_start, member, count, problem->p);
    if (problem->length)
        part->length = copy_ranges(split, problem->block_start, member, count, problem->length);
}

/* The entries of the rows of A, or of the items of G or H: entry e has the block index[e] and the values from
 * value_start[e] on. */
typedef struct entries
{
    int *start, *index, *value_start;
    double *value;
} entries;

static entries copy_entries(crn_island_split *split, const entries *from, const int *member, int count,
                            const int *local)
{
    int total = 0;
    for (int i = 0; i < count; ++i)
        total += from->start[member[i] + 1] - from->start[member[i]];
    entries part = {.start = take_ints(split, count + 1), .index = take_ints(split, total)};
    part.value_start = take_ints(split, total + 1);
    part.value = take_reals(split, 0);
    part.start[0] = part.value_start[0] = 0;
    int at = 0;
    for (int i = 0; i < count; ++i)
    {
        for (int e = from->start[member[i]]; e < from->start[member[i] + 1]; ++e, ++at)
        {
            int values = from->value_start[e + 1] - from->value_start[e];
            part.index[at] = local[from->index[e]];
            part.value_start[at + 1] = part.value_start[at] + values;
            copy_reals(split, from->value + from->value_start[e], values);
        }
        part.start[i + 1] = at;
    }
    return part;
}

static cairn_block_matrix copy_matrix(crn_island_split *split, const cairn_block_matrix *A, const int *member,
                                      int count, const int *local, const int *block_start)
{
    entries part =
        copy_entries(split, &(entries){A->row_start, A->column, A->value_start, A->value}, member, count, local);
    return (cairn_block_matrix){.block_count = count,
                                .block_start = block_start,
                                .row_start = part.start,
                                .column = part.index,
                                .value_start = part.value_start,
                                .value = part.value};
}

static cairn_block_rows copy_rows(crn_island_split *split, const cairn_block_rows *B, const int *member, int count)
{
    entries part = copy_entries(split, &(entries){B->entry_start, B->block, B->value_start, B->value}, member, count,
                                split->local);
    int *row_start = take_ints(split, count + 1);
    row_start[0] = 0;
    for (int i = 0; i < count; ++i)
        row_start[i + 1] = row_start[i] + B->row_start[member[i] + 1] - B->row_start[member[i]];
    return (cairn_block_rows){.item_count = count,
                              .row_start = row_start,
                              .entry_start = part.start,
                              .block = part.index,
                              .value_start = part.value_start,
                              .value = part.value};
}

static void copy_joints(crn_island_split *split, const int *member, int count, const cairn_problem *problem,
                        cairn_problem *part)
{
    const int *start = problem->G.row_start;
    part->G = copy_rows(split, &problem->G, member, count);
    part->joint_rows = part->G.row_start[count];
    part->R_c = copy_ranges(split, start, member, count, problem->R_c);
    part->b = copy_ranges(split, start, member, count, problem->b);
    if (problem->joint_weight)
        part->joint_weight = copy_ranges(split, start, member, count, problem->joint_weight);
    if (problem->joint_length)
        part->joint_length = copy_ranges(split, start, member, count, problem->joint_length);
}

/* One value per contact; x may be missing. */
static double *copy_by_contact(crn_island_split *split, const int *member, int count, const double *x)
{
    double *taken = x ? take_reals(split, count) : NULL;
    for (int i = 0; i < count && x; ++i)
        taken[i] = x[member[i]];
    return taken;
}

/* The place of an item among the ascending members of its island. */
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

/* Bounded rows refer to items of their own island, by its numbering. */
static cairn_bound *copy_bounds(crn_island_split *split, const int *member, int count, const cairn_bound *bound)
{
    cairn_bound *taken = split->next_bound;
    split->next_bound += count;
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
    part->w = copy_ranges(split, problem->H.row_start, member, count, problem->w);
    part->mu = copy_by_contact(split, member, count, problem->mu);
    part->radius = copy_by_contact(split, member, count, problem->radius);
    part->weight = copy_by_contact(split, member, count, problem->weight);
    part->bound = problem->bound ? copy_bounds(split, member, count, problem->bound) : NULL;
    part->identity = split->next_identity;
    split->next_identity += count;
    for (int i = 0; i < count; ++i)
        part->identity[i] = problem->identity[member[i]];
}

/* The contacts of a patch stay neighbours, and so do patches: contacts without a patch come before or after all of them.
 * Patches that share a matrix still share it in the copy. */
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

/* One patch with the blocks of W in it. */
static void fill_patch(crn_island_split *split, const int *contact, int count, const cairn_block_matrix *W,
                       cairn_problem *part)
{
    int dim = part->dim;
    size_t side = (size_t)dim * (size_t)count;
    part->patch_count = 1;
    part->patch_start = take_ints(split, 2);
    part->patch_start[0] = 0;
    part->patch_start[1] = count;
    part->R_start = take_ints(split, 1);
    part->R_start[0] = 0;
    part->R = take_reals(split, (int)(side * side));
    memset(part->R, 0, side * side * sizeof(double));
    for (int i = 0; i < count; ++i)
    {
        for (int e = W->row_start[contact[i]]; e < W->row_start[contact[i] + 1]; ++e)
        {
            double *R = part->R + (size_t)(i * dim) * side + (size_t)(split->local_contact[W->column[e]] * dim);
            for (int k = 0; k < dim; ++k)
                memcpy(R + (size_t)k * side, W->value + W->value_start[e] + k * dim, (size_t)dim * sizeof(double));
        }
    }
}

/* Sparse blocks where these pay; a small or nearly full island becomes a patch, which every method takes at full speed. */
static void copy_sparse(crn_island_split *split, const int *contact, int count, const cairn_problem *problem,
                        cairn_problem *part)
{
    assert(part->H.item_count == count);
    for (int i = 0; i < count; ++i)
        split->local_contact[contact[i]] = i;
    if (crn_sparse_pays(count, count_blocks(problem, contact, count)))
        part->W = copy_matrix(split, &problem->W, contact, count, split->local_contact, part->H.row_start);
    else if (count > 0)
        fill_patch(split, contact, count, &problem->W, part);
}

static void copy_part(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem,
                      const double *guess, const double *before, int group)
{
    assert(group >= 0 && group < islands->group_count);
    const int *block = islands->blocks.member + islands->blocks.start[group];
    const int *joint = islands->joints.member + islands->joints.start[group];
    const int *contact = islands->contacts.member + islands->contacts.start[group];
    const int *patch = islands->patches.member + islands->patches.start[group];
    int contacts = crn_members_count(&islands->contacts, group);
    cairn_problem *part = &split->part[group].problem;
    *part = (cairn_problem){.dim = problem->dim, .law = problem->law};
    copy_blocks(split, block, crn_members_count(&islands->blocks, group), problem, part);
    part->A = copy_matrix(split, &problem->A, block, part->block_count, split->local, part->block_start);
    copy_joints(split, joint, crn_members_count(&islands->joints, group), problem, part);
    copy_contacts(split, contact, contacts, problem, part);
    copy_patches(split, patch, crn_members_count(&islands->patches, group), contact, problem, part);
    if (problem->W.block_count > 0)
        copy_sparse(split, contact, contacts, problem, part);
    split->part[group].guess = guess ? copy_ranges(split, problem->H.row_start, contact, contacts, guess) : NULL;
    split->part[group].before =
        before ? copy_ranges(split, problem->block_start, block, part->block_count, before) : NULL;
}

cairn_status crn_island_split_make(crn_island_split *split, const crn_islands *islands, const cairn_problem *problem,
                                   const double *guess, const double *before)
{
    CRN_TRY(reserve(split, islands, problem));
    for (int group = 0; group < islands->group_count; ++group)
        copy_part(split, islands, problem, guess, before, group);
    assert(split->next_int <= split->ints + ints_needed(problem, (size_t)islands->group_count));
    assert(split->next_real <= split->reals + reals_needed(problem, islands));
    assert(split->next_identity == split->identities + problem->contact_count);
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
    assert(part->n <= whole->n);
    assert(part->contact_rows == problem->dim * crn_members_count(&islands->contacts, group));
    merge_ranges(&islands->blocks, group, problem->block_start, part->v, whole->v);
    merge_ranges(&islands->joints, group, problem->G.row_start, part->c, whole->c);
    merge_ranges(&islands->contacts, group, problem->H.row_start, part->r, whole->r);
}
