/* The deformations of all patches, and how they advance over a step.
 *
 *     delta+ = delta + h (R r - E^-1 K delta)          (Song et al. 2004, eq. 9 and 10)
 *
 * The forces lambda = r/h do the work lambda'(delta+ - delta) on the patch. Of this, (delta+ - delta)'K (delta+ + delta)/2 is
 * stored in the elastic energy 1/2 delta'K delta. The rest is dissipated by the damper, except for
 * 1/2 (delta+ - delta)'K(delta+ - delta), which is the numerical loss of implicit Euler.
 */
#include "formulate/patch.h"

#include "base/memory.h"
#include "linalg/dense.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FORGOTTEN = 1e-9; /* of the spacing: smaller deformations without contact are dropped */

static void free_list(crn_patch_list *list)
{
    free(list->patch);
    free(list->delta);
}

void crn_patches_destroy(crn_patches *patches)
{
    for (size_t k = 0; k < patches->block_count; ++k)
        crn_patch_block_destroy(&patches->blocks[k]);
    free(patches->blocks);
    free_list(&patches->now);
    free_list(&patches->next);
    free(patches->scratch);
    memset(patches, 0, sizeof *patches);
}

cairn_status crn_patches_create(const cairn_model *model, crn_patches *patches)
{
    *patches = (crn_patches){.model = model};
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < model->shape_count && status == CAIRN_OK; ++i)
    {
        int material = model->shapes[i].material;
        const cairn_patch_options *patch = &model->materials[material].patch;
        if (patch->elements > 0 && patch->kernel == CAIRN_KERNEL_POINT)
        {
            crn_patch_block block;
            status = crn_patch_block_create(model, material, material, material, &block);
            crn_patch_block_destroy(&block);
        }
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------- one patch */

/* Replace the deformation of a patch by the new one under impulses r (NULL: none), and compute its works. change and
 * other are scratch of one patch each; on return, change holds the change of the deformation. */
static void deform(const crn_patch_block *block, int dim, const double *r, double h, double *delta, double *change,
                   double *other, crn_patch_work *work)
{
    assert(h > 0);
    assert(block->h == h);
    assert(block->rows % dim == 0);
    int n = block->rows;
    double given = 0;
    crn_dense_times(n, block->relax, delta, change);
    if (r)
        crn_dense_times(n, block->R, r, other);
    for (int i = 0; i < n; ++i)
    {
        change[i] = h * ((r ? other[i] : 0.0) - change[i]);
        double part = r ? r[i] / h * change[i] : 0.0;
        *(i % dim == 0 ? &work->normal : &work->friction) += part;
        given += part;
    }
    crn_dense_times(n, block->K, change, other);
    double stored = crn_dense_dot(n, other, delta), twice = crn_dense_dot(n, other, change);
    work->integration -= 0.5 * twice;
    work->damping += stored + twice - given;
    for (int i = 0; i < n; ++i)
        delta[i] += change[i];
}

/* 1/2 delta'K delta; scratch has the size of a patch */
static double elastic(const crn_patch_block *block, const double *delta, double *scratch)
{
    crn_dense_times(block->rows, block->K, delta, scratch);
    return 0.5 * crn_dense_dot(block->rows, scratch, delta);
}

static bool is_forgotten(const crn_patch_block *block, const double *delta)
{
    double largest = 0;
    for (int i = 0; i < block->rows; ++i)
        largest = fmax(largest, fabs(delta[i]));
    return largest <= FORGOTTEN * block->spacing;
}

/* The patch's tangent after its bodies have rotated by `turn` about the normal. */
static void turn_tangent(const crn_patch_item *item, int dim, double tangent[3])
{
    double c = cos(item->turn), s = sin(item->turn), t[2][3];
    crn_contact_tangents(&item->contact, dim, t);
    for (int k = 0; k < 3; ++k)
        tangent[k] = c * t[0][k] + s * t[1][k];
}

/* ------------------------------------------------------------------------------------------------ all patches */

static cairn_status reserve(crn_patches *patches, const crn_assembly *assembly)
{
    size_t count = (size_t)patches->now.count + (size_t)assembly->patch_item_count, most = 0;
    size_t numbers = patches->now.used;
    for (int k = 0; k < assembly->patch_item_count; ++k)
        numbers += (size_t)patches->blocks[assembly->patches[k].block].rows;
    for (size_t k = 0; k < patches->block_count; ++k)
    {
        size_t rows = (size_t)patches->blocks[k].rows;
        most = rows > most ? rows : most;
    }
    crn_patch_list *next = &patches->next;
    CRN_TRY(crn_reserve(&next->patch, &next->patch_capacity, count + 1, sizeof(crn_patch)));
    CRN_TRY(crn_reserve(&next->delta, &next->delta_capacity, numbers + 1, sizeof(double)));
    return crn_reserve(&patches->scratch, &patches->scratch_capacity, 3 * most, sizeof(double));
}

/* Add a patch to the next list, with its previous deformation (NULL: none). */
static double *push(crn_patches *patches, uint64_t identity, int block, const double *delta)
{
    assert(block >= 0 && (size_t)block < patches->block_count);
    crn_patch_list *next = &patches->next;
    size_t rows = (size_t)patches->blocks[block].rows;
    double *place = next->delta + next->used;
    next->patch[next->count++] = (crn_patch){.identity = identity, .block = block, .delta = next->used};
    next->used += rows;
    memset(place, 0, rows * sizeof(double));
    if (delta)
        memcpy(place, delta, rows * sizeof(double));
    return place;
}

/* Advance a patch without a contact. */
static void relax(crn_patches *patches, const crn_patch *old, double h, crn_patch_work *work)
{
    const crn_patch_block *block = &patches->blocks[old->block];
    double *delta = push(patches, old->identity, old->block, patches->now.delta + old->delta);
    double *scratch = patches->scratch;
    deform(block, patches->model->dimension, NULL, h, delta, scratch, scratch + block->rows, work);
    double energy = elastic(block, delta, scratch);
    crn_patch_list *next = &patches->next;
    memcpy(next->patch[next->count - 1].tangent, old->tangent, sizeof old->tangent);
    if (is_forgotten(block, delta))
    {
        work->damping -= energy;
        energy = 0;
        next->count -= 1;
        next->used -= (size_t)block->rows;
    }
    patches->energy += energy;
}

/* Advance a patch of the problem. */
static void press(crn_patches *patches, crn_assembly *assembly, const crn_patch_item *item, const crn_patch *old,
                  int count, const double *r, double h, crn_patch_work *work)
{
    assert(count >= 0 && count <= patches->blocks[item->block].elements);
    assert(item->first + count <= assembly->problem.contact_count);
    const crn_patch_block *block = &patches->blocks[item->block];
    int dim = patches->model->dimension;
    double *change = patches->scratch, *all = change + block->rows, *other = all + block->rows;
    double *delta = push(patches, item->contact.identity, item->block, old ? patches->now.delta + old->delta : NULL);
    memset(all, 0, (size_t)block->rows * sizeof(double));
    for (int j = item->first; j < item->first + count; ++j)
        memcpy(all + assembly->element[j] * dim, r + j * dim, (size_t)dim * sizeof(double));
    deform(block, dim, all, h, delta, change, other, work);
    for (int j = item->first; j < item->first + count; ++j)
    {
        int row = assembly->element[j] * dim;
        for (int i = 0; i < dim; ++i)
        {
            assembly->deformation[j][i] = delta[row + i];
            assembly->creep[j][i] = change[row + i] / h;
        }
    }
    turn_tangent(item, dim, patches->next.patch[patches->next.count - 1].tangent);
    patches->energy += elastic(block, delta, other);
}

cairn_status crn_patches_advance(crn_patches *patches, crn_assembly *assembly, const double *r, double h,
                                 crn_patch_work *work)
{
    assert(h > 0);
    const cairn_problem *problem = &assembly->problem;
    if (reserve(patches, assembly))
        return CAIRN_NO_MEMORY;
    *work = (crn_patch_work){0};
    patches->energy = 0;
    patches->next.count = 0;
    patches->next.used = 0;
    const crn_patch_list *now = &patches->now;
    int old = 0;
    for (int k = 0; k < assembly->patch_item_count; ++k)
    {
        const crn_patch_item *item = &assembly->patches[k];
        for (; old < now->count && now->patch[old].identity < item->contact.identity; ++old)
            relax(patches, &now->patch[old], h, work);
        bool lives = old < now->count && now->patch[old].identity == item->contact.identity;
        assert(!lives || now->patch[old].block == item->block);
        int count = problem->patch_start[item->patch + 1] - problem->patch_start[item->patch];
        press(patches, assembly, item, lives ? &now->patch[old] : NULL, count, r, h, work);
        old += lives ? 1 : 0;
    }
    for (; old < now->count; ++old)
        relax(patches, &now->patch[old], h, work);
    crn_patches_turn_back(patches);
    patches->turns = patches->turns == 0 ? 1 : 0;
    return CAIRN_OK;
}

void crn_patches_turn_back(crn_patches *patches)
{
    crn_patch_list swap = patches->now;
    patches->now = patches->next;
    patches->next = swap;
}
