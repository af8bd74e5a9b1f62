/* The parts of the pipeline (pipeline.cu) that only a world with shapes has. */
#pragma once

#include "../pipeline.hpp"

#include "../bounds.h"

namespace crn
{

/* --------------------------------------------------------------------------------------------------------- open */

inline void invert(const double I[9], double out[9])
{
    D3 a = {I[0], I[1], I[2]}, b = {I[3], I[4], I[5]}, c = {I[6], I[7], I[8]};
    for (int k = 0; k < 3; ++k)
    {
        D3 column = solve33(a, b, c, {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
        out[k] = column.x;
        out[3 + k] = column.y;
        out[6 + k] = column.z;
    }
}

inline Mass mass_of(const crn_gpu_body &body)
{
    Mass mass = {};
    memcpy(mass.I, body.inertia, sizeof mass.I);
    if (body.inverse_mass > 0 && body.inertia[0] > 0)
        invert(mass.I, mass.inverse);
    return mass;
}

/* The middle of a triangle's ball is that of its bounds. */
inline void bound_triangle(const crn_gpu_description *d, Shape &shape)
{
    const crn_gpu_triangle &t = d->triangle[shape.triangle];
    D3 corner[3];
    for (int k = 0; k < 3; ++k)
        corner[k] = {d->vertex[3 * t.v[k]], d->vertex[3 * t.v[k] + 1], d->vertex[3 * t.v[k] + 2]};
    double middle[3];
    for (int k = 0; k < 3; ++k)
    {
        double p = at(corner[0], k), q = at(corner[1], k), r = at(corner[2], k);
        middle[k] = 0.5 * (fmin(p, fmin(q, r)) + fmax(p, fmax(q, r)));
    }
    shape.x = shape.half = {middle[0], middle[1], middle[2]};
    for (const D3 &x : corner)
        shape.bound = fmax(shape.bound, norm(x - shape.x));
}

inline Shape shape_of(const crn_gpu_description *d, const crn_gpu_shape &s)
{
    Shape shape = {{s.x[0], s.x[1], s.x[2]}, s.radius, {s.q[0], s.q[1], s.q[2], s.q[3]}, {s.half[0], s.half[1], s.half[2]}, 0,
                   INFINITY, s.kind, s.body, s.material, s.triangle, 0};
    if (s.kind == CRN_GPU_TRIANGLE)
        bound_triangle(d, shape);
    else if (!is_wall(s.kind))
    {
        bool is_round = s.kind == CRN_GPU_SPHERE || s.kind == CRN_GPU_CAPSULE;
        shape.bound = crn_gpu_bound(d->hull, &s);
        shape.size = s.kind == CRN_GPU_HULL ? d->hull[s.triangle].thickness : is_round ? s.radius : fmin(s.half[0], fmin(s.half[1], s.half[2]));
    }
    return shape;
}

/* Also where the shapes are on other ranks. */
inline bool has_shapes(const crn_gpu_description *d)
{
    return d->shape_count > d->wall_count || (d->rank && d->rank->total_shapes > 0);
}

/* What holds the bodies' spheres or the shapes, at the start. */
inline std::vector<D4> balls_of(const crn_gpu_description *d)
{
    std::vector<D4> ball;
    for (int i = 0; !has_shapes(d) && i < d->body_count; ++i)
        ball.push_back({d->body[i].x[0], d->body[i].x[1], d->body[i].x[2], d->body[i].radius});
    for (int i = 0; i < d->shape_count - d->wall_count; ++i)
    {
        Shape shape = shape_of(d, d->shape[i]);
        const crn_gpu_body &b = d->body[shape.body];
        ball.push_back(with(D3{b.x[0], b.x[1], b.x[2]} + out_of(axes_of({b.q[0], b.q[1], b.q[2], b.q[3]}), shape.x), shape.bound));
    }
    return ball;
}

void Pipeline::send_hulls(const crn_gpu_description *d)
{
    Shapes &w = world.shapes;
    if (d->hull_count == 0)
        return;
    size_t corners = (size_t)d->hull_corner_count, faces = (size_t)d->hull_face_count;
    send(w.hull, d->hull, (size_t)d->hull_count);
    send(w.hull_corner, d->hull_corner, 3 * corners);
    send(w.hull_normal, d->hull_normal, 3 * faces);
    send(w.hull_face_begin, d->hull_face_begin, faces + 1);
    send(w.hull_face_corner, d->hull_face_corner, (size_t)d->hull_face_begin[faces]);
    send(w.hull_at_begin, d->hull_at_begin, corners + 1);
    send(w.hull_at, d->hull_at, (size_t)d->hull_at_begin[corners]);
}

void Pipeline::send_shapes(const crn_gpu_description *d, const int *level)
{
    Shapes &w = world.shapes;
    size_t n = (size_t)d->body_count, count = (size_t)w.count;
    std::vector<Shape> shape;
    std::vector<Mass> mass;
    std::vector<unsigned long long> groups, collides_with;
    for (int i = 0; i < d->shape_count; ++i)
    {
        shape.push_back(shape_of(d, d->shape[i]));
        shape.back().level = i < w.count ? level[i] : 0;
        w.has_general = w.has_general || is_general(shape.back().kind);
    }
    for (size_t i = 0; i < n; ++i)
    {
        mass.push_back(mass_of(d->body[i]));
        groups.push_back(d->body[i].groups);
        collides_with.push_back(d->body[i].collides_with);
    }
    std::vector<int> zero(count + 1);
    send(w.shape, shape.data(), shape.size());
    send(w.mass, mass.data(), n);
    send(w.groups, groups.data(), n);
    send(w.collides_with, collides_with.data(), n);
    send(w.triangle, d->triangle, (size_t)d->triangle_count);
    send(w.vertex, d->vertex, 3 * (size_t)d->vertex_count);
    send(w.ring_begin, d->ring_begin, d->vertex_count > 0 ? (size_t)d->vertex_count + 1 : 0);
    send(w.ring, d->ring, d->vertex_count > 0 ? (size_t)d->ring_begin[d->vertex_count] : 0);
    send_hulls(d);
    take(w.inertia, n);
    take(w.order, count);
    take(w.middle, count);
    take(w.swift, count);
    send(w.pair_first, zero.data(), count + 1);
    take(w.work, 1);
}

void Pipeline::take_pairs(size_t capacity)
{
    Shapes &w = world.shapes;
    keep(w.pair, 0, capacity);
    keep(w.pair_kind, 0, capacity);
    keep(w.pair_kind_sorted, 0, capacity);
    keep(w.pair_number, 0, capacity);
    keep(w.pair_order, 0, capacity);
    keep(w.touch_count, 0, capacity + 1);
    keep(w.touch_first, 0, capacity + 1);
    keep(w.touch, 0, MOST_TOUCHES * capacity);
    keep(w.touch_feature, 0, MOST_TOUCHES * capacity);
    w.pair_capacity = (int)capacity;
}

void Pipeline::take_arms(size_t capacity, size_t kept)
{
    Shapes &w = world.shapes;
    keep(w.last_feature, kept, capacity);
    keep(w.feature, 0, capacity);
    keep(w.arm_a, 0, capacity);
    keep(w.arm_b, 0, capacity);
    keep(w.ordered_arm_a, 0, capacity);
    keep(w.ordered_arm_b, 0, capacity);
    if (!world.surface)
        return;
    keep(w.extra, 0, capacity);
    keep(w.last_extra, kept, capacity);
    keep(w.ordered_extra, 0, capacity);
    if (tolerance > 0)
        keep(world.before.extra, 0, capacity);
}

/* --------------------------------------------------------------------------------------------------------- step */

void Pipeline::enqueue_pairs()
{
    World &w = world;
    Shapes &s = w.shapes;
    enqueue_begin();
    machine.launch(w.n, PlaceBodies{w});
    machine.launch(s.count, PlaceShapes{w});
    machine.scan(w.cell_count, w.cell_first, w.cells + 1);
    machine.launch(s.count, EnterCells{w});
    machine.launch(s.count, SortShapes{w});
    enqueue_search<FindPairs>(s.count, 0);
    for (int look = 1; look < w.looks; ++look)
    {
        if (team)
            tell_struck(look - 1);
        machine.launch(w.n > s.count ? w.n : s.count, WidenShapes{w, look});
        enqueue_search<FindPairs>(s.count, look);
    }
    machine.scan(w.count, s.pair_first, s.count + 1);
    machine.launch(1, CountPairs{w});
    machine.launch(s.count, ListPairs{w});
    machine.launch(s.pair_capacity, PairKinds{w});
    machine.sort(s.pair_kind, s.pair_kind_sorted, s.pair_number, s.pair_order, s.pair_capacity, 7);
    machine.launch(s.pair_capacity, Narrow<false>{w});
    if (s.has_general)
        machine.launch(s.pair_capacity, Narrow<true>{w});
    machine.clear(s.touch_count + s.pair_capacity, 0, sizeof(int));
    machine.scan(s.touch_count, s.touch_first, s.pair_capacity + 1);
    machine.launch(1, CountContacts{w});
    if (team && !agree())
        return;
    machine.launch(s.pair_capacity, FillTouches{w});
    machine.launch(w.n, FreeVelocities{w});
    machine.launch(w.n, FreeTurns{w});
}

void Pipeline::enqueue_shape_judgement()
{
    World &w = world;
    machine.launch(w.n, JudgeShapeBodies{w});
    machine.reduce(w.capacity, JudgeShapeContact{w}, Combine{}, finding);
}

void Pipeline::enqueue_turn_work()
{
    World &w = world;
    machine.reduce(w.n, TurnWork{w}, Sum{}, w.shapes.work);
    machine.launch(1, AddTurnWork{w, totals});
}

void Pipeline::enqueue_shape_end()
{
    World &w = world;
    machine.launch(w.shapes.count + 1, KeepFirsts{w});
    machine.launch(w.capacity, KeepFeatures{w});
}

/* --------------------------------------------------------------------------------------------------------- read */

bool Pipeline::read_shape_contacts(crn_gpu_contact *contact, int count)
{
    size_t shapes = (size_t)world.shapes.count;
    const int *first = machine.view(world.last.first, shapes + 1, listed.first);
    size_t most = machine.good() ? (size_t)first[shapes] : 0;
    const int *other = machine.view(world.last.other, most, listed.other);
    const int *feature = machine.view(world.shapes.last_feature, most, listed.feature);
    const unsigned long long *pair = machine.view(world.pair, most, listed.pair);
    const R4 *normal = machine.view(world.n_bias, most, listed.normal), *r = machine.view(world.last.r, most, listed.r);
    const R4 *arm_a = machine.view(world.shapes.arm_a, most, listed.arm_a);
    const R4 *arm_b = machine.view(world.shapes.arm_b, most, listed.arm_b);
    const R4 *extra = world.surface ? machine.view(world.shapes.last_extra, most, listed.extra) : nullptr;
    const uint8_t *colour = machine.view(world.last.colour, most, listed.colour);
    const Shape *shape = machine.view(world.shapes.shape, shapes + (size_t)world.shapes.walls, listed.shape);
    int out = 0;
    for (size_t s = 0; s < shapes && machine.good(); ++s)
        for (int i = first[s]; i < first[s + 1] && out < count; ++i)
        {
            if (team && !is_counted(world, world.pair[i]))
                continue;
            size_t k = (size_t)i, o = (size_t)other[k];
            bool is_first = shape[s].body == first_of(pair[k]); /* two shapes of a pair are of two bodies */
            R3 n = xyz(normal[k]), p = (r[k].w - (world.surface ? extra[k].w : 0)) * n + xyz(r[k]), arm = xyz(arm_a[k]);
            R3 moment = world.surface ? xyz(extra[k]) : R3{0, 0, 0};
            contact[out++] = {first_of(pair[k]), second_of(pair[k]), {n.x, n.y, n.z}, arm_b[k].w, {p.x, p.y, p.z}, colour[k],
                          (int)(is_first ? s : o), (int)(is_first ? o : s), feature[k], {arm.x, arm.y, arm.z}, {moment.x, moment.y, moment.z}};
        }
    return machine.good();
}

} // namespace crn
