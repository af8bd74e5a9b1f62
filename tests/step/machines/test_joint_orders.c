/* Observed orders of all types of joints, and of what acts on their coordinates, under `stiff` (1) and `stiff2` (2): a body swings from
 * the world on a ball joint (in the plane on a hinge), and the joint under test connects it to others. Orders are those of the
 * differences between runs with steps h, h/2 and h/4. The table is in docs/joints.md. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static const char
    PLANE[] = "dimension: 2\n"
              "bodies:\n"
              "  - {name: a, mass: 3, inertia: 0.4, position: [0.4, -0.3]}\n"
              "  - {name: b, mass: 2, inertia: 0.15, position: [0.9, -0.2]}\n",
    SPACE[] = "dimension: 3\n"
              "bodies:\n"
              "  - {name: a, mass: 3, inertia: [0.3, 0.4, 0.35], position: [0.4, 0.1, -0.3]}\n"
              "  - {name: b, mass: 2, inertia: [0.1, 0.2, 0.15], position: [0.9, 0.3, -0.2]}\n",
    PIN[] = "joints:\n  - {name: pin, type: revolute, bodies: [world, a], at: [0, 0]}\n",
    BALL[] = "joints:\n  - {name: pin, type: ball, bodies: [world, a], at: [0, 0, 0]}\n",
    HINGE[] = "  - {name: j, type: revolute, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 1, 0.2], coordinates: "
              "{angle: {%s}}}\n";

/* A wheel and a slider more, for joints between what other joints carry. */
static const char WHEEL[] = "  - {name: w, mass: 1, inertia: 0.08, position: [0.5, 0.1]}\n",
                  WHEELS[] = "  - {name: w, mass: 1, inertia: [0.08, 0.09, 0.07], position: [0.5, 0.1, -0.1]}\n";

static const struct
{
    const char *name;
    int dimension;
    bool wheel;
    const char *joints; /* after the pin */
} CASES[] = {
    {"revolute", 2, false, "  - {name: j, type: revolute, bodies: [a, b], at: [0.7, -0.3]}\n"},
    {"prismatic", 2, false, "  - {name: j, type: prismatic, bodies: [a, b], at: [0.7, -0.3], axis: [1, 0.4]}\n"},
    {"distance", 2, false, "  - {name: j, type: distance, bodies: [a, b], points: [[0.2, 0.1], [0.1, 0]]}\n"},
    {"weld", 2, false, "  - {name: j, type: weld, bodies: [a, b], at: [0.7, -0.3]}\n"},
    {"slot", 2, false, "  - {name: j, type: slot, bodies: [a, b], at: [0.7, -0.3], axis: [1, 0.4]}\n"},
    {"rolling", 2, false, "  - {name: j, type: rolling, bodies: [a, b], points: [[0, -0.1], [0, 0]], axis: [1, 0]}\n"},
    {"gear", 2, true,
     "  - {name: k, type: revolute, bodies: [a, b], at: [0.9, -0.2]}\n"
     "  - {name: l, type: revolute, bodies: [a, w], at: [0.6, 0.1]}\n"
     "  - {name: j, type: gear, bodies: [b, w], points: [[0, 0], [0.1, 0]], ratio: 0.7}\n"},
    {"rack", 2, true,
     "  - {name: k, type: prismatic, bodies: [a, b], at: [0.9, -0.2], axis: [1, 0.4]}\n"
     "  - {name: l, type: revolute, bodies: [a, w], at: [0.6, 0.1]}\n"
     "  - {name: j, type: rack, bodies: [b, w], points: [[-0.3, 0.2], [0.1, 0]], axis: [1, 0.4], radius: 0.2}\n"},
    {"pulley", 2, false,
     "  - {name: j, type: pulley, bodies: [a, b], points: [[0.3, 0], [0, 0]], over: [[0.5, 1], [1.2, 1]], ratio: 2}\n"},
    {"rope, taut", 2, false, "  - {name: j, type: rope, bodies: [a, b], points: [[0.2, 0.1], [0.1, 0]]}\n"},
    {"bushing", 2, false,
     "  - {name: j, type: bushing, bodies: [a, b], at: [0.7, -0.3], stiffness_matrix: [900, 500, 60], damping_matrix: "
     "[2, 1, 0.3]}\n"},
    {"revolute", 3, false, "  - {name: j, type: revolute, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 1, 0.2]}\n"},
    {"ball", 3, false, "  - {name: j, type: ball, bodies: [a, b], at: [0.7, 0, -0.3]}\n"},
    {"weld", 3, false, "  - {name: j, type: weld, bodies: [a, b], at: [0.7, 0, -0.3]}\n"},
    {"prismatic", 3, false,
     "  - {name: j, type: prismatic, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 1, 0.2]}\n"},
    {"cylindrical", 3, false,
     "  - {name: j, type: cylindrical, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 1, 0.2]}\n"},
    {"universal", 3, false,
     "  - {name: j, type: universal, bodies: [a, b], at: [0.7, 0, -0.3], axis: [1, 0.2, 0], second_axis: [-0.2, 1, "
     "0]}\n"},
    {"double-hinge", 3, false,
     "  - {name: j, type: double-hinge, bodies: [a, b], points: [[0.3, -0.1, 0], [-0.2, -0.3, 0.1]], axis: [1, 0.2, "
     "0], "
     "second_axis: [-0.2, 1, 0]}\n"},
    {"gimbal", 3, false,
     "  - {name: j, type: gimbal, bodies: [a, b], at: [0.7, 0, -0.3], axis: [1, 0.2, 0], second_axis: [-0.2, 1, 0], "
     "coordinates: {angle: {stiffness: 4}, second_angle: {stiffness: 9, lower: -1.5, upper: 1.5}, third_angle: "
     "{damping: 1}}}\n"},
    {"planar", 3, false, "  - {name: j, type: planar, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 0.2, 1]}\n"},
    {"slot", 3, false, "  - {name: j, type: slot, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 1, 0.2]}\n"},
    {"point-on-plane", 3, false,
     "  - {name: j, type: point-on-plane, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 0.2, 1]}\n"},
    {"constant-velocity", 3, false,
     "  - {name: j, type: constant-velocity, bodies: [a, b], at: [0.7, 0, -0.3], axis: [1, 0.2, 0], second_axis: [1, "
     "0.5, 0.1]}\n"},
    {"screw", 3, false,
     "  - {name: j, type: screw, bodies: [a, b], at: [0.7, 0, -0.3], axis: [0.3, 0.2, 1], pitch: 0.4}\n"},
    {"distance", 3, false, "  - {name: j, type: distance, bodies: [a, b], points: [[0.2, 0.1, 0], [0.1, 0, 0.05]]}\n"},
    {"gear", 3, true,
     "  - {name: k, type: revolute, bodies: [a, b], at: [0.8, 0.3, -0.2], axis: [0, 0.3, 1]}\n"
     "  - {name: l, type: revolute, bodies: [a, w], at: [0.6, 0.1, -0.1], axis: [0, 0.3, 1]}\n"
     "  - {name: j, type: gear, bodies: [b, w], points: [[-0.1, 0, 0], [0.1, 0, 0]], axis: [0, 0.3, 1], ratio: 0.7}\n"},
    {"bushing", 3, false,
     "  - {name: j, type: bushing, bodies: [a, b], at: [0.7, 0, -0.3], stiffness_matrix: [900, 500, 700, 60, 40, 50], "
     "damping_matrix: "
     "[2, 1, 1, 0.3, 0.2, 0.2]}\n"},
    {"spring and damper", 3, false, "stiffness: 80, damping: 2"},
    {"drive: position, rigid", 3, false, "drive: {type: position, target: 0.6*(1 - cos(4*t))}"},
    {"drive: position, gains", 3, false, "drive: {type: position, target: 0.6*sin(4*t), stiffness: 300, damping: 9}"},
    {"drive: position, saturated", 3, false,
     "drive: {type: position, target: 0.6*sin(4*t), stiffness: 300, damping: 9, limit: 6}"},
    {"drive: speed", 3, false, "drive: {type: speed, target: 3*sin(5*t), damping: 4}"},
    {"drive: force", 3, false, "drive: {type: force, target: 5*sin(7*t)}"},
    {"dry friction", 3, false, "friction: 0.2"},
    {"friction of the load", 3, false, "friction_coefficient: 0.2, friction_radius: 0.02"},
    {"limit", 3, false, "lower: -0.04, upper: 0.04, restitution: 0.6"},
};

