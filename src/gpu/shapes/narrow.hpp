/* From pairs of shapes to contacts: the touches of each pair, counted and stored; then contacts with the impulse and the colour that the
 * same feature of the same pair had in the last step. */
#pragma once

#include "../contact.hpp"
#include "kinds.hpp"
#include "laws.hpp"
#include "pairs.hpp"

namespace crn
{

enum
{
    PAIR_KINDS = 128 /* ten times ten, and more for pairs that are none */
};

/* The two shapes of a pair in the order of its touches. */
struct Couple
{
    int a, b; /* shapes */
};

CRN_HD Couple couple_of(const World &world, int p)
{
    I2 pair = world.shapes.pair[p];
    int kind_a = world.shapes.shape[pair.x].kind, kind_b = world.shapes.shape[pair.y].kind;
    bool swapped = kind_a > kind_b || (kind_a == kind_b && pair.x > pair.y);
    return swapped ? Couple{pair.y, pair.x} : Couple{pair.x, pair.y};
}

/* What the touches of a pair take to find. */
struct PairKinds
{
    World world;
    CRN_HD void operator()(int p) const
    {
        const Shapes &shapes = world.shapes;
        int kind = PAIR_KINDS - 1;
        if (p < world.counters->pairs)
        {
            Couple of = couple_of(world, p);
            kind = CRN_GPU_KINDS * shapes.shape[of.a].kind + shapes.shape[of.b].kind;
        }
        shapes.pair_number[p] = p;
        shapes.pair_kind[p] = (uint16_t)kind;
    }
};

/* m/s: of a point of a body. */
CRN_HD D3 point_velocity(const World &world, int body, D3 arm)
{
    const Motion &m = world.sorted.m[body];
    return wide(xyz(m.v)) + cross(wide(xyz(m.w)), arm);
}

CRN_HD bool is_general(int kind)
{
    return kind >= CRN_GPU_ELLIPSOID && kind <= CRN_GPU_HULL;
}

/* In two kernels, so that simple shapes do not need the registers and the stack of general ones. */
template <bool IS_GENERAL> struct Narrow
{
    World world;

    /* m: half the least thickness of what can move. */
    CRN_HD double size_of(const Shape &a, const Shape &b) const
    {
        bool moves_a = world.sorted.m[a.body].v.w != 0, moves_b = world.sorted.m[b.body].v.w != 0;
        return !moves_a ? b.size : !moves_b ? a.size : least(a.size, b.size);
    }

    CRN_HD void operator()(int i) const
    {
        const Shapes &shapes = world.shapes;
        int p = shapes.pair_order[i];
        if (p >= world.counters->pairs)
        {
            shapes.touch_count[p] = 0;
            return;
        }
        Couple of = couple_of(world, p);
        const Shape &a = shapes.shape[of.a], &b = shapes.shape[of.b];
        if (IS_GENERAL != (is_general(a.kind) || is_general(b.kind)))
            return;
        Placed pa = place_of(world, of.a), pb = place_of(world, of.b);
        D3 apart = pa.c - pb.c, move = is_wall(b.kind) ? D3{0, 0, 0} : apart - shortest(world, apart); /* to the image of b that a meets */
        pb.c = pb.c + move;
        double size = size_of(a, b), spare = spare_of(world, size), h = world.batch->h;
        Touches found;
        found.count = 0;
        const real *struck = world.looks > 1 ? world.struck[world.looks - 2] : nullptr; /* as the last look knew them */
        double sent = struck ? (double)struck[a.body] + (double)struck[b.body] : 0.0;
        found.limit = spare + h * (1.5 * closing_of(a, b, pa.c, move) + sent);
        if constexpr (IS_GENERAL)
            touch_general(world, pa, pb, found);
        else
            touch_pair(world, pa, pb, found);
        keep(p, a, b, move, size, spare, sent, found);
    }

    /* m/s: how fast two points of the shapes can come together: both are near a, which is no wall. */
    CRN_HD double closing_of(const Shape &a, const Shape &b, D3 x, D3 move) const
    {
        D3 xa = xyz(world.sorted.x[a.body]), xb = xyz(world.sorted.x[b.body]) + move;
        D3 turn = wide(xyz(world.sorted.m[a.body].w)) - wide(xyz(world.sorted.m[b.body].w));
        return norm(point_velocity(world, a.body, x - xa) - point_velocity(world, b.body, x - xb)) + 2 * turning_speed(world, turn, a.bound);
    }

    /* Those that can close at the fastest approach of them all. */
    CRN_HD void keep(int p, const Shape &a, const Shape &b, D3 move, double size, double spare, double sent, const Touches &found) const
    {
        D3 xa = xyz(world.sorted.x[a.body]), xb = xyz(world.sorted.x[b.body]) + move;
        double closing = 0;
        for (int i = 0; i < found.count; ++i)
        {
            const Touch &t = found.at[i];
            D3 u = point_velocity(world, a.body, t.point - xa) - point_velocity(world, b.body, t.point - t.gap * t.n - xb);
            closing = least(closing, dot(u, t.n));
        }
        int count = 0;
        for (int i = 0; i < found.count; ++i)
        {
            const Touch &t = found.at[i];
            if (!(t.gap + world.batch->h * (1.5 * closing - sent) < spare))
                continue;
            long long at = (long long)p * MOST_TOUCHES + count++;
            world.shapes.touch[at] = {with(narrow(t.n), (real)t.gap), with(narrow(t.point - xa), (real)size),
                                      with(narrow(t.point - t.gap * t.n - xb), 0)};
            world.shapes.touch_feature[at] = t.feature;
        }
        world.shapes.touch_count[p] = count;
    }
};

/* Where a feature of a pair was among the contacts of the last step that the shape `finder` found; -1: nowhere. */
CRN_HD int recall(const World &world, int finder, int other, int feature)
{
    for (int k = world.last.first[finder]; k < world.last.first[finder + 1]; ++k)
        if (world.last.other[k] == other && world.shapes.last_feature[k] == feature)
            return k;
    return -1;
}

struct FillTouches
{
    World world;
    CRN_HD void operator()(int p) const
    {
        if (world.counters->full || p >= world.counters->pairs)
            return;
        I2 pair = world.shapes.pair[p];
        Couple of = couple_of(world, p);
        for (int m = 0; m < world.shapes.touch_count[p]; ++m)
        {
            int k = world.shapes.touch_first[p] + m;
            fill(world.shapes.shape[of.a], world.shapes.shape[of.b], (long long)p * MOST_TOUCHES + m, k);
            if (world.domain.name)
                name(of, pair.x, k);
            remember(pair, k);
        }
    }

