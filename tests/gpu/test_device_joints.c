/* Joints and drives on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device), against closed forms, conservation laws
 * and the processor's own steps. */
#include "support/check.h"
#include "support/device.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A joint at a point of the world. a: NULL for the world. */
static cairn_joint join(cairn_model *model, cairn_joint_kind kind, const char *a, const char *b, const double at[3],
                        const double axis[3])
{
    cairn_joint_options options = cairn_joint_default(kind);
    cairn_joint joint;
    options.name = b;
    options.a = cairn_model_attach(model, a ? cairn_model_find_body(model, a) : (cairn_body){0}, at);
    options.b = cairn_model_attach(model, cairn_model_find_body(model, b), at);
    memcpy(options.axis, axis, sizeof options.axis);
    if (kind == CAIRN_JOINT_UNIVERSAL)
        memcpy(options.second_axis, (double[3]){-axis[1], axis[0], 0}, sizeof options.second_axis);
    assert_int_equal(cairn_model_add_joint(model, &options, &joint), CAIRN_OK);
    return joint;
}

static double distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* --------------------------------------------------------------------------------------- against the processor */

/* Two bricks hang from each other and from the world by joints of these kinds, and fall. */
static void hang(world *w, cairn_joint_kind upper, cairn_joint_kind lower, const cairn_settings *settings)
{
    *w = world_new(3);
    cairn_material wood = add_material(w->model, "wood", 0.3, 0);
    add_box(w->model, "one", 2, (double[3]){0.3, 0.1, 0.2}, (double[3]){0.2, 0.05, 0.9}, wood);
    add_box(w->model, "two", 0.7, (double[3]){0.1, 0.3, 0.1}, (double[3]){0.5, 0.2, 0.8}, wood);
    const double slope = sqrt(0.5);
    join(w->model, upper, NULL, "one", (double[3]){0, 0, 1}, (double[3]){slope, slope, 0});
    join(w->model, lower, "one", "two", (double[3]){0.4, 0.1, 0.8}, (double[3]){0.6, 0.8, 0});
    world_start(w, settings);
}

/* The scheme is the processor's, so the motion is too, to single precision and what the sweeps leave. Bodies do not touch. */
static void moves_as_on_the_processor(void **state)
{
    (void)state;
    const cairn_joint_kind kinds[] = {CAIRN_JOINT_BALL,      CAIRN_JOINT_REVOLUTE,    CAIRN_JOINT_WELD,
                                      CAIRN_JOINT_PRISMATIC, CAIRN_JOINT_CYLINDRICAL, CAIRN_JOINT_UNIVERSAL,
                                      CAIRN_JOINT_PLANAR,    CAIRN_JOINT_SLOT};
    const int count = sizeof kinds / sizeof kinds[0];
    for (int i = 0; i < 2 * count; ++i)
    {
        cairn_settings settings = on_device(i % 3 ? 0.004 : 0.01, 200);
        settings.integrator =
            CAIRN_INTEGRATOR_EULER; /* under stiff the gyroscopic moment is coupled to the joints there */
        world device, host;
        hang(&device, i < count ? kinds[i] : CAIRN_JOINT_REVOLUTE, i < count ? CAIRN_JOINT_REVOLUTE : kinds[i - count],
             &settings);
        settings.device = CAIRN_DEVICE_CPU;
        hang(&host, i < count ? kinds[i] : CAIRN_JOINT_REVOLUTE, i < count ? CAIRN_JOINT_REVOLUTE : kinds[i - count],
             &settings);
        device_take(&device, 60);
        device_take(&host, 60);
        const char *names[2] = {"one", "two"};
        for (int k = 0; k < 2; ++k)
        {
            cairn_body_state a = world_body(&device, names[k]), b = world_body(&host, names[k]);
            assert_near(distance(a.position, b.position), 0, 1e-4);
            assert_near(distance(a.velocity, b.velocity), 0, 1e-3);
            assert_near(distance(a.angular_velocity, b.angular_velocity), 0, 5e-3);
            cairn_joint joint = nth_joint(device.simulation, k), other = nth_joint(host.simulation, k);
            cairn_joint_state found = cairn_simulation_joint_state(device.simulation, joint);
            cairn_joint_state wanted = cairn_simulation_joint_state(host.simulation, other);
            for (int c = 0; c < wanted.coordinate_count; ++c)
                assert_near(found.coordinate[c], wanted.coordinate[c], 1e-3);
        }
        assert_true(cairn_simulation_report(device.simulation)->solver.certificate.relative < 1e-4);
        world_free(&device);
        world_free(&host);
    }
}

