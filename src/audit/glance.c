/* One look at a piece: whether all of it is clearly right.
 *
 * Almost every piece is. Each judgement of the audit compares a size with an allowance, and here each size is compared with a
 * part of that allowance which is cheap to compute: with the slack of the contact's own speed, then, where that leaves a doubt,
 * with that of the speed of its group, and without the terms for turning, driven bodies and forces that act late. A piece that
 * passes therefore has no violation. Any other piece is examined in full (audit.c), which decides.
 *
 * There is one pass over the bodies, one over the contacts, four at a time, and the joints, which also adds up the impulses on each
 * body, and a last one over the bodies, which compares those impulses with the change of velocity.
 *
 * Two judgements concern groups of bodies. The contacts and joints of a group give it no energy if none of them alone gives more than
 * its own share of the allowance; groups are formed only where one does. And since contacts and joints act with opposite impulses,
 * the momentum of a free group is right if that of each of its bodies is.
 *
 * This holds for pieces that act at one place, their start, with rigid contacts and joints and with gravity or outer forces only.
 *
 * Several may share a piece (crn_glance.border). Each looks at some of its contacts, and at how its own bodies move; impulses on copies of bodies go to those that have the
 * bodies. What is additive may be judged in shares: if every share of a group's contacts gives no more energy than its own load allows, neither does the group. Only where
 * a group lies in one share as a whole may it choose which of the two works is the smaller.
 */
#include "audit/glance.h"

#include "base/parallel_ranges.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double STILL[3] = {0};
static const double FAST = 1e50; /* m^2/s^2, rad^2/s^2: faster bodies are examined in full */

/* Set a body's velocities in the world and clear its impulses. Returns false if it is too fast, or not finite. */
static bool open_look(const crn_glance *g, int body)
{
    const crn_audit *audit = g->audit;
    assert(body >= 0 && body < audit->count);
    crn_glimpse *look = &audit->look[body];
    const crn_pose *pose = &g->piece->pose[body];
    for (int part = 0; part < g->parts; ++part)
        memset(&audit->pushed[(size_t)part * (size_t)audit->count + (size_t)body], 0, sizeof *audit->pushed);
    if (!crn_audit_moves(audit, body))
    {
        memset(look, 0, sizeof *look);
        memcpy(look->x, pose->x, sizeof look->x);
        return audit->model->bodies[body].kind == CAIRN_FIXED;
    }
    double square = 0;
    memcpy(look->x, pose->x, sizeof look->x);
    for (int k = 0; k < 2; ++k)
    {
        const double *v = k ? crn_velocity_of(g->piece->after, g->piece->row, body)
                            : crn_velocity_of(g->piece->before, g->piece->row, body);
        memcpy(look->v[k], v, sizeof look->v[k]);
        crn_rotate3(pose->R, v + 3, look->w[k]);
        square += crn_dot3(v, v) + crn_dot3(v + 3, v + 3);
    }
    look->easy = 1 / audit->bodies.mass[body];
    return square < FAST;
}

static void open_looks(void *data, int part)
{
    crn_glance *g = data;
    size_t first = crn_part((size_t)g->audit->count, g->parts, part);
    size_t end = crn_part((size_t)g->audit->count, g->parts, part + 1);
    bool good = true;
    for (size_t b = first; b < end && good; ++b)
        good = open_look(g, (int)b);
    g->part[part].good = good;
}

/* Sum the impulses of all parts on a body. */
static crn_pushed sum_pushes(const crn_glance *g, int body)
{
    const crn_audit *audit = g->audit;
    crn_pushed sum = audit->pushed[body];
    for (int part = 1; part < g->parts; ++part)
    {
        const crn_pushed *more = &audit->pushed[(size_t)part * (size_t)audit->count + (size_t)body];
        crn_add3(sum.force, more->force, sum.force);
        crn_add3(sum.torque, more->torque, sum.torque);
    }
    return sum;
}

void crn_glance_free(const crn_glance *g, int body, double dv[3], double dw[3])
{
    const crn_audit *audit = g->audit;
    memset(dv, 0, sizeof(double[3]));
    memset(dw, 0, sizeof(double[3]));
    if (!crn_audit_moves(audit, body))
        return;
    memcpy(dv, crn_fall_of(g->piece, body), sizeof(double[3]));
    if (!g->piece->outer)
        return;
    crn_madd3(dv, audit->look[body].easy, g->piece->outer[body], dv);
    if (audit->round[body] > 0)
        crn_scale3(audit->round[body], g->piece->outer[body] + 3, dw);
    else
        crn_rotate3(audit->inverse[body], g->piece->outer[body] + 3, dw);
    crn_rotate3(g->piece->pose[body].R, dw, dw);
}

/* rad/s: by how much the recorded moments do not explain how the body's spin has changed. */
static double turn_off(const crn_glance *g, int body, const double torque[3])
{
    const crn_audit *audit = g->audit;
    const crn_piece *piece = g->piece;
    const crn_glimpse *look = &audit->look[body];
    const double *R = piece->pose[body].R;
    const double *outer = piece->outer ? piece->outer[body] + 3 : STILL;
    double moment[3], turn[3], given[3], change[3];
    if (audit->round[body] > 0)
    {
        memcpy(moment, torque, sizeof moment);
        if (piece->outer)
        {
            crn_rotate3(R, outer, given);
            crn_add3(moment, given, moment);
        }
        for (int k = 0; k < 3; ++k)
            turn[k] = (look->w[1][k] - look->w[0][k]) - audit->round[body] * moment[k];
        return sqrt(crn_dot3(turn, turn));
    }
    crn_sub3(crn_velocity_of(piece->after, piece->row, body) + 3, crn_velocity_of(piece->before, piece->row, body) + 3,
             change);
    crn_unrotate3(R, torque, given);
    crn_add3(given, outer, given);
    crn_rotate3(crn_inertia_of(&audit->bodies.inertia, body).m, change, moment);
    crn_sub3(moment, given, moment);
    crn_rotate3(audit->inverse[body], moment, turn);
    return sqrt(crn_dot3(turn, turn));
}

