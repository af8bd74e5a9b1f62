/* Where a line x + s n passes through a convex shape: the undeformed surfaces that the elements of a contact patch see.
 *
 * A half-plane, a polygon and a box are intersections of half-spaces m'(y - p) <= 0: each cuts the line at
 * s = m'(p - x)/m'n, from above where m'n > 0 and from below where m'n < 0. A ball is a quadratic in s, and so is an
 * ellipse or ellipsoid once its axes are stretched to length 1. A segment without thickness is met in one point. The round
 * sides of cylinders and cones are quadratics within the slab between their ends. A capsule is the union of its two balls and
 * what lies between them, and being convex is met from the first of these to the last.
 */
#include "collide/query/line_span.h"

#include "collide/mesh/mesh.h"
#include "math/vec.h"

#include <string.h>

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
        return height >= -SLIVER * size * length;
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
        return false;
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

static bool span_hull(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    const crn_hull *hull = shape->hull;
    bool met = true;
    for (int f = 0; f < hull->face_count && met; ++f)
    {
        double corner[3], outward[3];
        crn_rotate3(shape->R, hull->vertices + 3 * hull->face_vertices[hull->face_begin[f]], corner);
        crn_add3(corner, shape->centre, corner);
        crn_rotate3(shape->R, hull->normals + 3 * f, outward);
        met = cut(x, n, corner, outward, hull->extent, low, high);
    }
    return met;
}

/* Cut to where |y + s m| across the axis is at most radius + slope (s rate from u): a round side, u the distance from the end
 * where the radius is given, in the shape's frame. A cylinder has slope 0. */
static bool cut_side(const double y[3], const double m[3], double radius, double slope, double u, double *low,
                     double *high)
{
    double wide = radius + slope * u, grow = -slope * m[2]; /* the radius allowed is wide + s grow */
    double a = m[0] * m[0] + m[1] * m[1] - grow * grow, b = y[0] * m[0] + y[1] * m[1] - wide * grow;
    double c = y[0] * y[0] + y[1] * y[1] - wide * wide, square = b * b - a * c;
    if (fabs(a) <= SLIVER * SLIVER)
    {
        if (fabs(b) <= SLIVER * SLIVER * wide)
            return c <= SLIVER * wide * wide;
        *(b > 0 ? high : low) = b > 0 ? fmin(*high, -c / (2 * b)) : fmax(*low, -c / (2 * b));
        return *low <= *high;
    }
    if (a > 0)
    {
        double half = sqrt(fmax(0.0, square)) / a;
        *low = fmax(*low, -b / a - half);
        *high = fmin(*high, -b / a + half);
        return square >= 0 && *low <= *high;
    }
    /* steeper than the side: within one of two branches, the one below the tip */
    double half = sqrt(fmax(0.0, square)) / -a;
    *high = grow < 0 ? fmin(*high, b / -a - half) : *high;
    *low = grow > 0 ? fmax(*low, b / -a + half) : *low;
    return *low <= *high;
}

/* Cylinder and cone. */
static bool span_turned(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    bool cone = shape->kind == CAIRN_CONE;
    double arm[3], y[3], m[3], r = shape->half[0], h = shape->half[2], top = cone ? 1.5 * h : h;
    crn_sub3(x, shape->centre, arm);
    crn_unrotate3(shape->R, arm, y);
    crn_unrotate3(shape->R, n, m);
    double size = crn_norm3(shape->half), up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
    return cut(y, m, (double[3]){0, 0, top}, up, size, low, high) &&
           cut(y, m, (double[3]){0, 0, top - 2 * h}, down, size, low, high) &&
           cut_side(y, m, cone ? 0.0 : r, cone ? r / (2 * h) : 0.0, top - y[2], low, high);
}

/* Take in another stretch of the line. */
static void join(bool met, const double part[2], bool *any, double *low, double *high)
{
    if (met)
    {
        *low = *any ? fmin(*low, part[0]) : part[0];
        *high = *any ? fmax(*high, part[1]) : part[1];
        *any = true;
    }
}

