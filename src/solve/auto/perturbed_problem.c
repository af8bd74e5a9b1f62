#include "solve/auto/perturbed_problem.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crn_perturbed_release(crn_perturbed *near)
{
    free(near->w);
    free(near->R);
    free(near->patch_start);
    free(near->R_start);
    free(near->bound);
    free(near->u);
    free(near->sum);
    memset(near, 0, sizeof *near);
}

cairn_status crn_perturbed_copy(crn_perturbed *near, const cairn_problem *problem)
{
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    cairn_status status = crn_reserve(&near->w, &near->capacity[0], rows + 1, sizeof(double));
    status = status ? status : crn_reserve(&near->u, &near->capacity[1], rows + 1, sizeof(double));
    status = status ? status : crn_reserve(&near->sum, &near->capacity[2], rows + 1, sizeof(long double));
    if (status)
        return status;
    near->problem = *problem;
    near->problem.w = near->w;
    if (rows > 0)
        memcpy(near->w, problem->w, rows * sizeof(double));
    return CAIRN_OK;
}

/* The patches of the copy: one for each contact before the first patch given, those given, one for each contact after them. */
typedef struct patch_cover
{
    int before, given, after;
} patch_cover;

static patch_cover cover_contacts(const cairn_problem *problem)
{
    int given = problem->patch_count;
    return given > 0
               ? (patch_cover){problem->patch_start[0], given, problem->contact_count - problem->patch_start[given]}
               : (patch_cover){problem->contact_count, 0, 0};
}

static int count_patches(const patch_cover *cover)
{
    return cover->before + cover->given + cover->after;
}

/* Which of the patches given the k-th of the copy is; -1: none, it is a single contact that is rigid. */
static int given_patch(const patch_cover *cover, int k)
{
    return k >= cover->before && k < cover->before + cover->given ? k - cover->before : -1;
}

static int count_contacts(const cairn_problem *problem, int given)
{
    return given >= 0 ? problem->patch_start[given + 1] - problem->patch_start[given] : 1;
}

/* Values of R with one block a patch. */
static size_t count_values(const cairn_problem *problem, const patch_cover *cover)
{
    size_t values = 0;
    for (int k = 0; k < count_patches(cover); ++k)
    {
        size_t side = (size_t)problem->dim * (size_t)count_contacts(problem, given_patch(cover, k));
        values += side * side;
    }
    return values;
}

static void copy_patches(crn_perturbed *near, const cairn_problem *problem, const patch_cover *cover)
{
    int values = 0;
    near->patch_start[0] = 0;
    for (int k = 0; k < count_patches(cover); ++k)
    {
        int given = given_patch(cover, k);
        int contacts = count_contacts(problem, given);
        size_t side = (size_t)problem->dim * (size_t)contacts;
        near->patch_start[k + 1] = near->patch_start[k] + contacts;
        near->R_start[k] = values;
        if (given >= 0)
            memcpy(near->R + values, problem->R + problem->R_start[given], side * side * sizeof(double));
        else
            memset(near->R + values, 0, side * side * sizeof(double));
        values += (int)(side * side);
    }
}

cairn_status crn_perturbed_copy_compliance(crn_perturbed *near, const cairn_problem *problem)
{
    patch_cover cover = cover_contacts(problem);
    int patches = count_patches(&cover);
    size_t values = count_values(problem, &cover);
    cairn_status status = values > INT_MAX ? CAIRN_NO_MEMORY : crn_perturbed_copy(near, problem);
    status = status ? status : crn_reserve(&near->R, &near->capacity[3], values + 1, sizeof(double));
    status = status ? status : crn_reserve(&near->patch_start, &near->capacity[4], (size_t)patches + 1, sizeof(int));
    status = status ? status : crn_reserve(&near->R_start, &near->capacity[5], (size_t)patches + 1, sizeof(int));
    if (status)
        return status;
    copy_patches(near, problem, &cover);
    near->problem.patch_count = patches;
    near->problem.patch_start = near->patch_start;
    near->problem.R_start = near->R_start;
    near->problem.R = near->R;
    return CAIRN_OK;
}

/* An infinite bound stays what it is. */
static double move_bound(double old, double new, double share, double *change)
{
    *change = isfinite(new) ? fmax(*change, fabs(new - old)) : *change;
    return isfinite(new) && share < 1.0 ? old + share * (new - old) : new;
}

cairn_status crn_perturbed_freeze_bounds(crn_perturbed *near, const cairn_problem *problem, const double *r,
                                         double share, double *change)
{
    size_t contacts = (size_t)problem->contact_count;
    assert(problem->bound && near->problem.contact_count == problem->contact_count);
    bool first = near->problem.bound != near->bound || !near->bound;
    if (crn_reserve(&near->bound, &near->capacity[6], contacts + 1, sizeof(cairn_bound)))
        return CAIRN_NO_MEMORY;
    if (first)
        memcpy(near->bound, problem->bound, contacts * sizeof(cairn_bound));
    near->problem.bound = near->bound;
    *change = 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const cairn_bound *given = &problem->bound[j];
        if (!given->is_row || given->by < 0)
            continue;
        crn_interval interval = crn_row_interval(problem, j, r);
        cairn_bound *own = &near->bound[j];
        *own = (cairn_bound){.is_row = true,
                             .by = -1,
                             .lo = move_bound(own->lo, interval.lo, first ? 1.0 : share, change),
                             .hi = move_bound(own->hi, interval.hi, first ? 1.0 : share, change)};
    }
    return CAIRN_OK;
}

double *crn_perturbed_diagonal(crn_perturbed *near, int patch, int row)
{
    int dim = near->problem.dim;
    int side = dim * (near->patch_start[patch + 1] - near->patch_start[patch]);
    int i = row - dim * near->patch_start[patch];
    assert(i >= 0 && i < side);
    return near->R + near->R_start[patch] + (size_t)i * (size_t)(side + 1);
}

void crn_perturbed_velocities(crn_perturbed *near, const cairn_problem *problem, const double *v, const double *r)
{
    int rows = problem->dim * problem->contact_count;
    for (int i = 0; i < rows; ++i)
        near->sum[i] = problem->w[i];
    crn_rows_add(&problem->H, problem->block_start, 1.0, v, near->sum);
    crn_compliance_add(problem, r, near->sum);
    for (int i = 0; i < rows; ++i)
        near->u[i] = (double)near->sum[i];
}
