#include "solve/certify/natural_map.h"

#include "math/cone.h"
#include "math/polygon.h"
#include "solve/auto/bounded.h"
#include "solve/auto/laws.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static const double SHARE_OF_ROUNDING = 1e-3 * DBL_EPSILON;

/* |(x, y, z)|, by hypot where squares would overflow or underflow. */
static double length(double x, double y, double z)
{
    double sum = x * x + y * y + z * z;
    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : hypot(hypot(x, y), z);
}

/* The point nearest to x in the law's figure, scaled by the radius. */
static void project(const cairn_problem *problem, double radius, const double *x, double *out)
{
    if (crn_law_uses_polygon(problem))
    {
        crn_polygon_project(problem->law.directions, radius, x, out);
        return;
    }
    const crn_law_class *law = crn_law_of(problem);
    if (problem->dim == 3 && !law->is_polyhedral)
    {
        double size = length(x[0], x[1], 0.0);
        double share = size > radius ? radius / size : 1.0;
        out[0] = share * x[0];
        out[1] = share * x[1];
        return;
    }
    radius = law->is_frictionless ? 0.0 : radius;
    for (int k = 0; k < problem->dim - 1; ++k)
        out[k] = fmin(fmax(x[k], -radius), radius);
}

/* A component of r - nearest, where `moved` = r - step was projected. */
static double missing(double r, double moved, double nearest, double step)
{
    return nearest == moved ? step : r - nearest;
}

/* The distance of r_t from the projection of r_t - rho u_t; rho = 0 gives its distance from the set of friction. */
static double tangential_distance(const cairn_problem *problem, int contact, const double *r, const long double *u,
                                  double rho)
{
    double moved[2] = {0.0, 0.0};
    double nearest[2] = {0.0, 0.0};
    for (int k = 0; k < problem->dim - 1; ++k)
        moved[k] = (double)(r[1 + k] - rho * u[1 + k]);
    bool fixed = crn_law_of(problem)->has_radius;
    double bound = fixed ? problem->radius[contact] : problem->mu[contact] * fmax(r[0], 0.0);
    project(problem, bound, moved, nearest);
    double first = missing(r[1], moved[0], nearest[0], (double)(rho * u[1]));
    double second = problem->dim == 3 ? missing(r[2], moved[1], nearest[1], (double)(rho * u[2])) : 0.0;
    return length(first, second, 0.0);
}

/* The distance of r from the projection of r - rho (u + s e_n) on the cone, s = mu |u_t| where the law is exact. */
static double cone_distance(const cairn_problem *problem, int contact, const double *r, const long double *u,
                            double rho)
{
    double mu = problem->mu[contact];
    long double across = problem->dim == 3 ? u[2] : 0.0L; /* squares of doubles do not overflow a long double */
    long double shift = crn_law_of(problem)->lifts_off ? 0.0L : mu * sqrtl(u[1] * u[1] + across * across);
    double step[3] = {0.0, 0.0, 0.0};
    double moved[3] = {0.0, 0.0, 0.0};
    double nearest[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < problem->dim; ++k)
    {
        long double velocity = u[k] + (k == 0 ? shift : 0.0L);
        step[k] = (double)(rho * velocity);
        moved[k] = (double)(r[k] - rho * velocity);
    }
    if (crn_law_uses_polygon(problem))
        crn_pyramid_project(problem->law.directions, mu, moved, nearest);
    else
        crn_cone_project(problem->dim, mu, moved, nearest);
    double off[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < problem->dim; ++k)
        off[k] = missing(r[k], moved[k], nearest[k], step[k]);
    return length(off[0], off[1], off[2]);
}

/* The length of r - P(r - rho u) of a contact, an impulse. */
static double contact_distance(const cairn_problem *problem, int contact, const double *r, const long double *u,
                               double rho)
{
    if (crn_law_of(problem)->is_conical)
        return cone_distance(problem, contact, r, u, rho);
    double normal = (double)fminl(r[0], rho * u[0]);
    return length(normal, tangential_distance(problem, contact, r, u, rho), 0.0);
}

/* What the law says vanishes: the normal's work, or all of it where sliding contacts lift off. */
static double work_of_law(const cairn_problem *problem, const double *r, const long double *u)
{
    int rows = crn_law_of(problem)->lifts_off ? problem->dim : 1;
    long double work = 0.0L;
    for (int k = 0; k < rows; ++k)
        work += u[k] * r[k];
    return (double)fabsl(work);
}

static crn_law_residual contact_residual(const cairn_problem *problem, int j, const double *r, const long double *u,
                                         double rho)
{
    double size = length(r[0], r[1], problem->dim == 3 ? r[2] : 0.0);
    return (crn_law_residual){
        .natural_map = contact_distance(problem, j, r, u, rho) / rho + SHARE_OF_ROUNDING * size / rho,
        .outside = length(fmax(0.0, -r[0]), tangential_distance(problem, j, r, u, 0.0), 0.0),
        .complementarity = work_of_law(problem, r, u),
    };
}

/* Impulses in the unused rows of the item count as outside. An infinite distance to a bound says nothing about
 * complementarity: the natural map alone judges it. */
static crn_law_residual row_residual(const cairn_problem *problem, const double *r, crn_interval interval, double s,
                                     double rho)
{
    double z = r[0], lo = interval.lo, hi = interval.hi;
    double across = length(r[1], problem->dim == 3 ? r[2] : 0.0, 0.0);
    double moved = z - rho * s;
    double nearest = moved < lo ? lo : moved > hi ? hi : moved;
    double distance = length(missing(z, moved, nearest, rho * s), across, 0.0);
    double room = s > 0.0 ? z - lo : hi - z; /* to the bound at which s may have this sign */
    return (crn_law_residual){
        .natural_map = distance / rho + SHARE_OF_ROUNDING * fabs(z) / rho,
        .outside = length(fmax(fmax(lo - z, z - hi), 0.0), across, 0.0),
        .complementarity = isfinite(room) ? fabs(s * room) : 0.0,
    };
}

crn_law_residual crn_law_residual_of(const cairn_problem *problem, int j, const double *r, const long double *u,
                                     double rho)
{
    assert(rho > 0.0 && isfinite(rho));
    const double *r_j = r + j * problem->dim;
    const long double *u_j = u + j * problem->dim;
    return crn_is_row(problem, j) ? row_residual(problem, r_j, crn_row_interval(problem, j, r), (double)u_j[0], rho)
                                  : contact_residual(problem, j, r_j, u_j, rho);
}
