/* The axes of a joint in the frames of its bodies. They are given in a's frame and hold at the initial poses: b gets the directions
 * that coincide with a's there. Where the axis in b's frame is given too, these directions are swung the shortest way onto it: the
 * bodies are yet to be put together. */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void crn_joint_at_start(const cairn_model *model, const crn_joint *joint, crn_pose pose[2], crn_joint_place *place)
{
    const crn_attachment *side[2] = {&joint->a, &joint->b};
    *place = (crn_joint_place){.last = NULL};
    for (int i = 0; i < 2; ++i)
    {
        const crn_attachment origin = {.body = side[i]->body};
        crn_rotation_at_start(model, side[i]->body, pose[i].R);
        crn_attachment_at_start(model, &origin, pose[i].x);
        crn_attachment_at_start(model, side[i], place->x[i]);
        place->pose[i] = side[i]->body < 0 ? NULL : &pose[i];
    }
}

void crn_joint_mix(const cairn_model *model, crn_joint *joint, int coordinate, double factor)
{
    assert(coordinate >= 0 && coordinate < CRN_JOINT_COORDINATES);
    crn_pose pose[2];
    crn_joint_place start;
    crn_joint_rows rows = {.equations = joint->own_rows, .values_only = true};
    crn_joint_at_start(model, joint, pose, &start);
    joint->is_mixed = true;
    joint->mix[coordinate] = factor;
    joint->offset = 0;
    crn_joint_evaluate_functions(joint, model->dimension, &start, &rows);
    joint->offset = rows.theta[joint->type->mixed];
}

cairn_status crn_joint_check_turns(const cairn_model *model, const crn_joint *joint)
{
    const int body[2] = {joint->a.body, joint->b.body};
    for (int side = 0; side < 2; ++side)
        if (crn_body_is_dynamic(model, body[side]) && model->bodies[body[side]].point)
            return crn_fail(model->context, CAIRN_INVALID,
                            "joint '%s': body '%s' is a point mass, which has no axis to hold", joint->name,
                            model->bodies[body[side]].name);
    return CAIRN_OK;
}

static cairn_status unit_of(const cairn_model *model, const crn_joint *joint, const char *field, const double given[3],
                            double out[3])
{
    double length = crn_norm3(given);
    if (!crn_all_finite(given, 3) || !(length > 0))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': %s: must not have zero length", joint->name, field);
    for (int k = 0; k < 3; ++k)
        out[k] = given[k] / length;
    return CAIRN_OK;
}

/* Directions of one body in the frame of the other, by the initial poses. */
static void carry(const double R_from[9], const double R_to[9], const double d[3], double out[3])
{
    double world[3];
    crn_rotate3(R_from, d, world);
    crn_unrotate3(R_to, world, out);
}

/* The second axis as given, made perpendicular to the first. It must be so to a few digits. */
static cairn_status set_second(const cairn_model *model, const double given[3], crn_joint *joint)
{
    double(*a)[3] = joint->axis[0];
    CRN_TRY(unit_of(model, joint, "second_axis", given, a[1]));
    double along = crn_dot3(a[0], a[1]);
    if (fabs(along) > 1e-6)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': second_axis: must be perpendicular to axis, but is off by %g degrees", joint->name,
                        asin(fmin(fabs(along), 1)) * 57.29577951308232);
    crn_madd3(a[1], -along, a[0], a[1]);
    crn_scale3(1 / crn_norm3(a[1]), a[1], a[1]);
    crn_cross3(a[0], a[1], a[2]);
    return CAIRN_OK;
}

/* The axis of b, where it differs from that of a at the start; the axes across it are those of a, swung the shortest way. */
static cairn_status set_bent(const cairn_model *model, const double given[3], const double R_a[9], const double R_b[9],
                             crn_joint *joint)
{
    double(*a)[3] = joint->axis[0], q[3], sum[3];
    CRN_TRY(unit_of(model, joint, "second_axis", crn_norm3(given) > 0 ? given : a[0], q));
    double cosine = crn_dot3(a[0], q);
    if (cosine < -0.999)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': second_axis: points against axis", joint->name);
    crn_tangents(a[0], a[1], a[2]);
    crn_add3(a[0], q, sum);
    for (int k = 0; k < 3; ++k)
    {
        double swung[3];
        crn_madd3(a[k], -crn_dot3(sum, a[k]) / (1 + cosine), sum, swung);
        crn_madd3(swung, 2 * crn_dot3(a[0], a[k]), q, swung);
        carry(R_a, R_b, swung, joint->axis[1][k]);
    }
    return CAIRN_OK;
}

