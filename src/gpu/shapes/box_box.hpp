/* Box against box, by separating axes (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996).
 *
 * A face of a, then a face of b, is the reference if its separation is within a bias of the largest and its clipped manifold has a point as
 * near as that: the incident face is clipped by the sides of the reference face (I. Sutherland, G. Hodgman, CACM 17, 1974), and each point has
 * its own gap along the reference normal. Otherwise boxes apart have the touch of their nearest points, and boxes that overlap that of
 * two crossing edges; besides it there is what the best face has beside it.
 *
 * A point of a manifold is named by the two lines that meet in it, sides of the incident face 0..3 and of the reference face 4..7: a corner of
 * either box, or a crossing of two edges. Names do not depend on which box is the reference. */
#pragma once

#include "box_closest.hpp"

namespace crn
{

struct ClipPoint
{
    D3 x;
    int in, out; /* the lines before and after it */
};

struct Polygon
{
    ClipPoint at[8]; /* four corners, and one more for every side that clips */
    int count;
};

/* What lies at n x <= offset. A corner more is made by every side at most. */
CRN_HD void clip_by(Polygon &polygon, int axis, double sign, double offset, int name)
{
    Polygon before = polygon;
    int kept = 0;
    for (int i = 0; i < before.count; ++i)
    {
        const ClipPoint &p = before.at[i], &q = before.at[i + 1 < before.count ? i + 1 : 0];
        double dp = sign * at(p.x, axis) - offset, dq = sign * at(q.x, axis) - offset;
        if (dp <= 0 && kept < 8)
            polygon.at[kept++] = p;
        if ((dp <= 0) != (dq <= 0) && kept < 8)
            polygon.at[kept++] = {p.x + (dp / (dp - dq)) * (q.x - p.x), dp <= 0 ? p.out : name, dp <= 0 ? name : p.out};
    }
    polygon.count = kept;
}

/* The sides of the face of an axis; side k joins its corners k and k + 1. */
CRN_HD void clip_by_face(Polygon &polygon, D3 half, int axis, double slop)
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    clip_by(polygon, last, -1, at(half, last) + slop, 4);
    clip_by(polygon, next, 1, at(half, next) + slop, 5);
    clip_by(polygon, last, 1, at(half, last) + slop, 6);
    clip_by(polygon, next, -1, at(half, next) + slop, 7);
}

/* Two faces, one of each box, and the names of the points where they meet. */
struct Facing
{
    int axis, incident;
    bool positive, incident_positive, flipped; /* flipped: the reference is b of the touches */

    CRN_HD int corner(bool of_reference, int k) const
    {
        return of_reference ? face_corner(axis, positive, k & 3) : face_corner(incident, incident_positive, k & 3);
    }
    CRN_HD int meeting(bool of_reference, int k, int l) const
    {
        return corner(of_reference, ((k + 1) & 3) == l ? l : k);
    }
    CRN_HD int feature(const ClipPoint &p) const
    {
        if (p.in < 4 && p.out < 4)
            return feature_of_corner(!flipped, meeting(false, p.in, p.out));
        if (p.in >= 4 && p.out >= 4)
            return feature_of_corner(flipped, meeting(true, p.in - 4, p.out - 4));
        int i = p.in < 4 ? p.in : p.out, r = (p.in < 4 ? p.out : p.in) - 4;
        int edge_i = box_edge(corner(false, i), corner(false, i + 1)), edge_r = box_edge(corner(true, r), corner(true, r + 1));
        return flipped ? feature_of_edges(edge_i, edge_r) : feature_of_edges(edge_r, edge_i);
    }
};

/* The face of the second box that faces a face of the first most directly. */
CRN_HD Facing facing_of(const BoxPair &p, const BoxAxis &axis, bool flipped)
{
    const double *row = p.C[axis.i];
    int other = fabs(row[1]) > fabs(row[0]) ? 1 : 0;
    other = fabs(row[2]) > fabs(row[other]) ? 2 : other;
    return {axis.i, other, axis.sign > 0, axis.sign * row[other] < 0, flipped};
}

