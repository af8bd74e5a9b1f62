/* `universal` (Cardan, Hooke): the two points coincide, and an axis of a stays perpendicular to an axis of b. Free are the angle
 * about a's axis and that about b's.
 *
 *     e_k . (x_a - x_b) = 0,  k = 0, 1, 2;     a_0 . b_1 = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_universal_joint = {
    .name = "universal",
    .equations = {0, 4},
    .angular = {0, 1},
    .equation = {[CRN_SPACE] = {{.kind = CRN_MEET, .k = 0},
                                {.kind = CRN_MEET, .k = 1},
                                {.kind = CRN_MEET, .k = 2},
                                {.kind = CRN_ACROSS, .k = 0, .l = 1}}},
    .coordinate = {[CRN_SPACE] = {{.name = "angle", .kind = CRN_POINT_A},
                                  {.name = "second_angle", .kind = CRN_POINT_B}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_SECOND_AXIS,
    .is_pin = true,
};
