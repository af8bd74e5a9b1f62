/* Contacts: velocities at their points before and after, what their impulses did, and whether restitution and friction allow
 * it. docs/physics-certificate.md has the formulas and the reasons of each allowance. */
#include "audit/inside.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Velocity of a body's point. */
static void point_velocity(const crn_audit *audit, const crn_pose *pose, int body, const double x[3], int which,
                           double u[3])
{
    double arm[3];
    const crn_twists *twists = &audit->twists[body];
    crn_sub3(x, pose[body].x, arm);
    crn_cross3(twists->w[which], arm, u);
    crn_add3(u, twists->v[which], u);
}

void crn_relative_velocity(const crn_audit *audit, const crn_pose *pose, int a, const double x_a[3], int b,
                           const double x_b[3], int which, double u[3])
{
    double other[3] = {0};
    memset(u, 0, sizeof(double[3]));
    if (a >= 0)
    {
        point_velocity(audit, pose, a, x_a, which, u);
    }
    if (b >= 0)
    {
        point_velocity(audit, pose, b, x_b, which, other);
    }
    crn_sub3(u, other, u);
}

/* sign * impulse on a body at x. */
static void push(crn_audit *audit, const crn_pose *pose, int body, const double x[3], double sign,
                 const double impulse[3], double size)
{
    double arm[3], moment[3];
    crn_twists *twists = &audit->twists[body];
    crn_sub3(x, pose[body].x, arm);
    crn_cross3(arm, impulse, moment);
    crn_madd3(twists->force, sign, impulse, twists->force);
    crn_madd3(twists->torque, sign, moment, twists->torque);
    audit->account[body].load[0] += size;
    audit->account[body].load[1] += size * crn_norm3(arm);
}

void crn_give_impulse(crn_audit *audit, const crn_pose *pose, int a, const double x_a[3], int b, const double x_b[3],
                      const double impulse[3])
{
    double size = crn_norm3(impulse);
    if (crn_audit_moves(audit, a))
    {
        push(audit, pose, a, x_a, 1, impulse, size);
    }
    if (crn_audit_moves(audit, b))
    {
        push(audit, pose, b, x_b, -1, impulse, size);
    }
}