/* Where touches beside the nearest points may lie: no nearer than they are, and further away from them than `apart`. */
struct Beside
{
    D3 point;
    double gap, apart;
};

/* Add the manifold of a face of the pair's first box, all of it or only what lies beside. False, and nothing added, where no gap is at
 * most `reach`, or nothing lies beside. */
CRN_HD bool clip_faces(const BoxPair &p, const BoxAxis &axis, bool flipped, double reach, const Beside *beside, Touches &out)
{
    Facing f = facing_of(p, axis, flipped);
    Polygon polygon;
    polygon.count = 4;
    for (int k = 0; k < 4; ++k)
        polygon.at[k] = {p.from_b(own_corner(p.b->half, f.corner(false, k))), (k + 3) & 3, k};
    clip_by_face(polygon, p.a->half, axis.i, 1e-7 * least(p.a->size, p.b->size) + 1e-13 * norm(p.a->c));
    double lowest = INFINITY, half = at(p.a->half, axis.i);
    for (int k = 0; k < polygon.count; ++k)
        lowest = least(lowest, axis.sign * at(polygon.at[k].x, axis.i) - half);
    if (!(lowest <= reach))
        return false;
    bool any = false;
    D3 n = (flipped ? axis.sign : -axis.sign) * at(p.a->R, axis.i);
    for (int k = 0; k < polygon.count; ++k)
    {
        D3 x = polygon.at[k].x;
        double gap = axis.sign * at(x, axis.i) - half;
        if (!flipped)
            set(x, axis.i, axis.sign * half); /* the point on a of the touches */
        D3 point = p.to_world(x);
        int feature = f.feature(polygon.at[k]);
        if (beside && (gap < beside->gap || norm(point - beside->point) <= beside->apart || has_feature(out, feature)))
            continue;
        while (has_feature(out, feature))
            feature += 512; /* two points of the same name, by rounding */
        add_touch(out, gap, n, point, feature);
        any = true;
    }
    return any || !beside;
}

/* Touches of a face beside the single touch; false: it has none. */
CRN_HD bool touch_beside(const BoxPair &p, const BoxAxis &face, bool flipped, double size, Touches &out)
{
    Beside beside = {out.at[0].point, out.at[0].gap, 0.1 * size};
    double cosine = (flipped ? face.sign : -face.sign) * dot(at(p.a->R, face.i), out.at[0].n);
    return cosine > 0.9 && clip_faces(p, face, flipped, INFINITY, &beside, out);
}

CRN_HD void touch_boxes(const Placed &a, const Placed &b, Touches &out)
{
    const BoxPair pair[2] = {view_boxes(a, b), view_boxes(b, a)};
    BoxAxis face[2] = {best_face(pair[0]), best_face(pair[1])};
    double largest = most(face[0].separation, face[1].separation), size = least(a.size, b.size), bias = 1e-3 * size;
    if (largest > out.limit)
        return;
    BoxAxis edges = best_edges(pair[0]);
    largest = most(largest, edges.separation);
    if (largest > out.limit)
        return;
    double reach = most(largest, 0) + bias;
    for (int k = 0; k < 2; ++k)
        if (face[k].separation >= largest - bias && clip_faces(pair[k], face[k], k == 1, reach, nullptr, out))
            return;
    if (largest > 1e-8 * size)
        touch_closest(pair[0], edges, out);
    else if (edges.separation > -INFINITY)
        touch_edges(pair[0], edges, out);
    int better = face[1].separation > face[0].separation ? 1 : 0;
    if (out.count == 1 && !touch_beside(pair[better], face[better], better == 1, size, out))
        touch_beside(pair[1 - better], face[1 - better], better == 0, size, out);
}

} // namespace crn
