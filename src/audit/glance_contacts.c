/* A glance at contacts. Four at a time are compared with the slack that does not depend on speeds; contacts for which this is not
 * enough are measured one by one and get the slack of their own speed. */
#include "audit/glance.h"

#include "base/foresee.h"
#include "base/parallel_ranges.h"
#include "collide/contact_lanes.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>

enum
{
    SOON = 8 /* contacts: bodies are asked for so far ahead */
};

/* ----------------------------------------------------------------------------------------------------------- one by one */

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

/* m/s: bound on the speed of a body's points after. */
static double speed_of(const crn_audit *audit, int body)
{
    const crn_glimpse *look = &audit->look[body];
    double spin = crn_larger_of(crn_dot3(look->w[0], look->w[0]), crn_dot3(look->w[1], look->w[1]));
    return sqrt(crn_dot3(look->v[1], look->v[1])) + (spin > 0 ? sqrt(spin) * audit->bodies.bound[body] : 0.0);
}

void crn_glance_measure(const crn_glance *g, int contact, crn_glance_contact *m)
{
    const crn_contact *c = &g->acted->contacts[contact];
    const double *impulse = g->acted->impulse[contact];
    const crn_glimpse *a = &g->audit->look[c->body_a], *b = &g->audit->look[c->body_b];
    double u[3], tangential[3], arm_a[3], arm_b[3];
    m->r_n = crn_dot3(impulse, c->normal);
    crn_madd3(impulse, -m->r_n, c->normal, tangential);
    m->r_t = sqrt(crn_dot3(tangential, tangential));
    crn_sub3(c->point_a, a->x, arm_a);
    crn_sub3(c->point_b, b->x, arm_b);
    for (int k = 0; k < 2; ++k)
    {
        relative(a, arm_a, b, arm_b, k, u);
        m->normal[k] = crn_dot3(c->normal, u);
        m->slip[k] = crn_dot3(tangential, u);
    }
    double across = g->piece->lifts ? crn_dot3(u, u) - m->normal[1] * m->normal[1] : 0.0;
    m->slide = across > 0 ? CRN_SURE * sqrt(across) : 0.0;
    m->easy = a->easy + b->easy;
    m->pushed = crn_larger_of(0, -c->gap) * g->drift_rate;
    m->speed = speed_of(g->audit, c->body_a) + speed_of(g->audit, c->body_b) + m->pushed;
    m->gain =
        0.5 * m->r_n * (m->normal[0] + m->normal[1]) + 0.5 * (m->slip[0] + m->slip[1]) - 2 * fabs(m->r_n) * m->pushed;
}

double crn_glance_last(const crn_glance *g, int contact, const crn_glance_contact *m)
{
    const crn_contact *c = &g->acted->contacts[contact];
    double u[2][3], dw[3], arm[3], turn[3];
    for (int side = 0; side < 2; ++side)
    {
        int body = side ? c->body_b : c->body_a;
        crn_glance_free(g, body, u[side], dw);
        crn_sub3(side ? c->point_b : c->point_a, g->audit->look[body].x, arm);
        crn_cross3(dw, arm, turn);
        crn_add3(u[side], turn, u[side]);
    }
    crn_sub3(u[0], u[1], u[0]);
    return m->gain + 0.5 * crn_dot3(g->acted->impulse[contact], u[0]);
}

/* Whether a pressed contact leaves and closes no faster than it may (judge_smooth in contacts.c). */
static bool leaves_well(const crn_glance *g, const crn_contact *c, const crn_glance_contact *m, double slack)
{
    const crn_piece *piece = g->piece;
    double before = m->normal[0], after = m->normal[1];
    double bounce = -before * (before < -piece->threshold * (1 - 1e-6) ? c->restitution : 1.0);
    double most = crn_larger_of(crn_larger_of(0, bounce), before) + 2 * m->pushed;
    bool closes =
        c->gap + piece->h * before < -piece->h * slack - 1e-9 && before < -piece->threshold && !piece->crowded;
    /* what others touch may bounce less, but who is alone is not known here */
    double least = c->restitution > 0 ? -c->restitution * before : -crn_larger_of(0, c->gap) / piece->h;
    bool held = least - after <= slack;
    return after - most <= slack + c->friction * m->slide && (!closes || held);
}

