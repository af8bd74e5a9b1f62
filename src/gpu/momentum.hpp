/* Sweeps with momentum, for steps that have to meet a tolerance.
 *
 * Sweeps alone take out what is left of a load that has to cross a heap slowly. Let x be the impulses after a sweep forwards and one backwards. The next two
 * start from
 *
 *     y = x + beta (x - x before) ,    beta = (t - 1) / t' ,    t' = (1 + sqrt(1 + 4 t^2)) / 2 ,    t = 1 at first,
 *
 * as in Nesterov's method. Velocities are linear in the impulses, so they are continued likewise, and stay those that the impulses produce. y need not
 * obey the law; what the sweeps make of it does. Friction is no gradient of anything, and much momentum can drive it in circles, so momentum starts anew
 * every RESTART times.
 */
#pragma once

#include "world.hpp"

namespace crn
{

enum
{
    RESTART = 16,
    MOST_BETWEEN = 100, /* sweeps between two looks at the residual */
    PATIENCE = 1500     /* sweeps after which overlaps that keep a step from its tolerance are held */
};

/* The sequence of beta. */
class Pace
{
  public:
    real next()
    {
        if (count++ % RESTART == 0)
            t = 1;
        double before = t;
        t = 0.5 * (1 + sqrt(1 + 4 * t * t));
        return count == 1 ? (real)0.0 : (real)((before - 1) / t);
    }

  private:
    double t = 1;
    int count = 0;
};

CRN_HD R4 beyond(R4 now, R4 before, real beta)
{
    return {now.x + beta * (now.x - before.x), now.y + beta * (now.y - before.y), now.z + beta * (now.z - before.z),
            now.w + beta * (now.w - before.w)};
}

/* Body i, contact i and row i of the joints: continue by beta, and keep what there was. 1/m and r^2/J are the same before and after. */
struct Continue
{
    World world;
    real beta;
    CRN_HD void go_on(int i) const
    {
        R4 now = world.shapes.ordered_extra[i], before = world.before.extra[i];
        world.before.extra[i] = now;
        if (beta > 0)
            world.shapes.ordered_extra[i] = beyond(now, before, beta);
    }
    CRN_HD void operator()(int i) const
    {
        if (i < world.joints.count * CRN_GPU_ROWS)
        {
            double now = world.joints.z[i], before = world.before.z[i];
            world.before.z[i] = now;
            world.joints.z[i] = beta > 0 ? now + beta * (now - before) : now;
        }
        if (i < world.n && world.sorted.m[i].v.w != 0)
        {
            Motion now = world.sorted.m[i], before = world.before.m[i];
            world.before.m[i] = now;
            if (beta > 0)
                world.sorted.m[i] = {beyond(now.v, before.v, beta), beyond(now.w, before.w, beta)};
        }
        if (i < world.counters->contacts)
        {
            R4 now = world.ordered.r[i], before = world.before.r[i];
            world.before.r[i] = now;
            if (beta > 0)
                world.ordered.r[i] = beyond(now, before, beta);
            if (world.shapes.ordered_extra)
                go_on(i);
        }
    }
};

} // namespace crn
