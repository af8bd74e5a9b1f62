/* `gimbal` (three crossing hinges): the two points coincide. b turns about a_0, which a keeps, then about the axis n that was a_1 and has
 * turned along, then about b_2, which b keeps. Shoulders, hips and stabilised platforms count their turns like this.
 *
 *     e_k . (x_a - x_b) = 0,  k = 0, 1, 2
 *
 * Where the second angle is a quarter turn, the first and the third have the same axis (gimbal lock): their rates are then not
 * defined, and nothing should act on them there.
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_gimbal_joint = {
    .name = "gimbal",
    .equations = {0, 3},
    .equation = {[CRN_SPACE] = {{.kind = CRN_MEET, .k = 0}, {.kind = CRN_MEET, .k = 1}, {.kind = CRN_MEET, .k = 2}}},
    .coordinate = {[CRN_SPACE] = {{.name = "angle", .kind = CRN_OUTER},
                                  {.name = "second_angle", .kind = CRN_MIDDLE},
                                  {.name = "third_angle", .kind = CRN_INNER}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_SECOND_AXIS | CRN_JOINT_THIRD_AXIS,
    .is_pin = true,
};
