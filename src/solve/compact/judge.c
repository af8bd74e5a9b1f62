/* The certificate of impulses, in double: velocities from the problem's own data and the impulses alone, then the natural map of every
 * contact (docs/certificate.md), with r = p and u in the world frame:
 *
 *     frictionless   | (min(r_n, rho u_n), r_t) | / rho
 *     cone           | r - P_K(r - rho (u + mu |u_t| n)) | / rho
 *     convex cone    | r - P_K(r - rho u) | / rho
 *
 * where rho = 1 / mean diag(W), W the contact's own block of H A^-1 H'. Its trace needs no matrices:
 * tr(-[arm] J^-1 [arm]) = |arm|^2 tr J^-1 - arm' J^-1 arm.
 *
 * The scale is that of the general certificate in world axes: the largest speed of a body, and |H| |x| + |w| over the normal rows,
 * x the free velocities. In place of the rows along the two tangents, which a compact contact does not have, it takes the three rows
 * along the axes of the world. Both are the same but for the directions in which components are taken.
 */
#include "solve/compact/packed.h"

#include "math/vec.h"
#include "solve/certify/certifier.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const double SHARE_OF_ROUNDING = 1e-3 * DBL_EPSILON; /* as in certify/natural_map.c */

/* ---------------------------------------------------------------------------------------------------------- effective mass */

/* The trace of one side's part of W. In the plane it has two rows, and only rotation about z. */
static double side_trace(const crn_compact_problem *problem, int i, const double arm[3])
{
    const crn_compact_body *body = &problem->body[i];
    double square = crn_dot3(arm, arm);
    bool is_round = !problem->inverse_inertia || (problem->is_round && problem->is_round[i]);
    if (is_round)
        return problem->is_planar ? 2.0 * body->inverse_mass + square * body->inverse_inertia
                                  : 3.0 * body->inverse_mass + 2.0 * square * body->inverse_inertia;
    const double *J = problem->inverse_inertia[i];
    double turned[3];
    crn_rotate3(J, arm, turned);
    return problem->is_planar ? 2.0 * body->inverse_mass + square * J[8]
                              : 3.0 * body->inverse_mass + square * (J[0] + J[4] + J[8]) - crn_dot3(arm, turned);
}

static double effective_mass(const crn_compact_problem *problem, const crn_compact_contact *c)
{
    double trace = side_trace(problem, c->a, c->arm_a) + side_trace(problem, c->b, c->arm_b);
    double rho = (problem->is_planar ? 2.0 : 3.0) / trace;
    return isfinite(rho) && rho > 0.0 ? rho : 1.0;
}

/* ------------------------------------------------------------------------------------------------------------- residuals */

/* The velocity of a body's point. */
static void point_velocity(const crn_compact_body *body, const double arm[3], double out[3])
{
    crn_cross3(body->w, arm, out);
    crn_add3(body->v, out, out);
}

/* x = r - step is projected on |x_t| <= mu x_n. Returns the distance of r from the projection. In the cone it is the step itself: r may
 * be so large that r - step is r. */
static double cone_distance(double mu, double r_n, const double r_t[3], double step_n, const double step_t[3])
{
    double x_n = r_n - step_n, x_t[3], off_n = step_n, off_t[3];
    crn_sub3(r_t, step_t, x_t);
    double size = crn_norm3(x_t);
    memcpy(off_t, step_t, sizeof off_t);
    if (!(size <= mu * x_n))
    {
        double n = fmax(0.0, (x_n + mu * size) / (1.0 + mu * mu));
        off_n = n == x_n ? step_n : r_n - n;
        crn_madd3(r_t, size > 0.0 ? -mu * n / size : 0.0, x_t, off_t);
    }
    return sqrt(off_n * off_n + crn_dot3(off_t, off_t));
}

static double residual_of(const crn_compact_problem *problem, const crn_compact_contact *c, const double p[3],
                          const double u[3], double u_n)
{
    const double *n = c->normal;
    double rho = effective_mass(problem, c), r_n = crn_dot3(p, n), r_t[3], u_t[3], distance;
    crn_madd3(p, -r_n, n, r_t);
    crn_madd3(u, -crn_dot3(u, n), n, u_t);
    if (problem->law == CAIRN_LAW_FRICTIONLESS)
    {
        double normal = fmin(r_n, rho * u_n);
        distance = sqrt(normal * normal + crn_dot3(r_t, r_t));
    }
    else
    {
        double step_t[3], shift = problem->law == CAIRN_LAW_CONE ? c->mu * crn_norm3(u_t) : 0.0;
        crn_scale3(rho, u_t, step_t);
        distance = cone_distance(c->mu, r_n, r_t, rho * (u_n + shift), step_t);
    }
    return (distance + SHARE_OF_ROUNDING * crn_norm3(p)) / rho;
}

