/* Statistics of a device's steps, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device): they come from the state and the contacts
 * that are read back. */
#include "support/check.h"
#include "support/device.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static double value_of(const world *w, const char *name)
{
    cairn_quantity quantity;
    double value[9] = {NAN};
    assert_int_equal(cairn_quantity_find(w->context, world_model(w), name, &quantity), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(w->simulation, &quantity, value), CAIRN_OK);
    return value[0];
}

/* N balls stand on each other: the i-th contact from above carries i m g, so that every ball but the last has two neighbours, all normals are vertical, and the
 * sum of forces times branches is N^2 r m g. */
static void column_of_balls(void **state)
{
    (void)state;
    const int N = 5;
    const double r = 0.1, m = 0.8, g = 9.81;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.5, 0);
    char name[24];
    add_ground(w.model, wood);
    for (int i = 0; i < N; ++i)
    {
        snprintf(name, sizeof name, "ball%d", i);
        add_ball(w.model, name, m, r, (double[3]){0, 0, r * (2 * i + 1)}, wood);
    }
    cairn_settings settings = on_device(0.005, 400);
    world_start(&w, &settings);
    device_take(&w, 20);
    assert_near(value_of(&w, "grains.coordination"), (2.0 * N - 1) / N, 1e-12);
    assert_near(value_of(&w, "grains.contacts"), N, 0);
    assert_near(value_of(&w, "grains.fabric.zz"), 1, 1e-6);
    assert_near(value_of(&w, "grains.virial.zz"), N * N * r * m * g, 1e-3 * N * N * r * m * g);
    assert_near(value_of(&w, "grains.largest_force"), N * m * g, 1e-3 * N * m * g);
    cairn_quantity touching;
    double none;
    assert_int_equal(cairn_quantity_find(w.context, world_model(&w), "grains.touching", &touching), CAIRN_OK);
    assert_int_equal(cairn_quantity_value(w.simulation, &touching, &none), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "'touching' needs the gaps of the state"));
    world_free(&w);
}

/* A ball slides into the corner of a floor and a wall of the same body: two neighbours, although both are one body. */
static void ball_in_a_corner(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material ice = add_material(w.model, "ice", 0, 0);
    cairn_body_options fixed = cairn_body_default();
    cairn_body bin;
    cairn_shape shape;
    fixed.name = "bin";
    fixed.kind = CAIRN_FIXED;
    assert_int_equal(cairn_model_add_body(w.model, &fixed, &bin), CAIRN_OK);
    for (int axis = 0; axis < 3; axis += 2)
    {
        cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_SPACE);
        for (int k = 0; k < 3; ++k)
            plane.normal[k] = k == axis;
        plane.material = ice;
        assert_int_equal(cairn_model_add_shape(w.model, bin, &plane, &shape), CAIRN_OK);
    }
    add_ball(w.model, "ball", 0.8, 0.1, (double[3]){0.1, 0, 0.1}, ice);
    double down[3] = {-5, 0, -9.81};
    cairn_model_set_gravity(w.model, down);
    cairn_settings settings = on_device(0.005, 400);
    world_start(&w, &settings);
    device_take(&w, 5);
    assert_near(value_of(&w, "grains.contacts"), 2, 0);
    assert_near(value_of(&w, "grains.coordination"), 2, 0);
    assert_near(value_of(&w, "grains.backbone"), 2, 0);
    world_free(&w);
}

/* Balls fall through a plane, some within a batch of steps: each counts once, and the flow is the mean over the batch. */
static void flow_through_a_plane(void **state)
{
    (void)state;
    const double m = 0.5, h = 0.005, g = 9.81;
    const int count = 8, steps = 40;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.5, 0);
    cairn_statistic_options options = cairn_statistic_default();
    cairn_statistic statistic;
    char name[24];
    int expected = 0;
    for (int i = 0; i < count; ++i)
    {
        snprintf(name, sizeof name, "ball%d", i);
        add_ball(w.model, name, m, 0.05, (double[3]){0.3 * i, 0, 0.01 + 0.05 * i}, wood);
        expected += 0.01 + 0.05 * i - 0.5 * g * steps * (steps + 1) * h * h < 0;
    }
    options.name = "sieve";
    options.normal[2] = -1;
    assert_int_equal(cairn_model_add_statistic(w.model, &options, &statistic), CAIRN_OK);
    cairn_settings settings = on_device(h, 5);
    world_start(&w, &settings);
    device_take(&w, steps);
    assert_true(expected > 2 && expected < count);
    assert_near(value_of(&w, "sieve.passed_bodies"), expected, 0);
    assert_near(value_of(&w, "sieve.passed"), expected * m, 1e-12);
    assert_near(value_of(&w, "sieve.flow"), expected * m / (steps * h), 1e-9);
    device_take(&w, steps);
    assert_near(value_of(&w, "sieve.passed_bodies"), count, 0);
    world_free(&w);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(column_of_balls),
        cmocka_unit_test(ball_in_a_corner),
        cmocka_unit_test(flow_through_a_plane),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
