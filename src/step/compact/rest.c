/* Islands at rest.
 *
 * Impulses that balance the loads of an island at rest are a solution of its step: with v = 0, every contact has u = 0, which
 * satisfies its law with any impulse within its cone. So the impulses of the last step are tried first. If nothing stopped them,
 * they would give the bodies the velocities A^-1 (p + H'r). If none of these exceeds REST of what gravity gives in a step (in a
 * small island: the solver's tolerance), the island stays as it is: no sweeps, and no motion at all, where the last digits of a
 * solver would add up to drift. What the impulses leave unbalanced is certified as the residual of the dynamics.
 *
 * An island wakes as soon as a load or an impact leaves more than that unbalanced, or something that moves joins it, or an impulse
 * leaves its cone because friction was lowered. In large islands small overlaps stay as they are; one that is to be pushed out
 * faster than LEFT g h wakes its island.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    FEW = 8 /* one contact in so many, or fewer, rests */
};

static const double REST = 3e-5;    /* of g h */
static const double OUTSIDE = 1e-6; /* of an impulse: how far it may be outside its cone */
static const double LEFT = 0.2;     /* of g h: the largest residual of a contact law, as in policy.c, ... */
static const double LEFT_STACKED =
    0.5; /* ... and in walls, which sweeps make sway rather than push overlaps out of them */

double crn_compact_speed(const cairn_simulation *s, const crn_compact_body *moving, int b)
{
    return crn_norm3(moving->v) + crn_norm3(moving->w) * s->layout->bound[b];
}

static double speed_at_start(const cairn_simulation *s, int b)
{
    const crn_compact_body start = crn_compact_start(s, b);
    return crn_compact_speed(s, &start, b);
}

int crn_compact_island_of(const crn_compact_scratch *c, int body)
{
    while (c->parent[body] != body)
        body = c->parent[body];
    return body;
}

/* m/s: how much may be left unbalanced in an island. Small ones are held to the solver's tolerance. */
static double limit_of(const cairn_simulation *s, int root, double h)
{
    double share = crn_compact_is_small(&s->compact, root) ? fmin(s->settings.solver.tolerance, REST) : REST;
    return share * h * crn_norm3(s->state.gravity);
}

/* m/s: how fast a body is or, where its island settles, by how much its velocity changes. */
static double motion_of(const cairn_simulation *s, const crn_compact_body *moving, int b, int root)
{
    const crn_compact_scratch *c = &s->compact;
    if (!c->any_settles || !c->settles[root])
        return crn_compact_speed(s, moving, b);
    crn_compact_body change = *moving, start = crn_compact_start(s, b);
    crn_sub3(moving->v, start.v, change.v);
    crn_sub3(moving->w, start.w, change.w);
    return crn_compact_speed(s, &change, b);
}

/* Rule out the islands of bodies that move: at the start, or at the end where that is known. Returns whether any island with contacts is
 * left. */
static bool rule_out(cairn_simulation *s, const crn_compact_body *end, double h)
{
    crn_compact_scratch *c = &s->compact;
    bool any = false;
    for (int b = 0; b < c->problem.body_count; ++b)
    {
        int root = s->layout->body_block[b] >= 0 ? crn_compact_island_of(c, b) : -1;
        if (root < 0 || !c->at_rest[root])
            continue;
        crn_compact_body moving = end ? end[b] : crn_compact_start(s, b);
        c->at_rest[root] = motion_of(s, &moving, b, root) <= limit_of(s, root, h);
    }
    for (int b = 0; b < c->problem.body_count && !any; ++b)
        any = c->at_rest[b] && c->parent[b] == b && c->island_contacts[b] > 0;
    return any;
}

bool crn_rest_is_driven(const cairn_simulation *s, int j)
{
    const crn_compact_scratch *c = &s->compact;
    crn_compact_pair body = crn_compact_bodies(&c->problem, j);
    return (c->problem.drift && crn_dot3(c->drift[j], c->drift[j]) > 0) ||
           (s->layout->body_block[body.a] < 0 && speed_at_start(s, body.a) > 0) ||
           (s->layout->body_block[body.b] < 0 && speed_at_start(s, body.b) > 0);
}

