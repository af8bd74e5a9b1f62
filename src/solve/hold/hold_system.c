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
    crn_coupled_release(&system->coupled);
    crn_forest_release(&system->forest);
    crn_arena_release(&system->memory);
    memset(system, 0, sizeof *system);
}

cairn_status crn_hold_system_arrange(crn_hold_system *system, const cairn_problem *problem, bool limbs)
{
    assert(problem->H.item_count == problem->contact_count);
    cairn_problem *aux = &system->aux;
    CRN_TRY(crn_coupled_arrange(&system->coupled, problem, false));
    aux->dim = problem->dim;
    aux->n = problem->n;
    aux->block_count = problem->block_count;
    aux->block_start = problem->block_start;
    aux->A = system->coupled.matrix;
    aux->joint_rows = problem->joint_rows;
    aux->G = problem->G;
    aux->R_c = problem->R_c;
    aux->p = problem->p;
    aux->b = problem->b;
    system->by_limbs = false;
    if (!limbs)
        return CAIRN_OK;
    CRN_TRY(
        crn_reserve_all(&system->memory, CRN_ARRAY(system->v, problem->n), CRN_ARRAY(system->c, problem->joint_rows)));
    return crn_forest_arrange(&system->forest, aux, &system->by_limbs);
}

/* ---------------------------------------------------------------------------------------------------------- values */

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
            memcpy(crn_coupled_at(to, i, A->column[e]), A->value + A->value_start[e], count * sizeof(double));
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
                add_product(held[j], penalty[j], left, right, crn_coupled_at(&system->aux.A, left.block, right.block));
            }
        }
    }
    system->by_limbs =
        system->by_limbs && crn_forest_factorise(&system->forest, &system->aux, CRN_KEPT_MOTIONS, system->v, system->c);
    return system->by_limbs ? CAIRN_OK : crn_saddle_factorise(system->saddle, NULL, &system->aux);
}

void crn_hold_system_solve(crn_hold_system *system, double *v, double *c)
{
    if (system->by_limbs)
        crn_forest_solve(&system->forest, &system->aux, v, c);
    else
        crn_saddle_solve(system->saddle, v, c);
}
