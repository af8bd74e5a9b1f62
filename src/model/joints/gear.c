/* `gear`: two gear wheels with parallel axes, of pitch radii r_a and r_b about the points of a and b, mesh with each other. Whatever
 * carries them, and however that turns: with the bearing of b seen from a,
 *
 *     r_b angle - (r_a + r_b) bearing = offset
 *
 * which says that the pitch circles roll on each other. A negative r_b is a wheel inside a ring, a. The joint holds nothing else:
 * other joints guide the two. `ratio` is r_a/r_b; the radii follow from the distance of the points at the start.
 */
#include "model/joints/joint_class.h"

#include "model/names.h"

#include <math.h>

enum
{
    ANGLE,
    BEARING,
    DISTANCE
};

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    (void)options;
    crn_pose pose[2];
    crn_joint_place start;
    crn_joint_at_start(model, joint, pose, &start);
    double distance = crn_joint_coordinate(joint, model->dimension, &start, DISTANCE, NULL), ratio = joint->number[0];
    if (!(distance > 0))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': the centres of the wheels, its points, coincide",
                        joint->name);
    if (ratio == -1)
        return crn_fail(model->context, CAIRN_INVALID,
                        "joint '%s': ratio: -1 is a wheel as large as the ring around it", joint->name);
    crn_joint_mix(model, joint, ANGLE, distance / (1 + ratio)); /* r_b */
    crn_joint_mix(model, joint, BEARING, -distance);
    return crn_joint_check_turns(model, joint);
}

static const crn_joint_number NUMBERS[] = {{.name = "ratio", .required = true, .not_zero = true}};

const crn_joint_class crn_gear_joint = {
    .name = "gear",
    .equations = {1, 1},
    .coordinate = {{[ANGLE] = {.name = "angle", .kind = CRN_TURN},
                    [BEARING] = {.name = "bearing", .kind = CRN_BEARING},
                    [DISTANCE] = {.name = "distance", .kind = CRN_LENGTH}},
                   {[ANGLE] = {.name = "angle", .kind = CRN_TURN},
                    [BEARING] = {.name = "bearing", .kind = CRN_BEARING},
                    [DISTANCE] = {.name = "distance", .kind = CRN_LENGTH}}},
    .mixed = 0,
    .numbers = NUMBERS,
    .number_count = 1,
    .fields = CRN_JOINT_AXIS | CRN_JOINT_APART,
    .prepare = prepare,
};
