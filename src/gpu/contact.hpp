/* The contacts of a step: normal, bias and class, with the impulse and the colour that the same pair had in the last step.
 *
 * The bias w_n of u_n + w_n >= 0 is that of the processor's compact step (step/compact/view.c): gap/h while there is a gap, e u_n of a contact
 * that bounces, and of an overlap only a share, unless it is deep.
 */
#pragma once

#include "grid.hpp"

namespace crn
{

struct Geometry
{
    D3 n;            /* from b to a */
    double gap, u_n; /* m; m/s, at the start of the step */
    double size;     /* m: of the smaller body that can move */
};

/* Between sorted body i and another one or half-space -1 - k, where bodies are at these places. */
CRN_HD Geometry geometry_of(const World &world, const D4 *place, const Motion *motion, int i, int other)
{
    D4 x = place[i];
    D3 v = wide(xyz(motion[i].v));
    if (other < 0)
    {
        const crn_gpu_plane &plane = world.plane[-1 - other];
        D3 n = {plane.n[0], plane.n[1], plane.n[2]}, drive = {plane.v[0], plane.v[1], plane.v[2]};
        return {n, dot(n, xyz(x)) - plane.offset - x.w, dot(n, v - drive), x.w};
    }
    D4 y = place[other];
    D3 e = shortest(world, xyz(x) - xyz(y));
    double length = sqrt(dot(e, e));
    D3 n = {0, 0, 1}; /* two centres at one place: any direction */
    if (length > 0)
        n = (1 / length) * e;
    double size = motion[i].v.w == 0 ? y.w : motion[other].v.w == 0 ? x.w : x.w < y.w ? x.w : y.w;
    return {n, length - x.w - y.w, dot(n, v - wide(xyz(motion[other].v))), size};
}

CRN_HD double bias_of(const World &world, const Geometry &at, double restitution)
{
    double h = world.batch->h;
    bool closes = at.gap + h * at.u_n < 0;
    if (restitution > 0 && closes && at.u_n < -world.restitution_threshold)
        return restitution * at.u_n;
    if (at.gap > 0)
        return at.gap / h;
    double push = world.push_out ? at.gap / (h > world.step ? h : world.step) : 0.0;
    double slow = at.u_n < -world.push_out_speed ? at.u_n : -world.push_out_speed, w = push > slow ? push : slow;
    double share = world.counters->push_share * w, deep = w + 0.01 * at.size / h;
    return share < deep ? share : deep;
}

/* Where the contact of kept bodies i and other was among those of the last step; -1: nowhere. */
CRN_HD int recall(const Found &last, int i, int other)
{
    for (int k = last.first[i]; k < last.first[i + 1]; ++k)
        if (last.other[k] == other)
            return k;
    return -1;
}

struct Fill
{
    static constexpr int MANY = 1 << 16, MORE = 1 << 18; /* bodies from which on each has fewer lanes, and one */
    World world;
    template <class Lanes> CRN_HD void operator()(int i, const Lanes &lanes) const
    {
        if (world.counters->full)
            return;
        for (int m = lanes.rank(); m < world.count[i]; m += lanes.size())
            fill(i, world.slot[(long long)m * world.n + i], world.found.first[i] + m);
    }

    CRN_HD void fill(int i, int other, int k) const
    {
        Geometry at = geometry_of(world, world.sorted.x, world.sorted.m, i, other);
        int material = other < 0 ? world.plane[-1 - other].material : material_of(world.sorted.tag[other]);
        int kind = world.pair_class[material_of(world.sorted.tag[i]) * world.materials + material];
        int b = other < 0 ? world.n - 1 - other : other;
        world.found.other[k] = other;
        world.pair[k] = pack(i, b, kind);
        if (world.domain.name)
            world.domain.name[k] = name_of(i, other);
        world.n_bias[k] = with(narrow(at.n), (real)bias_of(world, at, world.restitution[kind]));
        remember(i, other, k, narrow(at.n));
    }

    CRN_HD unsigned long long name_of(int i, int other) const
    {
        const long long *global = world.domain.global;
        long long b = other < 0 ? other : global[world.sorted.tag[other].x];
        return scramble(scramble((unsigned long long)global[world.sorted.tag[i].x]) + (unsigned long long)b);
    }

    /* The last step's impulse, turned into the new tangent plane, and its colour. */
    CRN_HD void remember(int i, int other, int k, R3 n) const
    {
        int from = world.from[i], from_other = other < 0 ? other : world.from[other];
        real warm = (real)(world.batch->h / *world.kept_h); /* if the last step was longer, so were its impulses */
        int before = recall(world.last, from, from_other);
        if (before < 0 && other >= 0)
        {
            before = recall(world.last, from_other, from);
            warm = -warm;
        }
        R4 r = {0, 0, 0, 0};
        int colour = UNCOLOURED;
        if (before >= 0)
        {
            R4 old = world.last.r[before];
            colour = world.last.colour[before];
            r = with(across(warm * xyz(old), n), fabs(warm) * old.w);
        }
        world.found.r[k] = r;
        world.found.colour[k] = (uint8_t)colour;
        if (colour < COLOURS)
            occupy(i, other, 1ull << colour);
        else
            world.list[0][add_to(&world.counters->list[0], 1)] = k;
    }

    CRN_HD void occupy(int i, int other, unsigned long long bit) const
    {
        if (world.sorted.m[i].v.w != 0)
            set_bits(world.mask + i, bit);
        if (other >= 0 && world.sorted.m[other].v.w != 0)
            set_bits(world.mask + other, bit);
    }
};

/* v + h g; v itself is still in the kept state. */
struct FreeVelocities
{
    World world;
    CRN_HD void operator()(int i) const
    {
        R4 v = world.sorted.m[i].v;
        const Batch &b = *world.batch;
        if (v.w != 0)
            world.sorted.m[i].v = {(real)(v.x + b.h * b.gravity[0]), (real)(v.y + b.h * b.gravity[1]),
                                 (real)(v.z + b.h * b.gravity[2]), v.w};
    }
};

} // namespace crn
