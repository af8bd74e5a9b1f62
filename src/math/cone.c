/* The circular cone. In the half-plane of x and the axis it is a wedge: x is inside, or beyond the apex (in the polar
 * cone mu |x_t| <= -x_n), or nearest to the ray (1, mu t), t = x_t / |x_t|, at n = (x_n + mu |x_t|) / (1 + mu^2).
 *
 * The pyramid. It is its own mirror image about the plane through the axis and any edge, and so is the projection: the
 * nearest point lies in the sector of x, between the edges g_a = (1, mu a) and g_b = (1, mu b) of one facet. With the
 * orthogonal vectors f = (g_a + g_b)/2 and e = (g_b - g_a)/2 the facet is { alpha f + beta e : |beta| <= alpha }.
 */
#include "math/cone.h"

#include "math/polygon.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Without friction only the normal is left. */
static void project_on_axis(int dim, const double *x, double *out)
{
    out[0] = fmax(x[0], 0.0);
    for (int k = 1; k < dim; ++k)
        out[k] = 0.0;
}

void crn_cone_project(int dim, double mu, const double *x, double *out)
{
    assert((dim == 2 || dim == 3) && mu >= 0.0);
    double size = dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
    if (mu == 0.0)
    {
        project_on_axis(dim, x, out);
    }
    else if (size <= mu * x[0])
    {
        memmove(out, x, (size_t)dim * sizeof(double));
    }
    else
    {
        double normal = fmax(0.0, (x[0] + mu * size) / (1.0 + mu * mu));
        double share = size > 0.0 ? mu * normal / size : 0.0;
        out[0] = normal;
        for (int k = 1; k < dim; ++k)
            out[k] = share * x[k];
    }
}

/* The nearest point of { alpha f + beta e : |beta| <= alpha }; x lies outside of the pyramid, in this facet's sector. */
static void project_on_facet(const double f[3], const double e[3], const double x[3], double out[3])
{
    double alpha = crn_dot3(f, x) / crn_dot3(f, f);
    double beta = crn_dot3(e, x) / crn_dot3(e, e);
    if (!(fabs(beta) <= alpha))
    {
        double sign = beta > 0.0 ? 1.0 : -1.0;
        double edge[3] = {f[0] + sign * e[0], f[1] + sign * e[1], f[2] + sign * e[2]};
        alpha = fmax(0.0, crn_dot3(edge, x) / crn_dot3(edge, edge));
        beta = sign * alpha;
    }
    for (int k = 0; k < 3; ++k)
        out[k] = alpha * f[k] + beta * e[k];
}

void crn_pyramid_project(int m, double mu, const double x[3], double out[3])
{
    assert(m >= 2 && m % 2 == 0 && mu >= 0.0);
    if (mu == 0.0)
    {
        project_on_axis(3, x, out);
        return;
    }
    double sector = floor(atan2(x[2], x[1]) / (2.0 * PI) * (double)m);
    if (isnan(sector) || isnan(x[0])) /* x is NaN, and so is its projection */
    {
        out[0] = out[1] = out[2] = NAN;
        return;
    }
    int k = (int)sector;
    double a[2], b[2];
    crn_polygon_vertex(m, k, a);
    crn_polygon_vertex(m, k + 1, b);
    double f[3] = {1.0, 0.5 * mu * (a[0] + b[0]), 0.5 * mu * (a[1] + b[1])};
    double e[3] = {0.0, 0.5 * mu * (b[0] - a[0]), 0.5 * mu * (b[1] - a[1])};
    /* f_t is normal to the facet's base and ends on it. */
    double reach = f[1] * f[1] + f[2] * f[2];
    if (f[1] * x[1] + f[2] * x[2] <= reach * x[0])
    {
        memmove(out, x, 3 * sizeof(double));
        return;
    }
    project_on_facet(f, e, x, out);
}
