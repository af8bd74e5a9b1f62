/* What forces do in a step: their impulses before the sweeps, and their work once the velocities at its end are known. */
#pragma once

#include "../shapes/turn.hpp"

namespace crn
{

struct Impulse
{
    D3 p, moment; /* N s, N m s: in the world, about the centre */
};

/* rad/s: what a moment changes of a body's angular velocity. */
CRN_HD D3 turned_body(const World &world, int i, D3 moment)
{
    if (!world.has_shapes)
        return (world.sorted.m[i].w.w / (world.sorted.x[i].w * world.sorted.x[i].w)) * moment;
    Axes R = axes_of(world.sorted.q[i]);
    return out_of(R, row_times(world.shapes.mass[i].inverse, into(R, moment)));
}

/* kg m^2/s: of a body that turns with w. */
CRN_HD D3 spin_of(const World &world, int i, D3 w)
{
    if (!world.has_shapes)
    {
        double nimble = world.sorted.m[i].w.w;
        return (nimble > 0 ? world.sorted.x[i].w * world.sorted.x[i].w / nimble : 0.0) * w;
    }
    Axes R = axes_of(world.sorted.q[i]);
    return out_of(R, row_times(world.shapes.mass[i].I, into(R, w)));
}

/* The motion of body i at the start of the step: m/s and rad/s. */
CRN_HD D3 start_velocity(const World &world, int i, D3 *w)
{
    const Motion &m = world.kept.m[world.has_shapes ? i : world.from[i]];
    *w = (1 / world.sorted.x[i].w) * wide(xyz(m.w));
    return wide(xyz(m.v));
}

CRN_HD D3 vector_at(const double x[3])
{
    return {x[0], x[1], x[2]};
}

CRN_HD Impulse force_impulse(const World &world, int i, int f)
{
    const Forces &forces = world.forces;
    const crn_gpu_load &load = forces.load[(long long)world.counters->taken * forces.count + f];
    Axes R = axes_of(world.sorted.q[i]);
    D3 F = vector_at(load.force), T = vector_at(load.torque), arm = out_of(R, vector_at(forces.force[f].point));
    if (forces.force[f].is_own)
    {
        F = out_of(R, F);
        T = out_of(R, T);
    }
    return {world.batch->h * F, world.batch->h * (T + cross(arm, F))};
}

/* F of (1 + h (c + h k) W) F = -k (x - target) - (c + h k) (v + s w x a + h g), W = 1/m - s [a]x J^-1 [a]x, s = 1/(1 + h c/m). */
CRN_HD Impulse pull_impulse(const World &world, int i)
{
    const crn_gpu_pull &pull = *world.forces.pull;
    double h = world.batch->h, light = world.sorted.m[i].v.w, damping = pull.damping * light, share = 1 / (1 + h * damping);
    double drag = pull.damping + h * pull.stiffness;
    D3 w, v = start_velocity(world, i, &w), arm = out_of(axes_of(world.sorted.q[i]), vector_at(pull.point));
    D3 off = xyz(world.sorted.x[i]) + arm - vector_at(pull.target), column[3];
    for (int k = 0; k < 3; ++k)
    {
        D3 e = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        D3 moved = light * e + share * cross(turned_body(world, i, cross(arm, e)), arm);
        column[k] = e + (h * drag) * moved;
    }
    D3 speed = v + share * cross(w, arm) + h * vector_at(world.batch->gravity);
    D3 F = solve33(column[0], column[1], column[2], (-pull.stiffness) * off - drag * speed); /* it is symmetric */
    return {h * F, (h * share) * (cross(arm, F) - damping * spin_of(world, i, w))};
}

struct ApplyForces
{
    World world;
    CRN_HD void operator()(int i) const
    {
        const Forces &forces = world.forces;
        Motion &m = world.sorted.m[i];
        int number = world.sorted.tag[i].x;
        Impulse sum = {{0, 0, 0}, {0, 0, 0}};
        bool acts = forces.pull->body == number;
        if (m.v.w == 0)
            return;
        if (acts)
            sum = pull_impulse(world, i);
        for (int f = forces.first[number]; f < forces.first[number + 1]; ++f)
        {
            Impulse one = force_impulse(world, i, f);
            sum = {sum.p + one.p, sum.moment + one.moment};
            acts = true;
        }
        forces.impulse[2 * number] = sum.p;
        forces.impulse[2 * number + 1] = sum.moment;
        if (!acts)
            return;
        D3 turn = world.sorted.x[i].w * turned_body(world, i, sum.moment);
        m = {with(narrow(wide(xyz(m.v)) + (double)m.v.w * sum.p), m.v.w), with(narrow(wide(xyz(m.w)) + turn), m.w.w)};
    }
};

/* Before the bodies move. */
struct WorkForces
{
    World world;
    CRN_HD void operator()(int i) const
    {
        const Forces &forces = world.forces;
        const Motion &m = world.sorted.m[i];
        int number = world.sorted.tag[i].x;
        bool is_pulled = forces.pull->body == number;
        if (m.v.w == 0 || world.counters->full || (!is_pulled && forces.first[number] == forces.first[number + 1]))
            return;
        D3 w, v = start_velocity(world, i, &w);
        v = 0.5 * (v + wide(xyz(m.v)));
        w = 0.5 * (w + (1 / world.sorted.x[i].w) * wide(xyz(m.w)));
        for (int f = forces.first[number]; f < forces.first[number + 1]; ++f)
        {
            Impulse one = force_impulse(world, i, f);
            forces.work[f] += dot(one.p, v) + dot(one.moment, w);
        }
        if (!is_pulled)
            return;
        Impulse one = pull_impulse(world, i);
        forces.work[forces.count] += dot(one.p, v) + dot(one.moment, w);
    }
};

} // namespace crn
