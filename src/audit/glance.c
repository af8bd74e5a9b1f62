/* One look at a piece: whether all of it is clearly right.
 *
 * Almost every piece is. Each judgement of the audit compares a size with an allowance, and here each size is compared with a
 * part of that allowance which is cheap to compute: with the slack of the contact's own speed, then, where that leaves a doubt,
 * with that of the speed of its group, and without the terms for turning, driven bodies and forces that act late. A piece that
 * passes therefore has no violation. Any other piece is examined in full (audit.c), which decides.
 *
 * Two judgements concern groups of bodies. The contacts of a group give it no energy if none of them alone gives more than its
 * own share of the allowance; groups are formed only where one does. And since contacts act with opposite impulses, the
 * momentum of a free group is right if that of each of its bodies is.
 *
 * This holds for pieces that act at one place, their start, with rigid contacts and gravity or outer forces only.
 */
#include "audit/audit_internal.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double FAST = 1e50;   /* m/s, rad/s: faster bodies are examined in full */
static const double SURE = 0.9999; /* of an allowance: the rest is room for rounding */

typedef struct glance
{
    crn_audit *audit;
    const crn_piece *piece;
    const crn_acted *acted;
    double jump;              /* m/s: the slack of velocities without their speed */
    double slack, slack_rate; /* m/s: the slack of contacts at a speed is slack + slack_rate * speed */
    double drift_rate;        /* 1/s */
    double work[2], size;     /* J: normal, friction, and at most the sum of magnitudes */
    bool lively;              /* some contact gives more energy than its own share of the allowance */
    int doubt_count;          /* contacts in audit->doubt */
} glance;

/* Set a body's velocities in the world and clear its impulses. Returns false if it is too fast, or not finite. */
static bool open_look(const crn_audit *audit, const crn_piece *piece, int body)
{
    assert(body >= 0 && body < audit->count);
    crn_glimpse *look = &audit->look[body];
    const crn_pose *pose = &piece->pose[body];
    memset(look, 0, sizeof *look);
    memcpy(look->x, pose->x, sizeof look->x);
    look->group = body;
    if (!crn_audit_moves(audit, body))
        return audit->model->bodies[body].kind == CAIRN_FIXED;
    double linear = 0, spin = 0;
    for (int k = 0; k < 2; ++k)
    {
        const double *v = k ? piece->after[body] : piece->before[body];
        memcpy(look->v[k], v, sizeof look->v[k]);
        crn_rotate3(pose->R, v + 3, look->w[k]);
        linear = crn_dot3(v, v);
        spin = crn_larger_of(spin, crn_dot3(v + 3, v + 3));
    }
    look->easy = 1 / audit->bodies.mass[body];
    look->speed = sqrt(linear) + (spin > 0 ? sqrt(spin) * audit->bodies.bound[body] : 0.0);
    return look->speed < FAST && crn_dot3(look->v[0], look->v[0]) < FAST && spin < FAST;
}

/* Velocity of a's point relative to b's, k = 0: before, 1: after. */
static void relative(const crn_glimpse *a, const double arm_a[3], const crn_glimpse *b, const double arm_b[3], int k,
                     double u[3])
{
    double of_a[3], of_b[3];
    crn_cross3(a->w[k], arm_a, of_a);
    crn_cross3(b->w[k], arm_b, of_b);
    for (int i = 0; i < 3; ++i)
        u[i] = (a->v[k][i] + of_a[i]) - (b->v[k][i] + of_b[i]);
}

static void push(crn_glimpse *look, const double arm[3], double sign, const double impulse[3])
{
    double moment[3];
    crn_cross3(arm, impulse, moment);
    crn_madd3(look->force, sign, impulse, look->force);
    crn_madd3(look->torque, sign, moment, look->torque);
}

/* A contact's impulse and velocities. */
typedef struct view
{
    double arm_a[3], arm_b[3];
    double r_n, r_t;  /* N s */
    double normal[2]; /* m/s: before, after */
    double slip[2];   /* J: tangential impulse . velocity */
    double slide;     /* m/s: |u_t| after, where the law lifts what slides */
    double easy;      /* kg^-1 */
    double speed;     /* m/s: of both bodies' points, at most; and the push out of its overlap */
    double pushed;    /* m/s */
} view;

