/* Bodies of several shapes, capsules and boxes on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device), against
 * closed forms, conservation laws and the processor's own steps. */
#include "support/check.h"
#include "support/device.h"
#include "support/heap.h"

#include "math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void set_gravity(cairn_model *model, double x, double y, double z)
{
    cairn_model_set_gravity(model, (double[3]){x, y, z});
}

/* ------------------------------------------------------------------------------------------------------- closed forms */

/* A box on a slope, made by turning gravity: it sticks where mu > tan a, and slides with g (sin a - mu cos a) where mu < tan a. */
static void slide(double angle, double mu, double h, int batch, cairn_law_kind law)
{
    const double g = 9.81, size[3] = {0.3, 0.2, 0.1};
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", mu, 0);
    set_gravity(w.model, g * sin(angle), 0, -g * cos(angle));
    add_ground(w.model, material);
    add_box(w.model, "brick", 2, size, (double[3]){0, 0, 0.05}, material);
    cairn_settings settings = on_device(h, 0);
    settings.sweeps = 60;
    settings.law.kind = law;
    world_start(&w, &settings);
    int steps = 80;
    for (int k = 0; k < steps; k += batch)
        device_take(&w, batch);
    double a = mu > tan(angle) ? 0.0 : g * (sin(angle) - mu * cos(angle)), t = steps * h;
    cairn_body_state brick = world_body(&w, "brick");
    assert_near(brick.velocity[0], a * t, 1e-4 * g * t);
    assert_near(brick.position[0], 0.5 * a * t * (t + h), 1e-4 * g * t * t);
    assert_near(brick.position[2], 0.05, 1e-5);
    assert_near(fabs(brick.orientation[0]), 1, 1e-6);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 4);
    assert_true(cairn_simulation_report(w.simulation)->solver.certificate.relative < 1e-3);
    world_free(&w);
}

static void boxes_on_slopes(void **state)
{
    (void)state;
    slide(0.3, 1.02 * tan(0.3), 0.01, 1, CAIRN_LAW_CONE);
    slide(0.3, 0.97 * tan(0.3), 0.01, 8, CAIRN_LAW_CONE);
    slide(0.5, 0.2, 0.004, 40, CAIRN_LAW_CONE);
    slide(0.3, 0.5, 0.007, 20, CAIRN_LAW_CONVEX_CONE);
}

/* A capsule with the moment I about its axis rolls down a slope with g sin a / (1 + I / (m r^2)). */
static void capsule_rolls(void **state)
{
    (void)state;
    const double g = 9.81, angle = 0.2, r = 0.05, m = 2, I = 0.0031, h = 0.005;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.6, 0);
    set_gravity(w.model, g * sin(angle), 0, -g * cos(angle));
    add_ground(w.model, material);
    cairn_body_options options = cairn_body_default();
    options.name = "rod";
    options.mass = m;
    options.inertia[0] = options.inertia[1] = 0.02;
    options.inertia[2] = I;
    options.position[2] = r;
    options.orientation[0] = options.orientation[1] = sqrt(0.5); /* its axis is y */
    cairn_body rod;
    assert_int_equal(cairn_model_add_body(w.model, &options, &rod), CAIRN_OK);
    cairn_shape_options shape = shape_of(CAIRN_CAPSULE, material);
    shape.radius = r;
    shape.length = 0.4;
    add_shape(w.model, rod, &shape);
    cairn_settings settings = on_device(h, 0);
    settings.sweeps = 40;
    world_start(&w, &settings);
    device_take(&w, 60);
    double a = g * sin(angle) / (1 + I / (m * r * r)), t = 60 * h;
    cairn_body_state state_of = world_body(&w, "rod");
    assert_near(state_of.velocity[0], a * t, 2e-4 * a * t);
    assert_near(fabs(state_of.angular_velocity[2]), a * t / r, 2e-4 * a * t / r);
    assert_near(state_of.position[1], 0, 1e-5);
    world_free(&w);
}

