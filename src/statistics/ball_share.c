/* The common volume of a ball and a region.
 *
 * Cut by parallel planes alone, it is a difference of caps; with another ball, it is a lens: both have closed forms. Where a ball crosses
 * edges of a box or the side of a cylinder, the volume is the integral over its height z = r sin(a) of the area that a disc of radius
 * r cos(a) shares with a rectangle or a disc, which has a closed form:
 *
 *     disc and polygon    the sum over the sides of the area of the disc within the triangle of the centre and the side, with its sign
 *     disc and disc       a lens
 *
 * The integral is found by adaptive Simpson rules.
 */
#include "statistics/ball_share.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
static const double ACCURACY = 1e-11; /* of r^3 */
enum
{
    PANELS = 8,
    DEPTH = 24
};

static double clamp(double x, double r)
{
    return fmin(fmax(x, -r), r);
}

/* The part of a ball, or a disc, about the origin below the height d. */
static double below(int dimension, double r, double d)
{
    d = clamp(d, r);
    if (dimension == 3)
        return PI / 3 * (r + d) * (r + d) * (2 * r - d);
    return r * r * (PI / 2 + asin(d / r)) + d * sqrt(r * r - d * d);
}

static double whole(int dimension, double r)
{
    return below(dimension, r, r);
}

/* Two balls, or discs, whose centres are d apart. */
static double lens(int dimension, double r, double R, double d)
{
    if (d >= r + R)
        return 0;
    if (d <= fabs(R - r))
        return whole(dimension, fmin(r, R));
    double x = (d * d + r * r - R * R) / (2 * d); /* from the centre of the first to the plane of the rim */
    return below(dimension, r, -x) + below(dimension, R, x - d);
}

/* ------------------------------------------------------------------------------------------------- disc and rectangle */

/* r^2/2 times the angle from p to q. */
static double sector(const double p[2], const double q[2], double r)
{
    return 0.5 * r * r * atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1]);
}

/* The disc about the origin within the triangle 0, p, q. */
static double side_area(const double p[2], const double q[2], double r)
{
    double e[2] = {q[0] - p[0], q[1] - p[1]};
    double a = e[0] * e[0] + e[1] * e[1], b = p[0] * e[0] + p[1] * e[1], c = p[0] * p[0] + p[1] * p[1] - r * r;
    double root = b * b - a * c;
    if (root <= 0 || a == 0)
        return sector(p, q, r);
    root = sqrt(root);
    double s = (-b - root) / a, t = (-b + root) / a;
    if (s >= 1 || t <= 0)
        return sector(p, q, r);
    s = fmax(s, 0);
    t = fmin(t, 1);
    double in[2] = {p[0] + s * e[0], p[1] + s * e[1]}, out[2] = {p[0] + t * e[0], p[1] + t * e[1]};
    return sector(p, in, r) + 0.5 * (in[0] * out[1] - in[1] * out[0]) + sector(out, q, r);
}

/* The disc about (x, y) and the rectangle of these half edges about the origin. */
static double disc_in_rectangle(const double half[2], double x, double y, double r)
{
    double corner[4][2] = {{-half[0] - x, -half[1] - y},
                           {half[0] - x, -half[1] - y},
                           {half[0] - x, half[1] - y},
                           {-half[0] - x, half[1] - y}};
    double area = 0;
    for (int k = 0; k < 4; ++k)
        area += side_area(corner[k], corner[(k + 1) % 4], r);
    return fmax(area, 0);
}

/* -------------------------------------------------------------------------------------------------------- integration */

/* A ball about c in the frame of a region, whose sections across z are cut alike. */
typedef struct sections
{
    const crn_zone *region;
    double c[3], r;
} sections;

static double integrand(const sections *b, double a)
{
    double rho = b->r * cos(a);
    if (!(rho > 0))
        return 0;
    double area = b->region->kind == CRN_ZONE_CYLINDER ? lens(2, rho, b->region->radius, hypot(b->c[0], b->c[1]))
                                                       : disc_in_rectangle(b->region->half, b->c[0], b->c[1], rho);
    return area * rho;
}

