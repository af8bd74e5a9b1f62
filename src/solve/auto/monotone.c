#include "solve/auto/monotone.h"

#include "base/memory.h"
#include "linalg/definite.h"
#include "linalg/saddle.h"

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

cairn_status crn_find_not_monotone(const cairn_problem *problem, int *patch)
{
    double *S = NULL;
    size_t capacity = 0;
    *patch = -1;
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
    return patch >= 0 ? crn_fail(context, CAIRN_NUMERIC,
                                 "the compliance R of patch %d (contacts %d to %d) is not positive semidefinite", patch,
                                 problem->patch_start[patch], problem->patch_start[patch + 1] - 1)
                      : crn_fail(context, CAIRN_NUMERIC,
                                 "a matrix could not be factorised: its numbers are too far apart for this solver");
}
