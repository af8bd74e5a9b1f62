/* A visit of one contact between spheres, or of a sphere and a half-space, and the sweeps over all of them.
 *
 * With arms parallel to the normal and isotropic inertia, the contact's own block of H A^-1 H' is n n'/k_n + (1 - n n')/k_t,
 *
 *     1/k_n = 1/m_a + 1/m_b ,    1/k_t = 1/k_n + r_a^2/J_a + r_b^2/J_b ,
 *
 * and a visit is (docs/methods/compact.md)
 *
 *     cone           r_n' = max(0, r_n - k_n u_n) ,  r_t' = P(r_t - k_t u_t), P the projection on the disc of radius mu r_n'
 *     convex cone    r - k u part by part if that lies in the cone K, otherwise P_K(r - k_t u)
 *     frictionless   the first line alone.
 */
#pragma once

#include "world.hpp"

namespace crn
{

/* The motion of body i, and its change, for all lanes of a warp at once; -1: none for this lane.
 *
 * A motion fills one sector of memory, but a lane can move only half a sector at a time. So two neighbouring lanes move both halves of the one's
 * body together, then those of the other's, and exchange what they got: half the traffic. IS_SHARED: others read and write it at the same time. */
template <bool IS_SHARED = false> CRN_HD Motion read_motion(const Motion *m, int i)
{
#ifdef __CUDA_ARCH__
    int odd = threadIdx.x & 1, other = __shfl_xor_sync(~0u, i, 1);
    int first = odd ? other : i, second = odd ? i : other;
    R4 one = {0, 0, 0, 0}, two = one;
    if (first >= 0)
        one = IS_SHARED ? peek(&m[first].v + odd) : get(&m[first].v + odd);
    if (second >= 0)
        two = IS_SHARED ? peek(&m[second].v + odd) : get(&m[second].v + odd);
    R4 sent = odd ? one : two;
    R4 got = {__shfl_xor_sync(~0u, sent.x, 1), __shfl_xor_sync(~0u, sent.y, 1), __shfl_xor_sync(~0u, sent.z, 1),
              __shfl_xor_sync(~0u, sent.w, 1)};
    return odd ? Motion{got, two} : Motion{one, got};
#else
    return i >= 0 ? m[i] : Motion{};
#endif
}

template <bool IS_SHARED = false> CRN_HD void write_motion(Motion *m, int i, const Motion &motion)
{
#ifdef __CUDA_ARCH__
    int odd = threadIdx.x & 1, other = __shfl_xor_sync(~0u, i, 1);
    int first = odd ? other : i, second = odd ? i : other;
    R4 sent = odd ? motion.v : motion.w;
    R4 got = {__shfl_xor_sync(~0u, sent.x, 1), __shfl_xor_sync(~0u, sent.y, 1), __shfl_xor_sync(~0u, sent.z, 1),
              __shfl_xor_sync(~0u, sent.w, 1)};
    R4 one = odd ? got : motion.v, two = odd ? motion.w : got;
    if (first >= 0)
        IS_SHARED ? post(&m[first].v + odd, one) : put(&m[first].v + odd, one);
    if (second >= 0)
        IS_SHARED ? post(&m[second].v + odd, two) : put(&m[second].v + odd, two);
#else
    if (i >= 0)
        m[i] = motion;
#endif
}

/* Let the impulse p act on a body with its arm against n (sign 1) or along it (-1). */
CRN_HD Motion moved(const Motion &m, R3 n, R3 p, real sign)
{
    return {with(xyz(m.v) + (sign * m.v.w) * p, m.v.w), with(xyz(m.w) - m.w.w * cross(n, p), m.w.w)};
}

CRN_HD R4 project_disc(R3 t, real n, real mu)
{
    real size = sqrt(dot(t, t)), most = mu * n;
    return with(size > most ? (most / size) * t : t, n);
}

CRN_HD R4 project_cone(R3 t, real n, real mu)
{
    real size = sqrt(dot(t, t));
    if (size <= mu * n)
        return with(t, n);
    real along = (n + mu * size) / (1 + mu * mu);
    along = along > 0 ? along : 0;
    return with((size > 0 ? mu * along / size : 0) * t, along);
}

CRN_HD R4 solve_one(int law, R4 r, real u_n, R3 u_t, real k_n, real k_t, real mu)
{
    real n = r.w - k_n * u_n;
    R3 t = xyz(r) - k_t * u_t;
    if (law == CRN_GPU_CONVEX)
    {
        bool inside = dot(t, t) <= mu * mu * n * n && n >= 0;
        return inside ? with(t, n) : project_cone(t, r.w - k_t * u_n, mu);
    }
    n = n > 0 ? n : 0;
    return project_disc(t, n, law == CRN_GPU_CONE ? mu : 0);
}

/* What a visit reads of its contact. It is nobody else's, so it can be read ahead of the barrier. */
struct Held
{
    unsigned long long pair;
    R4 n, r;
};

CRN_HD Held hold(const World &world, int k)
{
    return {get_once(world.ordered.pair + k), get_once(world.ordered.n + k), get_once(world.ordered.r + k)};
}

/* The world vector of an impulse, or of a difference of two. */
CRN_HD R3 vector_of(R3 n, R4 r)
{
    return r.w * n + xyz(r);
}
CRN_HD R4 difference(R4 a, R4 b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
CRN_HD R4 added(R4 x, real share, R4 change)
{
    return {x.x + share * change.x, x.y + share * change.y, x.z + share * change.z, x.w + share * change.w};
}

/* Of calm sweeps (calm.hpp): the share of its way that a contact goes; trace: of its W. */
CRN_HD real share_of_way(const World &world, real mu, real trace, R4 r, real u_n, R3 u_t);

/* The new impulse of a contact, where its bodies move like this. */
template <bool IS_CALM> CRN_HD R4 solve_visit(const World &world, const Held &c, const Motion &a, const Motion &b)
{
    R3 n = xyz(c.n), u = xyz(a.v) - xyz(b.v) - cross(xyz(a.w) + xyz(b.w), n);
    real along = dot(u, n), mass = a.v.w + b.v.w, turning = mass + a.w.w + b.w.w, mu = world.friction[class_of(c.pair)];
    R3 u_t = u - along * n;
    real share = IS_CALM ? share_of_way(world, mu, mass + 2 * turning, c.r, along + c.n.w, u_t) : 1;
    R4 next = solve_one(world.law, c.r, along + c.n.w, u_t, 1 / mass, 1 / turning, mu);
    return IS_CALM ? added(c.r, share, difference(next, c.r)) : next;
}

/* A visit solves its own contact, so that a second one right after it changes nothing. */
CRN_HD bool is_exact(const World &world)
{
    return world.law != CRN_GPU_CONVEX;
}

CRN_HD bool is_zero(R3 p)
{
    return p.x == 0 && p.y == 0 && p.z == 0;
}

/* Visit contact k, or let the impulse act that it starts with. All lanes of a warp do this together, those without a contact too. */
template <bool IS_CALM> CRN_HD void visit(const World &world, int k, const Held &c, bool is_start, bool is_active)
{
    int ia = is_active ? first_of(c.pair) : -1, ib = is_active ? second_of(c.pair) : -1;
    Motion *m = world.sorted.m, a = read_motion(m, ia), b = read_motion(m, ib);
    R3 n = xyz(c.n), p = {0, 0, 0};
    if (is_active && is_start)
        p = vector_of(n, c.r);
    else if (is_active)
    {
        R4 next = solve_visit<IS_CALM>(world, c, a, b);
        p = vector_of(n, difference(next, c.r));
        if (!is_zero(p))
            put_once(world.ordered.r + k, next);
    }
    write_motion(m, !is_zero(p) && a.v.w != 0 ? ia : -1, moved(a, n, p, 1));
    write_motion(m, !is_zero(p) && b.v.w != 0 ? ib : -1, moved(b, n, p, -1));
}

/* The same for contacts of shapes (shapes/visit.hpp). */
template <bool IS_PLAIN, bool IS_CALM> CRN_HD void visit_with_arms(const World &world, int k, const Held &c, bool is_start, bool is_active);

/* All joints, once (joints/solve.hpp). */
template <class Crew> CRN_HD void sweep_joints(const World &world, Crew &crew, bool is_start, bool is_backwards);

/* The groups that have contacts, in a form that every member of a crew can read fast. */
struct Palette
{
    int count, slabs;
    int begin[GROUPS], end[GROUPS]; /* end: its complement for contacts that are visited one by one */
    int first[SLABS + 1];           /* group of each slab that has any */

    CRN_HD void fill(const int *range, int groups)
    {
        count = slabs = 0;
        for (int i = 0; i < groups; ++i)
        {
            if (i % BINS == 0 && (slabs == 0 || first[slabs - 1] < count))
                first[slabs++] = count;
            if (range[i] == range[i + 1])
                continue;
            begin[count] = range[i];
            end[count++] = i % BINS == COLOURS ? ~range[i + 1] : range[i + 1];
        }
        slabs -= slabs > 0 && first[slabs - 1] == count;
        first[slabs] = count;
    }
};

/* The groups in the order of all passes: forwards, forwards, backwards, forwards and so on. Where the course turns, the group at hand is not visited again if
 * that would change nothing. In a world of several slabs it would turn at a small group, and the bodies would have left the cache. There, every slab
 * is passed backwards and forwards before the next one. */
template <bool HAS_SLABS> struct Course
{
    const Palette *palette;
    int passes, pass, at, slab;
    bool is_exact; /* a visit that is repeated at once changes nothing */

    CRN_HD Course(const Palette *palette, int passes, bool is_more, bool is_exact)
        : palette(palette), passes(passes), pass(is_more), at(0), slab(0), is_exact(is_exact)
    {
        at = is_backwards() ? end_of_groups() - 1 : 0;
    }
    CRN_HD bool is_by_slabs() const
    {
        return HAS_SLABS && is_exact && palette->slabs > 1;
    }
    CRN_HD bool is_backwards() const
    {
        return pass > 0 && pass % 2 == is_by_slabs();
    }
    CRN_HD bool is_over() const
    {
        return pass == passes;
    }
    CRN_HD bool is_single() const
    {
        return palette->end[at] < 0;
    }
    CRN_HD int begin() const
    {
        return palette->begin[at];
    }
    CRN_HD int count() const
    {
        int end = palette->end[at];
        return (end < 0 ? ~end : end) - palette->begin[at];
    }
    CRN_HD int first_group() const
    {
        return is_by_slabs() ? palette->first[slab] : 0;
    }
    CRN_HD int end_of_groups() const
    {
        return is_by_slabs() ? palette->first[slab + 1] : palette->count;
    }
    CRN_HD void advance()
    {
        at += is_backwards() ? -1 : 1;
        if (at >= first_group() && at < end_of_groups())
            return;
        bool turns = is_by_slabs() ? pass % 2 == 1 && pass + 1 < passes : pass > 0;
        if (turns || !is_by_slabs())
            ++pass;
        else
            leave_slab();
        if (is_over())
            return;
        at = is_backwards() ? end_of_groups() - 1 : first_group();
        if (turns && need_not_repeat())
            at += is_backwards() ? -1 : 1;
    }
    CRN_HD void leave_slab()
    {
        pass -= pass > 0 && pass % 2 == 0;
        if (++slab < palette->slabs)
            return;
        slab = 0;
        pass += pass == 0 ? 1 : 2;
        pass = pass < passes ? pass : passes;
    }
    CRN_HD bool need_not_repeat() const
    {
        return is_exact && end_of_groups() - first_group() > 1 && !is_single();
    }
    /* The last group of this pass would be the first of the next one, which leaves it out. */
    CRN_HD bool counts_twice() const
    {
        return pass > 0 && at == (is_backwards() ? 0 : palette->count - 1) && need_not_repeat();
    }
};

/* Pass 0 lets the impulses act that the step starts with; the sweeps follow. A member of the crew always has the same contacts, so that the
 * first one of the next colour can be read before everybody is done with this one. */
enum SweepForm
{
    SWEEP_ROUND, /* single spheres */
    SWEEP_FULL,  /* shapes with any laws, and joints */
    SWEEP_PLAIN  /* shapes without polygons, moments and joints: a kernel of its own has registers enough */
};
/* A form of its own for calm sweeps leaves the others short. */
template <int FORM, bool IS_CALM = false> struct Sweep
{
    static constexpr int MOST_THREADS = FORM == SWEEP_ROUND ? 1024 : 512; /* of a block: few large ones meet faster, but arms, laws and joints need registers */
    World world;
    int sweeps;
    bool is_more; /* they go on from earlier ones: without pass 0 */

    CRN_HD void take(int k, const Held &held, bool is_start, bool is_active) const
    {
        if (FORM != SWEEP_ROUND)
            visit_with_arms<FORM == SWEEP_PLAIN, IS_CALM>(world, k, held, is_start, is_active);
        else
            visit<IS_CALM>(world, k, held, is_start, is_active);
    }

    template <class Crew> CRN_HD bool has(const Crew &crew, const Course<true> &at) const
    {
        return !at.is_over() && !at.is_single() && crew.rank() < at.count();
    }
    /* Contacts of one colour at the same time. */
    template <class Crew> CRN_HD void together(const Crew &crew, const Course<true> &at, Held held) const
    {
        int count = at.count(), lane = crew.lane();
        for (int i = crew.rank(); i - lane < count; i += crew.size())
        {
            bool is_active = i < count;
            int k = at.begin() + (is_active ? crew.at(i, count) : 0);
            if (is_active && i != crew.rank())
                held = hold(world, k);
            take(k, held, at.pass == 0, is_active);
        }
    }
    /* Contacts without a colour, by the first member; others of its warp look on. */
    template <class Crew> CRN_HD void one_by_one(const Crew &crew, const Course<true> &at) const
    {
        if (crew.rank() - crew.lane() > 0)
            return;
        for (int k = at.begin(); k < at.begin() + at.count(); ++k)
            take(k, hold(world, k), at.pass == 0, crew.is_first());
    }

    template <class Crew> CRN_HD void operator()(Crew &crew) const
    {
        Course<true> at(crew.share(world.range, world.slabs * BINS), sweeps + 1, is_more, FORM == SWEEP_ROUND && is_exact(world));
        Held held = {};
        bool has_joints = FORM == SWEEP_FULL && world.joints.count > 0;
        for (int pass = is_more; has_joints && world.counters->contacts == 0 && pass <= sweeps; ++pass)
            sweep_joints(world, crew, pass == 0, pass > 0 && pass % 2 == 0);
        if (world.counters->contacts == 0)
            return;
        if (has(crew, at))
            held = hold(world, at.begin() + crew.at(crew.rank(), at.count()));
        while (!at.is_over())
        {
            if (at.is_single())
                one_by_one(crew, at);
            else
                together(crew, at, held);
            int pass = at.pass;
            at.advance();
            if (has(crew, at))
                held = hold(world, at.begin() + crew.at(crew.rank(), at.count()));
            crew.sync();
            if (has_joints && at.pass != pass)
                sweep_joints(world, crew, pass == 0, pass > 0 && pass % 2 == 0);
        }
    }
};

} // namespace crn
