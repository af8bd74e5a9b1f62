/* Two convex shapes: nearest points (nearest.hpp), then the touches of the parts that face each other.
 *
 * A face of either shape is the reference if its own separation is that of the nearest points (within a bias, where it meets a face), and what the other
 * shape shows, clipped by its sides, comes as near. The better face is tried first, or a's where they differ by less than the bias. Two nearly parallel
 * lines touch at the ends of their common stretch. Otherwise there is the touch of the nearest points. */
#pragma once

#include "clip.hpp"

namespace crn
{

struct Reference
{
    Face face;
    bool is_b;
    double s; /* along its normal; -INFINITY: it is no face */
};

CRN_HD void make_reference(const Core &a, const Core &b, D3 n, bool is_b, Reference &out)
{
    D3 unused;
    out.is_b = is_b;
    out.s = -INFINITY;
    face_along(is_b ? b : a, (is_b ? 1.0 : -1.0) * n, out.face);
    if (out.face.count > 2)
        out.s = separation(a, b, a.c - b.c, (is_b ? 1.0 : -1.0) * out.face.n, &unused);
}

/* A touch of the cores with this gap, by the point of a relative to b's centre. */
CRN_HD void add_core_touch(const Core &a, const Core &b, double gap, D3 n, D3 x, int feature, Touches &out)
{
    while (has_feature(out, feature))
        ++feature;
    add_touch(out, gap - a.radius - b.radius, n, b.c + x - a.radius * n, feature);
}

/* The touches with this reference face; false, and none, if none of the cores is as near as `reach`. */
CRN_CALL bool touch_clipped(const Core &a, const Core &b, const Reference &reference, double reach, Touches &out)
{
    const Face &own = reference.face;
    D3 d = a.c - b.c, own_shift = reference.is_b ? D3{0, 0, 0} : d, other_shift = reference.is_b ? d : D3{0, 0, 0};
    Face incident;
    Cut clip;
    double gap[CUT_ROOM], lowest = INFINITY, slop = 1e-7 * least(a.size, b.size) + 1e-13 * (extent_of(a) + extent_of(b));
    face_along(reference.is_b ? a : b, -1.0 * own.n, incident);
    clip.count = incident.count;
    for (int i = 0; i < incident.count; ++i)
        clip.at[i] = {incident.corner[i] + other_shift, (i + incident.count - 1) % incident.count, i};
    for (int k = 0; k < own.count && clip.count > 0; ++k)
    {
        D3 from = own.corner[k] + own_shift, side = cross(own.corner[(k + 1) % own.count] - own.corner[k], own.n);
        side = (1 / norm(side)) * side;
        cut(clip, side, dot(side, from) + slop, FACE_ROOM + k, incident.count < 3);
    }
    for (int i = 0; i < clip.count; ++i)
    {
        gap[i] = dot(own.n, clip.at[i].x - own.corner[0] - own_shift);
        lowest = least(lowest, gap[i]);
    }
    if (!(lowest <= reach))
        return false;
    thin_out(clip, gap, MOST_TOUCHES);
    D3 n = (reference.is_b ? 1.0 : -1.0) * own.n;
    for (int i = 0; i < clip.count; ++i)
        add_core_touch(a, b, gap[i], n, reference.is_b ? clip.at[i].x : clip.at[i].x - gap[i] * own.n,
                       name_of(clip.at[i], own, incident, reference.is_b), out);
    return true;
}

/* Two nearly parallel lines: false if they are none, or cross. */
CRN_HD bool touch_parallel_lines(const Core &a, const Core &b, D3 n, const Face &of_a, const Face &of_b, Touches &out)
{
    if (of_a.count != 2 || of_b.count != 2)
        return false;
    D3 d = a.c - b.c, p = of_a.corner[0] + d, u = of_a.corner[1] - of_a.corner[0], q = of_b.corner[0], w = of_b.corner[1] - q;
    double length = norm(u), aside = 0.04 * least(a.size, b.size);
    u = (1 / length) * u;
    double at_q = dot(q - p, u), rate = dot(w, u), low = most(0, least(at_q, at_q + rate)), high = least(length, most(at_q, at_q + rate));
    if (!(fabs(rate) > 0.5 * norm(w)) || !(high > low))
        return false;
    D3 x[2], y[2], across = cross(n, u);
    for (int i = 0; i < 2; ++i)
    {
        double place = i ? high : low;
        x[i] = p + place * u;
        y[i] = q + ((place - at_q) / rate) * w;
        if (fabs(dot(across, x[i] - y[i])) > aside)
            return false;
    }
    for (int i = 0; i < 2; ++i)
    {
        bool is_of_a = i ? high == length : low == 0;
        bool is_far_end = (rate > 0) == (i == 1); /* of b, whose line may run the other way */
        int name = is_of_a ? of_a.name[i] : NAMES_OF_B + of_b.name[is_far_end ? 1 : 0];
        add_core_touch(a, b, dot(n, x[i] - y[i]), n, x[i], name, out);
    }
    return true;
}

CRN_HD bool touch_reference(const Core &a, const Core &b, const Nearest &nearest, const Reference &own, const Reference &other,
                            double thickness, Touches &out)
{
    double bias = (other.face.count > 2 ? 1e-3 : 1e-9) * thickness; /* two faces stay together while they tremble */
    return own.s >= nearest.s - bias && touch_clipped(a, b, own, most(nearest.s, 0) + bias, out);
}

CRN_CALL void touch_cores(const Core &a, const Core &b, Touches &out)
{
    Nearest nearest;
    double radii = a.radius + b.radius, thickness = least(least(a.size, b.size), extent_of(a) + extent_of(b)), limit = out.limit;
    if (!nearest_points(a, b, out.limit + radii, nearest))
        return;
    bool is_flat = false;
    if (!is_single(a) && !is_single(b))
    {
        Reference of_a, of_b;
        make_reference(a, b, nearest.n, false, of_a);
        make_reference(a, b, nearest.n, true, of_b);
        double ahead = of_a.face.count > 2 && of_b.face.count > 2 ? 1e-3 * thickness : 0;
        bool is_b_better = of_b.s > of_a.s + ahead;
        const Reference &first = is_b_better ? of_b : of_a, &second = is_b_better ? of_a : of_b;
        is_flat = touch_reference(a, b, nearest, first, second, thickness, out) ||
                  touch_reference(a, b, nearest, second, first, thickness, out) ||
                  touch_parallel_lines(a, b, nearest.n, of_a.face, of_b.face, out);
    }
    bool is_lower = (is_curved(a) || is_curved(b)) && least_gap(out) > nearest.s - radii + 1e-11 * thickness;
    if (is_flat && !is_lower)
        return;
    if (out.count == MOST_TOUCHES)
        --out.count; /* room for the lowest */
    out.limit = limit;
    add_core_touch(a, b, nearest.s, nearest.n, a.c - b.c + nearest.x_a, is_single(a) || is_single(b) ? 0 : FEATURE_NEAR, out);
}

CRN_HD void touch_convex(const Shapes &shapes, const Placed &a, const Placed &b, Touches &out)
{
    touch_cores(core_of(shapes, a), core_of(shapes, b), out);
}

} // namespace crn
