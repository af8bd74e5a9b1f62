/* Springs, joints that give, rotors, applied forces and pulls on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device),
 * against closed forms, the account of energies and the processor's own steps. */
#include "support/check.h"
#include "support/device.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* The same bodies on the device and on the processor, to single precision and what the sweeps leave. */
static void assert_same(const world *device, const world *host, const char *name, double tolerance)
{
    cairn_body_state a = world_body(device, name), b = world_body(host, name);
    assert_near(distance(a.position, b.position), 0, tolerance);
    assert_near(distance(a.velocity, b.velocity), 0, 10 * tolerance);
    assert_near(distance(a.angular_velocity, b.angular_velocity), 0, 50 * tolerance);
}

/* The two accounts, entry by entry; `scale` in J. */
static void assert_same_account(const world *device, const world *host, double scale)
{
    cairn_energy a = cairn_simulation_energy(device->simulation), b = cairn_simulation_energy(host->simulation);
    const double pairs[][2] = {{a.kinetic, b.kinetic},           {a.elastic, b.elastic},
                               {a.work_springs, b.work_springs}, {a.work_dampers, b.work_dampers},
                               {a.work_forces, b.work_forces},   {a.work_joints, b.work_joints},
                               {a.work_driven, b.work_driven},   {a.integration, b.integration}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        assert_near(pairs[i][0], pairs[i][1], 2e-3 * scale);
    assert_near(a.balance_error, 0, 1e-4 * scale);
}

static cairn_attachment at(const world *w, const char *body, double x, double y, double z)
{
    cairn_body of = body ? cairn_model_find_body(w->model, body) : (cairn_body){0};
    return (cairn_attachment){of, {x, y, z}};
}

static void add_link(world *w, const char *name, cairn_spring_kind kind, cairn_attachment a, cairn_attachment b,
                     double stiffness, double damping, double rest)
{
    cairn_spring_options options = cairn_spring_default(kind);
    cairn_spring spring;
    options.name = name;
    options.a = a;
    options.b = b;
    options.stiffness = stiffness;
    options.damping = damping;
    options.rest = rest;
    memcpy(options.axis, (double[3]){0, 0.6, 0.8}, sizeof options.axis);
    assert_int_equal(cairn_model_add_spring(w->model, &options, &spring), CAIRN_OK);
}

/* -------------------------------------------------------------------------------------------------------- springs */

/* Two cubes, which have no gyroscopic moment, hang from a shaken plate and from each other by springs of every kind. */
static void hang(world *w, const cairn_settings *settings)
{
    *w = world_new(3);
    cairn_material wood = add_material(w->model, "wood", 0.3, 0);
    add_box(w->model, "one", 2, (double[3]){0.2, 0.2, 0.2}, (double[3]){0.2, 0.05, 0.9}, wood);
    add_box(w->model, "two", 0.7, (double[3]){0.1, 0.1, 0.1}, (double[3]){0.5, 0.2, 0.5}, wood);
    assert_int_equal(cairn_model_ignore_contact(w->model, cairn_model_find_body(w->model, "one"),
                                                cairn_model_find_body(w->model, "two")),
                     CAIRN_OK);
    cairn_body_options plate = cairn_body_default();
    plate.name = "plate";
    plate.kind = CAIRN_DRIVEN;
    plate.motion_position[0] = "0.1*sin(9*t)";
    plate.motion_position[2] = "1.5";
    cairn_body handle;
    assert_int_equal(cairn_model_add_body(w->model, &plate, &handle), CAIRN_OK);
    add_link(w, "rope", CAIRN_SPRING_LINEAR, at(w, "plate", 0, 0, 0), at(w, "one", 0.05, 0.1, 0.1), 300, 2, 0.4);
    add_link(w, "knot", CAIRN_SPRING_LINEAR, at(w, "one", 0.1, 0, -0.1), at(w, "two", 0, 0.05, 0.05), 80, 1, 0);
    add_link(w, "twist", CAIRN_SPRING_ANGULAR, at(w, "one", 0, 0, 0), at(w, "two", 0, 0, 0), 0.5, 0.01, 0.7);
    add_link(w, "damper", CAIRN_SPRING_LINEAR, at(w, NULL, 0, 0, 0), at(w, "two", 0, 0, 0), 0, 0.3, 0.1);
    world_start(w, settings);
}

static void springs_as_on_the_processor(void **state)
{
    (void)state;
    const cairn_integrator integrators[2] = {CAIRN_INTEGRATOR_STIFF, CAIRN_INTEGRATOR_EULER};
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings = on_device(i == 0 ? 0.004 : 0.001, 200);
        settings.integrator = integrators[i];
        settings.certify_every = 1;
        world device, host;
        hang(&device, &settings);
        settings.device = CAIRN_DEVICE_CPU;
        hang(&host, &settings);
        device_take(&device, 60);
        device_take(&device, 40);
        device_take(&host, 100);
        assert_same(&device, &host, "one", 1e-5);
        assert_same(&device, &host, "two", 1e-5);
        assert_same_account(&device, &host, 1);
        for (int k = 0; k < 4; ++k)
        {
            cairn_spring a = nth_spring(device.simulation, k), b = nth_spring(host.simulation, k);
            assert_near(cairn_simulation_spring_stretch(device.simulation, a),
                        cairn_simulation_spring_stretch(host.simulation, b), 1e-4);
            assert_near(cairn_simulation_spring_work(device.simulation, a),
                        cairn_simulation_spring_work(host.simulation, b), 1e-3);
        }
        assert_true(cairn_simulation_report(device.simulation)->solver.certificate.relative < 1e-4);
        world_free(&device);
        world_free(&host);
    }
}

