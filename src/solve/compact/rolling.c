/* The natural map of moments that resist rolling, as that of bounded rows is (docs/certificate.md):
 *
 *     | m_t - P(m_t - rho w_t) | / rho ,     | m_n - clip(m_n - rho w_n) | / rho ,     w = w_a - w_b ,
 *
 * with P the projection on the disc of radius rolling r_n, clip that on [-spinning r_n, spinning r_n], and rho = 1 / mean diag of
 * J_a^-1 + J_b^-1; in rad/s, times a length in m/s. The moments are those of the problem, and the normal impulse that of the contact: a
 * solution that keeps neither to its bounds nor to the direction of the rotation has a residual.
 */
#include "solve/compact/judge.h"

#include "math/vec.h"
#include "solve/compact/packed.h"

#include <assert.h>
#include <math.h>

/* The trace of J^-1; in the plane bodies turn about one axis. */
static double trace_of(const crn_compact_problem *problem, int body)
{
    const crn_compact_body *b = &problem->body[body];
    if (crn_compact_is_prescribed(problem, body))
        return 0.0;
    if (problem->inverse_inertia && !(problem->is_round && problem->is_round[body]))
    {
        const double *J = problem->inverse_inertia[body];
        return problem->is_planar ? J[8] : J[0] + J[4] + J[8];
    }
    return (problem->is_planar ? 1.0 : 3.0) * b->inverse_inertia;
}

/* |x - P(x - step)|, P the projection on the ball of a radius. Inside it is the step itself: x may be so large that x - step is x. */
static double distance(const double x[3], const double step[3], double radius)
{
    double to[3], off[3];
    crn_sub3(x, step, to);
    double size = crn_norm3(to);
    if (size <= radius)
        return crn_norm3(step);
    crn_scale3(radius / size, to, to);
    crn_sub3(x, to, off);
    return crn_norm3(off);
}

/* m/s */
static double residual_of(const crn_compact_problem *problem, const double p[3], const crn_compact_body *body, int j)
{
    const crn_compact_contact here = crn_compact_at(problem, j), *c = &here;
    const crn_compact_rolling *r = &problem->rolling[j];
    double mean = (trace_of(problem, c->a) + trace_of(problem, c->b)) / (problem->is_planar ? 1.0 : 3.0);
    double r_n = fmax(crn_dot3(p, c->normal), 0.0), w[3], part[2][3], m[2][3];
    if (!(mean > 0.0))
        return 0.0;
    crn_sub3(body[c->a].w, body[c->b].w, w);
    crn_scale3(1.0 / mean, w, w);
    crn_scale3(crn_dot3(w, c->normal), c->normal, part[1]);
    crn_scale3(crn_dot3(r->moment, c->normal), c->normal, m[1]);
    crn_sub3(w, part[1], part[0]);
    crn_sub3(r->moment, m[1], m[0]);
    double off = fmax(distance(m[0], part[0], r->rolling * r_n), distance(m[1], part[1], r->spinning * r_n));
    return off * mean * r->length;
}

void crn_compact_judge_rolling(const crn_compact_problem *problem, const double (*impulse)[3],
                               const crn_compact_body *body, int first, int end, double *residual,
                               crn_compact_certificate *certificate)
{
    assert(problem->rolling && first >= 0 && end <= problem->contact_count);
    for (int j = first; j < end; ++j)
    {
        double found = residual_of(problem, impulse[j], body, j);
        found = found < INFINITY ? found : INFINITY; /* also if it is not a number */
        crn_compact_note(certificate, found, j);
        if (residual)
            residual[j] = fmax(residual[j], found);
    }
}
