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
    double rate[3];  /* of the gap, at the velocities CRN_BEFORE to CRN_FREE */
    double mobility; /* rate per impulse, at most */
    double impulse;
    double restitution;
} limit;

static void judge(crn_audit *audit, const crn_piece *piece, const crn_joint *joint, const limit *l, double slack)
{
    cairn_violation violation = {.kind = CAIRN_VIOLATION_PULL,
                                 .time = piece->t + piece->h,
                                 .a.id = joint->a.body + 1,
                                 .b.id = joint->b.body + 1,
                                 .size = -l->mobility * l->impulse,
                                 .allowance = slack};
    crn_audit_judge(audit, violation);
    if (!(l->mobility * l->impulse > slack))
        return;
    double drift = DRIFT * piece->held * crn_group_of(audit, joint->a.body, joint->b.body)->speed;
    double used = piece->h > 0 ? fmax(fmin(l->gap, l->gap_at_start) - drift, 0.0) / piece->h : 0.0;
    double corrected = 2 * fmax(fmax(-l->gap, -l->gap_at_start), 0.0) / piece->drift_time;
    double bounce = l->restitution * fmax(0.0, -fmin(l->rate[CRN_BEFORE], l->rate[CRN_FREE]));
    violation.kind = CAIRN_VIOLATION_RESTITUTION;
    violation.size = l->rate[CRN_AFTER] + (bounce > 0 ? 0.0 : used) - corrected - bounce;
    crn_audit_judge(audit, violation);
}

/* The limit that a class has of its own, as a rope. */
static void judge_own(crn_audit *audit, const crn_piece *piece, const crn_piece_place *place, const crn_joint *joint,
                      const double *c, double slack)
{
    crn_joint_place at;
    crn_joint_action start = crn_audit_act(audit, joint, piece->pose, c, &at);
    crn_joint_action acting = crn_audit_act(audit, joint, place->pose, c, &at);
    int a = joint->a.body, b = joint->b.body;
    if (!acting.has_limit || joint->stiffness > 0)
        return;
    limit l = {.gap = acting.limit_gap, .gap_at_start = start.limit_gap, .impulse = acting.limit_impulse};
    l.mobility = (crn_audit_moves(audit, a) ? 1 / audit->bodies.mass[a] : 0.0) +
                 (crn_audit_moves(audit, b) ? 1 / audit->bodies.mass[b] : 0.0);
    double u[3];
    crn_relative_velocity(audit, place->pose, a, at.x[0], b, at.x[1], CRN_AFTER, u);
    l.rate[CRN_AFTER] = crn_dot3(acting.limit, u);
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

/* Add what a unit impulse does to two bodies: the rate of the gap, and how easily it changes. */
static void add_part(const crn_audit *audit, const crn_piece_place *place, const int body[2],
                     const crn_joint_action *unit, limit *l)
{
    static const double STILL[3] = {0};
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0)
            continue;
        for (int which = CRN_BEFORE; which <= CRN_FREE; ++which)
        {
            double u[3];
            crn_relative_velocity(audit, place->pose, body[side], unit->x[side], -1, STILL, which, u);
            l->rate[which] +=
                crn_dot3(unit->impulse[side], u) + crn_dot3(unit->moment[side], audit->twists[body[side]].w[which]);
        }
        double mass = crn_audit_moves(audit, body[side]) ? audit->bodies.mass[body[side]] : INFINITY;
        double arm = audit->bodies.bound[body[side]] > 0 ? audit->bodies.bound[body[side]] : 1.0;
        l->mobility += (crn_dot3(unit->impulse[side], unit->impulse[side]) +
                        crn_dot3(unit->moment[side], unit->moment[side]) / (arm * arm)) /
                       mass;
    }
}

/* Rate and mobility of a coordinate, of a joint or of a coupling with all its parts, taken with a sign. */
static void measure_coordinate(const crn_audit *audit, const crn_piece_place *place, const crn_joint *joint,
                               const crn_element *element, double sign, limit *l)
{
    for (int i = 0; joint->coupling && i < joint->coupling->part_count; ++i)
    {
        int body[2];
        crn_coupling_bodies(audit->model, &joint->coupling->part[i], body);
        crn_joint_action unit = crn_coupling_act(audit->model, joint->coupling, i, place->pose, sign, 0.0);
        add_part(audit, place, body, &unit, l);
    }
    if (joint->coupling)
        return;
    const int body[2] = {joint->a.body, joint->b.body};
    crn_joint_place at = crn_place_between(&joint->a, &joint->b, place->pose, NULL);
    crn_joint_action unit = {.off = 0};
    memcpy(unit.x, at.x, sizeof unit.x);
    crn_joint_act_coordinate(joint, audit->model->dimension, &at, element->coordinate, sign, &unit);
    add_part(audit, place, body, &unit, l);
}

/* The end of a range. */
static void judge_end(crn_audit *audit, const crn_piece *piece, const crn_piece_place *place, const crn_joint *joint,
                      const crn_element *element, double impulse, double slack)
{
    limit l = {.gap = gap_of(audit, piece, joint, element, place->pose),
               .gap_at_start = gap_of(audit, piece, joint, element, piece->pose),
               .impulse = impulse,
               .restitution = element->restitution};
    measure_coordinate(audit, place, joint, element, element->kind == CRN_ELEMENT_LOWER ? 1.0 : -1.0, &l);
    const crn_group *group = crn_group_of(audit, joint->a.body, joint->b.body);
    judge(audit, piece, joint, &l, slack + 4 * group->parting * sqrt(l.mobility));
}

void crn_judge_joints(crn_audit *audit, const crn_piece *piece)
{
    const crn_piece_place *last = &piece->place[piece->place_count - 1]; /* where the velocities are */
    for (size_t i = 0; piece->place_count > 0 && last->joint_impulse && i < audit->model->joint_count; ++i)
    {
        const crn_joint *joint = &audit->model->joints[i];
        const crn_group *group = crn_group_of(audit, joint->a.body, joint->b.body);
        if (joint->bounded == 0 || !group)
            continue;
        double slack = crn_audit_slack(piece, group->speed) + piece->interpolated;
        if (!joint->coupling)
            judge_own(audit, piece, last, joint, last->joint_impulse[i], slack);
        for (int row = joint->rows; row < joint->rows + joint->bounded; ++row)
        {
            const crn_element *element = crn_joint_element(joint, row);
            if (element && (element->kind == CRN_ELEMENT_LOWER || element->kind == CRN_ELEMENT_UPPER))
                judge_end(audit, piece, last, joint, element, last->joint_impulse[i][row], slack);
            else if (element && element->kind == CRN_ELEMENT_FRICTION)
            {
                limit l = {.gap = 0};
                measure_coordinate(audit, last, joint, element, 1.0, &l);
                crn_judge_joint_friction(audit, piece, (int)i, l.mobility, row, slack);
            }
        }
    }
}
