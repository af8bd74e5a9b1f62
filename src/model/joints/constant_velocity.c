/* `constant-velocity`: the two points coincide, and b turns about its axis at the rate at which a turns about its own, at any angle
 * between the two: b does not twist against a. Free is the bend, the angle between the axes; a joint that is bent at the start has a
 * `second_axis`, that of b.
 *
 *     e_k . (x_a - x_b) = 0,  k = 0, 1, 2;     a_1 . b_2 - a_2 . b_1 = 0
 *
 * The last equation acts along the bisector of the two axes, (w_a - w_b) . (a_0 + b_0) = 0, so that w_a . a_0 = w_b . b_0 while the
 * bend is constant.
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_constant_velocity_joint = {
    .name = "constant-velocity",
    .equations = {0, 4},
    .angular = {0, 1},
    .equation = {[CRN_SPACE] = {{.kind = CRN_MEET, .k = 0},
                                {.kind = CRN_MEET, .k = 1},
                                {.kind = CRN_MEET, .k = 2},
                                {.kind = CRN_NO_TWIST}}},
    .coordinate = {[CRN_SPACE] = {{.name = "bend", .kind = CRN_SWING}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_BENT,
    .is_pin = true,
};