static void rule_out_driven(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    for (int j = 0; j < c->problem.contact_count; ++j)
        if (crn_rest_is_driven(s, j))
            c->at_rest[c->island[j]] = false;
}

/* Whether an impulse is one that its contact can have. */
static bool is_in_cone(const crn_compact_problem *problem, int j, const double p[3])
{
    const crn_compact_contact here = crn_compact_at(problem, j), *contact = &here;
    double mu = problem->law == CAIRN_LAW_FRICTIONLESS ? 0.0 : contact->mu, along = crn_dot3(p, contact->normal), t[3];
    crn_madd3(p, -along, contact->normal, t);
    double friction = problem->polygon ? crn_compact_polygon_size(problem->polygon, contact->normal, t) : crn_norm3(t);
    return fmax(friction - mu * along, -along) <= OUTSIDE * crn_norm3(p);
}

/* Whether a moment is one that its contact can have under its impulse. */
static bool is_within(const crn_compact_problem *problem, int j, const double p[3])
{
    const crn_compact_rolling *r = problem->rolling ? &problem->rolling[j] : NULL;
    const double *n = crn_compact_row(problem, j);
    double along = r ? crn_dot3(r->moment, n) : 0.0, most = crn_dot3(p, n), t[3] = {0};
    if (r)
        crn_madd3(r->moment, -along, n, t);
    return !r ||
           fmax(crn_norm3(t) - r->rolling * most, fabs(along) - r->spinning * most) <= OUTSIDE * crn_norm3(r->moment);
}

/* m/s: the largest residual that contact j may have at rest. */
static double most_left(cairn_simulation *s, int j, double fall)
{
    const crn_compact_scratch *c = &s->compact;
    if (crn_compact_is_small(c, c->island[j]))
        return fmin(s->settings.solver.tolerance, LEFT) * fall;
    bool is_asked = c->residual[j] > LEFT * fall && c->residual[j] <= LEFT_STACKED * fall;
    return (is_asked && crn_compact_layers(s) > 0 ? LEFT_STACKED : LEFT) * fall;
}

/* An island in which a law is broken does not rest. */
static void rule_out_unlawful(cairn_simulation *s, double fall)
{
    crn_compact_scratch *c = &s->compact;
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        if (!c->at_rest[c->island[j]])
            continue;
        if (c->residual[j] > most_left(s, j, fall) || !is_in_cone(&c->problem, j, c->impulse[j]) ||
            !is_within(&c->problem, j, c->impulse[j]))
            c->at_rest[c->island[j]] = false;
    }
}

static int count_of(const crn_compact_scratch *c, bool rests)
{
    int count = 0;
    for (int j = 0; j < c->problem.contact_count; ++j)
        count += c->at_rest[c->island[j]] == rests;
    return count;
}

/* The contacts of islands that rest, or of those that do not, as a problem of their own: c->moving. */
static cairn_status gather(cairn_simulation *s, bool rests)
{
    crn_compact_scratch *c = &s->compact;
    int count = count_of(c, rests);
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->moving_contact, count), CRN_ARRAY(c->moving_impulse, count),
                            CRN_ARRAY(c->moving_index, count),
                            CRN_ARRAY(c->moving_drift, c->problem.drift ? count : 0)));
    c->moving = c->problem;
    count = 0;
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        if (c->at_rest[c->island[j]] != rests)
            continue;
        c->moving_contact[count] = crn_compact_at(&c->problem, j);
        memcpy(c->moving_impulse[count], c->impulse[j], sizeof c->impulse[j]);
        if (c->problem.drift)
            memcpy(c->moving_drift[count], c->drift[j], sizeof c->drift[j]);
        c->moving_index[count++] = j;
    }
    c->moving.contact = c->moving_contact;
    c->moving.drift = c->problem.drift ? (const double(*)[3])c->moving_drift : NULL;
    c->moving.contact_count = count;
    c->moving.momentum = crn_compact_momentum_of(c, c->moving_impulse);
    return crn_compact_gather_rolling(s, &c->moving, c->moving_index, count);
}