static void measure(const glance *g, const crn_contact *c, const double impulse[3], view *m)
{
    const crn_glimpse *a = &g->audit->look[c->body_a], *b = &g->audit->look[c->body_b];
    double u[3], tangential[3];
    m->r_n = crn_dot3(impulse, c->normal);
    crn_madd3(impulse, -m->r_n, c->normal, tangential);
    m->r_t = sqrt(crn_dot3(tangential, tangential));
    crn_sub3(c->point_a, a->x, m->arm_a);
    crn_sub3(c->point_b, b->x, m->arm_b);
    for (int k = 0; k < 2; ++k)
    {
        relative(a, m->arm_a, b, m->arm_b, k, u);
        m->normal[k] = crn_dot3(c->normal, u);
        m->slip[k] = crn_dot3(tangential, u);
    }
    double across = g->piece->lifts ? crn_dot3(u, u) - m->normal[1] * m->normal[1] : 0.0;
    m->slide = across > 0 ? SURE * sqrt(across) : 0.0;
    m->easy = a->easy + b->easy;
    m->pushed = crn_larger_of(0, -c->gap) * g->drift_rate;
    m->speed = a->speed + b->speed + m->pushed;
}

/* Whether a pressed contact leaves and closes no faster than it may (judge_smooth in contacts.c). */
static bool leaves_well(const glance *g, const crn_contact *c, const view *m, double slack)
{
    const crn_piece *piece = g->piece;
    double before = m->normal[0], after = m->normal[1];
    double bounce = -before * (before < -piece->threshold * (1 - 1e-6) ? c->restitution : 1.0);
    double most = crn_larger_of(crn_larger_of(0, bounce), before) + 2 * m->pushed;
    bool closes =
        c->gap + piece->h * before < -piece->h * slack - 1e-9 && before < -piece->threshold && !piece->crowded;
    bool held = c->restitution == 0 && -crn_larger_of(0, c->gap) / piece->h - after <= slack;
    return after - most <= slack + c->friction * m->slide && (!closes || held);
}

/* Whether a contact pushes, rubs within its cone and against its slip, and leaves as it may. */
static bool acts_well(const glance *g, const crn_contact *c, const view *m, double slack)
{
    bool pushes = -m->easy * m->r_n <= slack;
    bool within = m->easy * (m->r_t - g->piece->cone * c->friction * crn_larger_of(0, m->r_n)) <= slack;
    bool opposes = m->easy * m->r_t <= slack || m->slip[0] <= slack * m->r_t || m->slip[1] <= slack * m->r_t;
    return pushes && within && opposes && (m->easy * m->r_n <= slack || leaves_well(g, c, m, slack));
}

/* Look at one contact: judge it by its own speed, book its work, and push its bodies. */
static void look_at(glance *g, int i)
{
    const crn_contact *c = &g->acted->contacts[i];
    const double *impulse = g->acted->impulse[i];
    crn_glimpse *a = &g->audit->look[c->body_a], *b = &g->audit->look[c->body_b];
    view m;
    measure(g, c, impulse, &m);
    push(a, m.arm_a, 1, impulse);
    push(b, m.arm_b, -1, impulse);
    double slack = g->slack + g->slack_rate * m.speed, size = fabs(m.r_n) + m.r_t;
    double normal = 0.5 * m.r_n * (m.normal[0] + m.normal[1]), friction = 0.5 * (m.slip[0] + m.slip[1]);
    double gain = normal + friction - 2 * fabs(m.r_n) * m.pushed;
    g->work[0] += normal;
    g->work[1] += friction;
    g->size += fabs(normal) + fabs(friction);
    g->lively = g->lively || !(gain <= size * slack);
    if (!acts_well(g, c, &m, slack))
        g->audit->doubt[g->doubt_count++] = i;
    crn_glimpse *mover = a->easy > 0 ? a : b;
    mover->gain += gain;
    mover->load += size;
    mover->fastest = crn_larger_of(mover->fastest, m.speed);
}

static bool is_idle(const crn_acted *acted, int i)
{
    const double *r = acted->impulse[i];
    return r[0] == 0 && r[1] == 0 && r[2] == 0;
}

/* The root of a body in the forest of groups, whose paths are halved on the way. */
static int root_of(crn_glimpse *look, int body)
{
    while (look[body].group != body)
    {
        look[body].group = look[look[body].group].group;
        body = look[body].group;
    }
    return body;
}

/* Form the groups of bodies that contacts hold together, as in groups.c. The root of each gets its sums. */
static void form_groups(const glance *g)
{
    crn_glimpse *look = g->audit->look;
    for (int i = 0; i < g->acted->count; ++i)
    {
        int a = g->acted->contacts[i].body_a, b = g->acted->contacts[i].body_b;
        if (!is_idle(g->acted, i) && look[a].easy > 0 && look[b].easy > 0)
        {
            int root_a = root_of(look, a), root_b = root_of(look, b);
            look[root_a < root_b ? root_b : root_a].group = root_a < root_b ? root_a : root_b;
        }
    }
    for (int b = 0; b < g->audit->count; ++b)
    {
        int root = root_of(look, b);
        look[b].group = root; /* roots are the least of their group: met first */
        if (root == b)
            continue;
        look[root].gain += look[b].gain;
        look[root].load += look[b].load;
        look[root].fastest = crn_larger_of(look[root].fastest, look[b].fastest);
    }
}

