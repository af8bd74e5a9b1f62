/* The end of a step: x += h v, orientations turned by h w, and contacts kept for the next step. Nothing happens after a step that was too large for
 * the memory. */
#pragma once

#include "world.hpp"

namespace crn
{

/* exp(h w / 2) q */
CRN_HD D4 turned(D4 q, D3 w, double h)
{
    double angle = h * sqrt(dot(w, w)), half = 0.5 * angle;
    double s = angle > 1e-9 ? sin(half) / angle * h : 0.5 * h, c = cos(half);
    D3 d = s * w, v = {q.y, q.z, q.w};
    double scalar = c * q.x - dot(d, v);
    D3 rest = c * v + q.x * d + cross(d, v);
    double size = 1 / sqrt(scalar * scalar + dot(rest, rest));
    return {size * scalar, size * rest.x, size * rest.y, size * rest.z};
}

struct Move
{
    World world;
    CRN_HD void operator()(int i) const
    {
        if (world.counters->full)
            return;
        double h = world.batch->h;
        D4 x = world.sorted.x[i];
        R4 v = world.sorted.m[i].v, w = world.sorted.m[i].w;
        bool moves = v.w != 0;
        world.kept.x[i] = moves ? with(xyz(x) + h * wide(xyz(v)), x.w) : x;
        world.kept.q[i] = moves ? turned(world.sorted.q[i], (1 / x.w) * wide(xyz(w)), h) : world.sorted.q[i];
        world.kept.m[i].v = v;
        world.kept.m[i].w = w;
        world.kept.tag[i] = world.sorted.tag[i];
        world.last.first[i] = world.found.first[i];
        if (i == 0)
            world.last.first[world.n] = world.found.first[world.n];
    }
};

struct KeepContacts
{
    World world;
    CRN_HD void operator()(int k) const
    {
        if (k >= world.counters->contacts || world.counters->full)
            return;
        world.last.other[k] = world.found.other[k];
        world.last.colour[k] = world.found.colour[k];
        put(world.last.r + world.order[k], get(world.ordered.r + k));
    }
};

struct Tick
{
    World world;
    CRN_HD void operator()(int) const
    {
        if (world.counters->full)
            return;
        ++world.counters->taken;
        *world.kept_h = world.batch->h;
    }
};

/* All of it in one kernel: every start of one takes time, in a small world as much as its work. */
struct Finish
{
    World world;
    CRN_HD void operator()(int i) const
    {
        if (i < world.n)
            Move{world}(i);
        if (i < world.capacity)
            KeepContacts{world}(i);
        if (i == 0)
            Tick{world}(i);
    }
};

} // namespace crn
