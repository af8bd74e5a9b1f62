/* The natural map of a group of contacts, and the speeds that their data imply: the one source for every width (LANES).
 *
 * With r = p and u in the world frame, rho = 1 / mean diag(W) and K the friction cone, it is (docs/certificate.md)
 *
 *     frictionless   | (min(r_n, rho u_n), r_t) | / rho
 *     pyramid, box   | (min(r_n, rho u_n), r_t - P(r_t - rho u_t)) | / rho ,    P onto the polygon of mu r_n (in the plane: the interval)
 *     cone           | r - P_K(r - rho (u + mu |u_t| n)) | / rho
 *     convex cone    | r - P_K(r - rho u) | / rho
 *
 * The trace of W needs no matrices: tr(-[arm] J^-1 [arm]) = |arm|^2 tr J^-1 - arm' J^-1 arm.
 */
#include "base/foresee.h"
#include "solve/compact/friction.h"
#include "solve/compact/judge.h"

#include <assert.h>
#include <float.h>

static const double SHARE_OF_ROUNDING = 1e-3 * DBL_EPSILON; /* as in certify/natural_map.c */

/* One contact per lane. */
typedef struct judged
{
    const crn_compact_problem *problem;
    int a[LANES], b[LANES];
    lanes n[3], arm_a[3], arm_b[3], mu, bias; /* as in crn_compact_contact */
    lanes p[3];
} judged;

/* ------------------------------------------------------------------------------------------------------------------ groups */

INLINE void load_contacts(judged *c, const crn_compact_problem *problem, int first)
{
    static const double NOWHERE[3]; /* arms need no centre */
    const double *row[LANES], *centre[2][LANES];
    double bias[LANES];
    bool is_far = !problem->contact && problem->contact_count >= CRN_FAR;
    c->problem = problem;
    for (int l = 0; l < LANES; ++l)
    {
        crn_compact_pair body = crn_compact_bodies(problem, first + l);
        row[l] = crn_compact_row(problem, first + l);
        if (is_far)
            crn_foresee_item(row[l], problem->list.stride);
        bias[l] = problem->contact ? problem->contact[first + l].bias : 0.0;
        c->a[l] = body.a;
        c->b[l] = body.b;
        centre[0][l] = problem->contact ? NOWHERE : problem->list.centre[body.a];
        centre[1][l] = problem->contact ? NOWHERE : problem->list.centre[body.b];
    }
    lanes_rows(row, CRN_COMPACT_WORDS, c->n);
    lanes_arms(centre[0], c->arm_a);
    lanes_arms(centre[1], c->arm_b);
    c->bias = lanes_spread(problem->contact ? bias : problem->list.bias + first, 1);
}

INLINE void load_impulses(judged *c, const double (*impulse)[3], int first)
{
    const double *p[LANES];
    for (int l = 0; l < LANES; ++l)
        p[l] = impulse[first + l];
    lanes_points(p, c->p);
}

/* x less its part along n */
INLINE void across(const lanes x[3], const lanes n[3], lanes out[3])
{
    lanes along = lanes_dot(x, n);
    for (int k = 0; k < 3; ++k)
        out[k] = x[k] - along * n[k];
}

/* The larger one; infinity if x is not a number. */
INLINE lanes larger(lanes x, lanes y)
{
    return lanes_larger(lanes_smaller(x, lanes_all(INFINITY)), y);
}

/* ---------------------------------------------------------------------------------------------------------- effective mass */

/* |arm|^2 tr J^-1 - arm' J^-1 arm, in the plane |arm|^2 J_zz^-1. */
INLINE lanes spin_trace(const crn_compact_problem *problem, const int who[LANES], const lanes arm[3],
                        const lanes body[8])
{
    lanes square = lanes_dot(arm, arm), trace = (problem->is_planar ? 1.0 : 2.0) * square * body[7];
    if (!problem->inverse_inertia)
        return trace;
    lanes J[9], turned[3], is_matrix = lanes_inertia(problem, who, body[7], J);
    for (int k = 0; k < 3; ++k)
        turned[k] = lanes_dot(J + 3 * k, arm);
    lanes whole = problem->is_planar ? square * J[8] : square * (J[0] + J[4] + J[8]) - lanes_dot(arm, turned);
    return lanes_choose(is_matrix, lanes_all(0.0), whole, trace);
}

/* ------------------------------------------------------------------------------------------------------------- residuals */

/* x = r - step is projected on |x_t| <= mu x_n. Returns the square of the distance of r from the projection. In the cone it is the step
 * itself: r may be so large that r - step is r. */
