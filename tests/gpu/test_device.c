/* Simulations on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device), against closed forms, conservation laws
 * and the processor's own steps. Single precision in velocities sets the tolerances. */
#include "support/check.h"
#include "support/device.h"
#include "support/heap.h"
#include "support/meshes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double SINGLE = 1e-6; /* a few roundings of a float */

static void set_gravity(cairn_model *model, double x, double y, double z)
{
    cairn_model_set_gravity(model, (double[3]){x, y, z});
}

/* ------------------------------------------------------------------------------------------------------- closed forms */

/* On a slope of angle a, a ball with friction mu >= 2/7 tan a rolls with 5/7 g sin a; with less it slides with g (sin a - mu cos a), and spins with
 * 5/2 mu g cos a / r. Both are constant, and Euler's velocities are exact. The slope is made by turning gravity. */
static void roll(double angle, double mu, double h, int batch)
{
    const double g = 9.81, r = 0.07;
    double flat = g * sin(angle), press = g * cos(angle);
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", mu, 0);
    set_gravity(w.model, flat, 0, -press);
    add_ground(w.model, material);
    add_ball(w.model, "ball", 2.5, r, (double[3]){0, 0, r}, material);
    cairn_settings settings = on_device(h, 0);
    world_start(&w, &settings);
    int steps = 40;
    for (int k = 0; k < steps; k += batch)
        device_take(&w, batch);
    bool rolls = mu >= 2.0 / 7 * tan(angle);
    double a = rolls ? 5.0 / 7 * flat : flat - mu * press, spin = rolls ? a / r : 2.5 * mu * press / r, t = steps * h;
    cairn_body_state ball = world_body(&w, "ball");
    assert_near(cairn_simulation_time(w.simulation), t, 1e-12);
    assert_near(ball.velocity[0], a * t, 20 * SINGLE * a * t);
    assert_near(ball.position[0], 0.5 * a * t * (t + h), 20 * SINGLE * a * t * t);
    assert_near(ball.position[2], r, 1e-6 * r);
    double turn = 0.5 * spin * t * (t + h); /* about y, without slip or with it */
    assert_near(ball.orientation[0], cos(turn / 2), 1e-4);
    assert_near(fabs(ball.orientation[2]), fabs(sin(turn / 2)), 1e-4);
    assert_near(ball.angular_velocity[1], spin * t, 20 * SINGLE * spin * t);
    world_free(&w);
}

static void balls_on_slopes(void **state)
{
    (void)state;
    roll(0.2, 0.5, 0.01, 1);
    roll(0.2, 0.02, 0.004, 8);
    roll(0.7, 0.3, 0.0031, 40);
    roll(0.7, 0.1, 0.01, 20);
}

/* Equal balls in a row without gravity: the first one's momentum is kept by all of them together, and with restitution 1 passes through. */
static void momentum_of_a_row(void **state)
{
    (void)state;
    for (int bounces = 0; bounces <= 1; ++bounces)
    {
        world w = world_new(3);
        cairn_material material = add_material(w.model, "steel", 0.2, bounces);
        set_gravity(w.model, 0, 0, 0);
        char name[24];
        for (int i = 0; i < 4; ++i)
        {
            snprintf(name, sizeof name, "ball%d", i);
            add_ball(w.model, name, 1.5, 0.1, (double[3]){0.3 * i, 0, 0}, material);
        }
        cairn_settings settings = on_device(0.002, 0);
        settings.sweeps = 200; /* an inelastic row is a single impact */
        world_start(&w, &settings);
        cairn_body_state first = world_body(&w, "ball0");
        first.velocity[0] = 2;
        cairn_simulation_set_body(w.simulation, cairn_model_find_body(world_model(&w), "ball0"), &first);
        double sum = 0;
        device_take(&w, 250);
        for (int i = 0; i < 4; ++i)
        {
            snprintf(name, sizeof name, "ball%d", i);
            sum += world_body(&w, name).velocity[0];
        }
        assert_near(sum, 2, 10 * SINGLE);
        assert_near(world_body(&w, "ball3").velocity[0], bounces ? 2 : 0.5, 1e-4);
        assert_near(world_body(&w, "ball0").velocity[0], bounces ? 0 : 0.5, 1e-4);
        world_free(&w);
    }
}

