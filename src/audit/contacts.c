/* Whether restitution and friction allow what contacts did. docs/physics-certificate.md has the formulas and the reason of each
 * allowance. */
#include "audit/audit_internal.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

static cairn_violation violation_at(const crn_piece *piece, const crn_piece_contact *c, cairn_violation_kind kind)
{
    assert(c->body_a >= 0 && c->body_b >= 0);
    return (cairn_violation){.kind = kind,
                             .time = piece->t + piece->h,
                             .a.id = c->body_a + 1,
                             .b.id = c->body_b + 1,
                             .contact = c->identity};
}

/* m/s: normal velocity that the tangential impulse causes by turning one body. */
static double coupling(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, int body,
                       const double x[3], const double tangential[3])
{
    assert(body >= 0 && body < audit->count);
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

/* Whether nothing else holds the contact's bodies, and its friction does not change its normal velocity. */
static bool stands_alone(const crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, double slack)
{
    const int body[2] = {c->body_a, c->body_b};
    double tangential[3], through = 0;
    crn_madd3(c->impulse, -crn_dot3(c->impulse, c->normal), c->normal, tangential);
    for (int side = 0; side < 2; ++side)
    {
        if (!crn_audit_moves(audit, body[side]))
            continue;
        if (audit->account[body[side]].touching > 1 || audit->account[body[side]].jointed)
            return false;
        through += coupling(audit, piece, c, body[side], side ? c->point_b : c->point_a, tangential);
    }
    return fabs(through) <= slack;
}

/* What took part in an impact does not approach after it, and what bounced alone did so with its restitution. (Others may
 * approach: impacts at one time may come one after another.) */
static void judge_impact(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                         double slack)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_RESTITUTION);
    double before = m->normal[CRN_BEFORE], after = m->normal[CRN_AFTER];
    violation.allowance = slack;
    violation.size = -after;
    if (before < 0 && stands_alone(audit, piece, c, slack))
    {
        double elastic = fabs(after + c->restitution * before), inelastic = fabs(after);
        bool fast = -before > piece->threshold * (1 + 1e-6);
        bool slow = -before < piece->threshold * (1 - 1e-6);
        violation.size = fast ? elastic : slow ? inelastic : fmin(elastic, inelastic);
    }
    crn_audit_judge(audit, violation);
}

/* A contact that on its velocity before would have closed fast must bounce, where it stands alone; one without restitution uses
 * up its gap and no more. */
static void judge_closing(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                          double before, double slack)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_RESTITUTION);
    double least = -fmax(0, c->gap_before) / piece->h;
    if (c->restitution > 0)
    {
        bool alone = stands_alone(audit, piece, c, slack); /* what others touch may bounce less, to gain no energy */
        least = alone ? -c->restitution * before : least;
    }
    violation.size = least - m->normal[CRN_AFTER];
    violation.allowance = slack + m->turning;
    crn_audit_judge(audit, violation);
}

/* In a smooth part, what presses leaves no faster than its restitution, the push out of an overlap and the lift of friction
 * explain; and what closes fast does bounce. */
static void judge_smooth(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                         double slack)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_RESTITUTION);
    double before = m->normal[CRN_BEFORE], after = m->normal[CRN_AFTER];
    double pushed = 2 * crn_piece_depth(c) / piece->drift_time;
    /* slower than the threshold nothing counts as an impact; no more than the speed itself may come back */
    double bounce = -before * (before < -piece->threshold * (1 - 1e-6) ? c->restitution : 1.0);
    double lifted = piece->lifts ? c->friction * m->slide : 0.0;
    violation.size = after - fmax(fmax(0, bounce), before) - pushed; /* a contact that was opening may go on opening */
    /* a contact that opens within the part is drawn apart by what is left of the forces in it, which may be all of them */
    double drawn = before < -piece->threshold ? 0.0 : fabs(m->normal[CRN_FREE] - before);
    violation.allowance = slack + m->turning + lifted + drawn;
    crn_audit_judge(audit, violation);
    /* it closes where it is, not where its point has swung to when it acts */
    double closing = fmax(before, m->approach);
    bool closes = c->gap_before + piece->h * closing < -piece->h * (slack + m->turning) - 1e-9;
    if (closes && closing < -piece->threshold * (1 + 1e-6) && !piece->crowded)
        judge_closing(audit, piece, c, m, closing, slack);
}

