#include "solve/hold/hold_system.h"

#include <assert.h>
#include <string.h>

bool crn_hold_system_open(crn_hold_system *system)
{
    system->saddle = crn_saddle_create();
    return system->saddle;
}

void crn_hold_system_close(crn_hold_system *system)
{
    crn_saddle_destroy(system->saddle);
    crn_arena_release(&system->memory);
    memset(system, 0, sizeof *system);
}

/* --------------------------------------------------------------------------------------------------------- pattern */

/* Entries of each row before repetitions are removed: those of A, and the other blocks of each item. row_start[i + 1] counts
 * row i; returns the number of all. */
static int count_entries(const cairn_problem *problem, int *row_start)
{
    const cairn_block_rows *H = &problem->H;
    row_start[0] = 0;
    for (int i = 0; i < problem->block_count; ++i)
        row_start[i + 1] = problem->A.row_start[i + 1] - problem->A.row_start[i];
    for (int j = 0; j < H->item_count; ++j)
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
            row_start[H->block[e] + 1] += H->entry_start[j + 1] - H->entry_start[j] - 1;
    for (int i = 0; i < problem->block_count; ++i)
        row_start[i + 1] += row_start[i];
    return row_start[problem->block_count];
}

/* Insert a column into an ascending row that ends at `end`, unless it is there; returns the new end. Contacts of the same
 * bodies follow each other, so the search from the end is short. */
static int insert(int *column, int start, int end, int value)
{
    assert(start <= end);
    int at = end;
    while (at > start && column[at - 1] > value)
        --at;
    if (at > start && column[at - 1] == value)
        return end;
    memmove(column + at + 1, column + at, (size_t)(end - at) * sizeof(int));
    column[at] = value;
    return end + 1;
}

static void fill_columns(crn_hold_system *system, const cairn_problem *problem)
{
    const cairn_block_rows *H = &problem->H;
    cairn_block_matrix *A = &system->aux.A;
    for (int i = 0; i < problem->block_count; ++i)
    {
        system->next[i] = A->row_start[i];
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
            system->next[i] = insert(A->column, A->row_start[i], system->next[i], problem->A.column[e]);
    }
    for (int j = 0; j < H->item_count; ++j)
    {
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            int i = H->block[e];
            for (int other = H->entry_start[j]; other < H->entry_start[j + 1]; ++other)
                if (other != e)
                    system->next[i] = insert(A->column, A->row_start[i], system->next[i], H->block[other]);
        }
    }
}

/* Close the gaps that repetitions left, and number the values. Returns how many there are. */
static int close_gaps(crn_hold_system *system, const cairn_problem *problem)
{
    cairn_block_matrix *A = &system->aux.A;
    const int *start = problem->block_start;
    int count = 0, values = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = A->row_start[i];
        A->row_start[i] = count;
        for (int e = first; e < system->next[i]; ++e, ++count)
        {
            int column = A->column[e];
            A->column[count] = column;
            A->value_start[count] = values;
            values += (start[i + 1] - start[i]) * (start[column + 1] - start[column]);
        }
    }
    A->row_start[problem->block_count] = count;
    A->value_start[count] = values;
    return values;
}

cairn_status crn_hold_system_arrange(crn_hold_system *system, const cairn_problem *problem)
{
    assert(problem->H.item_count == problem->contact_count);
    cairn_problem *aux = &system->aux;
    size_t blocks = (size_t)problem->block_count + 1;
    CRN_TRY(crn_reserve_all(&system->memory, CRN_ARRAY(aux->A.row_start, blocks), CRN_ARRAY(system->next, blocks)));
    size_t entries = (size_t)count_entries(problem, aux->A.row_start) + 1;
    CRN_TRY(
        crn_reserve_all(&system->memory, CRN_ARRAY(aux->A.column, entries), CRN_ARRAY(aux->A.value_start, entries)));
    fill_columns(system, problem);
    int values = close_gaps(system, problem);
    aux->dim = problem->dim;
    aux->n = problem->n;
    aux->block_count = aux->A.block_count = problem->block_count;
    aux->block_start = problem->block_start;
    aux->A.block_start = problem->block_start;
    aux->joint_rows = problem->joint_rows;
    aux->G = problem->G;
    aux->R_c = problem->R_c;
    return crn_reserve_all(&system->memory, CRN_ARRAY(aux->A.value, values + 1));
}

/* ---------------------------------------------------------------------------------------------------------- values */

static double *values_at(const cairn_block_matrix *A, int i, int column)
{
    int e = A->row_start[i];
    while (A->column[e] < column)
        ++e;
    assert(e < A->row_start[i + 1] && A->column[e] == column);
    return A->value + A->value_start[e];
}

/* Rows of one block of an item. */
typedef struct rows_of
{
    int block, size;
    const double *value;
} rows_of;

static rows_of find_rows(const cairn_problem *problem, int e)
{
    int block = problem->H.block[e];
    return (rows_of){block, problem->block_start[block + 1] - problem->block_start[block],
                     problem->H.value + problem->H.value_start[e]};
}

/* to += penalty left'right over the first `held` rows. */
static void add_product(int held, double penalty, rows_of left, rows_of right, double *to)
{
    for (int k = 0; k < held; ++k)
    {
        for (int a = 0; a < left.size; ++a)
        {
            double f = penalty * left.value[k * left.size + a];
            for (int b = 0; b < right.size; ++b)
                to[a * right.size + b] += f * right.value[k * right.size + b];
        }
    }
}

static void copy_bodies(cairn_block_matrix *to, const cairn_problem *problem)
{
    const cairn_block_matrix *A = &problem->A;
    memset(to->value, 0, (size_t)to->value_start[to->row_start[problem->block_count]] * sizeof(double));
    for (int i = 0; i < problem->block_count; ++i)
    {
        for (int e = A->row_start[i]; e < A->row_start[i + 1]; ++e)
        {
            size_t count = (size_t)(A->value_start[e + 1] - A->value_start[e]);
            memcpy(values_at(to, i, A->column[e]), A->value + A->value_start[e], count * sizeof(double));
        }
    }
}

cairn_status crn_hold_system_factorise(crn_hold_system *system, const cairn_problem *problem, const int *held,
                                       const double *penalty)
{
    assert(system->aux.n == problem->n);
    const cairn_block_rows *H = &problem->H;
    copy_bodies(&system->aux.A, problem);
    for (int j = 0; j < H->item_count; ++j)
    {
        assert(held[j] <= problem->dim);
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1] && held[j] > 0; ++e)
        {
            rows_of left = find_rows(problem, e);
            for (int other = H->entry_start[j]; other < H->entry_start[j + 1]; ++other)
            {
                rows_of right = find_rows(problem, other);
                add_product(held[j], penalty[j], left, right, values_at(&system->aux.A, left.block, right.block));
            }
        }
    }
    return crn_saddle_factorise(system->saddle, NULL, &system->aux);
}