/* A ball that flies keeps its spin in its own frame, and turns by it, whatever its orientation. */
static void free_spin(void **state)
{
    (void)state;
    const double w = 3, h = 0.01, half = sqrt(0.5);
    world one = world_new(3);
    cairn_material material = add_material(one.model, "wood", 0.5, 0);
    add_ball(one.model, "ball", 2, 0.2, (double[3]){0, 0, 5}, material);
    cairn_settings settings = on_device(h, 0);
    world_start(&one, &settings);
    cairn_body_state ball = world_body(&one, "ball");
    ball.orientation[0] = ball.orientation[1] = half; /* a quarter turn about x */
    ball.angular_velocity[2] = w;
    ball.velocity[1] = 1.5;
    cairn_simulation_set_body(one.simulation, cairn_model_find_body(world_model(&one), "ball"), &ball);
    device_take(&one, 30);
    ball = world_body(&one, "ball");
    double turn = 0.5 * w * 0.3, t = 0.3;
    const double expected[4] = {half * cos(turn), half * cos(turn), -half * sin(turn), half * sin(turn)};
    for (int k = 0; k < 3; ++k)
        assert_near(ball.angular_velocity[k], k == 2 ? w : 0.0, 10 * SINGLE * w);
    for (int k = 0; k < 4; ++k)
        assert_near(ball.orientation[k], expected[k], 10 * SINGLE);
    assert_near(ball.position[1], 1.5 * t, SINGLE);
    assert_near(ball.position[2], 5 - 0.5 * 9.81 * t * (t + h), 10 * SINGLE);
    world_free(&one);
}

/* A floor that is driven up and down more gently than gravity carries a ball with it. */
static void driven_floor(void **state)
{
    (void)state;
    const double r = 0.1, w0 = 6, high = 0.1, h = 0.005;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.5, 0);
    cairn_body_options options = cairn_body_default();
    options.name = "floor";
    options.kind = CAIRN_DRIVEN;
    options.motion_position[2] = "0.1*sin(6*t)";
    cairn_body floor;
    assert_int_equal(cairn_model_add_body(w.model, &options, &floor), CAIRN_OK);
    cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_SPACE);
    shape.normal[2] = 1;
    shape.material = material;
    cairn_shape surface;
    assert_int_equal(cairn_model_add_shape(w.model, floor, &shape, &surface), CAIRN_OK);
    add_ball(w.model, "ball", 1, r, (double[3]){0, 0, r}, material);
    cairn_settings settings = on_device(h, 0);
    world_start(&w, &settings);
    for (int k = 1; k <= 10; ++k)
    {
        device_take(&w, 11);
        assert_near(world_body(&w, "ball").position[2], r + high * sin(w0 * cairn_simulation_time(w.simulation)), 1e-5);
    }
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------------- account */

/* The work that the device measures from its impulses closes the account of energies; and steps taken together are the same to the bit. */
static void account_closes(void **state)
{
    (void)state;
    heap_options options = {.dimension = 3, .mix = HEAP_ROUND, .count = 100, .friction = 0.4, .seed = 3};
    cairn_settings settings = on_device(0.005, 0);
    world one = heap_world(&options), many = heap_world(&options);
    settings.certify_every = 1;
    world_start(&one, &settings);
    world_start(&many, &settings);
    for (int k = 0; k < 60; ++k)
        assert_int_equal(cairn_simulation_step(one.simulation), CAIRN_OK);
    device_take(&many, 60);
    cairn_energy a = cairn_simulation_energy(one.simulation), b = cairn_simulation_energy(many.simulation);
    double lost = fabs(a.work_contact_normal + a.work_friction);
    assert_true(lost > 0 && a.work_friction < 0);
    assert_near(a.balance_error, 0, 1e-5 * lost);
    assert_near(a.kinetic, b.kinetic, 0);
    assert_near(a.potential, b.potential, 0);
    assert_near(b.balance_error, 0, 1e-5 * lost);
    assert_int_equal(cairn_simulation_report(many.simulation)->step, 60);
    world_free(&one);
    world_free(&many);
}

/* m: of the centre of mass of the grains. */
static double height_of(const world *w, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), HEAP_WALLS + i)).position[2];
    return sum / count;
}

/* A heap on the device and on the processor, after so many steps. */
static void settle(int count, uint64_t seed, world *device, world *host)
{
    heap_options options = {.dimension = 3, .mix = HEAP_ROUND, .count = count, .friction = 0.3, .seed = seed};
    cairn_settings settings = on_device(0.005, 0);
    settings.sweeps = 40;
    *device = heap_world(&options);
    *host = heap_world(&options);
    world_start(device, &settings);
    settings.device = CAIRN_DEVICE_CPU;
    world_start(host, &settings);
    device_take(device, IS_SANITIZED ? 200 : 300);
    device_take(host, IS_SANITIZED ? 200 : 300);
}

/* Heaps settle on the device as on the processor: as dense, as calm, and overlapping as little. What is left of overlaps and speeds differs tenfold from
 * heap to heap, so it is compared in the mean. */
