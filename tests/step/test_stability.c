/* What the second-order schemes keep: bounded energy (Theorem 9.1 of Potra et al. 2006), absolute stability, their order under
 * drift correction, adaptive steps, and their price. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = CAIRN_STABILISE_NONE;
    s.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
    s.restitution_threshold = 1e-6;
    return s;
}

/* ----------------------------------------------------------------------------- absolute stability, no constraint */

/* x'' = -k x - c x' for any k, c >= 0 and any h: the energy norm of one step never exceeds 1 by more than rounding. */
static void unconstrained_schemes_are_absolutely_stable(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 300; ++i)
    {
        cairn_integrator integrator = (cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + i % 3);
        double k = pow(10, random_in(&seed, -2, 8)), c = pow(10, random_in(&seed, -2, 6));
        double h = pow(10, random_in(&seed, -4, 1)), m = pow(10, random_in(&seed, -2, 2));
        /* so small that the spring never turns: the equation is linear then */
        double amplitude = fmin(1, 10 / (h * sqrt(k / m)));
        world w = world_new(2);
        double none[3] = {0, 0, 0};
        assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
        cairn_material material = {0};
        cairn_body a = add_point(w.model, "a", m, 1e3 + amplitude * random_in(&seed, -1, 1), 0, material);
        cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
        o.name = "spring";
        o.b.body = a;
        o.stiffness = k;
        o.damping = i % 4 ? c : 0;
        o.rest = 1e3;
        cairn_spring out;
        assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
        cairn_settings settings = settings_for(integrator, h);
        world_start(&w, &settings);
        cairn_body_state s = cairn_simulation_body(w.simulation, a);
        s.velocity[0] = amplitude * random_in(&seed, -1, 1) * sqrt(k / m);
        assert_int_equal(cairn_simulation_set_body(w.simulation, a, &s), CAIRN_OK);
        double energy = cairn_simulation_energy(w.simulation).total;
        for (int n = 0; n < 50; ++n)
        {
            world_step(&w);
            double now = cairn_simulation_energy(w.simulation).total;
            /* the energy norm never grows; positions near 1e3 are only known to 1e-13 */
            assert_true(sqrt(now) <= sqrt(energy) * (1 + 1e-12) + sqrt(k / 2) * 4e-13);
            energy = now;
        }
        world_free(&w);
    }
}

/* Turning dampers of 1e8: bounded with the linearised springs of (10.13)-(10.14), and with stiff2 as it is. */
static void stiff_turning_dampers(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        cairn_settings settings;
        world w = world_load("two-bars-damper-1e8", &settings, NULL, 0);
        settings.integrator = (cairn_integrator)i;
        settings.jacobian = CAIRN_JACOBIAN_LINEAR;
        world_start(&w, &settings);
        double start = cairn_simulation_energy(w.simulation).total;
        for (int n = 0; n < 1000; ++n)
        {
            world_step(&w);
            assert_true(cairn_simulation_energy(w.simulation).total < 1.01 * start);
        }
        world_free(&w);
    }
}

/* ------------------------------------------------------------------------------- Theorem 9.1: bounded kinetic energy */

/* Random planar worlds with springs, joints, friction and bouncing: over a fixed time the kinetic energy has a bound that
 * does not depend on h. */
static world random_world(uint64_t seed)
{
    world w = world_new(2);
    cairn_material material = add_material(w.model, "m", random_in(&seed, 0, 0.8), random_in(&seed, 0, 0.6));
    add_ground(w.model, material);
    cairn_body body[3];
    for (int i = 0; i < 3; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "b%d", i);
        double size[3] = {0.5, 0.3, 1}, position[3] = {i * 1.0, random_in(&seed, 0.4, 1), 0};
        body[i] = add_box(w.model, name, random_in(&seed, 0.5, 2), size, position, material);
    }
    cairn_attachment a = {body[0], {0.2, 0.1, 0}}, b = {body[1], {-0.2, 0.1, 0}};
    add_spring(w.model, "spring", a, b, random_in(&seed, 10, 1000), random_in(&seed, 0, 20) + 0.1);
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "rod";
    o.a = (cairn_attachment){body[1], {0.2, 0, 0}};
    o.b = (cairn_attachment){body[2], {-0.2, 0, 0}};
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    return w;
}

