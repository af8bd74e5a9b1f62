/* Sweeps of a small world without barriers: a contact waits for its own two bodies and for nothing else.
 *
 * In a small world a barrier after every colour takes longer than the visits. But a visit need not know that a whole colour is done. It needs the
 * motions of its bodies as the contacts before it left them. So every motion has a stamp, the number of visits that it has seen, in the
 * same sixteen bytes as the velocity. A contact knows which stamps it has to wait for: if a body has d contacts, of which e have lower colours than
 * this one, then in pass s (from 0) its turn comes at stamp
 *
 *     s d + e  forwards,    s d + d - 1 - e  backwards.
 *
 * Where the course turns, a contact that is left out the second time (sweep.hpp) counts twice the first time.
 *
 * Visits happen in the same order for every body as with barriers, so the results are the same. Nobody waits for ever: of all contacts that are
 * not done, those of the first colour have what they need, and everybody takes its contacts by colour.
 */
#pragma once

#include "sweep.hpp"

namespace crn
{

enum
{
    WARP = 32,            /* lanes */
    STUCK = 254,          /* Counters::full: a visit waited in vain */
    MOST_LOOKS = 1 << 22, /* that a visit takes before it says so */
    LOOKS = 1 << 10       /* after which it looks whether somebody else has said so */
};

/* Stamps that a contact waits for: 7 bits each of e_a, d_a, e_b, d_b. d is 0 for a body that cannot move. */
CRN_HD int turn_of(const World &world, unsigned long long pair, int colour)
{
    int a = first_of(pair), b = second_of(pair), turn = 0;
    unsigned long long below = colour < COLOURS ? (1ull << colour) - 1 : ~0ull; /* without a colour: it is not visited here */
    if (world.sorted.m[a].v.w != 0)
        turn |= count_bits(world.mask[a] & below) | count_bits(world.mask[a]) << 7;
    if (world.sorted.m[b].v.w != 0)
        turn |= count_bits(world.mask[b] & below) << 14 | count_bits(world.mask[b]) << 21;
    return turn;
}

/* What the visits of contact k need besides the contact itself. */
CRN_HD void prepare_flow(const World &world, int k, unsigned long long pair, int colour)
{
    const Motion &a = world.sorted.m[first_of(pair)], &b = world.sorted.m[second_of(pair)];
    world.flow.turn[k] = turn_of(world, pair, colour);
    put(world.flow.weight + k, {a.v.w, b.v.w, a.w.w, b.w.w});
}

/* IN_PAIRS: lanes move motions in pairs (read_motion). That halves the traffic, which decides in the larger worlds, and takes longer, which decides in the
 * smaller ones. LANES: of a warp, those that have contacts. All wait for the last of their bodies, so few are better where there are warps enough. */
template <bool IN_PAIRS, int LANES, bool IS_CALM = false> struct Flow
{
    static constexpr int MOST_THREADS = 512; /* of a block: it needs many registers */
    static constexpr int SPREAD = WARP / LANES;
    World world;
    int sweeps;
    bool is_more;

    struct Visitor
    {
        Held held;
        R4 weight;
        int turn, k;
    };

    template <class Crew> CRN_HD Visitor next(const Crew &crew, const Course<false> &at, int first) const
    {
        int i = first + crew.lane();
        if (at.is_over() || crew.lane() >= LANES || i >= at.count())
            return {{}, {}, 0, -1};
        int k = at.begin() + crew.at(i, at.count());
        return {hold(world, k), get_once(world.flow.weight + k), world.flow.turn[k], k};
    }
    CRN_HD static int stamp_of(int turn, int pass, bool is_backwards)
    {
        int e = turn & 127, d = turn >> 7 & 127;
        return pass * d + (is_backwards ? d - 1 - e : e);
    }

    /* For all lanes of a warp at once; -1: none for this lane. */
    CRN_HD Motion look(int i) const
    {
        if (IN_PAIRS)
            return read_motion<true>(world.flow.m, i);
        return i < 0 ? Motion{} : Motion{peek(&world.flow.m[i].v), peek(&world.flow.m[i].w)};
    }
    CRN_HD void publish(int i, const Motion &motion) const
    {
        if (IN_PAIRS)
            return write_motion<true>(world.flow.m, i, motion);
        if (i < 0)
            return;
        post(&world.flow.m[i].v, motion.v);
        post(&world.flow.m[i].w, motion.w);
    }
    CRN_HD static bool is_at(const Motion &m, int stamp, real weight)
    {
        return weight == 0 || (as_int(m.v.w) == stamp && as_int(m.w.w) == stamp);
    }
    /* The motions of both bodies at their stamps, for all lanes of a warp together. */
    template <class Crew>
    CRN_HD bool await(const Crew &crew, const Visitor &c, int stamp_a, int stamp_b, Motion *a, Motion *b) const
    {
        int ia = first_of(c.held.pair), ib = second_of(c.held.pair);
        bool is_ready = c.k < 0;
        for (int looks = 1; looks < MOST_LOOKS; ++looks)
        {
            Motion now_a = look(is_ready ? -1 : ia), now_b = look(is_ready ? -1 : ib);
            if (!is_ready)
            {
                *a = now_a;
                *b = now_b;
                is_ready = is_at(*a, stamp_a, c.weight.x) && is_at(*b, stamp_b, c.weight.y);
            }
            if (crew.all_lanes(is_ready))
                return true;
            if (looks % LOOKS == 0 && crew.all_lanes(fresh(&world.counters->full) != 0))
                return false;
        }
        world.counters->full = STUCK;
        return false;
    }
    CRN_HD static Motion stamped(const Motion &m, int stamp)
    {
        return {with(xyz(m.v), as_real(stamp)), with(xyz(m.w), as_real(stamp))};
    }

    /* All lanes of a warp do this together, those without a contact too. */
    template <class Crew> CRN_HD bool visit(const Crew &crew, const Visitor &c, const Course<false> &at) const
    {
        int ia = first_of(c.held.pair), ib = second_of(c.held.pair), pass = at.pass - is_more;
        int stamp_a = stamp_of(c.turn, pass, at.is_backwards()), stamp_b = stamp_of(c.turn >> 14, pass, at.is_backwards());
        Motion a = {}, b = {};
        if (!await(crew, c, stamp_a, stamp_b, &a, &b))
            return false;
        a = {with(xyz(a.v), c.weight.x), with(xyz(a.w), c.weight.z)};
        b = {with(xyz(b.v), c.weight.y), with(xyz(b.w), c.weight.w)};
        bool is_start = at.pass == 0;
        R4 next = is_start ? c.held.r : solve_visit<IS_CALM>(world, c.held, a, b);
        R3 n = xyz(c.held.n), p = vector_of(n, is_start ? next : difference(next, c.held.r));
        int seen = at.counts_twice() ? 2 : 1;
        publish(c.weight.x != 0 ? ia : -1, stamped(moved(a, n, p, 1), stamp_a + seen));
        publish(c.weight.y != 0 ? ib : -1, stamped(moved(b, n, p, -1), stamp_b + seen));
        if (!is_start && c.k >= 0)
            put_once(world.ordered.r + c.k, next);
        return true;
    }

    /* All visits of one member of the crew. The next contact is read ahead, unless it is this one again, where the course turns. */
    template <class Crew> CRN_HD void go(Crew &crew, Course<false> at) const
    {
        const int begin = crew.rank() / WARP * LANES, all = crew.size() > WARP ? crew.size() / WARP * LANES : 1;
        int i = begin; /* of the first lane */
        Visitor here = next(crew, at, i), ahead = here;
        while (!at.is_over())
        {
            Course<false> now = at;
            int mine = i;
            if ((i += all) >= at.count())
            {
                at.advance();
                i = begin;
            }
            bool is_again = at.at == now.at && i == mine;
            if (!is_again)
                ahead = next(crew, at, i);
            if (mine < now.count() && !visit(crew, here, now))
                return;
            here = is_again ? next(crew, at, i) : ahead;
        }
    }

    template <class Crew> CRN_HD void operator()(Crew &crew) const
    {
        const Palette *palette = crew.share(world.range, world.slabs * BINS);
        Motion *m = world.sorted.m;
        if (world.counters->contacts == 0)
            return;
        if (palette->end[palette->count - 1] < 0) /* contacts without a colour */
            return Sweep<SWEEP_ROUND, IS_CALM>{world, sweeps, is_more}(crew);
        crew.each(0, world.n + world.planes, [&](int i) { world.flow.m[i] = stamped(m[i], 0); });
        crew.sync();
        go(crew, Course<false>(palette, sweeps + 1, is_more, is_exact(world)));
        crew.sync();
        crew.each(0, world.n, [&](int i) {
            R4 v = peek(&world.flow.m[i].v), w = peek(&world.flow.m[i].w);
            m[i] = {with(xyz(v), m[i].v.w), with(xyz(w), m[i].w.w)};
        });
    }
};

} // namespace crn
