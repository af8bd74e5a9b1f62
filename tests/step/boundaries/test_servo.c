/* Servo walls: a lid on a rail, pressed by a prescribed stress. What lies under it bears the stress and the lid's weight; where nothing does, the
 * lid falls as Newton says; a stress that grows in time is followed, and one that pulls opens the bin. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.81;

/* A bin of the width 1 with a lid of mass 4, pressed by `stress`, an expression in t, N/m. */
static const char BIN[] =
    "dimension: 2\n"
    "parameters: {width: 1, mu: 0.3, gap: 0}\n"
    "materials: [{name: m, friction: mu}]\n"
    "bodies:\n"
    "  - {name: floor, kind: fixed, material: m, shapes: [{type: half-plane}]}\n"
    "  - {name: left, kind: fixed, shapes: [{type: half-plane, normal: [1, 0], position: [-width/2, 0]}]}\n"
    "  - {name: right, kind: fixed, shapes: [{type: half-plane, normal: [-1, 0], position: [width/2, 0]}]}\n"
    "  - {name: lid, mass: 4, position: [0, 0.45 + gap], material: m,\n"
    "     shapes: [{type: rectangle, size: [0.98*width, 0.1]}]}\n"
    "%s"
    "joints:\n"
    "  - {name: rail, type: prismatic, bodies: [world, lid], at: [0, 0.45 + gap], axis: [0, 1],\n"
    "     coordinates: {position: {drive: {type: force, target: \"-width*(%s)\"}}}}\n"
    "simulation: {step: 0.002}\n";

static const char GRAINS[] =
    "  - {name: a, mass: 1, position: [-0.25, 0.2], material: m, shapes: [{type: circle, radius: 0.2}]}\n"
    "  - {name: b, mass: 2, position: [0.25, 0.2], material: m, shapes: [{type: circle, radius: 0.2}]}\n";

static world start(const char *grains, const char *stress, const char *gap)
{
    char text[4096];
    snprintf(text, sizeof text, BIN, grains, stress);
    cairn_settings settings;
    cairn_parameter parameter = {"gap", gap};
    world w = world_parse(text, &settings, &parameter, 1);
    settings.solver.tolerance = 1e-11;
    world_start(&w, &settings);
    return w;
}

/* N: the sum of the normal forces on the floor. */
static double on_floor(const world *w, double h)
{
    double sum = 0;
    cairn_body floor = cairn_model_find_body(world_model(w), "floor");
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, i);
        if (c.a.id == floor.id || c.b.id == floor.id)
            sum += c.impulse[0] / h;
    }
    return sum;
}

static void bears_the_stress(void **state)
{
    (void)state;
    const char *stress[] = {"500", "0", "300 + 200*sin(3*t)", "1e4*t"};
    for (int i = 0; i < 4; ++i)
    {
        world w = start(GRAINS, stress[i], "0");
        for (int k = 0; k < 300; ++k)
        {
            double t = cairn_simulation_time(w.simulation);
            world_step(&w);
            double told = i == 0 ? 500 : i == 1 ? 0 : i == 2 ? 300 + 200 * sin(3 * t) : 1e4 * t;
            double later = i == 2 ? 300 + 200 * sin(3 * (t + 0.002)) : i == 3 ? 1e4 * (t + 0.002) : told;
            double weight = 7 * G, found = on_floor(&w, 0.002);
            if (k > 5) /* of the step: its start, its end or between */
                assert_true(found >= fmin(told, later) + weight - 1e-5 && found <= fmax(told, later) + weight + 1e-5);
            assert_near(world_body(&w, "lid").position[1], 0.45, 1e-6);
            assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
            assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
        }
        world_free(&w);
    }
}

/* Nothing below: y'' = -g - F/m. Its work is booked to the rail. */
static void falls_freely(void **state)
{
    (void)state;
    world w = start("", "40", "3");
    for (int k = 1; k <= 200; ++k)
    {
        world_step(&w);
        cairn_body_state lid = world_body(&w, "lid");
        assert_near(lid.velocity[1], -(G + 10) * k * 0.002, 1e-9);
        assert_near(lid.position[0], 0, 1e-12);
        assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-9);
    }
    world_free(&w);
}

/* A stress that turns into a pull beyond the lid's weight lifts it off the grains when it does: at t = (4 g)/200. */
static void lifts_off(void **state)
{
    (void)state;
    world w = start(GRAINS, "-200*t", "0");
    double leaves = 4 * G / 200;
    for (int k = 1; k <= 300; ++k)
    {
        world_step(&w);
        double t = k * 0.002, late = fmax(0, t - leaves);
        /* m y'' = 200 t - m g from then on */
        assert_near(world_body(&w, "lid").position[1], 0.45 + 200 * pow(late, 3) / 24, 0.06 * late * late + 1e-5);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bears_the_stress), cmocka_unit_test(falls_freely),
                                       cmocka_unit_test(lifts_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
