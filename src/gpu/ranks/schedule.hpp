/* Which bodies travel between ranks, and when.
 *
 * A pass visits the contacts colour by colour, those without a colour, and the joints colour by colour. A neighbour has a ghost of a body, and visits those
 * of its contacts and joints that are with the neighbour's own bodies. A visit that both sides do leaves both with the same motion; one that only the owner
 * does makes the ghost stale. A stale ghost is sent before the first visit that needs it, and not earlier. Both sides know the colours of a body and
 * which of them they share, so both know what travels, and nobody has to ask. */
#pragma once

#include "../world.hpp"
#include "ranks.hpp"

namespace crn
{

enum PassKind
{
    PASS_START, /* impulses of the last step act */
    PASS_FIRST, /* forwards, after that */
    PASS_BACK,
    PASS_FORTH, /* forwards, after one backwards */
    PASS_KINDS
};

enum
{
    MOST_JOINT_COLOURS = 64,
    SLOTS = COLOURS + MOST_JOINT_COLOURS
};

/* What happens to a body in a pass: bits are colours. */
struct Visits
{
    unsigned long long contacts, shared, joints, shared_joints; /* shared: of those, with bodies of the neighbour */
    bool is_loose;                                              /* it has contacts without a colour, which all ranks visit */
};

class Schedule
{
  public:
    Traffic before[PASS_KINDS][SLOTS]; /* slots: colours of contacts, then colours of joints */
    Traffic after[2];                  /* what is stale after the last pass: forwards, backwards */
    Traffic needed;                    /* bodies that a neighbour has contacts or joints with */

    /* out, in: as the border of `ranks` has them. */
    void build(const Ranks &ranks, const std::vector<Visits> &out, const std::vector<Visits> &in)
    {
        each([](Traffic &one) { one.clear(); });
        for (size_t q = 0; q < (size_t)ranks.neighbours; ++q)
        {
            route(ranks.border.out, q, out, &Traffic::out);
            route(ranks.border.in, q, in, &Traffic::in);
            each([](Traffic &one) { one.close(); });
        }
    }

  private:
    template <class F> void each(F f)
    {
        for (auto &pass : before)
            for (Traffic &one : pass)
                f(one);
        for (Traffic &one : after)
            f(one);
        f(needed);
    }

    void route(const Route &border, size_t q, const std::vector<Visits> &visits, Route Traffic::*side)
    {
        for (int i = border.first[q]; i < border.first[q + 1]; ++i)
        {
            const Visits &v = visits[(size_t)i];
            bool is_stale = false;
            if (v.shared || v.shared_joints || v.is_loose)
                (needed.*side).body.push_back(border.body[(size_t)i]);
            for (int kind = 0; kind < PASS_KINDS; ++kind)
            {
                follow(kind, v, border.body[(size_t)i], side, is_stale);
                if (is_stale && kind >= PASS_BACK)
                    (after[kind == PASS_BACK].*side).body.push_back(border.body[(size_t)i]);
            }
        }
    }

    /* One body through one pass. */
    void follow(int kind, const Visits &v, int body, Route Traffic::*side, bool &is_stale)
    {
        bool is_back = kind == PASS_BACK;
        if (is_back && v.is_loose)
            is_stale = false;
        through(before[kind], v.contacts, v.shared, is_back, body, side, is_stale);
        if (!is_back && v.is_loose)
            is_stale = false;
        through(before[kind] + COLOURS, v.joints, v.shared_joints, is_back, body, side, is_stale);
    }

    static void through(Traffic *slot, unsigned long long all, unsigned long long shared, bool is_back, int body, Route Traffic::*side,
                        bool &is_stale)
    {
        while (all)
        {
            int colour = is_back ? 63 - __builtin_clzll(all) : __builtin_ctzll(all);
            unsigned long long bit = 1ull << colour;
            all &= ~bit;
            if (!(shared & bit))
                is_stale = true;
            else if (is_stale)
            {
                (slot[colour].*side).body.push_back(body);
                is_stale = false;
            }
        }
    }
};

} // namespace crn