/* A ball on a spring of any stiffness: implicit Euler's own recursion, m v+ = m v - h (k (x + h v+) + c v+), down to the rigid limit. */
static void spring_of_any_stiffness(void **state)
{
    (void)state;
    const double m = 1.5, h = 0.004, stiffness[] = {10, 1e4, 1e9}, c = 3;
    for (size_t i = 0; i < sizeof stiffness / sizeof stiffness[0]; ++i)
    {
        const double k = stiffness[i];
        world w = world_new(3);
        cairn_material wood = add_material(w.model, "wood", 0.3, 0);
        cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
        add_ball(w.model, "ball", m, 0.05, (double[3]){0.3, 0.4, 0}, wood);
        add_link(&w, "spring", CAIRN_SPRING_LINEAR, at(&w, NULL, 0, 0, 0), at(&w, "ball", 0, 0, 0), k, c, 0.45);
        cairn_settings settings = on_device(h, 10);
        world_start(&w, &settings);
        double x = 0.05, v = 0;
        for (int step = 0; step < 50; ++step)
        {
            v = (m * v - h * k * x) / (m + h * (h * k + c));
            x += h * v;
        }
        device_take(&w, 50);
        cairn_body_state ball = world_body(&w, "ball");
        const double wanted[3] = {0.6 * (0.45 + x), 0.8 * (0.45 + x), 0};
        assert_near(distance(ball.position, wanted), 0, 2e-6);
        assert_near(cairn_simulation_spring_stretch(w.simulation, nth_spring(w.simulation, 0)), x, 2e-6);
        world_free(&w);
    }
}

/* An angular spring counts whole turns, however long the batch: a disc that turns freely through N of them has the angle of all. */
static void spring_counts_turns(void **state)
{
    (void)state;
    const double spin = 11, h = 0.005;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.3, 0);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    add_ball(w.model, "ball", 1, 0.1, (double[3]){0, 0, 0}, wood);
    add_link(&w, "twist", CAIRN_SPRING_ANGULAR, at(&w, NULL, 0, 0, 0), at(&w, "ball", 0, 0, 0), 1e-9, 0, 0);
    cairn_settings settings = on_device(h, 5);
    world_start(&w, &settings);
    cairn_body_state ball = world_body(&w, "ball");
    memcpy(ball.angular_velocity, (double[3]){0, 0.6 * spin, 0.8 * spin}, sizeof ball.angular_velocity);
    cairn_simulation_set_body(w.simulation, cairn_model_find_body(world_model(&w), "ball"), &ball);
    device_take(&w, 400);
    assert_near(cairn_simulation_spring_stretch(w.simulation, nth_spring(w.simulation, 0)), spin * 400 * h, 1e-4);
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------------- joints */

/* A cube hangs from the world by a joint that gives, with a spring, a rotor and an end on its angle. */
static void hang_softly(world *w, cairn_joint_kind kind, const cairn_settings *settings)
{
    *w = world_new(3);
    cairn_material wood = add_material(w->model, "wood", 0.3, 0);
    add_box(w->model, "one", 2, (double[3]){0.2, 0.2, 0.2}, (double[3]){0.3, 0, 0}, wood);
    cairn_joint_options options = cairn_joint_default(kind);
    cairn_joint joint;
    options.name = "joint";
    options.a = at(w, NULL, 0, 0, 0);
    options.b = at(w, "one", -0.3, 0, 0);
    memcpy(options.axis, (double[3]){0, 0.6, 0.8}, sizeof options.axis);
    options.stiffness = 2000;
    options.damping = 20;
    options.angular_stiffness = kind == CAIRN_JOINT_BALL ? 0 : 30;
    options.angular_damping = kind == CAIRN_JOINT_BALL ? 0 : 0.2;
    assert_int_equal(cairn_model_add_joint(w->model, &options, &joint), CAIRN_OK);
    if (kind == CAIRN_JOINT_REVOLUTE)
    {
        cairn_coordinate_options acts = cairn_coordinate_default();
        acts.stiffness = 4;
        acts.damping = 0.1;
        acts.rest.expression = "0.1*t";
        acts.rotor_inertia = 0.05;
        acts.upper = 0.3;
        assert_int_equal(cairn_model_set_coordinate(w->model, joint, "angle", &acts), CAIRN_OK);
    }
    world_start(w, settings);
}

