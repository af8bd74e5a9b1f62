/* The nearest points of two boxes apart: at a corner of one of them, or inside one edge of each. The corners come first, clamped to the other
 * box. The direction between the best corner and its foot proves them nearest if the boxes are separated along it by their distance; otherwise
 * the edges of the best cross product are tried, and then all pairs of edges that are not too far apart along that direction. */
#pragma once

#include "box.hpp"

namespace crn
{

/* In the frame of the first box. */
struct Closest
{
    double square;
    D3 a, b;
    int feature;
};

CRN_HD void offer_points(Closest &best, D3 a, D3 b, int feature)
{
    double square = dot(a - b, a - b);
    if (square < (1 - 1e-10) * best.square)
        best = {square, a, b, feature};
}

CRN_HD D3 clamped(D3 half, D3 x)
{
    return {clamp(x.x, half.x), clamp(x.y, half.y), clamp(x.z, half.z)};
}

CRN_HD void offer_corners(const BoxPair &p, Closest &best)
{
    for (int corner = 0; corner < 8; ++corner)
    {
        D3 x = own_corner(p.a->half, corner);
        offer_points(best, x, p.from_b(clamped(p.b->half, p.turn_back(x - p.t))), feature_of_corner(false, corner));
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        D3 x = p.from_b(own_corner(p.b->half, corner));
        offer_points(best, clamped(p.a->half, x), x, feature_of_corner(true, corner));
    }
}

CRN_HD double shadow(D3 half, D3 m)
{
    return half.x * fabs(m.x) + half.y * fabs(m.y) + half.z * fabs(m.z);
}

CRN_HD bool is_proved(const BoxPair &p, const Closest &best)
{
    double distance = sqrt(best.square);
    if (!(distance > 0))
        return true;
    D3 m = best.b - best.a;
    double apart = (dot(m, p.t) - shadow(p.a->half, m) - shadow(p.b->half, p.turn_back(m))) / distance;
    return distance - apart <= 4e-11 * distance;
}

/* Points between the ends of both edges: the ends are corners, which were tried before. */
CRN_HD void offer_edges(const EdgeLine &a, const EdgeLine &b, Closest &best)
{
    double s, t, d = nearest_on_lines(a, b, s, t);
    if (fabs(s) < d && fabs(t) < d)
        offer_points(best, a.middle + (s / d) * a.half, b.middle + (t / d) * b.half, feature_of_edges(a.edge, b.edge));
}

CRN_HD void offer_all_edges(const BoxPair &p, Closest &best)
{
    double distance = sqrt(best.square);
    D3 m = (1 / distance) * (best.b - best.a);
    for (int i = 0; i < 12; ++i)
    {
        EdgeLine a = edge_line(p, false, i);
        double highest = dot(m, a.middle) + fabs(dot(m, a.half));
        for (int j = 0; j < 12; ++j)
        {
            EdgeLine b = edge_line(p, true, j);
            if (dot(m, b.middle) - fabs(dot(m, b.half)) - highest <= distance)
                offer_edges(a, b, best);
        }
    }
}

CRN_HD void touch_closest(const BoxPair &p, const BoxAxis &edges, Touches &out)
{
    Closest best = {INFINITY, {0, 0, 0}, {0, 0, 0}, 0};
    offer_corners(p, best);
    if (!is_proved(p, best) && edges.separation > -INFINITY)
    {
        int edge_a, edge_b;
        supporting_edges(p, edges, edge_a, edge_b);
        offer_edges(edge_line(p, false, edge_a), edge_line(p, true, edge_b), best);
    }
    if (!is_proved(p, best))
        offer_all_edges(p, best);
    double distance = sqrt(best.square);
    if (distance > 0)
        add_touch(out, distance, out_of(p.a->R, (1 / distance) * (best.a - best.b)), p.to_world(best.a), best.feature);
}

/* Two crossing edges of boxes that overlap. */
CRN_HD void touch_edges(const BoxPair &p, const BoxAxis &axis, Touches &out)
{
    D3 n = cross(at(p.a->R, axis.i), at(p.b->R, axis.j));
    int edge_a, edge_b;
    supporting_edges(p, axis, edge_a, edge_b);
    EdgeLine a = edge_line(p, false, edge_a), b = edge_line(p, true, edge_b);
    double s, t, d = nearest_on_lines(a, b, s, t);
    D3 x = a.middle + clamp(d > 0 ? s / d : 0, 1) * a.half;
    add_touch(out, axis.separation, (-axis.sign / norm(n)) * n, p.to_world(x), feature_of_edges(edge_a, edge_b));
}

} // namespace crn
