/* What a step starts from besides the state: motions as they are stored, and the impulses and colours of the last step. A record per body, which names all others by
 * their numbers among all, so that a body can go to another rank, or wait in a file, and its next step is the same to the bit.
 *
 * A contact is in the records of both its bodies. The rank that opens a world with them takes it from its first body, if that is its own, and otherwise from
 * the second one. */
#pragma once

#include "../pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace crn
{

struct KeptBody
{
    double step; /* s: of the last one */
    int64_t steps;
    double v[3], w[3]; /* as in Motion */
    int64_t contacts, joints;
    int64_t place; /* in a world of spheres that is alone: in the order of the cells, which decides between bodies of one cell */
};

struct KeptContact
{
    int64_t finder, other, finder_shape, other_shape; /* other < 0: half-space -1 - other */
    int32_t feature, colour;
    double r[4], extra[4];
};

struct KeptJoint
{
    int64_t joint;
    double z[CRN_GPU_ROWS], rate[CRN_GPU_ROWS];
};

/* A copy of what is on the device. */
struct LastStep
{
    std::vector<int> first, other, feature;
    std::vector<R4> r, extra;
    std::vector<uint8_t> colour;
    std::vector<I2> tag;
    std::vector<Shape> shape;
};

template <class T> std::vector<T> fetch(Machine &machine, const T *from, size_t count)
{
    std::vector<T> out(count);
    if (from && machine.good())
        machine.copy_out(out.data(), from, count * sizeof(T));
    return out;
}

inline LastStep last_step(Machine &machine, const World &w)
{
    size_t items = (size_t)(w.has_shapes ? w.shapes.count : w.n);
    LastStep out;
    out.first = fetch(machine, w.last.first, items + 1);
    size_t count = (size_t)out.first[items];
    out.other = fetch(machine, w.last.other, count);
    out.r = fetch(machine, w.last.r, count);
    out.colour = fetch(machine, w.last.colour, count);
    out.feature = fetch(machine, w.shapes.last_feature, count);
    out.extra = fetch(machine, w.shapes.last_extra, count);
    out.tag = fetch(machine, w.kept.tag, (size_t)w.n);
    out.shape = fetch(machine, w.shapes.shape, w.has_shapes ? items + (size_t)w.shapes.walls : 0);
    return out;
}

inline void store(double to[4], R4 from)
{
    const double all[4] = {from.x, from.y, from.z, from.w};
    memcpy(to, all, sizeof all);
}
inline R4 loaded(const double from[4])
{
    return {(real)from[0], (real)from[1], (real)from[2], (real)from[3]};
}

template <class T> void append(std::vector<char> &bytes, size_t &at, const T &record)
{
    memcpy(bytes.data() + at, &record, sizeof record);
    at += sizeof record;
}

/* The order of contacts in a record: that of their names, so that records are the same whatever domain their body is in. Those of one name, of which there are none unless a
 * record is forged, by the rest, so that both sides of a border have them in the same order. */
inline bool comes_before(const KeptContact &a, const KeptContact &b)
{
    auto name = [](const KeptContact &c) { return std::make_tuple(c.finder, c.other, c.finder_shape, c.other_shape, c.feature, c.colour); };
    return name(a) != name(b) ? name(a) < name(b) : memcmp(&a, &b, sizeof a) < 0;
}
inline void sort_contacts(char *bytes, size_t count)
{
    KeptContact *contact = (KeptContact *)bytes;
    std::sort(contact, contact + count, comes_before);
}

/* ----------------------------------------------------------------------------------------------------------- numbers */

/* Numbers of the description, and those among all. */
class Numbers
{
  public:
    Numbers(const crn_gpu_description *d)
    {
        const crn_gpu_rank *rank = d->rank;
        rank_of = rank ? rank->rank : 0;
        fill(body, d->body_count, rank ? rank->global : nullptr);
        fill(shape, d->shape_count, rank ? rank->global_shape : nullptr);
        fill(joint, d->joint_count, rank ? rank->global_joint : nullptr);
        for (int i = 0; i < d->shape_count; ++i)
            body_of_shape.push_back(d->shape[i].body);
        for (int i = 0; i < d->joint_count; ++i)
            bodies_of_joint.push_back({d->joint[i].body[0], d->joint[i].body[1]});
        for (int i = 0; i < d->body_count; ++i)
        {
            moves.push_back(d->body[i].inverse_mass > 0);
            is_mine.push_back(!rank || (moves.back() && rank->owner[i] == rank->rank));
        }
    }
    std::vector<int64_t> body, shape, joint;
    std::vector<char> is_mine, moves;

    int find_body(int64_t number) const
    {
        return find(body, by_body, number);
    }
    /* Fixed and driven bodies are on all ranks; what is not here moves. */
    bool may_move(int64_t number) const
    {
        int i = number < 0 ? -1 : find_body(number);
        return number >= 0 && (i < 0 || moves[(size_t)i]);
    }
    /* Bodies are here with all their shapes, or not at all. */
    bool is_shape_of(int64_t shape_number, int64_t body_number) const
    {
        int i = find_shape(shape_number), of = find_body(body_number);
        return i < 0 ? of < 0 : body_of_shape[(size_t)i] == of;
    }
    bool is_joint_of(int64_t joint_number, int64_t body_number) const
    {
        int j = find_joint(joint_number), of = find_body(body_number);
        return j >= 0 && of >= 0 && (bodies_of_joint[(size_t)j].x == of || bodies_of_joint[(size_t)j].y == of);
    }
    int find_shape(int64_t number) const
    {
        return find(shape, by_shape, number);
    }
    int find_joint(int64_t number) const
    {
        return find(joint, by_joint, number);
    }
    void sort()
    {
        order(body, by_body);
        order(shape, by_shape);
        order(joint, by_joint);
    }

  private:
    int rank_of;
    std::vector<int> by_body, by_shape, by_joint, body_of_shape;
    std::vector<I2> bodies_of_joint;

    static void fill(std::vector<int64_t> &to, int count, const int64_t *given)
    {
        for (int i = 0; i < count; ++i)
            to.push_back(given ? given[i] : i);
    }
    static void order(const std::vector<int64_t> &of, std::vector<int> &by)
    {
        for (size_t i = 0; i < of.size(); ++i)
            by.push_back((int)i);
        std::sort(by.begin(), by.end(), [&](int a, int b) { return of[(size_t)a] < of[(size_t)b]; });
    }
    static int find(const std::vector<int64_t> &of, const std::vector<int> &by, int64_t number)
    {
        auto at = std::lower_bound(by.begin(), by.end(), number, [&](int i, int64_t value) { return of[(size_t)i] < value; });
        return at != by.end() && of[(size_t)*at] == number ? *at : -1;
    }
};

/* ------------------------------------------------------------------------------------------------------------- read */

/* Calls f(body, other, contact) for every contact of the last step, bodies by their numbers in the description; other < 0: a half-space. */
template <class F> void each_kept(const World &w, const LastStep &last, const Numbers &numbers, F f)
{
    for (size_t i = 0; i + 1 < last.first.size(); ++i)
        for (int k = last.first[i]; k < last.first[i + 1]; ++k)
        {
            size_t c = (size_t)k;
            int o = last.other[c], finder = w.has_shapes ? last.shape[i].body : last.tag[i].x;
            int other = w.has_shapes ? last.shape[(size_t)o].body : o < 0 ? o : last.tag[(size_t)o].x;
            KeptContact contact = {numbers.body[(size_t)finder], other < 0 ? other : numbers.body[(size_t)other], -1, -1, 0,
                                   last.colour[c], {}, {}};
            store(contact.r, last.r[c]);
            if (w.has_shapes)
            {
                contact.finder_shape = numbers.shape[i];
                contact.other_shape = numbers.shape[(size_t)o];
                contact.feature = last.feature[c];
                store(contact.extra, w.shapes.last_extra ? last.extra[c] : R4{0, 0, 0, 0});
            }
            f(finder, other, contact);
        }
}

bool Pipeline::read_kept(int64_t *first, const void **bytes)
{
    size_t n = (size_t)world.n;
    LastStep last = last_step(machine, world);
    std::vector<Motion> m = fetch(machine, world.kept.m, n);
    std::vector<double> step = fetch(machine, world.kept_h, 1), z = fetch(machine, world.joints.kept_z, (size_t)world.joints.count * CRN_GPU_ROWS);
    std::vector<double> rate = fetch(machine, world.joints.rate, z.size());
    std::vector<crn_gpu_joint> joint = fetch(machine, world.joints.joint, (size_t)world.joints.count);
    std::vector<KeptBody> head(n, KeptBody{step[0], steps_taken, {}, {}, 0, 0, 0});
    const std::vector<char> &is_mine = numbers->is_mine;
    auto each_side = [&](const crn_gpu_joint &of, auto f) {
        for (int side = 0; side < 2; ++side)
            if (of.body[side] >= 0 && is_mine[(size_t)of.body[side]])
                f((size_t)of.body[side]);
    };
    each_kept(world, last, *numbers, [&](int finder, int other, const KeptContact &) {
        ++head[(size_t)finder].contacts;
        if (other >= 0)
            ++head[(size_t)other].contacts;
    });
    for (const crn_gpu_joint &one : joint)
        each_side(one, [&](size_t body) { ++head[body].joints; });
    std::vector<size_t> at(n);
    for (size_t i = 0, end = 0; i <= n; ++i)
    {
        first[i] = (int64_t)end;
        if (i < n && is_mine[i])
            end += sizeof(KeptBody) + (size_t)head[i].contacts * sizeof(KeptContact) + (size_t)head[i].joints * sizeof(KeptJoint);
    }
    kept_bytes.resize((size_t)first[n]);
    for (size_t i = 0; i < n; ++i)
    {
        size_t b = (size_t)last.tag[i].x;
        const double motion[6] = {m[i].v.x, m[i].v.y, m[i].v.z, m[i].w.x, m[i].w.y, m[i].w.z};
        memcpy(head[b].v, motion, sizeof head[b].v);
        memcpy(head[b].w, motion + 3, sizeof head[b].w);
        at[b] = (size_t)first[b];
        head[b].place = team ? 0 : (int64_t)i;
        if (is_mine[b])
            append(kept_bytes, at[b], head[b]);
    }
    each_kept(world, last, *numbers, [&](int finder, int other, const KeptContact &contact) {
        for (int body : {finder, other})
            if (body >= 0 && is_mine[(size_t)body])
                append(kept_bytes, at[(size_t)body], contact);
    });
    for (size_t i = 0; i < n; ++i) /* they came in an order that depends on the domain */
        if (is_mine[i])
            sort_contacts(kept_bytes.data() + first[i] + sizeof(KeptBody), (size_t)head[i].contacts);
    for (size_t j = 0; j < joint.size(); ++j)
    {
        KeptJoint one = {numbers->joint[j], {}, {}};
        memcpy(one.z, z.data() + j * CRN_GPU_ROWS, sizeof one.z);
        memcpy(one.rate, rate.data() + j * CRN_GPU_ROWS, sizeof one.rate);
        each_side(joint[j], [&](size_t body) { append(kept_bytes, at[body], one); });
    }
    *bytes = kept_bytes.data();
    return machine.good();
}

/* ------------------------------------------------------------------------------------------------------------- open */

/* The records of a description, taken apart. */
struct KeptParts
{
    double step = 0;
    int64_t steps = 0;
    std::vector<KeptContact> contact;
    std::vector<KeptJoint> joint;
    std::vector<int64_t> place;
    uint64_t balance = 0; /* of contacts: their hashes from their first bodies, less those from the second ones */

    /* A contact is in the records of both its bodies, which may be on two ranks: each of them goes on from its own copy, so the two must be the same. */
    bool weigh(const KeptContact &one, int64_t body, const Numbers &numbers)
    {
        uint64_t word[sizeof one / sizeof(uint64_t)], hash = 0;
        static_assert(sizeof one % sizeof(uint64_t) == 0, "a record has no gaps");
        memcpy(word, &one, sizeof one);
        if (one.finder == one.other || (one.finder != body && one.other != body))
            return false;
        if (!numbers.shape.empty() && (!numbers.is_shape_of(one.finder_shape, one.finder) || !numbers.is_shape_of(one.other_shape, one.other)))
            return false; /* the body that the shape belongs to would not know of the contact */
        if (!numbers.may_move(one.finder) || !numbers.may_move(one.other))
            return true; /* only one body has a record */
        for (uint64_t part : word)
            hash = scramble(hash ^ part);
        balance += one.finder == body ? hash : 0 - hash;
        return true;
    }

    bool read(const char *bytes, int64_t size, KeptBody &head, int64_t body, const Numbers &numbers)
    {
        if (size < (int64_t)sizeof head)
            return false;
        memcpy(&head, bytes, sizeof head);
        int64_t rest = size - (int64_t)sizeof head, contacts = head.contacts, joints = head.joints;
        if (contacts < 0 || joints < 0 || contacts > rest || joints > rest || !(head.step >= 0 && head.step < INFINITY) || head.steps < 0 ||
            head.steps > MOST_STEPS || rest != contacts * (int64_t)sizeof(KeptContact) + joints * (int64_t)sizeof(KeptJoint))
            return false;
        step = head.step;
        steps = head.steps;
        bytes += sizeof head;
        return read_contacts(bytes, contacts, body, numbers) && read_joints(bytes + contacts * (int64_t)sizeof(KeptContact), joints, body, numbers);
    }

  private:
    static constexpr int64_t MOST_STEPS = INT64_C(1) << 53; /* doubles tell them apart up to here */

    bool read_contacts(const char *at, int64_t count, int64_t body, const Numbers &numbers)
    {
        unsigned long long used = 0; /* colours: no two contacts of a body that can move have the same */
        bool moves = numbers.may_move(body);
        KeptContact last = {};
        for (int64_t i = 0; i < count; ++i, at += sizeof(KeptContact))
        {
            KeptContact one;
            memcpy(&one, at, sizeof one);
            unsigned long long bit = one.colour >= 0 && one.colour < COLOURS ? 1ull << one.colour : 0;
            bool is_ordered = i == 0 || !comes_before(one, last);
            if (!is_ordered || !weigh(one, body, numbers) || one.colour < 0 || one.colour > COLOURS || (moves && (used & bit)))
                return false;
            used |= bit;
            last = one;
            int finder = numbers.find_body(one.finder);
            if (one.finder == body || (finder >= 0 && !numbers.is_mine[(size_t)finder]))
                contact.push_back(one);
        }
        return true;
    }

    bool read_joints(const char *at, int64_t count, int64_t body, const Numbers &numbers)
    {
        for (int64_t i = 0; i < count; ++i, at += sizeof(KeptJoint))
        {
            KeptJoint one;
            memcpy(&one, at, sizeof one);
            if (!numbers.is_joint_of(one.joint, body))
                return false;
            joint.push_back(one);
        }
        return true;
    }
};

/* Whether a motion that was kept is the one of the description but for rounding. Ghosts are chosen by the latter. */
inline bool is_nearly(const double kept[3], R4 described)
{
    const double EPSILON = 8 * (double)std::numeric_limits<real>::epsilon(), LEAST = (double)std::numeric_limits<real>::min();
    const double other[3] = {described.x, described.y, described.z};
    for (int k = 0; k < 3; ++k)
        if (!(fabs(kept[k] - other[k]) <= EPSILON * fabs(other[k]) + LEAST))
            return false;
    return true;
}

void Pipeline::send_kept(const crn_gpu_description *d)
{
    KeptParts parts;
    numbers.reset(new Numbers(d));
    numbers->sort();
    std::vector<Motion> m = fetch(machine, world.kept.m, (size_t)world.n);
    for (size_t i = 0; d->kept_first && i < (size_t)world.n; ++i)
    {
        KeptBody head;
        int64_t begin = d->kept_first[i], size = d->kept_first[i + 1] - begin;
        if (size == 0 || !numbers->is_mine[i])
            continue;
        if (!parts.read((const char *)d->kept + begin, size, head, numbers->body[i], *numbers))
        {
            snprintf(machine.sentence, sizeof machine.sentence, "what was kept of body %lld, counted from 1, is damaged",
                     (long long)numbers->body[i] + 1);
            break;
        }
        if (!is_nearly(head.v, m[i].v) || !is_nearly(head.w, m[i].w))
        {
            snprintf(machine.sentence, sizeof machine.sentence, "what was kept of body %lld, counted from 1, is not its motion",
                     (long long)numbers->body[i] + 1);
            break;
        }
        m[i].v = {(real)head.v[0], (real)head.v[1], (real)head.v[2], m[i].v.w};
        m[i].w = {(real)head.w[0], (real)head.w[1], (real)head.w[2], m[i].w.w};
        parts.place.push_back(head.place);
    }
    double both[2] = {parts.step, (double)parts.steps};
    int64_t balance;
    memcpy(&balance, &parts.balance, sizeof balance);
    if (team)
    {
        team->ranks.reduce_max(both, 2);
        team->ranks.reduce_sum(&balance, 1);
    }
    if (balance != 0 && machine.good())
        snprintf(machine.sentence, sizeof machine.sentence, "what was kept of two bodies that touch does not agree");
    if (!all_are_good()) /* all ranks ask, those without bodies too */
        return;
    steps_taken = (long long)both[1];
    machine.copy_in(world.kept_h, both, sizeof(double));
    if (!d->kept_first)
        return;
    machine.copy_in(world.kept.m, m.data(), m.size() * sizeof(Motion));
    machine.wait();
    std::vector<int> place;
    if (!team && !world.has_shapes && !order_kept(parts.place, place))
        return;
    send_kept_contacts(parts.contact, place);
    send_kept_joints(parts.joint);
}

/* Bodies of the description, put into the order in which they were kept. place: of each. */
bool Pipeline::order_kept(const std::vector<int64_t> &kept, std::vector<int> &place)
{
    size_t n = (size_t)world.n;
    std::vector<D4> x = fetch(machine, world.kept.x, n), q = fetch(machine, world.kept.q, n), x_to(n), q_to(n);
    std::vector<Motion> m = fetch(machine, world.kept.m, n), m_to(n);
    std::vector<I2> tag = fetch(machine, world.kept.tag, n), tag_to(n);
    std::vector<char> is_taken(n);
    for (size_t i = 0; i < kept.size() && kept.size() == n && machine.good(); ++i)
    {
        if (kept[i] < 0 || kept[i] >= (int64_t)n || is_taken[(size_t)kept[i]])
            break;
        size_t to = (size_t)kept[i];
        is_taken[to] = 1;
        x_to[to] = x[i];
        q_to[to] = q[i];
        m_to[to] = m[i];
        tag_to[to] = tag[i];
        place.push_back((int)to);
    }
    if (place.size() != n)
        snprintf(machine.sentence, sizeof machine.sentence, "what was kept of the order of the bodies is damaged");
    if (!machine.good())
        return false;
    machine.copy_in(world.kept.x, x_to.data(), n * sizeof(D4));
    machine.copy_in(world.kept.q, q_to.data(), n * sizeof(D4));
    machine.copy_in(world.kept.m, m_to.data(), n * sizeof(Motion));
    machine.copy_in(world.kept.tag, tag_to.data(), n * sizeof(I2));
    return machine.wait();
}

void Pipeline::send_kept_joints(const std::vector<KeptJoint> &joint)
{
    const size_t rows = (size_t)world.joints.count * CRN_GPU_ROWS;
    if (rows == 0)
        return;
    std::vector<double> z(rows), rate;
    rate.assign(rows, NAN);
    for (const KeptJoint &one : joint)
    {
        int j = numbers->find_joint(one.joint);
        for (size_t k = 0; j >= 0 && k < CRN_GPU_ROWS; ++k)
        {
            z[(size_t)j * CRN_GPU_ROWS + k] = one.z[k];
            rate[(size_t)j * CRN_GPU_ROWS + k] = one.rate[k];
        }
    }
    machine.copy_in(world.joints.kept_z, z.data(), rows * sizeof(double));
    machine.copy_in(world.joints.rate, rate.data(), rows * sizeof(double));
    machine.wait();
}

/* Those of one finder follow each other. index: where bodies of the description are; empty: in their order. */
void Pipeline::send_kept_contacts(const std::vector<KeptContact> &contact, const std::vector<int> &index)
{
    World &w = world;
    size_t items = (size_t)(w.has_shapes ? w.shapes.count : w.n);
    std::vector<std::pair<int, int>> place; /* finder and other of those that are on this rank */
    std::vector<const KeptContact *> from;
    for (const KeptContact &one : contact)
    {
        int finder = w.has_shapes ? numbers->find_shape(one.finder_shape) : numbers->find_body(one.finder);
        int other = w.has_shapes ? numbers->find_shape(one.other_shape) : one.other < 0 ? (int)one.other : numbers->find_body(one.other);
        bool is_there = w.has_shapes || one.other >= 0 ? other >= 0 : -other <= w.planes;
        if (finder < 0 || (size_t)finder >= items || !is_there)
            continue;
        if (!index.empty())
        {
            finder = index[(size_t)finder];
            other = other < 0 ? other : index[(size_t)other];
        }
        place.push_back({finder, other});
        from.push_back(&one);
    }
    std::vector<int> order(place.size()), other, feature, first(items + 1);
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = (int)i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place[(size_t)a].first < place[(size_t)b].first; });
    std::vector<R4> r, extra;
    std::vector<uint8_t> colour;
    for (int i : order)
    {
        const KeptContact &one = *from[(size_t)i];
        ++first[(size_t)place[(size_t)i].first + 1];
        other.push_back(place[(size_t)i].second);
        feature.push_back(one.feature);
        colour.push_back((uint8_t)(one.colour >= 0 && one.colour < COLOURS ? one.colour : COLOURS));
        r.push_back(loaded(one.r));
        extra.push_back(loaded(one.extra));
        if (team && colour.back() == COLOURS)
            team->was_loose = true;
    }
    for (size_t i = 0; i < items; ++i)
        first[i + 1] += first[i];
    if ((int)order.size() > w.capacity)
        take_contacts(order.size() + 1024, 0);
    if (!machine.good())
        return;
    machine.copy_in(w.last.first, first.data(), first.size() * sizeof(int));
    machine.copy_in(w.last.other, other.data(), other.size() * sizeof(int));
    machine.copy_in(w.last.r, r.data(), r.size() * sizeof(R4));
    machine.copy_in(w.last.colour, colour.data(), colour.size());
    if (w.has_shapes)
        machine.copy_in(w.shapes.last_feature, feature.data(), feature.size() * sizeof(int));
    if (w.has_shapes && w.shapes.last_extra)
        machine.copy_in(w.shapes.last_extra, extra.data(), extra.size() * sizeof(R4));
    machine.wait();
}

} // namespace crn
