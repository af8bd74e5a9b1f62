/* What a rank knows of its part in the whole, from step to step. */
#pragma once

#include "exact_sum.hpp"
#include "loose.hpp"
#include "schedule.hpp"
#include "split.hpp"

namespace crn
{

enum
{
    CROWD = COLOURS / 2,  /* contacts of a body; if none has more, all contacts get a colour */
    SHORT_OF_GHOSTS = 253 /* Counters::full: bodies reach further than the ghosts were chosen for */
};

struct Team
{
    Ranks ranks;
    Schedule schedule;
    LooseContacts loose;
    std::vector<unsigned long long> joints; /* per body of the description: colours of its joints */
    std::vector<Visits> out, in;            /* per body of the border */
    std::vector<double> sent;               /* scratch, per body: how fast collisions send it */
    std::vector<int> touched;               /* likewise: its contacts */
    int border_first[COLOURS] = {};         /* of each colour that has contacts: the first with a ghost; those without come before */
    bool was_loose = false;                 /* the last step had contacts without a colour here */
    bool is_crowded = false;                /* somebody may have such ones in this step */
    int64_t contacts = 0, loose_count = 0;  /* of all ranks, each once */
    int lost = 0;                           /* 1 + the number in the scene of a body that is at no place any more; 0: none */
    bool is_split, divides_joints = false;  /* sweeps are those of split.hpp; a joint has bodies of two ranks */
    Split split;

    Team(const crn_gpu_description *d) : ranks(*d->rank, d->body_count), joints((size_t)d->body_count), is_split(d->is_split)
    {
        loose.clear((size_t)d->body_count);
        out.resize(ranks.border.out.body.size());
        in.resize(ranks.border.in.body.size());
        for (int colour = 0; colour < d->joint_colours; ++colour)
            for (int j = d->joint_first[colour]; j < d->joint_first[colour + 1]; ++j)
                add_joint(d->joint[j].body, colour);
        const auto &mine = joints;
        ranks.exchange<unsigned long long>(ranks.border, [&](int body) { return mine[(size_t)body]; },
                                           [&](int body, unsigned long long mask) { joints[(size_t)body] = mask; });
        for (size_t i = 0; i < out.size(); ++i)
            out[i].joints = joints[(size_t)ranks.border.out.body[i]];
        for (size_t i = 0; i < in.size(); ++i)
            in[i].joints = joints[(size_t)ranks.border.in.body[i]];
    }

    int border_of(const World &world, int colour) const
    {
        int begin = world.range[colour], end = world.range[colour + 1];
        return begin < end ? border_first[colour] : end;
    }
    bool is_ghost(int body) const /* number in the description */
    {
        return ranks.ghost[(size_t)body] >= 0;
    }
    /* A visit of bodies a and b, one of which is a ghost, belongs to both sides. */
    template <class Share> void share(int a, int b, Share add)
    {
        int ghost = is_ghost(a) ? a : b, own = is_ghost(a) ? b : a, place = ranks.ghost[(size_t)ghost];
        add(in[(size_t)place]);
        add(out[(size_t)ranks.place_for(ranks.owner[(size_t)place], own)]);
    }

    /* Colours of the border's bodies, of which none is shared as yet. */
    void gather_visits(const World &world)
    {
        set_visits(world, ranks.border.out, out);
        set_visits(world, ranks.border.in, in);
    }

    /* Bodies of neighbour q that have contacts or joints. Those without a colour are not in the masks, and only the owner knows of all of them: where there may be such ones,
     * all bodies. */
    void add_changed(const Route &border, size_t q, const std::vector<Visits> &visits, Route &to) const
    {
        for (int i = border.first[q]; i < border.first[q + 1]; ++i)
            if (is_crowded || visits[(size_t)i].contacts || visits[(size_t)i].joints)
                to.body.push_back(border.body[(size_t)i]);
    }

  private:
    void set_visits(const World &world, const Route &border, std::vector<Visits> &visits) const
    {
        for (size_t i = 0; i < visits.size(); ++i)
        {
            visits[i].contacts = world.mask[ranks.at[(size_t)border.body[i]]];
            visits[i].shared = 0;
            visits[i].is_loose = loose.holds(border.body[i]);
        }
    }
    void add_joint(const int32_t body[2], int colour)
    {
        unsigned long long bit = 1ull << colour;
        for (int side = 0; side < 2; ++side)
            if (body[side] >= 0)
                joints[(size_t)body[side]] |= bit;
        if (body[0] < 0 || body[1] < 0 || (!is_ghost(body[0]) && !is_ghost(body[1])))
            return;
        divides_joints = true;
        share(body[0], body[1], [bit](Visits &v) { v.shared_joints |= bit; });
    }
};

} // namespace crn
