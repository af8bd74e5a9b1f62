/* Colours: no two contacts of a colour share a body that can move, so that they may be visited at the same time.
 *
 * A contact keeps its colour for as long as it lasts. New ones are coloured in rounds. In a round, each uncoloured contact bids for its
 * bodies with a priority of its own; one that is the highest bidder for both takes the lowest colour that neither body has in use.
 * Maxima of integers do not depend on the order of the work, so colours repeat to the bit. The round is the leading part of a bid: bids of
 * earlier rounds need not be cleared.
 *
 * A contact of a body with all 64 colours in use gets none, and is visited by itself at the end of a sweep.
 */
#pragma once

#include "contact.hpp"
#include "flow.hpp"

namespace crn
{

enum
{
    MOST_ROUNDS = 65535
};

CRN_HD uint32_t mix(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 12;
}

/* Unique in a round: 16 bits of the round, 20 of chance, 28 of the contact's number. */
CRN_HD unsigned long long bid_of(int round, unsigned long long pair, int k)
{
    unsigned long long chance = mix((uint32_t)first_of(pair), (uint32_t)second_of(pair)) >> 12;
    return (unsigned long long)(round + 1) << 48 | chance << 28 | (unsigned long long)k;
}

/* The same from a contact's name, for worlds where its number means nothing: 47 bits of chance, other ones in every round. The last bit stays free. */
CRN_HD unsigned long long bid_by_name(int round, unsigned long long name)
{
    return (unsigned long long)(round + 1) << 48 | (scramble(name + (unsigned long long)round) >> 16 & ~1ull);
}

/* Two contacts with the same bid for a body, if that ever happens: neither is to have it in this round, so it is marked. */
inline void raise_bid(unsigned long long *at, unsigned long long bid)
{
    unsigned long long now = fresh(at), next;
    do
        next = (now | 1) == (bid | 1) ? bid | 1 : now > bid ? now : bid;
    while (next != now && !__atomic_compare_exchange_n(at, &now, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

struct Colour
{
    static constexpr int MOST_THREADS = 1024; /* of a block */
    World world;

    CRN_HD unsigned long long used_by(unsigned long long pair) const
    {
        int a = first_of(pair), b = second_of(pair);
        unsigned long long used = world.sorted.m[a].v.w != 0 ? fresh(world.mask + a) : 0;
        return used | (world.sorted.m[b].v.w != 0 ? fresh(world.mask + b) : 0);
    }

    CRN_HD unsigned long long bid_for(int round, int k) const
    {
        return world.domain.name ? bid_by_name(round, world.domain.name[k]) : bid_of(round, world.pair[k], k);
    }
    CRN_HD void offer(int body, unsigned long long bid) const
    {
        if (world.sorted.m[body].v.w == 0)
            return;
#ifndef __CUDA_ARCH__
        if (world.domain.name)
            return raise_bid(world.best + body, bid);
#endif
        raise_to(world.best + body, bid);
    }

    CRN_HD void bid(int round, int k) const
    {
        unsigned long long pair = world.pair[k], mine = bid_for(round, k);
        int a = first_of(pair), b = second_of(pair);
        if (~used_by(pair) == 0)
        {
            world.found.colour[k] = COLOURS;
            return;
        }
        offer(a, mine);
        offer(b, mine);
    }

    CRN_HD void take(int round, int k, int *next, int *count) const
    {
        unsigned long long pair = world.pair[k], mine = bid_for(round, k);
        int a = first_of(pair), b = second_of(pair);
        if (world.found.colour[k] == COLOURS)
            return;
        bool moves_a = world.sorted.m[a].v.w != 0, moves_b = world.sorted.m[b].v.w != 0;
        if ((moves_a && fresh(world.best + a) != mine) || (moves_b && fresh(world.best + b) != mine))
        {
            next[add_to(count, 1)] = k;
            return;
        }
        unsigned long long used = used_by(pair);
        int colour = lowest_bit(~used); /* there is one: nobody else holds these bodies */
        world.found.colour[k] = (uint8_t)colour;
        if (moves_a)
            world.mask[a] |= 1ull << colour;
        if (moves_b)
            world.mask[b] |= 1ull << colour;
    }

    template <class Crew> CRN_HD void operator()(Crew &crew) const
    {
        Counters *c = world.counters;
        int count = fresh(&c->list[0]), round = 0;
        for (; count > 0 && round < MOST_ROUNDS; ++round)
        {
            const int *now = world.list[round & 1];
            int *next = world.list[1 - (round & 1)], *next_count = &c->list[1 - (round & 1)];
            crew.each(0, count, [&](int i) { bid(round, fresh(now + i)); });
            if (crew.is_first())
                *next_count = 0;
            crew.sync();
            crew.each(0, count, [&](int i) { take(round, fresh(now + i), next, next_count); });
            crew.sync();
            count = fresh(next_count);
        }
        crew.sync(); /* everybody has read the count */
        if (crew.is_first())
        {
            c->round = round;
            c->full = count > 0 ? UNCOLOURED : c->full;
        }
        crew.each(0, world.capacity, [&](int k) { world.group[k] = group_of(k); });
    }

    /* The order of the sweeps: slab by slab, so that bodies stay in the cache from colour to colour, and by colour within. A contact belongs to the
     * slab of the body that found it; two of a colour share no body, whatever their slabs. Entries behind the contacts go to the end. */
    CRN_HD uint16_t group_of(int k) const
    {
        if (k >= world.counters->contacts)
            return (uint16_t)(world.slabs * BINS);
        return (uint16_t)(first_of(world.pair[k]) / world.slab * BINS + fresh(world.found.colour + k));
    }
};

/* Contacts in the order of the sweeps, and where each group of them begins. Spheres get their velocities without contacts besides: every start of a kernel
 * takes time. */
struct Gather
{
    World world;

    /* Groups after that of contact k - 1 up to that of contact k begin at k. Behind the last contact there is one more. */
    CRN_HD void mark_groups(int k) const
    {
        int contacts = world.counters->contacts, end = world.slabs * BINS;
        if (k > contacts)
            return;
        int before = k > 0 ? world.group_sorted[k - 1] : -1, here = k < contacts ? world.group_sorted[k] : end;
        for (int group = before + 1; group <= here; ++group)
            world.range[group] = k;
    }
    CRN_HD void operator()(int k) const
    {
        if (k < world.n && !world.has_shapes)
            FreeVelocities{world}(k);
        mark_groups(k);
        if (k >= world.counters->contacts)
            return;
        int from = world.order[k];
        world.ordered.pair[k] = world.pair[from];
        put(world.ordered.n + k, world.n_bias[from]);
        put(world.ordered.r + k, world.found.r[from]);
        if (world.flow.m)
            prepare_flow(world, k, world.pair[from], world.found.colour[from]);
    }
};

} // namespace crn
