#include "solve/gradient/admm_system.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool crn_admm_system_open(crn_admm_system *system)
{
    system->saddle = crn_saddle_create();
    return system->saddle;
}

void crn_admm_system_close(crn_admm_system *system)
{
    crn_saddle_destroy(system->saddle);
    crn_arena_release(&system->memory);
    memset(system, 0, sizeof *system);
}

/* A patch is one group; a contact outside all patches is a group of its own. */
static void find_groups(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    int count = 0;
    int patch = 0;
    for (int j = 0; j < problem->contact_count;)
    {
        while (patch < problem->patch_count && problem->patch_start[patch + 1] <= j)
            ++patch;
        system->group_start[count++] = j;
        bool inside = patch < problem->patch_count && problem->patch_start[patch] <= j;
        j = inside ? problem->patch_start[patch + 1] : j + 1;
    }
    system->group_start[count] = problem->contact_count;
    system->group_count = count;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* List the bodies that each group touches, once each. */
static void find_pairs(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    int count = 0;
    for (int i = 0; i < problem->block_count; ++i)
        system->mark[i] = -1;
    for (int g = 0; g < system->group_count; ++g)
    {
        int first = problem->H.entry_start[system->group_start[g]];
        int end = problem->H.entry_start[system->group_start[g + 1]];
        system->pair_start[g] = count;
        for (int e = first; e < end; ++e)
        {
            int block = problem->H.block[e];
            if (system->mark[block] != g)
            {
                system->mark[block] = g;
                system->pair_block[count++] = block;
            }
        }
        int start = system->pair_start[g];
        qsort(system->pair_block + start, (size_t)(count - start), sizeof(int), ascending);
    }
    system->pair_start[system->group_count] = count;
}

static int body_size(const crn_admm_system *system, int block)
{
    assert(block >= 0 && block < system->problem->block_count);
    return system->problem->block_start[block + 1] - system->problem->block_start[block];
}

static int group_rows(const crn_admm_system *system, int g)
{
    assert(g >= 0 && g < system->group_count);
    return (system->group_start[g + 1] - system->group_start[g]) * system->problem->dim;
}

static cairn_status reserve_groups(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t entries = problem->contact_count ? (size_t)problem->H.entry_start[problem->contact_count] : 0;
    size_t blocks = (size_t)problem->block_count + 1;
    return crn_reserve_all(&system->memory, CRN_ARRAY(system->group_start, contacts),
                           CRN_ARRAY(system->pair_start, contacts), CRN_ARRAY(system->pair_block, entries + 1),
                           CRN_ARRAY(system->fill, blocks), CRN_ARRAY(system->mark, blocks));
}

static cairn_status reserve_aux(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    cairn_block_matrix *A = &system->aux.A;
    size_t blocks = (size_t)problem->block_count + (size_t)system->group_count + 1;
    size_t old_entries = problem->block_count ? (size_t)problem->A.row_start[problem->block_count] : 0;
    size_t values = old_entries ? (size_t)problem->A.value_start[old_entries] : 0;
    size_t pairs = (size_t)system->pair_start[system->group_count];
    size_t entries = old_entries + 2 * pairs + (size_t)system->group_count + 1;
    if (problem->W.block_count > 0)
    {
        entries += (size_t)problem->W.row_start[problem->W.block_count];
        values += (size_t)problem->W.value_start[problem->W.row_start[problem->W.block_count]];
    }
    for (int g = 0; g < system->group_count; ++g)
    {
        values += (size_t)group_rows(system, g) * (size_t)group_rows(system, g);
        for (int e = system->pair_start[g]; e < system->pair_start[g + 1]; ++e)
            values += 2 * (size_t)group_rows(system, g) * (size_t)body_size(system, system->pair_block[e]);
    }
    size_t n = (size_t)problem->n + (size_t)(problem->dim * problem->contact_count) + 1;
    return crn_reserve_all(&system->memory, CRN_ARRAY(system->aux.block_start, blocks), CRN_ARRAY(A->row_start, blocks),
                           CRN_ARRAY(A->column, entries), CRN_ARRAY(A->value_start, entries),
                           CRN_ARRAY(A->value, values + 1), CRN_ARRAY(system->v, n),
                           CRN_ARRAY(system->c, problem->joint_rows + 1));
}

/* Entries of each body's row: its own, then the groups that touch it; system->fill ends as where those begin. */
static void count_rows(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    int *row_start = system->aux.A.row_start;
    int bodies = problem->block_count;
    memset(row_start, 0, ((size_t)bodies + 1) * sizeof(int));
    for (int e = 0; e < system->pair_start[system->group_count]; ++e)
        row_start[system->pair_block[e] + 1]++;
    for (int i = 0; i < bodies; ++i)
    {
        int own = problem->A.row_start[i + 1] - problem->A.row_start[i];
        system->fill[i] = row_start[i] + own;
        row_start[i + 1] += row_start[i] + own;
    }
    const int *sparse = problem->W.block_count > 0 ? problem->W.row_start : NULL;
    for (int g = 0; g < system->group_count; ++g)
    {
        int own = system->pair_start[g + 1] - system->pair_start[g] + (sparse ? sparse[g + 1] - sparse[g] : 1);
        row_start[bodies + g + 1] = row_start[bodies + g] + own;
    }
}

/* Columns first, sizes after: the sizes run on from row to row. */
static void lay_out(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    cairn_block_matrix *A = &system->aux.A;
    int bodies = problem->block_count;
    const int *start = system->aux.block_start;
    count_rows(system);
    for (int i = 0; i < bodies; ++i)
    {
        int own = problem->A.row_start[i + 1] - problem->A.row_start[i];
        memcpy(A->column + A->row_start[i], problem->A.column + problem->A.row_start[i], (size_t)own * sizeof(int));
    }
    for (int g = 0; g < system->group_count; ++g)
    {
        int e = A->row_start[bodies + g];
        for (int pair = system->pair_start[g]; pair < system->pair_start[g + 1]; ++pair)
        {
            A->column[e++] = system->pair_block[pair];
            A->column[system->fill[system->pair_block[pair]]++] = bodies + g;
        }
        A->column[e] = bodies + g;
    }
    if (problem->W.block_count > 0) /* no bodies: the groups are the contacts, and W has all blocks */
        memcpy(A->column, problem->W.column, (size_t)A->row_start[A->block_count] * sizeof(int));
    A->value_start[0] = 0;
    for (int i = 0; i < A->block_count; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            int columns = start[A->column[e] + 1] - start[A->column[e]];
            A->value_start[e + 1] = A->value_start[e] + (start[i + 1] - start[i]) * columns;
        }
    }
}