/* b's position after 0.5 s; returns the number of events. */
static int run(const char *text, cairn_integrator integrator, int steps, double position[3])
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    if (cairn_scene_parse(context, "joints", text, strlen(text), NULL, 0, &scene))
        fail_msg("%s\n%s", text, cairn_context_last_message(context));
    cairn_settings settings = cairn_scene_settings(scene);
    settings.integrator = integrator;
    settings.step = 0.5 / steps;
    if (cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation))
        fail_msg("%s\n%s", text, cairn_context_last_message(context));
    int events = 0;
    for (int i = 0; i < steps; ++i)
    {
        if (cairn_simulation_step(simulation))
            fail_msg("%s\n%s", text, cairn_context_last_message(context));
        events += cairn_simulation_event_count(simulation);
    }
    cairn_body body = cairn_model_find_body(cairn_scene_model(scene), "b");
    memcpy(position, cairn_simulation_body(simulation, body).position, 3 * sizeof(double));
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
    return events;
}

static double order_of(const char *text, cairn_integrator integrator, int steps, double *error, int *events)
{
    double x[3][3], d[2] = {0, 0};
    for (int k = 0; k < 3; ++k)
        *events = run(text, integrator, steps << k, x[k]);
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 3; ++i)
            d[k] = hypot(d[k], x[k + 1][i] - x[k][i]);
    *error = d[1];
    return log2(d[0] / d[1]);
}

static void orders(void **state)
{
    (void)state;
    print_message("%-28s %s  %14s %14s\n", "", "", "stiff", "stiff2");
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i)
    {
        bool plane = CASES[i].dimension == 2, acts = !strchr(CASES[i].joints, '\n');
        char text[3000], joints[1500];
        snprintf(joints, sizeof joints, acts ? HINGE : "%s", CASES[i].joints);
        snprintf(text, sizeof text, "cairn: 1\n%s%s%s%ssimulation: {initial: project}\n", plane ? PLANE : SPACE,
                 CASES[i].wheel ? (plane ? WHEEL : WHEELS) : "", plane ? PIN : BALL, joints);
        int events[2];
        double error[2], first = order_of(text, CAIRN_INTEGRATOR_STIFF, 400, &error[0], &events[0]),
                         second = order_of(text, CAIRN_INTEGRATOR_STIFF2, 100, &error[1], &events[1]);
        print_message("%-28s %d  %5.2f %8.1e %5.2f %8.1e %d events\n", CASES[i].name, CASES[i].dimension, first,
                      error[0], second, error[1], events[1]);
        const char *name = CASES[i].name;
        if (strstr(name, "friction") || strstr(name, "limit") || strstr(name, "saturated"))
            assert_true(events[1] > 0);
        assert_true(first > 0.8 && first < 1.3);
        assert_true(second > 1.75 && second < 2.6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders)};
    return cmocka_run_group_tests_name("joint orders", tests, NULL, NULL);
}