static void kinetic_energy_is_bounded_as_h_falls(void **state)
{
    (void)state;
    int worlds = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        for (int i = 0; i < 3; ++i)
        {
            double highest = 0, start = 0;
            for (int k = 0; k < 3; ++k)
            {
                world w = random_world(seed);
                cairn_settings settings =
                    settings_for((cairn_integrator)(CAIRN_INTEGRATOR_TRAPEZOID + i), 0.01 / (1 << k));
                settings.stabilisation = (cairn_stabilisation)(seed % 3);
                world_start(&w, &settings);
                start = cairn_simulation_energy(w.simulation).total;
                for (int n = 0; n < 100 << k; ++n)
                {
                    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_OK);
                    highest = fmax(highest, cairn_simulation_energy(w.simulation).kinetic);
                }
                world_free(&w);
            }
            /* what gravity and the spring hold at the start is all there is to be had */
            assert_true(highest <= 1.1 * start);
            ++worlds;
        }
    }
    print_message("kinetic energy stayed below the total at the start in %d worlds\n", worlds);
}

/* --------------------------------------------------------------------------- drift corrected, order and energy kept */

static void pendulum_rates(const double y[2], double out[2])
{
    out[0] = y[1];
    out[1] = -9.81 * sin(y[0]);
}

static double true_angle(double time)
{
    double y[2] = {2, 0}, h = time / 20000;
    for (int i = 0; i < 20000; ++i)
    {
        double k[4][2], z[2];
        static const double at[4] = {0, 0.5, 0.5, 1};
        for (int s = 0; s < 4; ++s)
        {
            z[0] = y[0] + (s ? h * at[s] * k[s - 1][0] : 0);
            z[1] = y[1] + (s ? h * at[s] * k[s - 1][1] : 0);
            pendulum_rates(z, k[s]);
        }
        y[0] += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        y[1] += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
    }
    return y[0];
}

static void drift_correction_keeps_order_and_energy(void **state)
{
    (void)state;
    double truth = true_angle(2);
    for (int integrator = CAIRN_INTEGRATOR_TRAPEZOID2; integrator <= CAIRN_INTEGRATOR_STIFF2; ++integrator)
    {
        for (int stabilisation = CAIRN_STABILISE_NONE; stabilisation <= CAIRN_STABILISE_PROJECT; ++stabilisation)
        {
            double error[2], drift = 0, gained = 0;
            for (int k = 0; k < 2; ++k)
            {
                world w = world_new(2);
                cairn_material none = {0};
                cairn_body a = add_point(w.model, "bob", 1, sin(2), -cos(2), none);
                cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
                o.name = "rod";
                o.b.body = a;
                cairn_joint out;
                assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
                cairn_settings settings = settings_for((cairn_integrator)integrator, 1.0 / (256 << k));
                settings.stabilisation = (cairn_stabilisation)stabilisation;
                world_start(&w, &settings);
                double start = cairn_simulation_energy(w.simulation).total;
                drift = gained = 0;
                for (int n = 0; n < 512 << k; ++n)
                {
                    world_step(&w);
                    const cairn_step_report *report = cairn_simulation_report(w.simulation);
                    drift = fmax(drift, report->joint_error);
                    gained = fmax(gained, report->energy.total - start);
                }
                double *p = world_body(&w, "bob").position;
                error[k] = fabs(atan2(p[0], -p[1]) - truth);
                world_free(&w);
            }
            print_message("%-10s %-8s order %.2f, drift %.1e, energy gained at most %.1e\n",
                          cairn_integrator_name((cairn_integrator)integrator),
                          cairn_stabilisation_name((cairn_stabilisation)stabilisation), log2(error[0] / error[1]),
                          drift, gained);
            assert_true(log2(error[0] / error[1]) > 1.8);
            assert_true(gained < 2e-3);
            assert_true(stabilisation != CAIRN_STABILISE_PROJECT || drift <= 1e-10);
        }
    }
}

/* ------------------------------------------------------------------------------ a rod that lands on one end */

/* A tilted rod falls, its lower end hits a rough floor and slides on it: no closed form, so errors against a fine run. */
static double rod(cairn_integrator integrator, double h, double *x)
{
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", 0.3, 0);
    add_ground(w.model, rough);
    cairn_body_options o = cairn_body_default();
    o.name = "rod";
    o.mass = 1;
    o.angle = 1.2;
    o.position[1] = 0.5 * sin(1.2) + 0.02;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_shape_options bar = cairn_shape_default(CAIRN_SEGMENT);
    double ends[4] = {-0.5, 0, 0.5, 0};
    bar.vertices = ends;
    bar.vertex_count = 2;
    bar.material = rough;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, body, &bar, &shape), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    world_run(&w, (int)lround(0.5 / h));
    cairn_body_state s = cairn_simulation_body(w.simulation, body);
    x[0] = s.position[0];
    x[1] = s.position[1];
    x[2] = s.angle;
    double time = cairn_simulation_time(w.simulation);
    world_free(&w);
    return time;
}

