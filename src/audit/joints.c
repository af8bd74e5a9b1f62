/* Joints: their impulses as forces and moments on bodies, by the `act` of their classes and the poses, and their work. */
#include "audit/audit_internal.h"

#include "math/vec.h"
#include "model/joints/element.h"

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

crn_joint_action crn_audit_act(const crn_audit *audit, const crn_joint *joint, const crn_pose *pose, const double *c,
                               crn_joint_place *place)
{
    crn_joint_action out = {.off = 0};
    *place = (crn_joint_place){
        .pose = {joint->a.body < 0 ? NULL : &pose[joint->a.body], joint->b.body < 0 ? NULL : &pose[joint->b.body]}};
    place_point(pose, &joint->a, place->x[0]);
    place_point(pose, &joint->b, place->x[1]);
    memcpy(out.x, place->x, sizeof out.x);
    (joint->type->act ? joint->type->act : crn_joint_act_functions)(joint, audit->model->dimension, place, c, &out);
    if (joint->element_count > 0)
        crn_elements_act(joint, audit->model->dimension, place, c, &out);
    return out;
}

static const double STILL[3] = {0};

/* J: work of the impulses and moments at the velocity `which`; *motor: the part of motors. */
static double work(const crn_audit *audit, const crn_pose *pose, const crn_joint *joint, const crn_joint_action *acting,
                   int which, double *motor)
{
    assert(which >= CRN_BEFORE && which <= CRN_FREE);
    const int body[2] = {joint->a.body, joint->b.body};
    double sum = 0;
    *motor = 0;
    for (int side = 0; side < 2; ++side)
    {
        double u[3];
        const double *w = body[side] >= 0 ? audit->twists[body[side]].w[which] : STILL;
        crn_relative_velocity(audit, pose, body[side], acting->x[side], -1, STILL, which, u);
        *motor += crn_dot3(acting->motor[side], u) + crn_dot3(acting->motor_moment[side], w);
        sum += crn_dot3(acting->impulse[side], u) + crn_dot3(acting->moment[side], w);
    }
    return sum;
}

/* The larger of the sizes of two vectors. */
static double larger(double pair[2][3])
{
    return fmax(crn_norm3(pair[0]), crn_norm3(pair[1]));
}

/* m/s: bound on the speed of the body's point at x. */
static double point_speed(const crn_audit *audit, const crn_pose *pose, int body, const double x[3], int which)
{
    double arm[3];
    if (body < 0)
        return 0.0;
    const crn_twists *twists = &audit->twists[body];
    crn_sub3(x, pose[body].x, arm);
    return crn_norm3(twists->v[which]) + crn_norm3(twists->w[which]) * crn_norm3(arm);
}

/* J: the size of what the work of a joint is the sum of, from the sizes of its impulse and its moment. */
static double work_size(const crn_audit *audit, const crn_pose *pose, const crn_joint *joint,
                        const crn_joint_action *acting, double size, double moment)
{
    const int body[2] = {joint->a.body, joint->b.body};
    double sum = 0;
    for (int i = 0; i < 4; ++i)
    {
        int side = i / 2, which = i % 2 == 0 ? CRN_BEFORE : CRN_AFTER;
        double spin = body[side] >= 0 ? crn_norm3(audit->twists[body[side]].w[which]) : 0.0;
        sum += (size + acting->strain) * point_speed(audit, pose, body[side], acting->x[side], which) +
               (moment + acting->strain) * spin;
    }
    return sum;
}

static void measure(crn_audit *audit, const crn_piece *piece, const crn_pose *pose, const crn_joint *joint,
                    const double *c)
{
    assert(joint->a.body >= 0 || joint->b.body >= 0);
    crn_joint_place at;
    crn_joint_action acting = crn_audit_act(audit, joint, pose, c, &at);
    int a = joint->a.body, b = joint->b.body;
    for (int side = 0; side < 2; ++side)
    {
        crn_audit_push(audit, pose, side == 0 ? a : b, acting.x[side], -1, STILL, acting.impulse[side]);
        crn_audit_turn(audit, side == 0 ? a : b, -1, acting.moment[side]);
    }
    crn_group *group = crn_group_of(audit, a, b);
    if (!group || joint->stiffness > 0 || joint->angular_stiffness > 0)
        return;
    double turn = (a >= 0 ? audit->twists[a].turn : 0.0) + (b >= 0 ? audit->twists[b].turn : 0.0);
    double speed =
        point_speed(audit, pose, a, acting.x[0], CRN_AFTER) + point_speed(audit, pose, b, acting.x[1], CRN_AFTER);
    double size = larger(acting.impulse), moment = larger(acting.moment), relative[3], spin[3], motor[3];
    double before = work(audit, pose, joint, &acting, CRN_BEFORE, &motor[CRN_BEFORE]);
    double after = work(audit, pose, joint, &acting, CRN_AFTER, &motor[CRN_AFTER]);
    double last = work(audit, pose, joint, &acting, CRN_FREE, &motor[CRN_FREE]);
    crn_sub3(a >= 0 ? audit->twists[a].w[CRN_AFTER] : STILL, b >= 0 ? audit->twists[b].w[CRN_AFTER] : STILL, spin);
    for (int which = CRN_BEFORE; which <= CRN_FREE; ++which)
    {
        crn_relative_velocity(audit, pose, a, acting.x[0], b, acting.x[1], which, relative);
        group->speed = fmax(group->speed, crn_norm3(relative));
    }
    group->mean += 0.5 * (before + after);
    group->last += 0.5 * (last + after);
    group->explained += 0.5 * fmax(0, motor[CRN_AFTER] + fmax(motor[CRN_BEFORE], motor[CRN_FREE]));
    group->explained += 2 * (size * acting.off + moment * acting.skew) / piece->drift_time +
                        2 * turn * (size * speed + moment * crn_norm3(spin));
    group->load += size + moment / fmax(audit->bodies.bound[a >= 0 ? a : b], 1e-300);
    group->apart += size * acting.off;
    group->speed = fmax(group->speed, speed);
    audit->work[2] += 0.5 * (before + after);
    audit->work_size += work_size(audit, pose, joint, &acting, size, moment) + fabs(before) + fabs(after);
}

void crn_measure_joints(crn_audit *audit, const crn_piece *piece, int place)
{
    assert(place >= 0);
    const crn_piece_place *here = &piece->place[place];
    for (size_t i = 0; here->joint_impulse && i < audit->model->joint_count; ++i)
        measure(audit, piece, here->pose, &audit->model->joints[i], here->joint_impulse[i]);
}
