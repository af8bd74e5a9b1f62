/* Joints: their impulses as forces and moments on bodies, by the `act` of their classes and the poses, and their work. A joint has one
 * part, between its two bodies; a coupling has several, each between two bodies of its own. */
#include "audit/audit_internal.h"

#include "math/vec.h"
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void crn_audit_find_action(const crn_audit *audit, const crn_joint *joint, const crn_pose *pose, const double *c,
                           crn_joint_place *place, crn_joint_action *out)
{
    assert(!joint->coupling);
    memset(out, 0, sizeof *out);
    *place = crn_place_between(&joint->a, &joint->b, pose, NULL);
    memcpy(out->x, place->x, sizeof out->x);
    (joint->type->act ? joint->type->act : crn_joint_act_functions)(joint, audit->model->dimension, place, c, out);
    if (joint->element_count > 0)
        crn_elements_act(joint, audit->model->dimension, place, c, out);
}

crn_joint_action crn_audit_act(const crn_audit *audit, const crn_joint *joint, const crn_pose *pose, const double *c,
                               crn_joint_place *place)
{
    crn_joint_action out;
    crn_audit_find_action(audit, joint, pose, c, place, &out);
    return out;
}

static const double STILL[3] = {0};

/* What acts between two bodies. */
typedef struct part
{
    int body[2];
    crn_joint_action acting;
} part;

/* Sums over the parts of a joint. */
typedef struct tally
{
    double work[3], motor[3]; /* J: at the velocities CRN_BEFORE to CRN_FREE; the second of motors */
    double drift;             /* J s: work per correction rate of what is off */
    double turned;            /* J: what the turn of the bodies within the piece may do */
    double load;              /* N s */
    double apart;
    double speed;
    double size; /* J: of what the works are sums of */
} tally;

