#include "support/heap.h"
#include "support/builder.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

const double HEAP_RADIUS = 0.05;

/* The floor, driven along x if it moves. */
static void add_floor(builder *b, const char *motion)
{
    bool planar = cairn_model_dimension(b->model) == 2;
    cairn_body_options options = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(planar ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    cairn_body body = {0};
    cairn_shape ignored;
    options.name = "floor";
    options.kind = motion ? CAIRN_DRIVEN : CAIRN_FIXED;
    options.motion_position[0] = motion;
    shape.normal[planar ? 1 : 2] = 1;
    shape.material = b->material;
    assert_int_equal(cairn_model_add_body(b->model, &options, &body), CAIRN_OK);
    assert_int_equal(cairn_model_add_shape(b->model, body, &shape, &ignored), CAIRN_OK);
}

static void add_grain(builder *b, heap_mix mix, const builder_pose *pose, int i)
{
    bool planar = cairn_model_dimension(b->model) == 2;
    double r = HEAP_RADIUS * test_uniform(&b->random, 0.8, 1);
    cairn_shape_options capsule = cairn_shape_default(CAIRN_CAPSULE);
    capsule.radius = 0.6 * r;
    capsule.length = 0.8 * r;
    int kind = mix == HEAP_ROUND ? 0 : mix == HEAP_BOXES ? 1 : i % 3;
    if (kind == 0)
        builder_ball(b, pose, r);
    else if (kind == 1 && planar)
        builder_rectangle(b, pose, 1.3 * r, 1.1 * r);
    else if (kind == 1)
        builder_box(b, pose, 1.3 * r, 1.1 * r, r);
    else
        builder_shape(b, pose, &capsule);
}

static void add_grains(builder *b, const heap_options *o, int across)
{
    double apart = 2.05 * HEAP_RADIUS, half = 0.5 * across;
    int layer = o->dimension == 2 ? across : across * across;
    for (int i = 0; i < o->count; ++i)
    {
        double x = apart * (i % across + 0.5 - half), up = apart * (i / layer + 0.5);
        double y = o->dimension == 2 ? 0.0 : apart * (i % layer / across + 0.5 - half);
        builder_pose pose = o->dimension == 2 ? builder_at(x, up, 0) : builder_at(x, y, up);
        pose.density = o->ratio > 0 ? 2000 * pow(o->ratio, test_uniform(&b->random, 0, 1)) : 2000;
        pose.angle = test_uniform(&b->random, 0, 3);
        for (int k = 0; k < o->dimension; ++k)
            pose.velocity[k] = test_uniform(&b->random, -0.1, 0.1);
        if (o->dimension == 3)
            builder_random_turn(b, pose.turn);
        add_grain(b, o->mix, &pose, i);
    }
}

world heap_world(const heap_options *o)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, o->dimension, o->friction, o->seed);
    int across = o->dimension == 2 ? (int)ceil(1.5 * sqrt(o->count)) : (int)ceil(cbrt(1.5 * o->count));
    double wall = o->half > 0 ? o->half : 2.05 * HEAP_RADIUS * (0.5 * across) + 0.3 * HEAP_RADIUS;
    assert_int_equal(b.status, CAIRN_OK);
    b.material = add_material(b.model, "grain", o->friction, o->restitution);
    add_floor(&b, o->floor);
    builder_wall(&b, -wall, 0, 0, 1, 0, 0);
    builder_wall(&b, wall, 0, 0, -1, 0, 0);
    if (o->dimension == 3)
    {
        builder_wall(&b, 0, -wall, 0, 0, 1, 0);
        builder_wall(&b, 0, wall, 0, 0, -1, 0);
    }
    add_grains(&b, o, across);
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    return w;
}

world heap_row(int count, double friction, const char *floor)
{
    heap_options options = {.dimension = 3, .friction = friction, .half = 10, .floor = floor};
    world w = heap_world(&options);
    cairn_material material = cairn_model_find_material(w.model, "grain");
    double size[3] = {0.2, 0.2, 0.1};
    for (int i = 0; i < count; ++i)
    {
        char name[24];
        double at[3] = {0.2 * i - 1, 0, 0.05};
        snprintf(name, sizeof name, "block%d", i);
        add_box(w.model, name, 4, size, at, material);
    }
    return w;
}

void heap_run(world *w, int steps)
{
    for (int i = 0; i < steps; ++i)
        if (cairn_simulation_step(w->simulation) != CAIRN_OK)
            fail_msg("%s", cairn_context_last_message(w->context));
}

double heap_penetration(const world *w)
{
    double sum = 0;
    int count = 0;
    for (int j = 0; j < cairn_simulation_contact_count(w->simulation); ++j)
    {
        cairn_contact contact = cairn_simulation_contact(w->simulation, j);
        sum += contact.impulse[0] > 0 ? fmax(-contact.gap, 0.0) : 0.0;
        count += contact.impulse[0] > 0;
    }
    return count > 0 ? sum / count : 0.0;
}

double heap_speed(const world *w)
{
    double most = 0;
    for (int i = 0; i < cairn_model_body_count(world_model(w)); ++i)
    {
        cairn_body_state s = cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), i));
        double spin = hypot(hypot(s.angular_velocity[0], s.angular_velocity[1]), s.angular_velocity[2]);
        most = fmax(most, hypot(hypot(s.velocity[0], s.velocity[1]), s.velocity[2]) + HEAP_RADIUS * spin);
    }
    return most;
}

bool heap_swept(const world *w)
{
    const char *method = cairn_simulation_report(w->simulation)->solver.method;
    return method && (strcmp(method, "sweeps") == 0 || strcmp(method, "rest") == 0);
}