static void joints_that_give(void **state)
{
    (void)state;
    const cairn_joint_kind kinds[] = {CAIRN_JOINT_BALL, CAIRN_JOINT_WELD, CAIRN_JOINT_REVOLUTE};
    for (int i = 0; i < 3; ++i)
    {
        cairn_settings settings = on_device(0.004, 60);
        settings.certify_every = 1;
        world device, host;
        hang_softly(&device, kinds[i], &settings);
        settings.device = CAIRN_DEVICE_CPU;
        hang_softly(&host, kinds[i], &settings);
        device_take(&device, 100);
        device_take(&host, 100);
        assert_same(&device, &host, "one", 2e-5);
        assert_same_account(&device, &host, 1);
        world_free(&device);
        world_free(&host);
    }
}

/* A torque T spins up a wheel J with a rotor a on its axis by T/(J + a) per second. */
static void rotor_spins_up(void **state)
{
    (void)state;
    const double m = 3, r = 0.2, J = 0.4 * m * r * r, T = 0.3, a = 0.07, h = 0.005;
    world w = world_new(3);
    cairn_material wood = add_material(w.model, "wood", 0.5, 0);
    add_ball(w.model, "wheel", m, r, (double[3]){0, 0, 1}, wood);
    cairn_joint_options options = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint joint;
    options.name = "axle";
    options.a = at(&w, NULL, 0, 0, 1);
    options.b = at(&w, "wheel", 0, 0, 0);
    memcpy(options.axis, (double[3]){0, 0.6, 0.8}, sizeof options.axis);
    assert_int_equal(cairn_model_add_joint(w.model, &options, &joint), CAIRN_OK);
    cairn_coordinate_options acts = cairn_coordinate_default();
    acts.drive = CAIRN_DRIVE_FORCE;
    acts.target.expression = "0.3";
    acts.rotor_inertia = a;
    assert_int_equal(cairn_model_set_coordinate(w.model, joint, "angle", &acts), CAIRN_OK);
    cairn_settings settings = on_device(h, 10);
    settings.certify_every = 1;
    world_start(&w, &settings);
    device_take(&w, 200);
    cairn_joint_state found = cairn_simulation_joint_state(w.simulation, nth_joint(w.simulation, 0));
    double rate = T / (J + a) * 200 * h;
    assert_near(found.rate[0], rate, 1e-4 * rate);
    assert_near(found.rotor[0], -a * T / (J + a), 1e-3 * T);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(e.kinetic, 0.5 * (J + a) * rate * rate, 1e-3 * e.kinetic);
    assert_near(e.balance_error, 0, 1e-4 * e.kinetic);
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------------- forces */

static void add_force(world *w, const char *name, const char *body, const double point[3], bool is_own,
                      const char *const force[3], const char *const torque[3])
{
    cairn_force_options options = cairn_force_default();
    cairn_force handle;
    options.name = name;
    options.body = cairn_model_find_body(w->model, body);
    options.body_frame = is_own;
    memcpy(options.point, point, sizeof options.point);
    for (int k = 0; k < 3; ++k)
    {
        options.force[k] = force[k];
        options.torque[k] = torque[k];
    }
    assert_int_equal(cairn_model_add_force(w->model, &options, &handle), CAIRN_OK);
}

/* Balls that fall past each other, and, with `has_box`, a cube: then the device takes the steps of worlds with shapes. */
static void push(world *w, bool has_box, const cairn_settings *settings)
{
    const char *none[3] = {NULL, NULL, NULL};
    const double centre[3] = {0, 0, 0}, rim[3] = {0, 0.1, 0};
    *w = world_new(3);
    cairn_material wood = add_material(w->model, "wood", 0.3, 0);
    add_ball(w->model, "one", 2, 0.1, (double[3]){0, 0, 3}, wood);
    add_ball(w->model, "two", 0.5, 0.05, (double[3]){1, 0, 3}, wood);
    if (has_box)
        add_box(w->model, "three", 1, (double[3]){0.2, 0.2, 0.2}, (double[3]){2, 0, 3}, wood);
    add_force(w, "wind", "two", centre, false, (const char *[3]){"3*sin(5*t)", NULL, "1"}, none);
    add_force(w, "jet", has_box ? "three" : "one", rim, true, (const char *[3]){"2", NULL, "4*t"}, none);
    add_force(w, "twist", "two", centre, false, none, (const char *[3]){NULL, "0.01", "0.002*t"});
    add_force(w, "lift", "two", rim, false, (const char *[3]){NULL, NULL, "0.5"}, none);
    world_start(w, settings);
}

static void forces_as_on_the_processor(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        cairn_settings settings = on_device(0.004, 10);
        settings.integrator = i % 2 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_STIFF;
        settings.certify_every = 1;
        world device, host;
        push(&device, i >= 2, &settings);
        settings.device = CAIRN_DEVICE_CPU;
        push(&host, i >= 2, &settings);
        device_take(&device, 70);
        device_take(&device, 30);
        device_take(&host, 100);
        assert_same(&device, &host, "one", 2e-6);
        assert_same(&device, &host, "two", 2e-6);
        if (i >= 2)
            assert_same(&device, &host, "three", 2e-6);
        assert_same_account(&device, &host, 1);
        for (int k = 0; k < 4; ++k)
            assert_near(cairn_simulation_force_work(device.simulation, nth_force(device.simulation, k)),
                        cairn_simulation_force_work(host.simulation, nth_force(host.simulation, k)), 1e-4);
        assert_true(cairn_simulation_report(device.simulation)->solver.certificate.relative < 1e-5);
        world_free(&device);
        world_free(&host);
    }
}

