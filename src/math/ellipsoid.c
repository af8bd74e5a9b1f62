/* The point of an ellipsoid nearest to y: D. Eberly, "Distance from a point to an ellipse, an ellipsoid, or a
 * hyperellipsoid" (2013), in a variable without cancellation.
 *
 * The nearest point x has y - x = t grad(sum x_k^2/e_k^2)/2, so x_k = e_k^2 y_k / (t + e_k^2) with t above minus the
 * smallest e_k^2, and x lies on the surface. With e the smallest semi-axis, z_k = y_k / e_k, r_k = (e_k/e)^2 and
 * u = 1 + t/e^2 >= 0:
 *
 *     x_k / e_k = r_k z_k / (u + r_k - 1) ,      F(u) = sum (x_k/e_k)^2 = 1 ,      normal_k ~ (x_k/e_k) / e_k
 *
 * F falls from infinity (or F(0)) to 0. F^(-1/2) is nearly linear in u (exactly so for a sphere), so Newton on it takes a
 * few steps; a bracket keeps it safe. F(0) <= 1 happens only inside, on the plane across the shortest axis: then u = 0 and
 * that axis takes up the rest.
 */
#include "math/ellipsoid.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum
{
    MOST_STEPS = 200
};

/* F(u), and F'(u) into slope; poles with no weight count for nothing. */
static double surface(int n, const double r[], const double z[], double u, double *slope)
{
    assert(!(u < 0.0));
    double sum = 0.0;
    *slope = 0.0;
    for (int k = 0; k < n; ++k)
    {
        double below = u + (r[k] - 1.0), part = z[k] == 0.0 ? 0.0 : r[k] * z[k] / below;
        sum += part * part;
        *slope -= z[k] == 0.0 ? 0.0 : 2.0 * part * part / below;
    }
    return sum;
}

/* The root of F(u) = 1; F(0) > 1. */
static double root(int n, const double r[], const double z[])
{
    assert(n == 2 || n == 3);
    double low = 0.0, high = 0.0, slope;
    for (int k = 0; k < n; ++k)
    {
        low = fmax(low, r[k] * z[k] - (r[k] - 1.0)); /* that term alone is 1 */
        high = hypot(high, r[k] * z[k]);
    }
    double u = low > 0.0 ? low : 0.5 * high;
    for (int step = 0; step < MOST_STEPS; ++step)
    {
        double F = surface(n, r, z, u, &slope);
        low = F >= 1.0 ? u : low;
        high = F <= 1.0 ? u : high;
        /* Newton on F^(-1/2) = 1 */
        double next = u + 2.0 * F * (1.0 - sqrt(F)) / slope;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (!(fabs(next - u) > 1e-16 * u) || !(high > low))
            return next;
        u = next;
    }
    return u;
}

/* m_k = (x_k/e_k)/e_k with its sign, made a unit vector. */
static void finish(int n, const double semi_axes[], const double y[], double normal[])
{
    double squares = 0.0, largest = 0.0;
    for (int k = 0; k < n; ++k)
    {
        normal[k] = copysign(normal[k] / semi_axes[k], y[k] < 0.0 ? -1.0 : 1.0);
        largest = fmax(largest, fabs(normal[k]));
    }
    for (int k = 0; k < n; ++k)
    {
        normal[k] /= largest;
        squares += normal[k] * normal[k];
    }
    for (int k = 0; k < n; ++k)
        normal[k] /= sqrt(squares);
}

void crn_ellipsoid_normal(int n, const double semi_axes[], const double y[], double normal[])
{
    assert(semi_axes[0] > 0.0 && semi_axes[n - 1] > 0.0);
    assert(n == 2 || n == 3);
    double r[3] = {1, 1, 1}, z[3] = {0, 0, 0}, slope;
    int least = 0;
    for (int k = 1; k < n; ++k)
        least = semi_axes[k] < semi_axes[least] ? k : least;
    bool open = false; /* F(0) is infinite */
    for (int k = 0; k < n; ++k)
    {
        double ratio = semi_axes[k] / semi_axes[least];
        r[k] = ratio * ratio;
        z[k] = fabs(y[k]) / semi_axes[k];
        open = open || (r[k] <= 1.0 && z[k] > 0.0);
    }
    double u = open || surface(n, r, z, 0.0, &slope) > 1.0 ? root(n, r, z) : 0.0, rest = 1.0;
    for (int k = 0; k < n; ++k)
    {
        normal[k] = z[k] == 0.0 ? 0.0 : r[k] * z[k] / (u + (r[k] - 1.0));
        rest -= normal[k] * normal[k];
    }
    if (u == 0.0)
        normal[least] = sqrt(fmax(0.0, rest));
    finish(n, semi_axes, y, normal);
}