/* Judge the impulses of islands that may rest: their residuals, and in `after` the velocities of their bodies. Where they are few, alone. A
 * residual depends on the contacts of its two bodies only, so it is the same. */
static cairn_status judge_candidates(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    if (2 * count_of(c, true) >= c->problem.contact_count)
    {
        crn_compact_judge(&c->problem, (const double(*)[3])c->impulse, c->after, c->residual, &c->judged);
        return CAIRN_OK;
    }
    CRN_TRY(gather(s, true));
    crn_compact_judge(&c->moving, (const double(*)[3])c->moving_impulse, c->after, c->residual, &c->judged);
    for (int i = c->moving.contact_count - 1; i >= 0; --i) /* from the end: none is overwritten before it has moved */
        c->residual[c->moving_index[i]] = c->residual[i];
    return CAIRN_OK;
}

/* Few contacts that rest among many: to put the others together would cost more than sweeping all of them does. Their impulses are set
 * aside. */
static bool are_few(const cairn_simulation *s)
{
    const crn_compact_scratch *c = &s->compact;
    return FEW * count_of(c, true) <= c->problem.contact_count && !c->problem.rolling && !c->any_settles;
}

static cairn_status set_aside(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    int count = count_of(c, true);
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(c->resting_impulse, count), CRN_ARRAY(c->resting_index, count)));
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        if (!c->at_rest[c->island[j]])
            continue;
        memcpy(c->resting_impulse[c->resting_count], c->impulse[j], sizeof c->impulse[j]);
        c->resting_index[c->resting_count++] = j;
    }
    assert(c->resting_count == count);
    return CAIRN_OK;
}

void crn_rest_restore(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    for (int i = 0; i < c->resting_count; ++i)
        memcpy(c->impulse[c->resting_index[i]], c->resting_impulse[i], sizeof c->resting_impulse[i]);
}

static bool is_slow(const cairn_simulation *s, int body, double h, double limit)
{
    crn_motion m = crn_motion_of(s, body, s->state.v, h);
    return crn_norm3(m.travel) + m.turn <= limit;
}

bool crn_rest_is_likely(const cairn_simulation *s, double h)
{
    double limit = REST * h * h * crn_norm3(s->state.gravity);
    int body = 0, count = (int)s->model->body_count;
    while (body < count && is_slow(s, body, h, limit))
        ++body;
    bool likely = true; /* where all bodies are slow, those in contact are */
    for (int j = 0; body < count && j < s->located.contact_count && likely; ++j)
        likely =
            is_slow(s, s->located.contacts[j].body_a, h, limit) && is_slow(s, s->located.contacts[j].body_b, h, limit);
    return likely;
}

cairn_status crn_rest_find(cairn_simulation *s, double h, const crn_compact_problem **moving)
{
    crn_compact_scratch *c = &s->compact;
    double fall = h * crn_norm3(s->state.gravity);
    for (int b = 0; b < c->problem.body_count; ++b)
        c->at_rest[b] = true;
    c->still = 0;
    c->resting_count = 0;
    c->any_rest = rule_out(s, NULL, h);
    if (c->any_rest && (s->located.frame.any_driven || c->problem.drift))
        rule_out_driven(s);
    if (c->any_rest)
    {
        CRN_TRY(judge_candidates(s));
        rule_out_unlawful(s, fall);
        c->any_rest = rule_out(s, c->after, h);
    }
    bool few = c->any_rest && are_few(s);
    *moving = c->any_rest && !few ? &c->moving : &c->problem;
    if (few)
        c->moving = c->problem;
    return few ? set_aside(s) : c->any_rest ? gather(s, false) : CAIRN_OK;
}

void crn_rest_hold(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    for (int b = 0; c->any_rest && b < c->problem.body_count; ++b)
    {
        int root = s->layout->body_block[b] >= 0 ? crn_compact_island_of(c, b) : -1;
        if (root < 0 || !c->at_rest[root] || c->island_contacts[root] == 0)
            continue;
        c->still = fmax(c->still, crn_compact_speed(s, &c->after[b], b));
        memset(c->after[b].v, 0, sizeof c->after[b].v);
        memset(c->after[b].w, 0, sizeof c->after[b].w);
    }
}
