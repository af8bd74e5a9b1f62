/* The rows of compliant patches.
 *
 * Element i of a patch has its own gap g_i, that between the undeformed surfaces along the contact's normal, and a
 * deformation delta_i that opens it. The relative velocity of the deformed surfaces is (Song et al. 2004, eq. 9 and 10)
 *
 *     s = H v + (delta+ - delta)/h = H v + R r - E^-1 K delta
 *
 * and the surfaces may not overlap at the end of the step: g + h H v + (delta+)_n >= 0, which is
 *
 *     u_n = s_n + (g + delta_n)/h >= 0 .
 *
 * So an element is a contact with the compliance R, the bias -E^-1 K delta, and g + delta_n in place of a rigid contact's gap.
 * The paper works at the velocity level only, w_n = -(E^-1 K delta)_n. Stabilisation `none` does the same where the undeformed
 * surfaces touch or overlap. Before they touch, they may use up their gap: w_n includes max(g, 0)/h. Elements that face no
 * surface (beyond the edge of a box) carry no force; R of the others is the corresponding part of the matrix.
 */
#include "collide/identity.h"
#include "formulate/compliance.h"
#include "formulate/influence.h"
#include "formulate/patch.h"
#include "linalg/dense.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int find_block(const crn_patches *patches, const crn_contact *contact)
{
    const crn_shape *shapes = patches->model->shapes;
    for (size_t k = 0; k < patches->block_count; ++k)
    {
        const crn_patch_block *block = &patches->blocks[k];
        if (block->material_a == shapes[contact->shape_a].material &&
            block->material_b == shapes[contact->shape_b].material)
            return (int)k;
    }
    return -1;
}

cairn_status crn_patches_add_block(crn_patches *patches, int material_a, int material_b, int finer)
{
    const cairn_model *model = patches->model;
    if (crn_reserve(&patches->blocks, &patches->block_capacity, patches->block_count + 1, sizeof(crn_patch_block)))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "contact patches: memory ran out");
    cairn_status status =
        crn_patch_block_create(model, material_a, material_b, finer, &patches->blocks[patches->block_count]);
    patches->block_count += status ? 0 : 1;
    return status;
}

cairn_status crn_patches_prepare(crn_patches *patches, const crn_contact *contacts, int count, double h)
{
    const cairn_model *model = patches->model;
    for (int i = 0; i < count; ++i)
    {
        int finer;
        if (!crn_model_patch_of(model, contacts[i].shape_a, contacts[i].shape_b, &finer) ||
            find_block(patches, &contacts[i]) >= 0)
            continue;
        CRN_TRY(crn_patches_add_block(patches, model->shapes[contacts[i].shape_a].material,
                                      model->shapes[contacts[i].shape_b].material, finer));
    }
    for (size_t k = 0; k < patches->block_count; ++k)
        crn_patch_block_prepare(&patches->blocks[k], h);
    return CAIRN_OK;
}

static const crn_patch *find_patch(const crn_patch_list *list, uint64_t identity)
{
    size_t count = (size_t)list->count;
    int at = crn_identity_search(count > 0 ? &list->patch->identity : NULL, count, sizeof *list->patch, identity);
    return at < 0 ? NULL : &list->patch[at];
}

/* The contact's frame with the patch's own first tangent, transported to the current normal. */
static void turn_frame(const crn_patch *patch, crn_contact *contact)
{
    const double *n = contact->normal;
    double t[3];
    crn_madd3(patch->tangent, -crn_dot3(patch->tangent, n), n, t);
    double length = crn_norm3(t);
    if (!(length > 0.5))
        return; /* the normal has flipped: the contact's own frame is as good as any other */
    crn_contact_turn(contact, 3, t);
}

/* The contact of one element. The middle element is the contact itself. Returns false if another element faces no
 * surface. */
static bool place_element(const crn_input *in, const crn_contact *whole, const crn_patch_block *block, int element,
                          crn_contact *out)
{
    assert(element >= 0 && element < block->elements);
    double offset[2], x[3], low, high, t[2][3];
    *out = *whole;
    out->identity = crn_identity_part(whole->identity, element);
    if (element == block->elements / 2)
        return true;
    crn_element_offset(in->layout->model->dimension, block->across, block->spacing, element, offset);
    crn_contact_tangents(whole, in->layout->model->dimension, t);
    for (int k = 0; k < 3; ++k)
        x[k] = 0.5 * (whole->point_a[k] + whole->point_b[k]) + offset[0] * t[0][k] + offset[1] * t[1][k];
    if (!crn_collider_surfaces(in->collider, whole, x, &low, &high))
        return false;
    out->gap = low - high;
    crn_madd3(x, low, whole->normal, out->point_a);
    crn_madd3(x, high, whole->normal, out->point_b);
    return true;
}

