/* Bodies and groups: no velocity changes without an impulse on record, the momentum of a free group changes by outer forces
 * alone, and contacts and joints give a group no energy. */
#include "audit/audit_internal.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The change of a body's momentum that the recorded impulses do not explain. */
void crn_audit_residual(const crn_audit *audit, const crn_piece *piece, int body, double out[6])
{
    assert(body >= 0 && body < audit->count);
    const crn_account *account = &audit->account[body];
    const double *before = crn_velocity_of(piece->before, piece->row, body),
                 *after = crn_velocity_of(piece->after, piece->row, body);
    double change[3], L[3], outer[6];
    crn_sub3(after + 3, before + 3, change);
    crn_rotate3(crn_inertia_of(&audit->bodies.inertia, body).m, change, L);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = audit->bodies.mass[body] * (after[k] - before[k]) - account->given[k];
        out[3 + k] = L[k] - account->given[3 + k];
    }
    crn_piece_outer(audit, piece, body, outer);
    for (int k = 0; piece->h > 0 && k < 6; ++k)
        out[k] -= outer[k] + crn_piece_inner(piece, body)[k];
}

static double largest_entry(const double A[9])
{
    return fmax(A[0], fmax(A[4], A[8]));
}

/* Judge jumps of the linear velocity and of the angular one times the body's size, both in m/s, against the rounding of its
 * velocities and loads. */
static void judge_jump(crn_audit *audit, const crn_piece *piece, int body, double size, double angular_size)
{
    assert(crn_audit_moves(audit, body));
    const crn_account *account = &audit->account[body];
    const double *before = crn_velocity_of(piece->before, piece->row, body),
                 *after = crn_velocity_of(piece->after, piece->row, body);
    double mass = audit->bodies.mass[body], arm = audit->bodies.bound[body];
    double group = audit->group[account->group].speed;
    double linear = crn_norm3(before) + crn_norm3(after) + crn_norm3(account->free) + account->load[0] / mass;
    double angular = crn_norm3(before + 3) + crn_norm3(after + 3) + crn_norm3(account->free + 3) +
                     account->load[1] * largest_entry(audit->inverse[body]);
    cairn_violation violation = {.kind = CAIRN_VIOLATION_JUMP, .time = piece->t + piece->h, .a.id = body + 1};
    violation.size = size;
    violation.allowance = crn_audit_slack(piece, fmax(linear, group));
    crn_audit_judge(audit, violation);
    violation.size = angular_size;
    violation.allowance = crn_audit_slack(piece, fmax(arm * angular, group));
    crn_audit_judge(audit, violation);
}

/* Judge a body's jump. Most jumps are far below rounding, and need no scale. */
static void look_at_jump(crn_audit *audit, const crn_piece *piece, int body)
{
    double off[6], turn[3], mass = audit->bodies.mass[body], arm = audit->bodies.bound[body];
    crn_audit_residual(audit, piece, body, off);
    crn_rotate3(audit->inverse[body], off + 3, turn);
    double least = crn_audit_slack(piece, 0.0);
    double linear = crn_dot3(off, off) / (mass * mass), angular = arm * arm * crn_dot3(turn, turn);
    if (!(linear <= least * least && angular <= least * least))
        judge_jump(audit, piece, body, crn_norm3(off) / mass, arm * crn_norm3(turn));
}

/* Add a body's momentum to that of its group; moments are about the origin of the group's root. */
static void add_momentum(crn_audit *audit, const crn_piece *piece, int body)
{
    assert(body >= 0 && body < audit->count);
    int root = audit->account[body].group;
    crn_group *group = &audit->group[root];
    const double *before = crn_velocity_of(piece->before, piece->row, body),
                 *after = crn_velocity_of(piece->after, piece->row, body);
    const crn_pose *pose = &piece->pose[body];
    double change[3], turn[3], L[3], arm[3], moment[3], outer[6], mass = audit->bodies.mass[body];
    crn_piece_outer(audit, piece, body, outer);
    for (int k = 0; k < 3; ++k)
    {
        change[k] = mass * (after[k] - before[k]) - (piece->h > 0 ? outer[k] : 0.0);
        turn[k] = after[3 + k] - before[3 + k];
    }
    double sum = mass * (crn_norm3(before) + crn_norm3(after)) + crn_norm3(change);
    crn_add3(group->momentum, change, group->momentum);
    group->mass += mass;
    group->sum[0] += sum;
    if (piece->h > 0)
        return; /* moments are judged in impacts alone */
    crn_sub3(pose->x, piece->pose[root].x, arm);
    crn_rotate3(crn_inertia_of(&audit->bodies.inertia, body).m, turn, L);
    crn_rotate3(pose->R, L, L);
    crn_cross3(arm, change, moment);
    crn_add3(moment, L, moment);
    crn_add3(group->moment, moment, group->moment);
    double reach = crn_norm3(arm) + audit->bodies.bound[body];
    group->size = fmax(group->size, reach);
    group->sum[1] += sum * crn_norm3(arm) + crn_norm3(L);
}

void crn_judge_bodies(crn_audit *audit, const crn_piece *piece)
{
    for (int b = 0; b < audit->count; ++b)
    {
        if (crn_audit_moves(audit, b))
        {
            look_at_jump(audit, piece, b);
            if (!audit->group[audit->account[b].group].bound)
                add_momentum(audit, piece, b);
        }
    }
}

static void judge_momentum(crn_audit *audit, const crn_piece *piece, int root)
{
    assert(root >= 0 && root < audit->count && audit->account[root].group == root);
    const crn_group *group = &audit->group[root];
    cairn_violation violation = {.kind = CAIRN_VIOLATION_MOMENTUM, .time = piece->t + piece->h, .a.id = root + 1};
    violation.b.id = group->body[0] == root + 1 ? group->body[1] : group->body[0];
    violation.size = crn_norm3(group->momentum) / group->mass;
    violation.allowance = crn_audit_slack(piece, fmax(group->sum[0] / group->mass, group->speed));
    crn_audit_judge(audit, violation);
    if (!(piece->h > 0) && group->size > 0)
    {
        violation.size = crn_norm3(group->moment) / (group->mass * group->size);
        violation.allowance = crn_audit_slack(piece, fmax(group->sum[1] / (group->mass * group->size), group->speed)) +
                              group->apart / (group->mass * group->size);
        crn_audit_judge(audit, violation);
    }
}

double crn_energy_allowance(const crn_piece *piece, const crn_group *group)
{
    return group->explained + (group->load + group->loose) * (crn_audit_slack(piece, group->speed) + 2 * piece->left) +
           group->load * piece->interpolated;
}

static void judge_energy(crn_audit *audit, const crn_piece *piece, int root)
{
    assert(root >= 0 && root < audit->count && audit->account[root].group == root);
    const crn_group *group = &audit->group[root];
    cairn_violation violation = {.kind = CAIRN_VIOLATION_ENERGY, .time = piece->t + piece->h};
    violation.a.id = group->body[0] ? group->body[0] : root + 1;
    violation.b.id = group->body[1];
    violation.size = fmin(group->mean, group->last);
    violation.allowance = crn_energy_allowance(piece, group);
    crn_audit_judge(audit, violation);
}

void crn_judge_groups(crn_audit *audit, const crn_piece *piece)
{
    for (int b = 0; b < audit->count; ++b)
    {
        if (crn_audit_moves(audit, b) && audit->account[b].group == b)
        {
            judge_energy(audit, piece, b);
            if (!audit->group[b].bound)
                judge_momentum(audit, piece, b);
        }
    }
}
