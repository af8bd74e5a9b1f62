#include "pipeline.hpp"
#include "levels.hpp"

#include <algorithm>
#include <vector>

namespace crn
{

/* ------------------------------------------------------------------------------------------------------- memory */

template <class T> void Pipeline::take(T *&at, size_t count)
{
    at = machine.good() ? (T *)machine.allocate(count * sizeof(T)) : nullptr;
    for (int i = 0; at && i < (int)(sizeof owned / sizeof owned[0]); ++i)
        if (!owned[i])
        {
            owned[i] = at;
            return;
        }
}

template <class T> void Pipeline::give(T *&at)
{
    for (void *&one : owned)
        if (at && one == at)
        {
            machine.release(one);
            one = nullptr;
        }
    at = nullptr;
}

/* Larger, with the first `kept` elements. */
template <class T> void Pipeline::keep(T *&at, size_t kept, size_t count)
{
    T *before = at;
    take(at, count);
    if (before && kept > 0 && machine.good())
    {
        machine.copy(at, before, kept * sizeof(T));
        machine.wait();
    }
    give(before);
}

template <class T> void Pipeline::send(T *&at, const T *from, size_t count)
{
    take(at, count);
    if (machine.good() && count > 0)
        machine.copy_in(at, from, count * sizeof(T));
    machine.wait();
}

} // namespace crn

#include "pipeline_left.hpp"
#include "forces/pipeline_forces.hpp"
#include "joints/pipeline_joints.hpp"
#include "shapes/pipeline_shapes.hpp"
#include "ranks/kept.hpp"
#include "ranks/pipeline_ranks.hpp"
#include "ranks/pipeline_split.hpp"

