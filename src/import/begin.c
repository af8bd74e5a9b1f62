/* How a robot begins. Coordinates have values and rates, from the file or a keyframe; bodies are placed by the values when a simulation begins
 * (cairn/assembly.h), and get the velocities here that they have in those places. With S the screw of a joint in the world and u its
 * rate, the motion of a link is that of its parent plus the sum of S u over its joints:
 *
 *     hinge  S = (axis, p x axis)      slide  S = (0, axis)      ball  as three hinges      free  any
 *
 * as angular velocity and velocity of the point at the world's origin. Joints of one link act one after the other: each moves those that
 * follow. */
#include "import/robot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Add an angular velocity about a point. */
static void spin_about(crn_link_motion *m, const double point[3], const double w[3])
{
    double v[3];
    crn_cross3(point, w, v);
    crn_add3(m->w, w, m->w);
    crn_add3(m->v, v, m->v);
}

static void turn_about(crn_link_motion *m, const double point[3], const double axis[3], double angle)
{
    double phi[3], turn[4], arm[3], R[9];
    crn_scale3(angle, axis, phi);
    crn_quaternion_exp(phi, turn);
    crn_quaternion_to_matrix(turn, R);
    crn_sub3(m->frame.x, point, arm);
    crn_rotate3(R, arm, m->frame.x);
    crn_add3(m->frame.x, point, m->frame.x);
    crn_quaternion_multiply(turn, m->frame.q, m->frame.q);
}

/* What a joint adds to the motion of what hangs on it. */
static void move(const crn_link *link, crn_link_joint *j, crn_link_motion *m)
{
    double axis[3], point[3], w[3], rate = isnan(j->acting.initial_rate) ? 0.0 : j->acting.initial_rate;
    double value = fmin(fmax(isnan(j->initial) ? j->zero : j->initial, j->acting.lower), j->acting.upper) - j->zero;
    crn_link_frame_point(&m->frame, j->point, point);
    crn_link_frame_direction(&m->frame, j->axis, axis);
    switch (j->kind)
    {
    case CRN_AXIS_HINGE:
        turn_about(m, point, axis, value);
        crn_scale3(rate, axis, w);
        spin_about(m, point, w);
        break;
    case CRN_AXIS_SLIDE:
        crn_madd3(m->frame.x, value, axis, m->frame.x);
        crn_madd3(m->v, rate, axis, m->v);
        break;
    case CRN_AXIS_BALL:
        crn_link_frame_direction(&m->frame, j->spin, w);
        spin_about(m, point, w);
        break;
    case CRN_AXIS_FREE:
        crn_link_frame_direction(&m->frame, link->velocity + 3, w);
        spin_about(m, m->frame.x, w);
        crn_add3(m->v, link->velocity, m->v);
        break;
    case CRN_AXIS_PLANAR:
        break;
    }
    j->begin = *m;
}

void crn_robot_begin(crn_robot *robot)
{
    for (int i = 0; i < robot->link_count; ++i)
    {
        crn_link *link = &robot->links[i];
        assert(link->parent < i);
        crn_link_motion m = {.frame = crn_link_frame_identity()};
        if (link->parent >= 0)
            m = robot->links[link->parent].begin;
        m.frame = crn_link_frame_compose(&m.frame, &link->frame);
        for (int k = 0; k < link->joint_count; ++k)
            move(link, &link->joints[k], &m);
        link->begin = m;
    }
}

void crn_link_motion_velocities(const crn_link_motion *motion, const double centre[3], cairn_body_options *out)
{
    double x[3], v[3], R[9];
    crn_link_frame_point(&motion->frame, centre, x);
    crn_cross3(motion->w, x, v);
    crn_add3(motion->v, v, out->velocity);
    crn_quaternion_to_matrix(motion->frame.q, R);
    crn_unrotate3(R, motion->w, out->angular_velocity);
}
