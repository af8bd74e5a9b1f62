/* No contact is missed. The convex laws act on a body before it touches, at gap < h (mu |u_t| - u_n), which may be more than
 * the way it goes in the step; a body that is hit within a step hits others in the same step; what slides fast keeps its
 * contact. Expected values are closed forms, or follow from the positions alone. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

enum
{
    LAW_COUNT = 4,
    DISKS = 13,
    TEXT = 4096
};

static const cairn_law LAWS[LAW_COUNT] = {
    {CAIRN_LAW_PYRAMID, 4}, {CAIRN_LAW_CONE, 0}, {CAIRN_LAW_CONVEX_PYRAMID, 4}, {CAIRN_LAW_CONVEX_CONE, 0}};

static bool is_convex(int law)
{
    return law >= 2;
}

static world start(const char *text, int law)
{
    world w = {.context = cairn_context_create()};
    if (cairn_scene_parse(w.context, "test", text, strlen(text), NULL, 0, &w.scene) != CAIRN_OK)
        fail_msg("%s", cairn_context_last_message(w.context));
    cairn_settings settings = cairn_scene_settings(w.scene);
    settings.law = LAWS[law];
    world_start(&w, &settings);
    return w;
}

/* A particle without weight at velocity (10, -10), friction 1, h = 0.1: it goes 1.41 m in a step, and the convex law acts
 * within 2 m. Its velocity is then projected on u_n - u_t >= -gap/h; beyond, and under an exact law, it is left alone. */
static void test_needed_from_afar(void **state)
{
    (void)state;
    static const double GAPS[] = {1.05, 1.5, 1.9, 1.999, 2.001, 3};
    for (int law = 0; law < LAW_COUNT; ++law)
    {
        for (int i = 0; i < 6; ++i)
        {
            char text[TEXT];
            snprintf(text, sizeof text,
                     "{dimension: 2, gravity: [0, 0], materials: [{name: m, friction: 1}], simulation: {step: 0.1}, "
                     "bodies: [{name: ground, kind: fixed, material: m, shapes: [{type: half-plane, normal: [0, 1]}]}, "
                     "{name: particle, point: true, mass: 1, position: [0, %g], velocity: [10, -10], material: m, "
                     "shapes: [{type: point}]}]}",
                     GAPS[i]);
            world w = start(text, law);
            world_step(&w);
            double push = is_convex(law) ? fmax(0, 20 - GAPS[i] / 0.1) / 2 : 0;
            assert_near(world_body(&w, "particle").velocity[0], 10 - push, 1e-9);
            assert_near(world_body(&w, "particle").velocity[1], -10 + push, 1e-9);
            world_free(&w);
        }
    }
}

/* A body that slides at 20 m/s and is pushed against its friction goes on for ever: under the convex law at the height
 * h mu v, where the lift and the weight are in balance, under the exact one on the ground. Either way its contact carries
 * the weight m g h in every step. */
static void test_fast_slider_keeps_its_contact(void **state)
{
    (void)state;
    const double h = 0.1, mu = 0.3, g = 9.8, v = 20;
    for (int law = 0; law < LAW_COUNT; ++law)
    {
        double height = is_convex(law) ? h * mu * v : 0;
        char text[TEXT];
        snprintf(text, sizeof text,
                 "{dimension: 2, gravity: [0, %g], materials: [{name: m, friction: %g}], simulation: {step: %g}, "
                 "bodies: [{name: ground, kind: fixed, material: m, shapes: [{type: half-plane, normal: [0, 1]}]}, "
                 "{name: particle, point: true, mass: 1, position: [0, %.17g], velocity: [%g, 0], material: m, "
                 "shapes: [{type: point}]}], forces: [{name: push, body: particle, force: [%.17g, 0]}]}",
                 -g, mu, h, height, v, mu * g);
        world w = start(text, law);
        for (int i = 1; i <= 200; ++i)
        {
            world_step(&w);
            assert_int_equal(cairn_simulation_contact_count(w.simulation), 1);
            cairn_contact contact = cairn_simulation_contact(w.simulation, 0);
            assert_near(contact.impulse[0], g * h, 1e-8);
            assert_near(world_body(&w, "particle").position[1], height, 1e-8);
            assert_near(world_body(&w, "particle").position[0], v * i * h, 1e-6);
        }
        world_free(&w);
    }
}

static int write_row(char *text, double gap, double v)
{
    int at = snprintf(text, TEXT,
                      "{dimension: 2, gravity: [0, 0], materials: [{name: m, friction: 0.5}], simulation: {step: 0.1}, "
                      "bodies: [");
    for (int i = 0; i < DISKS; ++i)
    {
        at += snprintf(text + at, (size_t)(TEXT - at),
                       "%s{name: d%d, position: [%g, 0], velocity: [%g, 0], material: m, shapes: [{type: circle, "
                       "radius: 0.5, density: 1}]}",
                       i ? ", " : "", i, i * (1 + gap), i ? 0.0 : v);
    }
    return at + snprintf(text + at, (size_t)(TEXT - at), "]}");
}

/* A disk runs into a row of disks at rest, farther apart than they could know of: those it reaches within the step are
 * pushed, and no two overlap. The velocities are those of the least change m |v - v_0|^2/2 that keeps the disks apart: the
 * first n move together, n the largest with every gap before the n-th closed. */
