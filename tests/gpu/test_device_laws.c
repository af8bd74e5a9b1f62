/* Laws of contacts on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device), against closed forms: rolling and
 * spinning friction, cohesion, pyramids and boxes of friction. */
#include "support/check.h"
#include "support/device.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double G = 9.81;

typedef struct material
{
    double friction, rolling, spinning, cohesion;
} material;

static cairn_material add_surface(cairn_model *model, const char *name, material m)
{
    cairn_material_options options = cairn_material_default();
    cairn_material made;
    options.name = name;
    options.friction = m.friction;
    options.rolling_friction = m.rolling;
    options.spinning_friction = m.spinning;
    options.cohesion = m.cohesion;
    assert_int_equal(cairn_model_add_material(model, &options, &made), CAIRN_OK);
    return made;
}

static void run(world *w, const cairn_settings *settings, int steps)
{
    world_start(w, settings);
    assert_int_equal(cairn_simulation_steps(w->simulation, steps), CAIRN_OK);
}

static void set_body(world *w, const char *name, const cairn_body_state *state)
{
    cairn_simulation_set_body(w->simulation, cairn_model_find_body(world_model(w), name), state);
}

/* A ball on a slope of angle a that resists rolling by the length d: it stays where tan a <= d/r, and otherwise rolls with
 * 5/7 g (sin a - d/r cos a). Lengths of both materials add up. */
static void roll(double angle, double d, double h)
{
    const double r = 0.08;
    world w = world_new(3);
    cairn_material one = add_surface(w.model, "one", (material){.friction = 0.9, .rolling = 0.25 * d});
    cairn_material two = add_surface(w.model, "two", (material){.friction = 0.9, .rolling = 0.75 * d});
    cairn_model_set_gravity(w.model, (double[3]){G * sin(angle) * 0.6, G * sin(angle) * 0.8, -G * cos(angle)});
    add_ground(w.model, one);
    add_ball(w.model, "ball", 1.7, r, (double[3]){0, 0, r}, two);
    cairn_settings settings = on_device(h, 30);
    const int steps = 40;
    run(&w, &settings, steps);
    double a = fmax(0, 5.0 / 7 * G * (sin(angle) - d / r * cos(angle))), speed = a * steps * h;
    cairn_body_state ball = world_body(&w, "ball");
    assert_near(ball.velocity[0], 0.6 * speed, 1e-4 * G * steps * h);
    assert_near(ball.velocity[1], 0.8 * speed, 1e-4 * G * steps * h);
    assert_true(cairn_simulation_report(w.simulation)->solver.certificate.natural_map < 1e-4);
    world_free(&w);
}

static void balls_that_resist_rolling(void **state)
{
    (void)state;
    roll(0.3, 0.01, 0.005);
    roll(0.3, 0.03, 0.002); /* stays */
    roll(0.05, 0.0035, 0.01);
    roll(0.6, 0.002, 0.004);
}

/* A ball that spins on the spot, with the length d: its spin falls by d m g/J per second until it stops. */
static void ball_that_spins(void **state)
{
    (void)state;
    const double r = 0.1, m = 2, d = 0.004, h = 0.005, spin = 9;
    for (int steps = 20; steps <= 200; steps += 180)
    {
        world w = world_new(3);
        cairn_material one = add_surface(w.model, "one", (material){.friction = 0.5, .spinning = 0.5 * d});
        add_ground(w.model, one);
        add_ball(w.model, "ball", m, r, (double[3]){0, 0, r}, one);
        cairn_settings settings = on_device(h, 20);
        world_start(&w, &settings);
        cairn_body_state ball = world_body(&w, "ball");
        ball.angular_velocity[2] = spin;
        set_body(&w, "ball", &ball);
        assert_int_equal(cairn_simulation_steps(w.simulation, steps), CAIRN_OK);
        double left = fmax(0, spin - d * m * G / (0.4 * m * r * r) * steps * h);
        assert_near(world_body(&w, "ball").angular_velocity[2], left, 1e-4 * spin);
        world_free(&w);
    }
}

/* A ball hangs from a ceiling that pulls with F if that is more than its weight, and falls otherwise; it keeps hanging through steps of
 * different lengths. Its contact's force is its weight. */
