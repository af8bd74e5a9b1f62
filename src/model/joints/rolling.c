/* `rolling`: in the plane, a wheel of b about its point rolls without slip on a straight line of a through a's point along the axis.
 * The radius r is the distance of the wheel's centre from the line at the start, positive on the left. Free is the position.
 *
 *     a_2 . (x_a - x_b) + r = 0,     a_1 . (x_a - x_b) - r angle = offset
 */
#include "model/joints/joint_class.h"

#include "math/vec.h"
#include "model/names.h"

#include <math.h>

enum
{
    POSITION,
    ANGLE,
    HEIGHT
};

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    (void)options;
    crn_pose pose[2];
    crn_joint_place start;
    crn_joint_at_start(model, joint, pose, &start);
    double radius = crn_joint_coordinate(joint, 2, &start, HEIGHT, NULL);
    if (!(fabs(radius) > 0))
        return crn_fail(
            model->context, CAIRN_INVALID,
            "joint '%s': the centre of the wheel, its second point, lies on the line on which it should roll",
            joint->name);
    joint->length = radius;
    crn_joint_mix(model, joint, ANGLE, -radius);
    return crn_joint_check_turns(model, joint);
}

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    crn_joint_evaluate_functions(joint, dimension, place, rows);
    rows->theta[0] = crn_joint_clean(rows->theta[0] + joint->length, crn_norm3(place->x[0]) + crn_norm3(place->x[1]));
}

static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    crn_joint_act_functions(joint, dimension, place, c, action);
    action->off = fabs(action->off - fabs(joint->length));
}

const crn_joint_class crn_rolling_joint = {
    .name = "rolling",
    .equations = {2, 0},
    .equation = {{{.kind = CRN_ALONG, .k = 2}, {.kind = CRN_ALONG, .k = 1}}},
    .coordinate = {{[POSITION] = {.name = "position", .kind = CRN_SLIDE, .k = 1},
                    [ANGLE] = {.name = "angle", .kind = CRN_TURN},
                    [HEIGHT] = {.name = "height", .kind = CRN_SLIDE, .k = 2}}},
    .mixed = 1,
    .fields = CRN_JOINT_AXIS_PLANE | CRN_JOINT_APART,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
