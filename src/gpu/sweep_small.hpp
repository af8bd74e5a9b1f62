/* Sweeps over a small world in the shared memory of one cluster of blocks. CUDA only.
 *
 * Bodies are dealt out over the blocks, which reach each other's shared memory. A thread keeps its contact of each colour in that of its own
 * block. Visits are those of sweep.hpp, in the same order; where the contacts do not fit, its sweeps are taken instead.
 */
#pragma once

#include "sweep.hpp"

namespace crn
{

enum
{
    SMALL_COLOURS = 16,                /* of which every thread keeps a contact */
    SMALL_BYTES = 220 << 10            /* of shared memory of a block */
};

inline size_t small_bytes(int bodies)
{
    return (size_t)(bodies / CLUSTER + 1) * sizeof(Motion) + (size_t)SMALL_COLOURS * CLUSTER_BLOCK * sizeof(Held);
}

struct SmallWorld
{
    Motion *mine; /* of this block: bodies whose number is its own modulo the blocks */
    Held *held;   /* per colour and thread */

    __device__ Motion *at(int i) const
    {
        return cooperative_groups::this_cluster().map_shared_rank(mine + i / CLUSTER, i % CLUSTER);
    }
};

__device__ __forceinline__ void visit_small(const World &world, const SmallWorld &small, Held &c, bool is_start)
{
    Motion *pa = small.at(first_of(c.pair)), *pb = small.at(second_of(c.pair));
    Motion a = {get(&pa->v), get(&pa->w)}, b = {get(&pb->v), get(&pb->w)};
    F4 next = is_start ? c.r : solve_visit(world, c, a, b);
    F3 n = xyz(c.n), p = vector_of(n, is_start ? c.r : difference(next, c.r));
    if (is_zero(p))
        return;
    c.r = next;
    if (a.v.w != 0)
    {
        Motion to = moved(a, n, p, 1);
        put(&pa->v, to.v);
        put(&pa->w, to.w);
    }
    if (b.v.w != 0)
    {
        Motion to = moved(b, n, p, -1);
        put(&pb->v, to.v);
        put(&pb->w, to.w);
    }
}

/* Whether every thread has one contact of each colour at most. */
__device__ __forceinline__ bool fits_small(const Palette &palette, int threads)
{
    bool fits = palette.count <= SMALL_COLOURS && !palette.has_single;
    for (int i = 0; i < palette.count; ++i)
        fits = fits && palette.end[i] - palette.begin[i] <= threads;
    return fits;
}

__device__ __forceinline__ void deal_bodies(const World &world, const SmallWorld &small, bool back)
{
    int count = world.n + world.planes;
    for (int k = threadIdx.x; k * CLUSTER + blockIdx.x < count; k += CLUSTER_BLOCK)
    {
        Motion &here = small.mine[k], &there = world.sorted.m[k * CLUSTER + blockIdx.x];
        Motion &to = back ? there : here, &from = back ? here : there;
        put(&to.v, get(&from.v));
        put(&to.w, get(&from.w));
    }
}

__global__ void __launch_bounds__(CLUSTER_BLOCK) run_small(const World world)
{
    extern __shared__ Motion memory[];
    __shared__ Palette palette;
    int warp = threadIdx.x / 32 * CLUSTER + blockIdx.x;
    Crew<true> crew = {(int)(32 * warp + threadIdx.x % 32), CLUSTER * CLUSTER_BLOCK, &palette};
    crew.share(world.counters->range);
    if (!fits_small(palette, crew.size()))
        return Sweep{world}(crew);
    SmallWorld small = {memory, (Held *)(memory + (world.n + world.planes) / CLUSTER + 1)};
    deal_bodies(world, small, false);
    for (int i = 0; i < palette.count; ++i)
        if (palette.begin[i] + crew.rank() < palette.end[i])
            small.held[i * CLUSTER_BLOCK + threadIdx.x] = hold(world, palette.begin[i] + crew.rank());
    crew.sync();
    for (Course at = {&palette, world.sweeps + 1, 0, 0}; palette.count > 0 && !at.is_over(); at.advance())
    {
        if (crew.rank() < at.count())
            visit_small(world, small, small.held[at.at * CLUSTER_BLOCK + threadIdx.x], at.pass == 0);
        crew.sync();
    }
    deal_bodies(world, small, true);
    for (int i = 0; i < palette.count; ++i)
        if (palette.begin[i] + crew.rank() < palette.end[i])
            put(world.ordered.r + palette.begin[i] + crew.rank(), small.held[i * CLUSTER_BLOCK + threadIdx.x].r);
    crew.sync(); /* no block ends while others may still reach into it */
}

} // namespace crn