cairn_status crn_admm_system_build(crn_admm_system *system, const cairn_problem *problem)
{
    cairn_problem *aux = &system->aux;
    int bodies = problem->block_count;
    system->problem = problem;
    CRN_TRY(reserve_groups(system));
    find_groups(system);
    find_pairs(system);
    CRN_TRY(reserve_aux(system));
    aux->block_count = bodies + system->group_count;
    aux->n = problem->n + problem->dim * problem->contact_count;
    aux->joint_rows = problem->joint_rows;
    aux->G = problem->G;
    aux->R_c = problem->R_c;
    aux->block_start[0] = 0;
    for (int i = 0; i < bodies; ++i)
        aux->block_start[i] = problem->block_start[i];
    for (int g = 0; g <= system->group_count; ++g)
        aux->block_start[bodies + g] = problem->n + problem->dim * system->group_start[g];
    aux->A.block_count = aux->block_count;
    aux->A.block_start = aux->block_start;
    lay_out(system);
    return CAIRN_OK;
}

/* Where block (i, j) of the auxiliary A has its values; columns ascend. */
static double *values_at(const crn_admm_system *system, int i, int j)
{
    const cairn_block_matrix *A = &system->aux.A;
    int low = A->row_start[i];
    int high = A->row_start[i + 1] - 1;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (A->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    assert(A->column[low] == j);
    return A->value + A->value_start[low];
}

/* H_j and -H_j' of one contact into their blocks; `first` is its first row in the group. */
static void fill_contact(crn_admm_system *system, int g, int j, int first)
{
    assert(first + system->problem->dim <= group_rows(system, g));
    const cairn_problem *problem = system->problem;
    const cairn_block_rows *H = &problem->H;
    int rows = group_rows(system, g);
    int group_block = problem->block_count + g;
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int size = body_size(system, H->block[e]);
        const double *value = H->value + H->value_start[e];
        double *lower = values_at(system, group_block, H->block[e]);
        double *upper = values_at(system, H->block[e], group_block);
        for (int k = 0; k < problem->dim; ++k)
        {
            for (int i = 0; i < size; ++i)
            {
                lower[(first + k) * size + i] += value[k * size + i];
                upper[i * rows + first + k] -= value[k * size + i];
            }
        }
    }
}