void crn_give_moment(crn_audit *audit, int a, int b, const double moment[3])
{
    const int body[2] = {a, b};
    for (int side = 0; side < 2; ++side)
    {
        if (crn_audit_moves(audit, body[side]))
        {
            crn_twists *twists = &audit->twists[body[side]];
            crn_madd3(twists->torque, side ? -1 : 1, moment, twists->torque);
            audit->account[body[side]].load[1] += crn_norm3(moment);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- measurement */

/* J: what the book leaves out of the work at a contact, the part that a driven body does. */
static void leave_driven_out(crn_audit *audit, const crn_piece_contact *c, const crn_pose *pose, double r_n,
                             const double tangential[3])
{
    const int body[2] = {c->body_a, c->body_b};
    for (int side = 0; side < 2; ++side)
    {
        if (audit->model->bodies[body[side]].kind == CAIRN_DRIVEN)
        {
            const double *x = side ? c->point_b : c->point_a;
            double u[3], more[3];
            point_velocity(audit, pose, body[side], x, CRN_BEFORE, u);
            point_velocity(audit, pose, body[side], x, CRN_AFTER, more);
            double sign = side ? 0.5 : -0.5;
            crn_add3(u, more, u);
            audit->work[0] += sign * r_n * crn_dot3(c->normal, u);
            audit->work[1] += sign * crn_dot3(tangential, u);
        }
    }
}

/* kg^-1: of the two bodies' masses; no contact is easier to move than this. */
static double mobility(const crn_audit *audit, const crn_piece_contact *c)
{
    double a = audit->bodies.mass[c->body_a], b = audit->bodies.mass[c->body_b];
    return (a > 0 ? 1 / a : 0.0) + (b > 0 ? 1 / b : 0.0);
}

static double larger_of(double a, double b)
{
    return a > b ? a : b;
}

/* One contact: its velocities, and its share in the account of its group. */
static void measure(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, crn_measured *m)
{
    const crn_pose *pose = piece->place[c->place].pose;
    double u[3][3], tangential[3], slide[3], turned[3], speed = 0;
    m->r_n = crn_dot3(c->impulse, c->normal);
    crn_madd3(c->impulse, -m->r_n, c->normal, tangential);
    m->r_t = crn_norm3(tangential);
    crn_give_impulse(audit, pose, c->body_a, c->point_a, c->body_b, c->point_b, c->impulse);
    for (int which = 0; which < 3; ++which)
    {
        crn_relative_velocity(audit, pose, c->body_a, c->point_a, c->body_b, c->point_b, which, u[which]);
        m->normal[which] = crn_dot3(c->normal, u[which]);
        speed = larger_of(speed, crn_norm3(u[which]));
    }
    m->slip[0] = crn_dot3(tangential, u[CRN_BEFORE]);
    m->slip[1] = crn_dot3(tangential, u[CRN_AFTER]);
    crn_madd3(u[CRN_AFTER], -m->normal[CRN_AFTER], c->normal, slide);
    m->slide = crn_norm3(slide);
    crn_sub3(c->normal, c->normal_before, turned);
    double turn = audit->twists[c->body_a].turn + audit->twists[c->body_b].turn + crn_norm3(turned);
    m->turning = 0;
    if (turn > 0)
    {
        double arm_a[3], arm_b[3];
        crn_sub3(c->point_a, pose[c->body_a].x, arm_a);
        crn_sub3(c->point_b, pose[c->body_b].x, arm_b);
        m->turning = 2 * turn *
                     (speed + audit->twists[c->body_a].turn * crn_norm3(arm_a) / piece->h +
                      audit->twists[c->body_b].turn * crn_norm3(arm_b) / piece->h);
    }
    crn_group *group = crn_group_of(audit, c->body_a, c->body_b);
    if (c->soft || !group)
    {
        return;
    }
    double mean = m->r_n * 0.5 * (m->normal[CRN_BEFORE] + m->normal[CRN_AFTER]);
    double friction = 0.5 * (m->slip[0] + m->slip[1]);
    double last = 0.5 * (crn_dot3(c->impulse, u[CRN_FREE]) + crn_dot3(c->impulse, u[CRN_AFTER]));
    double size = m->r_n + m->r_t;
    double depth = fmax(0, -c->gap_before);
    group->mean += mean + friction;
    group->last += last;
    group->explained += 2 * fabs(m->r_n) * depth / piece->drift_time + fabs(size) * m->turning;
    group->load += fabs(size);
    group->loose += speed / mobility(audit, c);
    group->apart += m->r_t * fabs(c->gap);
    double both = audit->twists[c->body_a].speed + audit->twists[c->body_b].speed + depth / piece->drift_time;
    group->speed = larger_of(group->speed, larger_of(speed, both));
    if (last > group->worst || group->body[0] == 0)
    {
        group->worst = last;
        group->body[0] = c->body_a + 1;
        group->body[1] = c->body_b + 1;
    }
    audit->work[0] += mean;
    audit->work[1] += friction;
    audit->work_size += fabs(size) * speed;
    leave_driven_out(audit, c, pose, m->r_n, tangential);
}

void crn_measure_contacts(crn_audit *audit, const crn_piece *piece, int place)
{
    for (int i = 0; i < piece->contact_count; ++i)
    {
        const crn_piece_contact *c = &piece->contacts[i];
        if (c->place == place)
        {
            measure(audit, piece, c, &audit->measured[i]);
            audit->account[c->body_a].touching += audit->measured[i].r_n > 0;
            audit->account[c->body_b].touching += audit->measured[i].r_n > 0;
        }
    }
}

/* --------------------------------------------------------------------------------------------------- judgement */

static cairn_violation violation_at(const crn_piece *piece, const crn_piece_contact *c, cairn_violation_kind kind)
{
    return (cairn_violation){.kind = kind,
                             .time = piece->t + piece->h,
                             .a.id = c->body_a + 1,
                             .b.id = c->body_b + 1,
                             .contact = c->identity};
}

/* m/s along the normal that the tangential impulse makes through the turning of one body. */
static double coupling(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, int body,
                       const double x[3], const double tangential[3])
{
    const crn_pose *pose = &piece->place[c->place].pose[body];
    double arm[3], moment[3], turn[3], u[3];
    crn_sub3(x, pose->x, arm);
    crn_cross3(arm, tangential, moment);
    crn_unrotate3(pose->R, moment, moment);
    crn_rotate3(audit->inverse[body], moment, turn);
    crn_rotate3(pose->R, turn, turn);
    crn_cross3(turn, arm, u);
    return crn_dot3(u, c->normal);
}

/* A contact whose bodies nothing else holds, and whose friction does not act on its normal velocity. */
static bool stands_alone(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, double slack)
{
    const int body[2] = {c->body_a, c->body_b};
    double tangential[3], through = 0;
    crn_madd3(c->impulse, -crn_dot3(c->impulse, c->normal), c->normal, tangential);
    for (int side = 0; side < 2; ++side)
    {
        if (!crn_audit_moves(audit, body[side]))
        {
            continue;
        }
        if (audit->account[body[side]].touching > 1 || audit->account[body[side]].jointed)
        {
            return false;
        }
        through += coupling(audit, piece, c, body[side], side ? c->point_b : c->point_a, tangential);
    }
    return fabs(through) <= slack;
}

/* After an impact nothing approaches, and what bounced alone did so with its restitution. */
static void judge_impact(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                         double slack)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_RESTITUTION);
    double before = m->normal[CRN_BEFORE], after = m->normal[CRN_AFTER];
    violation.allowance = slack;
    violation.size = -after;
    if (m->r_n > 0 && before < 0 && stands_alone(audit, piece, c, slack))
    {
        double elastic = fabs(after + c->restitution * before), inelastic = fabs(after);
        bool fast = before<-piece->threshold *(1 + 1e-6), slow = before> - piece->threshold * (1 - 1e-6);
        violation.size = fast ? elastic : slow ? inelastic : fmin(elastic, inelastic);
    }
    crn_audit_judge(audit, violation);
}

/* In a smooth part, what presses leaves no faster than its restitution, the push out of an overlap and the lift of friction
 * explain; and what closes fast does bounce. */
static void judge_smooth(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                         double slack)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_RESTITUTION);
    double before = m->normal[CRN_BEFORE], after = m->normal[CRN_AFTER];
    double depth = fmax(0, -c->gap_before), pushed = 2 * depth / piece->drift_time;
    /* slower than the threshold nothing counts as an impact; no more than the speed itself may come back */
    double bounce = -before * (before < -piece->threshold * (1 - 1e-6) ? c->restitution : 1.0);
    double lifted = piece->lifts ? c->friction * m->slide : 0.0;
    violation.size = after - fmax(0, bounce) - pushed;
    violation.allowance = slack + m->turning + lifted;
    crn_audit_judge(audit, violation);
    bool closes = c->gap_before + piece->h * before < -piece->h * (slack + m->turning) - 1e-9;
    if (closes && before < -piece->threshold * (1 + 1e-6) && !piece->crowded)
    {
        double least = c->restitution > 0 ? -c->restitution * before : -fmax(0, c->gap_before) / piece->h;
        violation.size = least - after;
        crn_audit_judge(audit, violation);
    }
}

