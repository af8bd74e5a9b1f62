/* What a front end asks about joints and their coordinates, and targets that it replaces while a simulation runs. */
#include "model/joints/element.h"

#include "math/vec.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <string.h>

cairn_joint_info cairn_model_joint_info(const cairn_model *model, cairn_joint handle)
{
    cairn_joint_info info = {.length = 0};
    int index = crn_joint_index(model, handle);
    if (index < 0)
        return info;
    const crn_joint *joint = &model->joints[index];
    memcpy(info.axis, joint->axis, sizeof info.axis);
    memcpy(info.over, joint->over, sizeof info.over);
    info.length = joint->length;
    return info;
}

double cairn_model_joint_number(const cairn_model *model, cairn_joint handle, const char *name)
{
    int index = crn_joint_index(model, handle);
    const crn_joint *joint = index < 0 ? NULL : &model->joints[index];
    for (int i = 0; joint && name && i < joint->type->number_count; ++i)
        if (strcmp(joint->type->numbers[i].name, name) == 0)
            return joint->number[i];
    return NAN;
}

/* ----------------------------------------------------------------------------------------------------- coordinates */

static void set_direction(const crn_joint *joint, int side, int k, int *out_side, double out[3])
{
    assert(side >= 0 && side < 2 && k >= 0 && k < 3);
    *out_side = side;
    memcpy(out, joint->axis[side][k], sizeof joint->axis[side][k]);
}

/* Where each function of joint_class.h is measured; the swing of a ball, the middle of a gimbal and the length of a gear have no direction of their own. */
static void set_directions(const crn_joint *joint, const crn_joint_function *function, cairn_coordinate_info *info)
{
    switch (function->kind)
    {
    case CRN_TURN:
    case CRN_POINT_A:
        set_direction(joint, 0, 0, &info->axis_side, info->axis);
        set_direction(joint, 0, 1, &info->zero_side, info->zero);
        set_direction(joint, 1, 1, &info->needle_side, info->needle);
        break;
    case CRN_POINT_B:
        set_direction(joint, 1, 1, &info->axis_side, info->axis);
        set_direction(joint, 0, 0, &info->zero_side, info->zero);
        set_direction(joint, 1, 0, &info->needle_side, info->needle);
        break;
    case CRN_OUTER:
        set_direction(joint, 0, 0, &info->axis_side, info->axis);
        set_direction(joint, 0, 2, &info->zero_side, info->zero);
        set_direction(joint, 1, 2, &info->needle_side, info->needle);
        break;
    case CRN_INNER:
        set_direction(joint, 1, 2, &info->axis_side, info->axis);
        crn_scale3(joint->third, info->axis, info->axis);
        set_direction(joint, 0, 0, &info->zero_side, info->zero);
        set_direction(joint, 1, 0, &info->needle_side, info->needle);
        break;
    case CRN_SLIDE:
        set_direction(joint, 0, function->k, &info->axis_side, info->axis);
        break;
    default:
        break;
    }
}

static void add_element(const crn_element *element, cairn_coordinate_info *info)
{
    switch (element->kind)
    {
    case CRN_ELEMENT_SPRING:
        info->stiffness = element->k;
        info->damping = element->c;
        break;
    case CRN_ELEMENT_ROTOR:
        info->rotor_inertia = element->inertia;
        break;
    case CRN_ELEMENT_LOWER:
        info->lower = element->bound;
        break;
    case CRN_ELEMENT_UPPER:
        info->upper = element->bound;
        break;
    case CRN_ELEMENT_FRICTION:
        info->friction = element->most;
        break;
    case CRN_ELEMENT_POSITION:
    case CRN_ELEMENT_SPEED:
    case CRN_ELEMENT_FORCE:
        info->drive = (cairn_drive_kind)(CAIRN_DRIVE_POSITION + (int)(element->kind - CRN_ELEMENT_POSITION));
        info->drive_stiffness = element->k;
        info->drive_damping = element->c;
        info->drive_limit = element->most;
        info->drive_power = element->power > 0 ? element->power : INFINITY;
        break;
    }
}

cairn_coordinate_info cairn_model_coordinate_info(const cairn_model *model, cairn_joint handle, int index)
{
    cairn_coordinate_info info = {
        .lower = -INFINITY, .upper = INFINITY, .drive_limit = INFINITY, .drive_power = INFINITY};
    int place = crn_joint_index(model, handle);
    if (place < 0 || index < 0 || index >= model->joints[place].coordinates)
        return info;
    const crn_joint *joint = &model->joints[place];
    const crn_joint_function *function = &joint->type->coordinate[model->dimension - 2][index];
    info.name = function->name;
    info.is_angle = crn_element_turns(joint, model->dimension, &(crn_element){.coordinate = index});
    set_directions(joint, function, &info);
    for (int i = 0; i < joint->element_count; ++i)
        if (joint->element[i].coordinate == index)
            add_element(&joint->element[i], &info);
    return info;
}

/* --------------------------------------------------------------------------------------------------------- targets */

static crn_element *find_drive(const crn_joint *joint, int coordinate)
{
    for (int i = 0; i < joint->element_count; ++i)
    {
        crn_element *element = &joint->element[i];
        bool drives = element->kind >= CRN_ELEMENT_POSITION && element->kind <= CRN_ELEMENT_FORCE;
        if (drives && element->coordinate == coordinate)
            return element;
    }
    return NULL;
}

double cairn_model_target(const cairn_model *model, cairn_joint handle, int index, double t)
{
    int place = crn_joint_index(model, handle);
    const crn_element *drive = place < 0 ? NULL : find_drive(&model->joints[place], index);
    return drive ? crn_signal_value(&drive->target, t) : NAN;
}

/* The signal given first is set aside by the first replacement, and taken back by NULL. */
static void replace(crn_element *drive, bool back, const crn_signal *with)
{
    assert(!back || drive->replaced);
    if (drive->replaced)
        crn_signal_release(&drive->target);
    else
        drive->first = drive->target;
    drive->target = back ? drive->first : *with;
    drive->replaced = !back;
    if (back)
        drive->first = (crn_signal){.function = NULL};
}

cairn_status cairn_model_set_target(cairn_model *model, cairn_joint handle, const char *name,
                                    const cairn_signal *target)
{
    if (!model)
        return CAIRN_INVALID;
    int place = crn_joint_index(model, handle), index = 0;
    if (place < 0)
        return crn_fail(model->context, CAIRN_INVALID, "joint: this is none of the model");
    const crn_joint *joint = &model->joints[place];
    while (index < joint->coordinates &&
           (!name || strcmp(cairn_model_coordinate_name(model, handle, index), name) != 0))
        ++index;
    crn_element *drive = find_drive(joint, index);
    crn_signal fresh = {.function = NULL};
    if (!drive)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': no drive acts on a coordinate '%s'", joint->name,
                        name ? name : "");
    cairn_status status = target ? crn_signal_set(model, joint->name, "drive: target", target, true, &fresh) : CAIRN_OK;
    if (status)
    {
        crn_signal_release(&fresh);
        return status;
    }
    if (target || drive->replaced)
        replace(drive, !target, &fresh);
    if (drive->target.references.count > 0 && !model->has_references)
    {
        model->has_references = true;
        model->revision += 1;
    }
    return CAIRN_OK;
}
