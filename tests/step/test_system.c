/* A user's own system by callbacks, against the same mechanics built from bodies and against closed forms. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

/* ---------------------------------------------------------------- a point on a table: the same as a point mass */

static void point_mass(void *data, const double *q, double *M)
{
    (void)q;
    M[0] = M[3] = *(const double *)data;
}

static void point_force(void *data, double t, const double *q, const double *v, double *k)
{
    (void)q;
    (void)v;
    k[0] = 20 * cos(t);
    k[1] = -9.81 * *(const double *)data;
}

static void point_gap(void *data, const double *q, double *phi, double *gradient, double *tangents)
{
    (void)data;
    phi[0] = q[1];
    gradient[1] = 1;
    tangents[0] = -1; /* z x normal, as the planar contact frame has it */
}

static void same_as_a_point_mass(void **state)
{
    (void)state;
    double mass = 2, q[2] = {0, 0.3};
    world w = world_new(2);
    cairn_system_options o = {
        .struct_size = sizeof o, .name = "point", .n = 2, .q = q, .gap_count = 1, .tangent_count = 1, .friction = 0.4};
    o.data = &mass;
    o.mass = point_mass;
    o.force = point_force;
    o.gaps = point_gap;
    cairn_system system;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);

    world bodies = world_new(2);
    cairn_material rough = add_material(bodies.model, "rough", 0.4, 0);
    add_ground(bodies.model, rough);
    cairn_body body = add_point(bodies.model, "point", mass, 0, 0.3, rough);
    cairn_force_options f = cairn_force_default();
    f.name = "push";
    f.body = body;
    f.force[0] = "20*cos(t)";
    cairn_force out;
    assert_int_equal(cairn_model_add_force(bodies.model, &f, &out), CAIRN_OK);
    world_start(&bodies, &settings);
    for (int i = 0; i < 500; ++i)
    {
        world_step(&w);
        world_step(&bodies);
        const double *sq, *sv;
        cairn_simulation_system(w.simulation, system, &sq, &sv);
        cairn_body_state b = cairn_simulation_body(bodies.simulation, body);
        for (int k = 0; k < 2; ++k)
        {
            assert_near(sq[k], b.position[k], 1e-12);
            assert_near(sv[k], b.velocity[k], 1e-12);
        }
    }
    cairn_energy a = cairn_simulation_energy(w.simulation), b = cairn_simulation_energy(bodies.simulation);
    assert_near(a.kinetic, b.kinetic, 1e-10);
    assert_near(a.work_friction, b.work_friction, 1e-10);
    assert_near(a.balance_error, 0, 1e-10);
    world_free(&w);
    world_free(&bodies);
}

/* ----------------------------------------------------- a pendulum in Cartesian coordinates: one nonlinear joint */

static void unit_mass(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = M[3] = 1;
}

static void weight(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    (void)t;
    (void)q;
    (void)v;
    k[1] = -9.81;
}

