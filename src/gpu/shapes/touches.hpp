/* The touches of a pair: spheres and capsules, with each other.
 *
 * A touch has the normal n from b to a, the gap along it, and the point on a; the point on b is gap n further back. Two nearly parallel
 * capsules have a touch at each end of their common stretch, and one of their nearest points where these are nearer. Features of the ends
 * are 0, 1 on a and 2, 3 on b. */
#pragma once

#include "shape.hpp"

namespace crn
{

enum
{
    FEATURE_NEAR = 1023 /* of nearest points that have no other name */
};

struct Touch
{
    D3 n, point;
    double gap;
    int feature;
};

struct Touches
{
    Touch at[MOST_TOUCHES];
    int count;
    double limit; /* m: touches with a larger gap are left out */
};

CRN_HD void add_touch(Touches &out, double gap, D3 n, D3 point, int feature)
{
    if (gap <= out.limit && out.count < MOST_TOUCHES)
        out.at[out.count++] = {n, point, gap, feature};
}

CRN_HD bool has_feature(const Touches &out, int feature)
{
    for (int i = 0; i < out.count; ++i)
        if (out.at[i].feature == feature)
            return true;
    return false;
}

CRN_HD double least_gap(const Touches &out)
{
    double gap = INFINITY;
    for (int i = 0; i < out.count; ++i)
        gap = least(gap, out.at[i].gap);
    return gap;
}

/* A unit direction across two axes. */
CRN_HD D3 across_both(D3 u, D3 w)
{
    D3 n = cross(u, w), other;
    double sine = norm(n);
    if (sine > 1e-9)
        return (1 / sine) * n;
    tangents_of(u, n, other);
    return n;
}

/* Balls about x and y, which lie on axes along u and w: where they coincide, the normal is across both. */
CRN_HD double touch_balls(const Placed &a, const Placed &b, D3 x, D3 y, D3 u, D3 w, int feature, Touches &out)
{
    D3 e = x - y;
    double distance = norm(e), radii = a.radius + b.radius;
    D3 n = distance > 1e-14 * radii ? (1 / distance) * e : across_both(u, w);
    add_touch(out, distance - radii, n, x - a.radius * n, feature);
    return distance - radii;
}

CRN_HD void touch_spheres(const Placed &a, const Placed &b, Touches &out)
{
    D3 e = a.c - b.c;
    double distance = norm(e), radii = a.radius + b.radius;
    D3 n = distance > 1e-14 * radii ? (1 / distance) * e : D3{0, 0, 1};
    add_touch(out, distance - radii, n, a.c - a.radius * n, 0);
}

/* The coordinate along its axis of the point of a capsule's axis nearest to x. */
CRN_HD double nearest_place(const Placed &p, D3 x)
{
    return clamp(dot(x - p.c, p.R.z), p.half.z);
}

CRN_HD void touch_sphere_capsule(const Placed &a, const Placed &b, Touches &out)
{
    touch_balls(a, b, a.c, b.c + nearest_place(b, a.c) * b.R.z, b.R.z, b.R.z, 0, out);
}

/* The nearest points of two axes: those of the infinite lines, clamped one after the other (C. Ericson, Real-time collision detection, 2005,
 * section 5.1.9). */
CRN_HD void nearest_places(const Placed &a, const Placed &b, double &s, double &t)
{
    D3 d = b.c - a.c;
    double cosine = dot(a.R.z, b.R.z), sine2 = 1 - cosine * cosine, du = dot(d, a.R.z), dw = dot(d, b.R.z);
    s = sine2 > 1e-14 ? clamp((du - cosine * dw) / sine2, a.half.z) : 0.0;
    t = nearest_place(b, a.c + s * a.R.z);
    s = nearest_place(a, b.c + t * b.R.z);
    t = nearest_place(b, a.c + s * a.R.z);
}

/* Touches at the ends of one capsule that lie beside the other. */
CRN_HD void touch_ends(const Placed &a, const Placed &b, bool of_b, Touches &out)
{
    const Placed &p = of_b ? b : a, &q = of_b ? a : b;
    for (int end = 0; end < 2; ++end)
    {
        D3 x = p.c + (end ? p.half.z : -p.half.z) * p.R.z;
        double place = dot(x - q.c, q.R.z);
        /* where the ends of two equal capsules are level, only those of a count */
        if (!(fabs(place) <= q.half.z * (of_b ? 1 - 1e-9 : 1 + 1e-9)))
            continue;
        D3 y = q.c + place * q.R.z;
        touch_balls(a, b, of_b ? y : x, of_b ? x : y, a.R.z, b.R.z, end + (of_b ? 2 : 0), out);
    }
}

CRN_HD void touch_capsules(const Placed &a, const Placed &b, Touches &out)
{
    const double along = 0.1; /* sine of the angle below which they count as parallel */
    double s, t, limit = out.limit;
    if (norm(cross(a.R.z, b.R.z)) < along)
    {
        out.limit = INFINITY; /* whether there are two is a matter of places, not of gaps */
        touch_ends(a, b, false, out);
        touch_ends(a, b, true, out);
        out.limit = limit;
        int found = out.count;
        out.count = 0;
        for (int i = 0; i < found && found >= 2; ++i)
            if (out.at[i].gap <= limit)
                out.at[out.count++] = out.at[i];
    }
    nearest_places(a, b, s, t);
    D3 x = a.c + s * a.R.z, y = b.c + t * b.R.z;
    double radii = a.radius + b.radius;
    if (norm(x - y) - radii < least_gap(out) - 1e-9 * radii)
        touch_balls(a, b, x, y, a.R.z, b.R.z, FEATURE_NEAR, out);
}

} // namespace crn