/* The third axis of a gimbal, which b keeps: b_2 or its opposite. */
static cairn_status set_third(const cairn_model *model, const double given[3], crn_joint *joint)
{
    double unit[3];
    joint->third = 1;
    if (given[0] == 0 && given[1] == 0 && given[2] == 0)
        return CAIRN_OK;
    CRN_TRY(unit_of(model, joint, "axis_b", given, unit));
    double along = crn_dot3(joint->axis[1][2], unit);
    if (fabs(along) < 1 - 1e-12)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': axis_b: must be perpendicular to axis and second_axis at the start, but is off by "
                        "%g degrees",
                        joint->name, acos(fabs(along)) * 57.29577951308232);
    joint->third = along < 0 ? -1 : 1;
    return CAIRN_OK;
}

/* Swing the axes of b the shortest way, so that the first becomes the one given in b's frame. */
static cairn_status swing_onto(const cairn_model *model, const double given[3], crn_joint *joint)
{
    double(*b)[3] = joint->axis[1], to[3], sum[3], from[3] = {b[0][0], b[0][1], b[0][2]};
    if (given[0] == 0 && given[1] == 0 && given[2] == 0)
        return CAIRN_OK;
    unsigned fields = joint->type->fields;
    if (model->dimension == 2 || !(fields & CRN_JOINT_AXIS) || fields & (CRN_JOINT_SECOND_AXIS | CRN_JOINT_BENT))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': axis_b: a %s joint%s has none", joint->name,
                        joint->type->name, model->dimension == 2 ? " in the plane" : "");
    CRN_TRY(unit_of(model, joint, "axis_b", given, to));
    double cosine = crn_dot3(from, to);
    if (cosine < -0.999)
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': axis_b: points against axis at the initial poses",
                        joint->name);
    crn_add3(from, to, sum);
    for (int k = 0; k < 3; ++k)
    {
        double along = crn_dot3(from, b[k]);
        crn_madd3(b[k], -crn_dot3(sum, b[k]) / (1 + cosine), sum, b[k]);
        crn_madd3(b[k], 2 * along, to, b[k]);
    }
    return CAIRN_OK;
}

static cairn_status set_plane(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    static const double ALONG_X[3] = {1, 0, 0}, NORMAL[3] = {0, 0, 1};
    bool given = (joint->type->fields & CRN_JOINT_AXIS_PLANE) != 0;
    const double in_plane[3] = {options->axis[0], options->axis[1], 0};
    double(*a)[3] = joint->axis[0];
    memcpy(a[0], NORMAL, sizeof NORMAL);
    CRN_TRY(unit_of(model, joint, "axis", given ? in_plane : ALONG_X, a[1]));
    crn_cross3(a[0], a[1], a[2]);
    return CAIRN_OK;
}

static cairn_status set_both(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    unsigned fields = joint->type->fields;
    double R_a[9], R_b[9];
    double(*a)[3] = joint->axis[0], (*b)[3] = joint->axis[1];
    crn_rotation_at_start(model, joint->a.body, R_a);
    crn_rotation_at_start(model, joint->b.body, R_b);
    if (model->dimension == 2)
        CRN_TRY(set_plane(model, options, joint));
    else
    {
        static const double UPWARDS[3] = {0, 0, 1};
        CRN_TRY(unit_of(model, joint, "axis", fields & CRN_JOINT_AXIS ? options->axis : UPWARDS, a[0]));
        if (fields & CRN_JOINT_BENT)
            return set_bent(model, options->second_axis, R_a, R_b, joint);
        if (fields & CRN_JOINT_SECOND_AXIS)
            CRN_TRY(set_second(model, options->second_axis, joint));
        else
        {
            /* across the axis, as b sees it */
            carry(R_a, R_b, a[0], b[0]);
            crn_tangents(b[0], b[1], b[2]);
            carry(R_b, R_a, b[1], a[1]);
            carry(R_b, R_a, b[2], a[2]);
            return CAIRN_OK;
        }
    }
    for (int k = 0; k < 3; ++k)
        carry(R_a, R_b, a[k], b[k]);
    return CAIRN_OK;
}

cairn_status crn_joint_set_axes(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    memcpy(joint->given[0], options->axis, sizeof joint->given[0]);
    memcpy(joint->given[1], options->second_axis, sizeof joint->given[1]);
    memcpy(joint->given[2], options->axis_b, sizeof joint->given[2]);
    CRN_TRY(set_both(model, options, joint));
    bool is_third = model->dimension == 3 && joint->type->fields & CRN_JOINT_THIRD_AXIS;
    return (is_third ? set_third : swing_onto)(model, options->axis_b, joint);
}
