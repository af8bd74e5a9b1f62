/* Machines with closed solutions or published ones: gears, racks, pulleys, screws, wheels, crossed shafts, reactions by statics, and
 * Andrews' squeezing mechanism. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846, G = 9.81;

typedef struct machine
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
} machine;

/* A scene given as text, run for so many steps. */
static machine run_text(const char *text, int steps)
{
    machine m = {.context = cairn_context_create()};
    if (cairn_scene_parse(m.context, "machine", text, strlen(text), NULL, 0, &m.scene))
        fail_msg("%s", cairn_context_last_message(m.context));
    cairn_settings settings = cairn_scene_settings(m.scene);
    if (cairn_simulation_create(m.context, cairn_scene_model(m.scene), &settings, &m.simulation))
        fail_msg("%s", cairn_context_last_message(m.context));
    for (int i = 0; i < steps; ++i)
        if (cairn_simulation_step(m.simulation))
            fail_msg("%s", cairn_context_last_message(m.context));
    cairn_audit_totals totals = cairn_simulation_audit(m.simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
    return m;
}

static void end(machine *m)
{
    cairn_simulation_destroy(m->simulation);
    cairn_scene_destroy(m->scene);
    cairn_context_destroy(m->context);
}

static cairn_joint_state joint_of(const machine *m, const char *name)
{
    const cairn_model *model = cairn_scene_model(m->scene);
    return cairn_simulation_joint_state(m->simulation, cairn_model_find_joint(model, name));
}

static cairn_body_state body_of(const machine *m, const char *name)
{
    const cairn_model *model = cairn_scene_model(m->scene);
    return cairn_simulation_body(m->simulation, cairn_model_find_body(model, name));
}

/* -------------------------------------------------------------------------------------------------------- gears */

/* A torque T on a wheel of inertia J_1 that drives one of J_2, r_1 : r_2 = 2 : 3 (plane and space): T/(J_1 + J_2 (r_1/r_2)^2). */
static void gear_pairs(void **state)
{
    (void)state;
    static const char *const SCENES[] = {
        "cairn: 1\ndimension: 2\ngravity: [0, 0]\n"
        "bodies:\n  - {name: a, mass: 1, inertia: 0.3}\n  - {name: b, mass: 1, inertia: 0.7, position: [0.3, 0.4]}\n"
        "joints:\n"
        "  - {name: A, type: revolute, bodies: [world, a], at: [0, 0],"
        " coordinates: {angle: {drive: {type: force, target: 2}}}}\n"
        "  - {name: B, type: revolute, bodies: [world, b], at: [0.3, 0.4]}\n"
        "  - {name: mesh, type: gear, bodies: [a, b], points: [[0, 0], [0, 0]], ratio: 2/3}\n"
        "simulation: {step: 0.01, until: 3, integrator: stiff2}\n",
        "cairn: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
        "bodies:\n  - {name: a, mass: 1, inertia: [0.3, 0.3, 0.3]}\n"
        "  - {name: b, mass: 1, inertia: [0.7, 0.7, 0.7], position: [0.3, 0.4, 0.1]}\n"
        "joints:\n"
        "  - {name: A, type: revolute, bodies: [world, a], at: [0, 0, 0], axis: [0, 0, 1],"
        " coordinates: {angle: {drive: {type: force, target: 2}}}}\n"
        "  - {name: B, type: revolute, bodies: [world, b], at: [0.3, 0.4, 0.1], axis: [0, 0, 1]}\n"
        "  - {name: mesh, type: gear, bodies: [a, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1], ratio: 2/3}\n"
        "simulation: {step: 0.01, until: 3, integrator: stiff2}\n"};
    for (int i = 0; i < 2; ++i)
    {
        machine m = run_text(SCENES[i], 300);
        double a = 2 / (0.3 + 0.7 * 4 / 9);
        assert_near(joint_of(&m, "A").coordinate[0], 0.5 * a * 9, 1e-9);
        assert_near(joint_of(&m, "A").rate[0], a * 3, 1e-9);
        assert_near(joint_of(&m, "B").coordinate[0], -0.5 * a * 9 * 2 / 3, 1e-9);
        end(&m);
    }
}

/* A planet between a driven sun (radius 1) and a fixed ring (radius 3): the carrier turns at 1/4 of the sun's rate, and the planet,
 * against the world, at -1/2 of it. */
static void planetary_gear(void **state)
{
    (void)state;
    machine m = run_text("cairn: 1\ndimension: 2\ngravity: [0, 0]\n"
                         "bodies:\n  - {name: sun, mass: 1, inertia: 1}\n  - {name: carrier, mass: 1, inertia: 1}\n"
                         "  - {name: planet, mass: 1, inertia: 1, position: [2, 0]}\n"
                         "joints:\n"
                         "  - {name: S, type: revolute, bodies: [world, sun], at: [0, 0],"
                         " coordinates: {angle: {drive: {type: position, target: t^2}}}}\n"
                         "  - {name: C, type: revolute, bodies: [world, carrier], at: [0, 0]}\n"
                         "  - {name: P, type: revolute, bodies: [carrier, planet], at: [2, 0]}\n"
                         "  - {name: inner, type: gear, bodies: [sun, planet], points: [[0, 0], [0, 0]], ratio: 1}\n"
                         "  - {name: outer, type: gear, bodies: [world, planet], points: [[0, 0], [0, 0]], ratio: -3}\n"
                         "simulation: {step: 0.005, until: 5, integrator: stiff2}\n",
                         1000);
    double sun = joint_of(&m, "S").coordinate[0];
    assert_near(sun, 25, 1e-4);
    assert_near(joint_of(&m, "C").coordinate[0], sun / 4, 1e-6);
    assert_near(body_of(&m, "planet").angle, -sun / 2, 1e-6);
    end(&m);
}

static void rack_and_pinion(void **state)
{
    (void)state;
    machine m =
        run_text("cairn: 1\ndimension: 2\ngravity: [0, 0]\n"
                 "bodies:\n  - {name: bar, mass: 3, inertia: 1}\n"
                 "  - {name: pinion, mass: 1, inertia: 0.2, position: [0, 0.5]}\n"
                 "joints:\n"
                 "  - {name: rail, type: prismatic, bodies: [world, bar], at: [0, 0], axis: [1, 0]}\n"
                 "  - {name: hub, type: revolute, bodies: [world, pinion], at: [0, 0.5],"
                 " coordinates: {angle: {drive: {type: force, target: 2}}}}\n"
                 "  - {name: teeth, type: rack, bodies: [bar, pinion], at: [0, 0.5], axis: [1, 0], radius: 0.5}\n"
                 "simulation: {step: 0.01, until: 2, integrator: stiff2}\n",
                 200);
    double a = 2 / (0.2 + 3 * 0.25); /* of the pinion; the bar below it moves with its rim, to the right */
    assert_near(joint_of(&m, "hub").coordinate[0], 2 * a, 1e-9);
    assert_near(joint_of(&m, "rail").coordinate[0], 0.5 * 2 * a, 1e-9);
    end(&m);
}

/* Atwood's machine with two strands to the heavier mass: m_1 rises twice as fast as m_2 sinks. */
static void pulleys(void **state)
{
    (void)state;
    machine m = run_text("cairn: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                         "bodies:\n  - {name: a, mass: 1, inertia: 1, position: [-1, 0]}\n"
                         "  - {name: b, mass: 5, inertia: 1, position: [1, 0]}\n"
                         "joints:\n  - {name: rope, type: pulley, bodies: [a, b], points: [[0, 0], [0, 0]],"
                         " over: [[-1, 4], [1, 4]], ratio: 2}\n"
                         "simulation: {step: 0.01, until: 0.5, integrator: stiff2}\n",
                         50);
    double down = (5 - 2 * 1) * G / (5 + 4 * 1); /* m_2 a = m_2 g - 2 T, m_1 2 a = T - m_1 g */
    assert_near(body_of(&m, "b").position[1], -0.5 * down * 0.25, 1e-9);
    assert_near(body_of(&m, "a").position[1], down * 0.25, 1e-9);
    assert_near(joint_of(&m, "rope").force[1], 2 * (G + 2 * down), 1e-8);
    end(&m);
}

static void screws_and_wheels(void **state)
{
    (void)state;
    machine nut = run_text("cairn: 1\ndimension: 3\n"
                           "bodies:\n  - {name: nut, mass: 2, inertia: [0.1, 0.1, 0.05]}\n"
                           "joints:\n  - {name: s, type: screw, bodies: [world, nut], at: [0, 0, 0], axis: [0, 0, 1],"
                           " pitch: 0.3}\n"
                           "simulation: {step: 0.01, until: 4, integrator: stiff2}\n",
                           400);
    double p = 0.3 / (2 * PI), fall = G / (1 + 0.05 / 2 / (p * p));
    assert_near(body_of(&nut, "nut").position[2], -8 * fall, 1e-9);
    assert_near(joint_of(&nut, "s").coordinate[0], -8 * fall / p, 1e-8); /* 22 turns */
    end(&nut);
    machine wheel = run_text("cairn: 1\ndimension: 2\ngravity: [3, -9]\n"
                             "bodies:\n  - {name: w, mass: 2, inertia: 0.1, position: [0, 0.4]}\n"
                             "joints:\n  - {name: r, type: rolling, bodies: [world, w], points: [[0, 0], [0, 0]],"
                             " axis: [1, 0]}\n"
                             "simulation: {step: 0.01, until: 3, integrator: stiff2}\n",
                             300);
    double a = 3 / (1 + 0.1 / 2 / 0.16);
    assert_near(body_of(&wheel, "w").position[0], 4.5 * a, 1e-9);
    assert_near(body_of(&wheel, "w").position[1], 0.4, 1e-12);
    assert_near(body_of(&wheel, "w").angle, -4.5 * a / 0.4, 1e-8);
    assert_near(joint_of(&wheel, "r").force[0], 2 * a - 6, 1e-8);
    assert_near(joint_of(&wheel, "r").force[1], 18, 1e-8);
    end(&wheel);
}

/* Two shafts at an angle of 0.6 rad: through a Cardan joint tan(out) = tan(in) cos(0.6) where the input's axis pin starts across the
 * plane of the shafts, through a constant-velocity joint out = in. */
static void crossed_shafts(void **state)
{
    (void)state;
    static const char *const JOINT[] = {"universal, second_axis: [0, 1, 0]",
                                        "constant-velocity, second_axis: [cos(0.6), 0, sin(0.6)]"};
    for (int i = 0; i < 2; ++i)
    {
        char text[1500];
        snprintf(text, sizeof text,
                 "cairn: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
                 "bodies:\n  - {name: in, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                 "  - {name: out, mass: 1, inertia: [0.1, 0.1, 0.1], orientation: {axis: [0, 1, 0], angle: -0.6}}\n"
                 "joints:\n"
                 "  - {name: I, type: revolute, bodies: [world, in], at: [0, 0, 0], axis: [1, 0, 0],"
                 " coordinates: {angle: {drive: {type: position, target: t^2}}}}\n"
                 "  - {name: O, type: revolute, bodies: [world, out], at: [0, 0, 0], axis: [cos(0.6), 0, sin(0.6)]}\n"
                 "  - {name: X, type: %s, bodies: [in, out], at: [0, 0, 0], axis: %s}\n"
                 "simulation: {step: 0.002, until: 2, integrator: stiff2, initial: project}\n",
                 JOINT[i], i == 0 ? "[0, 0, 1]" : "[1, 0, 0]");
        machine m = run_text(text, 1000);
        double in = joint_of(&m, "I").coordinate[0], out = joint_of(&m, "O").coordinate[0];
        assert_near(in, 4, 1e-5);
        /* the cross starts with the arm of `in` along z, in the plane of the shafts */
        double expected = i == 0 ? PI + atan(tan(in) / cos(0.6)) : in;
        assert_near(out, expected, 1e-5);
        end(&m);
    }
}

/* A universal joint falls onto limits of both angles, which drift has made a little oblique: the moments of the limits do the work that
 * is booked, under every integrator. */
static void limits_of_a_cross(void **state)
{
    (void)state;
    static const char *const INTEGRATOR[] = {"euler", "stiff", "stiff2"};
    for (int i = 0; i < 3; ++i)
    {
        char text[1000];
        snprintf(
            text, sizeof text,
            "cairn: 1\ndimension: 3\n"
            "bodies:\n  - {name: arm, mass: 2, inertia: [0.02, 0.03, 0.015], position: [0.2, 0.1, 0]}\n"
            "joints:\n  - {name: u, type: universal, bodies: [world, arm], at: [0, 0, 0], axis: [0, 1, 0],"
            " second_axis: [1, 0, 1], coordinates: {angle: {upper: 0.5}, second_angle: {upper: 0.2, lower: -0.2}}}\n"
            "simulation: {step: 0.005, until: 2, integrator: %s}\n",
            INTEGRATOR[i]);
        machine m = run_text(text, 400);
        assert_near(joint_of(&m, "u").coordinate[0], 0.5, 1e-6);
        assert_true(fabs(joint_of(&m, "u").coordinate[1]) < 0.2 + 1e-6);
        end(&m);
    }
}

/* ------------------------------------------------------------------------------------------------------- reactions */

/* A beam welded to a wall, and one on a hinge with a servo that holds it: weight and moment by statics. */
static void reactions(void **state)
{
    (void)state;
    machine m = run_text("cairn: 1\ndimension: 3\n"
                         "bodies:\n  - {name: beam, mass: 4, inertia: [1, 1, 1], position: [0.5, 0.2, 0]}\n"
                         "  - {name: arm, mass: 3, inertia: [1, 1, 1], position: [5.7, 0, 0]}\n"
                         "joints:\n  - {name: wall, type: weld, bodies: [world, beam], at: [0, 0, 0]}\n"
                         "  - {name: hinge, type: revolute, bodies: [world, arm], at: [5, 0, 0], axis: [0, 1, 0],"
                         " coordinates: {angle: {drive: {type: position, target: 0}}}}\n"
                         "simulation: {step: 0.01, until: 0.1, integrator: stiff}\n",
                         10);
    cairn_joint_state wall = joint_of(&m, "wall"), hinge = joint_of(&m, "hinge");
    assert_near(wall.force[2], 4 * G, 1e-9);
    assert_near(wall.moment[0], 0.2 * 4 * G, 1e-9);
    assert_near(wall.moment[1], -0.5 * 4 * G, 1e-9);
    assert_near(hinge.force[2], 3 * G, 1e-9);
    assert_near(hinge.drive[0], -0.7 * 3 * G, 1e-9);
    end(&m);
}

/* --------------------------------------------------------------------------------------------- Andrews' squeezer */

/* The IVP test set's solution at t = 0.03: angles of the seven bodies. */
static void squeezer(void **state)
{
    (void)state;
    static const double BETA = 15.81077119629904, THETA = -15.75637105984298, GAMMA = 0.04082224013073101,
                        PHI = -0.5347301163226948, DELTA = 0.5244099658805304, OMEGA = 0.5347301163226948,
                        EPSILON = 1.048080741042263;
    const double angle[7] = {BETA, BETA + THETA, GAMMA, PHI + DELTA, DELTA, OMEGA + EPSILON, EPSILON};
    double error[2] = {0, 0};
    for (int fine = 0; fine < 2; ++fine)
    {
        cairn_settings settings;
        int steps = fine ? 4000 : 2000;
        world w = world_load("squeezer", &settings, NULL, 0);
        settings.step = 0.03 / steps;
        world_start(&w, &settings);
        world_run(&w, steps);
        for (int i = 0; i < 7; ++i)
        {
            char name[24];
            snprintf(name, sizeof name, "K%d", i + 1);
            error[fine] = fmax(error[fine], fabs(world_body(&w, name).angle - angle[i]));
        }
        world_free(&w);
    }
    assert_true(error[1] < 5e-5);
    assert_true(log2(error[0] / error[1]) > 1.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gear_pairs),        cmocka_unit_test(planetary_gear),    cmocka_unit_test(rack_and_pinion),
        cmocka_unit_test(pulleys),           cmocka_unit_test(screws_and_wheels), cmocka_unit_test(crossed_shafts),
        cmocka_unit_test(limits_of_a_cross), cmocka_unit_test(reactions),         cmocka_unit_test(squeezer),
    };
    return cmocka_run_group_tests_name("mechanisms", tests, NULL, NULL);
}
