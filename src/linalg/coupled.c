#include "linalg/coupled.h"

#include <assert.h>
#include <string.h>

void crn_coupled_release(crn_coupled *coupled)
{
    crn_arena_release(&coupled->memory);
    memset(coupled, 0, sizeof *coupled);
}

/* Entries of each row before repetitions are removed: those of A, and the other blocks of each item. row_start[i + 1] counts
 * row i. */
static void count_pairs(const cairn_block_rows *rows, int *row_start)
{
    for (int j = 0; j < rows->item_count; ++j)
        for (int e = rows->entry_start[j]; e < rows->entry_start[j + 1]; ++e)
            row_start[rows->block[e] + 1] += rows->entry_start[j + 1] - rows->entry_start[j] - 1;
}

/* Returns the number of all. */
static int count_entries(const cairn_problem *problem, bool joints, int *row_start)
{
    row_start[0] = 0;
    for (int i = 0; i < problem->block_count; ++i)
        row_start[i + 1] = problem->A.row_start[i + 1] - problem->A.row_start[i];
    count_pairs(&problem->H, row_start);
    if (joints)
        count_pairs(&problem->G, row_start);
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

static void insert_pairs(crn_coupled *coupled, const cairn_block_rows *rows)
{
    cairn_block_matrix *A = &coupled->matrix;
    for (int j = 0; j < rows->item_count; ++j)
    {
        for (int e = rows->entry_start[j]; e < rows->entry_start[j + 1]; ++e)
        {
            int i = rows->block[e];
            for (int other = rows->entry_start[j]; other < rows->entry_start[j + 1]; ++other)
                if (other != e)
                    coupled->next[i] = insert(A->column, A->row_start[i], coupled->next[i], rows->block[other]);
        }
    }
}

static void fill_columns(crn_coupled *coupled, const cairn_problem *problem, bool joints)
{
    cairn_block_matrix *A = &coupled->matrix;
    for (int i = 0; i < problem->block_count; ++i)
    {
        coupled->next[i] = A->row_start[i];
        for (int e = problem->A.row_start[i]; e < problem->A.row_start[i + 1]; ++e)
            coupled->next[i] = insert(A->column, A->row_start[i], coupled->next[i], problem->A.column[e]);
    }
    insert_pairs(coupled, &problem->H);
    if (joints)
        insert_pairs(coupled, &problem->G);
}

/* Close the gaps that repetitions left, and number the values. Returns how many there are. */
static int close_gaps(crn_coupled *coupled, const cairn_problem *problem)
{
    cairn_block_matrix *A = &coupled->matrix;
    const int *start = problem->block_start;
    int count = 0, values = 0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int first = A->row_start[i];
        A->row_start[i] = count;
        for (int e = first; e < coupled->next[i]; ++e, ++count)
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

cairn_status crn_coupled_arrange(crn_coupled *coupled, const cairn_problem *problem, bool joints)
{
    cairn_block_matrix *A = &coupled->matrix;
    size_t blocks = (size_t)problem->block_count + 1;
    CRN_TRY(crn_reserve_all(&coupled->memory, CRN_ARRAY(A->row_start, blocks), CRN_ARRAY(coupled->next, blocks)));
    size_t entries = (size_t)count_entries(problem, joints, A->row_start) + 1;
    CRN_TRY(crn_reserve_all(&coupled->memory, CRN_ARRAY(A->column, entries), CRN_ARRAY(A->value_start, entries)));
    fill_columns(coupled, problem, joints);
    coupled->values = close_gaps(coupled, problem);
    A->block_count = problem->block_count;
    A->block_start = problem->block_start;
    return crn_reserve_all(&coupled->memory, CRN_ARRAY(A->value, coupled->values + 1));
}

double *crn_coupled_at(const cairn_block_matrix *A, int i, int column)
{
    int e = A->row_start[i];
    while (A->column[e] < column)
        ++e;
    assert(e < A->row_start[i + 1] && A->column[e] == column);
    return A->value + A->value_start[e];
}
