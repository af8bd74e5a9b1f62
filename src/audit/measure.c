/* Measuring contacts: velocities at their points before and after, and the work of their impulses. */
#include "audit/audit_internal.h"

#include "math/pose.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double SWING = 0.5; /* sizes of a body */

/* Velocity of a body's point. */
static void point_velocity(const crn_audit *audit, const crn_pose *pose, int body, const double x[3], int which,
                           double u[3])
{
    assert(body >= 0 && body < audit->count);
    assert(which >= CRN_BEFORE && which <= CRN_FREE);
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
        point_velocity(audit, pose, a, x_a, which, u);
    if (b >= 0)
        point_velocity(audit, pose, b, x_b, which, other);
    crn_sub3(u, other, u);
}

/* sign * impulse on a body at x. */
static void push(crn_audit *audit, const crn_pose *pose, int body, const double x[3], double sign,
                 const double impulse[3], double size)
{
    assert(sign == 1 || sign == -1);
    assert(crn_audit_moves(audit, body));
    double arm[3], moment[3];
    crn_twists *twists = &audit->twists[body];
    crn_sub3(x, pose[body].x, arm);
    crn_cross3(arm, impulse, moment);
    crn_madd3(twists->force, sign, impulse, twists->force);
    crn_madd3(twists->torque, sign, moment, twists->torque);
    audit->account[body].load[0] += size;
    audit->account[body].load[1] += size * crn_norm3(arm);
}

void crn_audit_push(crn_audit *audit, const crn_pose *pose, int a, const double x_a[3], int b, const double x_b[3],
                    const double impulse[3])
{
    double size = crn_norm3(impulse);
    if (crn_audit_moves(audit, a))
        push(audit, pose, a, x_a, 1, impulse, size);
    if (crn_audit_moves(audit, b))
        push(audit, pose, b, x_b, -1, impulse, size);
}

