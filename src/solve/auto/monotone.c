#include "solve/auto/monotone.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "linalg/definite.h"
#include "linalg/saddle.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double ROUNDING =
    1e-12; /* of the largest entry: by how much rounding may leave a sum of products negative */

/* S: the symmetric part of R, raised by a rounding error; false when R is zero. */
static bool symmetric_part(int rows, const double *R, double *S)
{
    double largest = 0.0;
    for (int i = 0; i < rows * rows; ++i)
        largest = fmax(largest, fabs(R[i]));
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j)
            S[i * rows + j] = 0.5 * R[i * rows + j] + 0.5 * R[j * rows + i] + (i == j ? ROUNDING * largest : 0.0);
    return largest > 0.0;
}

/* Whether the sparse blocks are monotone: their symmetric part, raised by a rounding error, has only positive pivots. */
static cairn_status check_blocks(const cairn_block_matrix *W, bool *monotone)
{
    int values = W->value_start[W->row_start[W->block_count]];
    cairn_problem raised = {.block_count = W->block_count, .n = W->block_start[W->block_count], .A = *W};
    raised.block_start = (int *)W->block_start;
    raised.A.value = malloc(((size_t)values + 1) * sizeof(double));
    crn_saddle *saddle = crn_saddle_create();
    cairn_status status = raised.A.value && saddle ? CAIRN_OK : CAIRN_NO_MEMORY;
    if (!status)
    {
        double largest = 0.0;
        for (int i = 0; i < values; ++i)
            largest = fmax(largest, fabs(W->value[i]));
        crn_matrix_symmetric_part(W, W->block_start, raised.A.value);
        for (int j = 0; j < W->block_count; ++j)
        {
            int size = W->block_start[j + 1] - W->block_start[j];
            double *own = raised.A.value + W->value_start[crn_matrix_find(W, j, j)];
            for (int k = 0; k < size; ++k)
                own[k * (size + 1)] += ROUNDING * largest;
        }
        status = crn_saddle_factorise(saddle, NULL, &raised);
        *monotone = !status || largest == 0.0;
        status = status == CAIRN_NUMERIC ? CAIRN_OK : status;
    }
    crn_saddle_destroy(saddle);
    free(raised.A.value);
    return status;
}

cairn_status crn_find_not_monotone(const cairn_problem *problem, int *patch)
{
    assert(problem->dim == 2 || problem->dim == 3);
    double *S = NULL;
    size_t capacity = 0;
    *patch = -1;
    if (problem->W.block_count > 0)
    {
        bool monotone = true;
        CRN_TRY(check_blocks(&problem->W, &monotone));
        *patch = monotone ? -1 : 0;
        return CAIRN_OK;
    }
    for (int k = 0; k < problem->patch_count && *patch < 0; ++k)
    {
        int rows = problem->dim * (problem->patch_start[k + 1] - problem->patch_start[k]);
        if (crn_reserve(&S, &capacity, (size_t)rows * (size_t)rows + 1, sizeof(double)))
        {
            free(S);
            return CAIRN_NO_MEMORY;
        }
        bool some = symmetric_part(rows, problem->R + problem->R_start[k], S);
        *patch = some && !crn_definite_factorise(rows, S) ? k : -1;
    }
    free(S);
    return CAIRN_OK;
}

/* Where A itself is at fault, its factorisation says so. */
static cairn_status factorise_bodies(cairn_context *context, const cairn_problem *problem)
{
    if (problem->block_count == 0)
        return CAIRN_OK;
    crn_saddle *saddle = crn_saddle_create();
    cairn_status status = saddle ? crn_saddle_factorise(saddle, context, problem) : CAIRN_NO_MEMORY;
    crn_saddle_destroy(saddle);
    return status;
}

cairn_status crn_tell_numeric(cairn_context *context, const cairn_problem *problem)
{
    int patch = -1;
    CRN_TRY(factorise_bodies(context, problem));
    CRN_TRY(crn_find_not_monotone(problem, &patch));
    if (patch >= 0 && problem->W.block_count > 0)
        return crn_fail(context, CAIRN_NUMERIC, "the matrix W of the contacts is not positive semidefinite");
    return patch >= 0 ? crn_fail(context, CAIRN_NUMERIC,
                                 "the compliance R of patch %d (contacts %d to %d) is not positive semidefinite", patch,
                                 problem->patch_start[patch], problem->patch_start[patch + 1] - 1)
                      : crn_fail(context, CAIRN_NUMERIC,
                                 "a matrix could not be factorised: its numbers are too far apart for this solver");
}
