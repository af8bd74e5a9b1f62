/* Boxes: corners, edges and faces by number, and two boxes in the frame of the first.
 *
 *     corner 0..7    bit k is set where the corner lies on the positive side of axis k
 *     edge   0..11   4 * axis + 2 bits: the sides of the two other axes, the lower axis first
 *     face           axis and side; its corners are (- -) (+ -) (+ +) (- +) in the two axes after it
 *
 * Features of a pair of boxes: a corner of a, 8 + a corner of b, or 256 + 16 * an edge of a + an edge of b. */
#pragma once

#include "touches.hpp"

namespace crn
{

CRN_HD D3 own_corner(D3 half, int corner)
{
    return {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
}

/* The edge between two corners that differ in one bit. */
CRN_HD int box_edge(int corner, int other)
{
    int bit = corner ^ other, axis = bit == 1 ? 0 : bit == 2 ? 1 : 2;
    int low = axis == 0 ? corner >> 1 & 1 : corner & 1, high = axis == 2 ? corner >> 1 & 1 : corner >> 2 & 1;
    return 4 * axis + low + 2 * high;
}

/* The end of an edge on the negative side. */
CRN_HD int edge_corner(int edge)
{
    int axis = edge / 4, low = edge & 1, high = edge >> 1 & 1;
    return (axis == 0 ? low << 1 : low) | (axis == 2 ? high << 1 : high << 2);
}

CRN_HD int face_corner(int axis, bool positive, int k)
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return (positive ? 1 << axis : 0) | (k == 1 || k == 2 ? 1 << next : 0) | (k >= 2 ? 1 << last : 0);
}

CRN_HD int feature_of_corner(bool of_b, int corner)
{
    return (of_b ? 8 : 0) + corner;
}
CRN_HD int feature_of_edges(int edge_a, int edge_b)
{
    return 256 + 16 * edge_a + edge_b;
}

/* The axes of b are the columns of C in the frame of a, and its centre is t. */
struct BoxPair
{
    const Placed *a, *b;
    double C[3][3];
    D3 t;

    CRN_HD D3 from_b(D3 x) const
    {
        return t + turn(x);
    }
    CRN_HD D3 turn(D3 x) const
    {
        return {C[0][0] * x.x + C[0][1] * x.y + C[0][2] * x.z, C[1][0] * x.x + C[1][1] * x.y + C[1][2] * x.z,
                C[2][0] * x.x + C[2][1] * x.y + C[2][2] * x.z};
    }
    CRN_HD D3 turn_back(D3 x) const
    {
        return {C[0][0] * x.x + C[1][0] * x.y + C[2][0] * x.z, C[0][1] * x.x + C[1][1] * x.y + C[2][1] * x.z,
                C[0][2] * x.x + C[1][2] * x.y + C[2][2] * x.z};
    }
    CRN_HD D3 to_world(D3 x) const
    {
        return a->c + out_of(a->R, x);
    }
};

CRN_HD BoxPair view_boxes(const Placed &a, const Placed &b)
{
    BoxPair p;
    p.a = &a;
    p.b = &b;
    p.t = into(a.R, b.c - a.c);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            p.C[i][j] = dot(at(a.R, i), at(b.R, j));
    return p;
}

/* A direction along which two boxes are compared, from the first to the second. */
struct BoxAxis
{
    double separation; /* m; negative: they overlap */
    double sign;       /* of the face's axis, or of a_i x b_j */
    int i, j;          /* face: axis i of its box; edges: axis i of the first, j of the second */
};

CRN_HD void offer_axis(BoxAxis &best, double separation, double along, int i, int j)
{
    if (separation > best.separation)
        best = {separation, along < 0 ? -1.0 : 1.0, i, j};
}

/* The best face normal of the first box. */
CRN_HD BoxAxis best_face(const BoxPair &p)
{
    BoxAxis best = {-INFINITY, 1, 0, -1};
    D3 g = p.a->half, h = p.b->half;
    for (int k = 0; k < 3; ++k)
        offer_axis(best, fabs(at(p.t, k)) - at(g, k) - h.x * fabs(p.C[k][0]) - h.y * fabs(p.C[k][1]) - h.z * fabs(p.C[k][2]), at(p.t, k), k, -1);
    return best;
}

/* The best cross product of edges; separation -infinity where all edges are parallel. */
CRN_HD BoxAxis best_edges(const BoxPair &p)
{
    BoxAxis best = {-INFINITY, 1, 0, 0};
    D3 g = p.a->half, h = p.b->half;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double c1 = p.C[i1][j], c2 = p.C[i2][j], along = at(p.t, i2) * c1 - at(p.t, i1) * c2;
            double apart = fabs(along) - at(g, i1) * fabs(c2) - at(g, i2) * fabs(c1) - at(h, j1) * fabs(p.C[i][j2]) -
                           at(h, j2) * fabs(p.C[i][j1]);
            double length = sqrt(c1 * c1 + c2 * c2);
            if (length > 1e-6)
                offer_axis(best, apart / length, along, i, j);
        }
    return best;
}

/* The edges, one of each box, that belong to a cross product of axes: those furthest along it. */
CRN_HD void supporting_edges(const BoxPair &p, const BoxAxis &axis, int &edge_a, int &edge_b)
{
    int i = axis.i, i1 = (i + 1) % 3, i2 = (i + 2) % 3, corner_a = 0, corner_b = 0;
    D3 n = {0, 0, 0};
    set(n, i1, -axis.sign * p.C[i2][axis.j]);
    set(n, i2, axis.sign * p.C[i1][axis.j]);
    D3 of_b = p.turn_back(n);
    for (int k = 0; k < 3; ++k)
    {
        corner_a |= at(n, k) >= 0 ? 1 << k : 0;
        corner_b |= at(of_b, k) <= 0 ? 1 << k : 0;
    }
    edge_a = box_edge(corner_a, corner_a ^ 1 << i);
    edge_b = box_edge(corner_b, corner_b ^ 1 << axis.j);
}

/* An edge in the frame of the first box: the points middle + s half, -1 <= s <= 1. */
struct EdgeLine
{
    D3 middle, half;
    int edge;
};

CRN_HD EdgeLine edge_line(const BoxPair &p, bool of_b, int edge)
{
    D3 size = of_b ? p.b->half : p.a->half, x = own_corner(size, edge_corner(edge)), y = {0, 0, 0};
    set(x, edge / 4, 0);
    set(y, edge / 4, at(size, edge / 4));
    return of_b ? EdgeLine{p.from_b(x), p.turn(y), edge} : EdgeLine{x, y, edge};
}

/* The nearest points of two lines are at s / d and t / d. Returns d; 0 where they are parallel. */
CRN_HD double nearest_on_lines(const EdgeLine &a, const EdgeLine &b, double &s, double &t)
{
    D3 u = a.half, v = b.half, arm = b.middle - a.middle;
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), det = uu * vv - uv * uv, au = dot(arm, u), av = dot(arm, v);
    s = au * vv - av * uv;
    t = au * uv - av * uu;
    return det <= 1e-12 * uu * vv ? 0 : det;
}

} // namespace crn
