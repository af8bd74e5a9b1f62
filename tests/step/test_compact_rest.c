/* Islands at rest: structures of many contacts stand still, to the bit, and wake when something changes. */
#include "support/builder.h"
#include "support/check.h"
#include "support/heap.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static cairn_settings settings_at(double h)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    return settings;
}

/* Rows of boxes of size 0.1 in the plane x, z, each row one shorter than the row below. */
static world pyramid(int rows, double friction)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, friction, 1);
    builder_ground(&b);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row; ++i)
        {
            builder_pose pose = builder_at(0.11 * (i + 0.5 * row), 0, 0.05 + 0.1 * row);
            pose.density = 1000;
            builder_box(&b, &pose, 0.1, 0.1, 0.1);
        }
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    return w;
}

static cairn_body_state state_of(const world *w, int i)
{
    return cairn_simulation_body(w->simulation, cairn_model_body(world_model(w), i));
}

/* Every velocity is exactly 0. */
static bool is_still(const world *w)
{
    static const double zero[3];
    for (int i = 0; i < cairn_model_body_count(world_model(w)); ++i)
    {
        cairn_body_state s = state_of(w, i);
        if (memcmp(s.velocity, zero, sizeof zero) != 0 || memcmp(s.angular_velocity, zero, sizeof zero) != 0)
            return false;
    }
    return true;
}

/* Step until all is still. Fails the test if it is not within `most` steps. */
static void settle(world *w, int most)
{
    int steps = 0;
    do
        heap_run(w, 1);
    while (!is_still(w) && ++steps < most);
    if (!is_still(w))
        fail_msg("not at rest after %d steps: %g m/s", steps, heap_speed(w));
}

/* ---------------------------------------------------------------------------------------------------------- standing */

/* It comes to rest; from then on no step needs a sweep, and nothing moves in `seconds`. */
static void assert_stands(world *w, double h, double seconds, double size)
{
    settle(w, 200);
    int bodies = cairn_model_body_count(world_model(w));
    cairn_body_state before[128];
    assert_true(bodies <= 128);
    for (int i = 0; i < bodies; ++i)
        before[i] = state_of(w, i);
    for (int k = 0; k < (int)(seconds / h); ++k)
    {
        heap_run(w, 1);
        assert_true(heap_swept(w));
        assert_int_equal(cairn_simulation_report(w->simulation)->solver.iterations, 0);
    }
    assert_true(is_still(w));
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k)
            assert_near(state_of(w, i).position[k], before[i].position[k], 1e-9 * size);
}

static void pyramid_stands(void **state)
{
    (void)state;
    cairn_settings settings = settings_at(0.01);
    world w = pyramid(10, 0.5);
    world_start(&w, &settings);
    assert_stands(&w, 0.01, 10, 1);
    world_free(&w);
}

static void walls_stand(void **state)
{
    (void)state;
    const char *names[] = {"wall", "dry-stone-wall"};
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings;
        world w = world_load(names[i], &settings, NULL, 0);
        cairn_body_state first[64];
        settings.step = 0.01;
        world_start(&w, &settings);
        int bodies = cairn_model_body_count(world_model(&w));
        assert_true(bodies <= 64);
        for (int b = 0; b < bodies; ++b)
            first[b] = state_of(&w, b);
        assert_stands(&w, 0.01, 10, 1);
        for (int b = 0; b < bodies; ++b) /* coming to rest has not moved it either */
            for (int k = 0; k < 3; ++k)
                assert_near(state_of(&w, b).position[k], first[b].position[k], 1e-6);
        world_free(&w);
    }
}