/* J: work of the impulses and moments at the velocity `which`; *motor: the part of motors. */
static double work(const crn_audit *audit, const crn_pose *pose, const part *p, int which, double *motor)
{
    assert(which >= CRN_BEFORE && which <= CRN_FREE);
    const crn_joint_action *acting = &p->acting;
    double sum = 0;
    *motor = 0;
    for (int side = 0; side < 2; ++side)
    {
        double u[3];
        const double *w = p->body[side] >= 0 ? audit->twists[p->body[side]].w[which] : STILL;
        crn_relative_velocity(audit, pose, p->body[side], acting->x[side], -1, STILL, which, u);
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

/* J: the size of what the work of a part is the sum of, from the sizes of its impulse and its moment. */
static double work_size(const crn_audit *audit, const crn_pose *pose, const part *p, double size, double moment)
{
    const crn_joint_action *acting = &p->acting;
    double sum = 0;
    for (int i = 0; i < 4; ++i)
    {
        int side = i / 2, which = i % 2 == 0 ? CRN_BEFORE : CRN_AFTER;
        double spin = p->body[side] >= 0 ? crn_norm3(audit->twists[p->body[side]].w[which]) : 0.0;
        sum += (size + acting->strain) * point_speed(audit, pose, p->body[side], acting->x[side], which) +
               (moment + acting->strain) * spin;
    }
    return sum;
}

/* Push the two bodies of a part. */
static void push(crn_audit *audit, const crn_pose *pose, part *p)
{
    for (int side = 0; side < 2; ++side)
    {
        crn_audit_push(audit, pose, p->body[side], p->acting.x[side], -1, STILL, p->acting.impulse[side]);
        crn_audit_turn(audit, p->body[side], -1, p->acting.moment[side]);
    }
}

static void measure(const crn_audit *audit, const crn_pose *pose, part *p, tally *sum)
{
    crn_joint_action *acting = &p->acting;
    int a = p->body[0], b = p->body[1];
    double turn = (a >= 0 ? audit->twists[a].turn : 0.0) + (b >= 0 ? audit->twists[b].turn : 0.0);
    double speed =
        point_speed(audit, pose, a, acting->x[0], CRN_AFTER) + point_speed(audit, pose, b, acting->x[1], CRN_AFTER);
    double size = larger(acting->impulse), moment = larger(acting->moment), relative[3], spin[3], at[3], motor[3];
    for (int which = CRN_BEFORE; which <= CRN_FREE; ++which)
    {
        at[which] = work(audit, pose, p, which, &motor[which]);
        sum->work[which] += at[which];
        sum->motor[which] += motor[which];
        crn_relative_velocity(audit, pose, a, acting->x[0], b, acting->x[1], which, relative);
        sum->speed = fmax(sum->speed, crn_norm3(relative));
    }
    crn_sub3(a >= 0 ? audit->twists[a].w[CRN_AFTER] : STILL, b >= 0 ? audit->twists[b].w[CRN_AFTER] : STILL, spin);
    sum->drift += size * acting->off + moment * acting->skew;
    sum->turned += 2 * turn * (size * speed + moment * crn_norm3(spin));
    sum->load += a >= 0 || b >= 0 ? size + moment / fmax(audit->bodies.bound[a >= 0 ? a : b], 1e-300) : 0.0;
    sum->apart += size * acting->off;
    sum->speed = fmax(sum->speed, speed);
    sum->size += work_size(audit, pose, p, size, moment) + fabs(at[CRN_BEFORE]) + fabs(at[CRN_AFTER]);
}

static void book(crn_audit *audit, const crn_piece *piece, const tally *sum, crn_group *group)
{
    const double *w = sum->work, *motor = sum->motor;
    group->mean += 0.5 * (w[CRN_BEFORE] + w[CRN_AFTER]);
    group->last += 0.5 * (w[CRN_FREE] + w[CRN_AFTER]);
    group->explained += 0.5 * fmax(0, motor[CRN_AFTER] + fmax(motor[CRN_BEFORE], motor[CRN_FREE]));
    group->explained += 2 * sum->drift / piece->drift_time + sum->turned;
    group->load += sum->load;
    group->apart += sum->apart;
    group->speed = fmax(group->speed, sum->speed);
    audit->work[2] += 0.5 * (w[CRN_BEFORE] + w[CRN_AFTER]);
    audit->work_size += sum->size;
}

/* Velocities of second-order schemes satisfy the equations of joints to the order of the scheme, and an impact makes up for the rest. A
 * joint that parts at the rate u with the mass m then changes the rate of a limit of mobility W by at most u (m W)^1/2. Only points
 * that should coincide are looked at; others count as far as the joint's impulse works on them. */
static double parting(const crn_audit *audit, const crn_pose *pose, const crn_joint *joint, const part *p,
                      const tally *sum)
{
    double u[3], mass = 0, load = fmax(crn_norm3(p->acting.impulse[0]), crn_norm3(p->acting.impulse[1]));
    for (int side = 0; side < 2; ++side)
        if (crn_audit_moves(audit, p->body[side]))
            mass = fmax(mass, audit->bodies.mass[p->body[side]]);
    crn_relative_velocity(audit, pose, p->body[0], p->acting.x[0], p->body[1], p->acting.x[1], CRN_BEFORE, u);
    double along = load > 0 ? fabs(sum->work[CRN_BEFORE]) / load : 0.0;
    return sqrt(mass) * (joint->type->is_pin && !joint->coupling ? crn_norm3(u) : joint->own_rows > 0 ? along : 0.0);
}

/* What a coupling that is held at a constant value is off, times its impulse. */
static double coupling_drift(const crn_audit *audit, const crn_piece *piece, const crn_pose *pose,
                             const crn_joint *joint, const double *c)
{
    const crn_coupling *coupling = joint->coupling;
    if (joint->own_rows == 0 || coupling->moves)
        return 0.0;
    double value = crn_coupling_value(audit->model, coupling, pose, piece->coordinate, NULL);
    return fabs(c[0] * (value - crn_signal_value(&coupling->hold.target, piece->t)));
}

static void measure_joint(crn_audit *audit, const crn_piece *piece, const crn_pose *pose, const crn_joint *joint,
                          const double *c)
{
    assert(joint->a.body >= 0 || joint->b.body >= 0);
    const crn_coupling *coupling = joint->coupling;
    crn_group *group = crn_group_of(audit, joint->a.body, joint->b.body);
    bool judged = group && !(joint->stiffness > 0 || joint->angular_stiffness > 0);
    double motor, z = coupling ? crn_elements_sum(joint, c, &motor) : 0.0;
    tally sum = {.drift = coupling ? coupling_drift(audit, piece, pose, joint, c) : 0.0};
    for (int i = 0; i < (coupling ? coupling->part_count : 1); ++i)
    {
        crn_joint_place at;
        part p = {.body = {joint->a.body, joint->b.body}};
        if (coupling)
            crn_coupling_bodies(audit->model, &coupling->part[i], p.body);
        p.acting = coupling ? crn_coupling_act(audit->model, coupling, i, pose, z, motor)
                            : crn_audit_act(audit, joint, pose, c, &at);
        push(audit, pose, &p);
        if (judged)
            measure(audit, pose, &p, &sum);
        if (judged && !(piece->h > 0))
            group->parting += parting(audit, pose, joint, &p, &sum);
    }
    if (judged)
        book(audit, piece, &sum, group);
}

void crn_measure_joints(crn_audit *audit, const crn_piece *piece, int place)
{
    assert(place >= 0);
    const crn_piece_place *here = &piece->place[place];
    for (size_t i = 0; here->joint_impulse && i < audit->model->joint_count; ++i)
        measure_joint(audit, piece, here->pose, &audit->model->joints[i], here->joint_impulse[i]);
}
