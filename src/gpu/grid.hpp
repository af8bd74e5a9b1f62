/* Cells, and bodies in their order.
 *
 * A level of cells is a box of 2^a x 2^b x 2^c cells that repeats in all directions. A cell then also holds bodies from far away, which cost a
 * comparison and nothing else, so that no bounds of the scene are needed. A body belongs to the level whose cells are just larger than
 * its sphere. Cells follow each other along the shortest side of the scene first, along the longest last: bodies that touch are then close in
 * memory. Along the first they are half as long: fewer bodies are compared, and no more rows are looked up.
 */
#pragma once

#include "world.hpp"

namespace crn
{

CRN_HD int level_of(I2 tag)
{
    return (int)((unsigned)tag.y >> 24);
}
CRN_HD int material_of(I2 tag)
{
    return tag.y & 0xffffff;
}

CRN_HD double along(D4 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

/* A periodic box: places are never wrapped, so that displacements are continuous; cells and searches see the image in the box about the origin, and two
 * bodies meet by the shortest way between their images. */
CRN_HD double shortest(double d, double box)
{
    return box > 0 ? d - box * rint(d / box) : d;
}
CRN_HD D3 shortest(const World &world, D3 d)
{
    return world.is_periodic ? D3{shortest(d.x, world.box[0]), shortest(d.y, world.box[1]), shortest(d.z, world.box[2])} : d;
}
CRN_HD D4 folded(const World &world, D4 x)
{
    D3 y = shortest(world, xyz(x));
    return {y.x, y.y, y.z, x.w};
}

CRN_HD long long cell_at(double x, double inverse)
{
    return (long long)floor(x * inverse);
}

CRN_HD int wrap(long long cell, int bits)
{
    return (int)(cell & ((1ll << bits) - 1));
}

CRN_HD int cell_index(const Level &level, int a, int b, int c)
{
    return level.first + a + ((b + (c << level.bits[1])) << level.bits[0]);
}

/* m: the sphere's radius and how far it can come in this step, with something to spare: its neighbours may accelerate it. */
CRN_HD real reach_of(const World &world, D4 x, R4 v)
{
    double h = world.batch->h, *g = world.batch->gravity;
    double speed = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    double fall = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * h * h;
    return (real)((x.w + 1.5 * h * speed + fall + 0.005 * x.w) * (1 + 1e-6));
}

/* The largest reach on a level. Nearly all are on the finest one, where a warp raises it together. */
CRN_HD void raise_level(const World &world, int l, real reach)
{
    real most = reach;
#ifdef __CUDA_ARCH__
    unsigned all = __activemask(), finest = __ballot_sync(all, l == 0);
    int together = __reduce_max_sync(all, l == 0 ? __float_as_int(reach) : 0);
    if (l == 0 && (int)(threadIdx.x & 31) != __ffs(finest) - 1)
        return;
    most = l == 0 ? __int_as_float(together) : reach;
#endif
    if (most > glimpse(world.level_reach + l))
        raise_to(world.level_reach + l, most);
}

/* Driven bodies go where the host says. Their kept state is that of this step. */
struct DriveBodies
{
    World world;
    CRN_HD void operator()(int i) const
    {
        if (world.kept.m[i].v.w != 0 || world.counters->full)
            return;
        int driven = world.driven_of[world.kept.tag[i].x];
        if (driven < 0)
            return;
        const crn_gpu_drive &drive = world.drive[(long long)world.counters->taken * world.driven + driven];
        double r = world.kept.x[i].w;
        world.kept.x[i] = {drive.x[0], drive.x[1], drive.x[2], r};
        world.kept.q[i] = {drive.q[0], drive.q[1], drive.q[2], drive.q[3]};
        world.kept.m[i].v = {(real)drive.v[0], (real)drive.v[1], (real)drive.v[2], 0};
        world.kept.m[i].w = {(real)(r * drive.w[0]), (real)(r * drive.w[1]), (real)(r * drive.w[2]), 0};
    }
};

struct DrivePlanes
{
    World world;
    CRN_HD void operator()(int k) const
    {
        crn_gpu_plane &plane = world.plane[k];
        if (plane.driven >= 0 && !world.counters->full)
        {
            const crn_gpu_drive &drive = world.drive[(long long)world.counters->taken * world.driven + plane.driven];
            plane.offset = plane.n[0] * drive.x[0] + plane.n[1] * drive.x[1] + plane.n[2] * drive.x[2];
            for (int i = 0; i < 3; ++i)
                plane.v[i] = drive.v[i];
        }
        world.sorted.m[world.n + k].v = {(real)plane.v[0], (real)plane.v[1], (real)plane.v[2], 0};
        world.sorted.m[world.n + k].w = {0, 0, 0, 0};
    }
};

/* Kept body i is at x. A search around a place that is none would not end. */
CRN_HD void check_place(const World &world, int i, D4 x)
{
    R4 v = world.kept.m[i].v, w = world.kept.m[i].w;
    double sum = fabs(x.x) + fabs(x.y) + fabs(x.z) + fabs(v.x) + fabs(v.y) + fabs(v.z) + fabs(w.x) + fabs(w.y) + fabs(w.z);
    if (sum < 1e30)
        return;
    raise_to(&world.counters->lost, 1 + world.kept.tag[i].x);
    world.counters->full = 1;
}

/* The order of the cells, and of what is in one by number, so that it does not depend on who came first. */
CRN_HD void come_to(const World &world, int i, int cell)
{
    world.cell[i] = cell;
    world.arrival[i] = add_to(world.cell_count + cell, 1);
}

struct EnterCells
{
    World world;
    CRN_HD void operator()(int i) const
    {
        world.entered[world.cell_first[world.cell[i]] + world.arrival[i]] = i;
    }
};

/* The place of `number` in that order. */
CRN_HD int place_in_order(const World &world, int number)
{
    int cell = world.cell[number], first = world.cell_first[cell], end = world.cell_first[cell + 1], place = first;
    for (int k = first; k < end; ++k)
        place += world.entered[k] < number;
    return place;
}

/* Before a step counts anything. */
struct Begin
{
    World world;
    CRN_HD void operator()(int i) const
    {
        if (i <= world.cells)
            world.cell_count[i] = 0;
        if (i < LEVELS)
            world.level_reach[i] = 0;
        if (i < MOST_SEARCHES)
            world.counters->struck[i] = 0;
        if (i < world.planes)
            DrivePlanes{world}(i);
        if (world.driven > 0 && i < world.n)
            DriveBodies{world}(i);
        if (i == 0)
            world.count[world.has_shapes ? world.shapes.count : world.n] = 0; /* the sums of counts have one more */
    }
};

struct FindCells
{
    World world;
    CRN_HD void operator()(int i) const
    {
        D4 x = world.kept.x[i];
        check_place(world, i, x);
        x = folded(world, x);
        int l = level_of(world.kept.tag[i]);
        const Level &level = world.level[l];
        int cell[3];
        for (int k = 0; k < 3; ++k)
            cell[k] = wrap(cell_at(along(x, level.axis[k]), level.inverse[k]), level.bits[k]);
        come_to(world, i, cell_index(level, cell[0], cell[1], cell[2]));
        raise_level(world, l, reach_of(world, x, world.kept.m[i].v));
    }
};

struct Permute
{
    World world;
    CRN_HD void operator()(int entry) const
    {
        int from = world.entered[entry], i = place_in_order(world, from);
        D4 x = world.kept.x[from];
        R4 v = world.kept.m[from].v;
        world.from[i] = from;
        world.sorted.x[i] = x;
        world.sorted.q[i] = world.kept.q[from];
        world.sorted.m[i].v = v;
        world.sorted.m[i].w = world.kept.m[from].w;
        world.sorted.tag[i] = world.kept.tag[from];
        D4 y = folded(world, x);
        world.near[i] = {(real)y.x, (real)y.y, (real)y.z, reach_of(world, x, v)};
        world.mask[i] = 0;
        world.best[i] = 0;
        world.struck[0][i] = 0;
    }
};

} // namespace crn