static void judge_pull(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                       double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_PULL);
    violation.size = -mobility * m->r_n;
    violation.allowance = slack;
    crn_audit_judge(audit, violation);
}

/* Within the cone, and against the slip before or after. */
static void judge_friction(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                           double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_FRICTION);
    violation.size = mobility * (m->r_t - piece->cone * c->friction * fmax(0, m->r_n));
    violation.allowance = slack + 1e-9 * mobility * fabs(m->r_n);
    if (isfinite(piece->cone))
    {
        crn_audit_judge(audit, violation);
    }
    if (piece->h > 0 && c->last && mobility * m->r_t > slack)
    {
        violation.size = fmin(m->slip[0], m->slip[1]) / m->r_t;
        violation.allowance = slack + m->turning;
        crn_audit_judge(audit, violation);
    }
}

/* m/s: how fast a driven body moves, of which its velocity is known to so many digits only: it is a difference of poses. */
static double driven_change(const crn_audit *audit, int body)
{
    const crn_twists *twists = &audit->twists[body];
    return crn_audit_moves(audit, body) ? 0.0 : crn_norm3(twists->v[CRN_AFTER]) + crn_norm3(twists->v[CRN_BEFORE]);
}

void crn_judge_contacts(crn_audit *audit, const crn_piece *piece)
{
    for (int i = 0; i < piece->contact_count; ++i)
    {
        const crn_piece_contact *c = &piece->contacts[i];
        const crn_measured *m = &audit->measured[i];
        const crn_group *group = crn_group_of(audit, c->body_a, c->body_b);
        if (c->soft || !group)
        {
            continue;
        }
        double slack = crn_audit_slack(piece, group->speed) +
                       1e-7 * (driven_change(audit, c->body_a) + driven_change(audit, c->body_b)),
               easy = mobility(audit, c);
        if (piece->h > 0 && c->last && easy * m->r_n > slack)
        {
            judge_smooth(audit, piece, c, m, slack);
        }
        else if (!(piece->h > 0))
        {
            judge_impact(audit, piece, c, m, slack);
        }
        judge_pull(audit, piece, c, m, slack, easy);
        judge_friction(audit, piece, c, m, slack, easy);
    }
}
