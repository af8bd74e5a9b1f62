/* Spheres, capsules and boxes against one triangle of a mesh or height field.
 *
 * A triangle touches by its face, and by the edges and corners that it owns: those at convex or free edges, each of which belongs to one
 * triangle. A feature pushes only along the directions of its own cone: a face along its normal, an edge between the normals of its two faces,
 * a corner v with the neighbours w along n with n (w - v) <= 0. So a flat region acts as one plane however it is divided into triangles, and
 * nothing catches on edges inside it. A point over a flat edge counts for one of the two triangles there.
 *
 *     point - face, edge, corner    the centre of a sphere, the ends of a capsule, the corners of a box
 *     line - edge                   the axis of a capsule, the edges of a box
 *     line - corner, face - corner  the axis of a capsule, the edges and faces of a box
 *
 * A point below several faces of a convex edge leaves by the nearest. One that is deeper below a face than the shape is thick belongs to the far
 * side of the body and does not touch it. Everything is
 * computed in the frame of the mesh's body. */
#pragma once

#include "../world.hpp"
#include "box_closest.hpp"

namespace crn
{

struct Triangle
{
    const Shapes *shapes;
    const crn_gpu_triangle *t;
    int number;
    D3 v[3], n;
    double slop; /* m: rounding */

    CRN_HD D3 along(int k) const
    {
        return v[(k + 1) % 3] - v[k];
    }
    CRN_HD bool owns_corner(int k) const
    {
        return t->owns >> k & 1;
    }
    CRN_HD bool owns_edge(int k) const
    {
        return t->owns >> (3 + k) & 1;
    }
    CRN_HD D3 vertex(int i) const
    {
        const double *x = shapes->vertex + 3 * (long long)i;
        return {x[0], x[1], x[2]};
    }
    CRN_HD D3 normal_of(int triangle) const
    {
        const double *m = shapes->triangle[triangle].n;
        return {m[0], m[1], m[2]};
    }
};

/* From the pair's point of view: the shape a, the mesh's body as a frame, and where touches go. */
struct Pass
{
    const Placed &a, &b;
    Triangle t;
    D3 origin; /* of the mesh's body, in the world */
    Touches &out;