bool crn_glance_acts_well(const crn_glance *g, int contact, const crn_glance_contact *m, double slack)
{
    const crn_contact *c = &g->acted->contacts[contact];
    bool pushes = -m->easy * m->r_n <= slack;
    bool within = m->easy * (m->r_t - g->piece->cone * c->friction * crn_larger_of(0, m->r_n)) <= slack;
    bool opposes = m->easy * m->r_t <= slack || m->slip[0] <= slack * m->r_t || m->slip[1] <= slack * m->r_t;
    return pushes && within && opposes && (m->easy * m->r_n <= slack || leaves_well(g, c, m, slack));
}

/* Judge a contact by its own speed. */
static void look_closely(const crn_glance *g, int contact, crn_glance_part *sum)
{
    crn_glance_contact m;
    crn_glance_measure(g, contact, &m);
    double slack = g->slack + g->slack_rate * m.speed;
    sum->lively = sum->lively || !(m.gain <= (fabs(m.r_n) + m.r_t) * slack);
    sum->doubt_count += !crn_glance_acts_well(g, contact, &m, slack);
}

/* ------------------------------------------------------------------------------------------------------- four at a time */

/* What four contacts, and all before them, add up to. */
typedef struct sums
{
    lanes normal, friction, size; /* J */
} sums;

/* One side of four contacts: arms, and velocities before and after at the points. */
typedef struct side
{
    lanes arm[3], u[2][3], easy;
} side;

INLINE void look_at_side(const crn_glimpse *look, const int body[LANES], const lanes point[3], side *out)
{
    lanes x[16], turn[3];
    UNROLL
    for (int row = 0; row < 16; row += LANES)
    {
        UNROLL
        for (int l = 0; l < LANES; ++l)
            x[row + l] = *(const loose_lanes *)((const double *)&look[body[l]] + row);
        lanes_transpose(x + row);
    }
    UNROLL
    for (int i = 0; i < 3; ++i)
        out->arm[i] = point[i] - x[i];
    UNROLL
    for (int k = 0; k < 2; ++k)
    {
        lanes_cross(x + 9 + 3 * k, out->arm, turn);
        UNROLL
        for (int i = 0; i < 3; ++i)
            out->u[k][i] = x[3 + 3 * k + i] + turn[i];
    }
    out->easy = x[15];
}

/* Add the rows of an impulse and its moment to four bodies. */
INLINE void push_side(crn_pushed *pushed, const int body[LANES], const lanes impulse[3], const lanes arm[3],
                      double sign)
{
    lanes force[4] = {sign * impulse[0], sign * impulse[1], sign * impulse[2], {0.0}}, torque[4];
    lanes_cross(arm, force, torque);
    torque[3] = (lanes){0.0};
    lanes_transpose(force);
    lanes_transpose(torque);
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        double *to = (double *)&pushed[body[l]];
        *(loose_lanes *)to += force[l];
        *(loose_lanes *)(to + 4) += torque[l];
    }
}

/* Look at four contacts: book their works, push their bodies, and return which of them are clearly right. */
INLINE lane_bits look_at_four(const crn_glance *g, crn_pushed *pushed, const crn_contact *c, const double (*impulse)[3],
                              sums *sum)
{
    const crn_piece *piece = g->piece;
    const int body_a[LANES] = {c[0].body_a, c[1].body_a, c[2].body_a, c[3].body_a};
    const int body_b[LANES] = {c[0].body_b, c[1].body_b, c[2].body_b, c[3].body_b};
    const lanes zero = {0.0}, slack = g->slack - zero;
    crn_contact_lanes at;
    lanes u[2][3], across[3], along[2], slip[2];
    side a, b;
    crn_contact_lanes_load(c, impulse, &at);
    look_at_side(g->audit->look, body_a, at.point_a, &a);
    push_side(pushed, body_a, at.r, a.arm, 1);
    look_at_side(g->audit->look, body_b, at.point_b, &b);
    push_side(pushed, body_b, at.r, b.arm, -1);
    lanes r_n = lanes_dot(at.r, at.n), easy = a.easy + b.easy, gap = FOUR(c, gap), size = lanes_size(r_n);
    UNROLL
    for (int i = 0; i < 3; ++i)
        across[i] = at.r[i] - r_n * at.n[i];
    UNROLL
    for (int k = 0; k < 2; ++k)
    {
        UNROLL
        for (int i = 0; i < 3; ++i)
            u[k][i] = a.u[k][i] - b.u[k][i];
        along[k] = lanes_dot(at.n, u[k]);
        slip[k] = lanes_dot(across, u[k]);
    }
    lanes pushed_out = lanes_positive(-gap) * g->drift_rate, square = lanes_dot(across, across);
    lanes normal = 0.5 * r_n * (along[0] + along[1]), friction = 0.5 * (slip[0] + slip[1]);
    sum->normal += normal;
    sum->friction += friction;
    sum->size += lanes_size(normal) + lanes_size(friction);
    /* the conditions of crn_glance_acts_well, without speeds, bounces and lift */
    lanes reach = slack + easy * piece->cone * FOUR(c, friction) * lanes_positive(r_n);
    lane_bits right = (normal + friction - 2 * size * pushed_out <= size * slack) & (-easy * r_n <= slack);
    right &= easy * easy * square <= reach * reach;
    right &= (slip[1] <= zero) | (slip[1] * slip[1] <= slack * slack * square) | (slip[0] <= zero);
    lane_bits closes = (gap + piece->h * along[0] < -piece->h * slack - 1e-9) & (along[0] < -piece->threshold - zero);
    lane_bits held = (FOUR(c, restitution) == zero) & (-lanes_positive(gap) / piece->h - along[1] <= slack);
    lane_bits leaves = along[1] - lanes_positive(along[0]) - 2 * pushed_out <= slack;
    return right & ((easy * r_n <= slack) | (leaves & (~closes | held)));
}

