/* Coordinates of joints in a model: what acts on them is checked and becomes elements. */
#include "base/memory.h"
#include "model/joints/coupling.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cairn_coordinate_options cairn_coordinate_default(void)
{
    return (cairn_coordinate_options){.struct_size = sizeof(cairn_coordinate_options),
                                      .lower = -INFINITY,
                                      .upper = INFINITY,
                                      .drive_limit = INFINITY,
                                      .drive_power = INFINITY,
                                      .initial = NAN,
                                      .initial_rate = NAN};
}

int cairn_model_coordinate_count(const cairn_model *model, cairn_joint joint)
{
    int index = crn_joint_index(model, joint);
    return index < 0 ? 0 : model->joints[index].coordinates;
}

const char *cairn_model_coordinate_name(const cairn_model *model, cairn_joint joint, int index)
{
    int place = crn_joint_index(model, joint);
    bool known = place >= 0 && index >= 0 && index < model->joints[place].coordinates;
    return known ? model->joints[place].type->coordinate[model->dimension - 2][index].name : NULL;
}

const char *crn_joint_list_coordinates(const cairn_model *model, const crn_joint *joint, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < joint->coordinates && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", i > 0 ? ", " : "",
                                 joint->type->coordinate[model->dimension - 2][i].name);
    return joint->coordinates > 0 ? text : "none";
}

int crn_joint_find_coordinate(const cairn_model *model, const crn_joint *joint, const char *name)
{
    for (int i = 0; i < joint->coordinates; ++i)
        if (name && strcmp(joint->type->coordinate[model->dimension - 2][i].name, name) == 0)
            return i;
    return -1;
}

static cairn_status check_range(const cairn_model *model, const crn_joint *joint, const cairn_coordinate_options *o)
{
    const char *noun = crn_joint_noun(joint), *name = joint->name;
    if (isnan(o->lower) || isnan(o->upper) || !(o->lower < o->upper))
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': range: lower (%g) must be less than upper (%g)", noun,
                        name, o->lower, o->upper);
    if (!(o->restitution >= 0 && o->restitution <= 1))
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': restitution: must be from 0 to 1, found %g", noun,
                        name, o->restitution);
    return CAIRN_OK;
}

static cairn_status check_numbers(const cairn_model *model, const crn_joint *joint, const cairn_coordinate_options *o)
{
    const char *noun = crn_joint_noun(joint), *name = joint->name;
    const struct
    {
        const char *field;
        double value;
    } all[] = {{"friction", o->friction},
               {"friction_coefficient", o->friction_coefficient},
               {"friction_radius", o->friction_radius},
               {"thrust_radius", o->thrust_radius},
               {"bearing_length", o->bearing_length},
               {"rotor_inertia", o->rotor_inertia},
               {"damping", o->damping},
               {"stiffness", o->stiffness},
               {"drive: stiffness", o->drive_stiffness},
               {"drive: damping", o->drive_damping}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (!(all[i].value >= 0) || !isfinite(all[i].value))
            return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: must be 0 or more and finite, found %g", noun,
                            name, all[i].field, all[i].value);
    if (!(o->drive_limit > 0) || !(o->drive_power > 0))
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': drive: %s: must be greater than 0", noun, name,
                        o->drive_limit > 0 ? "power" : "limit");
    if ((int)o->drive < CAIRN_DRIVE_NONE || (int)o->drive > CAIRN_DRIVE_FORCE)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': drive: unknown kind %d", noun, name, (int)o->drive);
    if (o->drive == CAIRN_DRIVE_SPEED && o->drive_stiffness > 0)
        return crn_fail(model->context, CAIRN_INVALID,
                        "%s '%s': drive: stiffness: a speed drive has only a damping, force per rate", noun, name);
    return CAIRN_OK;
}

/* Radii belong to angles, and what rubs needs a coefficient. */
static cairn_status check_bearing(const cairn_model *model, const crn_joint *joint, int coordinate,
                                  const cairn_coordinate_options *o)
{
    if (joint->coupling && o->friction_coefficient > 0)
        return crn_fail(model->context, CAIRN_INVALID,
                        "coupling '%s': friction_coefficient: nothing presses its parts together; give a friction",
                        joint->name);
    bool turns = crn_element_turns(joint, model->dimension, &(crn_element){.coordinate = coordinate});
    bool radii = o->friction_radius > 0 || o->thrust_radius > 0;
    const char *name = joint->type->coordinate[model->dimension - 2][coordinate].name;
    if (!turns && radii)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': %s: '%s' is no angle, so that its friction has no radius", joint->name,
                        o->friction_radius > 0 ? "friction_radius" : "thrust_radius", name);
    if (turns && !radii && o->friction_coefficient > 0)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': friction_coefficient: the friction of '%s', an angle, needs a friction_radius or "
                        "a thrust_radius",
                        joint->name, name);
    if ((radii || o->bearing_length > 0) && !(o->friction_coefficient > 0))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': %s: needs a friction_coefficient", joint->name,
                        o->friction_radius > 0 ? "friction_radius"
                        : radii                ? "thrust_radius"
                                               : "bearing_length");
    return CAIRN_OK;
}

/* Room for what one coordinate may have; the joint's elements of kinds that differ come from one call each. */
static crn_element *push(crn_element *list, int *count, crn_element_kind kind, int coordinate)
{
    crn_element *element = &list[(*count)++];
    *element = (crn_element){.kind = kind, .coordinate = coordinate, .most = INFINITY};
    return element;
}