/* Asked for a tolerance, every step meets it, with few sweeps to begin with. */
static void chain_to_a_tolerance(void **state)
{
    (void)state;
    cairn_settings settings = on_device(0.005, 3);
    settings.accuracy = CAIRN_ACCURACY_EXACT;
    settings.solver.tolerance = 1e-5;
    world w;
    hang(&w, CAIRN_JOINT_BALL, CAIRN_JOINT_UNIVERSAL, &settings);
    for (int k = 0; k < 40; ++k)
    {
        device_take(&w, 1);
        const cairn_step_report *report = cairn_simulation_report(w.simulation);
        assert_int_equal(report->solver.outcome, CAIRN_SOLVED);
        assert_true(report->solver.certificate.relative <= 1e-5);
    }
    world_free(&w);
}

/* ---------------------------------------------------------------------------------------------------------- drives */

/* A disc of spheres' inertia on a fixed axis. */
static cairn_joint add_wheel(world *w, double m, double r, const cairn_coordinate_options *acts)
{
    cairn_material wood = add_material(w->model, "wood", 0.5, 0);
    add_ball(w->model, "wheel", m, r, (double[3]){0, 0, 1}, wood);
    cairn_joint joint =
        join(w->model, CAIRN_JOINT_REVOLUTE, NULL, "wheel", (double[3]){0, 0, 1}, (double[3]){0, 0.6, 0.8});
    assert_int_equal(cairn_model_set_coordinate(w->model, joint, "angle", acts), CAIRN_OK);
    return joint;
}

/* A motor of speed W and at most the torque T spins up a wheel by T/J per second against the friction F, up to W, and then gives F. Turns are counted,
 * however long the batch. */
static void motor_spins_up(void **state)
{
    (void)state;
    const double m = 3, r = 0.2, J = 0.4 * m * r * r, T = 0.3, F = 0.1, W = 40, h = 0.005;
    const int early = 100, steps = 2400;
    for (int k = 0; k < 2; ++k)
    {
        world w = world_new(3);
        cairn_coordinate_options acts = cairn_coordinate_default();
        acts.drive = CAIRN_DRIVE_SPEED;
        acts.target.expression = k ? "-40" : "40";
        acts.drive_limit = T;
        acts.friction = F;
        cairn_joint joint = add_wheel(&w, m, r, &acts);
        cairn_settings settings = on_device(h, 10);
        world_start(&w, &settings);
        joint = nth_joint(w.simulation, 0);
        const double sign = k ? -1 : 1, a = (T - F) / J, t = early * h;
        device_take(&w, early);
        cairn_joint_state at = cairn_simulation_joint_state(w.simulation, joint);
        assert_near(at.rate[0], sign * a * t, 1e-4 * a * t);
        assert_near(at.coordinate[0], sign * 0.5 * a * t * (t + h), 1e-3 * a * t * t);
        device_take(&w, steps);
        at = cairn_simulation_joint_state(w.simulation, joint);
        double end = (early + steps) * h, reached = W / a;
        assert_near(at.rate[0], sign * W, 1e-4 * W);
        assert_near(at.coordinate[0], sign * (0.5 * W * reached + W * (end - reached)), 0.01 * W);
        assert_near(at.drive_work[0], 0.5 * J * W * W + F * fabs(at.coordinate[0]), 0.01 * J * W * W);
        assert_near(at.friction_work[0], -F * fabs(at.coordinate[0]), 0.01 * J * W * W);
        world_free(&w);
    }
}