static void test_row_is_hit_in_one_step(void **state)
{
    (void)state;
    static const double GAPS[] = {0.01, 0.05, 0.3};
    const double h = 0.1, v = 50;
    for (int law = 0; law < LAW_COUNT; ++law)
    {
        for (int k = 0; k < 3; ++k)
        {
            char text[TEXT];
            assert_true(write_row(text, GAPS[k], v) < TEXT);
            world w = start(text, law);
            world_step(&w);
            double sum = 0, x[DISKS];
            for (int i = 0; i < DISKS; ++i)
            {
                char name[8];
                snprintf(name, sizeof name, "d%d", i);
                cairn_body_state disk = world_body(&w, name);
                sum += disk.velocity[0];
                x[i] = disk.position[0];
                assert_true(i == 0 || x[i] - x[i - 1] >= 1 - 1e-7);
                /* who moves was pushed: the disk behind it is at its heels */
                assert_true(i == 0 || disk.velocity[0] < 1e-7 || x[i] - x[i - 1] <= 1 + 1e-7);
            }
            assert_near(sum, v, 1e-6);
            assert_true(x[2] > 2 * (1 + GAPS[k]) + h); /* at least two others were hit */
            world_free(&w);
        }
    }
}

/* A bar at rest, of length 2, mass and inertia 1, that a torque of 1000 N m turns at 10 rad/s within the step of 0.01 s: its
 * end comes down by 0.1 m, on ground that is only 0.05 m below it. Nothing moved before the step, so that only the spin gained in it
 * tells that the ground is near. The impulse r at the end makes 2 r - 10 = -gap/h = -5 of its velocity: r = 2.5 N s. */
static void test_spin_gained_in_the_step(void **state)
{
    (void)state;
    static const char *const SCENES[] = {
        "{dimension: 2, gravity: [0, 0], materials: [{name: m, friction: 0}], simulation: {step: 0.01}, bodies: ["
        "{name: ground, kind: fixed, material: m, shapes: [{type: half-plane, normal: [0, 1], position: [0, -0.05]}]}, "
        "{name: bar, mass: 1, inertia: 1, position: [0, 0], material: m, shapes: [{type: segment, length: 2}]}], "
        "forces: [{name: twist, body: bar, torque: -1000}]}",
        "{dimension: 3, gravity: [0, 0, 0], materials: [{name: m, friction: 0}], simulation: {step: 0.01}, bodies: ["
        "{name: ground, kind: fixed, material: m, shapes: [{type: half-space, normal: [0, 0, 1], position: [0, 0, "
        "-0.1]}]}, "
        "{name: bar, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], material: m, "
        "shapes: [{type: box, size: [2, 0.1, 0.1]}]}], "
        "forces: [{name: twist, body: bar, torque: [0, 1000, 0]}]}"};
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        for (int law = 0; law < LAW_COUNT; ++law)
        {
            world w = start(SCENES[dimension - 2], law);
            world_step(&w);
            cairn_body_state bar = world_body(&w, "bar");
            assert_near(bar.velocity[dimension - 1], 2.5, 1e-8);
            assert_near(fabs(bar.angular_velocity[dimension == 2 ? 2 : 1]), 7.5, 1e-8);
            world_free(&w);
        }
    }
}

/* A disc that hovers and is spun up to 100 rad/s within the step: its rim goes at u_t = 10 m/s, and the convex law with friction
 * mu acts from a gap below h mu u_t, though nothing of it comes nearer. Along the row n - mu t the solid disc has the inverse mass
 * 1 + mu^2 + mu^2 R^2/I = 1 + 3 mu^2. */
static void test_lift_of_spin_gained_in_the_step(void **state)
{
    (void)state;
    static const double SHARES[] = {0.1, 0.5, 0.9, 0.99, 1.01, 1.3};
    const double h = 0.1, radius = 0.1;
    for (int law = 0; law < LAW_COUNT; ++law)
    {
        for (int i = 0; i < 18; ++i)
        {
            double mu = 0.5 + 0.5 * (i % 3), gap = SHARES[i / 3] * h * mu * 10;
            char text[TEXT];
            snprintf(text, sizeof text,
                     "{dimension: 2, gravity: [0, 0], materials: [{name: m, friction: %g}], simulation: {step: %g}, "
                     "bodies: [{name: ground, kind: fixed, material: m, shapes: [{type: half-plane, normal: [0, 1]}]}, "
                     "{name: disc, mass: 1, inertia: 0.005, position: [0, %.17g], material: m, "
                     "shapes: [{type: circle, radius: %g}]}], forces: [{name: twist, body: disc, torque: 5}]}",
                     mu, h, gap + radius, radius);
            world w = start(text, law);
            world_step(&w);
            double r = is_convex(law) ? fmax(0, mu * 10 - gap / h) / (1 + 3 * mu * mu) : 0;
            cairn_body_state disc = world_body(&w, "disc");
            assert_near(disc.velocity[1], r, 1e-8);
            assert_near(fabs(disc.velocity[0]), mu * r, 1e-8);
            assert_near(disc.angular_velocity[2], 100 - mu * r * radius / 0.005, 1e-6);
            world_free(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needed_from_afar),
        cmocka_unit_test(test_spin_gained_in_the_step),
        cmocka_unit_test(test_lift_of_spin_gained_in_the_step),
        cmocka_unit_test(test_fast_slider_keeps_its_contact),
        cmocka_unit_test(test_row_is_hit_in_one_step),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
