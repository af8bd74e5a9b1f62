/* Heaps whose impulses nobody remembers: the first step finds them, and the heap stands as if it had gone on. */
#include "support/builder.h"
#include "support/check.h"
#include "support/heap.h"

#include <stdlib.h>

static const double G = 9.81;

static cairn_settings settings_at(double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.initial = CAIRN_INITIAL_KEEP;
    return settings;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

enum
{
    COLUMNS = 20,
    TALL = 70 /* more contacts than a small island has, and in all more than are solved exactly */
};

/* Columns of spheres of diameter 0.1 above each other, from `height` upwards. */
static world columns(double height)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, 0.5, 1);
    builder_ground(&b);
    for (int i = 0; i < COLUMNS; ++i)
        for (int k = 0; k < TALL; ++k)
        {
            builder_pose pose = builder_at(0.5 * i, 0, height + 0.05 + 0.1 * k);
            pose.density = 1000.0 * (1 + k % 3);
            builder_ball(&b, &pose, 0.05);
        }
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    cairn_settings settings = settings_at(0.01);
    world_start(&w, &settings);
    return w;
}

/* Sweeps alone would take thousands to carry the weight of 70 layers to the ground. */
static void a_column_carries_its_weight(void **state)
{
    (void)state;
    world w = columns(0);
    heap_run(&w, 1);
    const cairn_step_report *report = cairn_simulation_report(w.simulation);
    assert_true(heap_swept(&w));
    assert_int_equal(report->contacts, COLUMNS * TALL);
    print_message("    columns: %d sweeps, residual %g\n", report->solver.iterations,
                  report->solver.certificate.relative);
    assert_true(report->solver.iterations <= 32);
    double volume = 4.0 / 3.0 * acos(-1) * 0.05 * 0.05 * 0.05;
    for (int j = 0; j < report->contacts; ++j)
    {
        cairn_contact contact = cairn_simulation_contact(w.simulation, j);
        double above = 0;
        for (int k = (int)lround(contact.point[2] / 0.1); k < TALL; ++k)
            above += 1000.0 * (1 + k % 3) * volume;
        assert_near(contact.impulse[0], above * G * 0.01, 1e-10 * above);
    }
    assert_true(heap_speed(&w) < 1e-10);
    world_free(&w);
}

/* The same columns in the air: nothing supports them, and they fall as one, without a force. */
static void a_column_in_the_air_carries_nothing(void **state)
{
    (void)state;
    world w = columns(5);
    heap_run(&w, 1);
    assert_true(heap_swept(&w));
    for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
        assert_near(cairn_simulation_contact(w.simulation, j).impulse[0], 0, 1e-13);
    for (int i = 0; i < cairn_model_body_count(world_model(&w)); ++i)
    {
        cairn_body_state ball = cairn_simulation_body(w.simulation, cairn_model_body(world_model(&w), i));
        assert_near(ball.velocity[2], ball.position[2] > 1 ? -G * 0.01 : 0, 1e-13);
    }
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------------ heaps */

static cairn_body_state *states_of(const world *w)
{
    int count = cairn_model_body_count(world_model(w));
    cairn_body_state *states = calloc((size_t)count, sizeof *states);
    assert_true(states);
    for (int i = 0; i < count; ++i)
        states[i] = cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), i));
    return states;
}

/* m: the mean distance between the bodies of two worlds. */
static double distance(const world *a, const world *b)
{
    double sum = 0;
    cairn_body_state *one = states_of(a), *two = states_of(b);
    int count = cairn_model_body_count(world_model(a));
    for (int i = 0; i < count; ++i)
        sum += hypot(hypot(one[i].position[0] - two[i].position[0], one[i].position[1] - two[i].position[1]),
                     one[i].position[2] - two[i].position[2]);
    free(one);
    free(two);
    return sum / count;
}

/* A heap goes on from where it is, once with its impulses and once without. */
static void goes_on(const heap_options *options, double limit)
{
    const double h = 0.005;
    cairn_settings settings = settings_at(h);
    world warm = heap_world(options), cold = heap_world(options);
    world_start(&warm, &settings);
    world_start(&cold, &settings);
    heap_run(&warm, 400);
    assert_true(heap_swept(&warm));
    int usual = cairn_simulation_report(warm.simulation)->solver.iterations;
    cairn_body_state *states = states_of(&warm);
    assert_int_equal(cairn_simulation_set_states(cold.simulation, states, cairn_model_body_count(world_model(&cold))),
                     CAIRN_OK);
    heap_run(&cold, 1);
    int sweeps = cairn_simulation_report(cold.simulation)->solver.iterations;
    heap_run(&cold, 19);
    heap_run(&warm, 20);
    double moved = distance(&warm, &cold) / HEAP_RADIUS;
    print_message("    dim %d mix %d: %d sweeps for %d, %g of a radius apart after 0.1 s\n", options->dimension,
                  options->mix, sweeps, usual, moved);
    assert_true(sweeps > usual);
    assert_true(moved < limit);
    free(states);
    world_free(&warm);
    world_free(&cold);
}

static void a_heap_goes_on_without_its_impulses(void **state)
{
    (void)state;
    goes_on(&(heap_options){.dimension = 3, .mix = HEAP_ROUND, .count = 600, .friction = 0.5, .seed = 4}, 8e-3);
    goes_on(&(heap_options){.dimension = 3, .mix = HEAP_MIXED, .count = 300, .friction = 0.5, .seed = 5}, 8e-3);
    goes_on(&(heap_options){.dimension = 2, .mix = HEAP_ROUND, .count = 300, .friction = 0.5, .seed = 6}, 8e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_carries_its_weight),
        cmocka_unit_test(a_column_in_the_air_carries_nothing),
        cmocka_unit_test(a_heap_goes_on_without_its_impulses),
    };
    return cmocka_run_group_tests_name("cold starts", tests, NULL, NULL);
}
