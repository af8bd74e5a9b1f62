/* Joints in a model: the options that all classes share are checked here, the others by the class (joints/). */
#include "base/memory.h"
#include "model/joints/element.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_joint_options cairn_joint_default(cairn_joint_kind kind)
{
    return (cairn_joint_options){
        .struct_size = sizeof(cairn_joint_options), .kind = kind, .axis = {0, 0, 1}, .length = NAN, .weight = 1.0};
}

static cairn_status check_bodies(const cairn_model *model, const crn_joint *joint)
{
    const char *a = crn_body_name(model, joint->a.body);
    const char *b = crn_body_name(model, joint->b.body);
    if (joint->a.body == joint->b.body)
    {
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': bodies '%s' and '%s' are the same", joint->name, a,
                        b);
    }
    if (!crn_body_is_dynamic(model, joint->a.body) && !crn_body_is_dynamic(model, joint->b.body))
    {
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': neither '%s' nor '%s' can move under forces",
                        joint->name, a, b);
    }
    return CAIRN_OK;
}

static cairn_status set_compliance(const cairn_model *model, const cairn_joint_options *o, crn_joint *joint)
{
    assert(model->dimension == 2 || model->dimension == 3);
    bool angular = joint->type->angular[model->dimension - 2] > 0;
    if (!angular && (o->angular_stiffness != 0 || o->angular_damping != 0))
    {
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': %s: a %s joint%s holds no angle", o->name,
                        o->angular_stiffness != 0 ? "angular_stiffness" : "angular_damping", joint->type->name,
                        model->dimension == 2 ? " in the plane" : "");
    }
    if (crn_check_give(model, "joint", o->name, "", o->stiffness, o->damping) ||
        crn_check_give(model, "joint", o->name, "angular_", o->angular_stiffness, o->angular_damping) ||
        crn_check_weight(model, "joint", o->name, o->weight))
        return CAIRN_INVALID;
    joint->stiffness = o->stiffness;
    joint->damping = o->damping;
    joint->angular_stiffness = o->angular_stiffness;
    joint->angular_damping = o->angular_damping;
    joint->weight = o->weight;
    return CAIRN_OK;
}

static cairn_status set_number(const cairn_model *model, const cairn_joint_number *given, crn_joint *joint)
{
    const crn_joint_class *type = joint->type;
    for (int i = 0; i < type->number_count; ++i)
    {
        if (!given->name || strcmp(given->name, type->numbers[i].name) != 0)
            continue;
        joint->number[i] = given->value;
        const crn_joint_number *number = &type->numbers[i];
        bool fits = isfinite(given->value) && (given->value > 0 || !number->positive) &&
                    (given->value != 0 || !number->not_zero);
        return fits ? CAIRN_OK
                    : crn_fail(model->context, CAIRN_INVALID, "joint '%s': %s: must be %s, found %g", joint->name,
                               given->name,
                               number->positive   ? "greater than 0"
                               : number->not_zero ? "a finite number other than 0"
                                                  : "a finite number",
                               given->value);
    }
    return crn_fail(model->context, CAIRN_INVALID, "joint '%s': a joint of type '%s' has no number '%s'", joint->name,
                    type->name, given->name ? given->name : "");
}

static cairn_status set_numbers(const cairn_model *model, const cairn_joint_options *o, crn_joint *joint)
{
    assert(joint->type->number_count <= CRN_JOINT_NUMBERS);
    const crn_joint_class *type = joint->type;
    for (int i = 0; i < type->number_count; ++i)
        joint->number[i] = type->numbers[i].required ? NAN : type->numbers[i].standard;
    for (int i = 0; i < o->number_count; ++i)
        CRN_TRY(set_number(model, &o->numbers[i], joint));
    for (int i = 0; i < type->number_count; ++i)
        if (isnan(joint->number[i]))
            return crn_fail(model->context, CAIRN_INVALID, "joint '%s': a %s joint needs '%s'", joint->name, type->name,
                            type->numbers[i].name);
    return CAIRN_OK;
}

static cairn_status fill(const cairn_model *model, const cairn_joint_options *o, crn_joint *joint)
{
    const crn_joint_class *type = joint->type;
    CRN_TRY(crn_check_options(model, "joint", o->struct_size, sizeof *o));
    CRN_TRY(crn_check_name(model, "joint", o->name, &model->joint_names));
    joint->name = crn_copy_text(o->name);
    if (!joint->name)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", o->name);
    joint->rows = joint->own_rows = type->equations[model->dimension - 2];
    joint->bounded = joint->own_bounded = type->bounded[model->dimension - 2];
    if (joint->rows + joint->bounded == 0)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': there is no %s joint in %s", o->name, type->name,
                        model->dimension == 2 ? "the plane" : "space");
    CRN_TRY(crn_attach(model, "joint", o->name, &o->a, &joint->a));
    CRN_TRY(crn_attach(model, "joint", o->name, &o->b, &joint->b));
    CRN_TRY(check_bodies(model, joint));
    CRN_TRY(set_compliance(model, o, joint));
    CRN_TRY(set_numbers(model, o, joint));
    CRN_TRY(crn_joint_set_axes(model, o, joint));
    if (type->angular[model->dimension - 2] > 0)
        CRN_TRY(crn_joint_check_turns(model, joint));
    joint->coordinates = crn_joint_class_coordinates(type, model->dimension);
    if (type->prepare)
        CRN_TRY(type->prepare(model, o, joint));
    joint->own_rows = joint->rows;
    joint->own_bounded = joint->bounded;
    assert(joint->rows >= 0 && joint->bounded >= 0 && joint->rows + joint->bounded <= CRN_JOINT_ROWS);
    return CAIRN_OK;
}

