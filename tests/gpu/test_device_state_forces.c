/* Forces that are expressions of the state, evaluated on the device: against closed forms of explicit Euler steps, the processor's own steps under the same scheme, and
 * conservation of momentum. */
#include "support/check.h"
#include "support/device.h"

#include <stdio.h>
#include <string.h>

static const char *const NONE[3] = {NULL, NULL, NULL};

static cairn_settings by_euler(double h)
{
    cairn_settings settings = on_device(h, 10);
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    return settings;
}

static void add_force(world *w, const char *name, const char *body, bool is_own, const char *const force[3],
                      const char *const torque[3])
{
    cairn_force_options options = cairn_force_default();
    cairn_force handle;
    options.name = name;
    options.body = cairn_model_find_body(w->model, body);
    options.body_frame = is_own;
    memcpy(options.force, force, sizeof options.force);
    memcpy(options.torque, torque, sizeof options.torque);
    assert_int_equal(cairn_model_add_force(w->model, &options, &handle), CAIRN_OK);
}

/* With drag c, v' = v + h (g - c/m v): v after k steps is v_end (1 - (1 - h c/m)^k), whatever the batches. In a world of spheres, and with a box in it. */
static void drag_slows_a_fall(void **state)
{
    (void)state;
    const double h = 0.01, m = 2, c = 1.5, g = 9.81;
    const int steps = 60;
    for (int i = 0; i < 4; ++i)
    {
        world w = world_new(3);
        cairn_material wood = add_material(w.model, "wood", 0.3, 0);
        add_ball(w.model, "other", 1, 0.1, (double[3]){5, 0, 3}, wood); /* bodies are sorted by cells */
        add_ball(w.model, "one", m, 0.1, (double[3]){0, 0, 3}, wood);
        if (i >= 2)
            add_box(w.model, "cube", 1, (double[3]){0.1, 0.1, 0.1}, (double[3]){-3, 0, 0}, wood);
        add_force(&w, "drag", "one", false, (const char *[3]){NULL, NULL, "-1.5*one.vz"}, NONE);
        cairn_settings settings = by_euler(h);
        settings.certify_every = 1;
        world_start(&w, &settings);
        for (int k = 0; k < steps; k += i % 2 ? 20 : 1)
            device_take(&w, i % 2 ? 20 : 1);
        double end = -m * g / c, v = end * (1 - pow(1 - h * c / m, steps));
        assert_near(world_body(&w, "one").velocity[2], v, 1e-5 * fabs(v));
        assert_near(world_body(&w, "other").velocity[2], -g * h * steps, 1e-5 * g);
        assert_near(cairn_simulation_energy(w.simulation).balance_error, 0, 1e-3);
        world_free(&w);
    }
}

/* Two bodies that attract each other keep their momentum, and swing about their common centre. */
static void attraction_keeps_momentum(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.3, 0);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    add_ball(w.model, "one", 1, 0.1, (double[3]){-1, 0, 0}, wood);
    add_ball(w.model, "two", 3, 0.1, (double[3]){1, 0.5, 0}, wood);
    add_force(&w, "to two", "one", false, (const char *[3]){"4*(two.x - one.x)", "4*(two.y - one.y)", NULL}, NONE);
    add_force(&w, "to one", "two", false, (const char *[3]){"4*(one.x - two.x)", "4*(one.y - two.y)", NULL}, NONE);
    cairn_settings settings = by_euler(0.001);
    world_start(&w, &settings);
    device_take(&w, 300);
    cairn_body_state one = world_body(&w, "one"), two = world_body(&w, "two");
    for (int k = 0; k < 3; ++k)
        assert_near(one.velocity[k] + 3 * two.velocity[k], 0, 1e-5);
    /* omega^2 = 4 (1/1 + 1/3); x+ = x + h v+ is symplectic, so the phase is off by O(h^2) and the distance by O(h) */
    double omega = sqrt(4 * (1.0 + 1.0 / 3)), share = cos(omega * 0.3);
    assert_near(two.position[0] - one.position[0], 2 * share, 0.01);
    assert_near(two.position[1] - one.position[1], 0.5 * share, 0.01);
    world_free(&w);
}