static void rod_with_an_impact_and_friction(void **state)
{
    (void)state;
    double truth[3];
    rod(CAIRN_INTEGRATOR_STIFF2, 0.5 / 8192, truth);
    for (int i = CAIRN_INTEGRATOR_EULER; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        double e[3];
        for (int k = 0; k < 3; ++k)
        {
            double x[3];
            rod((cairn_integrator)i, 0.5 / (64 << k), x);
            e[k] = fabs(x[0] - truth[0]) + fabs(x[1] - truth[1]) + fabs(x[2] - truth[2]);
        }
        double order = 0.5 * log2(e[0] / e[2]);
        print_message("rod %-10s %.2e %.2e %.2e order %.2f\n", cairn_integrator_name((cairn_integrator)i), e[0], e[1],
                      e[2], order);
        assert_true(order > (i == CAIRN_INTEGRATOR_TRAPEZOID2 || i == CAIRN_INTEGRATOR_STIFF2 ? 1.7 : 0.7));
    }
}

/* ---------------------------------------------------------------------------------------- adaptive steps, and price */

static double pendulum_end(const cairn_settings *settings, double time, int *problems)
{
    world w = world_new(2);
    cairn_material none = {0};
    cairn_body a = add_point(w.model, "bob", 1, sin(2), -cos(2), none);
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "rod";
    o.b.body = a;
    cairn_joint out;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    world_start(&w, settings);
    *problems = 0;
    for (int n = 0; n < (int)lround(time / settings->step); ++n)
    {
        world_step(&w);
        *problems += cairn_simulation_report(w.simulation)->problems;
    }
    double *p = world_body(&w, "bob").position;
    double error = fabs(atan2(p[0], -p[1]) - true_angle(time));
    world_free(&w);
    return error;
}

static void error_tolerance_chooses_the_steps(void **state)
{
    (void)state;
    double last_error = 1;
    int last_problems = 0;
    for (int k = 4; k <= 10; k += 2)
    {
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_STIFF2, 0.5);
        settings.error_tolerance = pow(10, -k);
        int problems;
        double error = pendulum_end(&settings, 2, &problems);
        print_message("tolerance %.0e: error %.2e with %d problems\n", settings.error_tolerance, error, problems);
        assert_true(error < last_error && problems > last_problems);
        /* errors of positions add up over the parts: near the tolerance times their number, no more than 100 times that */
        assert_true(error < 100 * settings.error_tolerance * problems);
        last_error = error;
        last_problems = problems;
    }
    assert_true(last_error < 1e-5);
    world w = world_new(2);
    cairn_settings wrong = settings_for(CAIRN_INTEGRATOR_STIFF, 0.01);
    wrong.error_tolerance = 1e-6;
    assert_int_equal(cairn_settings_check(w.context, &wrong), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "stiff2"));
    world_free(&w);
}

/* One problem a step when nothing happens; and at an error of 1e-5 second order is at least 20 times cheaper. */
static void price(void **state)
{
    (void)state;
    static const int EACH[] = {1, 1, 1, 1, 2};
    double work_at[5];
    for (int i = 0; i < 5; ++i)
    {
        cairn_settings settings = settings_for((cairn_integrator)i, 1.0 / 1024);
        int problems;
        double error = pendulum_end(&settings, 2, &problems);
        assert_int_equal(problems, 2048 * EACH[i]);
        double order = i == CAIRN_INTEGRATOR_TRAPEZOID2 || i == CAIRN_INTEGRATOR_STIFF2 ? 2 : 1;
        work_at[i] = problems * pow(error / 1e-5, 1 / order); /* by its order, from a step where it is clean */
        print_message("%-10s error %.2e with %d problems: %.0f problems for 1e-5\n",
                      cairn_integrator_name((cairn_integrator)i), error, problems, work_at[i]);
    }
    assert_true(work_at[CAIRN_INTEGRATOR_STIFF] / work_at[CAIRN_INTEGRATOR_TRAPEZOID2] > 20);
    assert_true(work_at[CAIRN_INTEGRATOR_STIFF] / work_at[CAIRN_INTEGRATOR_STIFF2] > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unconstrained_schemes_are_absolutely_stable),
        cmocka_unit_test(stiff_turning_dampers),
        cmocka_unit_test(kinetic_energy_is_bounded_as_h_falls),
        cmocka_unit_test(drift_correction_keeps_order_and_energy),
        cmocka_unit_test(rod_with_an_impact_and_friction),
        cmocka_unit_test(error_tolerance_chooses_the_steps),
        cmocka_unit_test(price),
    };
    return cmocka_run_group_tests_name("stability", tests, NULL, NULL);
}
