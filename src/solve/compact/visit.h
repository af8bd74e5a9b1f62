/* The visit of a group of contacts: the one source of the arithmetic, for every width (LANES) and every kind of contact.
 *
 * With u the velocity at the contact and W its own block of H A^-1 H':
 *
 *     normal      r_n' = max(0, r_n - u_n / W_nn)
 *     tangential  u_t += (W n)_t (r_n' - r_n), then r_t' = r_t - W_tt^-1 u_t, which makes the contact stick, if that lies in the
 *                 disc of radius mu r_n', and otherwise r_t' = P(r_t - rho u_t), P the projection on the disc.
 *
 * The step rho is a number and not a matrix: only then is a fixed point of the second case a solution of the law, -u_t in the
 * normal cone of the disc at r_t. If rho <= 1 / lambda_max(W_tt), the step does not overshoot. A round contact has
 * W = n n' / k_n + (1 - n n') / rho, so that the two cases are one.
 *
 * Under the convex law both parts are one: r - W^-1 u if that lies in the cone K, otherwise P_K(r - rho u) with
 * rho <= 1 / lambda_max(W).
 *
 * Then the difference p of the impulses acts on the bodies. Momentum (momentum.c) is added to what is stored alone; bodies follow later. What contacts do that resist rolling is in turning.h.
 */
#include "solve/compact/friction.h"

#include <assert.h>

enum
{
    AHEAD = 3 /* groups: visits ask for memory so far ahead */
};

/* One contact per lane, while it is visited. */
typedef struct visit
{
    double *at;       /* the group's fields */
    lanes a[8], b[8]; /* bodies: v, 1/m, w, 1/J */
    lanes n[3], r_n, r_t[3];
    lanes t[2][3];   /* tangents, where a polygon bounds friction */
    lanes u[3], u_n; /* without the bias, with it */
    lanes p[3];      /* the impulse that is added */
    lanes du[3];     /* what it does to u */
} visit;

#define FIELD(which) lanes_load(v->at + (which)*LANES)

INLINE void load3(const visit *v, int field, lanes out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = FIELD(field + k);
}

/* out = (matrix at `field`) x */
INLINE void transform(const visit *v, int field, const lanes x[3], lanes out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = FIELD(field + 3 * k) * x[0] + FIELD(field + 3 * k + 1) * x[1] + FIELD(field + 3 * k + 2) * x[2];
}

/* ------------------------------------------------------------------------------------------------------------ velocities */

INLINE void velocity_round(visit *v, bool is_wall)
{
    lanes radius_a = FIELD(is_wall ? CRN_AT_RADIUS : CRN_AT_RADII), spin[3], turn[3];
    for (int k = 0; k < 3; ++k)
        spin[k] = radius_a * v->a[4 + k];
    for (int k = 0; k < 3 && !is_wall; ++k)
        spin[k] += FIELD(CRN_AT_RADII + 1) * v->b[4 + k];
    lanes_cross(spin, v->n, turn);
    for (int k = 0; k < 3; ++k)
        v->u[k] = (is_wall ? v->a[k] + FIELD(CRN_AT_BIAS + k) : v->a[k] - v->b[k]) - turn[k];
}

INLINE void velocity_general(visit *v, bool is_wall, bool drifts)
{
    lanes arm[3], turn[3];
    load3(v, CRN_AT_ARM_A, arm);
    lanes_cross(v->a + 4, arm, turn);
    for (int k = 0; k < 3; ++k)
        v->u[k] = v->a[k] + turn[k];
    if (!is_wall)
    {
        load3(v, CRN_AT_ARM_B, arm);
        lanes_cross(v->b + 4, arm, turn);
    }
    for (int k = 0; k < 3; ++k)
        v->u[k] = is_wall ? v->u[k] + FIELD(CRN_AT_BIAS + k) : v->u[k] - (v->b[k] + turn[k]);
    for (int k = 0; k < 3 && drifts; ++k)
        v->u[k] += FIELD(CRN_AT_DRIFT + k);
}

