#include "solve/sweep/gauss_seidel_pack.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WORTH_IT = 2000 /* contacts, whose data no longer fit the nearer caches */
};

void crn_gs_pack_release(crn_gs_pack *pack)
{
    cairn_problem *problem = &pack->problem;
    free(problem->H.row_start);
    free(problem->H.entry_start);
    free(problem->H.block);
    free(problem->H.value_start);
    free(problem->H.value);
    free(problem->w);
    free(problem->mu);
    free(problem->radius);
    free(pack->order);
    free(pack->place);
    free(pack->bound);
    free(pack->r);
    memset(pack, 0, sizeof *pack);
}

bool crn_gs_pack_applies(const cairn_problem *problem)
{
    return problem->contact_count >= WORTH_IT && problem->patch_count == 0;
}

static cairn_status reserve(crn_gs_pack *pack, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t entries = (size_t)problem->H.entry_start[problem->contact_count] + 1;
    size_t values = (size_t)problem->H.value_start[entries - 1] + 1;
    size_t rows = contacts * (size_t)problem->dim;
    cairn_problem *own = &pack->problem;
    size_t *capacity = pack->capacity;
    if (crn_reserve(&own->H.row_start, &capacity[0], contacts, sizeof(int)) ||
        crn_reserve(&own->H.entry_start, &capacity[1], contacts, sizeof(int)) ||
        crn_reserve(&own->H.block, &capacity[2], entries, sizeof(int)) ||
        crn_reserve(&own->H.value_start, &capacity[3], entries, sizeof(int)) ||
        crn_reserve(&own->H.value, &capacity[4], values, sizeof(double)) ||
        crn_reserve(&own->w, &capacity[5], rows, sizeof(double)) ||
        crn_reserve(&own->mu, &capacity[6], contacts, sizeof(double)) ||
        crn_reserve(&own->radius, &capacity[7], problem->radius ? contacts : 1, sizeof(double)) ||
        crn_reserve(&pack->order, &capacity[8], contacts, sizeof(int)) ||
        crn_reserve(&pack->r, &capacity[9], rows, sizeof(double)) ||
        crn_reserve(&pack->place, &capacity[10], problem->bound ? contacts : 1, sizeof(int)) ||
        crn_reserve(&pack->bound, &capacity[11], problem->bound ? contacts : 1, sizeof(cairn_bound)))
        return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

/* All but what it owns is the given problem's. */
static void share(crn_gs_pack *pack, const cairn_problem *problem)
{
    cairn_problem *own = &pack->problem;
    cairn_problem copy = *problem;
    copy.H = own->H;
    copy.H.item_count = problem->contact_count;
    copy.w = own->w;
    copy.mu = own->mu;
    copy.radius = own->radius;
    copy.bound = problem->bound ? pack->bound : NULL;
    copy.identity = NULL;
    copy.weight = NULL;
    *own = copy;
}

/* Rows of H of contact j to place k; entries from e on, values from `value` on. */
static void copy_rows(cairn_block_rows *to, const cairn_block_rows *from, int k, int j)
{
    int e = to->entry_start[k];
    for (int f = from->entry_start[j]; f < from->entry_start[j + 1]; ++f, ++e)
    {
        int count = from->value_start[f + 1] - from->value_start[f];
        to->block[e] = from->block[f];
        to->value_start[e + 1] = to->value_start[e] + count;
        memcpy(to->value + to->value_start[e], from->value + from->value_start[f], (size_t)count * sizeof(double));
    }
    to->entry_start[k + 1] = e;
}

/* Bounds in the order of visits, their references too. */
static void copy_bounds(crn_gs_pack *pack, const cairn_problem *problem)
{
    for (int k = 0; k < problem->contact_count; ++k)
        pack->place[pack->order[k]] = k;
    for (int k = 0; k < problem->contact_count; ++k)
    {
        cairn_bound bound = problem->bound[pack->order[k]];
        bound.by = bound.is_row && bound.by >= 0 ? pack->place[bound.by] : bound.by;
        pack->bound[k] = bound;
    }
}

cairn_status crn_gs_pack_make(crn_gs_pack *pack, const cairn_problem *problem, const int *order, const double *r)
{
    if (reserve(pack, problem))
        return CAIRN_NO_MEMORY;
    cairn_problem *own = &pack->problem;
    size_t dim = (size_t)problem->dim;
    share(pack, problem);
    own->H.row_start[0] = own->H.entry_start[0] = own->H.value_start[0] = 0;
    for (int k = 0; k < problem->contact_count; ++k)
    {
        size_t j = (size_t)order[k];
        pack->order[k] = order[k];
        copy_rows(&own->H, &problem->H, k, order[k]);
        own->H.row_start[k + 1] = own->H.row_start[k] + problem->dim;
        own->mu[k] = problem->mu[j];
        memcpy(own->w + (size_t)k * dim, problem->w + j * dim, dim * sizeof(double));
        memcpy(pack->r + (size_t)k * dim, r + j * dim, dim * sizeof(double));
        if (problem->radius)
            own->radius[k] = problem->radius[j];
    }
    if (problem->bound)
        copy_bounds(pack, problem);
    return CAIRN_OK;
}

void crn_gs_pack_give(const crn_gs_pack *pack, double *r)
{
    size_t dim = (size_t)pack->problem.dim;
    for (int k = 0; k < pack->problem.contact_count; ++k)
        memcpy(r + (size_t)pack->order[k] * dim, pack->r + (size_t)k * dim, dim * sizeof(double));
}
