#include "model/joints/hinge/hinge.h"

#include <assert.h>
#include <string.h>

/* a_0, b_1 and b_2 in the world. */
typedef struct axes
{
    double a_0[3], b[2][3];
} axes;

static axes axes_of(const crn_joint *joint, const crn_joint_place *place)
{
    axes x;
    crn_joint_direction(place, 0, joint->axis[0][0], x.a_0);
    crn_joint_direction(place, 1, joint->axis[1][1], x.b[0]);
    crn_joint_direction(place, 1, joint->axis[1][2], x.b[1]);
    return x;
}

/* One side of the gradients of sign * x_k of the point `at`: e_k, and R'(r x e_k), r from the body's origin to the point. */
static void hold_point(const crn_pose *pose, int side, int body, const double at[3], double sign, crn_gradient *rows)
{
    for (int k = 0; k < 3; ++k)
    {
        rows[k].body[side] = body;
        memset(rows[k].g[side], 0, sizeof rows[k].g[side]);
    }
    if (!pose)
        return;
    const double *R = pose->R;
    double x = at[0] - pose->x[0], y = at[1] - pose->x[1], z = at[2] - pose->x[2];
    double *g_0 = rows[0].g[side], *g_1 = rows[1].g[side], *g_2 = rows[2].g[side];
    g_0[0] = g_1[1] = g_2[2] = sign;
    for (int l = 0; l < 3; ++l)
    {
        g_0[3 + l] = R[3 + l] * (sign * z) + R[6 + l] * (-sign * y);
        g_1[3 + l] = R[6 + l] * (sign * x) + R[l] * (-sign * z);
        g_2[3 + l] = R[l] * (sign * y) + R[3 + l] * (-sign * x);
    }
}

/* The gradient of a function of rate (w_a - w_b) . t. */
static void hold_turn(const crn_joint *joint, const crn_joint_place *place, const double t[3], crn_gradient *row)
{
    row->body[0] = joint->a.body;
    row->body[1] = joint->b.body;
    memset(row->g, 0, sizeof row->g);
    if (place->pose[0])
        crn_unrotate3(place->pose[0]->R, t, row->g[0] + 3);
    if (!place->pose[1])
        return;
    crn_unrotate3(place->pose[1]->R, t, row->g[1] + 3);
    for (int k = 3; k < 6; ++k)
        row->g[1][k] = -row->g[1][k];
}

void crn_hinge_evaluate(const crn_joint *joint, const crn_joint_place *place, crn_joint_rows *rows)
{
    assert(rows->equations == 5);
    const double *a = place->x[0], *b = place->x[1];
    double size = crn_norm3(a) + crn_norm3(b);
    axes x = axes_of(joint, place);
    for (int k = 0; k < 3; ++k)
        rows->theta[k] = crn_joint_clean(a[k] - b[k], size);
    for (int k = 0; k < 2; ++k)
        rows->theta[3 + k] = crn_joint_clean(crn_dot3(x.a_0, x.b[k]), 1.0);
    if (rows->values_only)
        return;
    hold_point(place->pose[0], 0, joint->a.body, a, 1.0, rows->gradient);
    hold_point(place->pose[1], 1, joint->b.body, b, -1.0, rows->gradient);
    for (int k = 0; k < 2; ++k)
    {
        double t[3];
        crn_cross3(x.a_0, x.b[k], t);
        hold_turn(joint, place, t, &rows->gradient[3 + k]);
    }
}

void crn_hinge_act(const crn_joint *joint, const crn_joint_place *place, const double *c, crn_joint_action *action)
{
    double d[3], s[3], t[3];
    axes x = axes_of(joint, place);
    crn_sub3(place->x[0], place->x[1], d);
    crn_cross3(x.a_0, x.b[0], s);
    crn_cross3(x.a_0, x.b[1], t);
    for (int k = 0; k < 3; ++k)
    {
        double moment = c[3] * s[k] + c[4] * t[k];
        action->impulse[0][k] = c[k];
        action->impulse[1][k] = -c[k];
        action->moment[0][k] = moment;
        action->moment[1][k] = -moment;
    }
    double first = fabs(crn_dot3(x.a_0, x.b[0])), second = fabs(crn_dot3(x.a_0, x.b[1]));
    action->off = sqrt(crn_dot3(d, d));
    action->skew = first > second ? first : second;
}
