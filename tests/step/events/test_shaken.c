/* Bodies on a floor that shakes vertically, z = A sin w t, under stiff2. While A w^2 < g they stay on it, nothing happens, and they are where the floor is, up to
 * what its motion bends within a step. With A w^2 > g they leave it when its acceleration is -g, sin(w t) = g/(A w^2). */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>

static const double G = 9.81;

static world make(double amplitude, double frequency, const char *shape, double step)
{
    char text[900];
    int length = snprintf(
        text, sizeof text,
        "dimension: 3\ngravity: [0, 0, %g]\nmaterials: [{name: m, friction: 0.6}]\n"
        "bodies:\n  - {name: floor, kind: driven, material: m, shapes: [{type: half-space}],\n"
        "     motion: {position: [\"0\", \"0\", \"%.17g*sin(%.17g*t)\"]}}\n"
        "  - {name: body, material: m, position: [0, 0, 0.1], velocity: [0, 0, %.17g], shapes: [{%s, density: 500}]}\n",
        -G, amplitude, frequency, amplitude * frequency, shape);
    assert_true(length > 0 && (size_t)length < sizeof text);
    cairn_settings settings;
    world w = world_parse(text, &settings, NULL, 0);
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.step = step;
    world_start(&w, &settings);
    return w;
}

static void what_stays_on_the_floor_has_no_events(void **state)
{
    (void)state;
    static const char *const SHAPES[] = {"type: box, size: [0.2, 0.3, 0.2]", "type: sphere, radius: 0.1"};
    uint64_t seed = 1;
    for (int k = 0; k < 40; ++k)
    {
        double frequency = random_in(&seed, 3, 30), amplitude = random_in(&seed, 0.2, 0.9) * G / pow(frequency, 2);
        double step = random_in(&seed, 0.02, 0.15) / frequency;
        double bends = amplitude * pow(frequency * step, 3); /* m: by the third derivative of the motion, in a step */
        world w = make(amplitude, frequency, SHAPES[k % 2], step);
        for (double t = step; t < 8 / frequency; t += step)
        {
            world_step(&w);
            const cairn_step_report *report = cairn_simulation_report(w.simulation);
            assert_int_equal(cairn_simulation_event_count(w.simulation), 0);
            assert_int_equal(report->physics.violations, 0);
            assert_near(world_body(&w, "body").position[2], 0.1 + amplitude * sin(frequency * t), bends);
        }
        world_free(&w);
    }
}

/* A contact that lets go needs no event; its body then flies. */
static void what_leaves_the_floor_does_so_in_time(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 20; ++k)
    {
        double frequency = random_in(&seed, 5, 30), amplitude = random_in(&seed, 1.5, 4) * G / pow(frequency, 2);
        double off = asin(G / (amplitude * pow(frequency, 2))) / frequency, step = 0.02 / frequency;
        double z = 0.1 + amplitude * sin(frequency * off), v = amplitude * frequency * cos(frequency * off);
        world w = make(amplitude, frequency, "type: sphere, radius: 0.1", step);
        double t = 0;
        while (t < off + 0.3 / frequency)
        {
            world_step(&w);
            t += step;
        }
        double flown = t - off;
        assert_near(world_body(&w, "body").position[2], z + v * flown - 0.5 * G * flown * flown, 1e-3 * amplitude);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_stays_on_the_floor_has_no_events),
                                       cmocka_unit_test(what_leaves_the_floor_does_so_in_time)};
    return cmocka_run_group_tests_name("shaken", tests, NULL, NULL);
}
