/* `slot`: the point of b stays on a line of a, along the axis, and b turns as it likes: in the plane a pin in a slot, in space a
 * point on a line. Free is the position on the line, in the plane also the angle.
 *
 *     in space    a_1 . (x_a - x_b) = 0,  a_2 . (x_a - x_b) = 0
 *     in the plane, along a_1    a_2 . (x_a - x_b) = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_slot_joint = {
    .name = "slot",
    .equations = {1, 2},
    .equation = {{{.kind = CRN_ALONG, .k = 2}}, {{.kind = CRN_ALONG, .k = 1}, {.kind = CRN_ALONG, .k = 2}}},
    .coordinate = {{{.name = "position", .kind = CRN_SLIDE, .k = 1}, {.name = "angle", .kind = CRN_TURN}},
                   {{.name = "position", .kind = CRN_SLIDE, .k = 0}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_AXIS_PLANE,
};
