/* Couplings in a model: their value, and their place among the joints. coupling_terms.c checks the terms. */
#include "base/memory.h"
#include "model/joints/coupling_build.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_coupling_options cairn_coupling_default(void)
{
    return (cairn_coupling_options){.struct_size = sizeof(cairn_coupling_options), .hold = true, .weight = 1.0};
}

/* --------------------------------------------------------------------------------------------------------- value */

static double value_at_start(const cairn_model *model, const crn_coupling *coupling)
{
    double sum = 0;
    for (int i = 0; i < coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &coupling->part[i];
        const crn_joint rope = {.a = part->a, .b = part->b};
        const crn_joint *joint = part->joint < 0 ? &rope : &model->joints[part->joint];
        crn_pose pose[2];
        crn_joint_place start;
        double unit[3];
        crn_joint_at_start(model, joint, pose, &start);
        sum += part->factor * (part->joint < 0
                                   ? crn_joint_line(&start, unit)
                                   : crn_joint_coordinate(joint, model->dimension, &start, part->coordinate, NULL));
    }
    return sum;
}

static cairn_status set_value(const crn_coupling_building *b, const cairn_coupling_options *o)
{
    crn_element *hold = &b->coupling->hold;
    bool given = o->value.expression || o->value.function || o->value.table_count > 0;
    *hold = (crn_element){.kind = CRN_ELEMENT_POSITION, .most = INFINITY};
    if (!o->hold && given)
        return crn_fail(b->model->context, CAIRN_INVALID, "coupling '%s': value: it is not held", b->name);
    if (!o->hold)
        return CAIRN_OK;
    const double start[2] = {0, value_at_start(b->model, b->coupling)};
    const cairn_signal at_start = {.table = start, .table_count = 1};
    CRN_TRY(crn_signal_set(b->model, b->name, "value", given ? &o->value : &at_start, false, &hold->target));
    b->coupling->moves = !crn_signal_is_constant(&hold->target);
    return CAIRN_OK;
}

static bool all_turn(const cairn_model *model, const crn_coupling *coupling)
{
    for (int i = 0; i < coupling->part_count; ++i)
    {
        const crn_coupling_part *part = &coupling->part[i];
        const crn_element on = {.coordinate = part->coordinate};
        if (part->joint < 0 || !crn_element_turns(&model->joints[part->joint], model->dimension, &on))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the model */

/* The two bodies that messages name: the first that moves, and another. */
static void name_bodies(const cairn_model *model, crn_joint *joint)
{
    const crn_coupling *coupling = joint->coupling;
    int first = 0;
    while (first < coupling->body_count && !crn_body_is_dynamic(model, coupling->body[first]))
        ++first;
    assert(first < coupling->body_count);
    joint->a.body = coupling->body[first];
    joint->b.body = coupling->body_count > 1 ? coupling->body[first == 0] : -1;
}

static cairn_status fill(const cairn_model *model, const cairn_coupling_options *o, crn_joint *joint)
{
    CRN_TRY(crn_check_options(model, "coupling", o->struct_size, sizeof *o));
    CRN_TRY(crn_check_name(model, "coupling", o->name, &model->joint_names));
    CRN_TRY(crn_check_weight(model, "coupling", o->name, o->weight));
    joint->name = crn_copy_text(o->name);
    joint->coupling = calloc(1, sizeof *joint->coupling);
    if (!joint->name || !joint->coupling)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "coupling '%s': memory ran out", o->name);
    crn_coupling_building b = {.model = model, .name = o->name, .coupling = joint->coupling};
    CRN_TRY(crn_coupling_add_terms(&b, o));
    CRN_TRY(crn_coupling_list_bodies(&b));
    CRN_TRY(set_value(&b, o));
    joint->coupling->turns = all_turn(model, joint->coupling);
    name_bodies(model, joint);
    joint->rows = joint->own_rows = o->hold ? 1 : 0;
    joint->weight = o->weight;
    return CAIRN_OK;
}

cairn_status cairn_model_add_coupling(cairn_model *model, const cairn_coupling_options *options, cairn_joint *out)
{
    if (!model || !options || !out)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "coupling: the model, the options or the place for its handle is NULL");
    crn_joint joint = {.type = &crn_coupling_class, .kind = CAIRN_JOINT_COUPLING, .item = -1, .coordinates = 1};
    cairn_status status = fill(model, options, &joint);
    if (status == CAIRN_OK && (crn_reserve_all(&model->memory, CRN_ARRAY(model->joints, model->joint_count + 1)) ||
                               crn_enlist(model, &model->joint_slots, &model->joint_names, joint.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "coupling '%s': memory ran out", options->name);
    if (status != CAIRN_OK)
    {
        free(joint.name);
        crn_coupling_free(joint.coupling);
        return status;
    }
    model->joints[model->joint_count++] = joint;
    crn_model_review_joints(model);
    *out = crn_joint_handle(model, (int)model->joint_count - 1);
    return CAIRN_OK;
}

int cairn_model_coupling_strands(const cairn_model *model, cairn_joint coupling)
{
    int index = crn_joint_index(model, coupling), count = 0;
    const crn_coupling *found = index < 0 ? NULL : model->joints[index].coupling;
    for (int i = 0; found && i < found->part_count; ++i)
        count += found->part[i].joint < 0;
    return count;
}

void cairn_model_coupling_strand(const cairn_model *model, cairn_joint coupling, int strand, cairn_attachment *a,
                                 cairn_attachment *b)
{
    int index = crn_joint_index(model, coupling);
    const crn_coupling *found = index < 0 ? NULL : model->joints[index].coupling;
    *a = *b = (cairn_attachment){.body = {0}};
    for (int i = 0; found && i < found->part_count; ++i)
        if (found->part[i].joint < 0 && strand-- == 0)
        {
            *a = crn_attachment_given(model, &found->part[i].a);
            *b = crn_attachment_given(model, &found->part[i].b);
        }
}
