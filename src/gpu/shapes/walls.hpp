/* Shapes against walls: half-spaces, and the inside of hollow cylinders and cones.
 *
 * A half-space touches the points of a shape's core that are furthest out: the centre of a sphere, the ends of a capsule, the corners of a
 * box, each with its own gap along the one normal. So does a hollow, whose hole is convex, with the distance of such a point from the wall
 * in its half-plane through the axis, exact also at the rims. The planes tangent to the wall at the other sides, a quarter turn apart,
 * bound the hole as well: a point within reach of them has a touch with each, as long as there is room for it. */
#pragma once

#include "touches.hpp"

namespace crn
{

/* The nearest part of a hollow to a point at the distance rho from its axis and the height z. */
struct HollowSide
{
    double distance, out, up; /* m; unit, away from the solid: outwards from the axis, and up */
    bool is_wall;             /* not a rim or an end */
};

CRN_HD HollowSide hollow_side(D3 half, double rho, double z)
{
    double h = half.z, width = half.x - half.y, slant = sqrt(width * width + 4 * h * h), x = rho - half.y;
    double t = (width * x + 2 * h * (z + h)) / slant, out = -2 * h / slant, up = width / slant;
    HollowSide side = {out * x + up * (z + h), out, up, t >= 0 && t <= slant};
    double cap = fabs(z) - h, rim = z > 0 ? half.x : half.y;
    if ((cap > 0 && rho >= rim) || (cap <= 0 && side.distance < cap))
        return {cap, 0, z > 0 ? 1.0 : -1.0, false};
    if (side.is_wall || (side.distance <= 0 && cap <= 0))
        return side;
    double away = rho - (t > 0 ? half.x : half.y), over = z - (t > 0 ? h : -h), size = sqrt(away * away + over * over);
    return {size, away / size, over / size, false};
}

/* Points of the core that are furthest out. */
CRN_HD int point_count(int kind)
{
    return kind == CRN_GPU_SPHERE ? 1 : kind == CRN_GPU_CAPSULE ? 2 : 8;
}
CRN_HD D3 core_point(const Placed &p, int i)
{
    if (p.kind == CRN_GPU_SPHERE)
        return p.c;
    if (p.kind == CRN_GPU_CAPSULE)
        return p.c + (i ? p.half.z : -p.half.z) * p.R.z;
    return p.c + out_of(p.R, {i & 1 ? p.half.x : -p.half.x, i & 2 ? p.half.y : -p.half.y, i & 4 ? p.half.z : -p.half.z});
}

CRN_HD void touch_half_space(const Placed &a, const Placed &b, Touches &out)
{
    for (int i = 0; i < point_count(a.kind); ++i)
    {
        D3 x = core_point(a, i);
        add_touch(out, dot(b.half, x - b.c) - a.radius, b.half, x - a.radius * b.half, i);
    }
}

/* One side of a hollow against one point: side 0 is the nearest, 1 to 3 are tangent planes. */
CRN_HD void touch_hollow_side(const Placed &a, const Placed &b, D3 x, int feature, int side, Touches &out)
{
    D3 y = into(b.R, x - b.c);
    double rho = sqrt(y.x * y.x + y.y * y.y), widest = most(b.half.x, b.half.y);
    double c = side == 0 ? 1 : side == 2 ? -1 : 0, s = side == 1 ? 1 : side == 3 ? -1 : 0;
    double ex = rho > 1e-9 * b.half.x ? y.x / rho : 1, ey = rho > 1e-9 * b.half.x ? y.y / rho : 0;
    HollowSide wall = hollow_side(b.half, c * rho, y.z);
    if (rho > 2 * widest || (side > 0 && !wall.is_wall)) /* outside of the ring, or no plane */
        return;
    D3 n = out_of(b.R, {wall.out * (c * ex - s * ey), wall.out * (s * ex + c * ey), wall.up});
    add_touch(out, wall.distance - a.radius, n, x - a.radius * n, 4 * feature + side);
}

CRN_HD void touch_hollow(const Placed &a, const Placed &b, Touches &out)
{
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < point_count(a.kind); ++i)
            touch_hollow_side(a, b, core_point(a, i), i, side, out);
}

/* m: from a point to a wall, at most. */
CRN_HD double wall_distance(const Placed &wall, D3 x)
{
    if (wall.kind == CRN_GPU_HALF_SPACE)
        return dot(wall.half, x - wall.c);
    D3 y = into(wall.R, x - wall.c);
    return hollow_side(wall.half, sqrt(y.x * y.x + y.y * y.y), y.z).distance;
}

} // namespace crn
