/* `pulley`: a rope without mass from a's point over two fixed pulleys, at points p and q of the world, to b's point:
 *
 *     |x_a - p| + ratio |x_b - q| = length
 *
 * With a ratio n, b hangs on a tackle of n strands. The rope is taken as taut; a tension that turns out negative pushes.
 */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>

/* Unit vector from the pulley of a side to its point, and their distance. */
static double strand(const crn_joint *joint, const crn_joint_place *place, int side, double unit[3])
{
    double d[3];
    crn_sub3(place->x[side], joint->over[side], d);
    double length = crn_norm3(d);
    for (int k = 0; k < 3; ++k)
        unit[k] = length > 0 ? d[k] / length : 0.0;
    return length;
}

static double ratio_of(const crn_joint *joint, int side)
{
    return side == 0 ? 1.0 : joint->number[0];
}

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    crn_pose pose[2];
    crn_joint_place start;
    double unit[3], sum = 0;
    crn_joint_at_start(model, joint, pose, &start);
    for (int side = 0; side < 2; ++side)
    {
        for (int k = 0; k < 3; ++k)
            joint->over[side][k] = k < model->dimension ? options->over[side][k] : 0.0;
        if (!crn_all_finite(joint->over[side], 3))
            return crn_fail(model->context, CAIRN_INVALID, "joint '%s': over: must be finite", joint->name);
        double length = strand(joint, &start, side, unit);
        if (!(length > 0))
            return crn_fail(model->context, CAIRN_INVALID, "joint '%s': over: point %d lies on its pulley", joint->name,
                            side + 1);
        sum += ratio_of(joint, side) * length;
    }
    joint->length = isnan(options->length) ? sum : options->length;
    if (!(joint->length > 0) || !isfinite(joint->length))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': length: must be greater than 0, found %g",
                        joint->name, joint->length);
    return CAIRN_OK;
}

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    (void)dimension;
    assert(rows->equations == 1);
    const int body[2] = {joint->a.body, joint->b.body};
    double unit[3], sum = -joint->length, size = joint->length;
    for (int side = 0; side < 2; ++side)
    {
        double ratio = ratio_of(joint, side), length = strand(joint, place, side, unit);
        sum += ratio * length;
        size += crn_norm3(place->x[side]) + crn_norm3(joint->over[side]);
        crn_gradient_of_point(place->pose[side], &rows->gradient[0], side, body[side], place->x[side], unit, ratio);
    }
    rows->theta[0] = crn_joint_clean(sum, size);
}

static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    (void)dimension;
    double length = 0;
    for (int side = 0; side < 2; ++side)
    {
        double d[3];
        crn_sub3(place->x[side], joint->over[side], d);
        double part = crn_norm3(d), ratio = ratio_of(joint, side);
        length += ratio * part;
        if (part > 0)
            crn_scale3(c[0] * ratio / part, d, action->impulse[side]);
    }
    action->off = fabs(length - joint->length);
}

static const crn_joint_number NUMBERS[] = {{.name = "ratio", .standard = 1.0, .positive = true}};

const crn_joint_class crn_pulley_joint = {
    .name = "pulley",
    .equations = {1, 1},
    .numbers = NUMBERS,
    .number_count = 1,
    .fields = CRN_JOINT_LENGTH | CRN_JOINT_APART | CRN_JOINT_OVER,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
