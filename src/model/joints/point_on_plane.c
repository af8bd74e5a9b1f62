/* `point-on-plane`: the point of b stays on a plane of a whose normal is the axis, and b turns as it likes. Free are two positions
 * in the plane.
 *
 *     a_0 . (x_a - x_b) = 0
 */
#include "model/joints/joint_class.h"

const crn_joint_class crn_point_on_plane_joint = {
    .name = "point-on-plane",
    .equations = {0, 1},
    .equation = {[CRN_SPACE] = {{.kind = CRN_ALONG, .k = 0}}},
    .coordinate = {[CRN_SPACE] = {{.name = "x", .kind = CRN_SLIDE, .k = 1}, {.name = "y", .kind = CRN_SLIDE, .k = 2}}},
    .fields = CRN_JOINT_AXIS,
};