INLINE lanes cone_distance(lanes mu, lanes r_n, const lanes r_t[3], lanes step_n, const lanes step_t[3])
{
    lanes x_n = r_n - step_n, x_t[3], off_t[3], zero = lanes_all(0.0);
    for (int k = 0; k < 3; ++k)
        x_t[k] = r_t[k] - step_t[k];
    lanes size = lanes_root(lanes_dot(x_t, x_t)), reach = mu * x_n;
    lanes n = lanes_positive((x_n + mu * size) / (1.0 + mu * mu));
    lanes share = lanes_choose(size, zero, mu * n / size, zero);
    for (int k = 0; k < 3; ++k)
        off_t[k] = lanes_choose(size, reach, r_t[k] - share * x_t[k], step_t[k]);
    /* without friction x_n may be its own projection while x_t is not */
    lanes beyond = lanes_choose(lanes_size(n - x_n), zero, r_n - n, step_n);
    lanes off_n = lanes_choose(size, reach, beyond, step_n);
    return off_n * off_n + lanes_dot(off_t, off_t);
}

/* x = r_t - rho u_t is projected on the polygon of mu r_n or, in the plane, on the disc. Returns the square of the distance of r_t from
 * the projection, as above. */
INLINE lanes friction_distance(const judged *c, lanes rho, lanes r_n, const lanes r_t[3], const lanes u_t[3])
{
    const crn_compact_polygon *polygon = c->problem->polygon;
    lanes radius = c->mu * lanes_positive(r_n), x[3], off[3], t[2][3], far, most;
    for (int k = 0; k < 3; ++k)
        x[k] = r_t[k] - rho * u_t[k];
    if (polygon)
    {
        lanes_tangents(c->n, t);
        far = lanes_size(face_polygon(polygon, (const lanes(*)[3])t, x).ahead);
        most = polygon->apothem * radius;
        project_on_polygon(polygon, (const lanes(*)[3])t, radius, x);
    }
    else
    {
        far = lanes_dot(x, x);
        most = radius * radius;
        project_on_disc(radius, x);
    }
    for (int k = 0; k < 3; ++k)
        off[k] = lanes_choose(far, most, r_t[k] - x[k], rho * u_t[k]);
    return lanes_dot(off, off);
}

INLINE lanes residual_of(const judged *c, lanes rho, const lanes u[3], lanes u_n)
{
    lanes r_n = lanes_dot(c->p, c->n), r_t[3], u_t[3], square;
    across(c->p, c->n, r_t);
    across(u, c->n, u_t);
    cairn_law_kind law = c->problem->law;
    if (law == CAIRN_LAW_FRICTIONLESS || crn_compact_has_polygon(law))
    {
        lanes step = rho * u_n, least = lanes_choose(r_n, step, step, r_n);
        square = least * least +
                 (law == CAIRN_LAW_FRICTIONLESS ? lanes_dot(r_t, r_t) : friction_distance(c, rho, r_n, r_t, u_t));
    }
    else
    {
        lanes shift = lanes_all(0.0);
        if (law == CAIRN_LAW_CONE)
            shift = c->mu * lanes_root(lanes_dot(u_t, u_t));
        for (int k = 0; k < 3; ++k)
            u_t[k] *= rho;
        square = cone_distance(c->mu, r_n, r_t, rho * (u_n + shift), u_t);
    }
    lanes rounding = SHARE_OF_ROUNDING * lanes_root(lanes_dot(c->p, c->p));
    return (lanes_root(square) + rounding) / rho;
}

/* ----------------------------------------------------------------------------------------------------------------- scale */

/* Add one side to the speeds |H| |x| along the axes (3) and the normal (1), and what is prescribed to w. Returns whether it moves in all lanes, as it
 * mostly does: nothing is prescribed then. */
INLINE bool add_speeds(const judged *c, const int who[LANES], double sign, const lanes arm[3], lanes speed[4],
                       lanes w[3])
{
    lanes zero = lanes_all(0.0), turn[3], lever[3], body[8];
    lanes_gather(c->problem->body, who, body);
    bool moves = lanes_exceed(body[3], zero);
    lanes_cross(body + 4, arm, turn);
    lanes_cross(arm, c->n, lever);
    for (int k = 0; k < 3; ++k)
    {
        lanes along = lanes_size(c->n[k] * body[k]) + lanes_size(lever[k] * body[4 + k]);
        lanes most = lanes_size(body[k]) + lanes_size(turn[k]);
        speed[3] += moves ? along : lanes_choose(body[3], zero, along, zero);
        speed[k] += moves ? most : lanes_choose(body[3], zero, most, zero);
        w[k] += moves ? zero : lanes_choose(body[3], zero, zero, sign * (body[k] + turn[k]));
    }
    return moves;
}