/* A cube on a floor is pushed with F: it stays below mu m g, and beyond it slides with F/m - mu g. */
static void push_against_friction(void **state)
{
    (void)state;
    const double m = 2, mu = 0.4, g = 9.81, h = 0.004;
    const char *pushes[2] = {"6", "15"}, *none[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 2; ++i)
    {
        world w = world_new(3);
        cairn_material wood = add_material(w.model, "wood", mu, 0);
        add_ground(w.model, wood);
        add_box(w.model, "cube", m, (double[3]){0.4, 0.4, 0.1}, (double[3]){0, 0, 0.05}, wood);
        add_force(&w, "push", "cube", (double[3]){0, 0, -0.05}, false, (const char *[3]){pushes[i], NULL, NULL}, none);
        cairn_settings settings = on_device(h, 60);
        world_start(&w, &settings);
        device_take(&w, 100);
        double a = i == 0 ? 0.0 : 15 / m - mu * g;
        assert_near(world_body(&w, "cube").velocity[0], a * 100 * h, 2e-3);
        world_free(&w);
    }
}

/* Forces of the state are refused, with their name. */
static void refuses_forces_of_the_state(void **state)
{
    (void)state;
    world w = world_new(3);
    const char *none[3] = {NULL, NULL, NULL};
    cairn_material wood = add_material(w.model, "wood", 0.3, 0);
    add_ball(w.model, "one", 2, 0.1, (double[3]){0, 0, 3}, wood);
    add_force(&w, "drag", "one", (double[3]){0, 0, 0}, false, (const char *[3]){"-one.vx", NULL, NULL}, none);
    cairn_settings settings = on_device(0.01, 10);
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &w.simulation), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "force 'drag' depends on the state"));
    world_free(&w);
}

/* ----------------------------------------------------------------------------------------------------------- pulls */

static void pull_and_let_go(world *w, int steps)
{
    const double point[3] = {0, 0.05, 0.02};
    cairn_body body = cairn_model_find_body(world_model(w), "two");
    device_take(w, 10);
    for (int k = 0; k < 3; ++k)
    {
        const double target[3] = {1 + 0.1 * k, 0.5, 3};
        assert_int_equal(cairn_simulation_pull(w->simulation, body, point, target, 80, 6), CAIRN_OK);
        device_take(w, steps);
    }
    cairn_simulation_let_go(w->simulation);
    device_take(w, 10);
}

static void pulls_as_on_the_processor(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        cairn_settings settings = on_device(0.004, 10);
        settings.certify_every = 1;
        world device, host;
        push(&device, i > 0, &settings);
        settings.device = CAIRN_DEVICE_CPU;
        push(&host, i > 0, &settings);
        pull_and_let_go(&device, 20);
        pull_and_let_go(&host, 20);
        assert_same(&device, &host, "two", 2e-6);
        assert_same_account(&device, &host, 1);
        world_free(&device);
        world_free(&host);
    }
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_as_on_the_processor),
        cmocka_unit_test(spring_of_any_stiffness),
        cmocka_unit_test(spring_counts_turns),
        cmocka_unit_test(joints_that_give),
        cmocka_unit_test(rotor_spins_up),
        cmocka_unit_test(forces_as_on_the_processor),
        cmocka_unit_test(push_against_friction),
        cmocka_unit_test(refuses_forces_of_the_state),
        cmocka_unit_test(pulls_as_on_the_processor),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
