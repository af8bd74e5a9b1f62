/* `cylindrical`: b slides along an axis of a and turns about it. Free are the position and the angle.
 *
 *     a_1 . (x_a - x_b) = 0,  a_2 . (x_a - x_b) = 0;     a_0 . b_1 = 0,  a_0 . b_2 = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_cylindrical_joint = {
    .name = "cylindrical",
    .equations = {0, 4},
    .angular = {0, 2},
    .equation = {[CRN_SPACE] = {{.kind = CRN_ALONG, .k = 1},
                                {.kind = CRN_ALONG, .k = 2},
                                {.kind = CRN_ACROSS, .k = 0, .l = 1},
                                {.kind = CRN_ACROSS, .k = 0, .l = 2}}},
    .coordinate = {[CRN_SPACE] = {{.name = "position", .kind = CRN_SLIDE, .k = 0},
                                  {.name = "angle", .kind = CRN_TURN}}},
    .fields = CRN_JOINT_AXIS,
};