/* p acts on one side of a round contact: on body a with sign 1, on body b with -1. The spin changes alike, because the arms are
 * opposite. */
INLINE void apply_round(visit *v, lanes body[8], double sign, lanes radius, bool measure)
{
    lanes turn[3], slip[3], spin = radius * body[7];
    lanes_cross(v->n, v->p, turn);
    for (int k = 0; k < 3; ++k)
    {
        body[k] += sign * (body[3] * v->p[k]);
        body[4 + k] -= spin * turn[k];
    }
    if (!measure)
        return;
    lanes_cross(turn, v->n, slip);
    for (int k = 0; k < 3; ++k)
        v->du[k] += body[3] * v->p[k] + radius * spin * slip[k];
}

/* The same for a general contact; mass_field: of an uneven one, 0: of another. */
INLINE void apply_general(visit *v, lanes body[8], double sign, int arm_field, int spin_field, int mass_field,
                          bool measure)
{
    lanes spin[3], arm[3], turn[3], push[3];
    transform(v, spin_field, v->p, spin);
    if (mass_field > 0)
        transform(v, mass_field, v->p, push);
    for (int k = 0; k < 3; ++k)
    {
        push[k] = mass_field > 0 ? push[k] : body[3] * v->p[k];
        body[k] += sign * push[k];
        body[4 + k] += sign * spin[k];
    }
    if (!measure)
        return;
    load3(v, arm_field, arm);
    lanes_cross(spin, arm, turn);
    for (int k = 0; k < 3; ++k)
        v->du[k] += push[k] + turn[k];
}

INLINE void act(visit *v, crn_compact_kind kind, bool measure)
{
    bool is_round = crn_compact_kind_is_round(kind), is_wall = crn_compact_sides(kind) == 1;
    bool is_uneven = crn_compact_kind_is_uneven(kind);
    int mass_a = !is_uneven ? 0 : is_wall ? CRN_AT_MASS_WALL : CRN_AT_MASS_A, mass_b = is_uneven ? CRN_AT_MASS_B : 0;
    if (is_round)
        apply_round(v, v->a, 1.0, FIELD(is_wall ? CRN_AT_RADIUS : CRN_AT_RADII), measure);
    else
        apply_general(v, v->a, 1.0, CRN_AT_ARM_A, CRN_AT_SPIN_A, mass_a, measure);
    if (is_round && !is_wall)
        apply_round(v, v->b, -1.0, FIELD(CRN_AT_RADII + 1), measure);
    else if (!is_wall)
        apply_general(v, v->b, -1.0, CRN_AT_ARM_B, CRN_AT_SPIN_B, mass_b, measure);
}

/* ------------------------------------------------------------------------------------------------------------------ laws */

/* Where friction is not what it may be: far > most. */
typedef struct measured
{
    lanes far, most;
} measured;

/* polygon: what bounds friction; NULL: the disc. */
INLINE measured measure_friction(const visit *v, const crn_compact_polygon *polygon, lanes radius, const lanes x[3])
{
    if (polygon)
        return (measured){lanes_size(face_polygon(polygon, v->t, x).ahead), polygon->apothem * radius};
    return (measured){lanes_dot(x, x), radius * radius};
}

INLINE void project_friction(const visit *v, const crn_compact_polygon *polygon, lanes radius, lanes x[3])
{
    if (polygon)
        project_on_polygon(polygon, v->t, radius, x);
    else
        project_on_disc(radius, x);
}

/* y where friction may not be x */
INLINE void choose_outside(measured reach, lanes x[3], const lanes y[3])
{
    for (int k = 0; k < 3; ++k)
        x[k] = lanes_choose(reach.far, reach.most, y[k], x[k]);
}