/* Ask for a body that contacts soon look at. The other one mostly is that of the contact before. */
INLINE void foresee_body(const crn_glance *g, const crn_pushed *pushed, int body)
{
    crn_foresee(&g->audit->look[body], 0);
    crn_foresee(&g->audit->look[body], CRN_LINE);
    crn_foresee_write(&pushed[body], 0);
}

/* Contacts first .. end-1. */
INLINE void look_at_range(const crn_glance *g, crn_pushed *pushed, int first, int end, crn_glance_part *out)
{
    const crn_acted *acted = g->acted;
    sums sum = {{0.0}, {0.0}, {0.0}};
    crn_contact tail[LANES];
    double tail_impulse[LANES][3];
    bool is_far = acted->count >= CRN_FAR;
    for (int i = first; i < end; i += LANES)
    {
        const crn_contact *c = acted->contacts + i;
        const double(*impulse)[3] = acted->impulse + i;
        int count = end - i < LANES ? end - i : LANES;
        for (int l = 0; is_far && l < LANES; ++l)
            crn_foresee_item(c + l, sizeof *c);
        for (int k = i + SOON; is_far && k < i + SOON + LANES && k < end; ++k)
            foresee_body(g, pushed, acted->contacts[k].body_b);
        if (count < LANES)
        {
            crn_contact_lanes_fill(c, impulse, count, tail, tail_impulse);
            c = tail;
            impulse = (const double(*)[3])tail_impulse;
        }
        lane_bits right = look_at_four(g, pushed, c, impulse, &sum);
        for (int l = 0; l < count; ++l)
            if (!right[l])
                look_closely(g, i + l, out);
    }
    out->work[0] = lanes_sum(sum.normal);
    out->work[1] = lanes_sum(sum.friction);
    out->size = lanes_sum(sum.size);
}

WIDE static void look_at_range_wide(const crn_glance *g, crn_pushed *pushed, int first, int end, crn_glance_part *out)
{
    look_at_range(g, pushed, first, end, out);
}

static void look_at_range_plain(const crn_glance *g, crn_pushed *pushed, int first, int end, crn_glance_part *out)
{
    look_at_range(g, pushed, first, end, out);
}

void crn_glance_contacts(crn_glance *g, int part)
{
    assert(part >= 0 && part < g->parts);
    static_assert(sizeof(crn_glimpse) == 16 * sizeof(double), "a body in a glance is read as 16 numbers");
    static_assert(sizeof(crn_pushed) == 8 * sizeof(double), "impulses on a body are two rows of four numbers");
    size_t count = (size_t)g->acted->count;
    int first = (int)crn_part(count, g->parts, part), end = (int)crn_part(count, g->parts, part + 1);
    crn_pushed *pushed = g->audit->pushed + (size_t)part * (size_t)g->audit->count;
    (HAS_WIDE ? look_at_range_wide : look_at_range_plain)(g, pushed, first, end, &g->part[part]);
}