static void fill_compliance(crn_admm_system *system)
{
    const cairn_problem *problem = system->problem;
    const cairn_block_matrix *W = &problem->W;
    if (W->block_count > 0)
        memcpy(system->aux.A.value, W->value, (size_t)W->value_start[W->row_start[W->block_count]] * sizeof(double));
    for (int k = 0, g = 0; k < problem->patch_count; ++k)
    {
        if (problem->patch_start[k + 1] == problem->patch_start[k])
            continue;
        while (system->group_start[g] < problem->patch_start[k])
            ++g;
        size_t rows = (size_t)group_rows(system, g);
        double *block = values_at(system, problem->block_count + g, problem->block_count + g);
        memcpy(block, problem->R + problem->R_start[k], rows * rows * sizeof(double));
    }
}

cairn_status crn_admm_system_factorise(crn_admm_system *system, double penalty, const double *weight)
{
    assert(penalty > 0.0);
    assert(system->aux.A.row_start[0] == 0);
    const cairn_problem *problem = system->problem;
    cairn_block_matrix *A = &system->aux.A;
    int dim = problem->dim;
    memset(A->value, 0, (size_t)A->value_start[A->row_start[A->block_count]] * sizeof(double));
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = problem->A.row_start[i];
        int count = problem->A.value_start[problem->A.row_start[i + 1]] - problem->A.value_start[first];
        memcpy(A->value + A->value_start[A->row_start[i]], problem->A.value + problem->A.value_start[first],
               (size_t)count * sizeof(double));
    }
    fill_compliance(system);
    for (int g = 0; g < system->group_count; ++g)
    {
        size_t rows = (size_t)group_rows(system, g);
        double *diagonal = values_at(system, problem->block_count + g, problem->block_count + g);
        for (int j = system->group_start[g]; j < system->group_start[g + 1]; ++j)
        {
            int first = (j - system->group_start[g]) * dim;
            fill_contact(system, g, j, first);
            for (int k = 0; k < dim; ++k)
                diagonal[(size_t)(first + k) * (rows + 1)] += penalty / weight[j];
        }
    }
    /* no message: a bad pivot of A and R together would be reported as one of A */
    return crn_saddle_factorise(system->saddle, NULL, &system->aux);
}

void crn_admm_system_solve(crn_admm_system *system, const double *g, double *x)
{
    const cairn_problem *problem = system->problem;
    size_t rows = (size_t)(problem->dim * problem->contact_count);
    if (problem->n > 0)
        memcpy(system->v, problem->p, (size_t)problem->n * sizeof(double));
    memcpy(system->v + problem->n, g, rows * sizeof(double));
    if (problem->joint_rows > 0)
        memcpy(system->c, problem->b, (size_t)problem->joint_rows * sizeof(double));
    crn_saddle_solve(system->saddle, system->v, system->c);
    memcpy(x, system->v + problem->n, rows * sizeof(double));
}
