/* Mechanisms on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device): joints are met whatever the budget of sweeps, so
 * that nothing gains energy. Against the processor's own steps, which solve them by other means, and closed forms. */
#include "support/check.h"
#include "support/device.h"

#include <stdio.h>
#include <string.h>

typedef struct machine
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
} machine;

static machine start(const char *text, size_t length, cairn_device device, int sweeps)
{
    machine m = {.context = cairn_context_create()};
    if (cairn_scene_parse(m.context, "machine", text, length, NULL, 0, &m.scene))
        fail_msg("%s", cairn_context_last_message(m.context));
    cairn_settings settings = cairn_scene_settings(m.scene);
    settings.integrator = CAIRN_INTEGRATOR_EULER; /* under stiff the gyroscopic moment is coupled to the joints there */
    settings.device = device;
    settings.sweeps = sweeps;
    settings.audit_every = 50;
    settings.step = 0.004;
    if (cairn_simulation_create(m.context, cairn_scene_model(m.scene), &settings, &m.simulation))
        fail_msg("%s", cairn_context_last_message(m.context));
    return m;
}

static void end(machine *m)
{
    cairn_simulation_destroy(m->simulation);
    cairn_scene_destroy(m->scene);
    cairn_context_destroy(m->context);
}

static void take(machine *m, int steps)
{
    if (cairn_simulation_steps(m->simulation, steps))
        fail_msg("%s", cairn_context_last_message(m->context));
    cairn_audit_totals totals = cairn_simulation_audit(m->simulation);
    for (int k = 0; k < CAIRN_VIOLATION_KINDS; ++k)
        assert_int_equal(totals.count[k], 0);
}

static cairn_body_state body_of(const machine *m, const char *name)
{
    return cairn_simulation_body(m->simulation, cairn_model_find_body(cairn_scene_model(m->scene), name));
}

static machine start_builtin(const char *name, cairn_device device, int sweeps)
{
    for (int i = 0; i < cairn_builtin_count(); ++i)
    {
        cairn_builtin scene = cairn_builtin_scene(i);
        if (!strcmp(scene.name, name))
            return start(scene.text, scene.length, device, sweeps);
    }
    fail_msg("there is no scene '%s'", name);
    return (machine){0};
}

/* Watt's governor over eight seconds: balls of 1 kg on arms and links of 10 g, in two loops with more equations than they need. With one sweep per step its
 * energy, works and places are the processor's all the time; in the end it stands where cos(angle) = (m + M) g / (m l w^2). */
static void governor_keeps_its_energy(void **state)
{
    (void)state;
    const double m = 1, M = 2, l = 0.3, w = 16, angle = acos((m + M) * 9.81 / (m * l * w * w));
    machine device = start_builtin("watt-governor", CAIRN_DEVICE_GPU, 1);
    machine host = start_builtin("watt-governor", CAIRN_DEVICE_CPU, 1);
    for (int k = 0; k < 8; ++k)
    {
        take(&device, 100);
        take(&device, 150);
        take(&host, 250);
        cairn_energy a = cairn_simulation_energy(device.simulation), b = cairn_simulation_energy(host.simulation);
        assert_near(a.total, b.total, 1e-3);
        assert_near(a.kinetic, b.kinetic, 2e-3);
        assert_near(a.work_gravity, b.work_gravity, 1e-2);
        assert_near(a.projection, b.projection, 1e-2);
        assert_near(a.balance_error, 0, 1e-3);
        assert_near(body_of(&device, "sleeve").position[2], body_of(&host, "sleeve").position[2], 1e-4);
        assert_true(cairn_simulation_report(device.simulation)->solver.certificate.relative < 1e-6);
    }
    assert_near(body_of(&device, "sleeve").position[2], -2 * l * cos(angle), 0.02 * l);
    end(&device);
    end(&host);
}

/* An arm of heavy links on light ones, whose hinges have friction, ends and a motor with a limit: their bounds act on one another through the whole arm. */
static const char ARM[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "bodies:\n"
    "  - {name: one, mass: 0.02, inertia: [1e-4, 1e-4, 1e-4], position: [0.25, 0, 0], collides_with: [],\n"
    "     shapes: [{type: box, size: [0.5, 0.05, 0.05]}]}\n"
    "  - {name: two, mass: 5, inertia: [0.02, 0.1, 0.1], position: [0.75, 0, 0], collides_with: [],\n"
    "     shapes: [{type: box, size: [0.5, 0.05, 0.05]}]}\n"
    "  - {name: three, mass: 0.03, inertia: [1e-4, 1e-4, 1e-4], position: [1.25, 0, 0], collides_with: [],\n"
    "     shapes: [{type: box, size: [0.5, 0.05, 0.05]}]}\n"
    "  - {name: four, mass: 3, inertia: [0.02, 0.06, 0.06], position: [1.75, 0, 0], collides_with: [],\n"
    "     shapes: [{type: box, size: [0.5, 0.05, 0.05]}]}\n"
    "joints:\n"
    "  - {name: a, type: revolute, bodies: [world, one], at: [0, 0, 0], axis: [0, 1, 0],\n"
    "     coordinates: {angle: {drive: {type: speed, target: '-1', limit: 60}}}}\n"
    "  - {name: b, type: revolute, bodies: [one, two], at: [0.5, 0, 0], axis: [0, 1, 0], coordinates: {angle: "
    "{friction: 2}}}\n"
    "  - {name: c, type: universal, bodies: [two, three], at: [1, 0, 0], axis: [0, 1, 0], second_axis: [0, 0, 1]}\n"
    "  - {name: d, type: revolute, bodies: [three, four], at: [1.5, 0, 0], axis: [0, 1, 0],\n"
    "     coordinates: {angle: {lower: -0.4, upper: 0.3, friction: 0.5}}}\n"
    "simulation: {until: 2}\n";

static void arm_with_bounds(void **state)
{
    (void)state;
    machine device = start(ARM, strlen(ARM), CAIRN_DEVICE_GPU, 1), host = start(ARM, strlen(ARM), CAIRN_DEVICE_CPU, 1);
    const char *names[] = {"one", "two", "three", "four"};
    for (int k = 0; k < 10; ++k)
    {
        take(&device, 50);
        take(&host, 50);
        for (int b = 0; b < 4; ++b)
            for (int i = 0; i < 3; ++i)
                assert_near(body_of(&device, names[b]).position[i], body_of(&host, names[b]).position[i], 2e-3);
        cairn_energy a = cairn_simulation_energy(device.simulation), b = cairn_simulation_energy(host.simulation);
        assert_near(a.total, b.total, 2e-3 * (1 + fabs(b.total)));
        assert_near(a.balance_error, 0, 2e-3);
        assert_true(cairn_simulation_report(device.simulation)->solver.certificate.relative < 1e-6);
    }
    end(&device);
    end(&host);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(governor_keeps_its_energy),
        cmocka_unit_test(arm_with_bounds),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