namespace crn
{

Pipeline::~Pipeline()
{
    machine.wait();
    for (void *one : owned)
        if (one)
            machine.release(one);
}

void Pipeline::take_bodies(Bodies &bodies, size_t n)
{
    take(bodies.x, n);
    take(bodies.q, n);
    take(bodies.m, n);
    take(bodies.tag, n);
}

/* 0, 1, 2 and so on. */
void Pipeline::number(int *&at, size_t count)
{
    std::vector<int> numbers(count);
    for (size_t i = 0; i < count; ++i)
        numbers[i] = (int)i;
    give(at);
    send(at, numbers.data(), count);
}

void Pipeline::take_contacts(size_t capacity, size_t kept)
{
    World &w = world;
    keep(w.last.other, kept, capacity);
    keep(w.last.r, kept, capacity);
    keep(w.last.colour, kept, capacity);
    keep(w.found.other, 0, capacity);
    keep(w.found.r, 0, capacity);
    keep(w.found.colour, 0, capacity);
    keep(w.pair, 0, capacity);
    keep(w.n_bias, 0, capacity);
    keep(w.list[0], 0, capacity);
    keep(w.list[1], 0, capacity);
    keep(w.group, 0, capacity);
    keep(w.group_sorted, 0, capacity);
    number(w.number, capacity);
    keep(w.order, 0, capacity);
    keep(w.ordered.pair, 0, capacity);
    keep(w.ordered.n, 0, capacity);
    keep(w.ordered.r, 0, capacity);
    keep(w.incoming, 0, 2 * capacity);
    if (team)
    {
        keep(w.domain.name, 0, capacity);
        keep(w.domain.finder, 0, capacity);
    }
    if (w.has_shapes)
        take_arms(capacity, kept);
    w.capacity = (int)capacity;
    if (tolerance > 0)
        keep(w.before.r, 0, capacity);
    bool flows = !w.has_shapes && !team && Machine::can_flow(w.capacity, w.slabs);
    give(w.flow.m);
    give(w.flow.weight);
    give(w.flow.turn);
    if (flows)
    {
        take(w.flow.m, (size_t)(w.n + w.planes));
        take(w.flow.weight, capacity);
        take(w.flow.turn, capacity);
    }
}

void Pipeline::enqueue_sweeps(int sweeps, bool is_more)
{
    if (world.flow.m && world.calm > 0)
        machine.launch_flow(world.capacity, Flow<true, WARP, true>{world, sweeps, is_more}, Flow<false, WARP / 4, true>{world, sweeps, is_more});
    else if (world.flow.m)
        machine.launch_flow(world.capacity, Flow<true, WARP>{world, sweeps, is_more}, Flow<false, WARP / 4>{world, sweeps, is_more});
    else if (!world.has_shapes)
        enqueue_form<SWEEP_ROUND>(sweeps, is_more);
    else if (world.figure.corners > 0 || world.shapes.ordered_extra || world.joints.count > 0)
        enqueue_form<SWEEP_FULL>(sweeps, is_more);
    else
        enqueue_form<SWEEP_PLAIN>(sweeps, is_more);
}
template <int FORM> void Pipeline::enqueue_form(int sweeps, bool is_more)
{
    if (team && team->is_split)
        sweep_split<FORM>(sweeps, is_more);
    else if (team)
        sweep_together<FORM>(sweeps, is_more);
    else
    {
        if (world.calm > 0)
            machine.launch_crew(world.capacity, Sweep<FORM, true>{world, sweeps, is_more});
        else
            machine.launch_crew(world.capacity, Sweep<FORM>{world, sweeps, is_more});
    }
}

/* Per body: two states, keys, cells, slots and the rest; per contact, of which there is room for three per body at first, as above. A world with
 * shapes has pairs of them besides. */
size_t Pipeline::estimate(const crn_gpu_description *d)
{
    size_t bodies = (size_t)d->body_count + (size_t)d->plane_count, shapes = (size_t)d->shape_count;
    size_t body = 2 * (2 * sizeof(D4) + 2 * sizeof(R4) + sizeof(I2)) + 16 + 4 * 8 + sizeof(R4) + 16 * 4 + 12 + 16 + 8 +
                  2 * sizeof(D4) + sizeof(int);
    size_t contact = 5 * sizeof(R4) + sizeof(int) + 2 * sizeof(unsigned long long) + 8 * sizeof(int) + 3;
    contact += d->tolerance > 0 ? sizeof(R4) : 0;
    size_t pair = sizeof(I2) + 5 * sizeof(int) + MOST_TOUCHES * (sizeof(Stored) + sizeof(int));
    size_t shape = sizeof(Shape) + sizeof(D4) + 16 * sizeof(int) + 3 * (pair + contact + 4 * sizeof(R4));
    size_t mesh = (size_t)d->triangle_count * sizeof(crn_gpu_triangle) + (size_t)d->vertex_count * 10 * sizeof(int);
    mesh += (size_t)d->hull_corner_count * 18 * sizeof(double);
    return bodies * (body + 3 * contact) + shapes * shape + mesh + (1 << 20);
}

/* --------------------------------------------------------------------------------------------------------- open */

static size_t most_of(size_t bodies, int shapes)
{
    return (size_t)shapes > bodies ? (size_t)shapes : bodies;
}

bool Pipeline::lay_levels(const crn_gpu_description *d, int *level)
{
    Level levels[LEVELS] = {};
    world.levels = make_levels(d, balls_of(d), levels, level, &world.cells);
    if (world.levels == 0)
    {
        snprintf(machine.sentence, sizeof machine.sentence,
                 "the sizes of the shapes differ by more than 2^%d, or there are too many shapes", LEVELS - 1);
        return false;
    }
    send(world.level, levels, LEVELS);
    return machine.good();
}

void Pipeline::send_bodies(const crn_gpu_description *d, const int *level)
{
    size_t n = (size_t)d->body_count;
    std::vector<D4> x(n), q(n);
    std::vector<Motion> m(n);
    std::vector<I2> tag(n);
    std::vector<int> driven(n), zero(most_of(n, d->shape_count) + 1);
    for (size_t i = 0; i < n; ++i)
    {
        const crn_gpu_body &b = d->body[i];
        double r = world.has_shapes ? 1.0 : b.radius; /* then angular velocities are stored as they are */
        x[i] = {b.x[0], b.x[1], b.x[2], r};
        q[i] = {b.q[0], b.q[1], b.q[2], b.q[3]};
        m[i].v = {(real)b.v[0], (real)b.v[1], (real)b.v[2], (real)b.inverse_mass};
        m[i].w = {(real)(r * b.w[0]), (real)(r * b.w[1]), (real)(r * b.w[2]), (real)(r * r * b.inverse_inertia)};
        tag[i] = {(int)i, world.has_shapes ? 0 : b.material + (level[i] << 24)};
        driven[i] = b.driven;
    }
    machine.copy_in(world.kept.x, x.data(), n * sizeof(D4));
    machine.copy_in(world.kept.q, q.data(), n * sizeof(D4));
    machine.copy_in(world.kept.m, m.data(), n * sizeof(Motion));
    machine.copy_in(world.kept.tag, tag.data(), n * sizeof(I2));
    machine.wait();
    send(world.driven_of, driven.data(), n);
    send(world.last.first, zero.data(), zero.size());
}

void Pipeline::send_surfaces(const crn_gpu_description *d)
{
    Surface surface[CRN_GPU_CLASSES] = {};
    for (int i = 0; i < d->class_count; ++i)
        surface[i] = {(real)d->surface[i].rolling, (real)d->surface[i].spinning, (real)d->surface[i].cohesion,
                      (real)d->surface[i].range};
    send(world.surface, surface, CRN_GPU_CLASSES);
}

void Pipeline::take_rest(const crn_gpu_description *d)
{
    World &w = world;
    size_t n = (size_t)d->body_count, all = n + (size_t)d->plane_count;
    size_t items = most_of(n, d->shape_count); /* what is sorted into cells */
    real friction[CRN_GPU_CLASSES] = {}, restitution[CRN_GPU_CLASSES] = {};
    for (int i = 0; i < d->class_count; ++i)
    {
        friction[i] = (real)d->friction[i];
        restitution[i] = (real)d->restitution[i];
    }
    send(w.friction, friction, CRN_GPU_CLASSES);
    send(w.restitution, restitution, CRN_GPU_CLASSES);
    if (d->surface)
        send_surfaces(d);
    send(w.pair_class, d->pair_class, (size_t)d->material_count * (size_t)d->material_count);
    send(w.plane, d->plane, (size_t)d->plane_count);
    double none = 0;
    w.slab = team ? w.n + 1 : Machine::slab_of(w.n);
    w.slabs = team ? 1 : (w.n + w.slab - 1) / w.slab;
    for (group_bits = 7; (1 << group_bits) <= w.slabs * BINS; ++group_bits)
        ;
    take(w.range, (size_t)(w.slabs * BINS + 1));
    take(w.batch, 1);
    send(w.kept_h, &none, 1);
    take(w.counters, 1);
    take(w.level_reach, LEVELS);
    take(w.cell, items);
    take(w.arrival, items);
    take(w.entered, items);
    take(w.again, items);
    take(w.from, n);
    take(w.cell_count, (size_t)w.cells + 1);
    take(w.cell_first, (size_t)w.cells + 1);
    take(w.near, items);
    for (real *&struck : w.struck)
        take(struck, n);
    w.bounce = 1 + *std::max_element(restitution, restitution + CRN_GPU_CLASSES);
    w.looks = w.bounce > 1 ? MOST_SEARCHES : MOST_SEARCHES - 1;
    take(w.slot, items * (size_t)w.slots);
    take(w.count, items + 1);
    take(w.found.first, items + 1);
    if (machine.good())
        machine.clear(w.found.first, 0, (items + 1) * sizeof(int));
    take(w.mask, all);
    take(w.best, all);
    take(w.incoming_count, n + 1);
    take(w.incoming_first, n + 1);
    take(w.judged_v, all);
    take(w.judged_w, all);
    take(finding, 1);
    take(totals, 1);
}

bool Pipeline::open(const crn_gpu_description *d)
{
    if (!machine.open())
        return false;
    machine.use(d);
    if (d->rank && !open_team(d))
        return false;
    World &w = world;
    w.n = d->body_count;
    w.planes = d->plane_count;
    w.materials = d->material_count;
    w.driven = d->driven_count;
    w.sweeps = d->sweeps;
    w.law = (int)d->law;
    w.figure = {d->corners, (real)d->corner_angle, (real)d->corner_reach};
    w.push_out = d->push_out;
    for (int k = 0; k < 3; ++k)
        w.box[k] = d->box[k];
    w.is_periodic = d->box[0] > 0 || d->box[1] > 0 || d->box[2] > 0;
    w.restitution_threshold = d->restitution_threshold;
    w.push_out_speed = d->push_out_speed;
    w.step = d->step;
    w.push_share = d->push_share;
    w.slots = 16;
    certify_every = d->certify_every;
    tolerance = d->tolerance;
    most_sweeps = d->most_sweeps;
    finish = d->finish;
    finish_user = d->finish_user;
    w.has_shapes = has_shapes(d);
    w.shapes.count = d->shape_count - d->wall_count;
    w.shapes.walls = d->wall_count;
    w.shapes.is_implicit = d->is_implicit;
    std::vector<int> level(most_of((size_t)w.n, d->shape_count));
    if (!lay_levels(d, level.data()))
        return all_are_good();
    take_bodies(w.kept, (size_t)w.n);
    take_bodies(w.sorted, (size_t)(w.n + w.planes));
    take_rest(d);
    if (tolerance > 0)
        take(w.before.m, (size_t)w.n);
    if (w.has_shapes)
        take_pairs(3 * (size_t)w.shapes.count + 1024);
    take_contacts(3 * (size_t)w.n + 1024, 0);
    if (machine.good() && w.has_shapes)
    {
        send_shapes(d, level.data());
        send_joints(d);
    }
    if (machine.good())
        send_forces(d);
    if (machine.good())
        send_bodies(d, level.data());
    if (machine.wait() && team)
        send_domain(d);
    if (!all_are_good())
        return false;
    send_kept(d);
    if (team)
        copy_to_ghosts();
    return machine.wait();
}

/* --------------------------------------------------------------------------------------------------------- step */

void Pipeline::enqueue_begin()
{
    int cells = world.cells + 1, fixed = world.planes > LEVELS ? world.planes : LEVELS, most = cells > fixed ? cells : fixed;
    machine.launch(world.driven > 0 && world.n > most ? world.n : most, Begin{world});
}

/* In a later look few search, and some of them look far. */
template <template <bool> class F> void Pipeline::enqueue_search(int n, int look)
{
    const F<true> in_box = {world, look};
    const F<false> in_space = {world, look};
    if (look == 0 && world.is_periodic)
        machine.launch_lanes(n, in_box);
    else if (look == 0)
        machine.launch_lanes(n, in_space);
    else if (world.is_periodic)
        machine.launch_few(n, in_box);
    else
        machine.launch_few(n, in_space);
}

void Pipeline::enqueue_contacts()
{
    World &w = world;
    enqueue_begin();
    machine.launch(w.n, FindCells{w});
    machine.scan(w.cell_count, w.cell_first, w.cells + 1);
    machine.launch(w.n, EnterCells{w});
    machine.launch(w.n, Permute{w});
    enqueue_search<Find>(w.n, 0);
    for (int look = 1; look < w.looks; ++look)
    {
        if (team)
            tell_struck(look - 1);
        machine.launch(w.n, Widen{w, look});
        enqueue_search<Find>(w.n, look);
    }
    machine.scan(w.count, w.found.first, w.n + 1);
    machine.launch(1, CountContacts{w});
    if (team && !agree())
        return;
    machine.launch_lanes(w.n, Fill{w});
}

void Pipeline::enqueue_certificate()
{
    World &w = world;
    machine.clear(w.incoming_count, 0, ((size_t)w.n + 1) * sizeof(int));
    machine.launch(w.capacity, CountSides{w});
    machine.scan(w.incoming_count, w.incoming_first, w.n + 1);
    machine.launch(w.capacity, ListSides{w});
    enqueue_judgement();
}

void Pipeline::enqueue_judgement()
{
    if (team)
        return judge_together();
    if (world.has_shapes)
    {
        enqueue_shape_judgement();
        if (world.joints.count > 0)
            enqueue_joint_judgement();
        return;
    }
    machine.launch(world.n + world.planes, JudgeBodies{world});
    machine.reduce(world.capacity, JudgeContact{world}, Combine{}, finding);
}

void Pipeline::enqueue_conclusion()
{
    if (world.has_shapes && !team)
        enqueue_turn_work();
    else if (world.has_shapes)
        machine.launch(1, AddTurnWork{world, totals});
    machine.launch(1, Conclude{world, finding, totals});
}

void Pipeline::enqueue_end()
{
    int n = world.n, joints = world.joints.count;
    machine.launch(joints, KeepJoints{world});
    if (world.forces.impulse)
        machine.launch(n, WorkForces{world});
    machine.launch(world.capacity > n ? world.capacity : n, Finish{world});
    if (world.joints.has_loops)
        machine.launch_blocks(world.joints.mechanisms, CloseLoops{world});
    machine.launch(joints, CountAngles{world});
    if (world.has_shapes)
        enqueue_shape_end();
    if (team && team->ranks.is_checked)
        check_ghosts();
}

void Pipeline::enqueue(bool certify)
{
    World &w = world;
    if (w.has_shapes)
        enqueue_pairs();
    else
        enqueue_contacts();
    if (team && w.counters->full)
        return;
    if (team)
        colour_together();
    else
        machine.launch_crew(w.capacity, Colour{w});
    machine.sort(w.group, w.group_sorted, w.number, w.order, w.capacity, group_bits);
    if (team)
        order_together();
    machine.launch(w.capacity + 1 > w.n ? w.capacity + 1 : w.n, Gather{w});
    if (w.has_shapes)
        machine.launch(w.capacity, GatherArms{w});
    enqueue_forces();
    if (team)
        schedule_together();
    enqueue_joints();
    enqueue_sweeps(w.sweeps, false);
    share_sweeps();
    if (spoiled >= 0)
        machine.launch(1, Spoil{w, spoiled, spoil_added});
    if (certify)
        enqueue_certificate();
    if (tolerance > 0)
        return;
    if (certify)
        enqueue_conclusion();
    enqueue_end();
}

/* Two sweeps at a time, with momentum between them. */
void Pipeline::enqueue_momentum(int sweeps)
{
    Pace pace;
    for (int k = 0; k < sweeps; k += 2)
    {
        int work = world.capacity > world.n ? world.capacity : world.n, rows = world.joints.count * CRN_GPU_ROWS;
        machine.launch(work > rows ? work : rows, Continue{world, pace.next()});
        enqueue_sweeps(2, true);
    }
}

/* A round of sweeps that go on from the impulses at hand. */
void Pipeline::enqueue_round(int more, bool has_momentum)
{
    machine.launch(world.n, Refresh{world});
    if (has_momentum)
        enqueue_momentum(more);
    else
        enqueue_sweeps(more, true);
    share_sweeps();
    enqueue_judgement();
}

/* Polygons and moments have residuals of their own, and ranks sweeps of their own. */
bool Pipeline::can_calm() const
{
    return !team && !world.shapes.ordered_extra && world.figure.corners == 0;
}

/* A round of sweeps after so many. Returns their number: between looks at the residual, which cost as much as some sweeps, half as many as there were
 * before, up to MOST_BETWEEN. */
int Pipeline::go_on(int taken, bool has_momentum, double scale)
{
    bool is_calm = taken >= BEFORE_CALM && can_calm();
    int more = taken / 2 < MOST_BETWEEN ? taken / 2 + 2 : MOST_BETWEEN;
    more = more < most_sweeps - taken ? more : most_sweeps - taken;
    if (taken >= PATIENCE)
        machine.launch(world.capacity, HoldOverlaps{world});
    world.calm = is_calm ? (real)(CALM * tolerance * scale) : 0;
    enqueue_round(more, has_momentum && (!is_calm || taken < MOST_MOMENTUM));
    world.calm = 0;
    return more;
}

/* A step that meets the tolerance, or has had all the sweeps that it may have. Momentum rests for a round if the residual has grown. What sweeps do not
 * finish is left to others, if there are any and it is not too large for them. */
bool Pipeline::step_to_tolerance()
{
    Finding found = {};
    Counters counters = {};
    double last = INFINITY;
    int taken = world.sweeps;
    bool is_met = false;
    machine.replay(1, [&] { enqueue(true); });
    machine.copy_out(&counters, world.counters, sizeof counters);
    while (machine.good() && !counters.full)
    {
        machine.copy_out(&found, finding, sizeof found);
        is_met = found.worst <= tolerance * found.scale;
        if (is_met || taken >= most_sweeps)
            break;
        taken += go_on(taken, found.worst <= last, found.scale);
        last = found.worst;
    }
    if (machine.good() && !counters.full && !is_met && can_leave(counters.contacts))
        leave_step(counters.contacts, &found);
    enqueue_conclusion();
    enqueue_end();
    swept += taken;
    most_swept = taken > most_swept ? taken : most_swept;
    return !counters.full;
}

/* More room for contacts. The kept state is that before the step that had too little. */
bool Pipeline::grow(const Counters &c)
{
    int kept = 0;
    machine.forget_recordings();
    int items = world.has_shapes ? world.shapes.count : world.n;
    machine.copy_out(&kept, world.last.first + items, sizeof kept);
    bool has_pairs = !world.has_shapes || c.pairs_needed <= world.shapes.pair_capacity;
    bool has_room = has_pairs && c.contacts_needed <= world.capacity && c.most_slots <= world.slots;
    if (has_room && team) /* another rank has not */
        return machine.good();
    if (has_room)
        snprintf(machine.sentence, sizeof machine.sentence, "a step does not fit in the memory, and says not why");
    if (!has_pairs)
        take_pairs((size_t)(1.25 * c.pairs_needed) + 1024);
    if (c.contacts_needed > world.capacity)
        take_contacts((size_t)(1.25 * c.contacts_needed) + 1024, (size_t)kept);
    if (c.most_slots > world.slots)
    {
        world.slots = c.most_slots + 8;
        keep(world.slot, 0, (size_t)items * (size_t)world.slots);
    }
    ++grown;
    return machine.wait();
}

bool Pipeline::step(double h, int steps, const double gravity[3], const crn_gpu_drive *drive, const crn_gpu_timed *timed,
                    crn_gpu_report *report)
{
    World &w = world;
    Batch batch = {h, {gravity[0], gravity[1], gravity[2]}};
    Counters counters = {};
    Totals none = {};
    if (w.driven * steps > drive_capacity)
    {
        drive_capacity = w.driven * steps;
        machine.forget_recordings();
        keep(w.drive, 0, (size_t)drive_capacity);
    }
    if (w.driven > 0)
        machine.copy_in(w.drive, drive, (size_t)w.driven * (size_t)steps * sizeof *drive);
    time_joints(timed, steps);
    machine.copy_in(w.batch, &batch, sizeof batch);
    machine.copy_in(totals, &none, sizeof none);
    *report = {};
    grown = most_swept = left = 0;
    swept = 0;
    for (int done = 0; done < steps && machine.good(); done = counters.taken)
    {
        counters.full = counters.most_slots = 0;
        machine.copy_in(w.counters, &counters, sizeof counters);
        for (int s = done; s < steps; ++s)
        {
            bool certify = (steps_taken + s + 1) % certify_every == 0 || s == steps - 1;
            if (tolerance > 0 && !step_to_tolerance())
                break;
            if (tolerance <= 0)
                machine.replay(certify, [&] { enqueue(certify); });
            if (team && w.counters->full)
                break;
        }
        machine.copy_out(&counters, w.counters, sizeof counters);
        if (counters.full == SHORT_OF_GHOSTS)
        {
            *report = {};
            report->lacks_ghosts = true;
            return machine.good();
        }
        if (counters.full == UNCOLOURED)
            snprintf(machine.sentence, sizeof machine.sentence, UNCOLOURED_SENTENCE);
        report->lost = team ? team->lost : counters.lost;
        if (counters.lost && !team)
            snprintf(machine.sentence, sizeof machine.sentence, LOST_SENTENCE, (double)counters.lost);
        report->faulty = counters.faulty;
        if (counters.full == FAULTY)
            snprintf(machine.sentence, sizeof machine.sentence, "force %d, counted from 1, is not a finite number", counters.faulty);
        if (counters.full == STUCK)
            snprintf(machine.sentence, sizeof machine.sentence, "a sweep waited in vain for a body");
        if (counters.full && machine.good())
            grow(counters);
        if (counters.full && !all_are_good())
            break;
    }
    steps_taken += steps;
    if (team && !counters.full && !all_are_good())
        return false;
    if (machine.good())
        fill_report(counters, report);
    return machine.good();
}

void Pipeline::fill_report(const Counters &c, crn_gpu_report *report)
{
    Totals t = {};
    machine.copy_out(&t, totals, sizeof t);
    int groups = world.slabs * BINS, leftover = 0;
    long long active = t.last.active;
    std::vector<int> range((size_t)groups + 1);
    std::vector<char> used(COLOURS);
    machine.copy_out(range.data(), world.range, range.size() * sizeof(int));
    for (int i = 0; i < groups; ++i)
        if (i % BINS == COLOURS)
            leftover += range[(size_t)i + 1] - range[(size_t)i];
        else if (range[(size_t)i + 1] > range[(size_t)i])
            used[(size_t)(i % BINS)] = 1;
    *report = {};
    report->steps = c.taken;
    report->certified = t.certified;
    report->contacts = c.contacts;
    report->active = (int32_t)(active < INT32_MAX ? active : INT32_MAX);
    for (char one : used)
        report->colours += one;
    report->leftover = leftover;
    report->rounds = c.round;
    report->sweeps = tolerance > 0 ? swept : (long long)world.sweeps * c.taken;
    report->most_sweeps = tolerance > 0 ? most_swept : world.sweeps;
    report->left = left;
    report->held = c.held;
    report->grown = grown;
    report->worst_step = t.worst_step;
    report->worst = t.worst;
    report->mean = t.mean;
    report->approach = t.approach;
    report->scale = t.scale;
    report->penetration = t.last.penetration;
    report->mean_penetration = active > 0 ? t.last.penetrations / (double)active : 0.0;
    report->mean_relative_penetration = active > 0 ? t.last.relative / (double)active : 0.0;
    report->work_normal = t.work_normal;
    report->work_friction = t.work_friction;
    report->work_gyroscopic = t.work_gyroscopic;
    report->lifted = lifted_by_loops();
    if (team)
        join_report(report);
}

void Pipeline::spoil(int contact, R3 added)
{
    machine.forget_recordings();
    spoiled = contact;
    spoil_added = added;
}

/* --------------------------------------------------------------------------------------------------------- read */

bool Pipeline::read_bodies(crn_gpu_body *body)
{
    size_t n = (size_t)world.n;
    const D4 *x = machine.view(world.kept.x, n, read_x), *q = machine.view(world.kept.q, n, read_q);
    const Motion *m = machine.view(world.kept.m, n, read_m);
    const I2 *tag = machine.view(world.kept.tag, n, read_tag);
    for (size_t i = 0; i < n && machine.good(); ++i)
    {
        crn_gpu_body &to = body[tag[i].x];
        D3 place = xyz(x[i]), speed = wide(xyz(m[i].v)), turn = (1 / x[i].w) * wide(xyz(m[i].w));
        double values[13] = {place.x, place.y, place.z, q[i].x,  q[i].y, q[i].z, q[i].w,
                             speed.x, speed.y, speed.z, turn.x, turn.y, turn.z};
        memcpy(to.x, values, sizeof to.x);
        memcpy(to.q, values + 3, sizeof to.q);
        memcpy(to.v, values + 7, sizeof to.v);
        memcpy(to.w, values + 10, sizeof to.w);
    }
    return machine.good();
}

bool Pipeline::read_contacts(crn_gpu_contact *contact, int count)
{
    if (world.has_shapes)
        return read_shape_contacts(contact, count);
    size_t n = (size_t)world.n;
    const D4 *x = machine.view(world.sorted.x, n, read_x);
    const I2 *tag = machine.view(world.sorted.tag, n, read_tag);
    const int *first = machine.view(world.last.first, n + 1, listed.first);
    size_t most = machine.good() ? (size_t)first[n] : 0;
    const int *other = machine.view(world.last.other, most, listed.other);
    const R4 *normal = machine.view(world.n_bias, most, listed.normal), *r = machine.view(world.last.r, most, listed.r);
    const uint8_t *colour = machine.view(world.last.colour, most, listed.colour);
    const crn_gpu_plane *plane = machine.view(world.plane, (size_t)world.planes, listed.plane);
    int out = 0;
    for (size_t i = 0; i < n && machine.good(); ++i)
        for (int k = first[i]; k < first[i + 1] && out < count; ++k)
        {
            if (team && !is_counted(world, world.pair[k]))
                continue;
            int j = other[(size_t)k];
            R3 nk = xyz(normal[(size_t)k]), p = r[(size_t)k].w * nk + xyz(r[(size_t)k]);
            double gap;
            if (j < 0)
                gap = dot(wide(nk), xyz(x[i])) - plane[(size_t)(-1 - j)].offset - x[i].w;
            else
            {
                D3 e = shortest(world, xyz(x[i]) - xyz(x[(size_t)j]));
                gap = sqrt(dot(e, e)) - x[i].w - x[(size_t)j].w;
            }
            contact[out++] = {tag[i].x,    j < 0 ? j : tag[(size_t)j].x, {nk.x, nk.y, nk.z},
                          (real)gap, {p.x, p.y, p.z},               colour[(size_t)k], -1, -1, 0, {0, 0, 0}, {0, 0, 0}};
        }
    return machine.good();
}

} // namespace crn

