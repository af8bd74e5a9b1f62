/* The parts of the pipeline that only sweeps with divided bodies have (split.hpp). */
#pragma once

#include "pipeline_ranks.hpp"

namespace crn
{

/* ---------------------------------------------------------------------------------------------------- who visits what */

/* Which bodies are divided, and how many contacts and joints of theirs this rank visits. */
void Pipeline::find_parts()
{
    const World &w = world;
    Team &t = *team;
    Split &split = t.split;
    std::vector<char> lent_out(t.out.size()), lent_in(t.in.size());
    split.clear(w.n);
    for (int k = 0; k < w.counters->contacts; ++k)
    {
        if (!is_border(w.pair[k]))
            continue;
        int a = number_of(first_of(w.pair[k])), b = number_of(second_of(w.pair[k]));
        int ghost = t.is_ghost(a) ? a : b, own = t.is_ghost(a) ? b : a, place = t.ranks.ghost[(size_t)ghost];
        if (is_counted(w, w.pair[k]))
        {
            lent_in[(size_t)place] = 1;
            ++split.part_for(ghost, false).visits;
        }
        else
        {
            lent_out[(size_t)t.ranks.place_for(t.ranks.owner[(size_t)place], own)] = 1;
            ++split.part_for(own, true).all;
        }
    }
    split.route(t.ranks, lent_out, lent_in);
}

/* Own bodies that are divided: what this rank visits of them. Their owner knows all contacts, and tells the others how many there are. */
void Pipeline::count_visits()
{
    const World &w = world;
    Split &split = team->split;
    auto count = [&](int body) {
        if (split.is_split(body) && split.at(body).is_own)
            ++split.at(body).visits;
    };
    for (int k = 0; k < w.counters->contacts; ++k)
        if (is_counted(w, w.pair[k]))
            for (int side : {first_of(w.pair[k]), second_of(w.pair[k])})
                if (side < w.n)
                    count(number_of(side));
    split.is_near.assign((size_t)w.joints.count, 0);
    split.has_near_joints = false;
    for (int j = 0; j < w.joints.count; ++j)
        for (int body : w.joints.joint[j].body)
            if (body >= 0 && split.is_split(body))
            {
                count(body);
                split.is_near[(size_t)j] = split.has_near_joints = true;
            }
    for (Split::Part &p : split.part)
        p.all += p.is_own ? p.visits : 0;
    team->ranks.exchange<int>(split.lent, [&](int body) { return split.at(body).all; },
                              [&](int body, int all) { split.at(body).all = all; });
    split.set_shares();
}

int Pipeline::stage_of(unsigned long long pair) const
{
    if (is_border(pair))
        return is_counted(world, pair) ? STAGE_OUTER : STAGE_FOREIGN;
    int a = first_of(pair), b = second_of(pair);
    bool is_near = team->split.is_split(number_of(a)) || (b < world.n && team->split.is_split(number_of(b)));
    return is_near ? STAGE_NEAR : STAGE_DEEP;
}

/* Contacts of each colour by stage. */
void Pipeline::order_stages()
{
    World &w = world;
    Split &split = team->split;
    find_parts();
    count_visits();
    memset(split.stage, 0, sizeof split.stage);
    std::vector<int> sorted;
    for (int begin = 0, end; begin < w.counters->contacts; begin = end)
    {
        int colour = w.group_sorted[begin];
        for (end = begin; end < w.counters->contacts && w.group_sorted[end] == colour; ++end)
            ;
        sorted.clear();
        for (int stage = 0; stage < STAGES; ++stage)
        {
            split.stage[colour][stage] = begin + (int)sorted.size();
            for (int i = begin; i < end; ++i)
                if (stage_of(w.pair[w.order[i]]) == stage)
                    sorted.push_back(w.order[i]);
        }
        split.stage[colour][STAGES] = end;
        std::copy(sorted.begin(), sorted.end(), w.order + begin);
    }
}

/* Bodies that are to be sent after the last pass, and contacts whose impulses are: both sides know them by their identities. */
void Pipeline::schedule_split()
{
    World &w = world;
    Team &t = *team;
    Split &split = t.split;
    size_t neighbours = (size_t)t.ranks.neighbours;
    std::vector<std::vector<std::pair<Identity, int>>> out(neighbours), in(neighbours);
    for (const auto &stage : split.stage)
        for (int k = stage[STAGE_OUTER]; k < stage[STAGES]; ++k)
        {
            int a = number_of(first_of(w.ordered.pair[k])), b = number_of(second_of(w.ordered.pair[k]));
            size_t q = (size_t)t.ranks.owner[(size_t)t.ranks.ghost[(size_t)(t.is_ghost(a) ? a : b)]];
            (k < stage[STAGE_FOREIGN] ? out : in)[q].push_back({identity_of(w, w.order[k]), k});
        }
    t.gather_visits(w);
    split.last.clear();
    split.impulses.clear();
    for (size_t q = 0; q < neighbours; ++q)
    {
        t.add_changed(t.ranks.border.out, q, t.out, split.last.out);
        t.add_changed(t.ranks.border.in, q, t.in, split.last.in);
        split.last.close();
        for (auto *list : {&out[q], &in[q]})
        {
            std::sort(list->begin(), list->end(), [](const auto &x, const auto &y) { return x.first < y.first; });
            Route &to = list == &out[q] ? split.impulses.out : split.impulses.in;
            for (const auto &one : *list)
                to.body.push_back(one.second);
        }
        split.impulses.close();
    }
    t.schedule.needed = split.lent; /* of the certificate: a contact is judged where it is visited */
}

/* ------------------------------------------------------------------------------------------------------------ sweeps */

template <int FORM> void Pipeline::visit_stage(const Sweep<FORM> &sweep, int stage, int pass)
{
    const World &w = world;
    const Split &split = team->split;
    bool is_back = pass > 0 && pass % 2 == 0;
    for (int i = 0; i < BINS; ++i)
    {
        int colour = is_back ? BINS - 1 - i : i;
        const int *first = split.stage[colour] + stage;
        if (colour < COLOURS)
            visit_range(sweep, first[0], first[1], pass == 0);
        else
            for (int k = first[0]; k < first[1]; ++k)
                sweep.take(k, hold(w, k), pass == 0, true);
    }
    for (int i = 0; FORM == SWEEP_FULL && stage != STAGE_OUTER && w.joints.count > 0 && i < w.joints.colours; ++i)
    {
        const int *first = w.joints.colour_first + (is_back ? w.joints.colours - 1 - i : i);
        for (int j = first[0]; j < first[1]; ++j)
            if (split.is_near[(size_t)j] == (stage == STAGE_NEAR))
                visit_joint(w, j, pass == 0);
    }
}

void Pipeline::weigh_near_joints()
{
    for (int j = 0; team->split.has_near_joints && j < world.joints.count; ++j)
        if (team->split.is_near[(size_t)j])
            weigh_joint(world, j);
}

/* The passes of Sweep. */
template <int FORM> void Pipeline::sweep_split(int sweeps, bool is_more)
{
    World &w = world;
    Split &split = team->split;
    Ranks &ranks = team->ranks;
    Sweep<FORM> sweep = {w, sweeps, is_more};
    split.divide(w, ranks.at);
    weigh_near_joints();
    for (int pass = is_more; pass <= sweeps; ++pass)
    {
        split.begin(w, ranks.at);
        visit_stage(sweep, STAGE_OUTER, pass);
        ranks.start<Wire>(split.back, [&](int body) {
            Wire change;
            Split::change_of(split.at(body), w.sorted.m[ranks.at[(size_t)body]], change.v, change.w);
            return change;
        });
        visit_stage(sweep, STAGE_NEAR, pass);
        ranks.finish<Wire>(split.back, [&](int body, const Wire &change) {
            Split::Part &p = split.at(body);
            p.dv = p.dv + change.v;
            p.dw = p.dw + change.w;
        });
        split.join(w, ranks.at);
        start_motions(split.lent);
        visit_stage(sweep, STAGE_DEEP, pass);
        finish_motions(split.lent);
    }
    split.unite(w, ranks.at);
    weigh_near_joints();
}

/* What sweeps have come to, for those who did not do them. */
void Pipeline::share_sweeps()
{
    struct Both
    {
        R4 r, extra;
    };
    if (!team || !team->is_split)
        return;
    const Split &split = team->split;
    R4 *r = world.ordered.r, *extra = world.shapes.ordered_extra;
    start_motions(split.last);
    finish_motions(split.last);
    if (!extra)
        return team->ranks.exchange<R4>(split.impulses, [&](int k) { return r[k]; }, [&](int k, R4 value) { r[k] = value; });
    team->ranks.exchange<Both>(split.impulses, [&](int k) { return Both{r[k], extra[k]}; },
                               [&](int k, const Both &value) {
                                   r[k] = value.r;
                                   extra[k] = value.extra;
                               });
}

} // namespace crn
