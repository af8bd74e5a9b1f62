/* What acts on coordinates: the elements of a joint become the fields from which they were made (model/joints/coordinate.c). */
#include "model/joints/coupling.h"
#include "scene/save/save.h"

#include <assert.h>
#include <math.h>

void crn_save_signal(crn_saver *s, const char *who, const char *field, const crn_signal *signal)
{
    if (signal->function)
        crn_cannot_say(s, "joint '%s': %s: is a callback, and a scene file holds expressions only", who, field);
    crn_field_begin(s, field);
    if (signal->text)
        crn_put_expression(s, signal->text);
    else if (signal->table_count == 1)
        crn_put_number(s, signal->table[1]);
    else if (signal->table_count == 0)
        crn_put_number(s, 0);
    else
    {
        crn_open(s, '[');
        for (int i = 0; i < signal->table_count; ++i)
        {
            crn_element_begin(s, false);
            crn_put_numbers(s, signal->table + (ptrdiff_t)2 * i, 2);
        }
        crn_close(s, ']');
    }
}

static bool is_given(const crn_signal *signal)
{
    return signal->text || signal->function || signal->table_count > 0;
}

static void save_drive(crn_saver *s, const crn_joint *joint, const crn_element *drive)
{
    static const char *const TYPES[] = {
        [CRN_ELEMENT_POSITION] = "position", [CRN_ELEMENT_SPEED] = "speed", [CRN_ELEMENT_FORCE] = "force"};
    crn_field_begin(s, "drive");
    crn_open(s, '{');
    crn_field_text(s, "type", TYPES[drive->kind]);
    crn_save_signal(s, joint->name, "target", &drive->target);
    if (drive->kind != CRN_ELEMENT_FORCE)
    {
        crn_field_number(s, "stiffness", drive->k, 0);
        crn_field_number(s, "damping", drive->c, 0);
    }
    crn_field_number(s, "limit", drive->most, INFINITY);
    crn_field_number(s, "power", drive->power, 0);
    crn_close(s, '}');
}

static void save_friction(crn_saver *s, const crn_element *friction)
{
    crn_field_number(s, "friction", friction->most, 0);
    crn_field_number(s, "friction_coefficient", friction->mu, 0);
    crn_field_number(s, "friction_radius", friction->radius, 0);
    crn_field_number(s, "thrust_radius", friction->thrust, 0);
    crn_field_number(s, "bearing_length", friction->span, 0);
}

static void save_element(crn_saver *s, const crn_joint *joint, const crn_element *element)
{
    switch (element->kind)
    {
    case CRN_ELEMENT_SPRING:
        crn_field_number(s, "stiffness", element->k, 0);
        crn_field_number(s, "damping", element->c, 0);
        if (is_given(&element->target))
            crn_save_signal(s, joint->name, "rest", &element->target);
        break;
    case CRN_ELEMENT_ROTOR:
        crn_field_number(s, "rotor_inertia", element->inertia, 0);
        break;
    case CRN_ELEMENT_LOWER:
    case CRN_ELEMENT_UPPER:
        crn_field_begin(s, element->kind == CRN_ELEMENT_LOWER ? "lower" : "upper");
        crn_put_number(s, element->bound);
        break;
    case CRN_ELEMENT_FRICTION:
        save_friction(s, element);
        break;
    default:
        save_drive(s, joint, element);
    }
}

bool crn_has_acting(const crn_joint *joint, int coordinate)
{
    bool has = (joint->begins | joint->begins_rate) & 1u << coordinate;
    for (int i = 0; i < joint->element_count; ++i)
        has = has || joint->element[i].coordinate == coordinate;
    return has;
}

void crn_save_acting(crn_saver *s, const crn_joint *joint, int coordinate)
{
    assert(coordinate >= 0 && coordinate < joint->coordinates);
    double restitution = 0;
    if (joint->begins & 1u << coordinate)
        crn_field_number(s, "initial", joint->initial[coordinate], NAN);
    if (joint->begins_rate & 1u << coordinate)
        crn_field_number(s, "initial_rate", joint->initial_rate[coordinate], NAN);
    for (int i = 0; i < joint->element_count; ++i)
    {
        const crn_element *element = &joint->element[i];
        if (element->coordinate != coordinate)
            continue;
        save_element(s, joint, element);
        restitution = fmax(restitution, element->restitution);
    }
    crn_field_number(s, "restitution", restitution, 0);
}
