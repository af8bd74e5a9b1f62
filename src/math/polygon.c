#include "math/polygon.h"

#include <assert.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

void crn_polygon_vertex(int m, int k, double out[2])
{
    assert(m >= 2 && m % 2 == 0);
    k = ((k % m) + m) % m;
    double sign = k >= m / 2 ? -1.0 : 1.0;
    k %= m / 2;
    double angle = 2.0 * PI * (double)k / (double)m;
    out[0] = 4 * k == m ? 0.0 : sign * cos(angle);
    out[1] = k == 0 ? 0.0 : (4 * k == m ? sign : sign * sin(angle));
}

/* The polygon is its own mirror image about the line through any vertex, and so is the projection: the nearest point
 * lies in the sector, between two neighbouring vertices, that x lies in. There only one edge is to be looked at. */
void crn_polygon_project(int m, double radius, const double x[2], double out[2])
{
    assert(radius >= 0.0);
    double sector = floor(atan2(x[1], x[0]) / (2.0 * PI) * (double)m);
    if (isnan(sector)) /* x is NaN, and so is its projection */
    {
        out[0] = out[1] = NAN;
        return;
    }
    int k = (int)sector;
    double a[2], b[2];
    crn_polygon_vertex(m, k, a);
    crn_polygon_vertex(m, k + 1, b);
    double edge[2] = {b[0] - a[0], b[1] - a[1]};
    double normal[2] = {edge[1], -edge[0]};
    double beyond = normal[0] * (x[0] - radius * a[0]) + normal[1] * (x[1] - radius * a[1]);
    if (beyond <= 0.0)
    {
        out[0] = x[0];
        out[1] = x[1];
        return;
    }
    double along = edge[0] * (x[0] - radius * a[0]) + edge[1] * (x[1] - radius * a[1]);
    double squared = edge[0] * edge[0] + edge[1] * edge[1];
    double place = fmin(fmax(along / squared, 0.0), radius);
    out[0] = radius * a[0] + place * edge[0];
    out[1] = radius * a[1] + place * edge[1];
}
