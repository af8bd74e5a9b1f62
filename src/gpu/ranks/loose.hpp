/* Contacts without a colour, which are visited one by one at the end of a pass: those of a body that more than 64 others touch. Their visits follow each other
 * through that one body, whatever the ranks of the others. So all ranks hold all of them, in the order of their identities, and all ranks visit them. */
#pragma once

#include "../shapes/laws.hpp"
#include "ranks.hpp"

namespace crn
{

/* Tells a contact from all others, on all ranks. */
struct Identity
{
    long long a, b, shape_a, shape_b; /* numbers among all; b < 0: half-space -1 - b */
    long long feature;

    bool operator<(const Identity &y) const
    {
        const long long *p = &a, *q = &y.a;
        return std::lexicographical_compare(p, p + 5, q, q + 5);
    }
    bool operator==(const Identity &y) const
    {
        return !memcmp(this, &y, sizeof y);
    }
};

/* Of contact k in the order of the search. */
inline Identity identity_of(const World &world, int k)
{
    const Domain &domain = world.domain;
    int a = first_of(world.pair[k]), b = second_of(world.pair[k]);
    Identity out = {domain.global[world.sorted.tag[a].x], b < world.n ? domain.global[world.sorted.tag[b].x] : world.n - 1 - b, -1, -1, 0};
    if (!world.has_shapes)
        return out;
    int finder = domain.finder[k], other = world.found.other[k];
    bool is_first = world.shapes.shape[finder].body == a; /* two shapes of a pair are of two bodies */
    out.shape_a = domain.global_shape[is_first ? finder : other];
    out.shape_b = domain.global_shape[is_first ? other : finder];
    out.feature = world.shapes.feature[k];
    return out;
}

/* A contact as it travels, and its bodies. */
struct Loose
{
    Identity id;
    Held held; /* its pair has the class only */
    R4 arm_a, arm_b, extra;
    Motion motion[2];
    Inertia inertia[2];
};

class LooseContacts
{
  public:
    bool is_any() const
    {
        return !id.empty();
    }
    bool holds(int body) const /* number in the description */
    {
        return is_loose[(size_t)body];
    }

    /* Contacts first .. end - 1 in the order of the sweeps are those of this rank. */
    void collect(const World &world, Ranks &ranks, int first, int end)
    {
        std::vector<Loose> mine;
        begin = first;
        for (int k = first; k < end; ++k)
            if (is_counted(world, world.ordered.pair[k]))
                mine.push_back(loose_of(world, k));
        std::vector<Loose> all = ranks.gather(mine);
        std::sort(all.begin(), all.end(), [](const Loose &x, const Loose &y) { return x.id < y.id; });
        take_bodies(world, ranks, all);
        take_contacts(all);
        here.clear();
        for (int k = first; k < end; ++k)
            here.push_back((int)(std::lower_bound(id.begin(), id.end(), identity_of(world, world.order[k])) - id.begin()));
    }

    template <class Visit> void visit(const World &world, Ranks &ranks, const Visit &take)
    {
        std::vector<Moved> mine;
        for (size_t i = 0; i < body.size(); ++i)
            if (local[i] >= 0 && world.domain.mine[local[i]])
                mine.push_back({(long long)i, world.sorted.m[ranks.at[(size_t)local[i]]]});
        for (const Moved &one : ranks.gather(mine))
            motion[(size_t)one.body] = one.m;
        World small = view_of(world);
        for (int k = 0; k < (int)id.size(); ++k)
            take(small, k);
        for (size_t i = 0; i < body.size(); ++i)
            if (local[i] >= 0 && motion[i].v.w != 0)
                world.sorted.m[ranks.at[(size_t)local[i]]] = motion[i];
    }

    /* The impulses of this rank's contacts. */
    void give_back(const World &world) const
    {
        for (size_t i = 0; i < here.size(); ++i)
        {
            world.ordered.r[begin + (int)i] = r[(size_t)here[i]];
            if (world.shapes.ordered_extra)
                world.shapes.ordered_extra[begin + (int)i] = extra[(size_t)here[i]];
        }
    }

