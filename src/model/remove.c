/* Removal: everything attached to a body is removed with it, and the dense arrays close up in order.
 *
 * Removing thing i from an array moves those behind it one place forward. Whatever stores a place in that array must be
 * updated: shapes, joints, springs, forces and ignored pairs store places of bodies; bodies store ranges of shapes. The
 * cost is linear in the size of the model.
 */
#include "model/handles.h"
#include "model/ignored.h"
#include "model/joints/coupling.h"
#include "model/names.h"
#include "model/shape/shape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void close_gap(void *array, size_t *count, size_t size, int index)
{
    char *at = (char *)array + (size_t)index * size;
    assert(index >= 0 && (size_t)index < *count);
    *count -= 1;
    memmove(at, at + size, (*count - (size_t)index) * size);
}

/* What a joint brings into use. */
static void note_joint(cairn_model *model, const crn_joint *joint)
{
    model->gives = model->gives || joint->stiffness > 0 || joint->angular_stiffness > 0;
    model->has_elements = model->has_elements || joint->element_count > 0 || joint->coupling;
    model->has_initial = model->has_initial || joint->begins || joint->begins_rate;
    for (int k = 0; k < joint->element_count; ++k)
    {
        model->gives = model->gives || joint->element[k].kind == CRN_ELEMENT_SPRING;
        model->has_rotors = model->has_rotors || joint->element[k].kind == CRN_ELEMENT_ROTOR;
        model->has_bearings = model->has_bearings || joint->element[k].mu > 0;
        model->has_references = model->has_references || joint->element[k].target.references.count > 0;
    }
    model->weighs = model->weighs || joint->weight != 1.0;
}

void crn_model_review_joint(cairn_model *model, int index, int rows, int bounded)
{
    crn_joint *joint = &model->joints[index];
    assert(joint->rows >= rows && joint->bounded >= bounded);
    bool has_item = rows > 0 || joint->rows == 0;
    if (!has_item && index + 1 < (int)model->joint_count)
    {
        crn_model_review_joints(model); /* the items of those that follow are others now */
        return;
    }
    joint->item = has_item ? joint->item : model->joint_items++;
    model->bounded_rows += joint->bounded - bounded;
    note_joint(model, joint);
}

void crn_model_review_joints(cairn_model *model)
{
    model->gives = model->weighs = model->has_elements = model->has_bearings = model->has_initial = false;
    model->has_references = model->has_rotors = false;
    model->joint_items = model->bounded_rows = model->couplings = 0;
    for (size_t i = 0; i < model->material_count; ++i)
    {
        model->gives = model->gives || model->materials[i].stiffness > 0;
        model->weighs = model->weighs || model->materials[i].weight != 1.0;
    }
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        crn_joint *joint = &model->joints[i];
        joint->item = joint->rows > 0 ? model->joint_items++ : -1;
        model->bounded_rows += joint->bounded;
        model->couplings += joint->coupling != NULL;
        note_joint(model, joint);
    }
    for (size_t i = 0; i < model->force_count; ++i)
        model->has_references = model->has_references || model->forces[i].references.count > 0;
}

static bool is_term(const crn_coupling *coupling, int joint)
{
    for (int i = 0; coupling && i < coupling->part_count; ++i)
        if (coupling->part[i].joint == joint)
            return true;
    return false;
}

/* Renumber the joints behind the removed one, of which only couplings know. */
static void renumber_terms(const cairn_model *model, int removed)
{
    for (size_t j = 0; model->couplings > 0 && j < model->joint_count; ++j)
    {
        const crn_coupling *coupling = model->joints[j].coupling;
        for (int i = 0; coupling && i < coupling->part_count; ++i)
            coupling->part[i].joint -= coupling->part[i].joint > removed;
    }
}