static void circle(void *data, const double *q, double *theta, double *gradient)
{
    (void)data;
    theta[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
    gradient[0] = q[0];
    gradient[1] = q[1];
}

static double height(void *data, const double *q)
{
    (void)data;
    return 9.81 * q[1];
}

/* Angle of the pendulum at t = 1, by RK4 on phi'' = -g sin(phi). */
static double true_angle(void)
{
    double phi = 1, rate = 0, h = 1e-4;
    for (int i = 0; i < 10000; ++i)
    {
        double k1 = -9.81 * sin(phi), k2 = -9.81 * sin(phi + h / 2 * rate);
        double k3 = -9.81 * sin(phi + h / 2 * (rate + h / 2 * k1)), k4 = -9.81 * sin(phi + h * (rate + h / 2 * k2));
        phi += h * rate + h * h / 6 * (k1 + k2 + k3);
        rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return phi;
}

static double pendulum_error(double h, cairn_stabilisation stabilisation, double *joint, double *energy)
{
    double q[2] = {sin(1), -cos(1)};
    world w = world_new(2);
    cairn_system_options o = {.struct_size = sizeof o, .name = "pendulum", .n = 2, .q = q, .joint_count = 1};
    o.mass = unit_mass;
    o.force = weight;
    o.joints = circle;
    o.potential = height;
    cairn_system system;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.stabilisation = stabilisation;
    world_start(&w, &settings);
    world_run(&w, (int)lround(1 / h));
    const double *sq, *sv;
    cairn_simulation_system(w.simulation, system, &sq, &sv);
    double error = fabs(atan2(sq[0], -sq[1]) - true_angle());
    *joint = cairn_simulation_report(w.simulation)->joint_error;
    *energy = cairn_simulation_energy(w.simulation).balance_error;
    world_free(&w);
    return error;
}

static void pendulum_is_first_order(void **state)
{
    (void)state;
    for (int stabilisation = CAIRN_STABILISE_NONE; stabilisation <= CAIRN_STABILISE_PROJECT; ++stabilisation)
    {
        double joint[2], balance[2];
        double coarse = pendulum_error(1.0 / 512, (cairn_stabilisation)stabilisation, &joint[0], &balance[0]);
        double fine = pendulum_error(1.0 / 1024, (cairn_stabilisation)stabilisation, &joint[1], &balance[1]);
        print_message("%s: error %.3g, %.3g, ratio %.3f; joint %.2g, %.2g\n",
                      cairn_stabilisation_name((cairn_stabilisation)stabilisation), coarse, fine, coarse / fine,
                      joint[0], joint[1]);
        assert_near(coarse / fine, 2, 0.15);
        assert_near(balance[0], 0, 1e-10);
        if (stabilisation == CAIRN_STABILISE_PROJECT)
            assert_true(joint[0] <= 1e-10);
        if (stabilisation == CAIRN_STABILISE_NONE)
            assert_near(joint[0] / joint[1], 2, 0.3); /* the drift is first order */
    }
}

/* ------------------------------------------------------ stiff forces with their Jacobians, mass that moves with q */

static void varying_mass(void *data, const double *q, double *M)
{
    (void)data;
    M[0] = 2 + sin(q[0]);
}

static void stiff_force(void *data, double t, const double *q, const double *v, double *k)
{
    double gamma = *(const double *)data;
    (void)t;
    k[0] = -gamma * q[0] - 0.5 * cos(q[0]) * v[0] * v[0]; /* Coriolis term of M(q) */
}

static void stiff_q(void *data, double t, const double *q, const double *v, double *k_q)
{
    (void)t;
    (void)q;
    (void)v;
    k_q[0] = -*(const double *)data;
}

/* With its Jacobian a stiff spring stays bounded at any step; without, the explicit scheme blows up. */
static void jacobians_make_it_stable(void **state)
{
    (void)state;
    double gamma = 1e8, q[1] = {0.1};
    for (int implicit = 0; implicit < 2; ++implicit)
    {
        world w = world_new(2);
        cairn_system_options o = {.struct_size = sizeof o, .name = "spring", .n = 1, .q = q, .data = &gamma};
        o.mass = varying_mass;
        o.force = stiff_force;
        o.force_q = stiff_q;
        cairn_system system;
        assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_OK);
        cairn_settings settings = cairn_settings_default();
        settings.integrator = implicit ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        world_start(&w, &settings);
        double largest = 0;
        for (int i = 0; i < 20; ++i)
        {
            cairn_status status = cairn_simulation_step(w.simulation);
            const double *sq, *sv;
            cairn_simulation_system(w.simulation, system, &sq, &sv);
            largest = fmax(largest, fabs(sq[0]));
            assert_true(!implicit || status == CAIRN_OK);
        }
        assert_true(implicit ? largest <= 0.1 : largest > 1e6);
        world_free(&w);
    }
}

static void wrong_systems_are_refused(void **state)
{
    (void)state;
    double q[1] = {0};
    world w = world_new(2);
    cairn_system system;
    cairn_system_options o = {.struct_size = sizeof o, .name = "s", .n = 1, .q = q};
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_INVALID);
    assert_non_null(strstr(cairn_context_last_message(w.context), "system 's': needs a mass callback"));
    o.mass = varying_mass;
    o.gap_count = 1;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_INVALID);
    o.gap_count = 0;
    q[0] = NAN;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_INVALID);
    world_free(&w);
}

static void negative_mass(void *data, const double *q, double *M)
{
    (void)data;
    (void)q;
    M[0] = -1;
}

/* A mass matrix that is not positive definite: an error that says so, and the state stays as it was. */
static void indefinite_mass_is_an_error(void **state)
{
    (void)state;
    double q[1] = {0.5};
    world w = world_new(2);
    cairn_system_options o = {.struct_size = sizeof o, .name = "s", .n = 1, .q = q, .mass = negative_mass};
    cairn_system system;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    assert_int_equal(cairn_simulation_step(w.simulation), CAIRN_NUMERIC);
    const double *sq, *sv;
    cairn_simulation_system(w.simulation, system, &sq, &sv);
    assert_near(sq[0], 0.5, 0);
    assert_near(cairn_simulation_time(w.simulation), 0, 0);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_a_point_mass),        cmocka_unit_test(pendulum_is_first_order),
        cmocka_unit_test(jacobians_make_it_stable),    cmocka_unit_test(wrong_systems_are_refused),
        cmocka_unit_test(indefinite_mass_is_an_error),
    };
    return cmocka_run_group_tests_name("user's systems", tests, NULL, NULL);
}