void crn_audit_turn(crn_audit *audit, int a, int b, const double moment[3])
{
    assert(a < audit->count && b < audit->count);
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

void crn_turning_rates(const crn_audit *audit, const crn_piece_contact *c, double rate[3])
{
    for (int which = CRN_BEFORE; which <= CRN_FREE; ++which)
        rate[which] = crn_dot3(c->moment, audit->twists[c->body_a].w[which]) -
                      crn_dot3(c->moment, audit->twists[c->body_b].w[which]);
}

/* Subtract the work of driven bodies and of drift at a contact, which the energy account leaves out. */
static void leave_driven_out(crn_audit *audit, const crn_piece_contact *c, const crn_pose *pose, double r_n,
                             const double tangential[3])
{
    const int body[2] = {c->body_a, c->body_b};
    audit->work[0] -= r_n * crn_dot3(c->normal, c->drift);
    audit->work[1] -= crn_dot3(tangential, c->drift);
    audit->work_size += crn_norm3(c->impulse) * crn_norm3(c->drift);
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

/* m/s: change of velocities by turning, between the start of the piece and the place where the contact acts. */
static double turning(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, double speed)
{
    const crn_pose *pose = piece->place[c->place].pose;
    double turned[3], arm_a[3], arm_b[3];
    double turn_a = audit->twists[c->body_a].turn, turn_b = audit->twists[c->body_b].turn;
    crn_sub3(c->normal, c->normal_before, turned);
    double turn = turn_a + turn_b + crn_norm3(turned);
    if (!(turn > 0))
        return 0.0;
    crn_sub3(c->point_a, pose[c->body_a].x, arm_a);
    crn_sub3(c->point_b, pose[c->body_b].x, arm_b);
    return 2 * turn * (speed + (turn_a * crn_norm3(arm_a) + turn_b * crn_norm3(arm_b)) / piece->h);
}

/* Sizes of a body: how far a contact's point swings around it between the start of the piece and the place where it acts. */
static double swing(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, int side)
{
    int body = side ? c->body_b : c->body_a;
    double size = audit->bodies.bound[body];
    if (c->fresh || !c->rim || !crn_audit_moves(audit, body) || !(audit->twists[body].turn > 0) || !(size > 0))
        return 0.0;
    return crn_swing(&piece->pose[body], c->point_before[side], &piece->place[c->place].pose[body],
                     side ? c->point_b : c->point_a) /
           size;
}

/* m/s: what a swing adds to the work of a contact, per impulse. Its row turns by the angle phi, and sees phi |u| of velocities that
 * are zero along the true one. The terms linear in phi cancel between the stages of a scheme of order 2; its square remains, and phi
 * times the change of velocity. A swing of SWING or more is not a small angle: the contact is another one, and nothing is explained. */
static double swinging(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const double u[2][3])
{
    double phi = fmax(swing(audit, piece, c, 0), swing(audit, piece, c, 1)), change[3],
           speed = crn_norm3(u[CRN_BEFORE]);
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? c->body_b : c->body_a;
        speed += crn_audit_moves(audit, body) ? audit->twists[body].speed : 0.0;
    }
    crn_sub3(u[CRN_AFTER], u[CRN_BEFORE], change);
    return phi < SWING ? 4 * phi * phi * speed + 2 * phi * crn_norm3(change) : 0.0;
}

/* m/s: the normal velocity of a contact before the piece, at the place that it had there. */
static double approach(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c)
{
    double u[3];
    crn_relative_velocity(audit, piece->pose, c->body_a, c->point_before[0], c->body_b, c->point_before[1], CRN_BEFORE,
                          u);
    crn_add3(u, c->drift, u);
    return crn_dot3(c->normal_before, u);
}

/* J: what a contact that presses first and opens then may seem to give: other forces, or a driven body that slows down, draw it
 * apart within the piece, by no more than they change its rate. */
static double opening(const crn_piece *piece, const crn_measured *m)
{
    bool opens = piece->h > 0 && m->normal[CRN_AFTER] > 0 && m->normal[CRN_BEFORE] > -piece->threshold;
    double drawn = fabs(m->normal[CRN_FREE] - m->normal[CRN_BEFORE]);
    return opens && m->r_n > 0 ? 0.5 * m->r_n * fmin(m->normal[CRN_AFTER], drawn) : 0.0;
}

/* m/s: by how much a driven body changes its velocity in the piece. */
static double driven_change(const crn_audit *audit, int body)
{
    double change[3];
    crn_sub3(audit->twists[body].v[CRN_AFTER], audit->twists[body].v[CRN_BEFORE], change);
    return crn_audit_moves(audit, body) ? 0.0 : crn_norm3(change);
}

/* Add the work of a contact to its group, with the energy that may explain it. */
static void add_to_group(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                         double last)
{
    crn_group *group = crn_group_of(audit, c->body_a, c->body_b);
    double rate = 0.5 * (m->normal[CRN_BEFORE] + m->normal[CRN_AFTER]), mean = m->r_n * rate;
    double friction = 0.5 * (m->slip[0] + m->slip[1]);
    double size = fabs(m->r_n) + m->r_t, depth = crn_piece_depth(c);
    double both = audit->twists[c->body_a].speed + audit->twists[c->body_b].speed + depth / piece->drift_time;
    group->mean += mean + friction;
    group->last += last;
    group->explained +=
        2 * fabs(m->r_n) * depth / piece->drift_time + size * (m->turning + m->swinging) + opening(piece, m);
    /* a scheme sees the velocity of a driven body at a few times of the piece */
    group->explained += 0.05 * size * (driven_change(audit, c->body_a) + driven_change(audit, c->body_b));
    group->load += size;
    group->loose += m->speed / crn_mobility(audit, c);
    group->apart += m->r_t * fabs(c->gap);
    group->speed = crn_larger_of(group->speed, crn_larger_of(m->speed, both));
    if (last > group->worst || group->body[0] == 0)
    {
        group->worst = last;
        group->body[0] = c->body_a + 1;
        group->body[1] = c->body_b + 1;
    }
    audit->work[0] += mean - crn_piece_pull(piece, c) * rate;
    audit->work[1] += friction;
    audit->work_size += size * m->speed;
    audit->work_parts += size * both;
}

/* J: the work that a moment does on driven bodies, which the energy account leaves out. */
static double driven_turning(const crn_audit *audit, const crn_piece_contact *c)
{
    const int body[2] = {c->body_a, c->body_b};
    double work = 0;
    for (int side = 0; side < 2; ++side)
    {
        const crn_twists *twists = &audit->twists[body[side]];
        if (audit->model->bodies[body[side]].kind == CAIRN_DRIVEN)
            work += (side ? -0.5 : 0.5) *
                    (crn_dot3(c->moment, twists->w[CRN_BEFORE]) + crn_dot3(c->moment, twists->w[CRN_AFTER]));
    }
    return work;
}

/* Add the moment of a contact's rolling friction, and its work: at the mean velocity, and as if it acted after all forces. */
static void measure_rolling(crn_audit *audit, const crn_piece_contact *c)
{
    if (crn_dot3(c->moment, c->moment) == 0)
        return;
    crn_audit_turn(audit, c->body_a, c->body_b, c->moment);
    double rate[3];
    crn_turning_rates(audit, c, rate);
    double mean = 0.5 * (rate[CRN_BEFORE] + rate[CRN_AFTER]);
    crn_group *group = crn_group_of(audit, c->body_a, c->body_b);
    if (group && !c->soft)
    {
        double arm = audit->bodies.bound[crn_audit_moves(audit, c->body_a) ? c->body_a : c->body_b];
        group->mean += mean;
        group->last += 0.5 * (rate[CRN_FREE] + rate[CRN_AFTER]);
        group->load += crn_norm3(c->moment) / fmax(arm, 1e-300);
        audit->work[1] += mean - driven_turning(audit, c);
        audit->work_size += fabs(rate[CRN_BEFORE]) + fabs(rate[CRN_AFTER]);
    }
}

/* Measure one contact, and add it to the account of its group. */
static void measure(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, crn_measured *m)
{
    const crn_pose *pose = piece->place[c->place].pose;
    double u[3][3], tangential[3], slide[3];
    double square = 0;
    double along = crn_dot3(c->impulse, c->normal), pull = crn_piece_pull(piece, c);
    m->r_n = along + pull;
    crn_madd3(c->impulse, -along, c->normal, tangential);
    m->r_t = crn_norm3(tangential);
    crn_audit_push(audit, pose, c->body_a, c->point_a, c->body_b, c->point_b, c->impulse);
    for (int which = 0; which < 3; ++which)
    {
        crn_relative_velocity(audit, pose, c->body_a, c->point_a, c->body_b, c->point_b, which, u[which]);
        crn_add3(u[which], c->drift, u[which]);
        m->normal[which] = crn_dot3(c->normal, u[which]);
        square = crn_larger_of(square, crn_dot3(u[which], u[which]));
    }
    m->speed = sqrt(square);
    m->slip[0] = crn_dot3(tangential, u[CRN_BEFORE]);
    m->slip[1] = crn_dot3(tangential, u[CRN_AFTER]);
    crn_madd3(u[CRN_AFTER], -m->normal[CRN_AFTER], c->normal, slide);
    m->slide = crn_norm3(slide);
    m->turning = turning(audit, piece, c, m->speed);
    m->swinging = swinging(audit, piece, c, (const double(*)[3])u);
    m->approach = c->rim && !c->fresh ? approach(audit, piece, c) : m->normal[CRN_BEFORE];
    measure_rolling(audit, c);
    if (!c->soft && crn_group_of(audit, c->body_a, c->body_b))
    {
        double last = 0.5 * (crn_dot3(c->impulse, u[CRN_FREE]) + crn_dot3(c->impulse, u[CRN_AFTER]));
        last += 0.5 * pull * (m->normal[CRN_FREE] + m->normal[CRN_AFTER]); /* a pull may do work */
        add_to_group(audit, piece, c, m, last);
        leave_driven_out(audit, c, pose, along, tangential);
    }
}

/* Friction in proportion to the load of the step before acts without a load, too. */
static bool acts_on(const crn_piece *piece, const crn_measured *m)
{
    return m->r_n > 0 || (isinf(piece->cone) && m->r_t > 0);
}

void crn_measure_contacts(crn_audit *audit, const crn_piece *piece, int place)
{
    assert(place >= 0 && place < piece->place_count);
    for (int i = 0; i < piece->contact_count; ++i)
    {
        const crn_piece_contact *c = &piece->contacts[i];
        if (c->place == place)
        {
            measure(audit, piece, c, &audit->measured[i]);
            bool acts = acts_on(piece, &audit->measured[i]);
            audit->account[c->body_a].touching += acts;
            audit->account[c->body_b].touching += acts;
        }
    }
}