/* The impulses that hold a wall at rest are its weight. */
static void ground_carries_the_weight(void **state)
{
    (void)state;
    cairn_settings settings = settings_at(0.01);
    world w = pyramid(10, 0.5);
    world_start(&w, &settings);
    settle(&w, 200);
    heap_run(&w, 50);
    double carried[3] = {0};
    cairn_body ground = cairn_model_body(w.model, 0);
    for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
    {
        cairn_contact c = cairn_simulation_contact(w.simulation, j);
        double sign = c.b.id == ground.id ? 1.0 : c.a.id == ground.id ? -1.0 : 0.0;
        for (int k = 0; k < 3; ++k)
            carried[k] +=
                sign * (c.impulse[0] * c.normal[k] + c.impulse[1] * c.tangent[0][k] + c.impulse[2] * c.tangent[1][k]);
    }
    assert_near(carried[2] / 0.01, 55 * G, 55 * G * 1e-5);
    assert_near(carried[0] / 0.01, 0, 55 * G * 1e-5);
    assert_near(carried[1] / 0.01, 0, 55 * G * 1e-5);
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------- beside what moves */

enum
{
    BALLS = 6, /* per edge of the column */
    BESIDE = 4 /* contacts of the box that rests */
};

/* A box at rest and, out of its reach, a column of balls that collapses. The box is the last body. */
static world box_beside_column(void)
{
    world w = {.context = cairn_context_create()};
    builder b = builder_open(w.context, 3, 0.5, 1);
    builder_ground(&b);
    for (int i = 0; i < BALLS * BALLS * BALLS; ++i)
    {
        builder_pose pose = builder_at(0.1 * (i % BALLS) + 0.003 * (i / BALLS / BALLS), 0.1 * (i / BALLS % BALLS),
                                       0.05 + 0.1 * (i / BALLS / BALLS));
        pose.density = 1000;
        builder_ball(&b, &pose, 0.05);
    }
    builder_pose pose = builder_at(20, 0, 0.05);
    pose.density = 1000;
    builder_box(&b, &pose, 0.1, 0.1, 0.1);
    assert_int_equal(b.status, CAIRN_OK);
    w.model = b.model;
    return w;
}

/* The impulses that the last step gave to the last body. */
static int impulses_of_last(const world *w, double impulse[BESIDE][3])
{
    cairn_body last = cairn_model_body(world_model(w), cairn_model_body_count(world_model(w)) - 1);
    int found = 0, count = cairn_simulation_contact_count(w->simulation);
    for (int j = 0; j < count; ++j)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, j);
        if (c.a.id != last.id && c.b.id != last.id)
            continue;
        assert_true(found < BESIDE);
        memcpy(impulse[found++], c.impulse, sizeof c.impulse);
    }
    return found;
}

/* Few contacts rest among many that are swept: the box does not move, and its impulses stay, to the last bit; they carry its weight. */
static void box_rests_beside(cairn_accuracy accuracy)
{
    cairn_settings settings = settings_at(0.005);
    settings.accuracy = accuracy;
    world w = box_beside_column();
    world_start(&w, &settings);
    heap_run(&w, 40);
    int last = cairn_model_body_count(world_model(&w)) - 1;
    cairn_body_state before = state_of(&w, last);
    double first[BESIDE][3], now[BESIDE][3], carried = 0;
    assert_int_equal(impulses_of_last(&w, first), BESIDE);
    for (int k = 0; k < 60; ++k)
    {
        heap_run(&w, 1);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_true(heap_swept(&w) && report->solver.iterations > 0 && heap_speed(&w) > 0.05);
        assert_true(cairn_simulation_contact_count(w.simulation) >= 10 * BESIDE);
        cairn_body_state after = state_of(&w, last);
        assert_memory_equal(&after, &before, sizeof after);
        assert_int_equal(impulses_of_last(&w, now), BESIDE);
        assert_memory_equal(now, first, sizeof now);
    }
    for (int i = 0; i < BESIDE; ++i)
        carried += now[i][0];
    assert_near(carried, 1000 * 0.1 * 0.1 * 0.1 * G * 0.005, 1e-8);
    world_free(&w);
}

static void few_rest_beside_many(void **state)
{
    (void)state;
    box_rests_beside(CAIRN_ACCURACY_BALANCED);
    box_rests_beside(CAIRN_ACCURACY_FAST);
}

/* ------------------------------------------------------------------------------------------------------------ waking */

/* A row of blocks at rest, whose contacts with each other bear nothing. */
static world row_at_rest(double friction, const char *floor)
{
    cairn_settings settings = settings_at(0.01);
    world w = heap_row(10, friction, floor);
    world_start(&w, &settings);
    settle(&w, 100);
    heap_run(&w, 2);
    assert_true(is_still(&w) && heap_swept(&w));
    return w;
}