/* Every operation, of place, velocity, spin and time. */
static void add_everything(world *w)
{
    *w = world_new(3);
    cairn_material wood = add_material(w->model, "wood", 0.3, 0);
    cairn_body_options options = cairn_body_default();
    cairn_body body;
    add_ball(w->model, "other", 1, 0.1, (double[3]){4, 1, 2}, wood);
    options.name = "cube";
    options.mass = 2;
    options.inertia[0] = 0.02, options.inertia[1] = 0.03, options.inertia[2] = 0.04;
    options.position[2] = 1;
    memcpy(options.velocity, (double[3]){0.4, -0.3, 0.2}, sizeof options.velocity);
    memcpy(options.angular_velocity, (double[3]){1, 2, -0.5}, sizeof options.angular_velocity);
    assert_int_equal(cairn_model_add_body(w->model, &options, &body), CAIRN_OK);
    cairn_shape_options box = shape_of(CAIRN_BOX, wood);
    memcpy(box.size, (double[3]){0.2, 0.2, 0.2}, sizeof box.size);
    add_shape(w->model, body, &box);
    add_force(
        w, "much", "cube", false,
        (const char *[3]){"sin(cube.x) + cos(t)*tan(0.1*cube.vy) - asin(0.1*cube.z)/acos(0.2*cube.vx) + atan(other.z)",
                          "atan2(cube.x, other.y) + sinh(0.1*cube.vx) - cosh(cube.y)*tanh(other.x) + exp(-cube.z)",
                          "log(2 + cube.z) + sqrt(4 + cube.vz) - abs(cube.vy) + floor(3*t) - ceil(cube.x) + cube.z^2"},
        NONE);
    add_force(
        w, "more", "cube", true, (const char *[3]){"min(cube.x, other.vz)", "max(cube.vx, -cube.z)", "pow(2, cube.y)"},
        (const char *[3]){"-0.1*cube.omega_x + 0.01*step(t - 0.05)", "if(cube.omega_y - 1, -0.1*cube.omega_y, 0.02)",
                          "-0.05*cube.omega_z*abs(cube.omega_x)"});
}

static void as_on_the_processor(void **state)
{
    (void)state;
    world device, host;
    add_everything(&device);
    add_everything(&host);
    cairn_settings settings = by_euler(0.002);
    settings.audit_every = 10;
    world_start(&device, &settings);
    settings.device = CAIRN_DEVICE_CPU;
    world_start(&host, &settings);
    for (int k = 0; k < 5; ++k)
    {
        device_take(&device, 20);
        device_take(&host, 20);
    }
    cairn_body_state a = world_body(&device, "cube"), b = world_body(&host, "cube");
    for (int k = 0; k < 3; ++k)
    {
        assert_near(a.position[k], b.position[k], 2e-6);
        assert_near(a.velocity[k], b.velocity[k], 1e-5);
        assert_near(a.angular_velocity[k], b.angular_velocity[k], 3e-5);
    }
    for (int f = 0; f < 2; ++f)
    {
        double ours = cairn_simulation_force_work(device.simulation, nth_force(device.simulation, f));
        double theirs = cairn_simulation_force_work(host.simulation, nth_force(host.simulation, f));
        assert_near(ours, theirs, 1e-5);
    }
    assert_int_equal(cairn_simulation_report(device.simulation)->physics.forbidden, 0);
    world_free(&device);
    world_free(&host);
}

/* A force without a finite value ends the call with its name, and the state stays as it was. */
static void not_a_number(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.3, 0);
    add_ball(w.model, "one", 1, 0.1, (double[3]){0, 0, 3}, wood);
    add_force(&w, "fine", "one", false, (const char *[3]){"one.x", NULL, NULL}, NONE);
    add_force(&w, "root", "one", false, (const char *[3]){"sqrt(0.05 + one.vz)", NULL, NULL}, NONE);
    cairn_settings settings = by_euler(0.001);
    world_start(&w, &settings);
    device_take(&w, 4);
    cairn_body_state before = world_body(&w, "one");
    assert_int_equal(cairn_simulation_steps(w.simulation, 8), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "force 'root' has no finite value"));
    assert_memory_equal(before.velocity, world_body(&w, "one").velocity, sizeof before.velocity);
    assert_near(cairn_simulation_time(w.simulation), 0.004, 1e-12);
    device_take(&w, 1); /* the next step has a value */
    assert_near(world_body(&w, "one").velocity[2], -5 * 0.001 * 9.81, 1e-7);
    world_free(&w);
}

static void refused(const cairn_settings *settings, const char *expression, const char *sentence)
{
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.3, 0);
    add_ground(w.model, wood);
    add_ball(w.model, "one", 1, 0.1, (double[3]){0, 0, 3}, wood);
    add_force(&w, "drag", "one", false, (const char *[3]){expression, NULL, NULL}, NONE);
    assert_int_equal(cairn_simulation_create(w.context, w.model, settings, &w.simulation), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(cairn_context_last_message(w.context), sentence));
    world_free(&w);
}

static void refusals(void **state)
{
    (void)state;
    cairn_settings settings = by_euler(0.001);
    refused(&settings, "ground.x - one.x",
            "force 'drag' depends on the state of a joint or of a body that is fixed or driven");
    settings.integrator = CAIRN_INTEGRATOR_STIFF;
    refused(&settings, "-one.vx", "needs integrator euler");
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    settings.device = CAIRN_DEVICE_RANKS;
    refused(&settings, "-one.vx", "where processes share a scene");
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drag_slows_a_fall),
        cmocka_unit_test(attraction_keeps_momentum),
        cmocka_unit_test(as_on_the_processor),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