static cairn_status add_drive(const cairn_model *model, const char *who, const cairn_coordinate_options *o,
                              int coordinate, crn_element *list, int *count)
{
    static const crn_element_kind KIND[] = {CRN_ELEMENT_SPRING, CRN_ELEMENT_POSITION, CRN_ELEMENT_SPEED,
                                            CRN_ELEMENT_FORCE};
    if (o->drive == CAIRN_DRIVE_NONE)
        return CAIRN_OK;
    crn_element *drive = push(list, count, KIND[o->drive], coordinate);
    drive->k = o->drive_stiffness;
    drive->c = o->drive_damping;
    drive->most = o->drive_limit;
    drive->power = isfinite(o->drive_power) ? o->drive_power : 0.0;
    drive->bounded = o->drive == CAIRN_DRIVE_FORCE || isfinite(o->drive_limit) || drive->power > 0;
    return crn_signal_set(model, who, "drive: target", &o->target, true, &drive->target);
}

/* The elements of a coordinate. */
static cairn_status list_elements(const cairn_model *model, const char *who, const cairn_coordinate_options *o,
                                  int coordinate, crn_element *list, int *count)
{
    if (o->stiffness > 0 || o->damping > 0)
    {
        crn_element *spring = push(list, count, CRN_ELEMENT_SPRING, coordinate);
        spring->k = o->stiffness;
        spring->c = o->damping;
        if (o->stiffness > 0)
            CRN_TRY(crn_signal_set(model, who, "rest", &o->rest, false, &spring->target));
    }
    if (o->rotor_inertia > 0)
        push(list, count, CRN_ELEMENT_ROTOR, coordinate)->inertia = o->rotor_inertia;
    CRN_TRY(add_drive(model, who, o, coordinate, list, count));
    for (int side = 0; side < 2; ++side)
    {
        if (!isfinite(side == 0 ? o->lower : o->upper))
            continue;
        crn_element *limit = push(list, count, side == 0 ? CRN_ELEMENT_LOWER : CRN_ELEMENT_UPPER, coordinate);
        limit->bounded = true;
        limit->bound = side == 0 ? o->lower : o->upper;
        limit->restitution = o->restitution;
    }
    if (o->friction > 0 || o->friction_coefficient > 0)
    {
        crn_element *friction = push(list, count, CRN_ELEMENT_FRICTION, coordinate);
        friction->bounded = true;
        friction->most = o->friction;
        friction->mu = o->friction_coefficient;
        friction->radius = o->friction_radius;
        friction->thrust = o->thrust_radius;
        friction->span = o->bearing_length;
    }
    return CAIRN_OK;
}

/* Append the list to the joint's elements: those with equations first, the bounded ones after them. */
static cairn_status merge(const cairn_model *model, crn_joint *joint, const crn_element *list, int count)
{
    int total = joint->element_count + count, placed = 0;
    if (joint->rows + joint->bounded + count > CRN_JOINT_ROWS)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': more than %d rows act on it", crn_joint_noun(joint),
                        joint->name, CRN_JOINT_ROWS);
    crn_element *all = calloc((size_t)total + 1, sizeof *all);
    if (!all)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "joint '%s': memory ran out", joint->name);
    for (int bounded = 0; bounded < 2; ++bounded)
    {
        for (int i = 0; i < total; ++i)
        {
            const crn_element *element =
                i < joint->element_count ? &joint->element[i] : &list[i - joint->element_count];
            if (element->bounded == (bounded == 1))
                all[placed++] = *element;
        }
        if (bounded == 0)
            joint->rows = joint->own_rows + placed;
    }
    joint->bounded = joint->own_bounded + total - (joint->rows - joint->own_rows);
    free(joint->element);
    joint->element = all;
    joint->element_count = total;
    return CAIRN_OK;
}

cairn_status cairn_model_set_coordinate(cairn_model *model, cairn_joint handle, const char *name,
                                        const cairn_coordinate_options *options)
{
    if (!model || !options)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "joint: the model or the options are NULL");
    int index = crn_joint_index(model, handle);
    if (index < 0)
        return crn_fail(model->context, CAIRN_INVALID, "joint: this is none of the model");
    crn_joint *joint = &model->joints[index];
    char known[128];
    int coordinate = crn_joint_find_coordinate(model, joint, name), count = 0;
    CRN_TRY(crn_check_options(model, "joint", options->struct_size, sizeof *options));
    if (coordinate < 0)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': there is no coordinate '%s'; a %s%s has %s",
                        crn_joint_noun(joint), joint->name, name ? name : "", joint->type->name,
                        joint->coupling ? "" : " joint", crn_joint_list_coordinates(model, joint, known, sizeof known));
    for (int i = 0; i < joint->element_count; ++i)
        if (joint->element[i].coordinate == coordinate)
            return crn_fail(model->context, CAIRN_INVALID, "%s '%s': '%s' is given twice", crn_joint_noun(joint),
                            joint->name, name);
    if ((joint->begins | joint->begins_rate) & 1u << coordinate)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': '%s' is given twice", joint->name, name);
    CRN_TRY(check_range(model, joint, options));
    CRN_TRY(check_numbers(model, joint, options));
    CRN_TRY(check_bearing(model, joint, coordinate, options));
    crn_element list[8] = {{.kind = CRN_ELEMENT_SPRING}};
    int rows = joint->rows, bounded = joint->bounded;
    cairn_status status = list_elements(model, joint->name, options, coordinate, list, &count);
    status = status ? status : crn_check_start(model, joint, name, options, list, count);
    status = status ? status : merge(model, joint, list, count);
    for (int i = 0; status && i < count; ++i)
        crn_signal_release(&list[i].target);
    if (status == CAIRN_OK)
    {
        crn_set_start(joint, coordinate, options);
        model->revision += 1;
        crn_model_review_joint(model, index, rows, bounded);
    }
    return status;
}
