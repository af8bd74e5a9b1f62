/* The table of joint classes, and helpers shared by the classes. */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* In the order of cairn_joint_kind. */
static const crn_joint_class *const CLASSES[] = {
    &crn_distance_joint, &crn_revolute_joint,  &crn_rope_joint,           &crn_ball_joint,
    &crn_weld_joint,     &crn_prismatic_joint, &crn_cylindrical_joint,    &crn_universal_joint,
    &crn_planar_joint,   &crn_slot_joint,      &crn_point_on_plane_joint, &crn_constant_velocity_joint,
    &crn_screw_joint,    &crn_rolling_joint,   &crn_rack_joint,           &crn_gear_joint,
    &crn_pulley_joint,   &crn_bushing_joint,   &crn_gimbal_joint,         &crn_double_hinge_joint,
};

enum
{
    BUILT_IN = (int)(sizeof CLASSES / sizeof CLASSES[0])
};

const crn_joint_class *crn_joint_class_at(const cairn_context *context, int kind)
{
    if (kind < 0 || kind >= CRN_JOINT_CLASSES)
        return NULL;
    return kind < BUILT_IN ? CLASSES[kind] : crn_context_registered(context, CRN_REGISTRY_JOINTS, kind - BUILT_IN);
}

bool crn_joint_class_register(cairn_context *context, const crn_joint_class *added)
{
    assert(added->name && !added->evaluate == !added->act);
    for (int k = 0; k < 2; ++k)
    {
        assert(added->equations[k] >= added->angular[k] && added->bounded[k] >= 0);
        assert(added->equations[k] + added->bounded[k] <= CRN_JOINT_ROWS);
    }
    assert(added->number_count <= CRN_JOINT_NUMBERS);
    int count = 0, numbers = added->number_count;
    for (const crn_joint_class *known; (known = crn_joint_class_at(context, count)); ++count)
        numbers += known->number_count;
    return count < CRN_JOINT_CLASSES && numbers <= CRN_JOINT_OWN_NUMBERS &&
           crn_context_register(context, CRN_REGISTRY_JOINTS, added);
}

int crn_joint_class_coordinates(const crn_joint_class *type, int dimension)
{
    int count = 0;
    while (count < CRN_JOINT_COORDINATES && type->coordinate[dimension - 2][count].name)
        ++count;
    return count;
}

/* --------------------------------------------------------------------------------------------- shared by classes */

void crn_gradient_of_point(const crn_pose *pose, crn_gradient *gradient, int side, int body, const double at[3],
                           const double direction[3], double sign)
{
    assert(side == 0 || side == 1);
    assert((body < 0) == !pose);
    double *g = gradient->g[side];
    gradient->body[side] = body;
    memset(g, 0, sizeof gradient->g[side]);
    if (!pose)
        return;
    /* d . (v + R w x r) = d . v + w . R'(r x d),  r from the body's origin to the point */
    double arm[3], turn[3];
    crn_sub3(at, pose->x, arm);
    crn_cross3(arm, direction, turn);
    crn_unrotate3(pose->R, turn, turn);
    for (int k = 0; k < 3; ++k)
    {
        g[k] = sign * direction[k];
        g[3 + k] = sign * turn[k];
    }
}

crn_gradient crn_gradient_of_sides(const crn_gradient_side *side, int count)
{
    assert(count > 0);
    crn_gradient gradient = {.body = {side[0].body, count > 1 ? side[1].body : -1}};
    for (int k = 0; k < 2 && k < count; ++k)
        memcpy(gradient.g[k], side[k].g, sizeof gradient.g[k]);
    return gradient;
}

double crn_joint_line(const crn_joint_place *place, double unit[3])
{
    double d[3];
    crn_sub3(place->x[1], place->x[0], d);
    double length = crn_norm3(d);
    unit[0] = 1;
    unit[1] = unit[2] = 0;
    for (int k = 0; length > 0 && k < 3; ++k)
        unit[k] = d[k] / length;
    return length;
}

cairn_status crn_joint_set_length(const cairn_model *model, double length, crn_joint *joint)
{
    double a[3], b[3], d[3];
    crn_attachment_at_start(model, &joint->a, a);
    crn_attachment_at_start(model, &joint->b, b);
    crn_sub3(b, a, d);
    double distance = crn_norm3(d);
    joint->length = isnan(length) ? distance : length;
    if (joint->length > 0 && isfinite(joint->length))
        return CAIRN_OK;
    return crn_fail(model->context, CAIRN_INVALID,
                    "joint '%s': length: must be greater than 0, found %g (two points that coincide are held by a "
                    "revolute joint)",
                    joint->name, joint->length);
}