static double group_slack(const glance *g, int body)
{
    return g->slack + g->slack_rate * g->audit->look[g->audit->look[body].group].fastest;
}

/* Judge the energy of groups and the doubtful contacts by the speeds of groups. */
static bool groups_do_well(const glance *g)
{
    const crn_audit *audit = g->audit;
    bool good = true;
    for (int b = 0; b < audit->count && good; ++b)
        if (audit->look[b].group == b)
            good = audit->look[b].gain <= audit->look[b].load * group_slack(g, b);
    for (int i = 0; i < g->doubt_count && good; ++i)
    {
        view m;
        const crn_contact *c = &g->acted->contacts[audit->doubt[i]];
        measure(g, c, g->acted->impulse[audit->doubt[i]], &m);
        good = acts_well(g, c, &m, group_slack(g, audit->look[c->body_a].easy > 0 ? c->body_a : c->body_b));
    }
    return good;
}

/* Whether the recorded impulses explain how the body's velocity has changed (look_at_jump in bodies.c). */
static bool moves_well(const glance *g, int body)
{
    const crn_audit *audit = g->audit;
    assert(crn_audit_moves(audit, body));
    const crn_piece *piece = g->piece;
    const crn_glimpse *look = &audit->look[body];
    const double *before = piece->before[body], *after = piece->after[body];
    const double *outer = piece->outer[body], *inner = piece->inner[body];
    double change[3], L[3], given[3], off[3], moment[3], turn[3], mass = audit->bodies.mass[body];
    crn_sub3(after + 3, before + 3, change);
    crn_rotate3(audit->bodies.inertia[body], change, L);
    crn_unrotate3(piece->pose[body].R, look->torque, given);
    for (int k = 0; k < 3; ++k)
    {
        off[k] = mass * (after[k] - before[k]) - look->force[k] - outer[k] - inner[k];
        moment[k] = L[k] - given[k] - outer[3 + k] - inner[3 + k];
    }
    crn_rotate3(audit->inverse[body], moment, turn);
    double arm = audit->bodies.bound[body], least = 0.5 * g->jump;
    return crn_dot3(off, off) <= mass * mass * least * least && arm * arm * crn_dot3(turn, turn) <= least * least;
}

static bool book_is_right(const glance *g)
{
    const crn_piece_book *book = &g->piece->book;
    double allowance = SURE * (1e-9 * g->size + 1e-13 * book->sum);
    return !book->complete || (fabs(book->normal - g->work[0]) <= allowance &&
                               fabs(book->friction - g->work[1]) <= allowance && fabs(book->joints) <= allowance);
}

static bool bodies_do_well(const glance *g)
{
    bool good = true;
    for (int b = 0; b < g->audit->count && good; ++b)
        good = !crn_audit_moves(g->audit, b) || moves_well(g, b);
    return good;
}

cairn_status crn_audit_glance(crn_audit *audit, const crn_piece *piece, const crn_acted *acted, bool *right)
{
    assert(piece->h > 0 && piece->place_count == 1 && piece->place[0].pose == piece->pose);
    assert(audit->model->joint_count == 0 && audit->model->spring_count == 0);
    CRN_TRY(
        crn_reserve_all(&audit->memory, CRN_ARRAY(audit->look, audit->count), CRN_ARRAY(audit->doubt, acted->count)));
    double slack = crn_audit_slack(piece, 0.0);
    glance g = {.audit = audit,
                .piece = piece,
                .acted = acted,
                .jump = SURE * slack,
                .slack = SURE * (slack + 2 * piece->left),
                .slack_rate = SURE * (crn_audit_slack(piece, 1.0) - slack),
                .drift_rate = 1 / piece->drift_time};
    *right = false;
    for (int b = 0; b < audit->count; ++b)
        if (!open_look(audit, piece, b))
            return CAIRN_OK;
    for (int i = 0; i < acted->count; ++i)
        if (!is_idle(acted, i))
            look_at(&g, i);
    bool good = bodies_do_well(&g) && book_is_right(&g), doubtful = g.lively || g.doubt_count > 0;
    if (good && doubtful)
        form_groups(&g);
    *right = good && (!doubtful || groups_do_well(&g));
    return CAIRN_OK;
}