    CRN_HD D3 local(D3 x) const
    {
        return into(b.R, x - origin);
    }
    /* By the point x of a's core, and the distance of the core along n. */
    CRN_HD void add(double distance, D3 n, D3 x, int feature) const
    {
        D3 normal = out_of(b.R, n);
        add_touch(out, distance - a.radius, normal, origin + out_of(b.R, x) - a.radius * normal, feature);
    }
};

CRN_HD Triangle triangle_of(const Shapes &shapes, int number)
{
    Triangle t = {&shapes, shapes.triangle + number, number, {}, {0, 0, 0}, 0};
    double longest = 0;
    for (int k = 0; k < 3; ++k)
        t.v[k] = t.vertex(t.t->v[k]);
    for (int k = 0; k < 3; ++k)
        longest = most(longest, norm(t.along(k)));
    t.n = t.normal_of(number);
    t.slop = 1e-10 * longest + 1e-14 * (fabs(t.v[0].x) + fabs(t.v[0].y) + fabs(t.v[0].z));
    return t;
}

/* ---------------------------------------------------------------------------------------------------------- points */

/* Whether x lies over the face. Of two triangles at a flat edge the one with the lower number has a little more than its share, so that
 * no point is over neither. */
CRN_HD bool is_over(const Triangle &t, D3 x)
{
    for (int k = 0; k < 3; ++k)
    {
        D3 along = t.along(k);
        double beyond = dot(cross(along, t.n), x - t.v[k]) / norm(along);
        double allowed = t.t->bend[k] != 0 ? t.slop : t.number < t.t->neighbour[k] ? 2 * t.slop : -t.slop;
        if (beyond > allowed)
            return false;
    }
    return true;
}

/* The directions into the two faces of an edge, across it; at a border the surface is taken to go straight down. */
CRN_HD void inward_of(const Triangle &t, int k, D3 in[2])
{
    D3 along = (1 / norm(t.along(k))) * t.along(k);
    int other = t.t->neighbour[k];
    in[0] = cross(t.n, along);
    in[1] = other < 0 ? -1.0 * t.n : cross(along, t.normal_of(other));
}

/* Whether corner k is nearer to itself + w than everything around it. */
CRN_HD bool corner_faces(const Triangle &t, int k, D3 w)
{
    int v = t.t->v[k];
    bool is_border = t.t->neighbour[k] < 0 || t.t->neighbour[(k + 2) % 3] < 0;
    if (is_border && dot(w, t.n) < 0)
        return false;
    for (int i = t.shapes->ring_begin[v]; i < t.shapes->ring_begin[v + 1]; ++i)
        if (dot(w, t.vertex(t.shapes->ring[i]) - t.v[k]) > 0)
            return false;
    return true;
}

/* Whether no edge from corner k leads down along n, steeper than `slope`. */
CRN_HD bool corner_rises(const Triangle &t, int k, D3 n, double slope)
{
    int v = t.t->v[k];
    for (int i = t.shapes->ring_begin[v]; i < t.shapes->ring_begin[v + 1]; ++i)
    {
        D3 edge = t.vertex(t.shapes->ring[i]) - t.v[k];
        if (dot(n, edge) < -slope * norm(edge))
            return false;
    }
    return true;
}

/* Everything about a point of a sphere or capsule is in its cone. Corner `corner` of a box, along n in the mesh's frame, is not where an edge of the box
 * leads on towards the mesh, steeper than `slope`. */
CRN_HD bool box_rises(const Pass &p, int corner, D3 n, double slope)
{
    D3 m = into(p.a.R, out_of(p.b.R, n));
    for (int k = 0; k < 3 && p.a.kind == CRN_GPU_BOX; ++k)
        if ((corner >> k & 1 ? -at(m, k) : at(m, k)) < -slope)
            return false;
    return true;
}

/* Whether a point below the face is outside of the body across a convex edge, or less deep below the neighbour there and leaves there. */
CRN_HD bool leaves_elsewhere(const Pass &p, int i, D3 x, double height)
{
    const Triangle &t = p.t;
    for (int k = 0; k < 3 && height < -t.slop; ++k)
    {
        int other = t.t->neighbour[k];
        double there = t.t->bend[k] > 0 && other >= 0 ? dot(t.normal_of(other), x - t.v[k]) : -INFINITY;
        if (there > t.slop || (there > height && box_rises(p, i, t.normal_of(other), 0.5)))
            return true;
    }
    return false;
}

/* Point `i` of a's core against everything that the triangle has. */
CRN_HD void touch_point(const Pass &p, int i, D3 x)
{
    const Triangle &t = p.t;
    double height = dot(t.n, x - t.v[0]), depth = p.a.kind == CRN_GPU_BOX ? p.a.size : p.a.radius, reach = p.out.limit + p.a.radius;
    if (height >= -depth && height <= reach && is_over(t, x) && !leaves_elsewhere(p, i, x, height) &&
        box_rises(p, i, t.n, 0.5))
        p.add(height, t.n, x, i);
    for (int k = 0; k < 3; ++k)
    {
        D3 along = t.along(k), arm = x - t.v[k], in[2];
        double place = dot(arm, along) / dot(along, along);
        if (t.owns_edge(k) && place > 0 && place < 1)
        {
            D3 w = arm - place * along;
            double distance = norm(w);
            inward_of(t, k, in);
            if (distance <= reach && dot(w, in[0]) < -t.slop && dot(w, in[1]) < -t.slop && box_rises(p, i, (1 / distance) * w, 0.02))
                p.add(distance, (1 / distance) * w, x, 8 + 3 * i + k);
        }
        double far = norm(arm);
        if (t.owns_corner(k) && far <= reach && far > t.slop && corner_faces(t, k, arm) && box_rises(p, i, (1 / far) * arm, 0.02))
            p.add(far, (1 / far) * arm, x, 32 + 3 * i + k);
    }
}

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
