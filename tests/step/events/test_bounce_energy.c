/* Bounces in first-order steps, of bodies that overlap already and of mechanisms. Newton's law of impact with friction may leave a rod with more kinetic energy than it
 * had, so restitution is limited by the work of the contacts. That an overlap is pushed out explains some work, but not of a contact that bounces, and
 * none where nothing is pushed out: without gravity kinetic energy never grows. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>

static double kinetic(const world *w)
{
    return cairn_simulation_report(w->simulation)->energy.kinetic;
}

/* A rod whose lower end is 3 mm inside the floor and goes further. Returns by how much its kinetic energy grows in a step, relative. */
static double gain_of(cairn_integrator integrator, cairn_stabilisation stabilisation, uint64_t seed)
{
    static const char ROD[] = "dimension: 2\n"
                              "gravity: [0, 0]\n"
                              "materials: [{name: any, friction: 0.9, restitution: 1}]\n"
                              "bodies:\n"
                              "  - {name: floor, kind: fixed, material: any, shapes: [{type: half-plane}]}\n"
                              "  - {name: rod, material: any, mass: 1, inertia: 0.1, position: [0, 2],\n"
                              "     shapes: [{type: segment, length: 1}]}\n";
    cairn_settings settings;
    world w = world_parse(ROD, &settings, NULL, 0);
    settings.integrator = integrator;
    settings.stabilisation = stabilisation;
    settings.step = 0.01;
    world_start(&w, &settings);
    cairn_body body = cairn_model_find_body(world_model(&w), "rod");
    cairn_body_state state = cairn_simulation_body(w.simulation, body);
    state.angle = random_in(&seed, 0.2, 1.4);
    state.position[1] = 0.5 * sin(state.angle) - 3e-3;
    state.velocity[0] = random_in(&seed, -4, 4);
    state.velocity[1] = random_in(&seed, -3, -0.5);
    state.angular_velocity[2] = random_in(&seed, -6, 6);
    assert_int_equal(cairn_simulation_set_body(w.simulation, body, &state), CAIRN_OK);
    double before =
        0.5 * (pow(state.velocity[0], 2) + pow(state.velocity[1], 2) + 0.1 * pow(state.angular_velocity[2], 2));
    world_step(&w);
    double after = kinetic(&w);
    world_free(&w);
    return after / before - 1;
}

static void energy_does_not_grow(void **state)
{
    (void)state;
    static const cairn_integrator SCHEMES[] = {CAIRN_INTEGRATOR_EULER, CAIRN_INTEGRATOR_STIFF};
    int bounced = 0;
    for (uint64_t seed = 1; seed <= 200; ++seed)
        for (int i = 0; i < 2; ++i)
        {
            double gain = gain_of(SCHEMES[i], CAIRN_STABILISE_NONE, seed);
            assert_true(gain <= 1e-9);
            bounced += gain > -1e-6;
        }
    assert_true(bounced > 20); /* some keep all of it: their energy is limited, not taken */
}

/* Pendulums and a pair of hinged rods between two rough walls, from which they bounce with e = 1, without gravity: joints turn from step to step, and the
 * impulses of bounces act along them. */
static void energy_of_mechanisms_does_not_grow(void **state)
{
    (void)state;
    static const char LINKS[] = "dimension: 2\n"
                                "parameters: {mu: 0, wall: 0.3, speed: 3}\n"
                                "gravity: [0, 0]\n"
                                "materials: [{name: any, friction: mu, restitution: 1}]\n"
                                "bodies:\n"
                                "  - {name: left, kind: fixed, material: any, position: [-wall, 0], shapes: [{type: "
                                "half-plane, normal: [1, 0]}]}\n"
                                "  - {name: right, kind: fixed, material: any, position: [wall, 0], shapes: [{type: "
                                "half-plane, normal: [-1, 0]}]}\n"
                                "  - {name: bob, point: true, material: any, mass: 1, position: [0, -1], velocity: "
                                "[speed, 0], shapes: [{type: point}]}\n"
                                "  - {name: upper, material: any, mass: 1, inertia: 0.1, position: [0, 3.5], angle: "
                                "pi/2, velocity: [speed/2, 0],\n"
                                "     angular_velocity: speed, shapes: [{type: segment, length: 1}]}\n"
                                "  - {name: lower, material: any, mass: 2, inertia: 0.2, position: [0, 2.5], angle: "
                                "pi/2, velocity: [speed, 0],\n"
                                "     shapes: [{type: segment, length: 1}]}\n"
                                "joints:\n"
                                "  - {name: rod, type: distance, bodies: [world, bob], points: [[0, 0], [0, 0]]}\n"
                                "  - {name: top, type: revolute, bodies: [world, upper], at: [0, 4]}\n"
                                "  - {name: knee, type: revolute, bodies: [upper, lower], at: [0, 3]}\n";
    int bounces = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed)
    {
        uint64_t random = seed;
        char text[3][32];
        snprintf(text[0], sizeof text[0], "%g", seed % 2 ? 0.0 : 0.5);
        snprintf(text[1], sizeof text[1], "%g", random_in(&random, 0.2, 0.7));
        snprintf(text[2], sizeof text[2], "%g", random_in(&random, 1, 5));
        cairn_settings settings;
        world w = world_parse(LINKS, &settings,
                              (const cairn_parameter[]){{"mu", text[0]}, {"wall", text[1]}, {"speed", text[2]}}, 3);
        settings.integrator = seed % 3 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_STIFF;
        settings.stabilisation = seed % 4 ? CAIRN_STABILISE_NONE : CAIRN_STABILISE_PROJECT;
        settings.step = random_in(&random, 0.002, 0.015);
        world_start(&w, &settings);
        double before = kinetic(&w), first = before, speed = world_body(&w, "bob").velocity[0];
        for (int k = 0; k < 150; ++k)
        {
            world_step(&w);
            double after = kinetic(&w), now = world_body(&w, "bob").velocity[0];
            assert_true(after <= before + 1e-9 * first);
            bounces += now * speed < 0;
            before = after;
            speed = now;
        }
        world_free(&w);
    }
    assert_true(bounces > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_does_not_grow),
                                       cmocka_unit_test(energy_of_mechanisms_does_not_grow)};
    return cmocka_run_group_tests_name("energy of bounces", tests, NULL, NULL);
}