static void add_plate(world *w, cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = "plate";
    options.kind = CAIRN_DRIVEN;
    options.motion_angle = "1.3*t";
    options.motion_axis[2] = 1;
    cairn_body plate;
    assert_int_equal(cairn_model_add_body(w->model, &options, &plate), CAIRN_OK);
    cairn_shape_options shape = shape_of(CAIRN_HALF_SPACE, material);
    shape.normal[2] = 1;
    add_shape(w->model, plate, &shape);
}

/* A plate that turns about a vertical axis carries a box on it as long as mu g > w^2 R. */
static void box_on_a_plate_that_turns(void **state)
{
    (void)state;
    const double turn = 1.3, R = 0.8, h = 0.004;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.7, 0);
    add_plate(&w, material);
    add_box(w.model, "brick", 1, (double[3]){0.2, 0.2, 0.2}, (double[3]){R, 0, 0.1}, material);
    cairn_settings settings = on_device(h, 0);
    settings.sweeps = 60;
    world_start(&w, &settings);
    cairn_body_state brick = world_body(&w, "brick");
    brick.velocity[1] = turn * R;
    brick.angular_velocity[2] = turn;
    cairn_simulation_set_body(w.simulation, cairn_model_find_body(world_model(&w), "brick"), &brick);
    for (int k = 1; k <= 5; ++k)
    {
        device_take(&w, 50);
        double t = cairn_simulation_time(w.simulation);
        brick = world_body(&w, "brick");
        assert_near(brick.position[0], R * cos(turn * t), 5e-3 * R);
        assert_near(brick.position[1], R * sin(turn * t), 5e-3 * R);
        assert_near(fabs(brick.orientation[3]), fabs(sin(0.5 * turn * t)), 5e-3);
    }
    world_free(&w);
}

/* A ball that rolls on such a plate goes in a circle, 2/7 as fast as the plate turns, whatever its start: with v = 0 and w_x = W R / r it
 * stays where it is. */