static void heaps_as_on_the_processor(void **state)
{
    (void)state;
    int count = IS_SANITIZED ? 80 : 250;
    double overlap = 0, overlap_of_host = 0, speed = 0, speed_of_host = 0;
    for (uint64_t seed = 8; seed < 13; ++seed)
    {
        world device, host;
        settle(count, seed, &device, &host);
        double high = height_of(&host, count);
        assert_near(height_of(&device, count), high, 0.02 * high);
        speed += heap_speed(&device) / 5;
        speed_of_host += heap_speed(&host) / 5;
        overlap += heap_penetration(&device) / 5;
        overlap_of_host += heap_penetration(&host) / 5;
        world_free(&device);
        world_free(&host);
    }
    assert_true(speed < 2 * speed_of_host);
    assert_true(overlap < 2 * overlap_of_host + 1e-5 * HEAP_RADIUS);
}

/* The contacts of a heap are listed like the processor's, and those of the floor carry the weight. */
static void floor_carries_the_weight(void **state)
{
    (void)state;
    int count = IS_SANITIZED ? 80 : 250;
    world device, host;
    settle(count, 8, &device, &host);
    const cairn_step_report *report = cairn_simulation_report(device.simulation);
    assert_int_equal(report->contacts, cairn_simulation_contact_count(device.simulation));
    assert_true(report->solver.certificate.natural_map < 0.05);
    double up = 0, weight = 0;
    uint64_t last = 0;
    for (int j = 0; j < report->contacts; ++j)
    {
        cairn_contact c = cairn_simulation_contact(device.simulation, j);
        assert_true(c.identity > last || j == 0);
        /* the shape that was added first has the leading bits, as on the processor */
        assert_true(c.identity >> 40 < (c.identity >> 16 & 0xffffff));
        last = c.identity;
        up += c.normal[2] > 0.999 && cairn_model_body_name(world_model(&device), c.b)[0] == 'f' ? c.impulse[0] / 0.005
                                                                                                : 0.0;
    }
    weight = cairn_simulation_energy(device.simulation).potential / height_of(&device, count);
    assert_near(up, weight, 0.1 * weight);
    world_free(&device);
    world_free(&host);
}

/* ------------------------------------------------------------------------------------------------------------ tolerance */

/* Asked for a tolerance, every step meets it, and the motion is that of the processor's exact solution, for as long as impacts do not tell them
 * apart. With too few sweeps the report says that the tolerance was missed. */
static void exact_as_on_the_processor(void **state)
{
    (void)state;
    heap_options options = {.dimension = 3, .mix = HEAP_ROUND, .count = 40, .friction = 0.4, .seed = 5};
    cairn_settings settings = on_device(0.005, 0);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = 1e-5;
    world device = heap_world(&options), host = heap_world(&options), poor = heap_world(&options);
    world_start(&device, &settings);
    settings.sweeps = settings.solver.max_iterations = 3;
    world_start(&poor, &settings);
    settings.device = CAIRN_DEVICE_CPU;
    settings.solver.max_iterations = 0;
    settings.solver.tolerance = 1e-9;
    world_start(&host, &settings);
    bool is_missed = false;
    for (int k = 0; k < 20; ++k)
    {
        device_take(&device, 2);
        device_take(&host, 2);
        device_take(&poor, 2);
        const cairn_step_report *report = cairn_simulation_report(device.simulation);
        assert_int_equal(report->solver.outcome, CAIRN_SOLVED);
        assert_true(report->solver.certificate.relative <= 1e-5);
        report = cairn_simulation_report(poor.simulation);
        is_missed |= report->solver.outcome == CAIRN_MISSED;
        assert_true(report->solver.iterations <= 6);
    }
    assert_true(is_missed);
    for (int i = 0; i < options.count; ++i)
    {
        cairn_body_state a =
            cairn_simulation_body(device.simulation, cairn_model_body(world_model(&device), HEAP_WALLS + i));
        cairn_body_state b =
            cairn_simulation_body(host.simulation, cairn_model_body(world_model(&host), HEAP_WALLS + i));
        for (int k = 0; k < 3; ++k)
            assert_near(a.position[k], b.position[k], 0.01 * HEAP_RADIUS);
    }
    world_free(&device);
    world_free(&host);
    world_free(&poor);
}

/* ------------------------------------------------------------------------------------------------------------ refusals */

