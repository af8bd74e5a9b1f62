/* The gyroscopic moment -w x I w of a body over a step, in its own frame:
 *
 *     euler   w' = w - h I^-1 (w x I w) ,
 *     stiff   (I - h [I w]x) w' = I w ,    antisymmetric beside I: no energy is gained, whatever the step (Anitescu & Potra 2002, 2.3.5).
 *
 * The impulses of contacts act afterwards, through I^-1. */
#pragma once

#include "../world.hpp"

namespace crn
{

CRN_HD D3 row_times(const double A[9], D3 x)
{
    return {A[0] * x.x + A[1] * x.y + A[2] * x.z, A[3] * x.x + A[4] * x.y + A[5] * x.z, A[6] * x.x + A[7] * x.y + A[8] * x.z};
}

/* x of A x = b, A given by its rows. */
CRN_HD D3 solve33(D3 a, D3 b, D3 c, D3 right)
{
    D3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    return (1 / dot(a, bc)) * (right.x * bc + right.y * ca + right.z * ab);
}

/* rad/s, in the world: what the angular velocity w of body i becomes without contacts. */
CRN_HD D3 free_turn(const World &world, int i, D3 w)
{
    const Mass &mass = world.shapes.mass[i];
    const double *I = mass.I, h = world.batch->h;
    Axes R = axes_of(world.sorted.q[i]);
    D3 own = into(R, w), L = row_times(I, own);
    if (mass.inverse[0] == 0)
        return w;
    if (!world.shapes.is_implicit)
        return w - h * out_of(R, row_times(mass.inverse, cross(own, L)));
    D3 rows[3] = {{I[0], I[1] + h * L.z, I[2] - h * L.y}, {I[3] - h * L.z, I[4], I[5] + h * L.x}, {I[6] + h * L.y, I[7] - h * L.x, I[8]}};
    return out_of(R, solve33(rows[0], rows[1], rows[2], L));
}

struct FreeTurns
{
    World world;
    CRN_HD void operator()(int i) const
    {
        Motion &m = world.sorted.m[i];
        if (m.v.w != 0)
            m.w = with(narrow(free_turn(world, i, wide(xyz(m.w)))), m.w.w);
    }
};

} // namespace crn