/* Remove a joint, and before it the couplings of which it is a term. These are behind it, since they were added later. */
static void remove_joint(cairn_model *model, int index)
{
    for (int i = (int)model->joint_count - 1; model->couplings > 0 && i > index; --i)
        if (is_term(model->joints[i].coupling, index))
            remove_joint(model, i);
    crn_joint *joint = &model->joints[index];
    if (joint->parts)
        crn_model_unignore(model, joint->a.body, joint->b.body);
    crn_delist(model, &model->joint_slots, &model->joint_names, joint->name, index);
    free(joint->name);
    crn_joint_release_elements(joint);
    crn_coupling_free(joint->coupling);
    close_gap(model->joints, &model->joint_count, sizeof *model->joints, index);
    renumber_terms(model, index);
}

static void remove_spring(cairn_model *model, int index)
{
    crn_delist(model, &model->spring_slots, &model->spring_names, model->springs[index].name, index);
    free(model->springs[index].name);
    close_gap(model->springs, &model->spring_count, sizeof *model->springs, index);
}

static void remove_force(cairn_model *model, int index)
{
    crn_delist(model, &model->force_slots, &model->force_names, model->forces[index].name, index);
    crn_force_release(&model->forces[index]);
    close_gap(model->forces, &model->force_count, sizeof *model->forces, index);
}

static void remove_shape(cairn_model *model, int index)
{
    crn_delist(model, &model->shape_slots, NULL, NULL, index);
    crn_shape_free(model, &model->shapes[index]);
    close_gap(model->shapes, &model->shape_count, sizeof *model->shapes, index);
}

/* Recompute the shape ranges of all bodies after a removal. */
static void review_shapes(cairn_model *model)
{
    for (size_t b = 0; b < model->body_count; ++b)
        model->bodies[b].shape_begin = model->bodies[b].shape_end = 0;
    for (int i = 0; i < (int)model->shape_count; ++i)
    {
        crn_body *owner = &model->bodies[model->shapes[i].body];
        owner->shape_begin = owner->shape_end > 0 ? owner->shape_begin : i;
        owner->shape_end = i + 1;
    }
}

static bool holds(const crn_joint *joint, int body)
{
    for (int i = 0; joint->coupling && i < joint->coupling->body_count; ++i)
        if (joint->coupling->body[i] == body)
            return true;
    return joint->a.body == body || joint->b.body == body;
}

static void remove_attached(cairn_model *model, int body)
{
    for (int i = (int)model->joint_count - 1; i >= 0; --i)
        if (holds(&model->joints[i], body))
            remove_joint(model, i);
    for (int i = (int)model->spring_count - 1; i >= 0; --i)
        if (model->springs[i].a.body == body || model->springs[i].b.body == body)
            remove_spring(model, i);
    for (int i = (int)model->force_count - 1; i >= 0; --i)
        if (model->forces[i].body == body)
            remove_force(model, i);
    for (int i = (int)model->shape_count - 1; i >= 0; --i)
        if (model->shapes[i].body == body)
            remove_shape(model, i);
}

static void renumber_coupling(crn_coupling *coupling, int removed)
{
    for (int i = 0; i < coupling->body_count; ++i)
        coupling->body[i] -= coupling->body[i] > removed;
    for (int i = 0; i < coupling->part_count; ++i)
    {
        coupling->part[i].a.body -= coupling->part[i].a.body > removed;
        coupling->part[i].b.body -= coupling->part[i].b.body > removed;
    }
}

/* Renumber the bodies behind the removed one. */
static void renumber(cairn_model *model, int removed)
{
    assert(removed >= 0 && (size_t)removed <= model->body_count);
    for (size_t i = 0; i < model->shape_count; ++i)
        model->shapes[i].body -= model->shapes[i].body > removed;
    for (size_t i = 0; i < model->force_count; ++i)
        model->forces[i].body -= model->forces[i].body > removed;
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        model->joints[i].a.body -= model->joints[i].a.body > removed;
        model->joints[i].b.body -= model->joints[i].b.body > removed;
        if (model->joints[i].coupling)
            renumber_coupling(model->joints[i].coupling, removed);
    }
    for (size_t i = 0; i < model->spring_count; ++i)
    {
        model->springs[i].a.body -= model->springs[i].a.body > removed;
        model->springs[i].b.body -= model->springs[i].b.body > removed;
    }
}