/* Exact friction: Coulomb's, or that of a polygon. Leaves the new impulse in r_n and r_t, the difference in p. */
INLINE void law_exact(visit *v, bool is_round, const crn_compact_polygon *polygon)
{
    lanes step = FIELD(CRN_AT_STEP), along = lanes_dot(v->u, v->n), slip[3], next[3], stuck[3], coupling[3];
    lanes r_n = lanes_positive(v->r_n - v->u_n * FIELD(CRN_AT_KN));
    lanes d_n = r_n - v->r_n, radius = FIELD(CRN_AT_MU) * r_n;
    if (!is_round)
        load3(v, CRN_AT_COUPLING, coupling);
    for (int k = 0; k < 3; ++k)
    {
        slip[k] = v->u[k] - along * v->n[k];
        if (!is_round)
            slip[k] += coupling[k] * d_n;
        next[k] = v->r_t[k] - step * slip[k];
    }
    project_friction(v, polygon, radius, next);
    if (!is_round)
    {
        transform(v, CRN_AT_STICK, slip, stuck);
        for (int k = 0; k < 3; ++k)
            stuck[k] = v->r_t[k] - stuck[k];
        choose_outside(measure_friction(v, polygon, radius, stuck), stuck, next);
    }
    for (int k = 0; k < 3; ++k)
    {
        lanes to = is_round ? next[k] : stuck[k];
        v->p[k] = d_n * v->n[k] + (to - v->r_t[k]);
        v->r_t[k] = to;
    }
    v->r_n = r_n;
}

/* (x_n, x_t) becomes its projection on the cone |x_t| <= mu x_n. */
INLINE void project_on_cone(lanes mu, lanes *x_n, lanes x_t[3])
{
    lanes size = lanes_root(lanes_dot(x_t, x_t));
    lanes reach = mu * *x_n; /* negative if x_n is */
    lanes n = lanes_positive((*x_n + mu * size) / (lanes_all(1.0) + mu * mu));
    lanes share = lanes_choose(size, lanes_all(0.0), mu * n / size, lanes_all(0.0));
    for (int k = 0; k < 3; ++k)
        x_t[k] = lanes_choose(size, reach, share * x_t[k], x_t[k]);
    *x_n = lanes_choose(size, reach, n, lanes_positive(*x_n));
}

/* (W^-1 u)_n, and (W^-1 u)_t in out. */
INLINE lanes stick_step(const visit *v, bool is_round, const lanes slip[3], lanes out[3])
{
    if (is_round)
    {
        for (int k = 0; k < 3; ++k)
            out[k] = FIELD(CRN_AT_STEP) * slip[k];
        return FIELD(CRN_AT_KN) * v->u_n;
    }
    lanes u[3];
    for (int k = 0; k < 3; ++k)
        u[k] = slip[k] + v->u_n * v->n[k];
    transform(v, CRN_AT_STICK, u, out);
    lanes along = lanes_dot(out, v->n);
    for (int k = 0; k < 3; ++k)
        out[k] -= along * v->n[k];
    return along;
}

/* The convex law of Anitescu 2006. */
INLINE void law_convex(visit *v, bool is_round)
{
    const lanes zero = lanes_all(0.0), one = lanes_all(1.0);
    lanes step = FIELD(CRN_AT_STEP), mu = FIELD(CRN_AT_MU), along = lanes_dot(v->u, v->n), slip[3], stuck[3], next[3];
    for (int k = 0; k < 3; ++k)
    {
        slip[k] = v->u[k] - along * v->n[k];
        next[k] = v->r_t[k] - step * slip[k];
    }
    lanes next_n = v->r_n - step * v->u_n;
    lanes stuck_n = v->r_n - stick_step(v, is_round, slip, stuck);
    for (int k = 0; k < 3; ++k)
        stuck[k] = v->r_t[k] - stuck[k];
    project_on_cone(mu, &next_n, next);
    lanes reach = mu * lanes_positive(stuck_n);
    lanes outside = lanes_choose(zero, stuck_n, one, zero);
    outside = lanes_choose(lanes_dot(stuck, stuck), reach * reach, one, outside);
    lanes to_n = lanes_choose(outside, zero, next_n, stuck_n), d_n = to_n - v->r_n;
    for (int k = 0; k < 3; ++k)
    {
        lanes to = lanes_choose(outside, zero, next[k], stuck[k]);
        v->p[k] = d_n * v->n[k] + (to - v->r_t[k]);
        v->r_t[k] = to;
    }
    v->r_n = to_n;
}