/* A wheel at rest on its axis hangs from it with its weight, and the drive that holds it against a second torque gives that torque. */
static void reactions_are_known(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_coordinate_options acts = cairn_coordinate_default();
    acts.drive = CAIRN_DRIVE_FORCE;
    acts.target.expression = "0.35";
    acts.upper = 0.001;
    add_wheel(&w, 2.5, 0.2, &acts);
    cairn_settings settings = on_device(0.005, 10);
    world_start(&w, &settings);
    device_take(&w, 100);
    assert_int_equal(cairn_simulation_contact_count(w.simulation), 0);
    cairn_joint_state at = cairn_simulation_joint_state(w.simulation, nth_joint(w.simulation, 0));
    assert_near(at.force[2], 2.5 * 9.81, 1e-4 * 2.5 * 9.81);
    assert_near(at.drive[0], 0.35, 1e-6);
    assert_near(at.limit[0], -0.35, 1e-4);
    world_free(&w);
}

/* A wheel that is turned by a force stops at its ends, wherever these lie within a step. */
static void wheel_stops(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        world w = world_new(3);
        cairn_coordinate_options acts = cairn_coordinate_default();
        acts.drive = CAIRN_DRIVE_FORCE;
        acts.target.expression = k % 2 ? "-0.2" : "0.2";
        acts.lower = -0.31 - 0.01 * k;
        acts.upper = 0.42;
        add_wheel(&w, 2, 0.2, &acts);
        cairn_settings settings = on_device(k < 2 ? 0.005 : 0.013, 10);
        world_start(&w, &settings);
        device_take(&w, 200);
        cairn_joint_state at = cairn_simulation_joint_state(w.simulation, nth_joint(w.simulation, 0));
        assert_near(at.coordinate[0], k % 2 ? acts.lower : acts.upper, 1e-4);
        assert_near(at.rate[0], 0, 1e-4);
        world_free(&w);
    }
}

/* A position drive with gains k, c on a free wheel is an oscillator J q'' = -k (q - 1) - c q', taken implicitly. */
static void drive_with_gains(void **state)
{
    (void)state;
    const double m = 2, r = 0.25, J = 0.4 * m * r * r, k = 8, c = 0.05, h = 0.004;
    world w = world_new(3);
    cairn_coordinate_options acts = cairn_coordinate_default();
    acts.drive = CAIRN_DRIVE_POSITION;
    acts.target.expression = "1";
    acts.drive_stiffness = k;
    acts.drive_damping = c;
    add_wheel(&w, m, r, &acts);
    cairn_settings settings = on_device(h, 10);
    world_start(&w, &settings);
    double q = 0, rate = 0;
    for (int i = 0; i < 150; ++i)
    {
        rate = (J * rate - h * k * (q - 1)) / (J + h * h * k + h * c);
        q += h * rate;
    }
    device_take(&w, 150);
    cairn_joint_state at = cairn_simulation_joint_state(w.simulation, nth_joint(w.simulation, 0));
    assert_near(at.coordinate[0], q, 1e-4);
    assert_near(at.rate[0], rate, 1e-3);
    world_free(&w);
}

/* ----------------------------------------------------------------------------------------------------------- rover */

/* A frame on four driven balls rolls on a floor: at the speed of its wheels' rims once they turn as fast as they are told, with the
 * wheels where they were, and with an account of energies that closes. */
