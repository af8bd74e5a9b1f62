/* The inertia that a joint moves: with the mass m of its link and of all that hangs on it, the centre c and the inertia I about it, in the
 * pose as written, m along a slide, and a'I a + m |a x (c - p)|^2 about a hinge along a through p. It is an entry of the diagonal of the mass
 * matrix in coordinates of joints. */
#include "import/robot.h"

#include <assert.h>

static bool hangs_on(const crn_robot *robot, int link, int above)
{
    while (link > above)
        link = robot->links[link].parent;
    return link == above;
}

double crn_robot_inertia_along(const crn_robot *robot, int link, int joint)
{
    const crn_link_joint *j = &robot->links[link].joints[joint];
    crn_link_mass all = {0};
    crn_link_frame frame = crn_robot_world(robot, link);
    double axis[3], point[3], arm[3], across[3], turned[3];
    assert(j->kind == CRN_AXIS_HINGE || j->kind == CRN_AXIS_SLIDE);
    for (int i = link; i < robot->link_count; ++i)
        if (hangs_on(robot, i, link))
        {
            crn_link_mass own = crn_link_own_mass(&robot->links[i]);
            crn_link_frame world = crn_robot_world(robot, i);
            crn_mass_add(&all, &world, &own);
        }
    if (j->kind == CRN_AXIS_SLIDE)
        return all.mass;
    crn_link_frame_direction(&frame, j->axis, axis);
    crn_link_frame_point(&frame, j->point, point);
    crn_sub3(all.centre, point, arm);
    crn_cross3(axis, arm, across);
    crn_rotate3(all.inertia, axis, turned);
    return crn_dot3(axis, turned) + all.mass * crn_dot3(across, across);
}