cairn_status crn_model_add_joint_of(cairn_model *model, const crn_joint_class *type, const cairn_joint_options *options,
                                    cairn_joint *out)
{
    crn_joint joint = {.type = type, .kind = options->kind};
    cairn_status status = fill(model, options, &joint);
    bool both = joint.a.body >= 0 && joint.b.body >= 0;
    if (status == CAIRN_OK && both && !options->collide)
        status = cairn_model_ignore_contact(model, options->a.body, options->b.body);
    if (status == CAIRN_OK && (crn_reserve_all(&model->memory, CRN_ARRAY(model->joints, model->joint_count + 1)) ||
                               crn_enlist(model, &model->joint_slots, &model->joint_names, joint.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", options->name);
    if (status != CAIRN_OK)
    {
        crn_joint_release_elements(&joint);
        free(joint.name);
        return status;
    }
    model->gives = model->gives || joint.stiffness > 0 || joint.angular_stiffness > 0;
    model->weighs = model->weighs || joint.weight != 1.0;
    model->bounded_rows += joint.bounded;
    joint.item = joint.rows > 0 ? model->joint_items++ : -1;
    joint.parts = both && !options->collide;
    model->joints[model->joint_count++] = joint;
    *out = crn_joint_handle(model, (int)model->joint_count - 1);
    return CAIRN_OK;
}

/* The place in the table of the class that the options name; one past the last for an unknown type. */
static int find_class(const cairn_model *model, const cairn_joint_options *options)
{
    int kind = 0;
    if (!options->type)
        return (int)options->kind;
    const crn_joint_class *type;
    while ((type = crn_joint_class_at(model->context, kind)) && strcmp(type->name, options->type) != 0)
        ++kind;
    return kind;
}

cairn_status cairn_model_add_joint(cairn_model *model, const cairn_joint_options *options, cairn_joint *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "joint: the model, the options or the place for its handle is NULL");
    }
    cairn_joint_options found = *options;
    found.kind = (cairn_joint_kind)find_class(model, options);
    const crn_joint_class *type = crn_joint_class_at(model->context, (int)found.kind);
    const char *name = options->name ? options->name : "";
    if (!type && options->type)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': unknown type '%s'", name, options->type);
    if (!type)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': unknown kind %d", name, (int)options->kind);
    return crn_model_add_joint_of(model, type, &found, out);
}

int cairn_model_joint_count(const cairn_model *model)
{
    return (int)model->joint_count;
}

cairn_joint cairn_model_joint(const cairn_model *model, int index)
{
    return crn_joint_handle(model, index);
}

cairn_joint cairn_model_find_joint(const cairn_model *model, const char *name)
{
    return crn_joint_handle(model, crn_find_name(&model->joint_slots, &model->joint_names, name));
}

const char *cairn_model_joint_type(const cairn_model *model, cairn_joint joint)
{
    int index = crn_joint_index(model, joint);
    return index < 0 ? "" : model->joints[index].type->name;
}

bool cairn_model_joint_is_pin(const cairn_model *model, cairn_joint joint)
{
    int index = crn_joint_index(model, joint);
    return index >= 0 && model->joints[index].type->is_pin;
}

const char *cairn_model_joint_name(const cairn_model *model, cairn_joint joint)
{
    int index = crn_joint_index(model, joint);
    return index < 0 ? "" : model->joints[index].name;
}

cairn_joint_kind cairn_model_joint_kind(const cairn_model *model, cairn_joint joint)
{
    int index = crn_joint_index(model, joint);
    return index < 0 ? CAIRN_JOINT_DISTANCE : model->joints[index].kind;
}

void cairn_model_joint_attachments(const cairn_model *model, cairn_joint joint, cairn_attachment *a,
                                   cairn_attachment *b)
{
    int index = crn_joint_index(model, joint);
    *a = *b = (cairn_attachment){.body = {0}};
    if (index >= 0)
    {
        const crn_joint *found = &model->joints[index];
        *a = crn_attachment_given(model, &found->a);
        *b = crn_attachment_given(model, found->coupling ? &found->a : &found->b);
    }
}
