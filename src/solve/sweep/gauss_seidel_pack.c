#include "solve/sweep/gauss_seidel_pack.h"

#include "linalg/compliance.h"

#include <assert.h>
#include <string.h>

enum
{
    WORTH_IT = 2000 /* contacts, whose data no longer fit the caches near the core */
};

void crn_gs_pack_release(crn_gs_pack *pack)
{
    crn_arena_release(&pack->memory);
    memset(pack, 0, sizeof *pack);
}

bool crn_gs_pack_applies(const cairn_problem *problem)
{
    return problem->contact_count >= WORTH_IT && !crn_has_compliance(problem);
}

static cairn_status reserve(crn_gs_pack *pack, const cairn_problem *problem)
{
    size_t contacts = (size_t)problem->contact_count + 1;
    size_t entries = (size_t)problem->H.entry_start[problem->contact_count] + 1;
    size_t values = (size_t)problem->H.value_start[entries - 1] + 1;
    size_t rows = contacts * (size_t)problem->dim;
    size_t bounds = problem->bound ? contacts : 1;
    cairn_problem *own = &pack->problem;
    return crn_reserve_all(&pack->memory, CRN_ARRAY(own->H.row_start, contacts),
                           CRN_ARRAY(own->H.entry_start, contacts), CRN_ARRAY(own->H.block, entries),
                           CRN_ARRAY(own->H.value_start, entries), CRN_ARRAY(own->H.value, values),
                           CRN_ARRAY(own->w, rows), CRN_ARRAY(own->mu, contacts),
                           CRN_ARRAY(own->radius, problem->radius ? contacts : 1), CRN_ARRAY(pack->order, contacts),
                           CRN_ARRAY(pack->r, rows), CRN_ARRAY(pack->place, bounds), CRN_ARRAY(pack->bound, bounds));
}

/* Take everything but the owned arrays from the given problem. */
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

/* Copy the rows of contact j in H to place k. */
static void copy_rows(cairn_block_rows *to, const cairn_block_rows *from, int k, int j)
{
    assert(j >= 0 && j < from->item_count);
    assert(from->entry_start[j] <= from->entry_start[j + 1]);
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

/* Copy the bounds in the order of visits and renumber their references. */
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
    assert(!crn_has_compliance(problem));
    assert(problem->contact_count > 0);
    CRN_TRY(reserve(pack, problem));
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