static void refused(world *w, cairn_settings settings, cairn_status status, const char *words)
{
    cairn_context_clear(w->context);
    cairn_status found = cairn_simulation_create(w->context, w->model, &settings, &w->simulation);
    if (found != status)
        fail_msg("%s", cairn_context_message(w->context, 0).text);
    assert_null(w->simulation);
    assert_int_equal(cairn_context_message_count(w->context), 1);
    const char *text = cairn_context_message(w->context, 0).text;
    if (!strstr(text, words))
        fail_msg("no '%s' in '%s'", words, text);
}

static void says_what_it_cannot(void **state)
{
    (void)state;
    cairn_settings settings = on_device(0.01, 0), other = settings;
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.5, 0);
    add_ground(w.model, material);
    add_ball(w.model, "ball", 1, 0.1, (double[3]){0, 0, 1}, material);
    other.integrator = CAIRN_INTEGRATOR_STIFF2;
    refused(&w, other, CAIRN_UNSUPPORTED, "second-order schemes");
    other = settings;
    other.law.kind = CAIRN_LAW_LAGGED;
    refused(&w, other, CAIRN_UNSUPPORTED, "this law");
    other = settings;
    other.accuracy = CAIRN_ACCURACY_EXACT;
    refused(&w, other, CAIRN_UNSUPPORTED, "solver_tolerance of at least 1e-06");
    test_mesh mesh;
    test_mesh_tetrahedron(&mesh);
    cairn_shape_options stone = test_mesh_options(&mesh);
    stone.recentre = true;
    cairn_shape shape;
    cairn_body body = cairn_model_find_body(w.model, "ball");
    assert_int_equal(cairn_model_add_shape(w.model, body, &stone, &shape), CAIRN_OK);
    refused(&w, settings, CAIRN_UNSUPPORTED, "body 'ball' can move and has a mesh");
    world_free(&w);
}

static void says_that_there_is_no_library(void **state)
{
    (void)state;
    const char *given = getenv("CAIRN_GPU_LIBRARY");
    char *kept = strdup(given);
    world w = world_new(3);
    cairn_material material = add_material(w.model, "wood", 0.5, 0);
    add_ball(w.model, "ball", 1, 0.1, (double[3]){0, 0, 1}, material);
    setenv("CAIRN_GPU_LIBRARY", "/nowhere/libcairn_gpu.so", 1);
    refused(&w, on_device(0.01, 0), CAIRN_IO, "cannot be opened");
    setenv("CAIRN_GPU_LIBRARY", kept, 1);
    free(kept);
    world_free(&w);
}

/* A ball that falls faster than any number ends the run with its name, in worlds of single spheres and with shapes alike; the state stays. */
static void lost_bodies_are_named(void **state)
{
    (void)state;
    for (int has_shapes = 0; has_shapes < 2; ++has_shapes)
    {
        world w = world_new(3);
        cairn_material steel = add_material(w.model, "steel", 0.3, 0);
        cairn_model_set_gravity(w.model, (double[3]){0, 0, -1e32});
        add_ground(w.model, steel);
        cairn_body_options fixed = cairn_body_default();
        fixed.name = "post";
        fixed.kind = CAIRN_FIXED;
        fixed.position[0] = 9;
        cairn_body post;
        assert_int_equal(cairn_model_add_body(w.model, &fixed, &post), CAIRN_OK);
        cairn_shape_options shape = shape_of(has_shapes ? CAIRN_BOX : CAIRN_SPHERE, steel);
        shape.radius = has_shapes ? 0.0 : 1.0;
        shape.size[0] = shape.size[1] = shape.size[2] = has_shapes ? 1.0 : 0.0;
        add_shape(w.model, post, &shape);
        add_ball(w.model, "stone", 1, 0.1, (double[3]){0, 0, 1e30}, steel);
        cairn_settings settings = on_device(0.01, 20);
        world_start(&w, &settings);
        double before = world_body(&w, "stone").position[2];
        assert_int_equal(cairn_simulation_steps(w.simulation, 30), CAIRN_NUMERIC);
        assert_non_null(strstr(cairn_context_message(w.context, 0).text, "body 'stone' is no longer at any place"));
        assert_near(world_body(&w, "stone").position[2], before, 0);
        world_free(&w);
    }
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_on_slopes),
        cmocka_unit_test(momentum_of_a_row),
        cmocka_unit_test(free_spin),
        cmocka_unit_test(driven_floor),
        cmocka_unit_test(account_closes),
        cmocka_unit_test(heaps_as_on_the_processor),
        cmocka_unit_test(floor_carries_the_weight),
        cmocka_unit_test(exact_as_on_the_processor),
        cmocka_unit_test(lost_bodies_are_named),
        cmocka_unit_test(says_what_it_cannot),
        cmocka_unit_test(says_that_there_is_no_library),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