#include "solve/compact/turning.h"

/* ---------------------------------------------------------------------------------------------------------------- momentum */

/* Field k of the first `count` contacts of a group, in memory of so many. */
INLINE lanes recall(const double *from, int k, int count)
{
    if (count >= LANES)
        return lanes_get(from + k * LANES);
    double out[LANES] = {0};
    for (int l = 0; l < count; ++l)
        out[l] = from[k * count + l];
    return lanes_get(out);
}

INLINE void keep(double *to, int k, int count, lanes value)
{
    double out[LANES];
    if (count >= LANES)
    {
        lanes_put(to + k * LANES, value);
        return;
    }
    lanes_put(out, value);
    for (int l = 0; l < count; ++l)
        to[k * count + l] = out[l];
}

/* Keep the impulse from before the visit, or add a share of the change since one was kept, and keep one that lies beyond it. */
INLINE void carry_on(visit *v, double *before, int count, crn_compact_pace pace)
{
    lanes now[3], change[3], more[3];
    for (int k = 0; k < 3; ++k)
    {
        now[k] = v->r_n * v->n[k] + v->r_t[k];
        change[k] = pace.pushes ? now[k] - recall(before, k, count) : v->p[k];
        more[k] = pace.share * change[k];
    }
    for (int k = 0; k < 3; ++k)
        keep(before, k, count, now[k] + (pace.pushes ? pace.beyond : -1.0) * change[k]);
    if (!pace.pushes)
        return;
    lanes along = lanes_dot(more, v->n);
    v->r_n += along;
    for (int k = 0; k < 3; ++k)
        v->r_t[k] += more[k] - along * v->n[k];
}

/* ------------------------------------------------------------------------------------------------------------------ groups */

/* What a sweep is asked for. */
typedef struct asked
{
    const crn_compact_polygon *polygon; /* where the figure is one */
    bool measure;
    crn_compact_pace pace;
} asked;

/* Returns |du|^2 by lane if `measure`. The other flags are constants where it is called. */
INLINE lanes visit_group(double *at, const int *who, double *before, int count, crn_compact_body *body,
                         crn_compact_kind kind, crn_compact_figure figure, asked ask)
{
    bool measure = ask.measure, carries = kind < CRN_ROLLING && (ask.pace.keeps || ask.pace.pushes);
    bool is_round = crn_compact_kind_is_round(kind), is_wall = crn_compact_sides(kind) == 1;
    bool turns_first = crn_compact_turns(kind) > 0 && is_round && figure != CRN_FIGURE_CONE;
    const crn_compact_polygon *polygon = figure == CRN_FIGURE_POLYGON ? ask.polygon : NULL;
    visit v_here, *v = &v_here;
    v->at = at;
    lanes_gather(body, who, v->a);
    if (!is_wall)
        lanes_gather(body, who + LANES, v->b);
    load3(v, CRN_AT_NORMAL, v->n);
    v->r_n = FIELD(CRN_AT_IMPULSE);
    load3(v, CRN_AT_IMPULSE + 1, v->r_t);
    if (polygon)
    {
        load3(v, CRN_COMPACT_FIELDS[kind], v->t[0]);
        lanes_cross(v->n, v->t[0], v->t[1]);
    }
    if (is_round)
        velocity_round(v, is_wall);
    else
        velocity_general(v, is_wall, crn_compact_drifts(kind));
    v->u_n = lanes_dot(v->u, v->n);
    if (!is_wall)
        v->u_n += FIELD(CRN_AT_BIAS);
    if (turns_first)
        turn_with_friction(v, is_wall, crn_compact_turns(kind), polygon);
    if (figure == CRN_FIGURE_CONE)
        law_convex(v, is_round);
    else
        law_exact(v, is_round, polygon);
    if (carries)
        carry_on(v, before, count, ask.pace);
    lanes_store(at + CRN_AT_IMPULSE * LANES, v->r_n);
    for (int k = 0; k < 3; ++k)
    {
        lanes_store(at + (CRN_AT_IMPULSE + 1 + k) * LANES, v->r_t[k]);
        v->du[k] = lanes_all(0.0);
    }
    act(v, kind, measure);
    if (crn_compact_turns(kind) > 0 && !turns_first)
        turn_after(v, is_round, is_wall, crn_compact_turns(kind));
    lanes_scatter(body, who, v->a);
    if (!is_wall)
        lanes_scatter(body, who + LANES, v->b);
    return measure ? lanes_dot(v->du, v->du) : lanes_all(0.0);
}