/* w of one element without the part of driven bodies. delta and relax are NULL for a patch at rest. */
static void element_bias(const crn_input *in, double gap, const double *delta, const double *relax, double bias[3])
{
    assert(in->h > 0);
    bool correct = in->settings->stabilisation != CAIRN_STABILISE_NONE;
    double open = correct ? gap + (delta ? delta[0] : 0.0) : fmax(gap, 0.0);
    for (int i = 0; i < in->layout->model->dimension; ++i)
        bias[i] = relax ? -relax[i] : 0.0;
    bias[0] += open / in->h;
}

/* R of the elements that are in the problem. All complete patches of a block share one copy. */
static cairn_status add_compliance(crn_assembly *assembly, const crn_patch_block *block, int number, int first)
{
    assert(number >= 0);
    assert(first >= 0 && first <= assembly->problem.contact_count);
    cairn_problem *problem = &assembly->problem;
    int count = problem->contact_count - first, dim = problem->dim, rows = count * dim, k = problem->patch_count;
    bool whole = count == block->elements;
    bool shared = whole && assembly->block_R[number] >= 0;
    size_t need = assembly->R_used + (shared ? 0 : (size_t)rows * (size_t)rows);
    CRN_TRY(crn_reserve_compliance(assembly, (size_t)k + 1, need));
    problem->patch_start[k] = first;
    problem->patch_start[k + 1] = first + count;
    problem->R_start[k] = shared ? assembly->block_R[number] : (int)assembly->R_used;
    problem->patch_count += 1;
    if (whole && !shared)
    {
        memcpy(problem->R + assembly->R_used, block->R, (size_t)rows * (size_t)rows * sizeof(double));
        assembly->R_used = need;
    }
    for (int i = 0; i < rows && !whole; ++i)
    {
        int row = assembly->element[first + i / dim] * dim + i % dim;
        for (int j = 0; j < rows; ++j)
        {
            int column = assembly->element[first + j / dim] * dim + j % dim;
            problem->R[assembly->R_used++] = block->R[(size_t)row * (size_t)block->rows + (size_t)column];
        }
    }
    if (whole)
        assembly->block_R[number] = problem->R_start[k];
    return CAIRN_OK;
}

static cairn_status add_patch(crn_assembly *assembly, const crn_input *in, const crn_contact *contact)
{
    const crn_patches *patches = in->patches;
    const crn_patch *patch = find_patch(&patches->now, contact->identity);
    int number = find_block(patches, contact), dim = in->layout->model->dimension;
    const crn_patch_block *block = &patches->blocks[number];
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->scratch, block->rows),
                            CRN_ARRAY(assembly->patches, assembly->patch_item_count + 1)));
    crn_contact whole = *contact;
    const double *delta = patch ? patches->now.delta + patch->delta : NULL, *relax = NULL;
    if (patch && dim == 3)
        turn_frame(patch, &whole);
    if (patch)
    {
        crn_dense_times(block->rows, block->relax, delta, assembly->scratch);
        relax = assembly->scratch;
    }
    crn_patch_item *item = &assembly->patches[assembly->patch_item_count++];
    *item = (crn_patch_item){.contact = whole,
                             .block = number,
                             .first = assembly->problem.contact_count,
                             .patch = assembly->problem.patch_count};
    for (int e = 0; e < block->elements; ++e)
    {
        crn_contact element;
        double bias[3];
        if (!place_element(in, &whole, block, e, &element))
            continue;
        element_bias(in, element.gap, delta ? delta + e * dim : NULL, relax ? relax + e * dim : NULL, bias);
        CRN_TRY(crn_add_contact(assembly, in, &element, bias));
        assembly->element[assembly->problem.contact_count - 1] = e;
    }
    return add_compliance(assembly, block, number, item->first);
}

cairn_status crn_add_patch_rows(crn_assembly *assembly, const crn_input *in)
{
    size_t blocks = in->patches->block_count;
    CRN_TRY(crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->block_R, blocks)));
    for (size_t k = 0; k < blocks; ++k)
        assembly->block_R[k] = -1;
    for (int i = 0; i < in->contact_count; ++i)
    {
        const crn_contact *contact = &in->contacts[i];
        int finer;
        if (crn_model_patch_of(in->layout->model, contact->shape_a, contact->shape_b, &finer))
            CRN_TRY(add_patch(assembly, in, contact));
    }
    return CAIRN_OK;
}
