/* `revolute`: the two points coincide; in space, the two axes do too. Free is the angle about the axis.
 *
 *     e_k . (x_a - x_b) = 0,  k = 0, 1, 2;     a_0 . b_1 = 0,  a_0 . b_2 = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_revolute_joint = {
    .name = "revolute",
    .equations = {2, 5},
    .angular = {0, 2},
    .equation = {{{.kind = CRN_MEET, .k = 0}, {.kind = CRN_MEET, .k = 1}},
                 {{.kind = CRN_MEET, .k = 0},
                  {.kind = CRN_MEET, .k = 1},
                  {.kind = CRN_MEET, .k = 2},
                  {.kind = CRN_ACROSS, .k = 0, .l = 1},
                  {.kind = CRN_ACROSS, .k = 0, .l = 2}}},
    .coordinate = {{{.name = "angle", .kind = CRN_TURN}}, {{.name = "angle", .kind = CRN_TURN}}},
    .fields = CRN_JOINT_AXIS,
    .is_pin = true,
};
