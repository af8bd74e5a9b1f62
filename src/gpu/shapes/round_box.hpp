/* Spheres and capsules against boxes.
 *
 * The nearest point of a box to a sphere's centre is the centre clamped to the box; a centre inside leaves by the nearest face. In the frame of
 * the box a capsule's axis is c + t u, |t| <= l. The vector from the box to it is e(t) = p(t) - clamp(p(t)), and half its square has the
 * derivative u e(t), which grows with t and is linear between the places where a coordinate enters or leaves the box: those bracket its root. An
 * axis that crosses the box leaves it by the least way along a face normal or across the axis and an edge.
 *
 * Where the nearest face of the box is as good a direction as that of the nearest points, the axis is clipped by its sides, and both ends of what
 * is left are touches; otherwise there are the nearest points and what the face has beside them. Features: 0 and 1 are the ends of the axis, 2 + a
 * side of the face where it was clipped. */
#pragma once

#include "box_box.hpp"

namespace crn
{

CRN_HD void touch_sphere_box(const Placed &a, const Placed &b, Touches &out)
{
    D3 x = into(b.R, a.c - b.c), e = x - clamped(b.half, x);
    double distance = norm(e);
    D3 n = (1 / distance) * e;
    if (!(distance > 1e-14 * norm(b.half)))
    {
        int best = 0;
        for (int k = 1; k < 3; ++k)
            best = at(b.half, k) - fabs(at(x, k)) < at(b.half, best) - fabs(at(x, best)) ? k : best;
        n = {0, 0, 0};
        set(n, best, at(x, best) >= 0 ? 1.0 : -1.0);
        distance = fabs(at(x, best)) - at(b.half, best);
    }
    n = out_of(b.R, n);
    add_touch(out, distance - a.radius, n, a.c - a.radius * n, 0);
}

/* A capsule's axis in the frame of a box. */
struct BoxLine
{
    D3 c, u, half; /* half: of the box */
    double l;

    CRN_HD D3 place(double t) const
    {
        return c + t * u;
    }
    CRN_HD double slope(double t) const
    {
        D3 x = place(t);
        return dot(u, x - clamped(half, x));
    }
};

/* Where the slope vanishes between two neighbouring places. */
CRN_HD double line_root(const BoxLine &s, double low, double high)
{
    double middle = 0.5 * (low + high), A = 0, B = 0;
    D3 x = s.place(middle);
    for (int k = 0; k < 3; ++k)
        if (fabs(at(x, k)) > at(s.half, k))
        {
            A += at(s.u, k) * (at(s.c, k) - (at(x, k) > 0 ? at(s.half, k) : -at(s.half, k)));
            B += at(s.u, k) * at(s.u, k);
        }
    double t = B > 0 ? -A / B : middle;
    return t < low ? low : t > high ? high : t;
}

CRN_HD double nearest_on_line(const BoxLine &s)
{
    double low = -s.l, high = s.l;
    if (s.slope(low) >= 0)
        return low;
    if (s.slope(high) <= 0)
        return high;
    for (int k = 0; k < 6; ++k)
    {
        double side = k % 2 ? at(s.half, k / 2) : -at(s.half, k / 2), t = (side - at(s.c, k / 2)) / at(s.u, k / 2);
        if (!(t > low && t < high))
            continue;
        if (s.slope(t) < 0)
            low = t;
        else
            high = t;
    }
    return line_root(s, low, high);
}

/* m: how far the axis is from the box along a unit n, of which the sign is chosen. */
CRN_HD double line_apart(const BoxLine &s, D3 &n)
{
    double along = dot(n, s.c), reach = s.l * fabs(dot(n, s.u)) + shadow(s.half, n);
    n = along < 0 ? -1.0 * n : n;
    return fabs(along) - reach;
}

/* The direction of the least way out of the box, for an axis that crosses it. */
CRN_HD double least_way_out(const BoxLine &s, D3 &best)
{
    double apart = -INFINITY;
    for (int k = 0; k < 6; ++k)
    {
        D3 e = {k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0}, n = k < 3 ? e : cross(e, s.u);
        double size = norm(n);
        if (!(size > 1e-9))
            continue;
        n = (1 / size) * n;
        double here = line_apart(s, n);
        if (here > apart + (k < 3 ? 0 : 1e-12 * norm(s.half)))
        {
            apart = here;
            best = n;
        }
    }
    return apart;
}

/* The part of the axis over a face, as touches along its normal. False where there is none, or none as near as `reach`. */
CRN_HD bool clip_line(const Placed &a, const Placed &b, const BoxLine &s, int axis, double sign, double reach, const Beside *beside, Touches &out)
{
    double low = -s.l, high = s.l, slop = 1e-7 * least(a.size, b.size);
    int name[2] = {0, 1};
    for (int k = 1; k < 3; ++k)
    {
        int side = (axis + k) % 3;
        double half = at(s.half, side) + slop, c = at(s.c, side), u = at(s.u, side);
        if (fabs(u) * s.l < slop)
        {
            if (fabs(c) > half)
                return false;
            continue;
        }
        double first = ((u > 0 ? -half : half) - c) / u, last = ((u > 0 ? half : -half) - c) / u;
        name[0] = first > low ? 2 + 2 * k + (u > 0) : name[0];
        name[1] = last < high ? 2 + 2 * k + (u < 0) : name[1];
        low = most(low, first);
        high = least(high, last);
    }
    double gap[2] = {sign * at(s.place(low), axis) - at(s.half, axis), sign * at(s.place(high), axis) - at(s.half, axis)};
    if (!(low <= high) || !(least(gap[0], gap[1]) <= reach))
        return false;
    D3 n = sign * at(b.R, axis);
    bool any = false;
    for (int k = 0; k < 2; ++k)
    {
        D3 point = b.c + out_of(b.R, s.place(k ? high : low)) - a.radius * n;
        if (beside && (gap[k] - a.radius < beside->gap || norm(point - beside->point) <= beside->apart))
            continue;
        add_touch(out, gap[k] - a.radius, n, point, name[k]);
        any = true;
    }
    return any;
}

CRN_HD void touch_capsule_box(const Placed &a, const Placed &b, Touches &out)
{
    BoxLine s = {into(b.R, a.c - b.c), into(b.R, a.R.z), b.half, a.half.z};
    double t = nearest_on_line(s), thickness = least(a.size, b.size);
    D3 x = s.place(t), e = x - clamped(b.half, x), n = {0, 0, 1};
    double distance = norm(e);
    if (distance > 1e-4 * thickness)
        n = (1 / distance) * e;
    else
        distance = least_way_out(s, n);
    if (distance - a.radius > out.limit)
        return;
    int axis = fabs(n.y) > fabs(n.x) ? 1 : 0;
    axis = fabs(n.z) > fabs(at(n, axis)) ? 2 : axis;
    double sign = at(n, axis) < 0 ? -1 : 1, bias = 1e-9 * thickness;
    double face = sign * at(s.c, axis) - s.l * fabs(at(s.u, axis)) - at(s.half, axis);
    if (face >= distance - bias && clip_line(a, b, s, axis, sign, most(distance, 0) + bias, nullptr, out))
        return;
    D3 point = b.c + out_of(b.R, x - a.radius * n);
    add_touch(out, distance - a.radius, out_of(b.R, n), point, FEATURE_NEAR);
    Beside beside = {point, distance - a.radius, 0.1 * thickness};
    if (fabs(at(n, axis)) > 0.9)
        clip_line(a, b, s, axis, sign, INFINITY, &beside, out);
}

} // namespace crn
