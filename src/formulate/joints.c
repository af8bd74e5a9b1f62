#include "formulate/joints.h"

#include "math/vec.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Theta is a difference of world coordinates, known to their rounding: what is no larger is no error. Taken as one, it would ask
 * redundant joints at rest for velocities of 1e-15 that contradict each other. */
static const double ROUNDING = 64 * DBL_EPSILON;

static double clean(double theta, double size)
{
    return fabs(theta) <= ROUNDING * size ? 0.0 : theta;
}

static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Theta = |x_b - x_a| - length */
static int distance(const crn_frame *frame, const crn_joint *joint, double *theta, crn_gradient *gradient)
{
    double a[3], b[3], d[3];
    crn_frame_point(frame, &joint->a, a);
    crn_frame_point(frame, &joint->b, b);
    crn_sub3(b, a, d);
    double length = crn_norm3(d);
    /* the points can only meet when the joint has been torn by its whole length; any direction pushes them apart */
    double unit[3] = {1, 0, 0};
    for (int k = 0; length > 0 && k < 3; ++k)
        unit[k] = d[k] / length;
    theta[0] = clean(length - joint->length, crn_norm3(a) + crn_norm3(b) + joint->length);
    crn_gradient_point(frame, &gradient[0], 0, joint->a.body, a, unit, -1);
    crn_gradient_point(frame, &gradient[0], 1, joint->b.body, b, unit, 1);
    return 1;
}

/* Theta_k = e_k . (x_a - x_b): the two points coincide */
static int coincide(const cairn_model *model, const crn_frame *frame, const crn_joint *joint, double *theta,
                    crn_gradient *gradient)
{
    double a[3], b[3];
    crn_frame_point(frame, &joint->a, a);
    crn_frame_point(frame, &joint->b, b);
    double size = crn_norm3(a) + crn_norm3(b);
    for (int k = 0; k < model->dimension; ++k)
    {
        theta[k] = clean(a[k] - b[k], size);
        crn_gradient_point(frame, &gradient[k], 0, joint->a.body, a, AXES[k], 1);
        crn_gradient_point(frame, &gradient[k], 1, joint->b.body, b, AXES[k], -1);
    }
    return model->dimension;
}

static void to_world(const crn_frame *frame, int body, const double local[3], double world[3])
{
    if (body < 0)
    {
        memcpy(world, local, sizeof(double[3]));
        return;
    }
    crn_rotate3(frame->pose[body].R, local, world);
}

/* Theta = alpha . tau, alpha the axis of a and tau a direction of b across it, both in the world:
 * d Theta/dt = (w_a - w_b) . (alpha x tau) */
static void across(const crn_frame *frame, const crn_joint *joint, int which, double *theta, crn_gradient *gradient)
{
    double alpha[3], tau[3], turn[3];
    to_world(frame, joint->a.body, joint->axis_a, alpha);
    to_world(frame, joint->b.body, joint->tangent_b[which], tau);
    crn_cross3(alpha, tau, turn);
    *theta = clean(crn_dot3(alpha, tau), 1.0);
    memset(gradient, 0, sizeof *gradient);
    for (int side = 0; side < 2; ++side)
    {
        int body = side == 0 ? joint->a.body : joint->b.body;
        gradient->body[side] = body;
        if (body >= 0)
            crn_unrotate3(frame->pose[body].R, turn, gradient->g[side] + 3);
    }
    for (int k = 3; k < 6; ++k)
        gradient->g[1][k] = -gradient->g[1][k];
}

int crn_joint_evaluate(const cairn_model *model, const crn_frame *frame, int index, double theta[CRN_JOINT_ROWS],
                       crn_gradient gradient[CRN_JOINT_ROWS])
{
    const crn_joint *joint = &model->joints[index];
    int rows = 0;
    switch (joint->kind)
    {
    case CAIRN_JOINT_DISTANCE:
        rows = distance(frame, joint, theta, gradient);
        break;
    case CAIRN_JOINT_REVOLUTE:
        rows = coincide(model, frame, joint, theta, gradient);
        for (int which = 0; model->dimension == 3 && which < 2; ++which)
        {
            across(frame, joint, which, &theta[rows], &gradient[rows]);
            ++rows;
        }
        break;
    }
    assert(rows == joint->rows);
    return rows;
}
