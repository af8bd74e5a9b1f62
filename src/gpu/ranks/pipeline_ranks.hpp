/* The parts of the pipeline (pipeline.cu) that only a world has that is one domain of several (ranks.hpp). Their memory is the processor's. */
#pragma once

#include "../pipeline.hpp"
#include "team.hpp"

namespace crn
{

/* --------------------------------------------------------------------------------------------------------- open */

/* Whether all ranks are well; all of them ask. */
bool Pipeline::all_are_good()
{
    if (!team)
        return machine.good();
    int64_t bad = !machine.good() || team->ranks.is_broken;
    team->ranks.reduce_sum(&bad, 1);
    if (bad && machine.good())
        snprintf(machine.sentence, sizeof machine.sentence, "%s",
                 team->ranks.is_broken ? "a message between ranks was lost" : "another rank could not go on");
    return machine.good();
}

bool Pipeline::open_team(const crn_gpu_description *d)
{
    if (!Machine::is_processor())
        snprintf(machine.sentence, sizeof machine.sentence, "the device cannot be one rank of several");
    else if (d->joint_colours > MOST_JOINT_COLOURS)
        snprintf(machine.sentence, sizeof machine.sentence, "more than %d joints meet at one body", MOST_JOINT_COLOURS);
    else
        team.reset(new Team(d));
    if (team && team->divides_joints && team->is_split)
        snprintf(machine.sentence, sizeof machine.sentence, "a joint has bodies of two ranks");
    return team && team->is_split ? all_are_good() : machine.good();
}

void Pipeline::send_domain(const crn_gpu_description *d)
{
    const crn_gpu_rank &rank = *d->rank;
    size_t n = (size_t)d->body_count;
    std::vector<uint8_t> mine(n);
    std::vector<long long> shape(rank.global_shape, rank.global_shape + (rank.global_shape ? d->shape_count : 0));
    for (size_t i = 0; i < n; ++i)
        mine[i] = rank.owner[i] == rank.rank && d->body[i].inverse_mass > 0;
    send(world.domain.mine, mine.data(), n);
    send(world.domain.global, team->ranks.global.data(), n);
    send(world.domain.global_shape, shape.data(), shape.size());
}

/* Ghosts start with their owners' bits. */
void Pipeline::copy_to_ghosts()
{
    struct State
    {
        D4 x, q;
        Motion m;
    };
    const Bodies &kept = world.kept;
    team->ranks.exchange<State>(team->ranks.border, [&](int i) { return State{kept.x[i], kept.q[i], kept.m[i]}; },
                                [&](int i, const State &s) {
                                    kept.x[i] = s.x;
                                    kept.q[i] = s.q;
                                    kept.m[i] = s.m;
                                });
}

/* ----------------------------------------------------------------------------------------------------- contacts */

/* Calls f(a, b, count) with the bodies of every pair and the number of its contacts, before they are filled in. */
template <class F> void Pipeline::each_found(F f) const
{
    const World &w = world;
    for (int i = 0; !w.has_shapes && i < w.n; ++i)
        for (int m = 0; m < w.count[i]; ++m)
        {
            int other = w.slot[(long long)m * w.n + i];
            f(i, other < 0 ? w.n - 1 - other : other, 1);
        }
    for (int p = 0; w.has_shapes && p < w.counters->pairs; ++p)
    {
        Couple of = couple_of(w, p);
        f(w.shapes.shape[of.a].body, w.shapes.shape[of.b].body, w.shapes.touch_count[p]);
    }
}

void Pipeline::locate_bodies()
{
    for (int i = 0; i < world.n; ++i)
        team->ranks.at[(size_t)world.sorted.tag[i].x] = i;
}

/* Ghosts learn how fast collisions may send them. Their owners know of all who may strike them. */
void Pipeline::tell_struck(int look)
{
    real *struck = world.struck[look];
    const std::vector<int> &at = team->ranks.at;
    if (look == 0)
        locate_bodies();
    team->ranks.exchange<real>(team->ranks.border, [&](int body) { return struck[at[(size_t)body]]; },
                               [&](int body, real speed) { struck[at[(size_t)body]] = speed; });
}

/* Whether the ghosts include all that bodies may reach which collisions send away. */
bool Pipeline::has_ghosts_enough() const
{
    const World &w = world;
    if (w.looks < 2)
        return true;
    team->sent.resize((size_t)w.n);
    for (int i = 0; i < w.n; ++i)
        team->sent[(size_t)number_of(i)] = w.struck[w.looks - 2][i];
    return team->ranks.suffices(team->sent.data());
}

/* All ranks learn how many contacts there are, and whether one of them has to try this step again. */
bool Pipeline::agree()
{
    World &w = world;
    Counters &c = *w.counters;
    std::vector<int> &touched = team->touched;
    touched.assign((size_t)(w.n + w.planes), 0);
    int64_t all[5] = {0, c.full != 0, c.lost != 0, team->was_loose, 0};
    if (w.looks < 2)
        locate_bodies();
    all[4] = !c.lost && !has_ghosts_enough();
    each_found([&](int a, int b, int count) {
        all[0] += is_counted(w, pack(a, b, 0)) ? count : 0;
        for (int body : {a, b})
            if (body < w.n && w.sorted.m[body].v.w != 0 && (touched[(size_t)body] += count) > CROWD)
                all[3] = 1;
    });
    team->ranks.reduce_sum(all, 5);
    if (all[2] > 0)
        say_lost();
    team->contacts = all[0];
    team->is_crowded = all[3] > 0;
    c.full = all[4] > 0 && all[2] == 0 ? (int)SHORT_OF_GHOSTS : all[1] > 0;
    c.push_share = push_share_of(w, (double)all[0]);
    return !c.full;
}

void Pipeline::say_lost()
{
    int lost = world.counters->lost;
    double number = lost > 0 ? 1 + (double)team->ranks.global[(size_t)lost - 1] : 0;
    team->ranks.reduce_max(&number, 1);
    team->lost = (int)number;
    snprintf(machine.sentence, sizeof machine.sentence, LOST_SENTENCE, number);
}

/* ------------------------------------------------------------------------------------------------------ colours */

/* Bodies of contacts without a colour, on both sides of a border. */
void Pipeline::route_uncoloured(const int *list, int count, Traffic &of)
{
    Team &t = *team;
    for (Visits &v : t.out)
        v.is_loose = false;
    for (Visits &v : t.in)
        v.is_loose = false;
    for (int i = 0; i < count; ++i)
        if (is_border(world.pair[list[i]]))
            t.share(number_of(first_of(world.pair[list[i]])), number_of(second_of(world.pair[list[i]])), [](Visits &v) { v.is_loose = true; });
    of.clear();
    for (size_t q = 0; q < (size_t)t.ranks.neighbours; ++q)
    {
        for (int i = t.ranks.border.out.first[q]; i < t.ranks.border.out.first[q + 1]; ++i)
            if (t.out[(size_t)i].is_loose)
                of.out.body.push_back(t.ranks.border.out.body[(size_t)i]);
        for (int i = t.ranks.border.in.first[q]; i < t.ranks.border.in.first[q + 1]; ++i)
            if (t.in[(size_t)i].is_loose)
                of.in.body.push_back(t.ranks.border.in.body[(size_t)i]);
        of.close();
    }
}

void Pipeline::copy_words(const Traffic &of, unsigned long long *word)
{
    const std::vector<int> &at = team->ranks.at;
    team->ranks.exchange<unsigned long long>(of, [&](int body) { return word[at[(size_t)body]]; },
                                             [&](int body, unsigned long long value) { word[at[(size_t)body]] = value; });
}

/* The rounds of Colour. Both sides of a border have the same contacts without a colour there, so both go on for as long. */
void Pipeline::colour_together()
{
    World &w = world;
    Colour colour = {w};
    Traffic of;
    int count = w.counters->list[0], round = 0;
    for (; count > 0 && round < MOST_ROUNDS; ++round)
    {
        const int *now = w.list[round & 1];
        int *next = w.list[1 - (round & 1)], left = 0;
        route_uncoloured(now, count, of);
        copy_words(of, w.mask);
        machine.each(count, [&](int i) { colour.bid(round, now[i]); });
        copy_words(of, w.best);
        machine.each(count, [&](int i) { colour.take(round, now[i], next, &left); });
        count = left;
    }
    w.counters->round = round;
    if (count > 0)
        snprintf(machine.sentence, sizeof machine.sentence, UNCOLOURED_SENTENCE);
    copy_words(team->ranks.border, w.mask);
    machine.each(w.capacity, [&](int k) { w.group[k] = colour.group_of(k); });
}

/* Within each colour, contacts with ghosts last; those without a colour in the order of their identities. */
void Pipeline::order_together()
{
    World &w = world;
    for (int begin = 0, end; begin < w.counters->contacts; begin = end)
    {
        int colour = w.group_sorted[begin];
        for (end = begin; end < w.counters->contacts && w.group_sorted[end] == colour; ++end)
            ;
        if (colour < COLOURS)
            team->border_first[colour] =
                (int)(std::stable_partition(w.order + begin, w.order + end, [&](int k) { return !is_border(w.pair[k]); }) - w.order);
        else
            std::sort(w.order + begin, w.order + end, [&](int k, int l) { return identity_of(w, k) < identity_of(w, l); });
    }
    if (team->is_split)
        order_stages();
}

bool Pipeline::is_border(unsigned long long pair) const
{
    int a = first_of(pair), b = second_of(pair);
    return team->is_ghost(number_of(a)) || (b < world.n && team->is_ghost(number_of(b)));
}

void Pipeline::schedule_together()
{
    World &w = world;
    Team &t = *team;
    const int *loose = w.range + COLOURS;
    int64_t count = 0;
    t.was_loose = loose[1] > loose[0];
    for (int k = loose[0]; k < loose[1]; ++k)
        count += is_counted(w, w.ordered.pair[k]);
    if (t.is_crowded)
        t.ranks.reduce_sum(&count, 1);
    t.loose_count = count;
    t.loose.clear((size_t)w.n);
    if (t.is_split)
        return schedule_split();
    if (count > 0)
        t.loose.collect(w, t.ranks, loose[0], loose[1]);
    t.gather_visits(w);
    for (int colour = 0; colour < COLOURS; ++colour)
        for (int k = t.border_of(w, colour); k < w.range[colour + 1]; ++k)
            t.share(number_of(first_of(w.ordered.pair[k])), number_of(second_of(w.ordered.pair[k])),
                    [colour](Visits &v) { v.shared |= 1ull << colour; });
    t.schedule.build(t.ranks, t.out, t.in);
}

/* ------------------------------------------------------------------------------------------------------- sweeps */

/* The motion of a body as it travels. */
struct Wire
{
    R3 v, w;
};

void Pipeline::start_motions(const Traffic &of)
{
    const std::vector<int> &at = team->ranks.at;
    team->ranks.start<Wire>(of, [&](int body) {
        const Motion &m = world.sorted.m[at[(size_t)body]];
        return Wire{xyz(m.v), xyz(m.w)};
    });
}
void Pipeline::finish_motions(const Traffic &of)
{
    const std::vector<int> &at = team->ranks.at;
    team->ranks.finish<Wire>(of, [&](int body, const Wire &wire) {
        Motion &m = world.sorted.m[at[(size_t)body]];
        m = {with(wire.v, m.v.w), with(wire.w, m.w.w)};
    });
}

/* Contacts of one colour, in any order. */
template <int FORM> void Pipeline::visit_range(const Sweep<FORM> &sweep, int begin, int end, bool is_start)
{
    machine.each(end - begin, [&](int i) { sweep.take(begin + i, hold(world, begin + i), is_start, true); });
}

/* The passes of Sweep. While bodies travel, contacts are visited that need none of them. */
template <int FORM> void Pipeline::sweep_together(int sweeps, bool is_more)
{
    World &w = world;
    Team &t = *team;
    Sweep<FORM> sweep = {w, sweeps, is_more};
    if (t.loose_count > 0)
        t.loose.collect(w, t.ranks, w.range[COLOURS], w.range[BINS]);
    for (int pass = is_more; pass <= sweeps; ++pass)
    {
        bool is_back = pass > 0 && pass % 2 == 0, is_start = pass == 0;
        const Traffic *before = t.schedule.before[pass == 0 ? PASS_START : pass == 1 ? PASS_FIRST : is_back ? PASS_BACK : PASS_FORTH];
        for (int i = 0; i < BINS; ++i)
        {
            int colour = is_back ? BINS - 1 - i : i;
            if (colour == COLOURS)
            {
                if (t.loose_count > 0)
                    t.loose.visit(w, t.ranks, [&](const World &small, int k) {
                        Sweep<FORM>{small, sweeps, is_more}.take(k, hold(small, k), is_start, true);
                    });
                continue;
            }
            int begin = w.range[colour], end = w.range[colour + 1], border = t.border_of(w, colour);
            start_motions(before[colour]);
            visit_range(sweep, begin, border, is_start);
            finish_motions(before[colour]);
            visit_range(sweep, border, end, is_start);
        }
        for (int i = 0; FORM == SWEEP_FULL && i < w.joints.colours; ++i)
            sweep_joint_colour(is_back ? w.joints.colours - 1 - i : i, before, is_start);
    }
    const Traffic &last = t.schedule.after[sweeps > 0 && sweeps % 2 == 0];
    start_motions(last);
    finish_motions(last);
    if (t.loose_count > 0)
        t.loose.give_back(w);
}

void Pipeline::sweep_joint_colour(int colour, const Traffic *before, bool is_start)
{
    start_motions(before[COLOURS + colour]);
    finish_motions(before[COLOURS + colour]);
    const int *first = world.joints.colour_first + colour;
    for (int j = world.joints.count > 0 ? first[0] : 0; world.joints.count > 0 && j < first[1]; ++j)
        visit_joint(world, j, is_start);
}

/* -------------------------------------------------------------------------------------------------- certificate */

/* After the velocities of this rank's own bodies are judged. */
void Pipeline::copy_judged()
{
    struct Judged
    {
        D4 v, w;
    };
    World &w = world;
    const std::vector<int> &at = team->ranks.at;
    team->ranks.exchange<Judged>(team->schedule.needed,
                                 [&](int body) { return Judged{w.judged_v[at[(size_t)body]], w.judged_w[at[(size_t)body]]}; },
                                 [&](int body, const Judged &judged) {
                                     w.judged_v[at[(size_t)body]] = judged.v;
                                     w.judged_w[at[(size_t)body]] = judged.w;
                                 });
}

/* What some contacts add up to, in any order. */
struct Tally
{
    double largest[4] = {0, 0, 0, 0};
    ExactSum sum[6];
    int64_t counts[2] = {0, 0};

