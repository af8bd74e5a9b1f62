/* `prismatic`: b slides along an axis of a and does not turn against it. Free is the position on the axis.
 *
 *     in space    a_1 . (x_a - x_b) = 0,  a_2 . (x_a - x_b) = 0;     a_0 . b_1 = 0,  a_0 . b_2 = 0,  a_1 . b_2 = 0
 *     in the plane, along a_1    a_2 . (x_a - x_b) = 0;     a_1 . b_2 = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_prismatic_joint = {
    .name = "prismatic",
    .equations = {2, 5},
    .angular = {1, 3},
    .equation = {{{.kind = CRN_ALONG, .k = 2}, {.kind = CRN_ACROSS, .k = 1, .l = 2}},
                 {{.kind = CRN_ALONG, .k = 1},
                  {.kind = CRN_ALONG, .k = 2},
                  {.kind = CRN_ACROSS, .k = 0, .l = 1},
                  {.kind = CRN_ACROSS, .k = 0, .l = 2},
                  {.kind = CRN_ACROSS, .k = 1, .l = 2}}},
    .coordinate = {{{.name = "position", .kind = CRN_SLIDE, .k = 1}},
                   {{.name = "position", .kind = CRN_SLIDE, .k = 0}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_AXIS_PLANE,
};
