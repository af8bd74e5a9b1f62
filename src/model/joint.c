/* Joints: what is given, checked; axes brought into both bodies' frames. */
#include "base/memory.h"
#include "math/vec.h"
#include "model/names.h"

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

static cairn_status set_distance(const cairn_model *model, double length, crn_joint *joint)
{
    double a[3], b[3], d[3];
    crn_attachment_at_start(model, &joint->a, a);
    crn_attachment_at_start(model, &joint->b, b);
    crn_sub3(b, a, d);
    double distance = crn_norm3(d);
    joint->rows = 1;
    joint->length = isnan(length) ? distance : length;
    if (!(joint->length > 0) || !isfinite(joint->length))
    {
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': length: must be greater than 0, found %g (two points that coincide are held by a "
                        "revolute joint)",
                        joint->name, joint->length);
    }
    return CAIRN_OK;
}

static cairn_status set_axes(const cairn_model *model, const double axis[3], crn_joint *joint)
{
    double length = crn_norm3(axis);
    if (!crn_all_finite(axis, 3) || !(length > 0))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': axis: must not have zero length", joint->name);
    for (int side = 0; side < 2; ++side)
    {
        int body = side == 0 ? joint->a.body : joint->b.body;
        if (crn_body_is_dynamic(model, body) && model->bodies[body].point)
        {
            return crn_fail(model->context, CAIRN_INVALID,
                            "joint '%s': body '%s' is a point mass, which has no axis to hold", joint->name,
                            model->bodies[body].name);
        }
    }
    double R_a[9], R_b[9], world[3];
    crn_rotation_at_start(model, joint->a.body, R_a);
    crn_rotation_at_start(model, joint->b.body, R_b);
    for (int k = 0; k < 3; ++k)
        joint->axis_a[k] = axis[k] / length;
    crn_rotate3(R_a, joint->axis_a, world);
    crn_unrotate3(R_b, world, joint->axis_b);
    crn_tangents(joint->axis_b, joint->tangent_b[0], joint->tangent_b[1]);
    return CAIRN_OK;
}

static cairn_status set_revolute(const cairn_model *model, const double axis[3], crn_joint *joint)
{
    joint->rows = model->dimension == 2 ? 2 : 5;
    return model->dimension == 2 ? CAIRN_OK : set_axes(model, axis, joint);
}

static cairn_status set_give(const cairn_model *model, const cairn_joint_options *o, crn_joint *joint)
{
    bool axis = o->kind == CAIRN_JOINT_REVOLUTE && model->dimension == 3;
    if (!axis && (o->angular_stiffness != 0 || o->angular_damping != 0))
    {
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': %s: only a revolute joint in space has an axis to hold", o->name,
                        o->angular_stiffness != 0 ? "angular_stiffness" : "angular_damping");
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

static cairn_status fill(const cairn_model *model, const cairn_joint_options *o, crn_joint *joint)
{
    cairn_status status = crn_check_options(model, "joint", o->struct_size, sizeof *o);
    status = status ? status : crn_check_name(model, "joint", o->name, &model->joint_names);
    if (status != CAIRN_OK)
        return status;
    joint->name = crn_copy_text(o->name);
    if (!joint->name)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", o->name);
    status = crn_attach(model, "joint", o->name, &o->a, &joint->a);
    status = status ? status : crn_attach(model, "joint", o->name, &o->b, &joint->b);
    status = status ? status : check_bodies(model, joint);
    status = status ? status : set_give(model, o, joint);
    if (status != CAIRN_OK)
        return status;
    switch (o->kind)
    {
    case CAIRN_JOINT_DISTANCE:
        return set_distance(model, o->length, joint);
    case CAIRN_JOINT_REVOLUTE:
        return set_revolute(model, o->axis, joint);
    }
    return crn_fail(model->context, CAIRN_INVALID, "joint '%s': unknown kind %d", o->name, (int)o->kind);
}

cairn_status cairn_model_add_joint(cairn_model *model, const cairn_joint_options *options, cairn_joint *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "joint: the model, the options or the place for its handle is NULL");
    }
    crn_joint joint = {.kind = options->kind};
    cairn_status status = fill(model, options, &joint);
    bool both = joint.a.body >= 0 && joint.b.body >= 0;
    if (status == CAIRN_OK && both && !options->collide)
        status = cairn_model_ignore_contact(model, options->a.body, options->b.body);
    if (status == CAIRN_OK &&
        (crn_reserve(&model->joints, &model->joint_capacity, model->joint_count + 1, sizeof(crn_joint)) ||
         crn_enlist(model, &model->joint_slots, &model->joint_names, joint.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", options->name);
    if (status != CAIRN_OK)
    {
        free(joint.name);
        return status;
    }
    model->gives = model->gives || joint.stiffness > 0 || joint.angular_stiffness > 0;
    model->weighs = model->weighs || joint.weight != 1.0;
    joint.parts = both && !options->collide;
    model->joints[model->joint_count++] = joint;
    *out = crn_joint_handle(model, (int)model->joint_count - 1);
    return CAIRN_OK;
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
        *a = crn_attachment_given(model, &model->joints[index].a);
        *b = crn_attachment_given(model, &model->joints[index].b);
    }
}