static void rover_rolls(void **state)
{
    (void)state;
    const double r = 0.1, spin = 6, h = 0.004;
    world w = world_new(3);
    cairn_material rubber = add_material(w.model, "rubber", 0.8, 0);
    const double place[4][3] = {{0.3, 0.25, r}, {0.3, -0.25, r}, {-0.3, 0.25, r}, {-0.3, -0.25, r}};
    char name[24];
    add_ground(w.model, rubber);
    add_box(w.model, "frame", 8, (double[3]){0.8, 0.3, 0.1}, (double[3]){0, 0, 0.15}, rubber);
    cairn_coordinate_options acts = cairn_coordinate_default();
    acts.drive = CAIRN_DRIVE_SPEED;
    acts.target.expression = "6*min(1, 2*t)";
    acts.drive_limit = 20;
    for (int i = 0; i < 4; ++i)
    {
        snprintf(name, sizeof name, "wheel%d", i);
        add_ball(w.model, name, 1, r, place[i], rubber);
        cairn_joint joint = join(w.model, CAIRN_JOINT_REVOLUTE, "frame", name, place[i], (double[3]){0, 1, 0});
        assert_int_equal(cairn_model_set_coordinate(w.model, joint, "angle", &acts), CAIRN_OK);
    }
    cairn_settings settings = on_device(h, 60);
    settings.certify_every = 1;
    world_start(&w, &settings);
    device_take(&w, 400);
    cairn_body_state frame = world_body(&w, "frame");
    assert_near(frame.velocity[0], spin * r, 0.01 * spin * r);
    assert_near(frame.velocity[1], 0, 1e-3);
    assert_near(frame.position[2], 0.15, 1e-3);
    for (int i = 0; i < 4; ++i)
    {
        snprintf(name, sizeof name, "wheel%d", i);
        cairn_body_state wheel = world_body(&w, name);
        const double wanted[3] = {frame.position[0] + place[i][0], frame.position[1] + place[i][1], r};
        assert_near(distance(wheel.position, wanted), 0, 2e-3);
    }
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_true(e.work_joints > 0.5 * 12 * spin * r * spin * r * 0.9);
    assert_near(e.balance_error, 0, 1e-3 * e.work_joints);
    assert_true(cairn_simulation_report(w.simulation)->solver.certificate.relative < 0.02);
    world_free(&w);
}

/* -------------------------------------------------------------------------------------------------------- refusals */

static void says_what_it_cannot(void **state)
{
    (void)state;
    const struct
    {
        double restitution, coefficient, power;
        const char *words;
    } cases[] = {{0.5, 0, INFINITY, "joint 'wheel' has an end that bounces"},
                 {0, 0.1, INFINITY, "joint 'wheel' has friction in proportion to its load"},
                 {0, 0, 3, "joint 'wheel' has a drive with a power"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        world w = world_new(3);
        cairn_coordinate_options acts = cairn_coordinate_default();
        acts.restitution = cases[i].restitution;
        acts.upper = 1;
        acts.friction_coefficient = cases[i].coefficient;
        acts.friction_radius = cases[i].coefficient > 0 ? 0.02 : 0;
        acts.drive = isinf(cases[i].power) ? CAIRN_DRIVE_NONE : CAIRN_DRIVE_SPEED;
        acts.drive_power = cases[i].power;
        acts.target.expression = isinf(cases[i].power) ? NULL : "1";
        add_wheel(&w, 1, 0.2, &acts);
        cairn_settings settings = on_device(0.01, 10);
        assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &w.simulation), CAIRN_UNSUPPORTED);
        const char *text = cairn_context_message(w.context, 0).text;
        if (!strstr(text, cases[i].words))
            fail_msg("no '%s' in '%s'", cases[i].words, text);
        world_free(&w);
    }
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_as_on_the_processor),
        cmocka_unit_test(motor_spins_up),
        cmocka_unit_test(wheel_stops),
        cmocka_unit_test(chain_to_a_tolerance),
        cmocka_unit_test(reactions_are_known),
        cmocka_unit_test(drive_with_gains),
        cmocka_unit_test(rover_rolls),
        cmocka_unit_test(says_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