/* Ask for what a group needs before it is visited: where a problem is larger than the caches, visits wait for memory. Groups of general
 * contacts are so long that the processor sees by itself that they follow each other. */
INLINE void foresee(const double *at, const int *who, const double *before, const crn_compact_body *body,
                    crn_compact_kind kind, crn_compact_figure figure)
{
    for (int i = 0; i < crn_compact_fields_per(kind, figure) * LANES && crn_compact_kind_is_round(kind); i += 8)
        __builtin_prefetch(at + i);
    for (int i = 0; before && i < 3 * LANES; i += 8)
        __builtin_prefetch(before + i);
    for (int l = 0; l < crn_compact_sides(kind) * LANES; ++l)
        __builtin_prefetch(&body[who[l]]);
}

INLINE double visit_groups(const crn_compact_segment *s, crn_compact_body *body, int first, int end,
                           crn_compact_kind kind, crn_compact_figure figure, asked ask)
{
    size_t stride = (size_t)(crn_compact_fields_per(kind, figure) * LANES);
    size_t sides = (size_t)(crn_compact_sides(kind) * LANES);
    bool carries = kind < CRN_ROLLING && (ask.pace.keeps || ask.pace.pushes);
    lanes worst = lanes_all(0.0);
    for (size_t g = (size_t)first; g < (size_t)end; ++g)
    {
        double *before = s->before ? s->before + 3 * g * LANES : NULL;
        if (g + AHEAD < (size_t)end)
            foresee(s->data + (g + AHEAD) * stride, s->who + (g + AHEAD) * sides,
                    carries ? before + 3 * AHEAD * LANES : NULL, body, kind, figure);
        lanes change = visit_group(s->data + g * stride, s->who + g * sides, before, s->contact_count - (int)g * LANES,
                                   body, kind, figure, ask);
        if (ask.measure)
            worst = lanes_choose(change, worst, change, worst);
    }
    return lanes_most(worst);
}

/* The figure becomes a constant. */
INLINE double visit_by_figure(const crn_compact_segment *s, crn_compact_body *body, int first, int end,
                              crn_compact_kind kind, asked ask)
{
    return s->figure == CRN_FIGURE_CONE      ? visit_groups(s, body, first, end, kind, CRN_FIGURE_CONE, ask)
           : s->figure == CRN_FIGURE_POLYGON ? visit_groups(s, body, first, end, kind, CRN_FIGURE_POLYGON, ask)
                                             : visit_groups(s, body, first, end, kind, CRN_FIGURE_DISC, ask);
}

static double visit_segment(const crn_compact_segment *s, crn_compact_body *body, int first, int end, bool measure,
                            crn_compact_pace pace)
{
    const asked ask = {s->polygon, measure, pace};
#define VISIT(KIND)                                                                                                    \
    case KIND:                                                                                                         \
        return visit_by_figure(s, body, first, end, KIND, ask);
    assert(s->lanes == LANES && s->kind < CRN_COMPACT_KINDS && s->fields == crn_compact_fields_per(s->kind, s->figure));
    assert(first >= 0 && first <= end && end <= s->group_count);
    switch (s->kind)
    {
        CRN_EACH_COMPACT_KIND(VISIT)
    default:
        return 0.0;
    }
#undef VISIT
}