/* ----------------------------------------------------------------------------------------------------------------- scale */

/* Add one side to the speeds |H| |x| and the bias w along the normal and the axes. */
static void add_side(const crn_compact_problem *problem, int i, double sign, const double arm[3], const double n[3],
                     double speed[4], double w[4])
{
    const crn_compact_body *body = &problem->body[i];
    double turn[3], lever[3];
    crn_cross3(body->w, arm, turn);
    if (crn_compact_is_prescribed(problem, i))
    {
        w[3] += sign * (crn_dot3(body->v, n) + crn_dot3(turn, n));
        for (int k = 0; k < 3; ++k)
            w[k] += sign * (body->v[k] + turn[k]);
        return;
    }
    crn_cross3(arm, n, lever);
    for (int k = 0; k < 3; ++k)
    {
        speed[3] += fabs(n[k] * body->v[k]) + fabs(lever[k] * body->w[k]);
        speed[k] += fabs(body->v[k]) + fabs(turn[k]);
    }
}

/* A positive w_n, a gap, counts no more than the speed that could close it. */
static double contact_speed(const crn_compact_problem *problem, const crn_compact_contact *c)
{
    double speed[4] = {0}, w[4] = {0, 0, 0, c->bias};
    add_side(problem, c->a, 1.0, c->arm_a, c->normal, speed, w);
    add_side(problem, c->b, -1.0, c->arm_b, c->normal, speed, w);
    double most = speed[3] + (w[3] > speed[3] ? speed[3] : fabs(w[3]));
    double w_n = w[0] * c->normal[0] + w[1] * c->normal[1] + w[2] * c->normal[2];
    for (int k = 0; k < 3; ++k)
        most = crn_larger(most, speed[k] + fabs(w[k] - w_n * c->normal[k]));
    return most;
}

static double scale_of(const crn_compact_problem *problem)
{
    double scale = DBL_MIN;
    for (int i = 0; i < problem->body_count; ++i)
        for (int k = 0; k < 3 && !crn_compact_is_prescribed(problem, i); ++k)
            scale = crn_larger(scale, fabs(problem->body[i].v[k]));
    for (int j = 0; j < problem->contact_count; ++j)
        scale = crn_larger(scale, contact_speed(problem, &problem->contact[j]));
    return scale;
}

/* ----------------------------------------------------------------------------------------------------------- certificate */

static void judge_contact(const crn_compact_problem *problem, int j, const double p[3], const crn_compact_body *body,
                          double *residual, crn_compact_certificate *certificate)
{
    const crn_compact_contact *c = &problem->contact[j];
    double u_a[3], u_b[3], u[3];
    point_velocity(&body[c->a], c->arm_a, u_a);
    point_velocity(&body[c->b], c->arm_b, u_b);
    crn_sub3(u_a, u_b, u);
    double u_n = crn_dot3(u, c->normal) + c->bias;
    bool is_held = crn_compact_is_prescribed(problem, c->a) && crn_compact_is_prescribed(problem, c->b);
    double found = is_held ? 0.0 : crn_larger(0.0, residual_of(problem, c, p, u, u_n));
    if (residual)
        residual[j] = found;
    if (found > certificate->worst || certificate->contact < 0)
    {
        certificate->worst = found;
        certificate->contact = j;
    }
    if (!is_held)
        certificate->normal = crn_larger(certificate->normal, -u_n);
}

void crn_compact_judge(const crn_compact_problem *problem, const double (*impulse)[3], crn_compact_body *body,
                       double *residual, crn_compact_certificate *certificate)
{
    *certificate = (crn_compact_certificate){.contact = -1, .scale = scale_of(problem)};
    crn_compact_velocities(problem, impulse, body);
    for (int j = 0; j < problem->contact_count; ++j)
        judge_contact(problem, j, impulse[j], body, residual, certificate);
    assert(certificate->contact < problem->contact_count);
}
