/* Which shapes can touch within the step: shapes in the world, sorted into cells by the balls that hold them, and compared with their
 * neighbours as spheres are (find.hpp). A pair counts if the balls can meet at the relative velocity of the two shapes, half as fast
 * again. Shapes of one body, of two bodies that cannot move, and of groups that do not collide are no pairs. */
#pragma once

#include "../find.hpp"
#include "walls.hpp"

namespace crn
{

CRN_HD Placed place_of(const World &world, int s)
{
    const Shape &shape = world.shapes.shape[s];
    Axes body = axes_of(world.sorted.q[shape.body]);
    D3 c = xyz(world.sorted.x[shape.body]) + out_of(body, shape.x);
    if (shape.kind == CRN_GPU_SPHERE || shape.kind == CRN_GPU_TRIANGLE) /* a triangle is seen from its body */
        return {shape.kind, shape.triangle, c, body, shape.half, shape.radius, shape.size};
    D3 half = shape.kind == CRN_GPU_HALF_SPACE ? out_of(body, shape.half) : shape.half;
    return {shape.kind, shape.triangle, c, turned_axes(body, axes_of(shape.q)), half, shape.radius, shape.size};
}

/* m/s: what turning can move a point with this arm at: it goes round, by twice the arm at most. */
CRN_HD double turning_speed(const World &world, D3 w, double arm)
{
    return arm * least(norm(w), 2 / (1.5 * world.batch->h));
}

/* m/s: of the middle of a shape, and the fastest that turning moves its surface besides. */
CRN_HD D3 middle_velocity(const World &world, int s, double *spin)
{
    const Shape &shape = world.shapes.shape[s];
    const Motion &m = world.sorted.m[shape.body];
    D3 w = wide(xyz(m.w)), arm = xyz(world.shapes.middle[s]) - xyz(world.sorted.x[shape.body]), turn = cross(w, arm);
    double size = norm(turn), allowed = turning_speed(world, w, norm(arm));
    *spin = shape.kind == CRN_GPU_SPHERE ? 0.0 : turning_speed(world, w, shape.bound);
    return wide(xyz(m.v)) + (size > allowed ? allowed / size : 1.0) * turn;
}

/* Bodies as they are at the start of the step, with their inertia in the world. */
struct PlaceBodies
{
    World world;
    CRN_HD void operator()(int i) const
    {
        const Shapes &shapes = world.shapes;
        Axes R = axes_of(world.kept.q[i]);
        const double *A = shapes.mass[i].inverse;
        D3 J[3]; /* R A, then its products with the rows of R */
        for (int k = 0; k < 3; ++k)
            J[k] = out_of(R, {A[k], A[3 + k], A[6 + k]});
        D3 row[3];
        for (int k = 0; k < 3; ++k)
            row[k] = {at(R.x, k), at(R.y, k), at(R.z, k)};
        double full[6];
        const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
        for (int e = 0; e < 6; ++e)
            full[e] = at(J[0], place[e][0]) * row[place[e][1]].x + at(J[1], place[e][0]) * row[place[e][1]].y +
                      at(J[2], place[e][0]) * row[place[e][1]].z;
        shapes.inertia[i] = {{(real)full[0], (real)full[1], (real)full[2], 0}, {(real)full[3], (real)full[4], (real)full[5], 0}};
        world.sorted.x[i] = world.kept.x[i];
        world.sorted.q[i] = world.kept.q[i];
        world.sorted.m[i].v = world.kept.m[i].v;
        world.sorted.m[i].w = world.kept.m[i].w;
        world.sorted.tag[i] = world.kept.tag[i];
        world.from[i] = i;
        world.mask[i] = 0;
        world.best[i] = 0;
        world.struck[0][i] = 0;
        check_place(world, i, world.kept.x[i]);
    }
};

struct PlaceShapes
{
    World world;
    CRN_HD void operator()(int s) const
    {
        const Shapes &shapes = world.shapes;
        const Shape &shape = shapes.shape[s];
        Axes R = axes_of(world.sorted.q[shape.body]);
        shapes.middle[s] = with(xyz(world.sorted.x[shape.body]) + out_of(R, shape.x), shape.bound);
        double spin;
        D3 v = middle_velocity(world, s, &spin);
        D4 x = folded(world, shapes.middle[s]);
        const Level &level = world.level[shape.level];
        int cell[3];
        for (int k = 0; k < 3; ++k)
            cell[k] = wrap(cell_at(along(x, level.axis[k]), level.inverse[k]), level.bits[k]);
        come_to(world, s, cell_index(level, cell[0], cell[1], cell[2]));
        real reach = reach_of(world, x, with(narrow((norm(v) + spin) * D3{1, 0, 0}), 0));
        shapes.middle[s] = {x.x, x.y, x.z, reach};
        put(shapes.swift + s, with(narrow(v), (real)spin));
        raise_level(world, shape.level, reach);
    }
};

struct SortShapes
{
    World world;
    CRN_HD void operator()(int entry) const
    {
        int s = world.entered[entry], p = place_in_order(world, s);
        D4 x = world.shapes.middle[s];
        world.shapes.order[p] = s;
        world.near[p] = {(real)x.x, (real)x.y, (real)x.z, (real)x.w};
    }
};

/* ---------------------------------------------------------------------------------------------------------- search */

template <class Lanes> struct ShapeSearch
{
    const World &world;
    Lanes lanes;
    int i, count; /* in the order of the cells */
    int shape;
    D4 x;
    R4 near;
    real rounding;
    D3 v;
    double spin;
    int look; /* as in find.hpp */
};

template <class Lanes> CRN_HD bool is_before(const ShapeSearch<Lanes> &s, int j)
{
    return s.world.domain.mine ? s.world.shapes.order[j] < s.shape : j < s.i;
}

CRN_HD bool may_touch(const World &world, int body, int other)
{
    const Shapes &shapes = world.shapes;
    bool moves = world.sorted.m[body].v.w != 0 || world.sorted.m[other].v.w != 0;
    return body != other && moves && concerns(world, body, other) && (shapes.groups[body] & shapes.collides_with[other]) &&
           (shapes.groups[other] & shapes.collides_with[body]) && !are_apart(world.joints, body, other);
}

/* Of the shape at place p in the order of the cells, or of a wall, by its number. */
CRN_HD int number_at(const World &world, int p)
{
    return p < world.shapes.count ? world.shapes.order[p] : p;
}

template <class Lanes> CRN_HD void note(ShapeSearch<Lanes> &s, bool is_found, int p)
{
    int at = s.lanes.next_place(is_found, &s.count);
    if (is_found && at < s.world.slots)
        s.world.slot[(long long)at * s.world.shapes.count + s.shape] = number_at(s.world, p);
}

/* m: the distance of a point from the plane of a triangle, and from its sides: no more than from the triangle. */
CRN_HD double beside_triangle(const World &world, int s, D3 x)
{
    const Shapes &shapes = world.shapes;
    const Shape &shape = shapes.shape[s];
    const crn_gpu_triangle &t = shapes.triangle[shape.triangle];
    D3 n = {t.n[0], t.n[1], t.n[2]}, y = into(axes_of(world.sorted.q[shape.body]), x - xyz(world.sorted.x[shape.body]));
    double far = 0;
    for (int k = 0; k < 3; ++k)
    {
        const double *p = shapes.vertex + 3 * (long long)t.v[k], *q = shapes.vertex + 3 * (long long)t.v[(k + 1) % 3];
        D3 from = {p[0], p[1], p[2]}, along = D3{q[0], q[1], q[2]} - from, arm = y - from;
        far = most(far, most(fabs(dot(n, arm)), dot(cross(along, n), arm) / norm(along)));
    }
    return far;
}

/* A box that is fixed, or driven without turning: a plate or a gate, whose ball holds far more than itself. Drawn aside fast it comes no closer to what lies on it, but its ball
 * does. */
CRN_HD bool is_plate(const World &world, int s)
{
    const Motion &m = world.sorted.m[world.shapes.shape[s].body];
    return world.shapes.shape[s].kind == CRN_GPU_BOX && m.v.w == 0 && is_zero(xyz(m.w));
}

/* m: the distance of a point from a box. */
CRN_HD double beside_box(const World &world, int s, D3 x)
{
    const Shape &shape = world.shapes.shape[s];
    Axes R = turned_axes(axes_of(world.sorted.q[shape.body]), axes_of(shape.q));
    D3 y = into(R, x - xyz(world.shapes.middle[s]));
    return norm(D3{most(0.0, fabs(y.x) - shape.half.x), most(0.0, fabs(y.y) - shape.half.y), most(0.0, fabs(y.z) - shape.half.z)});
}

/* Whether distances from a shape are those from itself, at least, and not from its middle. */
CRN_HD bool is_seen(const World &world, int s)
{
    return world.shapes.shape[s].kind == CRN_GPU_TRIANGLE || is_plate(world, s);
}
CRN_HD double beside(const World &world, int s, D3 x)
{
    return world.shapes.shape[s].kind == CRN_GPU_TRIANGLE ? beside_triangle(world, s, x) : beside_box(world, s, x);
}

/* m: of the middles of two shapes, where they are at x and y; of a triangle or a plate, at least. */
CRN_HD double distance_of(const World &world, int a, int b, D3 x, D3 y)
{
    if (is_seen(world, a))
        return beside(world, a, xyz(world.shapes.middle[a]) + y - x);
    return is_seen(world, b) ? beside(world, b, x) : norm(x - y);
}

/* Two bodies that come together at `closing`, which is negative, with this room between what holds their shapes: how fast they may be sent away. */
template <class Lanes> CRN_HD void meet(const ShapeSearch<Lanes> &s, int a, int b, double room, double closing, double spare)
{
    double light_a = s.world.sorted.m[a].v.w, light_b = s.world.sorted.m[b].v.w;
    if (room + s.world.batch->h * closing >= 0)
        return;
    strike(s, a, closing, light_a / (light_a + light_b), spare);
    strike(s, b, closing, light_b / (light_a + light_b), spare);
}

/* Whether two shapes may touch if they can come together by `way` besides. */
CRN_HD bool are_near(const World &world, int a, int b, D3 x, D3 y, double way)
{
    const Shape &one = world.shapes.shape[a], &other = world.shapes.shape[b];
    if (norm(x - y) > one.bound + other.bound + way)
        return false;
    if (is_seen(world, a))
        return beside(world, a, y) <= other.bound + way;
    return !is_seen(world, b) || beside(world, b, x) <= one.bound + way;
}

template <class Lanes> CRN_HD bool measure(const ShapeSearch<Lanes> &s, int p)
{
    const World &world = s.world;
    int other = world.shapes.order[p];
    const Shape &a = world.shapes.shape[s.shape], &b = world.shapes.shape[other];
    R4 swift = get(world.shapes.swift + other);
    D3 x = xyz(s.x), y = xyz(world.shapes.middle[other]), u = s.v - wide(xyz(swift));
    double h = world.batch->h, spare = spare_of(world, least(a.size, b.size));
    double sent = sent_of(s, a.body) + sent_of(s, b.body), way = 1.5 * h * (norm(u) + s.spin + swift.w) + spare;
    if ((Lanes::IS_PERIODIC && !is_nearest_image(world, x - y)) || !are_near(world, s.shape, other, x, y, way + h * sent) || !may_touch(world, a.body, b.body))
        return false;
    double earlier = sent_of(s, a.body, 2) + sent_of(s, b.body, 2);
    bool is_found = s.look == 0 || (!are_near(world, s.shape, other, x, y, way + h * earlier) && !(sent_of(s, b.body) > 0 && other < s.shape));
    double speed = world.bounce * (norm(u) + sent);
    if (s.look + 1 >= world.looks || h * speed <= 0.5 * spare)
        return is_found;
    double before = distance_of(world, s.shape, other, x, y), after = distance_of(world, s.shape, other, x + h * u, y);
    double room = before - (is_seen(world, s.shape) ? 0 : a.bound) - (is_seen(world, other) ? 0 : b.bound);
    meet(s, a.body, b.body, room, (after - before) / h - sent, spare);
    return is_found;
}

/* Whether wall k is to be noted. */
template <class Lanes> CRN_HD bool measure_wall(const ShapeSearch<Lanes> &s, const Shape &shape, int k)
{
    const World &world = s.world;
    int body = world.shapes.shape[k].body;
    if (world.sorted.m[shape.body].v.w == 0 || !may_touch(world, shape.body, body))
        return false;
    Placed wall = place_of(world, k);
    D3 w = wide(xyz(world.sorted.m[body].w)), x = xyz(s.x);
    D3 v = wide(xyz(world.sorted.m[body].v)) + cross(w, x - xyz(world.sorted.x[body]));
    double sent = sent_of(s, shape.body), far = wall_distance(wall, x), h = world.batch->h, spare = spare_of(world, shape.size);
    double way = shape.bound + 1.5 * h * (norm(s.v - v) + s.spin + turning_speed(world, w, shape.bound)) + spare;
    if (!(far <= way + h * sent))
        return false;
    meet(s, shape.body, body, far - shape.bound, (wall_distance(wall, x + h * (s.v - v)) - far) / h - sent, spare);
    return s.look == 0 || !(far <= way + h * sent_of(s, shape.body, 2));
}

template <class Lanes> CRN_HD void look_at_walls(ShapeSearch<Lanes> &s, const Shape &shape)
{
    int count = s.world.shapes.count, end = count + s.world.shapes.walls;
    for (int walls = count; walls < end; walls += s.lanes.size())
    {
        int k = walls + s.lanes.rank();
        note(s, k < end && measure_wall(s, shape, k), k);
    }
}

/* Before a later look: those who are struck reach further (find.hpp). For all bodies, and all shapes in the order of the cells. */
struct WidenShapes
{
    World world;
    int look;
    CRN_HD void operator()(int i) const
    {
        const Shapes &shapes = world.shapes;
        const real *struck = world.struck[look - 1];
        if (i < world.n)
            world.struck[look][i] = struck[i];
        int number = i < shapes.count ? shapes.order[i] : -1;
        if (number < 0 || !(struck[shapes.shape[number].body] > 0))
            return;
        int level = shapes.shape[number].level;
        real reach = (real)(shapes.middle[number].w + world.batch->h * struck[shapes.shape[number].body]);
        world.near[i].w = reach;
        if (reach > glimpse(world.level_reach + level))
            raise_to(world.level_reach + level, reach);
        world.again[next_place(&world.counters->struck[look])] = i;
    }
};

template <bool IS_PERIODIC> struct FindPairs
{
    static constexpr int MANY = 1 << 19, MORE = MANY; /* shapes from which on each has one lane: they look at more than spheres do */
    World world;
    int look;
    CRN_HD int pieces() const
    {
        return world.counters->struck[look];
    }
    template <class Lanes> CRN_HD void operator()(int k, const Lanes &lanes) const
    {
        const Shapes &shapes = world.shapes;
        int i = searcher_of(world, look, k);
        int number = shapes.order[i];
        const Shape &shape = shapes.shape[number];
        int known = look > 0 ? world.count[number] : 0;
        if (world.counters->lost)
        {
            world.count[number] = known;
            return;
        }
        R4 near = world.near[i];
        ShapeSearch<Way<Lanes, IS_PERIODIC>> s = {world, {lanes}, i, known, number, shapes.middle[number], near, rounding_of(near), {0, 0, 0}, 0, look};
        R4 swift = get(shapes.swift + number);
        s.v = wide(xyz(swift));
        s.spin = swift.w;
        look_from(s, shape.level);
        look_at_walls(s, shape);
        finish(s, number);
    }
};

/* Once they are counted: whether there is room for them. */
struct CountPairs
{
    World world;
    CRN_HD void operator()(int) const
    {
        Counters &c = *world.counters;
        int count = world.shapes.pair_first[world.shapes.count];
        c.pairs_needed = count;
        if (count > world.shapes.pair_capacity)
            c.full = 1;
        c.pairs = c.full ? 0 : count;
    }
};

struct ListPairs
{
    World world;
    CRN_HD void operator()(int s) const
    {
        if (world.counters->full)
            return;
        for (int m = 0; m < world.count[s]; ++m)
            world.shapes.pair[world.shapes.pair_first[s] + m] = {s, world.slot[(long long)m * world.shapes.count + s]};
    }
};

} // namespace crn
