/* Symbolic work: which contacts are eliminated together, and the blocks of A that this fills.
 *
 * Compliance couples the contacts of a patch, so a patch is eliminated as a whole; a rigid contact is a group of its
 * own. A group fills the blocks (a, b) for all a and b it touches.
 */
#include "solve/newton/interior_point.h"

#include <assert.h>
#include <stdlib.h>

static cairn_status reserve_groups(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    size_t groups = (size_t)problem->contact_count + 2;
    size_t entries = problem->contact_count ? (size_t)problem->H.entry_start[problem->contact_count] + 1 : 1;
    size_t blocks = (size_t)problem->block_count + 1;
    return crn_reserve_all(&system->memory, CRN_ARRAY(system->group_start, groups), CRN_ARRAY(system->patch, groups),
                           CRN_ARRAY(system->touched_start, groups), CRN_ARRAY(system->E_start, groups),
                           CRN_ARRAY(system->touched, entries), CRN_ARRAY(system->mark, blocks),
                           CRN_ARRAY(system->place, blocks));
}

static void add_group(crn_ip_system *system, int first, int patch)
{
    assert(system->groups == 0 || first > system->group_start[system->groups - 1]);
    system->group_start[system->groups] = first;
    system->patch[system->groups++] = patch;
}

static void list_groups(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    int patch = 0;
    system->groups = 0;
    for (int j = 0; j < problem->contact_count;)
    {
        while (patch < problem->patch_count && problem->patch_start[patch + 1] <= j)
            ++patch;
        bool covered = patch < problem->patch_count && problem->patch_start[patch] <= j;
        add_group(system, j, covered ? patch : -1);
        j = covered ? problem->patch_start[patch + 1] : j + 1;
    }
    system->group_start[system->groups] = problem->contact_count;
}

/* Insertion sort for the few a contact touches, the library's for a large patch. */
static int compare(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort(int *list, int count)
{
    if (count > 64)
    {
        qsort(list, (size_t)count, sizeof(int), compare);
        return;
    }
    for (int i = 1; i < count; ++i)
    {
        int value = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > value; --k)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

/* The blocks of group g, appended at `end`; returns the new end. */
static int list_touched(crn_ip_system *system, int g, int end)
{
    const cairn_block_rows *H = &system->problem->H;
    int start = end;
    for (int e = H->entry_start[system->group_start[g]]; e < H->entry_start[system->group_start[g + 1]]; ++e)
    {
        if (system->mark[H->block[e]] != g)
        {
            system->mark[H->block[e]] = g;
            system->touched[end++] = H->block[e];
        }
    }
    sort(system->touched + start, end - start);
    return end;
}

cairn_status crn_ip_find_groups(crn_ip_system *system)
{
    assert(system->layout->cones == system->problem->contact_count);
    const cairn_problem *problem = system->problem;
    CRN_TRY(reserve_groups(system));
    list_groups(system);
    for (int i = 0; i < problem->block_count; ++i)
        system->mark[i] = -1;
    system->most_rows = system->most_columns = 0;
    system->touched_start[0] = system->E_start[0] = 0;
    for (int g = 0; g < system->groups; ++g)
    {
        int end = list_touched(system, g, system->touched_start[g]);
        int rows = system->layout->first[system->group_start[g + 1]] - system->layout->first[system->group_start[g]];
        int columns = 0;
        for (int k = system->touched_start[g]; k < end; ++k)
            columns += problem->block_start[system->touched[k] + 1] - problem->block_start[system->touched[k]];
        system->touched_start[g + 1] = end;
        system->E_start[g + 1] = system->E_start[g] + rows * rows;
        system->most_rows = rows > system->most_rows ? rows : system->most_rows;
        system->most_columns = columns > system->most_columns ? columns : system->most_columns;
    }
    return CAIRN_OK;
}

/* For each block row, room for its entries in A and one for each pair; more than distinct columns need. */
static int count_entries(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    int *count = system->place;
    int total = 0;
    for (int i = 0; i < problem->block_count; ++i)
        count[i] = problem->A.row_start[i + 1] - problem->A.row_start[i];
    for (int g = 0; g < system->groups; ++g)
    {
        int size = system->touched_start[g + 1] - system->touched_start[g];
        for (int k = system->touched_start[g]; k < system->touched_start[g + 1]; ++k)
            count[system->touched[k]] += size;
    }
    for (int i = 0; i < problem->block_count; ++i)
    {
        int entries = count[i];
        count[i] = total;
        total += entries;
    }
    return total;
}

/* All columns of all rows, with repetitions; place[i] ends up where row i ends. */
static void list_columns(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    for (int i = 0; i < problem->block_count; ++i)
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
            system->column[system->place[i]++] = problem->A.column[e];
    for (int g = 0; g < system->groups; ++g)
    {
        for (int k = system->touched_start[g]; k < system->touched_start[g + 1]; ++k)
            for (int l = system->touched_start[g]; l < system->touched_start[g + 1]; ++l)
                system->column[system->place[system->touched[k]]++] = system->touched[l];
    }
}

/* Sort each row's columns and drop the repetitions, moving the rows together. */
static void compress_columns(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    int end = 0;
    int start = 0;
    system->row_start[0] = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int count = system->place[i] - start;
        sort(system->column + start, count);
        for (int k = start; k < start + count; ++k)
            if (end == system->row_start[i] || system->column[end - 1] != system->column[k])
                system->column[end++] = system->column[k];
        start += count;
        system->row_start[i + 1] = end;
    }
}

static int number_values(crn_ip_system *system)
{
    const int *start = system->problem->block_start;
    int values = 0;
    for (int i = 0; i < system->problem->block_count; ++i)
    {
        for (int e = system->row_start[i]; e < system->row_start[i + 1]; ++e)
        {
            system->value_start[e] = values;
            values += (start[i + 1] - start[i]) * (start[system->column[e] + 1] - start[system->column[e]]);
        }
    }
    system->value_start[system->row_start[system->problem->block_count]] = values;
    return values;
}

cairn_status crn_ip_find_pattern(crn_ip_system *system)
{
    const cairn_problem *problem = system->problem;
    size_t entries = (size_t)count_entries(system) + 1;
    CRN_TRY(crn_reserve_all(&system->memory, CRN_ARRAY(system->row_start, problem->block_count + 1),
                            CRN_ARRAY(system->column, entries), CRN_ARRAY(system->value_start, entries)));
    list_columns(system);
    compress_columns(system);
    CRN_TRY(crn_reserve_all(&system->memory, CRN_ARRAY(system->value, number_values(system) + 1)));
    system->condensed = *problem;
    system->condensed.A = (cairn_block_matrix){.block_count = problem->block_count,
                                               .block_start = problem->block_start,
                                               .row_start = system->row_start,
                                               .column = system->column,
                                               .value_start = system->value_start,
                                               .value = system->value};
    return CAIRN_OK;
}