/* Whether the recorded impulses explain how the body's velocity has changed (look_at_jump in bodies.c). */
static bool moves_well(const crn_glance *g, int body)
{
    const crn_audit *audit = g->audit;
    assert(crn_audit_moves(audit, body));
    const crn_piece *piece = g->piece;
    const crn_pushed pushed = sum_pushes(g, body);
    const crn_glimpse *look = &audit->look[body];
    const double *fall = crn_fall_of(piece, body);
    double off[3], least = 0.5 * g->jump;
    for (int k = 0; k < 3; ++k)
    {
        double given = pushed.force[k] + (piece->outer ? piece->outer[body][k] : 0.0);
        off[k] = look->v[1][k] - look->v[0][k] - fall[k] - look->easy * given;
    }
    return crn_dot3(off, off) <= least * least && audit->bodies.bound[body] * turn_off(g, body, pushed.torque) <= least;
}

/* Whether somebody else judges how a body moves. */
static bool is_elsewhere(const crn_glance *g, int body)
{
    return g->border && g->border[body] == CRN_BORDER_COPY;
}

static void judge_moves(void *data, int part)
{
    crn_glance *g = data;
    size_t first = crn_part((size_t)g->audit->count, g->parts, part);
    size_t end = crn_part((size_t)g->audit->count, g->parts, part + 1);
    bool good = true;
    for (size_t b = first; b < end && good; ++b)
        good = !crn_audit_moves(g->audit, (int)b) || is_elsewhere(g, (int)b) || moves_well(g, (int)b);
    g->part[part].good = good;
}

static void look_at_contacts(void *data, int part)
{
    crn_glance_contacts(data, part);
}

static bool all_good(const crn_glance *g)
{
    bool good = true;
    for (int part = 0; part < g->parts; ++part)
        good = good && g->part[part].good;
    return good;
}

static bool is_doubtful(const crn_glance *g)
{
    bool doubtful = false;
    for (int part = 0; part < g->parts; ++part)
        doubtful = doubtful || g->part[part].lively || g->part[part].doubt_count > 0;
    return doubtful;
}

static bool book_is_right(const crn_glance *g)
{
    const crn_piece_book *book = &g->piece->book;
    double normal = 0, friction = 0, joints = 0, size = 0;
    for (int part = 0; part < g->parts; ++part)
    {
        normal += g->part[part].work[0];
        friction += g->part[part].work[1];
        joints += g->part[part].work[2];
        size += g->part[part].size;
    }
    double allowance = CRN_SURE * (1e-9 * size + 1e-13 * book->sum);
    return !book->complete ||
           (fabs(book->normal - normal) <= allowance && fabs(book->friction - friction) <= allowance &&
            fabs(book->joints - joints) <= allowance);
}

/* Room for what a glance notes per body. */
static cairn_status take_scratch(crn_audit *audit, int parts)
{
    size_t count = (size_t)audit->count, pushed = count * (size_t)parts;
    audit->look =
        crn_scratch_take(audit->bodies.scratch ? audit->bodies.scratch : &audit->own,
                         count * sizeof *audit->look + pushed * sizeof *audit->pushed + count * sizeof *audit->share);
    if (!audit->look)
        return CAIRN_NO_MEMORY;
    audit->pushed = (crn_pushed *)(audit->look + count);
    audit->share = (crn_share *)(audit->pushed + pushed);
    return CAIRN_OK;
}

cairn_status crn_glance_open(crn_glance *g, crn_audit *audit, const crn_piece *piece, const crn_acted *acted)
{
    assert(piece->h > 0 && piece->place_count == 1 && piece->place[0].pose == piece->pose);
    assert(audit->model->spring_count == 0 && (audit->model->joint_count == 0 || piece->place[0].joint_impulse));
    double slack = crn_audit_slack(piece, 0.0);
    *g = (crn_glance){.audit = audit,
                      .piece = piece,
                      .acted = acted,
                      .jump = CRN_SURE * slack,
                      .slack = CRN_SURE * (slack + 2 * piece->left),
                      .slack_rate = CRN_SURE * (crn_audit_slack(piece, 1.0) - slack),
                      .drift_rate = 1 / piece->drift_time,
                      .parts = crn_audit_parts(audit, acted->count)};
    return take_scratch(audit, g->parts);
}

cairn_status crn_glance_look(crn_glance *g, bool *right)
{
    crn_in_parts(g->parts, open_looks, g);
    *right = all_good(g);
    if (!*right)
        return CAIRN_OK;
    crn_in_parts(g->parts, look_at_contacts, g);
    return crn_glance_joints(g);
}

cairn_status crn_glance_judge(crn_glance *g, bool *right)
{
    crn_in_parts(g->parts, judge_moves, g);
    *right = all_good(g) && book_is_right(g);
    return *right && is_doubtful(g) ? crn_glance_groups(g, right) : CAIRN_OK;
}

cairn_status crn_audit_glance(crn_audit *audit, const crn_piece *piece, const crn_acted *acted, bool *right)
{
    crn_glance g;
    CRN_TRY(crn_glance_open(&g, audit, piece, acted));
    CRN_TRY(crn_glance_look(&g, right));
    return *right ? crn_glance_judge(&g, right) : CAIRN_OK;
}