    void clear(size_t bodies)
    {
        id.clear();
        is_loose.assign(bodies, 0);
    }

  private:
    struct Moved
    {
        long long body;
        Motion m;
    };
    std::vector<Identity> id;
    std::vector<unsigned long long> pair;
    std::vector<R4> n, r, arm_a, arm_b, extra;
    std::vector<long long> body; /* their numbers among all */
    std::vector<int> local;      /* in the description; -1: not on this rank */
    std::vector<Motion> motion;
    std::vector<Inertia> inertia;
    std::vector<int> here; /* of this rank's contacts: their places */
    std::vector<char> is_loose;
    int begin = 0;

    static Loose loose_of(const World &world, int k)
    {
        const Shapes &shapes = world.shapes;
        unsigned long long of = world.ordered.pair[k];
        int a = first_of(of), b = second_of(of);
        Loose out = {identity_of(world, world.order[k]), {pack(0, 0, class_of(of)), world.ordered.n[k], world.ordered.r[k]}, {}, {}, {},
                     {world.sorted.m[a], world.sorted.m[b]}, {}};
        if (!world.has_shapes)
            return out;
        out.arm_a = shapes.ordered_arm_a[k];
        out.arm_b = shapes.ordered_arm_b[k];
        out.inertia[0] = shapes.inertia[a];
        out.inertia[1] = shapes.inertia[b];
        if (shapes.ordered_extra)
            out.extra = shapes.ordered_extra[k];
        return out;
    }

    int place_of(long long number) const
    {
        return (int)(std::lower_bound(body.begin(), body.end(), number) - body.begin());
    }

    void take_bodies(const World &world, const Ranks &ranks, const std::vector<Loose> &all)
    {
        body.clear();
        for (const Loose &one : all)
        {
            body.push_back(one.id.a);
            body.push_back(one.id.b);
        }
        std::sort(body.begin(), body.end());
        body.erase(std::unique(body.begin(), body.end()), body.end());
        local.assign(body.size(), -1);
        motion.resize(body.size());
        inertia.resize(body.size());
        is_loose.assign((size_t)world.n, 0);
        for (const Loose &one : all)
            for (int side = 0; side < 2; ++side)
            {
                size_t i = (size_t)place_of(side == 0 ? one.id.a : one.id.b);
                motion[i] = one.motion[side];
                inertia[i] = one.inertia[side];
            }
        for (size_t i = 0; i < body.size(); ++i)
        {
            auto at = std::lower_bound(ranks.global.begin(), ranks.global.end(), body[i]);
            if (at == ranks.global.end() || *at != body[i])
                continue;
            local[i] = (int)(at - ranks.global.begin());
            is_loose[(size_t)local[i]] = 1;
        }
    }

    void take_contacts(const std::vector<Loose> &all)
    {
        id.clear();
        pair.clear();
        for (std::vector<R4> *one : {&n, &r, &arm_a, &arm_b, &extra})
            one->clear();
        for (const Loose &one : all)
        {
            id.push_back(one.id);
            pair.push_back(pack(place_of(one.id.a), place_of(one.id.b), class_of(one.held.pair)));
            n.push_back(one.held.n);
            r.push_back(one.held.r);
            arm_a.push_back(one.arm_a);
            arm_b.push_back(one.arm_b);
            extra.push_back(one.extra);
        }
    }

    /* The world that visits of these contacts see. */
    World view_of(const World &world)
    {
        World small = world;
        small.sorted.m = motion.data();
        small.ordered = {pair.data(), n.data(), r.data()};
        small.shapes.inertia = inertia.data();
        small.shapes.ordered_arm_a = arm_a.data();
        small.shapes.ordered_arm_b = arm_b.data();
        small.shapes.ordered_extra = world.shapes.ordered_extra ? extra.data() : nullptr;
        return small;
    }
};

} // namespace crn
