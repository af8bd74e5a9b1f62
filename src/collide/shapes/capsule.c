/* Capsules of space against spheres, points and each other: distances between points and straight lines.
 *
 * Two nearly parallel capsules have a touch at each end of their common stretch, with its own gap and normal (a ball of
 * one capsule at that end, against the other). Each is the constraint of a part of the body, so nothing that is free is
 * held. The nearest points are a touch of their own where they are nearer than these.
 */
#include "collide/convex/convex.h"

#include "math/vec.h"

#include <assert.h>

static const double ALONG = 0.1;      /* sine of the angle below which two capsules count as parallel */
static const double TOUCHING = 1e-14; /* of the sum of radii: nearer axes give no direction */
static const double SAME = 1e-9;      /* of the sum of radii: by how much a point must be nearer */

static double clamp(double x, double most)
{
    double y = x < most ? x : most;
    return y > -most ? y : -most;
}

/* The coordinate, along the axis from the centre, of the point of p's axis nearest to x. */
static double nearest_place(const crn_placed *p, const double x[3])
{
    assert(p->half[2] >= 0.0);
    double arm[3], u[3];
    crn_sub3(x, p->centre, arm);
    crn_axis_of(p, 2, u);
    return clamp(crn_dot3(arm, u), p->half[2]);
}

/* A unit direction across two axes. */
static void across(const double u[3], const double w[3], double out[3])
{
    double cross[3], unused[3];
    crn_cross3(u, w, cross);
    double sine = crn_norm3(cross);
    if (sine > 1e-9)
        crn_scale3(1.0 / sine, cross, out);
    else
        crn_tangents(u, out, unused);
}

/* Add the touch of two balls of the shapes' radii about x and y, which lie on axes along u and w: where they coincide, the normal is
 * across both. Returns its gap. */
static double touch_balls(const crn_placed *a, const crn_placed *b, const double x[3], const double y[3],
                          const double u[3], const double w[3], unsigned feature, crn_manifold *out)
{
    assert(a->radius >= 0.0 && b->radius >= 0.0);
    double n[3], point_a[3];
    crn_sub3(x, y, n);
    double distance = crn_norm3(n);
    if (distance > TOUCHING * (a->radius + b->radius))
        crn_scale3(1.0 / distance, n, n);
    else
        across(u, w, n);
    crn_madd3(x, -a->radius, n, point_a);
    crn_manifold_add(out, distance - a->radius - b->radius, n, point_a, feature);
    return distance - a->radius - b->radius;
}

void crn_touch_sphere_capsule(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_class_of(b->kind)->core == CRN_CORE_LINE);
    double u[3], y[3];
    crn_axis_of(b, 2, u);
    crn_madd3(b->centre, nearest_place(b, a->centre), u, y);
    out->apart = touch_balls(a, b, a->centre, y, u, u, 0, out);
}

/* Coordinates of the nearest points of two axes: those of the infinite lines, clamped one after the other (C. Ericson,
 * Real-time collision detection, 2005, section 5.1.9). */
static void nearest_places(const crn_placed *a, const crn_placed *b, double *s, double *t)
{
    double u[3], w[3], d[3], x[3], y[3];
    crn_axis_of(a, 2, u);
    crn_axis_of(b, 2, w);
    crn_sub3(b->centre, a->centre, d);
    double cosine = crn_dot3(u, w), sine2 = 1.0 - cosine * cosine, du = crn_dot3(d, u), dw = crn_dot3(d, w);
    *s = sine2 > 1e-14 ? clamp((du - cosine * dw) / sine2, a->half[2]) : 0.0;
    crn_madd3(a->centre, *s, u, x);
    *t = nearest_place(b, x);
    crn_madd3(b->centre, *t, w, y);
    *s = nearest_place(a, y);
    crn_madd3(a->centre, *s, u, x);
    *t = nearest_place(b, x);
}

/* Add touches at the ends of one capsule that lie beside the other; returns their number. */
static int touch_ends(const crn_placed *a, const crn_placed *b, bool of_b, crn_manifold *out)
{
    const crn_placed *p = of_b ? b : a, *q = of_b ? a : b;
    double u[3], w[3];
    int count = 0;
    crn_axis_of(p, 2, u);
    crn_axis_of(q, 2, w);
    for (int end = 0; end < 2; ++end)
    {
        double x[3], y[3], arm[3];
        crn_madd3(p->centre, end ? p->half[2] : -p->half[2], u, x);
        crn_sub3(x, q->centre, arm);
        double place = crn_dot3(arm, w);
        /* where the ends of two equal capsules are level, only those of a count */
        if (fabs(place) <= q->half[2] * (of_b ? 1.0 - SAME : 1.0 + SAME))
        {
            crn_madd3(q->centre, place, w, y);
            touch_balls(a, b, of_b ? y : x, of_b ? x : y, of_b ? w : u, of_b ? u : w, crn_corner_feature(end, of_b),
                        out);
            ++count;
        }
    }
    return count;
}

void crn_touch_capsules(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_class_of(a->kind)->core == CRN_CORE_LINE && crn_class_of(b->kind)->core == CRN_CORE_LINE);
    double u[3], w[3], cross[3], x[3], y[3], s, t, least = INFINITY;
    crn_axis_of(a, 2, u);
    crn_axis_of(b, 2, w);
    crn_cross3(u, w, cross);
    double sine = crn_norm3(cross), radii = a->radius + b->radius;
    if (sine < ALONG && touch_ends(a, b, false, out) + touch_ends(a, b, true, out) < 2)
        out->count = 0;
    for (int i = 0; i < out->count; ++i)
        least = fmin(least, out->touches[i].gap);
    nearest_places(a, b, &s, &t);
    crn_madd3(a->centre, s, u, x);
    crn_madd3(b->centre, t, w, y);
    double arm[3];
    crn_sub3(x, y, arm);
    if (sine >= ALONG) /* otherwise rounding may have moved the nearest points along the axes */
        out->apart = crn_norm3(arm) - radii;
    if (crn_norm3(arm) - radii < least - SAME * radii)
        touch_balls(a, b, x, y, u, w, CRN_FEATURE_NEAR, out);
}