/* -------------------------------------------------------------------------------------------------------- table */

struct crn_gpu_world
{
    crn::Pipeline pipeline;
};

namespace
{

bool tell(const crn::Machine &machine, char *sentence)
{
    if (!machine.good())
        snprintf(sentence, CRN_GPU_SENTENCE, "%s", machine.sentence);
    return machine.good();
}

bool device(char *description, size_t *free_bytes, char *sentence)
{
    crn::Machine machine;
    if (machine.open())
        machine.describe(description, free_bytes);
    return tell(machine, sentence);
}

crn_gpu_world *open_world(const crn_gpu_description *description, char *sentence)
{
    crn_gpu_world *world = new crn_gpu_world;
    if (world->pipeline.open(description))
        return world;
    tell(world->pipeline.machine, sentence);
    delete world;
    return nullptr;
}

void close_world(crn_gpu_world *world)
{
    delete world;
}

bool step_world(crn_gpu_world *world, double h, int32_t steps, const double gravity[3], const crn_gpu_drive *drive,
                const crn_gpu_timed *timed, crn_gpu_report *report, char *sentence)
{
    world->pipeline.step(h, steps, gravity, drive, timed, report);
    return tell(world->pipeline.machine, sentence);
}

bool read_joints(crn_gpu_world *world, crn_gpu_joint_row *row, char *sentence)
{
    world->pipeline.read_joints(row);
    return tell(world->pipeline.machine, sentence);
}

bool load_world(crn_gpu_world *world, const crn_gpu_load *load, int32_t steps, const crn_gpu_pull *pull, char *sentence)
{
    world->pipeline.load(load, steps, pull);
    return tell(world->pipeline.machine, sentence);
}

bool read_forces(crn_gpu_world *world, double *work, char *sentence)
{
    world->pipeline.read_forces(work);
    return tell(world->pipeline.machine, sentence);
}

bool read_bodies(crn_gpu_world *world, crn_gpu_body *body, char *sentence)
{
    world->pipeline.read_bodies(body);
    return tell(world->pipeline.machine, sentence);
}

bool read_kept(crn_gpu_world *world, int64_t *first, const void **bytes, char *sentence)
{
    world->pipeline.read_kept(first, bytes);
    return tell(world->pipeline.machine, sentence);
}

bool read_contacts(crn_gpu_world *world, crn_gpu_contact *contact, int32_t count, char *sentence)
{
    world->pipeline.read_contacts(contact, count);
    return tell(world->pipeline.machine, sentence);
}

void spoil_contact(crn_gpu_world *world, int32_t contact, const double added[3])
{
    world->pipeline.spoil(contact, crn::narrow({added[0], added[1], added[2]}));
}

} // namespace

extern "C" __attribute__((visibility("default"))) const crn_gpu_table *crn_gpu_table_of(int32_t version);

const crn_gpu_table *crn_gpu_table_of(int32_t version)
{
    static const crn_gpu_table table = {CRN_GPU_VERSION, crn::Machine::name(), device,        crn::Pipeline::estimate,
                                        open_world,      close_world,          step_world,    load_world,       read_forces,
                                        read_joints,     read_bodies,          read_contacts, read_kept,        spoil_contact};
    return version == CRN_GPU_VERSION ? &table : nullptr;
}