/* Simpson's rule over [a, b] with the values there and in the middle, divided until halves agree. */
static double simpson(const sections *ball, double a, double b, const double f[3], double allowed, int depth)
{
    double m = 0.5 * (a + b), left = integrand(ball, 0.5 * (a + m)), right = integrand(ball, 0.5 * (m + b));
    double one = (b - a) / 6 * (f[0] + 4 * f[1] + f[2]);
    double two = (b - a) / 12 * (f[0] + 4 * left + 2 * f[1] + 4 * right + f[2]);
    if (depth == 0 || fabs(two - one) <= 15 * allowed)
        return two + (two - one) / 15;
    return simpson(ball, a, m, (double[3]){f[0], left, f[1]}, allowed / 2, depth - 1) +
           simpson(ball, m, b, (double[3]){f[1], right, f[2]}, allowed / 2, depth - 1);
}

static double integrate(const sections *ball, double low, double high)
{
    double r = ball->r, from = asin(clamp(low - ball->c[2], r) / r), to = asin(clamp(high - ball->c[2], r) / r);
    double step = (to - from) / PANELS, sum = 0;
    for (int k = 0; k < PANELS; ++k)
    {
        double a = from + k * step, b = a + step;
        double f[3] = {integrand(ball, a), integrand(ball, 0.5 * (a + b)), integrand(ball, b)};
        sum += simpson(ball, a, b, f, ACCURACY * r * r * r / PANELS, DEPTH);
    }
    return sum;
}

/* ------------------------------------------------------------------------------------------------------------- shares */

/* Between the planes at +- half across one axis. */
static double between(int dimension, double r, double c, double half)
{
    return below(dimension, r, half - c) - below(dimension, r, -half - c);
}

static double ball_in_box(const crn_zone *region, const double c[3], double r)
{
    int n = region->dimension, cut = 0, axis = 0;
    for (int k = 0; k < n; ++k)
        if (fabs(c[k]) + r > region->half[k])
        {
            ++cut;
            axis = k;
        }
    if (cut <= 1)
        return cut == 0 ? whole(n, r) : between(n, r, c[axis], region->half[axis]);
    if (n == 2)
        return disc_in_rectangle(region->half, c[0], c[1], r);
    sections ball = {region, {c[0], c[1], c[2]}, r};
    return integrate(&ball, -region->half[2], region->half[2]);
}

static double ball_in_cylinder(const crn_zone *region, const double c[3], double r)
{
    if (hypot(c[0], c[1]) + r <= region->radius)
        return between(3, r, c[2], region->half[2]);
    sections ball = {region, {c[0], c[1], c[2]}, r};
    return integrate(&ball, -region->half[2], region->half[2]);
}

crn_where crn_ball_where(const crn_zone *region, const double x[3], double r)
{
    double c[3], out = -INFINITY; /* how far the centre is outside; negative: inside */
    if (region->kind == CRN_ZONE_ALL)
        return CRN_BALL_INSIDE;
    crn_zone_local(region, x, c);
    if (region->kind == CRN_ZONE_BALL)
        out = crn_norm3(c) - region->radius;
    if (region->kind == CRN_ZONE_CYLINDER)
        out = fmax(hypot(c[0], c[1]) - region->radius, fabs(c[2]) - region->half[2]);
    for (int k = 0; k < region->dimension && region->kind == CRN_ZONE_BOX; ++k)
        out = fmax(out, fabs(c[k]) - region->half[k]);
    return out >= r ? CRN_BALL_OUTSIDE : out <= -r ? CRN_BALL_INSIDE : CRN_BALL_CUT;
}

double crn_ball_share(const crn_zone *region, const double x[3], double r)
{
    double c[3];
    crn_where where = crn_ball_where(region, x, r);
    if (where != CRN_BALL_CUT || !(r > 0))
        return where == CRN_BALL_INSIDE ? whole(region->dimension, r) : 0;
    crn_zone_local(region, x, c);
    if (region->kind == CRN_ZONE_BALL)
        return lens(region->dimension, r, region->radius, crn_norm3(c));
    double share = region->kind == CRN_ZONE_BOX ? ball_in_box(region, c, r) : ball_in_cylinder(region, c, r);
    assert(share >= -1e-9 * whole(region->dimension, r) && share <= (1 + 1e-9) * whole(region->dimension, r));
    return share;
}
