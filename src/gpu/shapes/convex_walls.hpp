/* Ellipsoids, cylinders, cones and hulls against half-spaces, hollows and triangles.
 *
 * A half-space touches the corners of a hull, the lowest point of each rim, the corners of a cap that faces it, the tip of a cone, and the lowest point of an
 * ellipsoid. Where a hull has more corners within reach than a pair has room for, the lowest stays, and then each time the one furthest from those that do.
 *
 * A hollow touches where the plane tangent to it does that the shape reaches furthest through, and likewise at the three other sides of the hole.
 *
 * A triangle's face touches the points that the shape shows it, where they are over it; its edges and corners, if it owns them, are bare lines and points
 * (convex.hpp), and push along the directions of their own cones alone (triangle.hpp). */
#pragma once

#include "convex.hpp"
#include "triangle_box.hpp"
#include "walls.hpp"

namespace crn
{

enum
{
    WALL_ROOM = 16 /* points of a turned shape or an ellipsoid that a plane may touch */
};

/* Points of a shape that may touch a plane, in the world. */
struct WallPoints
{
    D3 x[WALL_ROOM];
    int name[WALL_ROOM];
    int count;

    CRN_HD void add(D3 point, int of)
    {
        x[count] = point;
        name[count++] = of;
    }
};

/* Of a shape that is no hull, towards a plane with this normal. */
CRN_HD void points_towards(const Core &a, D3 normal, WallPoints &out)
{
    D3 down = -1.0 * normal, m = into(a.R, down);
    Face face;
    out.count = 0;
    if (a.kind == CRN_GPU_ELLIPSOID)
        return out.add(a.c + support(a, down), 0);
    face_along(a, down, face);
    bool is_cone = a.kind == CRN_GPU_CONE_SHAPE, is_flat = !(m.x * m.x + m.y * m.y > 1e-18);
    if (!is_flat) /* otherwise all points of a rim are lowest */
        out.add(a.c + out_of(a.R, rim_point(a, m, bottom_of(a))), is_cone ? RIM + 1 : 2 * RIM);
    if (!is_flat && !is_cone)
        out.add(a.c + out_of(a.R, rim_point(a, m, top_of(a))), 2 * RIM + 1);
    if (is_cone)
        out.add(a.c + out_of(a.R, {0, 0, top_of(a)}), RIM);
    for (int i = 0; i < face.count && face.count > 2; ++i)
        out.add(a.c + face.corner[i], face.name[i]);
}

CRN_HD int lowest_of(const Touches &out)
{
    int lowest = 0;
    for (int i = 1; i < out.count; ++i)
        lowest = out.at[i].gap < out.at[lowest].gap ? i : lowest;
    return lowest;
}

/* Add a touch; if there is no room, it takes the place of the highest that is higher. */
CRN_HD void add_lower(Touches &out, double gap, D3 n, D3 point, int feature)
{
    if (out.count < MOST_TOUCHES)
        return add_touch(out, gap, n, point, feature);
    int highest = 0;
    for (int i = 1; i < out.count; ++i)
        highest = out.at[i].gap > out.at[highest].gap ? i : highest;
    if (gap < out.at[highest].gap)
        out.at[highest] = {n, point, gap, feature};
}

/* Of `count` touches that `measure` gives, those within reach: the lowest, then each time the one that differs most in place and normal. */
template <class Measure> CRN_HD void touch_corners(const Core &a, int count, Touches &out, Measure measure)
{
    for (int turn = 0; turn < MOST_TOUCHES; ++turn)
    {
        Touch best = {{0, 0, 0}, {0, 0, 0}, INFINITY, -1};
        double best_far = 0;
        for (int i = 0; i < count; ++i)
        {
            Touch t = measure(i);
            if (!(t.gap <= out.limit))
                continue;
            double far = INFINITY;
            for (int k = 0; k < out.count; ++k)
                far = least(far, norm(out.at[k].point - t.point) + a.hull->extent * norm(out.at[k].n - t.n));
            bool is_better = turn == 0 ? t.gap < best.gap : far > best_far;
            if (is_better)
            {
                best = t;
                best_far = far;
            }
        }
        if (best.feature < 0)
            return;
        out.at[out.count++] = best;
    }
}

CRN_HD D3 corner_of(const Core &a, int i)
{
    return a.c + out_of(a.R, hull_corner(a, i));
}

CRN_CALL void touch_half_space_convex(const Shapes &shapes, const Placed &placed, const Placed &b, Touches &out)
{
    Core a = core_of(shapes, placed);
    if (a.hull)
        return touch_corners(a, a.hull->corners, out, [&](int i) { return Touch{b.half, corner_of(a, i), dot(b.half, corner_of(a, i) - b.c), i}; });
    WallPoints points;
    points_towards(a, b.half, points);
    for (int i = 0; i < points.count; ++i)
        if (dot(b.half, points.x[i] - b.c) <= out.limit)
            add_lower(out, dot(b.half, points.x[i] - b.c), b.half, points.x[i], points.name[i]);
}

/* ---------------------------------------------------------------------------------------------------------- hollows */

/* The touch of a point with the nearest part of the wall, or with a tangent plane at another side (walls.hpp). */
CRN_HD Touch hollow_touch(const Placed &b, D3 x, int side, int feature)
{
    D3 y = into(b.R, x - b.c);
    double rho = sqrt(y.x * y.x + y.y * y.y);
    double ex = rho > 1e-9 * b.half.x ? y.x / rho : 1, ey = rho > 1e-9 * b.half.x ? y.y / rho : 0;
    double c = side == 0 ? 1 : side == 2 ? -1 : 0, s = side == 1 ? 1 : side == 3 ? -1 : 0;
    HollowSide wall = hollow_side(b.half, c * rho, y.z);
    bool is_none = rho > 2 * most(b.half.x, b.half.y) || (side > 0 && !wall.is_wall); /* outside of the ring, or no plane */
    return {out_of(b.R, {wall.out * (c * ex - s * ey), wall.out * (s * ex + c * ey), wall.up}), x, is_none ? INFINITY : wall.distance, feature};
}

/* The normal of the wall at the azimuth of a point, turned by a quarter `side` times. */
CRN_HD D3 hollow_normal(const Placed &b, D3 x, int side)
{
    D3 y = into(b.R, x - b.c);
    double width = b.half.x - b.half.y, slant = sqrt(width * width + 4 * b.half.z * b.half.z), rho = sqrt(y.x * y.x + y.y * y.y);
    double c = side == 0 ? 1 : side == 2 ? -1 : 0, s = side == 1 ? 1 : side == 3 ? -1 : 0, out = -2 * b.half.z / slant;
    double ex = rho > 1e-9 * b.half.x ? y.x / rho : 1, ey = rho > 1e-9 * b.half.x ? y.y / rho : 0;
    return out_of(b.R, {out * (c * ex - s * ey), out * (s * ex + c * ey), width / slant});
}

CRN_CALL void touch_hollow_convex(const Shapes &shapes, const Placed &placed, const Placed &b, Touches &out)
{
    const int turns = 12;
    Core a = core_of(shapes, placed);
    if (a.hull)
        return touch_corners(a, 4 * a.hull->corners, out, [&](int i) { return hollow_touch(b, corner_of(a, i / 4), i % 4, i); });
    for (int side = 0; side < 4; ++side)
    {
        D3 n = hollow_normal(b, a.c, side);
        for (int turn = 0; turn < turns; ++turn)
            n = hollow_normal(b, a.c + support(a, -1.0 * n), 0);
        WallPoints points;
        points_towards(a, n, points);
        D3 m = into(b.R, n), foot = {-m.x, -m.y, 0};
        foot = b.c + out_of(b.R, (b.half.y / norm(foot)) * foot + D3{0, 0, -b.half.z});
        for (int i = 0; i < points.count; ++i)
        {
            if (dot(n, points.x[i] - foot) > out.limit) /* from the tangent plane */
                continue;
            Touch t = hollow_touch(b, points.x[i], 0, 4 * points.name[i] + (a.kind == CRN_GPU_ELLIPSOID ? side : 0));
            if (t.gap <= out.limit && !has_feature(out, t.feature))
                add_lower(out, t.gap, t.n, t.point, t.feature);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------- triangles */

CRN_HD bool is_known(const Touches &out, D3 point, double tolerance)
{
    for (int i = 0; i < out.count; ++i)
        if (norm(out.at[i].point - point) <= tolerance)
            return true;
    return false;
}

/* Corners and edges of a triangle: touches that push along directions of their cones. */
CRN_HD void touch_bare(const Pass &p, const Core &a, const Core &b, int feature, const D3 *in, int corner)
{
    const double tilt = is_single(a) ? 1e-9 : 0.02; /* what is flat may tremble on the border of a cone */
    Touches found;
    found.count = 0;
    found.limit = p.out.limit;
    touch_cores(a, b, found);
    for (int i = 0; i < found.count; ++i)
    {
        const Touch &t = found.at[i];
        D3 n = into(p.b.R, t.n);
        bool is_apt = in ? dot(n, in[0]) <= tilt && dot(n, in[1]) <= tilt : corner_rises(p.t, corner, -1.0 * n, tilt);
        if (is_apt && t.gap >= -a.size && !is_known(p.out, t.point, 1e-6 * a.size))
            add_lower(p.out, t.gap, t.n, t.point, feature + (i << 8));
    }
}

/* Whether a point below the face is outside of the body across a convex edge, or the shape less deep below the neighbour there: then it leaves by the neighbour
 * or by the edge. */
CRN_HD bool leaves_by_neighbour(const Pass &p, const Core &a, D3 x, double height, double deepest)
{
    const Triangle &t = p.t;
    for (int k = 0; k < 3 && height < -t.slop; ++k)
    {
        int other = t.t->neighbour[k];
        if (!(t.t->bend[k] > 0 && other >= 0))
            continue;
        D3 n = t.normal_of(other), y = p.local(a.c + support(a, -1.0 * out_of(p.b.R, n)));
        if (dot(n, x - t.v[k]) > t.slop || dot(n, y - t.v[k]) > deepest + t.slop)
            return true;
    }
    return false;
}

CRN_CALL void touch_triangle_convex(const Shapes &shapes, const Placed &placed, const Placed &b, Touches &out)
{
    Pass p = {placed, b, triangle_of(shapes, b.triangle), b.c - out_of(b.R, b.half), out};
    const Triangle &t = p.t;
    Core a = core_of(shapes, placed);
    Face face;
    D3 up = out_of(b.R, t.n), x = p.local(a.c + support(a, -1.0 * up));
    if (dot(t.n, x - t.v[0]) > out.limit)
        return;
    double deepest = dot(t.n, x - t.v[0]);
    face_along(a, -1.0 * up, face);
    for (int i = 0; i <= face.count; ++i)
    {
        D3 y = i < face.count ? p.local(a.c + face.corner[i]) : x;
        double height = dot(t.n, y - t.v[0]);
        if (!is_known(out, p.origin + out_of(b.R, y), 1e-9 * a.size) && height >= -a.size && height <= out.limit && is_over(t, y) && !leaves_by_neighbour(p, a, y, height, deepest))
            add_lower(out, height, up, p.origin + out_of(b.R, y), i < face.count ? face.name[i] & 127 : 127);
    }
    for (int k = 0; k < 3; ++k)
    {
        D3 along = t.along(k), in[2];
        double length = norm(along);
        inward_of(t, k, in);
        if (t.owns_edge(k))
            touch_bare(p, a, line_core(p.origin + out_of(b.R, t.v[k] + 0.5 * along), out_of(b.R, (1 / length) * along), 0.5 * length), 128 + k, in, k);
        if (t.owns_corner(k))
            touch_bare(p, a, line_core(p.origin + out_of(b.R, t.v[k]), up, 0), 132 + k, nullptr, k);
    }
}

} // namespace crn