/* List slots, so that what follows cannot fail. */
static cairn_status list(const cairn_model *model, crn_slots *slots, const char *what, const char *name)
{
    return crn_slots_list(slots)
               ? crn_fail(model->context, CAIRN_NO_MEMORY, "remove %s '%s': memory ran out", what, name)
               : CAIRN_OK;
}

static cairn_status list_all(cairn_model *model, const char *body)
{
    crn_slots *slots[] = {&model->body_slots, &model->shape_slots, &model->joint_slots, &model->spring_slots,
                          &model->force_slots};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; ++i)
        CRN_TRY(list(model, slots[i], "body", body));
    return CAIRN_OK;
}

cairn_status cairn_model_remove_body(cairn_model *model, cairn_body body)
{
    if (!model)
        return CAIRN_INVALID;
    CRN_TRY(crn_make_grains(model));
    int index = crn_body_index(model, body);
    if (index < 0)
        return crn_fail_handle(model, "remove body", body.id, body.model);
    crn_ignore *room;
    CRN_TRY(list_all(model, model->bodies[index].name));
    if (crn_model_spare_ignored(model, &room))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "remove body '%s': memory ran out", model->bodies[index].name);
    remove_attached(model, index);
    crn_model_drop_ignored(model, index, room);
    crn_name_table *names = model->bodies[index].population ? NULL : &model->body_names;
    crn_delist(model, &model->body_slots, names, model->bodies[index].name, index);
    crn_body_release(&model->bodies[index]);
    close_gap(model->bodies, &model->body_count, sizeof *model->bodies, index);
    renumber(model, index);
    review_shapes(model);
    crn_model_review_joints(model);
    return CAIRN_OK;
}

cairn_status cairn_model_remove_shape(cairn_model *model, cairn_shape shape)
{
    if (!model)
        return CAIRN_INVALID;
    CRN_TRY(crn_make_grains(model));
    int index = crn_shape_index(model, shape);
    if (index < 0)
        return crn_fail_handle(model, "remove shape", shape.id, shape.model);
    CRN_TRY(list(model, &model->shape_slots, "shape of", model->bodies[model->shapes[index].body].name));
    while (model->shapes[index].form->piece)
        --index;
    do
        remove_shape(model, index);
    while ((size_t)index < model->shape_count && model->shapes[index].form->piece);
    review_shapes(model);
    return CAIRN_OK;
}

cairn_status cairn_model_remove_joint(cairn_model *model, cairn_joint joint)
{
    if (!model)
        return CAIRN_INVALID;
    int index = crn_joint_index(model, joint);
    if (index < 0)
        return crn_fail_handle(model, "remove joint", joint.id, joint.model);
    CRN_TRY(list(model, &model->joint_slots, "joint", model->joints[index].name));
    remove_joint(model, index);
    crn_model_review_joints(model);
    return CAIRN_OK;
}

cairn_status cairn_model_remove_spring(cairn_model *model, cairn_spring spring)
{
    if (!model)
        return CAIRN_INVALID;
    int index = crn_spring_index(model, spring);
    if (index < 0)
        return crn_fail_handle(model, "remove spring", spring.id, spring.model);
    CRN_TRY(list(model, &model->spring_slots, "spring", model->springs[index].name));
    remove_spring(model, index);
    return CAIRN_OK;
}

cairn_status cairn_model_remove_force(cairn_model *model, cairn_force force)
{
    if (!model)
        return CAIRN_INVALID;
    int index = crn_force_index(model, force);
    if (index < 0)
        return crn_fail_handle(model, "remove force", force.id, force.model);
    CRN_TRY(list(model, &model->force_slots, "force", model->forces[index].name));
    remove_force(model, index);
    return CAIRN_OK;
}
