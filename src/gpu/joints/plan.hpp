/* Which joints make up a mechanism (mechanism.hpp): found once, on the host. */
#pragma once

#include "joint.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace crn
{

enum
{
    MOST_TOGETHER = 384 /* rows of a mechanism that is solved at once: its matrix takes 1.2 MB */
};

class MechanismPlan
{
  public:
    std::vector<Mechanism> mechanism;
    std::vector<int> lone, row, of, body;
    long long numbers = 0;
    bool is_bounded = false, has_lone = false, has_loops = false;

    MechanismPlan(const crn_gpu_description *d) : d(d), root((size_t)d->body_count), tie(root.size() + 1)
    {
        std::iota(tie.begin(), tie.end(), 0);
        std::iota(root.begin(), root.end(), 0);
        for (int j = 0; j < d->joint_count; ++j)
            join(d->joint[j]);
        std::vector<std::vector<int>> joints(root.size());
        lone.assign((size_t)d->joint_count, 1);
        for (int j = 0; j < d->joint_count; ++j)
            if (moving_body(d->joint[j]) >= 0)
                joints[(size_t)find(moving_body(d->joint[j]))].push_back(j);
        for (const std::vector<int> &one : joints)
            if (one.size() > 1 && rows_of(one) <= MOST_TOGETHER)
                add(one);
        for (int one : lone)
            has_lone = has_lone || one;
    }

  private:
    const crn_gpu_description *d;
    std::vector<int> root, tie;

    bool moves(int b) const
    {
        return b >= 0 && d->body[b].inverse_mass > 0;
    }
    int find(int b)
    {
        while (root[(size_t)b] != b)
            b = root[(size_t)b] = root[(size_t)root[(size_t)b]];
        return b;
    }
    int moving_body(const crn_gpu_joint &joint) const
    {
        return moves(joint.body[0]) ? joint.body[0] : moves(joint.body[1]) ? joint.body[1] : -1;
    }
    void join(const crn_gpu_joint &joint)
    {
        if (moves(joint.body[0]) && moves(joint.body[1]))
            root[(size_t)find(joint.body[0])] = find(joint.body[1]);
    }
    int rows_of(const std::vector<int> &joints) const
    {
        int rows = 0;
        for (int j : joints)
            rows += d->joint[j].rows;
        return rows;
    }
    /* Whether some joints with equations tie what is tied already; all that cannot move is one. */
    bool has_loop(const std::vector<int> &joints)
    {
        bool is_there = false;
        tie.back() = (int)tie.size() - 1;
        for (int j : joints)
        {
            size_t end[2];
            for (int side = 0; side < 2; ++side)
            {
                end[side] = moves(d->joint[j].body[side]) ? (size_t)d->joint[j].body[side] : tie.size() - 1;
                while (tie[end[side]] != (int)end[side])
                    end[side] = (size_t)tie[end[side]];
            }
            is_there = is_there || (d->joint[j].equations > 0 && end[0] == end[1]);
            if (d->joint[j].equations > 0)
                tie[end[0]] = (int)end[1];
        }
        return is_there;
    }
    void add(const std::vector<int> &joints)
    {
        Mechanism out = {(int)row.size(), 0, 0, (int)body.size(), 0, has_loop(joints), 0, numbers};
        out.is_closed = out.has_loop && d->closes_loops;
        long long n = rows_of(joints);
        for (int is_bound = 0; is_bound < 2; ++is_bound)
            for (int j : joints)
                for (int i = is_bound ? d->joint[j].equations : 0; i < (is_bound ? d->joint[j].rows : d->joint[j].equations); ++i)
                {
                    row.push_back(j * CRN_GPU_ROWS + i);
                    of.push_back((int)mechanism.size());
                    ++(is_bound ? out.bounded : out.equations);
                }
        for (int j : joints)
            lone[(size_t)j] = 0;
        for (int j : joints)
            for (int b : d->joint[j].body)
                if (moves(b) && std::find(body.begin() + out.body, body.end(), b) == body.end())
                    body.push_back(b);
        out.bodies = (int)body.size() - out.body;
        has_loops = has_loops || out.is_closed;
        is_bounded = is_bounded || out.bounded > 0;
        numbers += n * (n + 2);
        mechanism.push_back(out);
    }
};

} // namespace crn