static double speed_along_x(const world *w)
{
    return world_body(w, "block0").velocity[0];
}

/* Gravity tilted about y: below the angle of friction all stays, above it slides with g (sin - mu cos). */
static void tilted_gravity_wakes(void **state)
{
    (void)state;
    double mu = 0.5, gentle = 0.4, steep = 0.6;
    world w = row_at_rest(mu, NULL);
    double g[3] = {-G * sin(gentle), 0, -G * cos(gentle)};
    assert_int_equal(cairn_simulation_set_gravity(w.simulation, g), CAIRN_OK);
    heap_run(&w, 50);
    assert_near(speed_along_x(&w), 0, 1e-6);
    g[0] = -G * sin(steep);
    g[2] = -G * cos(steep);
    assert_int_equal(cairn_simulation_set_gravity(w.simulation, g), CAIRN_OK);
    double before = speed_along_x(&w);
    heap_run(&w, 10);
    assert_near(speed_along_x(&w) - before, -0.1 * G * (sin(steep) - mu * cos(steep)), 1e-4);
    world_free(&w);
}

/* On a slope at rest; without friction it slides with g sin, with less of it with g (sin - mu cos). */
static void lowered_friction_wakes(void **state)
{
    (void)state;
    const double angle = 0.3, to[] = {0, 0.1, 0.25};
    for (int i = 0; i < 3; ++i)
    {
        world w = row_at_rest(0.6, NULL);
        double g[3] = {-G * sin(angle), 0, -G * cos(angle)};
        assert_int_equal(cairn_simulation_set_gravity(w.simulation, g), CAIRN_OK);
        settle(&w, 200);
        heap_run(&w, 5);
        assert_true(is_still(&w));
        assert_int_equal(cairn_simulation_set_friction(w.simulation, to[i]), CAIRN_OK);
        heap_run(&w, 10);
        assert_near(speed_along_x(&w), -0.1 * G * (sin(angle) - to[i] * cos(angle)), 1e-4);
        world_free(&w);
    }
}

/* A floor that starts to move carries what rests on it along: faster than friction allows, at mu g. */
static void driven_floor_wakes(void **state)
{
    (void)state;
    double mu = 0.3;
    world w = row_at_rest(mu, "max(0, t - 2)^2 * 5"); /* from t = 2 on at 10 m/s^2 */
    while (cairn_simulation_time(w.simulation) < 1.98)
        heap_run(&w, 1);
    assert_true(is_still(&w));
    while (cairn_simulation_time(w.simulation) < 2.2 - 1e-9)
        heap_run(&w, 1);
    assert_near(speed_along_x(&w), 0.2 * mu * G, 1e-2 * 0.2 * mu * G);
    world_free(&w);
}

/* A block given a velocity slides on; the others, which it leaves, stay. */
static void pushed_body_wakes(void **state)
{
    (void)state;
    double mu = 0.5;
    world w = row_at_rest(mu, NULL);
    cairn_body last = cairn_model_find_body(w.model, "block9");
    cairn_body_state s = cairn_simulation_body(w.simulation, last);
    s.velocity[1] = 1;
    assert_int_equal(cairn_simulation_set_body(w.simulation, last, &s), CAIRN_OK);
    heap_run(&w, 10);
    assert_near(world_body(&w, "block9").velocity[1], 1 - 0.1 * mu * G, 1e-3);
    world_free(&w);
}

/* A hand that pulls with less than friction moves nothing; with more, the block accelerates by the rest. */
static void pulled_body_wakes(void **state)
{
    (void)state;
    double mu = 0.5, limit = mu * 4 * G, origin[3] = {0, 0, 0};
    for (int strong = 0; strong < 2; ++strong)
    {
        world w = row_at_rest(mu, NULL);
        cairn_body last = cairn_model_find_body(w.model, "block9");
        cairn_body_state s = cairn_simulation_body(w.simulation, last);
        /* so far and so soft that the force is constant */
        double force = (strong ? 1.5 : 0.5) * limit, far = 1e4;
        double target[3] = {s.position[0], s.position[1] + far, s.position[2]};
        assert_int_equal(cairn_simulation_pull(w.simulation, last, origin, target, force / far, 0), CAIRN_OK);
        heap_run(&w, 10);
        double expected = strong ? 0.1 * (force - limit) / 4 : 0;
        assert_near(world_body(&w, "block9").velocity[1], expected, 1e-3);
        world_free(&w);
    }
}

