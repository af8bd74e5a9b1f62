/* Limits of joints: ropes and the ends of ranges. A limit pulls nobody beyond it, as a contact does: its impulse is not negative, and
 * where it acts it is reached at the end of the piece, and left no faster than restitution allows, but for what its drift is
 * corrected by. */
#include "audit/audit_internal.h"

#include "math/vec.h"
#include "model/joints/coupling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The share of what bodies move in a step by which a limit that is held at its rate may drift. */
static const double DRIFT = 1e-3;

/* A limit in the units of its row: m and N s, or rad and N m s. */
typedef struct limit
{
    double gap, gap_at_start;
    crn_along along; /* of the gap */
    double impulse;
    double restitution;
} limit;

static void judge(crn_audit *audit, const crn_piece *piece, const crn_joint *joint, const limit *l, double slack)
{
    cairn_violation violation = {.kind = CAIRN_VIOLATION_PULL,
                                 .time = piece->t + piece->h,
                                 .a.id = joint->a.body + 1,
                                 .b.id = joint->b.body + 1,
                                 .size = -l->along.mobility * l->impulse,
                                 .allowance = slack};
    crn_audit_judge(audit, violation);
    if (!(l->along.mobility * l->impulse > slack))
        return;
    double drift = DRIFT * piece->held * crn_group_of(audit, joint->a.body, joint->b.body)->speed;
    double used = piece->h > 0 ? fmax(fmin(l->gap, l->gap_at_start) - drift, 0.0) / piece->h : 0.0;
    double corrected = 2 * fmax(fmax(-l->gap, -l->gap_at_start), 0.0) / piece->drift_time;
    double bounce = l->restitution * fmax(0.0, -fmin(l->along.rate[CRN_BEFORE], l->along.rate[CRN_FREE]));
    violation.kind = CAIRN_VIOLATION_RESTITUTION;
    violation.size = l->along.rate[CRN_AFTER] + (bounce > 0 ? 0.0 : used) - corrected - bounce;
    crn_audit_judge(audit, violation);
}

/* The limit that a class has of its own, as a rope. */
static void judge_own(crn_audit *audit, const crn_piece *piece, const crn_piece_place *place, const crn_joint *joint,
                      const double *c, double slack)
{
    crn_joint_place at;
    if (joint->own_bounded == 0)
        return;
    crn_joint_action start = crn_audit_act(audit, joint, piece->pose, c, &at);
    crn_joint_action acting = crn_audit_act(audit, joint, place->pose, c, &at);
    int a = joint->a.body, b = joint->b.body;
    if (!acting.has_limit || joint->stiffness > 0)
        return;
    limit l = {.gap = acting.limit_gap, .gap_at_start = start.limit_gap, .impulse = acting.limit_impulse};
    l.along.mobility = (crn_audit_moves(audit, a) ? 1 / audit->bodies.mass[a] : 0.0) +
                       (crn_audit_moves(audit, b) ? 1 / audit->bodies.mass[b] : 0.0);
    double u[3];
    crn_relative_velocity(audit, place->pose, a, at.x[0], b, at.x[1], CRN_AFTER, u);
    l.along.rate[CRN_AFTER] = crn_dot3(acting.limit, u);
    judge(audit, piece, joint, &l, slack);
}

static double gap_of(const crn_audit *audit, const crn_piece *piece, const crn_joint *joint, const crn_element *element,
                     const crn_pose *pose)
{
    double q, middle[CRN_JOINT_COORDINATES];
    for (int i = 0; i < CRN_JOINT_COORDINATES; ++i)
        middle[i] = element->bound; /* angles are those nearest to the limit */
    crn_joint_place at = crn_place_between(&joint->a, &joint->b, pose, middle);
    q = joint->coupling ? crn_coupling_value(audit->model, joint->coupling, pose, piece->coordinate, NULL)
                        : crn_joint_coordinate(joint, audit->model->dimension, &at, element->coordinate, NULL);
    return element->kind == CRN_ELEMENT_LOWER ? q - element->bound : element->bound - q;
}