    void add(const Finding &f)
    {
        const double most[4] = {f.worst, f.approach, f.scale, f.penetration};
        const double terms[5] = {f.sum, f.penetrations, f.relative, f.work_normal, f.work_friction};
        for (int i = 0; i < 4; ++i)
            largest[i] = most[i] > largest[i] ? most[i] : largest[i];
        for (int i = 0; i < 5; ++i)
            sum[i].add(terms[i]);
        ++counts[0];
        counts[1] += f.active;
    }
    void add(Tally &other)
    {
        for (int i = 0; i < 4; ++i)
            largest[i] = other.largest[i] > largest[i] ? other.largest[i] : largest[i];
        for (int i = 0; i < 6; ++i)
            sum[i].add(other.sum[i]);
        for (int i = 0; i < 2; ++i)
            counts[i] += other.counts[i];
    }
};

/* Contacts that this rank counts. */
void Pipeline::judge_contacts(Tally &found)
{
    const World &w = world;
    int count = w.counters->contacts;
    std::vector<Tally> part((size_t)machine.parts_of(count));
    machine.in_parts(count, [&](int p, int begin, int end) {
        for (int k = begin; k < end; ++k)
            if (is_counted(w, w.ordered.pair[k]))
                part[(size_t)p].add(w.has_shapes ? JudgeShapeContact{w}(k) : JudgeContact{w}(k));
    });
    for (Tally &one : part)
        found.add(one);
}

void Pipeline::judge_together()
{
    World &w = world;
    Tally found;
    if (w.has_shapes)
        machine.launch(w.n, JudgeShapeBodies{w});
    else
        machine.launch(w.n + w.planes, JudgeBodies{w});
    copy_judged();
    judge_contacts(found);
    for (int j = 0; j < w.joints.count; ++j)
    {
        JointFinding f = JudgeJoint{w}(j);
        found.largest[0] = most(found.largest[0], f.worst);
        found.largest[2] = most(found.largest[2], f.scale);
    }
    for (int i = 0; w.has_shapes && i < w.n; ++i)
        if (w.domain.mine[i])
            found.sum[5].add(TurnWork{w}(i));
    join_findings(found);
}

/* What all ranks have found together. */
void Pipeline::join_findings(Tally &found)
{
    enum
    {
        DIGITS = ExactSum::DIGITS
    };
    int64_t words[6 * DIGITS + 2];
    ExactSum *sum = found.sum;
    for (int i = 0; i < 6; ++i)
    {
        sum[i].carry();
        memcpy(words + i * DIGITS, sum[i].digit, sizeof sum[i].digit);
    }
    memcpy(words + 6 * DIGITS, found.counts, sizeof found.counts);
    team->ranks.reduce_max(found.largest, 4);
    team->ranks.reduce_sum(words, 6 * DIGITS + 2);
    for (int i = 0; i < 6; ++i)
        memcpy(sum[i].digit, words + i * DIGITS, sizeof sum[i].digit);
    const double *largest = found.largest;
    *finding = {largest[0], sum[0].value(), largest[1], largest[2], largest[3], sum[1].value(), sum[2].value(), sum[3].value(),
                sum[4].value(), words[6 * DIGITS], words[6 * DIGITS + 1]};
    if (world.has_shapes)
        *world.shapes.work = sum[5].value();
}

/* ------------------------------------------------------------------------------------------------------------ end */

/* Whether ghosts are where their owners are, to the bit. */
void Pipeline::check_ghosts()
{
    struct State
    {
        double x[7];
        Wire m;
    };
    const World &w = world;
    const std::vector<int> &at = team->ranks.at;
    auto state_of = [&](int body) {
        int i = at[(size_t)body];
        D4 x = w.kept.x[i], q = w.kept.q[i];
        return State{{x.x, x.y, x.z, q.x, q.y, q.z, q.w}, {xyz(w.kept.m[i].v), xyz(w.kept.m[i].w)}};
    };
    team->ranks.exchange<State>(team->ranks.border, state_of, [&](int body, const State &theirs) {
        State here = state_of(body);
        if (memcmp(&here, &theirs, sizeof here) && machine.good())
            snprintf(machine.sentence, sizeof machine.sentence, "the ghost of body %lld, counted from 1, is not where its owner is",
                     team->ranks.global[(size_t)body] + 1);
    });
}

/* As many as the report can hold. */
static int32_t counted(int64_t count)
{
    return (int32_t)(count < INT32_MAX ? count : INT32_MAX);
}

/* Of all ranks, where it is not so already. */
void Pipeline::join_report(crn_gpu_report *report)
{
    Ranks &ranks = team->ranks;
    double used[COLOURS + 2] = {};
    for (int i = 0; i < COLOURS; ++i)
        used[i] = world.range[i + 1] > world.range[i];
    used[COLOURS] = report->rounds;
    used[COLOURS + 1] = report->grown;
    int64_t held = report->held;
    ranks.reduce_max(used, COLOURS + 2);
    ranks.reduce_sum(&held, 1);
    report->colours = 0;
    for (int i = 0; i < COLOURS; ++i)
        report->colours += (int)used[i];
    report->rounds = (int)used[COLOURS];
    report->grown = (int)used[COLOURS + 1];
    report->held = counted(held);
    report->contacts = counted(team->contacts);
    report->leftover = counted(team->loose_count);
    for (int k = 0; k < world.counters->contacts; ++k)
        report->here += is_counted(world, world.ordered.pair[k]);
    report->border = (int32_t)team->schedule.needed.in.body.size();
    report->messages = ranks.messages;
    report->bytes = ranks.bytes;
    report->reductions = ranks.reductions;
    ranks.messages = ranks.bytes = ranks.reductions = 0;
}

} // namespace crn
