/* `revolute`: the two points coincide; in space, the two axes do too.
 *
 *     Theta_k = e_k . (x_a - x_b)       rows along the axes of the world, that act on a at its point and, opposite, on b
 *     Theta   = alpha . tau             in space, twice: alpha the axis of a, tau a direction of b across it, and
 *                                       d Theta/dt = (w_a - w_b) . (alpha x tau)
 */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cairn_status check_turns(const cairn_model *model, const crn_joint *joint)
{
    const int body[2] = {joint->a.body, joint->b.body};
    for (int side = 0; side < 2; ++side)
    {
        if (crn_body_is_dynamic(model, body[side]) && model->bodies[body[side]].point)
        {
            return crn_fail(model->context, CAIRN_INVALID,
                            "joint '%s': body '%s' is a point mass, which has no axis to hold", joint->name,
                            model->bodies[body[side]].name);
        }
    }
    return CAIRN_OK;
}

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    if (model->dimension == 2)
        return CAIRN_OK;
    double length = crn_norm3(options->axis);
    if (!crn_all_finite(options->axis, 3) || !(length > 0))
        return crn_fail(model->context, CAIRN_INVALID, "joint '%s': axis: must not have zero length", joint->name);
    if (check_turns(model, joint))
        return CAIRN_INVALID;
    double R_a[9], R_b[9], world[3];
    crn_rotation_at_start(model, joint->a.body, R_a);
    crn_rotation_at_start(model, joint->b.body, R_b);
    for (int k = 0; k < 3; ++k)
        joint->axis_a[k] = options->axis[k] / length;
    crn_rotate3(R_a, joint->axis_a, world);
    crn_unrotate3(R_b, world, joint->axis_b);
    crn_tangents(joint->axis_b, joint->tangent_b[0], joint->tangent_b[1]);
    return CAIRN_OK;
}

static void across(const crn_joint *joint, const crn_joint_place *place, const double alpha[3], int which,
                   crn_joint_rows *rows)
{
    assert(which == 0 || which == 1);
    crn_gradient *gradient = &rows->gradient[3 + which];
    double tau[3], turn[3];
    crn_joint_direction(place, 1, joint->tangent_b[which], tau);
    rows->theta[3 + which] = crn_joint_clean(crn_dot3(alpha, tau), 1.0);
    if (rows->values_only)
        return;
    crn_cross3(alpha, tau, turn);
    *gradient = (crn_gradient){.body = {joint->a.body, joint->b.body}};
    for (int side = 0; side < 2; ++side)
        if (place->pose[side])
            crn_unrotate3(place->pose[side]->R, turn, gradient->g[side] + 3);
    for (int k = 3; k < 6; ++k)
        gradient->g[1][k] = -gradient->g[1][k];
}

/* One side of the gradients of the point's coordinates, sign * x_k: for each axis of the world e_k, and R'(r x e_k), r from the
 * body's origin to the point. */
static void hold_point(const crn_pose *pose, int dimension, int side, int body, const double at[3], double sign,
                       crn_gradient *gradient)
{
    double r[3] = {0.0};
    if (pose)
        crn_sub3(at, pose->x, r);
    const double turn[3][3] = {
        {0, sign * r[2], -sign * r[1]}, {-sign * r[2], 0, sign * r[0]}, {sign * r[1], -sign * r[0], 0}};
    for (int k = 0; k < dimension; ++k)
    {
        double *g = gradient[k].g[side];
        gradient[k].body[side] = body;
        memset(g, 0, sizeof gradient[k].g[side]);
        if (!pose)
            continue;
        g[k] = sign;
        crn_unrotate3(pose->R, turn[k], g + 3);
    }
}

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    assert(rows->equations == (dimension == 2 ? 2 : 5));
    const double *a = place->x[0], *b = place->x[1];
    double size = crn_norm3(a) + crn_norm3(b);
    double alpha[3];
    for (int k = 0; k < dimension; ++k)
        rows->theta[k] = crn_joint_clean(a[k] - b[k], size);
    if (!rows->values_only)
    {
        hold_point(place->pose[0], dimension, 0, joint->a.body, a, 1.0, rows->gradient);
        hold_point(place->pose[1], dimension, 1, joint->b.body, b, -1.0, rows->gradient);
    }
    crn_joint_direction(place, 0, joint->axis_a, alpha);
    for (int which = 0; dimension == 3 && which < 2; ++which)
        across(joint, place, alpha, which, rows);
}

static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    assert(dimension == 2 || dimension == 3);
    double d[3], alpha[3];
    crn_sub3(place->x[0], place->x[1], d);
    action->off = crn_norm3(d);
    memcpy(action->impulse, c, (size_t)dimension * sizeof(double));
    crn_joint_direction(place, 0, joint->axis_a, alpha);
    for (int k = 0; dimension == 3 && k < 2; ++k)
    {
        double tau[3], turn[3];
        crn_joint_direction(place, 1, joint->tangent_b[k], tau);
        crn_cross3(alpha, tau, turn);
        crn_madd3(action->moment, c[3 + k], turn, action->moment);
        action->skew = fmax(action->skew, fabs(crn_dot3(alpha, tau)));
    }
}

const crn_joint_class crn_revolute_joint = {
    .name = "revolute",
    .equations = {2, 5},
    .angular = {0, 2},
    .fields = CRN_JOINT_AT | CRN_JOINT_AXIS,
    .is_pin = true,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