static void ball_that_hangs(void **state)
{
    (void)state;
    const double r = 0.1, m = 0.5;
    for (int k = 0; k < 4; ++k)
    {
        const bool holds = k % 2;
        const double h = k < 2 ? 0.004 : 0.01;
        world w = world_new(3);
        cairn_material glue =
            add_surface(w.model, "glue", (material){.friction = 0.5, .cohesion = (holds ? 1.2 : 0.8) * m * G});
        cairn_body_options options = cairn_body_default();
        options.name = "ceiling";
        options.kind = CAIRN_FIXED;
        cairn_body ceiling;
        assert_int_equal(cairn_model_add_body(w.model, &options, &ceiling), CAIRN_OK);
        cairn_shape_options shape = cairn_shape_default(CAIRN_HALF_SPACE);
        shape.normal[2] = -1;
        shape.material = glue;
        cairn_shape made;
        assert_int_equal(cairn_model_add_shape(w.model, ceiling, &shape, &made), CAIRN_OK);
        add_ball(w.model, "ball", m, r, (double[3]){0, 0, -r}, glue);
        cairn_settings settings = on_device(h, 20);
        run(&w, &settings, 50);
        double t = 50 * h, z = world_body(&w, "ball").position[2];
        if (holds)
        {
            assert_near(z, -r, 1e-5 * r);
            assert_int_equal(cairn_simulation_contact_count(w.simulation), 1);
            assert_near(cairn_simulation_contact(w.simulation, 0).impulse[0], -m * G * h, 1e-4 * m * G * h);
        }
        else /* it is held back by 0.8 of its weight within the range of 0.001 r */
            assert_true(z < -r - 0.5 * 0.2 * G * t * t);
        world_free(&w);
    }
}

/* A flat brick slides on a floor whose tangents are x and y. Under `box` each axis loses mu g, under pyramid(4) a slide along an axis loses mu g and a
 * slide along the diagonal mu g/2 on each axis, under pyramid(8) a slide along x and one along the diagonal both lose mu g. */
static void slide(cairn_law law, const double v[2], const double loss[2], double h)
{
    const double mu = 0.3;
    world w = world_new(3);
    cairn_material wood = add_surface(w.model, "wood", (material){.friction = mu});
    add_ground(w.model, wood);
    add_box(w.model, "brick", 3, (double[3]){1.2, 1.0, 0.02}, (double[3]){0, 0, 0.01}, wood);
    cairn_settings settings = on_device(h, 200);
    settings.law = law;
    world_start(&w, &settings);
    cairn_body_state brick = world_body(&w, "brick");
    brick.velocity[0] = v[0];
    brick.velocity[1] = v[1];
    set_body(&w, "brick", &brick);
    const int steps = 30;
    assert_int_equal(cairn_simulation_steps(w.simulation, steps), CAIRN_OK);
    brick = world_body(&w, "brick");
    for (int k = 0; k < 2; ++k)
        assert_near(brick.velocity[k], v[k] - loss[k] * mu * G * steps * h, 0.002 * mu * G * steps * h);
    assert_near(brick.position[2], 0.01, 1e-4);
    world_free(&w);
}

static void figures_of_friction(void **state)
{
    (void)state;
    const cairn_law box = {.kind = CAIRN_LAW_BOX}, four = {CAIRN_LAW_PYRAMID, 4}, eight = {CAIRN_LAW_PYRAMID, 8};
    const double c = sqrt(0.5);
    slide(box, (double[2]){2, 3}, (double[2]){1, 1}, 0.004);
    slide(box, (double[2]){2, -3}, (double[2]){1, -1}, 0.01);
    slide(four, (double[2]){3, 0}, (double[2]){1, 0}, 0.004);
    slide(four, (double[2]){2, 2}, (double[2]){0.5, 0.5}, 0.004);
    slide(eight, (double[2]){3, 0}, (double[2]){1, 0}, 0.01);
    slide(eight, (double[2]){2, 2}, (double[2]){c, c}, 0.004);
}

/* The work that the device measures closes the account of energies, with all of it at once. */
static void account_closes(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material one =
        add_surface(w.model, "one", (material){.friction = 0.4, .rolling = 0.004, .spinning = 0.002, .cohesion = 0.3});
    uint64_t seed = 4;
    char name[24];
    add_ground(w.model, one);
    for (int i = 0; i < 30; ++i)
    {
        snprintf(name, sizeof name, "ball%d", i);
        add_ball(w.model, name, 0.3, 0.05,
                 (double[3]){0.09 * (i % 3) + random_in(&seed, 0, 0.01), 0.09 * (i / 3 % 3), 0.06 + 0.11 * (i / 9)},
                 one); /* NOLINT */
    }
    cairn_settings settings = on_device(0.004, 20);
    settings.certify_every = 1;
    settings.initial = CAIRN_INITIAL_KEEP;
    run(&w, &settings, 100);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_true(e.work_friction < 0);
    assert_near(e.balance_error, 0, 1e-5 * fabs(e.work_contact_normal + e.work_friction));
    world_free(&w);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_that_resist_rolling),
        cmocka_unit_test(ball_that_spins),
        cmocka_unit_test(ball_that_hangs),
        cmocka_unit_test(figures_of_friction),
        cmocka_unit_test(account_closes),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
