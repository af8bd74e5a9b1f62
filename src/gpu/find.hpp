/* Which pairs can touch within the step.
 *
 * Of two bodies on one level, the one with the larger reach (or the later one, if they are equal) looks for the other, so that it need not know
 * how far others reach: it looks as far as twice its own reach. Bodies on finer levels look for those on coarser ones. A pair counts if
 * its gap can close at its relative velocity, half as fast again, with something to spare for what accelerates it.
 *
 * A collision within the step may send a body towards others that it did not approach. The first look notes who may be struck, and how much of the
 * velocity that may change: at most (1 + e) |u_n| (1/m_a) / (1/m_a + 1/m_b). In a later look those bodies alone look around, and add the pairs that come into
 * reach if each body approaches the others so fast besides. Where bodies bounce, those that are struck by struck ones are followed once more.
 *
 * Candidates are compared in single precision, with room for its rounding; what remains is measured in double.
 */
#pragma once

#include "grid.hpp"

namespace crn
{

/* Lanes that look together. A kernel of its own for periodic boxes leaves the other one short. */
template <class Lanes, bool PERIODIC> struct Way : Lanes
{
    static constexpr bool IS_PERIODIC = PERIODIC;
};

/* A body on its way through the cells around it. Some lanes of a warp look together, each along rows of cells of its own. */
template <class Lanes> struct Search
{
    const World &world;
    Lanes lanes;
    int i, count;
    D4 x;
    R4 near, v;
    real rounding;
    int look; /* from 0; the later ones know who is struck */
};

/* All lanes do this together, those that have found nothing too. */
template <class Lanes> CRN_HD void note(Search<Lanes> &s, bool is_found, int other)
{
    int at = s.lanes.next_place(is_found, &s.count);
    if (is_found && at < s.world.slots)
        s.world.slot[(long long)at * s.world.n + s.i] = other;
}

/* m: what a gap may be so that it still counts, besides what the relative velocity closes. */
CRN_HD double spare_of(const World &world, double radius)
{
    double h = world.batch->h, *g = world.batch->gravity;
    return 2 * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * h * h + 0.01 * radius;
}

/* m/s: how fast collisions may send body i, by the look before, or the one before that. */
template <class Searcher> CRN_HD double sent_of(const Searcher &s, int i, int before = 1)
{
    return s.look >= before ? (double)s.world.struck[s.look - before][i] : 0.0;
}

/* A gap closes within the step: note how fast body i may be sent away. The last look's notes would have no reader. */
template <class Searcher> CRN_HD void strike(const Searcher &s, int i, double closing, double share, double spare)
{
    double speed = -s.world.bounce * closing * share;
    if (s.look + 1 < s.world.looks && s.world.batch->h * (speed - sent_of(s, i)) > 0.5 * spare)
        raise_to(s.world.struck[s.look] + i, (real)speed);
}

/* Of two with the same reach: by their places in memory, or by what is the same on all ranks. */
template <class Lanes> CRN_HD bool is_before(const Search<Lanes> &s, int j)
{
    return s.world.domain.mine ? s.world.sorted.tag[j].x < s.world.sorted.tag[s.i].x : j < s.i;
}

/* Whether a pair whose gap and approach would let it count is for this look, and not noted by the other body. */
template <class Lanes> CRN_HD bool is_new(const Search<Lanes> &s, int j, bool counted_before)
{
    return s.look == 0 || (!counted_before && !(sent_of(s, j) > 0 && is_before(s, j)));
}

/* Whether no other image of a pair is nearer. */
CRN_HD bool is_nearest_image(const World &world, D3 e)
{
    const double *box = world.box;
    return (box[0] == 0 || fabs(e.x) <= 0.5 * box[0]) && (box[1] == 0 || fabs(e.y) <= 0.5 * box[1]) && (box[2] == 0 || fabs(e.z) <= 0.5 * box[2]);
}

/* Whether body j is to be noted. */
template <class Lanes> CRN_HD bool measure(const Search<Lanes> &s, int j)
{
    D4 y = Lanes::IS_PERIODIC ? folded(s.world, s.world.sorted.x[j]) : s.world.sorted.x[j];
    R4 vj = s.world.sorted.m[j].v;
    D3 e = xyz(s.x) - xyz(y);
    if (Lanes::IS_PERIODIC && !is_nearest_image(s.world, e))
        return false;
    double length = sqrt(dot(e, e));
    if (j == s.i || (s.v.w == 0 && vj.w == 0) || !concerns(s.world, s.world.sorted.tag[s.i].x, s.world.sorted.tag[j].x))
        return false;
    double closing = length > 0 ? dot(wide(xyz(s.v) - xyz(vj)), e) / length : 0.0;
    double gap = length - s.x.w - y.w, small = s.x.w < y.w ? s.x.w : y.w;
    double h = s.world.batch->h, spare = spare_of(s.world, small), room = gap + 1.5 * h * (closing < 0 ? closing : 0.0);
    double sent = sent_of(s, s.i) + sent_of(s, j), earlier = sent_of(s, s.i, 2) + sent_of(s, j, 2);
    if (!(room - h * sent < spare))
        return false;
    if (gap + h * (closing - sent) < 0)
    {
        strike(s, s.i, closing - sent, s.v.w / (s.v.w + vj.w), spare);
        strike(s, j, closing - sent, vj.w / (s.v.w + vj.w), spare);
    }
    return is_new(s, j, room - h * earlier < spare);
}

/* In a later look, whoever is struck finds all. */
template <class Searcher> CRN_HD bool is_candidate(const Searcher &s, R4 y, int j, bool same_level)
{
    real ex = s.near.x - y.x, ey = s.near.y - y.y, ez = s.near.z - y.z;
    real far = s.near.w + y.w + s.rounding;
    bool mine = !same_level || s.look > 0 || y.w < s.near.w || (y.w == s.near.w && is_before(s, j));
    return mine && ex * ex + ey * ey + ez * ez <= far * far;
}

/* Those from begin to end; each lane has others. */
template <class Searcher> CRN_HD void look_in(Searcher &s, int begin, int end, bool same_level)
{
    for (int j = begin, last = begin + s.lanes.most(end - begin); j < last; ++j)
    {
        bool is_found = j < end && is_candidate(s, get(s.world.near + j), j, same_level) && measure(s, j);
        if (s.lanes.size() > 1 || is_found)
            note(s, is_found, j);
    }
}

/* Where a search begins along one axis, and how many cells it covers: each of the box once, at most. */
CRN_HD int span(double x, double range, double inverse, int bits, long long *begin)
{
    *begin = cell_at(x - range, inverse);
    long long count = cell_at(x + range, inverse) - *begin + 1, all = 1ll << bits;
    return (int)(count < all ? count : all);
}

template <class Searcher> CRN_HD void look_on(Searcher &s, int l, double range, bool same_level)
{
    const Level &level = s.world.level[l];
    long long a0, b0, c0;
    int na = span(along(s.x, level.axis[0]), range, level.inverse[0], level.bits[0], &a0), nb = span(along(s.x, level.axis[1]), range, level.inverse[1], level.bits[1], &b0);
    int nc = span(along(s.x, level.axis[2]), range, level.inverse[2], level.bits[2], &c0), row = 1 << level.bits[0];
    int a = wrap(a0, level.bits[0]), before_end = a + na <= row ? na : row - a;
    for (int b = s.lanes.rank(), c = 0, rows = 0; rows < nb * nc; b += s.lanes.size(), rows += s.lanes.size())
    {
        for (; b >= nb; b -= nb)
            ++c;
        bool is_row = c < nc;
        const int *first = s.world.cell_first + cell_index(level, 0, wrap(b0 + b, level.bits[1]), wrap(c0 + c, level.bits[2]));
        look_in(s, is_row ? first[a] : 0, is_row ? first[a + before_end] : 0, same_level); /* cells of a row follow each other */
        if (before_end < na)
            look_in(s, is_row ? first[0] : 0, is_row ? first[na - before_end] : 0, same_level);
    }
}

/* Around a searcher on this level, and on the coarser ones; in a later look on all. */
template <class Searcher> CRN_HD void look_around(Searcher &s, int own)
{
    if (s.look == 0)
        look_on(s, own, 2.0 * s.near.w + s.rounding, true);
    for (int l = s.look == 0 ? own + 1 : 0; l < s.world.levels; ++l)
        if (s.world.level[l].is_used)
            look_on(s, l, (double)s.near.w + s.world.level_reach[l] + s.rounding, false);
}

/* The same from all images of a searcher that reach into a periodic box. */
template <class Searcher> CRN_HD void look_around_images(Searcher &s, int own)
{
    const World &world = s.world;
    const double *box = world.box;
    D4 x = s.x;
    R4 near = s.near;
    s.rounding += (real)(1e-6 * (box[0] + box[1] + box[2]));
    double range = s.rounding + 2.0 * near.w;
    for (int l = 0; l < world.levels; ++l)
        range = world.level[l].is_used && near.w + world.level_reach[l] + s.rounding > range ? near.w + world.level_reach[l] + s.rounding : range;
    for (int image = 0; image < 27; ++image)
    {
        int i = image % 3 - 1, j = image / 3 % 3 - 1, k = image / 9 - 1;
        D3 y = {x.x + i * box[0], x.y + j * box[1], x.z + k * box[2]};
        bool is_none = (i != 0 && !(fabs(y.x) < 0.5 * box[0] + range)) || (j != 0 && !(fabs(y.y) < 0.5 * box[1] + range)) ||
                       (k != 0 && !(fabs(y.z) < 0.5 * box[2] + range)) || (i != 0 && box[0] == 0) || (j != 0 && box[1] == 0) || (k != 0 && box[2] == 0);
        if (is_none)
            continue;
        s.x = {y.x, y.y, y.z, x.w};
        s.near = {(real)y.x, (real)y.y, (real)y.z, near.w};
        look_around(s, own);
    }
    s.x = x;
    s.near = near;
}

template <class Searcher> CRN_HD void look_from(Searcher &s, int own)
{
    if constexpr (decltype(s.lanes)::IS_PERIODIC)
        look_around_images(s, own);
    else
        look_around(s, own);
}

/* m: what single precision may be wrong by. */
CRN_HD real rounding_of(R4 near)
{
    return (real)1e-6 * (fabs(near.x) + fabs(near.y) + fabs(near.z) + 4 * near.w);
}

/* Note how many were found, and whether they were too many. */
template <class Searcher> CRN_HD void finish(Searcher &s, int i)
{
    const World &world = s.world;
    if (s.lanes.rank() > 0)
        return;
    world.count[i] = s.count < world.slots ? s.count : world.slots;
    if (s.count <= world.slots)
        return;
    world.counters->full = 1;
    raise_to(&world.counters->most_slots, s.count);
}

/* Whether half-space k is to be noted. */
template <class Lanes> CRN_HD bool measure_plane(const Search<Lanes> &s, int k)
{
    const World &world = s.world;
    const crn_gpu_plane &plane = world.plane[k];
    D3 n = {plane.n[0], plane.n[1], plane.n[2]}, v = {plane.v[0], plane.v[1], plane.v[2]};
    double gap = dot(n, xyz(s.x)) - plane.offset - s.x.w, closing = dot(n, wide(xyz(s.v)) - v);
    double h = world.batch->h, spare = spare_of(world, s.x.w), room = gap + 1.5 * h * (closing < 0 ? closing : 0.0);
    double sent = sent_of(s, s.i);
    if (!(room - h * sent < spare))
        return false;
    if (gap + h * (closing - sent) < 0)
        strike(s, s.i, closing - sent, 1, spare);
    return s.look == 0 || !(room - h * sent_of(s, s.i, 2) < spare);
}

template <class Lanes> CRN_HD void look_at_planes(Search<Lanes> &s)
{
    int number = s.world.sorted.tag[s.i].x, count = s.world.planes;
    if (s.v.w == 0 || !concerns(s.world, number, number))
        return;
    for (int planes = 0; planes < count; planes += s.lanes.size())
    {
        int k = planes + s.lanes.rank();
        note(s, k < count && measure_plane(s, k), -1 - k);
    }
}

/* Before a later look: those who are struck reach further, and are listed. */
struct Widen
{
    World world;
    int look;
    CRN_HD void operator()(int i) const
    {
        real struck = world.struck[look - 1][i];
        world.struck[look][i] = struck;
        if (!(struck > 0))
            return;
        int l = level_of(world.sorted.tag[i]);
        real reach = reach_of(world, world.sorted.x[i], world.sorted.m[i].v) + (real)world.batch->h * struck;
        world.near[i].w = reach;
        if (reach > glimpse(world.level_reach + l))
            raise_to(world.level_reach + l, reach);
        world.again[next_place(&world.counters->struck[look])] = i;
    }
};

/* Who has the k-th place in a look. */
CRN_HD int searcher_of(const World &world, int look, int k)
{
    return look == 0 ? k : world.again[k];
}

template <bool IS_PERIODIC> struct Find
{
    static constexpr int MANY = 1 << 16, MORE = MANY; /* bodies from which on each has one lane */
    World world;
    int look;
    CRN_HD int pieces() const
    {
        return world.counters->struck[look];
    }
    template <class Lanes> CRN_HD void operator()(int k, const Lanes &lanes) const
    {
        int i = searcher_of(world, look, k);
        if (world.counters->lost)
        {
            world.count[i] = 0;
            return;
        }
        R4 near = world.near[i];
        Search<Way<Lanes, IS_PERIODIC>> s = {world, {lanes}, i, look > 0 ? world.count[i] : 0, folded(world, world.sorted.x[i]), near, world.sorted.m[i].v, rounding_of(near), look};
        look_from(s, level_of(world.sorted.tag[i]));
        look_at_planes(s);
        finish(s, i);
    }
};

CRN_HD double push_share_of(const World &world, double contacts)
{
    double share = contacts > 0 ? 0.1 * cbrt(5000.0 / contacts) : 1.0;
    return world.push_share >= 0 ? world.push_share : share < 0.2 ? share : 0.2;
}

/* Once the contacts are counted: whether there is room for them, and the share of overlaps that this step pushes out. */
struct CountContacts
{
    World world;
    CRN_HD void operator()(int) const
    {
        Counters &c = *world.counters;
        int count = world.has_shapes ? world.shapes.touch_first[world.shapes.pair_capacity] : world.found.first[world.n];
        if (!c.full || count > c.contacts_needed) /* after a step that did not happen, shapes have none */
            c.contacts_needed = count;
        if (count > world.capacity)
            c.full = 1;
        c.contacts = c.full ? 0 : count;
        c.list[0] = c.list[1] = c.round = 0;
        c.push_share = push_share_of(world, count);
    }
};

} // namespace crn