/* The largest speed that a contact's data imply. A positive w_n, a gap, counts no more than the speed that could close it. */
INLINE lanes speed_of(const judged *c, int first)
{
    lanes zero = lanes_all(0.0), speed[4] = {zero, zero, zero, zero}, w[3] = {zero, zero, zero}, w_t[3];
    bool a_moves = add_speeds(c, c->a, 1.0, c->arm_a, speed, w);
    bool is_plain = add_speeds(c, c->b, -1.0, c->arm_b, speed, w) && a_moves && !c->problem->drift;
    for (int k = 0; k < 3 && c->problem->drift; ++k)
        w[k] += lanes_spread(c->problem->drift[first] + k, 3);
    lanes w_n = is_plain ? c->bias : lanes_dot(w, c->n) + c->bias;
    lanes most = larger(speed[3] + lanes_choose(w_n, speed[3], speed[3], lanes_size(w_n)), zero);
    across(w, c->n, w_t);
    for (int k = 0; k < 3; ++k)
        most = larger(is_plain ? speed[k] : speed[k] + lanes_size(w_t[k]), most);
    return most;
}

/* ----------------------------------------------------------------------------------------------------------- certificate */

/* What has been found so far, by lane. */
typedef struct findings
{
    lanes worst, contact, normal, speed;
} findings;

/* The velocity of the contact point of one side, and 1/m and the trace of its J^-1 part. */
INLINE void look_at_side(const judged *c, const crn_compact_body *from, const int who[LANES], const lanes arm[3],
                         lanes v[3], lanes *mass, lanes *spin)
{
    lanes body[8], turn[3];
    lanes_gather(from, who, body);
    lanes_cross(body + 4, arm, turn);
    for (int k = 0; k < 3; ++k)
        v[k] = body[k] + turn[k];
    *mass = body[3];
    *spin = spin_trace(c->problem, who, arm, body);
}

/* One thing after the other, so that few vectors are needed at a time. */
INLINE void judge_group(findings *f, const crn_compact_problem *problem, const double (*impulse)[3],
                        const crn_compact_body *body, int first, double *residual)
{
    judged here, *c = &here;
    lanes zero = lanes_all(0.0), v_a[3], v_b[3], mass_a, mass_b, spin_a, spin_b, u[3];
    load_contacts(c, problem, first);
    f->speed = larger(speed_of(c, first), f->speed);
    look_at_side(c, body, c->a, c->arm_a, v_a, &mass_a, &spin_a);
    look_at_side(c, body, c->b, c->arm_b, v_b, &mass_b, &spin_b);
    for (int k = 0; k < 3; ++k)
        u[k] = v_a[k] - v_b[k];
    for (int k = 0; k < 3 && problem->drift; ++k)
        u[k] += lanes_spread(problem->drift[first] + k, 3);
    lanes u_n = lanes_dot(u, c->n) + c->bias, mass = mass_a + mass_b;
    double dim = problem->is_planar ? 2.0 : 3.0;
    lanes trace = dim * mass + spin_a + spin_b;
    load_impulses(c, impulse, first);
    lanes found = larger(residual_of(c, dim / trace, u, u_n), zero);
    found = lanes_choose(mass, zero, found, zero); /* between prescribed bodies there is nothing to solve */
    if (residual)
        lanes_put(residual + first, found);
    f->contact = lanes_choose(found, f->worst, lanes_count(first), f->contact);
    f->worst = lanes_larger(found, f->worst);
    f->normal = larger(lanes_choose(mass, zero, -u_n, zero), f->normal);
}

static void judge_groups(const crn_compact_problem *problem, const double (*impulse)[3], const crn_compact_body *body,
                         int first, int end, double *residual, crn_compact_certificate *out)
{
    assert(first >= 0 && first <= end && end <= problem->contact_count && (end - first) % LANES == 0);
    findings f = {lanes_all(-1.0), lanes_all(-1.0), lanes_all(0.0), lanes_all(0.0)};
    for (int j = first; j < end; j += LANES)
        judge_group(&f, problem, impulse, body, j, residual);
    for (int l = 0; l < LANES && end > first; ++l)
        crn_compact_note(out, lanes_one(f.worst, l), (int)lanes_one(f.contact, l));
    out->normal = fmax(out->normal, lanes_most(f.normal));
    out->scale = fmax(out->scale, lanes_most(f.speed));
}
