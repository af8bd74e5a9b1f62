#include "solve/auto/perturbed_problem.h"

#include "linalg/blocks.h"
#include "linalg/compliance.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

void crn_perturbed_release(crn_perturbed *near)
{
    crn_arena_release(&near->memory);
    memset(near, 0, sizeof *near);
}

cairn_status crn_perturbed_copy(crn_perturbed *near, const cairn_problem *problem)
{
    assert(problem->H.item_count == problem->contact_count);
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    CRN_TRY(
        crn_reserve_all(&near->memory, CRN_ARRAY(near->w, rows), CRN_ARRAY(near->u, rows), CRN_ARRAY(near->sum, rows)));
    near->problem = *problem;
    near->problem.w = near->w;
    if (rows > 0)
        memcpy(near->w, problem->w, rows * sizeof(double));
    return CAIRN_OK;
}

/* The patches of the copy: one per contact before the first given patch, the given ones, one per contact after them. */
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

/* The given patch that is the k-th of the copy; -1: it is a single rigid contact. */
static int given_patch(const patch_cover *cover, int k)
{
    assert(k >= 0 && k < count_patches(cover));
    return k >= cover->before && k < cover->before + cover->given ? k - cover->before : -1;
}

static int count_contacts(const cairn_problem *problem, int given)
{
    assert(given < problem->patch_count);
    return given >= 0 ? problem->patch_start[given + 1] - problem->patch_start[given] : 1;
}

/* Values of R with one block per patch. */
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
    assert(near->patch_start[count_patches(cover)] == problem->contact_count);
}

/* Sparse blocks have their diagonal already. */
static cairn_status copy_blocks(crn_perturbed *near, const cairn_problem *problem)
{
    size_t values = (size_t)problem->W.value_start[problem->W.row_start[problem->W.block_count]];
    CRN_TRY(crn_perturbed_copy(near, problem));
    CRN_TRY(crn_reserve_all(&near->memory, CRN_ARRAY(near->R, values)));
    memcpy(near->R, problem->W.value, values * sizeof(double));
    near->problem.W.value = near->R;
    return CAIRN_OK;
}

cairn_status crn_perturbed_copy_compliance(crn_perturbed *near, const cairn_problem *problem)
{
    if (problem->W.block_count > 0)
        return copy_blocks(near, problem);
    patch_cover cover = cover_contacts(problem);
    int patches = count_patches(&cover);
    size_t values = count_values(problem, &cover);
    if (values > INT_MAX)
        return CAIRN_NO_MEMORY;
    CRN_TRY(crn_perturbed_copy(near, problem));
    CRN_TRY(crn_reserve_all(&near->memory, CRN_ARRAY(near->R, values), CRN_ARRAY(near->patch_start, patches + 1),
                            CRN_ARRAY(near->R_start, patches)));
    copy_patches(near, problem, &cover);
    near->problem.patch_count = patches;
    near->problem.patch_start = near->patch_start;
    near->problem.R_start = near->R_start;
    near->problem.R = near->R;
    return CAIRN_OK;
}

/* A step of `share` from an old bound to a new one; an infinite bound is taken as it is. */
static double move_bound(double old, double new, double share, double *change)
{
    assert(share > 0.0 && share <= 1.0);
    *change = isfinite(new) ? fmax(*change, fabs(new - old)) : *change;
    return isfinite(new) && share < 1.0 ? old + share * (new - old) : new;
}

cairn_status crn_perturbed_freeze_bounds(crn_perturbed *near, const cairn_problem *problem, const double *r,
                                         double share, double *change)
{
    size_t contacts = (size_t)problem->contact_count;
    assert(problem->bound && near->problem.contact_count == problem->contact_count);
    bool first = near->problem.bound != near->bound || !near->bound;
    CRN_TRY(crn_reserve_all(&near->memory, CRN_ARRAY(near->bound, contacts)));
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

double *crn_perturbed_diagonal(crn_perturbed *near, int row)
{
    int dim = near->problem.dim, j = row / dim, stride;
    const double *R = crn_compliance_block(&near->problem, j, j, &stride);
    assert(R && R >= near->R);
    return near->R + (R - near->R) + (row % dim) * (stride + 1);
}

void crn_perturbed_velocities(crn_perturbed *near, const cairn_problem *problem, const double *v, const double *r)
{
    assert(near->problem.contact_count == problem->contact_count);
    int rows = problem->dim * problem->contact_count;
    crn_contact_velocities(problem, v, r, near->sum);
    for (int i = 0; i < rows; ++i)
        near->u[i] = (double)near->sum[i];
}