static void ball_on_a_plate_that_turns(void **state)
{
    (void)state;
    const double turn = 1.3, R = 0.8, r = 0.1, h = 0.002, v = 0.15;
    for (int moves = 0; moves < 2; ++moves)
    {
        world w = world_new(3);
        cairn_material material = add_material(w.model, "wood", 0.7, 0);
        add_plate(&w, material);
        add_ball(w.model, "ball", 1, r, (double[3]){R, 0, r}, material);
        cairn_settings settings = on_device(h, 0);
        world_start(&w, &settings);
        cairn_body_state ball = world_body(&w, "ball");
        ball.velocity[0] = moves ? v : 0.0;
        ball.angular_velocity[0] = turn * R / r;
        ball.angular_velocity[1] = ball.velocity[0] / r;
        cairn_simulation_set_body(w.simulation, cairn_model_find_body(world_model(&w), "ball"), &ball);
        device_take(&w, 800);
        ball = world_body(&w, "ball");
        double rate = 2.0 / 7 * turn, t = 800 * h, radius = moves ? v / rate : 0.0;
        assert_near(ball.position[0], R + radius * sin(rate * t), 2e-3);
        assert_near(ball.position[1], radius * (1 - cos(rate * t)), 2e-3);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------------ free motion */

static void add_spinning(world *w, cairn_material material)
{
    cairn_body_options options = cairn_body_default();
    options.name = "top";
    options.mass = 1;
    options.inertia[0] = 0.5;
    options.inertia[1] = 1.1;
    options.inertia[2] = 1.4;
    options.inertia[3] = 0.07; /* not along its axes */
    options.position[2] = 50;
    options.velocity[0] = 1;
    memcpy(options.angular_velocity, (double[3]){0.3, 4, -0.2}, sizeof options.angular_velocity);
    cairn_body top;
    assert_int_equal(cairn_model_add_body(w->model, &options, &top), CAIRN_OK);
    cairn_shape_options shape = shape_of(CAIRN_BOX, material);
    memcpy(shape.size, (double[3]){1, 0.5, 0.3}, sizeof shape.size);
    add_shape(w->model, top, &shape);
}

/* An asymmetric body that tumbles: as on the processor to single precision, and the account of energies closes. Under `stiff` it gains none. */
static void tumbling_body(void **state)
{
    (void)state;
    for (int stiff = 0; stiff < 2; ++stiff)
    {
        cairn_settings settings = on_device(0.002, 0);
        settings.integrator = stiff ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        settings.certify_every = 1;
        world w[2];
        for (int i = 0; i < 2; ++i)
        {
            w[i] = world_new(3);
            set_gravity(w[i].model, 0, 0, 0);
            add_spinning(&w[i], add_material(w[i].model, "wood", 0.5, 0));
            settings.device = i ? CAIRN_DEVICE_CPU : CAIRN_DEVICE_GPU;
            world_start(&w[i], &settings);
        }
        double before = cairn_simulation_energy(w[0].simulation).kinetic;
        for (int k = 0; k < 10; ++k)
        {
            device_take(&w[0], 30);
            device_take(&w[1], 30);
            cairn_body_state a = world_body(&w[0], "top"), b = world_body(&w[1], "top");
            for (int i = 0; i < 4; ++i)
                assert_near(a.orientation[i], b.orientation[i], 2e-4);
            for (int i = 0; i < 3; ++i)
                assert_near(a.angular_velocity[i], b.angular_velocity[i], 2e-3);
            cairn_energy e = cairn_simulation_energy(w[0].simulation);
            assert_near(e.balance_error, 0, 1e-5 * before);
            assert_true(!stiff || e.kinetic < before * (1 + 1e-6));
        }
        world_free(&w[0]);
        world_free(&w[1]);
    }
}

/* A body that turns by two radians per step: `euler` leads it out of the numbers, which is an error with a sentence; `stiff` does not. */
static void too_fast_for_euler(void **state)
{
    (void)state;
    for (int stiff = 0; stiff < 2; ++stiff)
    {
        cairn_settings settings = on_device(0.01, 0);
        settings.integrator = stiff ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        world w = world_new(3);
        add_spinning(&w, add_material(w.model, "wood", 0.5, 0));
        world_start(&w, &settings);
        cairn_body_state top = world_body(&w, "top");
        memcpy(top.angular_velocity, (double[3]){130, 120, 90}, sizeof top.angular_velocity);
        cairn_simulation_set_body(w.simulation, cairn_model_find_body(world_model(&w), "top"), &top);
        cairn_status status = cairn_simulation_steps(w.simulation, 60);
        assert_int_equal(status, stiff ? CAIRN_OK : CAIRN_NUMERIC);
        const char *text = stiff ? "too long" : cairn_context_message(w.context, 0).text;
        if (!strstr(text, "too long"))
            fail_msg("no 'too long' in '%s'", text);
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------------------------------------- clumps */

/* Two clumps fall on a floor and on each other. Until they have bounced about, the device follows the processor; at rest the three balls of the
 * lower one stand on the floor. */
static void clumps_as_on_the_processor(void **state)
{
    (void)state;
    cairn_settings settings = on_device(0.002, 0);
    settings.sweeps = 100;
    world w[2];
    for (int i = 0; i < 2; ++i)
    {
        w[i] = world_new(3);
        cairn_material material = add_material(w[i].model, "wood", 0.4, 0);
        add_ground(w[i].model, material);
        add_clump(w[i].model, "low", (double[3]){0, 0, 0.15}, (double[3]){0.3, 0.1, 0.2}, material);
        add_clump(w[i].model, "high", (double[3]){0.05, 0.02, 0.5}, (double[3]){1, 0.5, 0.3}, material);
        settings.device = i ? CAIRN_DEVICE_CPU : CAIRN_DEVICE_GPU;
        world_start(&w[i], &settings);
        device_take(&w[i], 120);
    }
    const char *names[2] = {"low", "high"};
    for (int i = 0; i < 2; ++i)
    {
        cairn_body_state a = world_body(&w[0], names[i]), b = world_body(&w[1], names[i]);
        for (int k = 0; k < 3; ++k)
            assert_near(a.position[k], b.position[k], 0.01);
    }
    device_take(&w[0], 1500);
    assert_near(world_body(&w[0], "low").position[2], 0.1, 1e-3);
    assert_true(cairn_simulation_energy(w[0].simulation).kinetic < 1e-6);
    world_free(&w[0]);
    world_free(&w[1]);
}

/* The middle one of three balls is in a group that collides with nothing here: it falls through the lower one and the floor, and the upper one
 * comes to lie on the lower one. */
static void groups_pass(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.4, 0);
    add_ground(w.model, material);
    const char *names[3] = {"a", "b", "c"};
    for (int i = 0; i < 3; ++i)
    {
        cairn_body_options options = cairn_body_default();
        options.name = names[i];
        options.mass = 1;
        options.inertia[0] = options.inertia[1] = options.inertia[2] = 0.004;
        options.position[2] = 0.1 + 0.3 * i;
        options.groups = i == 1 ? 2 : 1;
        options.collides_with = i == 1 ? ~(uint64_t)1 : ~(uint64_t)2;
        cairn_body body;
        assert_int_equal(cairn_model_add_body(w.model, &options, &body), CAIRN_OK);
        cairn_shape_options shape = shape_of(CAIRN_SPHERE, material);
        shape.radius = 0.1;
        add_shape(w.model, body, &shape);
    }
    cairn_settings settings = on_device(0.005, 0);
    world_start(&w, &settings);
    device_take(&w, 100);
    double t = 100 * 0.005;
    assert_near(world_body(&w, "a").position[2], 0.1, 1e-3);
    assert_near(world_body(&w, "b").position[2], 0.4 - 0.5 * 9.81 * t * (t + 0.005), 1e-4);
    assert_near(world_body(&w, "c").position[2], 0.3, 1e-3);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------------- heaps */

/* m: of the centre of mass of the grains. */
static double height_of(const world *w, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), HEAP_WALLS + i)).position[2];
    return sum / count;
}

/* A heap of spheres, capsules and boxes settles on the device as on the processor. */
static void mixed_heap(void **state)
{
    (void)state;
    int count = IS_SANITIZED ? 40 : 150, steps = IS_SANITIZED ? 150 : 300;
    heap_options options = {.dimension = 3, .mix = HEAP_MIXED, .count = count, .friction = 0.3, .seed = 8};
    cairn_settings settings = on_device(0.005, 0);
    world device = heap_world(&options), host = heap_world(&options);
    settings.sweeps = 40;
    world_start(&device, &settings);
    settings.device = CAIRN_DEVICE_CPU;
    world_start(&host, &settings);
    device_take(&device, steps);
    device_take(&host, steps);
    double high = height_of(&host, count);
    assert_near(height_of(&device, count), high, 0.05 * high);
    assert_true(heap_penetration(&device) < 3 * heap_penetration(&host) + 1e-3 * HEAP_RADIUS);
    world_free(&device);
    world_free(&host);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_on_slopes),
        cmocka_unit_test(capsule_rolls),
        cmocka_unit_test(box_on_a_plate_that_turns),
        cmocka_unit_test(ball_on_a_plate_that_turns),
        cmocka_unit_test(tumbling_body),
        cmocka_unit_test(too_fast_for_euler),
        cmocka_unit_test(clumps_as_on_the_processor),
        cmocka_unit_test(groups_pass),
        cmocka_unit_test(mixed_heap),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