/* A box from which one below is taken away falls. */
static void removed_body_wakes(void **state)
{
    (void)state;
    cairn_settings settings = settings_at(0.005);
    world w = pyramid(6, 0.5);
    world_start(&w, &settings);
    settle(&w, 200);
    cairn_body top = cairn_model_body(w.model, 21), below = cairn_model_body(w.model, 20);
    double z = cairn_simulation_body(w.simulation, top).position[2];
    assert_near(z, 0.55, 1e-6);
    assert_int_equal(cairn_model_remove_body(w.model, below), CAIRN_OK);
    heap_run(&w, 100);
    assert_true(cairn_simulation_body(w.simulation, top).position[2] < z - 0.01);
    world_free(&w);
}

/* Something that lands on a pyramid wakes it, and is held up: within the mean over 0.5 s the ground carries both. */
static void landing_body_wakes(void **state)
{
    (void)state;
    cairn_settings settings = settings_at(0.005);
    world w = pyramid(8, 0.6);
    double size[3] = {0.1, 0.1, 0.1}, at[3] = {0.11 * 3.5, 0, 0.9}, carried = 0;
    world_start(&w, &settings);
    settle(&w, 200);
    add_box(w.model, "late", 5, size, at, cairn_model_find_material(w.model, "stuff"));
    heap_run(&w, 10);
    assert_near(state_of(&w, 1).velocity[2], 0, 0);
    heap_run(&w, 90);
    for (int k = 0; k < 100; ++k)
    {
        heap_run(&w, 1);
        for (int j = 0; j < cairn_simulation_contact_count(w.simulation); ++j)
        {
            cairn_contact c = cairn_simulation_contact(w.simulation, j);
            carried += fabs(c.point[2]) < 0.02 ? c.impulse[0] : 0.0;
        }
    }
    assert_near(world_body(&w, "late").position[2], 0.85, 1e-3);
    assert_near(carried / 0.5, (36 + 5) * G, 41 * G * 1e-2);
    world_free(&w);
}

/* Without gravity overlapping boxes do not count as being at rest: they are pushed apart. */
static void overlaps_without_gravity_open(void **state)
{
    (void)state;
    cairn_settings settings = settings_at(0.01);
    world w = world_new(3);
    double none[3] = {0, 0, 0}, size[3] = {0.1, 0.1, 0.1};
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    for (int i = 0; i < 20; ++i)
    {
        char name[24];
        double at[3] = {0.1 * i, 0, 0};
        snprintf(name, sizeof name, "b%d", i);
        add_box(w.model, name, 1, size, at, (cairn_material){0});
    }
    world_start(&w, &settings);
    heap_run(&w, 2); /* the first load of a structure is solved exactly */
    for (int i = 0; i < 20; ++i)
    {
        cairn_body_state s = state_of(&w, i);
        s.position[0] = 0.0999 * i;
        assert_int_equal(cairn_simulation_set_body(w.simulation, cairn_model_body(w.model, i), &s), CAIRN_OK);
    }
    heap_run(&w, 1);
    assert_true(heap_swept(&w));
    heap_run(&w, 59);
    assert_true(cairn_simulation_report(w.simulation)->penetration < 1e-6);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pyramid_stands),
        cmocka_unit_test(walls_stand),
        cmocka_unit_test(ground_carries_the_weight),
        cmocka_unit_test(few_rest_beside_many),
        cmocka_unit_test(tilted_gravity_wakes),
        cmocka_unit_test(lowered_friction_wakes),
        cmocka_unit_test(driven_floor_wakes),
        cmocka_unit_test(pushed_body_wakes),
        cmocka_unit_test(pulled_body_wakes),
        cmocka_unit_test(removed_body_wakes),
        cmocka_unit_test(landing_body_wakes),
        cmocka_unit_test(overlaps_without_gravity_open),
    };
    return cmocka_run_group_tests_name("islands at rest", tests, NULL, NULL);
}
