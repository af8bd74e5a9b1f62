/* `planar`: b moves in a plane of a whose normal is the axis, and turns about that normal. Free are two positions in the plane and
 * the angle.
 *
 *     a_0 . (x_a - x_b) = 0;     a_0 . b_1 = 0,  a_0 . b_2 = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_planar_joint = {
    .name = "planar",
    .equations = {0, 3},
    .angular = {0, 2},
    .equation = {[CRN_SPACE] = {{.kind = CRN_ALONG, .k = 0},
                                {.kind = CRN_ACROSS, .k = 0, .l = 1},
                                {.kind = CRN_ACROSS, .k = 0, .l = 2}}},
    .coordinate = {[CRN_SPACE] = {{.name = "x", .kind = CRN_SLIDE, .k = 1},
                                  {.name = "y", .kind = CRN_SLIDE, .k = 2},
                                  {.name = "angle", .kind = CRN_TURN}}},
    .fields = CRN_JOINT_AXIS,
};
