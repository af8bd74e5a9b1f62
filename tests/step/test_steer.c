/* Steering by hand: gravity and friction changed on the way, and the pull of a hand, against closed forms. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double ORIGIN[3] = {0, 0, 0};

static const cairn_integrator ALL[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_TRAPEZOID,
                                       CAIRN_INTEGRATOR_TRAPEZOID2, CAIRN_INTEGRATOR_STIFF2};
enum
{
    INTEGRATORS = sizeof ALL / sizeof ALL[0]
};

static world ball_world(cairn_integrator integrator, double h, double mass, double gravity)
{
    world w = world_new(3);
    double g[3] = {0, 0, -gravity}, at[3] = {0, 0, 5};
    assert_int_equal(cairn_model_set_gravity(w.model, g), CAIRN_OK);
    add_ball(w.model, "ball", mass, 0.5, at, (cairn_material){0});
    cairn_settings settings = cairn_settings_default();
    settings.integrator = integrator;
    settings.step = h;
    world_start(&w, &settings);
    return w;
}

static cairn_body ball_of(const world *w)
{
    return cairn_model_find_body(w->model, "ball");
}

/* Free fall: v = -(sum of g h) whatever the scheme, and the account stays closed over the change. */
static void test_gravity(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        world w = ball_world(ALL[i], 0.01, 2, 9.81);
        double g[3] = {1.5, 0, 3};
        world_run(&w, 20);
        assert_int_equal(cairn_simulation_set_gravity(w.simulation, g), CAIRN_OK);
        double before = cairn_simulation_energy(w.simulation).balance_error;
        assert_near(before, 0, 1e-10);
        world_run(&w, 30);
        cairn_body_state s = world_body(&w, "ball");
        assert_near(s.velocity[0], 0.3 * 1.5, 1e-12);
        assert_near(s.velocity[2], -0.2 * 9.81 + 0.3 * 3, 1e-12);
        cairn_energy e = cairn_simulation_energy(w.simulation);
        assert_near(e.balance_error, 0, 1e-9);
        assert_near(e.potential, -2 * (1.5 * s.position[0] + 3 * s.position[2]), 1e-9);
        world_free(&w);
    }
}

static world block_world(double mu, double speed)
{
    world w = world_new(3);
    double size[3] = {1, 1, 0.2}, at[3] = {0, 0, 0.1};
    cairn_material material = add_material(w.model, "ice", mu, 0);
    add_ground(w.model, material);
    cairn_body block = add_box(w.model, "block", 3, size, at, material);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    settings.step = 0.01;
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, block);
    s.velocity[0] = speed;
    assert_int_equal(cairn_simulation_set_body(w.simulation, block, &s), CAIRN_OK);
    return w;
}

/* A sliding block loses mu g h a step. */
static void test_friction(void **state)
{
    (void)state;
    world w = block_world(0.1, 5);
    world_run(&w, 10);
    double v = 5 - 10 * 0.01 * 0.1 * 9.81;
    assert_near(world_body(&w, "block").velocity[0], v, 1e-8);
    assert_int_equal(cairn_simulation_set_friction(w.simulation, 0.7), CAIRN_OK);
    world_run(&w, 10);
    v -= 10 * 0.01 * 0.7 * 9.81;
    assert_near(world_body(&w, "block").velocity[0], v, 1e-8);
    assert_near(cairn_simulation_contact(w.simulation, 0).friction, 0.7, 0);
    assert_int_equal(cairn_simulation_set_friction(w.simulation, 0), CAIRN_OK);
    world_run(&w, 10);
    assert_near(world_body(&w, "block").velocity[0], v, 1e-8);
    assert_int_equal(cairn_simulation_set_friction(w.simulation, NAN), CAIRN_OK);
    world_run(&w, 10);
    assert_near(world_body(&w, "block").velocity[0], v - 10 * 0.01 * 0.1 * 9.81, 1e-8);
    world_free(&w);
}

/* Pulled at its centre a free body follows the implicit Euler method. */
static void test_pull_is_implicit(void **state)
{
    (void)state;
    double m = 2, k = 700, c = 9, h = 0.02, target[3] = {1, 0, 5}, x = 0, v = 0;
    world w = ball_world(CAIRN_INTEGRATOR_STIFF, h, m, 0);
    assert_int_equal(cairn_simulation_pull(w.simulation, ball_of(&w), ORIGIN, target, k, c), CAIRN_OK);
    for (int i = 0; i < 100; ++i)
    {
        world_step(&w);
        v = (v - h * k / m * (x - 1)) / (1 + h * c / m + h * h * k / m);
        x += h * v;
        assert_near(world_body(&w, "ball").position[0], x, 1e-12);
    }
    assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
    assert_true(cairn_simulation_energy(w.simulation).work_forces > 0);
    cairn_simulation_let_go(w.simulation);
    double speed = world_body(&w, "ball").velocity[0];
    world_run(&w, 5);
    assert_near(world_body(&w, "ball").velocity[0], speed, 0);
    world_free(&w);
}

