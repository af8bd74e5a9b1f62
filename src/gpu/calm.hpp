/* Calm sweeps: for steps in which some contact or other is always above the tolerance.
 *
 * The impulses of a jammed heap go on changing for ten thousands of sweeps, all together and slowly, although what drives them is far below the tolerance: its
 * self-stresses relax. On the way one contact after the other begins to slide, and what holds on to it is disturbed for some hundred sweeps. The larger
 * the heap, the less often there is a moment without. So a contact whose residual is within the share CALM of the tolerance is left alone, and another goes only
 * so far towards the impulse of its visit that the share LEFT of that is left:
 *
 *     r <- r + (1 - LEFT b / |F|) (r' - r)   where |F| > b ,    b = CALM tolerance scale ,
 *
 * with the natural map F of docs/certificate.md as a velocity. Then nothing drifts, and what has found its place keeps it. Momentum (momentum.hpp) goes on
 * between pairs of sweeps; where nothing has changed it changes nothing.
 */
#pragma once

#include "sweep.hpp"

namespace crn
{

enum
{
    BEFORE_CALM = 300,   /* sweeps, which carry loads across the heap */
    MOST_MOMENTUM = 5000 /* sweeps, after which they go on without: now and then it keeps up what it should end */
};
static const double CALM = 0.9;
static const real LEFT = (real)0.8;

/* In the precision of the sweeps. */
CRN_HD real natural_map(int law, real mu, real rho, R4 r, real u_n, R3 u_t)
{
    real shift = law == CRN_GPU_CONE ? mu * sqrt(dot(u_t, u_t)) : 0;
    R4 off = difference(r, project_cone(xyz(r) - rho * u_t, r.w - rho * (u_n + shift), mu));
    if (law == CRN_GPU_FRICTIONLESS)
        off = with(xyz(r), r.w < rho * u_n ? r.w : rho * u_n);
    return sqrt(dot(xyz(off), xyz(off)) + off.w * off.w) / rho;
}

CRN_HD real share_of_way(const World &world, real mu, real trace, R4 r, real u_n, R3 u_t)
{
    real residual = natural_map(world.law, mu, 3 / trace, r, u_n, u_t);
    return residual > world.calm ? 1 - LEFT * world.calm / residual : 0;
}

} // namespace crn
