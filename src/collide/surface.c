/* Where a line x + s n passes through a convex shape: the undeformed surfaces that the elements of a contact patch see.
 *
 * A half-plane, a polygon and a box are intersections of half-spaces m'(y - p) <= 0: each cuts the line at
 * s = m'(p - x)/m'n, from above where m'n > 0 and from below where m'n < 0. A ball is a quadratic in s, and so is an
 * ellipse or ellipsoid once its axes are stretched to length 1. A segment without thickness is met in one point.
 */
#include "collide/surface.h"

#include "math/vec.h"

/* A line along a face, or within this share of a shape's size from its edge, is met: rounding must not decide which of the
 * elements on an edge are there. */
static const double SLIVER = 1e-9;

/* Cut [low, high] by one half-space, m of any length. False when nothing is left. */
static bool cut(const double x[3], const double n[3], const double p[3], const double m[3], double size, double *low,
                double *high)
{
    double arm[3];
    crn_sub3(p, x, arm);
    double height = crn_dot3(m, arm), rate = crn_dot3(m, n), length = crn_norm3(m);
    if (fabs(rate) <= SLIVER * length)
    {
        return height >= -SLIVER * size * length;
    }
    *high = rate > 0 ? fmin(*high, height / rate) : *high;
    *low = rate < 0 ? fmax(*low, height / rate) : *low;
    return *low <= *high + SLIVER * size;
}

static bool span_ball(const double centre[3], double radius, const double x[3], const double n[3], double *low,
                      double *high)
{
    double arm[3], across[3];
    crn_sub3(centre, x, arm);
    double middle = crn_dot3(arm, n);
    crn_madd3(arm, -middle, n, across);
    double square = radius * radius - crn_dot3(across, across);
    double half = square > 0 ? sqrt(square) : 0.0;
    *low = middle - half;
    *high = middle + half;
    return square >= 0;
}

/* With y and m the line in the frame of the axes, each divided by its semi-axis: |y + s m|^2 = 1. */
static bool span_ellipsoid(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    double arm[3], y[3], m[3], across[3];
    crn_sub3(x, shape->centre, arm);
    crn_unrotate3(shape->R, arm, y);
    crn_unrotate3(shape->R, n, m);
    for (int k = 0; k < 3; ++k)
    {
        y[k] = shape->half[k] > 0.0 ? y[k] / shape->half[k] : 0.0;
        m[k] = shape->half[k] > 0.0 ? m[k] / shape->half[k] : 0.0;
    }
    double rate = crn_norm3(m), middle = -crn_dot3(y, m) / (rate * rate);
    crn_madd3(y, middle, m, across);
    double square = 1.0 - crn_dot3(across, across);
    double half = square > 0 ? sqrt(square) / rate : 0.0;
    *low = middle - half;
    *high = middle + half;
    return square >= 0;
}

static bool span_segment(const double *vertices, const double x[3], const double n[3], double *low, double *high)
{
    double along[2] = {vertices[2] - vertices[0], vertices[3] - vertices[1]};
    double arm[2] = {vertices[0] - x[0], vertices[1] - x[1]};
    double area = n[0] * along[1] - n[1] * along[0];
    if (area == 0)
    {
        return false;
    }
    double share = (arm[0] * n[1] - arm[1] * n[0]) / area; /* arm + share along is a multiple of n */
    *low = *high = (arm[0] + share * along[0]) * n[0] + (arm[1] + share * along[1]) * n[1];
    return share >= 0 && share <= 1;
}

static bool span_polygon(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    bool met = true;
    for (int i = 0; i < shape->vertex_count && met; ++i)
    {
        const double *p = shape->vertices + 2 * i, *q = shape->vertices + 2 * ((i + 1) % shape->vertex_count);
        double corner[3] = {p[0], p[1], 0.0}, outward[3] = {q[1] - p[1], p[0] - q[0], 0.0};
        met = cut(x, n, corner, outward, crn_norm3(outward), low, high);
    }
    return met;
}

static bool span_box(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    bool met = true;
    for (int i = 0; i < 6 && met; ++i)
    {
        double sign = i % 2 ? -1.0 : 1.0, face[3];
        double outward[3] = {sign * shape->R[i / 2], sign * shape->R[3 + i / 2], sign * shape->R[6 + i / 2]};
        crn_madd3(shape->centre, shape->half[i / 2], outward, face);
        met = cut(x, n, face, outward, crn_norm3(shape->half), low, high);
    }
    return met;
}

bool crn_line_span(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    if (crn_is_half(shape->kind))
    {
        return cut(x, n, shape->centre, shape->normal, 0.0, low, high);
    }
    switch (shape->kind)
    {
    case CAIRN_BOX:
        return span_box(shape, x, n, low, high);
    case CAIRN_SEGMENT:
        return span_segment(shape->vertices, x, n, low, high);
    case CAIRN_POLYGON:
        return span_polygon(shape, x, n, low, high);
    case CAIRN_ELLIPSE:
    case CAIRN_ELLIPSOID:
        return span_ellipsoid(shape, x, n, low, high);
    default:
        break; /* points, circles and spheres */
    }
    bool planar = shape->vertex_count > 0;
    double centre[3] = {planar ? shape->vertices[0] : 0.0, planar ? shape->vertices[1] : 0.0, 0.0};
    return span_ball(planar ? centre : shape->centre, shape->radius, x, n, low, high);
}
