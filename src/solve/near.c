#include "solve/near.h"

#include "base/memory.h"
#include "linalg/blocks.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void crn_near_release(crn_near *near)
{
    free(near->w);
    free(near->R);
    free(near->patch_start);
    free(near->R_start);
    free(near->u);
    free(near->sum);
    memset(near, 0, sizeof *near);
}

cairn_status crn_near_copy(crn_near *near, const cairn_problem *problem)
{
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    cairn_status status = crn_reserve(&near->w, &near->capacity[0], rows + 1, sizeof(double));
    status = status ? status : crn_reserve(&near->u, &near->capacity[1], rows + 1, sizeof(double));
    status = status ? status : crn_reserve(&near->sum, &near->capacity[2], rows + 1, sizeof(long double));
    if (status)
    {
        return status;
    }
    near->problem = *problem;
    near->problem.w = near->w;
    if (rows > 0)
    {
        memcpy(near->w, problem->w, rows * sizeof(double));
    }
    return CAIRN_OK;
}

/* Values of R with one block a patch. */
static size_t count_values(const cairn_problem *problem, int patches)
{
    size_t values = 0;
    for (int k = 0; k < patches; ++k)
    {
        int contacts = problem->patch_count > 0 ? problem->patch_start[k + 1] - problem->patch_start[k] : 1;
        size_t side = (size_t)problem->dim * (size_t)contacts;
        values += side * side;
    }
    return values;
}

static void copy_patches(crn_near *near, const cairn_problem *problem, int patches)
{
    int values = 0;
    near->patch_start[0] = 0;
    for (int k = 0; k < patches; ++k)
    {
        bool given = problem->patch_count > 0;
        int contacts = given ? problem->patch_start[k + 1] - problem->patch_start[k] : 1;
        size_t side = (size_t)problem->dim * (size_t)contacts;
        near->patch_start[k + 1] = near->patch_start[k] + contacts;
        near->R_start[k] = values;
        if (given)
        {
            memcpy(near->R + values, problem->R + problem->R_start[k], side * side * sizeof(double));
        }
        else
        {
            memset(near->R + values, 0, side * side * sizeof(double));
        }
        values += (int)(side * side);
    }
}

cairn_status crn_near_copy_compliance(crn_near *near, const cairn_problem *problem)
{
    int patches = problem->patch_count > 0 ? problem->patch_count : problem->contact_count;
    size_t values = count_values(problem, patches);
    cairn_status status = values > INT_MAX ? CAIRN_NO_MEMORY : crn_near_copy(near, problem);
    status = status ? status : crn_reserve(&near->R, &near->capacity[3], values + 1, sizeof(double));
    status = status ? status : crn_reserve(&near->patch_start, &near->capacity[4], (size_t)patches + 1, sizeof(int));
    status = status ? status : crn_reserve(&near->R_start, &near->capacity[5], (size_t)patches + 1, sizeof(int));
    if (status)
    {
        return status;
    }
    copy_patches(near, problem, patches);
    near->problem.patch_count = patches;
    near->problem.patch_start = near->patch_start;
    near->problem.R_start = near->R_start;
    near->problem.R = near->R;
    return CAIRN_OK;
}

double *crn_near_diagonal(crn_near *near, int patch, int row)
{
    int dim = near->problem.dim;
    int side = dim * (near->patch_start[patch + 1] - near->patch_start[patch]);
    int i = row - dim * near->patch_start[patch];
    assert(i >= 0 && i < side);
    return near->R + near->R_start[patch] + (size_t)i * (size_t)(side + 1);
}

void crn_near_velocities(crn_near *near, const cairn_problem *problem, const double *v, const double *r)
{
    int rows = problem->dim * problem->contact_count;
    for (int i = 0; i < rows; ++i)
    {
        near->sum[i] = problem->w[i];
    }
    crn_rows_add(&problem->H, problem->block_start, 1.0, v, near->sum);
    crn_compliance_add(problem, r, near->sum);
    for (int i = 0; i < rows; ++i)
    {
        near->u[i] = (double)near->sum[i];
    }
}
