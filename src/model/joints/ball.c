/* `ball`: the two points coincide; b turns as it likes. In space, the axis serves only to measure: by how much it swings, and how
 * far b twists about it.
 *
 *     e_k . (x_a - x_b) = 0,  k = 0, 1, 2
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_ball_joint = {
    .name = "ball",
    .equations = {0, 3},
    .equation = {[CRN_SPACE] = {{.kind = CRN_MEET, .k = 0}, {.kind = CRN_MEET, .k = 1}, {.kind = CRN_MEET, .k = 2}}},
    .coordinate = {[CRN_SPACE] = {{.name = "swing", .kind = CRN_SWING}, {.name = "twist", .kind = CRN_TURN}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_AXIS_OPTIONAL,
    .is_pin = true,
};