    CRN_HD void fill(const Shape &a, const Shape &b, long long from, int k) const
    {
        const Stored &t = world.shapes.touch[from];
        D3 n = wide(xyz(t.n)), u = point_velocity(world, a.body, wide(xyz(t.arm_a))) - point_velocity(world, b.body, wide(xyz(t.arm_b)));
        Geometry at = {n, t.n.w, dot(u, n), t.arm_a.w};
        int kind = world.pair_class[a.material * world.materials + b.material];
        world.pair[k] = pack(a.body, b.body, kind);
        world.n_bias[k] = with(xyz(t.n), (real)bias_of(world, at, world.restitution[kind]));
        world.shapes.arm_a[k] = t.arm_a;
        world.shapes.arm_b[k] = with(xyz(t.arm_b), t.n.w);
        world.shapes.feature[k] = world.shapes.touch_feature[from];
    }

    CRN_HD void name(Couple of, int finder, int k) const
    {
        unsigned long long x = scramble((unsigned long long)world.domain.global_shape[of.a]);
        x = scramble(x + (unsigned long long)world.domain.global_shape[of.b]);
        world.domain.name[k] = scramble(x + (unsigned long long)world.shapes.feature[k]);
        world.domain.finder[k] = finder;
    }

    CRN_HD void remember(I2 pair, int k) const
    {
        int feature = world.shapes.feature[k], before = recall(world, pair.x, pair.y, feature);
        if (before < 0 && pair.y < world.shapes.count)
            before = recall(world, pair.y, pair.x, feature);
        R4 r = {0, 0, 0, 0};
        int colour = UNCOLOURED;
        if (before >= 0)
        {
            real warm = (real)(world.batch->h / *world.kept_h); /* if the last step was longer, so were its impulses */
            R4 old = world.last.r[before];
            colour = world.last.colour[before];
            r = with(across(warm * xyz(old), xyz(world.n_bias[k])), warm * old.w);
        }
        if (world.shapes.extra)
            recall_extra(world, k, before, before >= 0 ? (real)(world.batch->h / *world.kept_h) : 0);
        world.found.other[k] = pair.y;
        world.found.r[k] = r;
        world.found.colour[k] = (uint8_t)colour;
        if (colour < COLOURS)
            occupy(first_of(world.pair[k]), second_of(world.pair[k]), 1ull << colour);
        else
            world.list[0][add_to(&world.counters->list[0], 1)] = k;
    }

    CRN_HD void occupy(int a, int b, unsigned long long bit) const
    {
        if (world.sorted.m[a].v.w != 0)
            set_bits(world.mask + a, bit);
        if (world.sorted.m[b].v.w != 0)
            set_bits(world.mask + b, bit);
    }
};

/* Into the order of the sweeps. */
struct GatherArms
{
    World world;
    CRN_HD void operator()(int k) const
    {
        if (k >= world.counters->contacts)
            return;
        put(world.shapes.ordered_arm_a + k, get(world.shapes.arm_a + world.order[k]));
        put(world.shapes.ordered_arm_b + k, get(world.shapes.arm_b + world.order[k]));
        if (world.shapes.extra)
            put(world.shapes.ordered_extra + k, get(world.shapes.extra + world.order[k]));
    }
};

/* What the next step needs to find its contacts again. */
struct KeepFirsts
{
    World world;
    CRN_HD void operator()(int s) const
    {
        if (!world.counters->full)
            world.last.first[s] = world.shapes.touch_first[world.shapes.pair_first[s]];
    }
};
struct KeepFeatures
{
    World world;
    CRN_HD void operator()(int k) const
    {
        if (k < world.counters->contacts && !world.counters->full)
        {
            world.shapes.last_feature[k] = world.shapes.feature[k];
            if (world.shapes.extra)
                put(world.shapes.last_extra + world.order[k], get(world.shapes.ordered_extra + k));
        }
    }
};

} // namespace crn
