/* The axes of joints that carry bodies, and what acts on them. */
#include "export/robot_writer.h"

#include <assert.h>
#include <math.h>

bool crn_joint_gives_way(const crn_joint *joint)
{
    return joint->stiffness > 0 || joint->damping > 0 || joint->angular_stiffness > 0 || joint->angular_damping > 0;
}

crn_joint_place crn_start_place(const crn_writer *w, const crn_joint *joint)
{
    return crn_place_between(&joint->a, &joint->b, w->pose, NULL);
}

/* Turns are counted where the value was given. What is rounding of places is 0. */
double crn_start_coordinate(const crn_writer *w, const crn_joint *joint, int coordinate)
{
    crn_joint_place place = crn_start_place(w, joint);
    if (joint->begins & 1u << coordinate)
        return joint->initial[coordinate];
    double value = crn_joint_coordinate(joint, w->model->dimension, &place, coordinate, NULL);
    return fabs(value) > 1e-13 * (1 + crn_norm3(place.x[0]) + crn_norm3(place.x[1])) ? value : 0;
}

void crn_start_direction(const crn_writer *w, const crn_joint *joint, const double local[3], double out[3])
{
    crn_joint_place place = crn_start_place(w, joint);
    crn_joint_direction(&place, 0, local, out);
}

enum
{
    OF_A,
    OF_B,
    BETWEEN /* of a gimbal: across a_0 and b_2 */
};

/* The axes of a kind, from a to b: the coordinate, and the axis of the joint, with its side, that it is along or about. */
typedef struct kind_axes
{
    cairn_joint_kind kind;
    int count;
    struct
    {
        int coordinate, side, axis;
        bool slides;
    } list[CRN_JOINT_COORDINATES];
} kind_axes;

static const kind_axes KINDS[] = {
    {CAIRN_JOINT_REVOLUTE, 1, {{0, OF_A, 0, false}}},
    {CAIRN_JOINT_PRISMATIC, 1, {{0, OF_A, 0, true}}},
    {CAIRN_JOINT_CYLINDRICAL, 2, {{0, OF_A, 0, true}, {1, OF_A, 0, false}}},
    {CAIRN_JOINT_UNIVERSAL, 2, {{0, OF_A, 0, false}, {1, OF_B, 1, false}}},
    {CAIRN_JOINT_DOUBLE_HINGE, 2, {{0, OF_A, 0, false}, {1, OF_B, 1, false}}},
    {CAIRN_JOINT_PLANAR, 3, {{0, OF_A, 1, true}, {1, OF_A, 2, true}, {2, OF_A, 0, false}}},
    {CAIRN_JOINT_GIMBAL, 3, {{0, OF_A, 0, false}, {1, BETWEEN, 0, false}, {2, OF_B, 2, false}}},
    {CAIRN_JOINT_SCREW, 2, {{0, OF_A, 0, false}, {1, OF_A, 0, true}}},
};

/* An axis of a joint in the world. */
static void direction_of(const crn_writer *w, const crn_joint *joint, int side, int axis, double out[3])
{
    crn_joint_place place = crn_start_place(w, joint);
    double outer[3], inner[3];
    if (side != BETWEEN)
        crn_joint_direction(&place, side, joint->axis[side][axis], out);
    else
    {
        crn_joint_direction(&place, 0, joint->axis[0][0], outer);
        crn_joint_direction(&place, 1, joint->axis[1][2], inner);
        crn_cross3(inner, outer, out);
        crn_scale3(1 / crn_norm3(out), out, out);
    }
    if (joint->kind == CAIRN_JOINT_GIMBAL && side == OF_B)
        crn_scale3(joint->third, out, out);
}

int crn_joint_axes(const crn_writer *w, int body, crn_joint_axis axis[CRN_JOINT_COORDINATES], double point[3])
{
    const crn_carrier *carrier = &w->body[body];
    assert(carrier->joint >= 0);
    const crn_joint *joint = &w->model->joints[carrier->joint];
    const kind_axes *kind = NULL;
    double sign = carrier->is_reversed ? -1 : 1;
    crn_attachment_at(&joint->b, w->pose, point);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; ++i)
        kind = KINDS[i].kind == joint->kind ? &KINDS[i] : kind;
    int count = kind ? kind->count : 0;
    for (int i = 0; i < count; ++i)
    {
        crn_joint_axis *out = &axis[carrier->is_reversed ? count - 1 - i : i];
        out->coordinate = kind->list[i].coordinate;
        out->slides = kind->list[i].slides;
        direction_of(w, joint, kind->list[i].side, kind->list[i].axis, out->direction);
        bool of_a = joint->kind == CAIRN_JOINT_DOUBLE_HINGE && kind->list[i].side == OF_A;
        crn_attachment_at(of_a ? &joint->a : &joint->b, w->pose, out->point);
        crn_scale3(sign, out->direction, out->direction);
        out->zero = crn_start_coordinate(w, joint, out->coordinate);
    }
    return count;
}

/* ----------------------------------------------------------------------------------------------------------- acting */

static void note_friction(crn_writer *w, const crn_joint *joint, const crn_element *element)
{
    if (element->mu > 0)
        crn_writer_note(w, "joint '%.80s': friction in proportion to the load has no counterpart in %s: not written",
                        joint->name, w->format);
}

static void take(crn_writer *w, const crn_joint *joint, const crn_element *element, crn_acting *out)
{
    switch (element->kind)
    {
    case CRN_ELEMENT_SPRING:
        out->k = element->k;
        out->c = element->c;
        out->rest = crn_signal_value(&element->target, 0);
        if (element->k > 0 && !crn_signal_is_constant(&element->target))
            crn_writer_note(w, "joint '%.80s': the rest of its spring changes in time; it is written as at t = 0",
                            joint->name);
        break;
    case CRN_ELEMENT_LOWER:
        out->lower = element->bound;
        break;
    case CRN_ELEMENT_UPPER:
        out->upper = element->bound;
        break;
    case CRN_ELEMENT_ROTOR:
        out->rotor = element->inertia;
        break;
    case CRN_ELEMENT_FRICTION:
        out->friction = element->most;
        note_friction(w, joint, element);
        break;
    default:
        out->drive = element;
    }
    if (element->restitution > 0 && element->kind == CRN_ELEMENT_LOWER)
        crn_writer_note(w, "joint '%.80s': the restitution of its range has no counterpart in %s: not written",
                        joint->name, w->format);
}

crn_acting crn_acting_of(crn_writer *w, const crn_joint *joint, int coordinate)
{
    crn_acting out = {.lower = -INFINITY, .upper = INFINITY};
    assert(coordinate >= 0 && coordinate < joint->coordinates);
    for (int i = 0; i < joint->element_count; ++i)
        if (joint->element[i].coordinate == coordinate)
            take(w, joint, &joint->element[i], &out);
    crn_acting_add_springs(w, joint, &out);
    return out;
}
