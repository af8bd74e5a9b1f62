/* Joints: their impulses as forces and moments on bodies, from the model's joints and the poses, and their work.
 *
 *     distance    row 0 pushes the two points apart, along the line from a to b
 *     revolute    rows along the axes of the world act on a at its point and, opposite, on b at its own; in space two more
 *                 rows are moments across the axis, along alpha x tau with alpha the axis of a and tau a direction of b
 */
#include "audit/audit_internal.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void place_point(const crn_pose *pose, const crn_attachment *attachment, double out[3])
{
    memcpy(out, attachment->point, sizeof(double[3]));
    if (attachment->body >= 0)
    {
        crn_rotate3(pose[attachment->body].R, attachment->point, out);
        crn_add3(out, pose[attachment->body].x, out);
    }
}

static void place_direction(const crn_pose *pose, int body, const double local[3], double out[3])
{
    memcpy(out, local, sizeof(double[3]));
    if (body >= 0)
        crn_rotate3(pose[body].R, local, out);
}

/* One joint where it acts. */
typedef struct crn_acting
{
    double x_a[3], x_b[3];
    double impulse[3], moment[3]; /* on a */
    double off;                   /* m: how far its points are from where they should be */
    double skew;                  /* rad: of its axes */
} crn_acting;

static void act_distance(const crn_joint *joint, const double *c, crn_acting *out)
{
    double d[3];
    crn_sub3(out->x_b, out->x_a, d);
    double length = crn_norm3(d);
    out->off = fabs(length - joint->length);
    for (int k = 0; k < 3; ++k)
        out->impulse[k] = length > 0 ? -c[0] * d[k] / length : 0.0;
}

static void act_revolute(const cairn_model *model, const crn_joint *joint, const crn_pose *pose, const double *c,
                         crn_acting *out)
{
    double d[3], alpha[3];
    crn_sub3(out->x_a, out->x_b, d);
    out->off = crn_norm3(d);
    memcpy(out->impulse, c, (size_t)model->dimension * sizeof(double));
    place_direction(pose, joint->a.body, joint->axis_a, alpha);
    for (int k = 0; model->dimension == 3 && k < 2; ++k)
    {
        double tau[3], across[3];
        place_direction(pose, joint->b.body, joint->tangent_b[k], tau);
        crn_cross3(alpha, tau, across);
        crn_madd3(out->moment, c[3 + k], across, out->moment);
        out->skew = fmax(out->skew, fabs(crn_dot3(alpha, tau)));
    }
}

static crn_acting act(const crn_audit *audit, const crn_joint *joint, const crn_pose *pose, const double *c)
{
    crn_acting out = {.off = 0};
    place_point(pose, &joint->a, out.x_a);
    place_point(pose, &joint->b, out.x_b);
    if (joint->kind == CAIRN_JOINT_DISTANCE)
        act_distance(joint, c, &out);
    else
        act_revolute(audit->model, joint, pose, c, &out);
    return out;
}

static void relative_spin(const crn_audit *audit, int a, int b, int which, double out[3])
{
    assert(a < audit->count && b < audit->count && which >= CRN_BEFORE && which <= CRN_FREE);
    static const double STILL[3] = {0};
    crn_sub3(a >= 0 ? audit->twists[a].w[which] : STILL, b >= 0 ? audit->twists[b].w[which] : STILL, out);
}

/* J: impulse and moment against the velocity of one kind. */
static double work(const crn_audit *audit, const crn_pose *pose, const crn_joint *joint, const crn_acting *acting,
                   int which, double *speed)
{
    double u[3], w[3];
    crn_relative_velocity(audit, pose, joint->a.body, acting->x_a, joint->b.body, acting->x_b, which, u);
    relative_spin(audit, joint->a.body, joint->b.body, which, w);
    *speed = fmax(*speed, crn_norm3(u));
    return crn_dot3(acting->impulse, u) + crn_dot3(acting->moment, w);
}

/* m/s: how fast a body's points move, its turning counted at an arm. */
static double point_speed(const crn_audit *audit, const crn_pose *pose, int body, const double x[3])
{
    double arm[3];
    if (body < 0)
        return 0.0;
    const crn_twists *twists = &audit->twists[body];
    crn_sub3(x, pose[body].x, arm);
    return crn_norm3(twists->v[CRN_AFTER]) + crn_norm3(twists->w[CRN_AFTER]) * crn_norm3(arm);
}

static void measure(crn_audit *audit, const crn_piece *piece, const crn_pose *pose, const crn_joint *joint,
                    const double *c)
{
    crn_acting acting = act(audit, joint, pose, c);
    int a = joint->a.body, b = joint->b.body;
    crn_audit_push(audit, pose, a, acting.x_a, b, acting.x_b, acting.impulse);
    crn_audit_turn(audit, a, b, acting.moment);
    crn_group *group = crn_group_of(audit, a, b);
    if (!group || joint->stiffness > 0 || joint->angular_stiffness > 0)
        return;
    double turn = (a >= 0 ? audit->twists[a].turn : 0.0) + (b >= 0 ? audit->twists[b].turn : 0.0);
    double speed = point_speed(audit, pose, a, acting.x_a) + point_speed(audit, pose, b, acting.x_b);
    double size = crn_norm3(acting.impulse), moment = crn_norm3(acting.moment), relative = 0, spin[3];
    double before = work(audit, pose, joint, &acting, CRN_BEFORE, &relative);
    double after = work(audit, pose, joint, &acting, CRN_AFTER, &relative);
    double last = work(audit, pose, joint, &acting, CRN_FREE, &relative);
    relative_spin(audit, a, b, CRN_AFTER, spin);
    group->mean += 0.5 * (before + after);
    group->last += 0.5 * (last + after);
    group->explained += 2 * (size * acting.off + moment * acting.skew) / piece->drift_time +
                        2 * turn * (size * speed + moment * crn_norm3(spin));
    group->load += size + moment / fmax(audit->bodies.bound[a >= 0 ? a : b], 1e-300);
    group->apart += size * acting.off;
    group->speed = fmax(group->speed, fmax(relative, speed));
    audit->work[2] += 0.5 * (before + after);
    audit->work_size += size * speed + fabs(before) + fabs(after);
}

void crn_measure_joints(crn_audit *audit, const crn_piece *piece, int place)
{
    assert(place >= 0);
    const crn_piece_place *here = &piece->place[place];
    for (size_t i = 0; here->joint_impulse && i < audit->model->joint_count; ++i)
        measure(audit, piece, here->pose, &audit->model->joints[i], here->joint_impulse[i]);
}