static void judge_pull(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                       double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_PULL);
    violation.size = -mobility * m->r_n;
    violation.allowance = slack;
    crn_audit_judge(audit, violation);
}

/* What opens within the range of its cohesion is held back by all of its pull. */
static void judge_letting_go(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c,
                             const crn_measured *m, double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_PULL);
    double lifted = piece->lifts ? c->friction * m->slide : 0.0, least = slack + m->turning + lifted;
    bool opens = c->gap_before + piece->h * m->normal[CRN_AFTER] > piece->h * least;
    violation.size = mobility * m->r_n;
    violation.allowance = slack;
    /* the only question that a larger slack makes stricter, which who shares does not know */
    bool was_held = audit->shares || m->normal[CRN_BEFORE] >= -slack;
    if (crn_piece_pull(piece, c) > 0 && c->last && !c->soft && opens && was_held)
        crn_audit_judge(audit, violation);
}

/* Friction lies within the cone. */
static void judge_cone(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                       double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_FRICTION);
    violation.size = mobility * (m->r_t - piece->cone * c->friction * fmax(0, m->r_n));
    violation.allowance = slack + 1e-9 * mobility * fabs(m->r_n);
    if (isfinite(piece->cone))
        crn_audit_judge(audit, violation);
}

/* Friction opposes the slip before or after. */
static void judge_slip(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                       double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_FRICTION);
    if (piece->h > 0 && c->last && mobility * m->r_t > slack)
    {
        violation.size = fmin(m->slip[0], m->slip[1]) / m->r_t;
        violation.allowance = slack + m->turning;
        crn_audit_judge(audit, violation);
    }
}

/* Rolling and spinning friction keep to their bounds, and oppose the rotation before or after. Moments count as forces on the
 * arm of the smaller body. */
static void judge_rolling(crn_audit *audit, const crn_piece *piece, const crn_piece_contact *c, const crn_measured *m,
                          double slack, double mobility)
{
    cairn_violation violation = violation_at(piece, c, CAIRN_VIOLATION_FRICTION);
    double about[3], rate[3], n = crn_dot3(c->moment, c->normal), arm = INFINITY, size = crn_norm3(c->moment);
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? c->body_b : c->body_a;
        arm = crn_audit_moves(audit, body) ? fmin(arm, audit->bodies.bound[body]) : arm;
    }
    if (size == 0 || !isfinite(arm))
        return;
    crn_madd3(c->moment, -n, c->normal, about);
    double over = fmax(crn_norm3(about) - c->rolling * m->r_n, fabs(n) - c->spinning * m->r_n);
    violation.size = mobility * over / arm;
    violation.allowance = slack + 1e-9 * mobility * fabs(m->r_n);
    crn_audit_judge(audit, violation);
    crn_turning_rates(audit, c, rate);
    violation.size = arm * fmin(rate[CRN_BEFORE], rate[CRN_AFTER]) / size;
    violation.allowance = slack + m->turning;
    if (mobility * size > slack * arm && c->last)
        crn_audit_judge(audit, violation);
}

/* m/s: speed of a driven body. Its velocity is a difference of poses, and so known to fewer digits. */
static double driven_change(const crn_audit *audit, int body)
{
    assert(body >= 0 && body < audit->count);
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
        if (!group)
            continue;
        double own = crn_audit_slack(piece, group->speed) + piece->interpolated + 2 * piece->left +
                     1e-7 * (driven_change(audit, c->body_a) + driven_change(audit, c->body_b));
        double slack = audit->sure * own, easy = crn_mobility(audit, c);
        bool pressed = easy * m->r_n > slack && !c->soft;
        if (pressed && piece->h > 0 && c->last)
            judge_smooth(audit, piece, c, m, slack);
        else if (pressed && !(piece->h > 0))
            judge_impact(audit, piece, c, m, slack);
        judge_pull(audit, piece, c, m, slack, easy);
        judge_letting_go(audit, piece, c, m, slack, easy);
        judge_cone(audit, piece, c, m, slack, easy);
        judge_rolling(audit, piece, c, m, slack, easy);
        if (!c->soft) /* the surfaces of a soft one slide otherwise than its bodies */
            judge_slip(audit, piece, c, m, slack, easy);
    }
}