/* The bar between the ends of a capsule, along the axis u from its centre. */
static bool span_bar(const double centre[3], const double u[3], double half, double radius, const double x[3],
                     const double n[3], double *low, double *high)
{
    double arm[3], y[3], m[3], ends[2][3], back[3];
    crn_sub3(x, centre, arm);
    crn_madd3(arm, -crn_dot3(arm, u), u, y);
    crn_madd3(n, -crn_dot3(n, u), u, m);
    double a = crn_dot3(m, m), b = crn_dot3(y, m), c = crn_dot3(y, y) - radius * radius, square = b * b - a * c;
    crn_madd3(centre, half, u, ends[0]);
    crn_madd3(centre, -half, u, ends[1]);
    crn_scale3(-1.0, u, back);
    if (a > SLIVER * SLIVER)
    {
        double root = sqrt(fmax(0.0, square)) / a;
        *low = -b / a - root;
        *high = -b / a + root;
    }
    return (a > SLIVER * SLIVER ? square >= 0 : c <= 0) && cut(x, n, ends[0], u, half, low, high) &&
           cut(x, n, ends[1], back, half, low, high);
}

/* Of the plane (two vertices) and of space. */
static bool span_capsule(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    bool any = false, planar = shape->vertex_count == 2;
    double centre[3], u[3] = {shape->R[2], shape->R[5], shape->R[8]}, half = shape->half[2], ends[2][3], part[2];
    memcpy(centre, shape->centre, sizeof centre);
    if (planar)
    {
        const double *v = shape->vertices;
        double length = hypot(v[2] - v[0], v[3] - v[1]);
        memcpy(centre, (double[3]){0.5 * (v[0] + v[2]), 0.5 * (v[1] + v[3]), 0.0}, sizeof centre);
        memcpy(u, (double[3]){(v[2] - v[0]) / length, (v[3] - v[1]) / length, 0.0}, sizeof u);
        half = 0.5 * length;
    }
    for (int k = 0; k < 2; ++k)
    {
        crn_madd3(centre, k ? half : -half, u, ends[k]);
        bool met = span_ball(ends[k], shape->radius, x, n, &part[0], &part[1]);
        join(met, part, &any, low, high);
    }
    part[0] = -INFINITY;
    part[1] = INFINITY;
    bool met = span_bar(centre, u, half, shape->radius, x, n, &part[0], &part[1]);
    join(met, part, &any, low, high);
    return any;
}

/* Of a mesh the way in and the way out that are nearest to x. */
static bool span_mesh(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    double arm[3], y[3], d[3], back[3], *ends[2] = {low, high};
    crn_sub3(x, shape->centre, arm);
    crn_unrotate3(shape->R, arm, y);
    crn_unrotate3(shape->R, n, d);
    crn_scale3(-1.0, d, back);
    for (int k = 0; k < 2; ++k)
    {
        double ahead = INFINITY, behind = INFINITY;
        int side = k == 0 ? -1 : 1;
        crn_mesh_ray(shape->mesh, shape->index, y, d, side, &ahead);
        crn_mesh_ray(shape->mesh, shape->index, y, back, -side, &behind);
        *ends[k] = ahead < behind ? ahead : -behind;
    }
    return isfinite(*low) || isfinite(*high);
}

bool crn_line_span(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    if (crn_is_half(shape->kind))
        return cut(x, n, shape->centre, shape->normal, 0.0, low, high);
    switch (shape->kind)
    {
    case CAIRN_BOX:
        return span_box(shape, x, n, low, high);
    case CAIRN_HULL:
        return span_hull(shape, x, n, low, high);
    case CAIRN_MESH:
    case CAIRN_HEIGHT_FIELD:
        return span_mesh(shape, x, n, low, high);
    case CAIRN_CYLINDER:
    case CAIRN_CONE:
        return span_turned(shape, x, n, low, high);
    case CAIRN_CAPSULE:
        return span_capsule(shape, x, n, low, high);
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