/* Add what a unit impulse does to two bodies: the rate, and how easily it changes. */
static void add_part(const crn_audit *audit, const crn_piece_place *place, const int body[2],
                     const crn_joint_action *unit, crn_along *out)
{
    static const double STILL[3] = {0};
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0)
            continue;
        const crn_twists *twists = &audit->twists[body[side]];
        for (int which = CRN_BEFORE; which <= CRN_FREE; ++which)
        {
            double u[3];
            crn_relative_velocity(audit, place->pose, body[side], unit->x[side], -1, STILL, which, u);
            out->rate[which] += crn_dot3(unit->impulse[side], u) + crn_dot3(unit->moment[side], twists->w[which]);
            out->size += crn_norm3(unit->impulse[side]) * crn_norm3(u) +
                         crn_norm3(unit->moment[side]) * crn_norm3(twists->w[which]);
        }
        double mass = crn_audit_moves(audit, body[side]) ? audit->bodies.mass[body[side]] : INFINITY;
        double arm = audit->bodies.bound[body[side]] > 0 ? audit->bodies.bound[body[side]] : 1.0;
        out->mobility += (crn_dot3(unit->impulse[side], unit->impulse[side]) +
                          crn_dot3(unit->moment[side], unit->moment[side]) / (arm * arm)) /
                         mass;
    }
}

crn_along crn_measure_along(const crn_audit *audit, const crn_piece_place *place, const crn_joint *joint,
                            int coordinate, double sign)
{
    crn_along out = {.mobility = 0};
    for (int i = 0; joint->coupling && i < joint->coupling->part_count; ++i)
    {
        int body[2];
        crn_coupling_bodies(audit->model, &joint->coupling->part[i], body);
        crn_joint_action unit = crn_coupling_act(audit->model, joint->coupling, i, place->pose, sign, 0.0);
        add_part(audit, place, body, &unit, &out);
    }
    if (joint->coupling)
        return out;
    const int body[2] = {joint->a.body, joint->b.body};
    crn_joint_place at = crn_place_between(&joint->a, &joint->b, place->pose, NULL);
    crn_joint_action unit = {.off = 0};
    memcpy(unit.x, at.x, sizeof unit.x);
    crn_joint_act_coordinate(joint, audit->model->dimension, &at, coordinate, sign, &unit);
    add_part(audit, place, body, &unit, &out);
    return out;
}

/* The end of a range. */
static void judge_end(crn_audit *audit, const crn_piece *piece, const crn_piece_place *place, const crn_joint *joint,
                      const crn_element *element, double impulse, double slack)
{
    if (impulse == 0) /* what does not act is right, wherever it is */
        return;
    limit l = {.gap = gap_of(audit, piece, joint, element, place->pose),
               .gap_at_start = gap_of(audit, piece, joint, element, piece->pose),
               .impulse = impulse,
               .restitution = element->restitution};
    double sign = element->kind == CRN_ELEMENT_LOWER ? 1.0 : -1.0;
    l.along = crn_measure_along(audit, place, joint, element->coordinate, sign);
    const crn_group *group = crn_group_of(audit, joint->a.body, joint->b.body);
    judge(audit, piece, joint, &l, slack + 4 * group->parting * sqrt(l.along.mobility));
}

void crn_judge_joints(crn_audit *audit, const crn_piece *piece)
{
    const crn_piece_place *last = &piece->place[piece->place_count - 1]; /* where the velocities are */
    for (size_t i = 0; piece->place_count > 0 && last->joint_impulse && i < audit->model->joint_count; ++i)
    {
        const crn_joint *joint = &audit->model->joints[i];
        const crn_group *group = crn_group_of(audit, joint->a.body, joint->b.body);
        if (!group || (joint->bounded == 0 && !audit->model->has_rotors))
            continue;
        double slack = audit->sure * (crn_audit_slack(piece, group->speed) + piece->interpolated + 2 * piece->left);
        crn_judge_rotors(audit, piece, (int)i, slack);
        if (!joint->coupling)
            judge_own(audit, piece, last, joint, last->joint_impulse[i], slack);
        for (int row = joint->rows; row < joint->rows + joint->bounded; ++row)
        {
            const crn_element *element = crn_joint_element(joint, row);
            if (element && (element->kind == CRN_ELEMENT_LOWER || element->kind == CRN_ELEMENT_UPPER))
                judge_end(audit, piece, last, joint, element, last->joint_impulse[i][row], slack);
            else if (element && element->kind == CRN_ELEMENT_FRICTION)
                crn_judge_joint_friction(audit, piece, (int)i, row, slack);
        }
    }
}
