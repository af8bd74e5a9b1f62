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

} // namespace crn