/* It hangs m g / k under the target, whatever the scheme and the step. */
static void test_pull_hangs(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        double m = 3, k = 500, target[3] = {0.5, -0.25, 6};
        world w = ball_world(ALL[i], 0.02, m, 9.81);
        assert_int_equal(cairn_simulation_pull(w.simulation, ball_of(&w), ORIGIN, target, k, 2 * sqrt(k * m)),
                         CAIRN_OK);
        world_run(&w, 600);
        cairn_body_state s = world_body(&w, "ball");
        assert_near(s.position[0], 0.5, 1e-8);
        assert_near(s.position[1], -0.25, 1e-8);
        assert_near(s.position[2], 6 - m * 9.81 / k, 1e-8);
        world_free(&w);
    }
}

/* Any mass, stiffness and step, also off centre: it comes nearer and stays near. */
static void test_pull_is_stable(void **state)
{
    (void)state;
    const double point[3] = {0, 0.3, 0.4}, target[3] = {1, 1, 5};
    for (int i = 0; i < 4 * INTEGRATORS; ++i)
    {
        double m = i % 4 < 2 ? 1e-4 : 1e4, h = i % 2 ? 0.1 : 1e-3, k = 1e6 * m;
        world w = ball_world(ALL[i / 4], h, m, 0);
        assert_int_equal(cairn_simulation_pull(w.simulation, ball_of(&w), point, target, k, 2 * sqrt(k * m)), CAIRN_OK);
        double largest = 0;
        for (int n = 0; n < 400; ++n)
        {
            world_step(&w);
            cairn_body_state s = world_body(&w, "ball");
            double off = hypot(hypot(s.position[0] - 1, s.position[1] - 1), s.position[2] - 5);
            largest = fmax(largest, off);
        }
        assert_true(largest < 1.5); /* it began 1.41 m away */
        cairn_body_state s = world_body(&w, "ball");
        double off = hypot(hypot(s.position[0] - 1, s.position[1] - 1), s.position[2] - 5);
        assert_near(off, 0.5, 1e-6); /* the arm */
        world_free(&w);
    }
}

/* A block that a hand lifts from the ground by a corner, in the plane. */
static void test_pull_lifts(void **state)
{
    (void)state;
    world w = world_new(2);
    double size[3] = {1, 0.2, 0}, at[3] = {0, 0.1, 0}, point[3] = {0.5, 0.1, 0}, target[3] = {0.5, 3, 0};
    add_ground(w.model, (cairn_material){0});
    cairn_body block = add_box(w.model, "block", 3, size, at, (cairn_material){0});
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    assert_int_equal(cairn_simulation_pull(w.simulation, block, point, target, 400, 40), CAIRN_OK);
    world_run(&w, 4000);
    cairn_body_state s = world_body(&w, "block");
    assert_near(s.position[0], 0.5, 1e-8); /* hangs straight down */
    assert_near(s.position[1], 3 - 3 * 9.81 / 400 - hypot(0.5, 0.1), 1e-8);
    world_free(&w);
}

static void test_wrong_input(void **state)
{
    (void)state;
    world w = block_world(0.1, 1);
    cairn_body ground = cairn_model_find_body(w.model, "ground"), block = cairn_model_find_body(w.model, "block");
    double bad[3] = {NAN, 0, 0};
    assert_int_equal(cairn_simulation_pull(w.simulation, ground, ORIGIN, ORIGIN, 1, 1), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "ground"));
    assert_int_equal(cairn_simulation_pull(w.simulation, (cairn_body){0}, ORIGIN, ORIGIN, 1, 1), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_pull(w.simulation, block, bad, ORIGIN, 1, 1), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_pull(w.simulation, block, ORIGIN, ORIGIN, -1, 1), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_set_gravity(w.simulation, bad), CAIRN_INVALID);
    assert_int_equal(cairn_simulation_set_friction(w.simulation, -1), CAIRN_INVALID);
    world_run(&w, 1);
    assert_near(world_body(&w, "block").velocity[0], 1 - 0.01 * 0.1 * 9.81, 1e-8); /* nothing was changed */
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gravity),          cmocka_unit_test(test_friction),
        cmocka_unit_test(test_pull_is_implicit), cmocka_unit_test(test_pull_hangs),
        cmocka_unit_test(test_pull_is_stable),   cmocka_unit_test(test_pull_lifts),
        cmocka_unit_test(test_wrong_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
