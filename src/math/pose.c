#include "math/pose.h"
#include "math/vec.h"

#include <math.h>

double crn_swing(const crn_pose *from, const double x[3], const crn_pose *to, const double y[3])
{
    double arm[3], new_arm[3], carried[3], in_body[3], in_world[3];
    crn_sub3(x, from->x, arm);
    crn_sub3(y, to->x, new_arm);
    crn_unrotate3(from->R, arm, carried);
    crn_rotate3(to->R, carried, carried);
    crn_sub3(new_arm, carried, in_body);
    crn_sub3(new_arm, arm, in_world);
    return fmin(crn_norm3(in_body), crn_norm3(in_world));
}
