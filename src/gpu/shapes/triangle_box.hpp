/* Lines and boxes against one triangle (triangle.hpp): the axis of a capsule and the edges of a box against its edges, its corners against the axis of
 * a capsule and against the edges and faces of a box. */
#pragma once

#include "triangle.hpp"

namespace crn
{

/* ----------------------------------------------------------------------------------------------------------- lines */

/* A stretch of a line, on its way through half-spaces m y <= offset. */
struct Stretch
{
    D3 x, u;
    double low, high;

    CRN_HD void cut(D3 m, double offset)
    {
        double at = dot(m, x) - offset, rate = dot(m, u);
        low = rate < 0 ? most(low, -at / rate) : rate == 0 && at > 0 ? INFINITY : low;
        high = rate > 0 ? least(high, -at / rate) : high;
    }
};

/* Whether the edges of a box and of the mesh pass through each other's bodies, rather than along a face: each has a part deeper in the other than a
 * thousandth of `depth`, near where they cross. */
CRN_HD bool are_crossed(const Pass &p, D3 x, D3 u, double s, int k, double place, D3 second, double depth)
{
    const Triangle &t = p.t;
    D3 w = t.along(k);
    double deep = 1e-3 * depth, reach = 4 * depth / norm(u);
    Stretch own = {x, u, most(0, s - reach), least(1, s + reach)};
    own.cut(t.n, dot(t.n, t.v[k]) - deep);
    own.cut(second, dot(second, t.v[k]) - deep);
    reach = 4 * depth / norm(w);
    Stretch other = {into(p.a.R, p.origin + out_of(p.b.R, t.v[k]) - p.a.c), into(p.a.R, out_of(p.b.R, w)), most(0, place - reach),
                     least(1, place + reach)};
    for (int i = 0; i < 6; ++i)
    {
        D3 m = {0, 0, 0};
        set(m, i / 2, i % 2 ? 1.0 : -1.0);
        other.cut(m, at(p.a.half, i / 2) - deep);
    }
    return own.low <= own.high && other.low <= other.high;
}

/* A line from x to x + u against edge k. `own`: the directions into the two faces of a box's edge; NULL: all directions are in its cone. */
CRN_HD void touch_line(const Pass &p, D3 x, D3 u, const D3 *own, int k, int feature)
{
    const Triangle &t = p.t;
    D3 w = t.along(k), c = cross(u, w), arm = t.v[k] - x, in[2];
    double sine = norm(c), square = sine * sine;
    if (!(sine > 1e-6 * norm(u) * norm(w)))
        return;
    double s = dot(cross(arm, w), c) / square, place = dot(cross(arm, u), c) / square;
    double e = t.slop / norm(u), f = t.slop / norm(w);
    if (!(s >= -e && s <= 1 + e && place >= -f && place <= 1 + f))
        return;
    int other = t.t->neighbour[k];
    inward_of(t, k, in);
    D3 second = other < 0 ? -1.0 * in[0] : t.normal_of(other), n = (1 / sine) * c;
    if (dot(n, t.n) + dot(n, second) < 0)
        n = -1.0 * n;
    double gap = -dot(n, arm);
    const double tilt = 0.02;
    bool is_apt = dot(n, in[0]) <= tilt && dot(n, in[1]) <= tilt && (!own || (-dot(n, own[0]) <= tilt && -dot(n, own[1]) <= tilt));
    bool is_crossed = own && gap >= -p.out.limit && are_crossed(p, x, u, s, k, place, second, -gap);
    if (is_apt && gap <= p.out.limit + p.a.radius && (gap >= -t.slop || is_crossed))
        p.add(gap, n, x + s * u, feature);
}

/* The axis of a capsule, between its ends. */
CRN_HD void touch_axis(const Pass &p, D3 x, D3 u)
{
    const Triangle &t = p.t;
    for (int k = 0; k < 3; ++k)
    {
        if (t.owns_edge(k))
            touch_line(p, x, u, nullptr, k, 64 + k);
        double place = dot(t.v[k] - x, u) / dot(u, u);
        D3 foot = x + place * u, w = foot - t.v[k];
        double distance = norm(w);
        if (t.owns_corner(k) && place > 0 && place < 1 && distance > t.slop && corner_rises(t, k, (-1 / distance) * w, 0))
            p.add(distance, (1 / distance) * w, foot, 128 + k);
    }
}

/* ----------------------------------------------------------------------------------------------------------- boxes */

/* Corner k of the triangle against the box: an edge, where it is beyond two faces; a face, where it is beyond one; the nearest face, where it is
 * inside. */
CRN_HD void touch_box_side(const Pass &p, int k)
{
    const Triangle &t = p.t;
    D3 y = into(p.a.R, p.origin + out_of(p.b.R, t.v[k]) - p.a.c), w = y - clamped(p.a.half, y);
    int axis = 0, outside = (fabs(w.x) > t.slop) + (fabs(w.y) > t.slop) + (fabs(w.z) > t.slop);
    for (int i = 1; i < 3; ++i)
        axis = fabs(at(y, i)) - at(p.a.half, i) > fabs(at(y, axis)) - at(p.a.half, axis) ? i : axis;
    double gap = outside == 2 ? norm(w) : fabs(at(y, axis)) - at(p.a.half, axis);
    if (outside > 2 || gap < -p.a.size || gap > p.out.limit)
        return;
    D3 out = outside == 2 ? out_of(p.a.R, (1 / gap) * w) : (at(y, axis) < 0 ? -1.0 : 1.0) * at(p.a.R, axis);
    D3 n = into(p.b.R, out); /* from the box to the mesh */
    if (corner_rises(t, k, n, outside == 2 ? 0.02 : 0.5))
        p.add(gap, -1.0 * n, t.v[k] - gap * n, 128 + k);
}

CRN_HD void touch_box_edges(const Pass &p)
{
    const Triangle &t = p.t;
    for (int edge = 0; edge < 12; ++edge)
    {
        int axis = edge / 4, corner = edge_corner(edge);
        D3 x = p.local(p.a.c + out_of(p.a.R, own_corner(p.a.half, corner)));
        D3 u = into(p.b.R, (2 * at(p.a.half, axis)) * at(p.a.R, axis)), in[2];
        for (int k = 1, i = 0; k < 3; ++k, ++i) /* into its two faces: back along the other axes */
            in[i] = into(p.b.R, (corner >> (axis + k) % 3 & 1 ? -1.0 : 1.0) * at(p.a.R, (axis + k) % 3));
        for (int k = 0; k < 3; ++k)
            if (t.owns_edge(k))
                touch_line(p, x, u, in, k, 64 + 3 * edge + k);
    }
}

CRN_HD void touch_triangle(const Shapes &shapes, const Placed &a, const Placed &b, Touches &out)
{
    Pass p = {a, b, triangle_of(shapes, b.triangle), b.c - out_of(b.R, b.half), out};
    if (a.kind == CRN_GPU_SPHERE)
        touch_point(p, 0, p.local(a.c));
    if (a.kind == CRN_GPU_CAPSULE)
    {
        D3 low = p.local(a.c - a.half.z * a.R.z), high = p.local(a.c + a.half.z * a.R.z);
        touch_point(p, 0, low);
        touch_point(p, 1, high);
        touch_axis(p, low, high - low);
    }
    if (a.kind != CRN_GPU_BOX)
        return;
    for (int i = 0; i < 8; ++i)
        touch_point(p, i, p.local(a.c + out_of(a.R, own_corner(a.half, i))));
    for (int k = 0; k < 3; ++k)
        if (p.t.owns_corner(k))
            touch_box_side(p, k);
    touch_box_edges(p);
}

} // namespace crn
