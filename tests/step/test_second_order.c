/* Observed orders of every integrator on smooth motions, against closed forms or Runge and Kutta's method done here:
 *
 *     double pendulum (nonlinear joints), a body on a turning spring, a free body with three inertias, a damped oscillator,
 *     a block that slides with contact and friction, a mass matrix that moves with q
 */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

enum
{
    INTEGRATORS = 5,
    LEVELS = 4
};

static cairn_settings settings_for(int integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = (cairn_integrator)integrator;
    s.step = h;
    s.events = false;
    s.stabilisation = CAIRN_STABILISE_NONE;
    return s;
}

/* Errors at h, h/2, h/4, h/8 and the order they show; checked against what the integrator promises. */
static void check_orders(const char *name, double (*error)(int integrator, double h), double h,
                         const double expected[INTEGRATORS])
{
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        double e[LEVELS];
        for (int k = 0; k < LEVELS; ++k)
            e[k] = error(i, h / (1 << k));
        double order = log2(e[LEVELS - 2] / e[LEVELS - 1]);
        print_message("%-18s %-11s errors %.2e %.2e %.2e %.2e  order %.2f\n", name,
                      cairn_integrator_name((cairn_integrator)i), e[0], e[1], e[2], e[3], order);
        assert_true(order > expected[i] - 0.2);
    }
}

/* y' = f(y) by the classical fourth-order method */
static void runge_kutta(void (*f)(const double *y, double *out), double *y, int n, double time, int steps)
{
    double h = time / steps;
    for (int i = 0; i < steps; ++i)
    {
        static const double at[4] = {0, 0.5, 0.5, 1};
        double k[4][8], z[8];
        for (int s = 0; s < 4; ++s)
        {
            for (int j = 0; j < n; ++j)
                z[j] = y[j] + (s > 0 ? h * at[s] * k[s - 1][j] : 0);
            f(z, k[s]);
        }
        for (int j = 0; j < n; ++j)
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

/* -------------------------------------------------------------------------- double pendulum, before it hits a wall */

static void pendulum_rates(const double *y, double *out)
{
    double d = y[0] - y[1], g = 9.81;
    double r1 = -sin(d) * y[3] * y[3] - 2 * g * sin(y[0]), r2 = sin(d) * y[2] * y[2] - g * sin(y[1]);
    double c = cos(d), det = 2 - c * c;
    out[0] = y[2];
    out[1] = y[3];
    out[2] = (r1 - c * r2) / det;
    out[3] = (2 * r2 - c * r1) / det;
}

static double double_pendulum(int integrator, double h)
{
    double y[4] = {M_PI / 3, M_PI / 5, 0, 0};
    world w = world_new(2);
    cairn_material none = {0};
    double x1 = sin(y[0]), y1 = -cos(y[0]), x2 = x1 + sin(y[1]), y2 = y1 - cos(y[1]);
    cairn_body a = add_point(w.model, "a", 1, x1, y1, none), b = add_point(w.model, "b", 1, x2, y2, none);
    cairn_joint out;
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "upper";
    o.b.body = a;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    o.name = "lower";
    o.a.body = a;
    o.b.body = b;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    world_run(&w, (int)lround(0.5 / h));
    runge_kutta(pendulum_rates, y, 4, 0.5, 5000);
    double *p = world_body(&w, "b").position;
    double error = hypot(p[0] - sin(y[0]) - sin(y[1]), p[1] + cos(y[0]) + cos(y[1]));
    world_free(&w);
    return error;
}

static void nonlinear_joints(void **state)
{
    (void)state;
    /* scheme I is of first order here, as the errata say */
    const double expected[INTEGRATORS] = {1, 1, 1, 2, 2};
    check_orders("double pendulum", double_pendulum, 1.0 / 128, expected);
}

/* --------------------------------------------------------------- a body that swings and turns on a spring and damper */

static void swing_rates(const double *y, double *out)
{
    /* point mass 1 at (x, y) on a spring k = 60, damper 1.5, rest 1, hung at the origin */
    double length = hypot(y[0], y[1]), n[2] = {y[0] / length, y[1] / length};
    double force = -60 * (length - 1) - 1.5 * (n[0] * y[2] + n[1] * y[3]);
    out[0] = y[2];
    out[1] = y[3];
    out[2] = force * n[0];
    out[3] = force * n[1] - 9.81;
}

static double swinging_spring(int integrator, double h)
{
    double y[4] = {1.1, 0, 0, 1};
    world w = world_new(2);
    cairn_material none = {0};
    cairn_body a = add_point(w.model, "a", 1, y[0], y[1], none);
    cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
    o.name = "spring";
    o.b.body = a;
    o.stiffness = 60;
    o.damping = 1.5;
    o.rest = 1;
    cairn_spring out;
    assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, a);
    s.velocity[1] = 1;
    assert_int_equal(cairn_simulation_set_body(w.simulation, a, &s), CAIRN_OK);
    world_run(&w, (int)lround(1 / h));
    runge_kutta(swing_rates, y, 4, 1, 5000);
    s = cairn_simulation_body(w.simulation, a);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(e.balance_error, 0, 1e-11);
    double error =
        hypot(s.position[0] - y[0], s.position[1] - y[1]) + hypot(s.velocity[0] - y[2], s.velocity[1] - y[3]);
    world_free(&w);
    return error;
}

static void turning_springs(void **state)
{
    (void)state;
    const double expected[INTEGRATORS] = {1, 1, 2, 2, 2};
    check_orders("swinging spring", swinging_spring, 1.0 / 256, expected);
}

/* The linearised spring of Potra et al. 2006, eq. 10.13-10.14, costs the trapezoidal schemes an order when the spring turns. */
static void linear_jacobian_loses_the_order(void **state)
{
    (void)state;
    double e[2];
    for (int i = 0; i < 2; ++i)
    {
        double h = 1.0 / (512 << i), y[4] = {1.1, 0, 0, 0};
        world w = world_new(2);
        cairn_material none = {0};
        cairn_body a = add_point(w.model, "a", 1, y[0], y[1], none);
        cairn_spring_options o = cairn_spring_default(CAIRN_SPRING_LINEAR);
        o.name = "spring";
        o.b.body = a;
        o.stiffness = 60;
        o.damping = 1.5;
        o.rest = 1;
        cairn_spring out;
        assert_int_equal(cairn_model_add_spring(w.model, &o, &out), CAIRN_OK);
        cairn_settings settings = settings_for(CAIRN_INTEGRATOR_TRAPEZOID, h);
        settings.jacobian = CAIRN_JACOBIAN_LINEAR;
        world_start(&w, &settings);
        world_run(&w, (int)lround(1 / h));
        runge_kutta(swing_rates, y, 4, 1, 5000);
        cairn_body_state s = cairn_simulation_body(w.simulation, a);
        e[i] = hypot(s.position[0] - y[0], s.position[1] - y[1]);
        world_free(&w);
    }
    assert_near(log2(e[0] / e[1]), 1, 0.2);
}

/* ----------------------------------------------------------------------------- free body with three inertias */

static void euler_rates(const double *y, double *out)
{
    const double I[3] = {1, 2, 3}, *w = y, *q = y + 3;
    out[0] = (I[1] - I[2]) * w[1] * w[2] / I[0];
    out[1] = (I[2] - I[0]) * w[2] * w[0] / I[1];
    out[2] = (I[0] - I[1]) * w[0] * w[1] / I[2];
    out[3] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    out[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

static double free_body(int integrator, double h)
{
    double y[7] = {0.5, 2, 0.4, 1, 0, 0, 0};
    world w = world_new(3);
    double none[3] = {0, 0, 0};
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    cairn_body_options o = cairn_body_default();
    o.name = "racket";
    o.mass = 1;
    o.inertia[0] = 1;
    o.inertia[1] = 2;
    o.inertia[2] = 3;
    memcpy(o.angular_velocity, y, sizeof o.angular_velocity);
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    world_run(&w, (int)lround(2 / h));
    runge_kutta(euler_rates, y, 7, 2, 10000);
    cairn_body_state s = cairn_simulation_body(w.simulation, body);
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(e.balance_error, 0, 1e-11);
    double error = 0;
    for (int k = 0; k < 3; ++k)
        error += fabs(s.angular_velocity[k] - y[k]) + fabs(s.orientation[k] - y[3 + k]);
    world_free(&w);
    return error;
}

static void three_inertias(void **state)
{
    (void)state;
    const double expected[INTEGRATORS] = {1, 1, 2, 2, 2};
    check_orders("free body", free_body, 1.0 / 64, expected);
}

/* ------------------------------------------------------------------ sliding with friction under a changing force */

/* A block pushed by 20 + 8 sin(3t) N against friction 0.4 of its weight: it slides all the time. */
static double sliding_block(int integrator, double h)
{
    world w = world_new(2);
    cairn_material rough = add_material(w.model, "rough", 0.4, 0);
    add_ground(w.model, rough);
    cairn_body a = add_point(w.model, "a", 2, 0, 0, rough);
    cairn_force_options f = cairn_force_default();
    f.name = "push";
    f.body = a;
    f.force[0] = "20 + 8*sin(3*t)";
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &f, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    world_run(&w, (int)lround(1 / h));
    cairn_body_state s = cairn_simulation_body(w.simulation, a);
    double a0 = 10 - 0.4 * 9.81;
    double v = a0 + 4 * (1 - cos(3)) / 3, x = a0 / 2 + 4 * (1 - sin(3) / 3) / 3;
    double error = fabs(s.position[0] - x) + fabs(s.velocity[0] - v);
    assert_near(s.position[1], 0, 1e-12);
    world_free(&w);
    return error;
}

static void contact_with_friction(void **state)
{
    (void)state;
    const double expected[INTEGRATORS] = {1, 1, 2, 2, 2};
    check_orders("sliding block", sliding_block, 1.0 / 32, expected);
}

/* ----------------------------------------------------------------------- users' systems: forces in v, mass in q */

static void system_mass(void *data, const double *q, double *M)
{
    (void)data;
    M[0] = 2 + sin(q[0]);
}

static void system_force(void *data, double t, const double *q, const double *v, double *k)
{
    (void)data;
    (void)t;
    k[0] = -9 * q[0] - 0.3 * v[0] * fabs(v[0]) - 0.5 * cos(q[0]) * v[0] * v[0];
}

static void system_force_q(void *data, double t, const double *q, const double *v, double *k_q)
{
    (void)data;
    (void)t;
    k_q[0] = -9 + 0.5 * sin(q[0]) * v[0] * v[0];
}

static void system_force_v(void *data, double t, const double *q, const double *v, double *k_v)
{
    (void)data;
    (void)t;
    k_v[0] = -0.6 * fabs(v[0]) - cos(q[0]) * v[0];
}

static void system_rates(const double *y, double *out)
{
    double k;
    system_force(NULL, 0, y, y + 1, &k);
    out[0] = y[1];
    out[1] = k / (2 + sin(y[0]));
}

static double own_system_with(int integrator, double h, cairn_mass mass)
{
    double y[2] = {1, 0.5};
    world w = world_new(2);
    cairn_system_options o = {.struct_size = sizeof o, .name = "s", .n = 1, .q = y, .v = y + 1};
    o.mass = system_mass;
    o.force = system_force;
    o.force_q = system_force_q;
    o.force_v = system_force_v;
    cairn_system system;
    assert_int_equal(cairn_model_add_system(w.model, &o, &system), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    settings.mass = mass;
    world_start(&w, &settings);
    world_run(&w, (int)lround(1 / h));
    runge_kutta(system_rates, y, 2, 1, 5000);
    const double *q, *v;
    cairn_simulation_system(w.simulation, system, &q, &v);
    double error = fabs(q[0] - y[0]) + fabs(v[0] - y[1]);
    world_free(&w);
    return error;
}

static double own_system(int integrator, double h)
{
    return own_system_with(integrator, h, CAIRN_MASS_MEAN);
}

static void mass_that_moves(void **state)
{
    (void)state;
    const double expected[INTEGRATORS] = {1, 1, 2, 2, 2};
    check_orders("own system", own_system, 1.0 / 32, expected);
    /* the mass of the start alone, as Potra et al. 2006 print it in (6.9), costs the order */
    double coarse = own_system_with(CAIRN_INTEGRATOR_TRAPEZOID, 1.0 / 256, CAIRN_MASS_START);
    double fine = own_system_with(CAIRN_INTEGRATOR_TRAPEZOID, 1.0 / 512, CAIRN_MASS_START);
    assert_near(log2(coarse / fine), 1, 0.2);
}

/* A force by callback that depends on the velocity: stiff2 keeps its order without any Jacobian. */
static void drag(void *data, double t, const cairn_body_state *state, double force[3], double torque[3])
{
    (void)data;
    (void)t;
    (void)torque;
    force[0] = -2 * state->velocity[0] * fabs(state->velocity[0]);
}

static double dragged(int integrator, double h)
{
    world w = world_new(2);
    cairn_material none = {0};
    cairn_body a = add_point(w.model, "a", 1, 0, 0, none);
    cairn_force_options f = cairn_force_default();
    f.name = "drag";
    f.body = a;
    f.function = drag;
    cairn_force out;
    assert_int_equal(cairn_model_add_force(w.model, &f, &out), CAIRN_OK);
    cairn_settings settings = settings_for(integrator, h);
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, a);
    s.velocity[0] = 3;
    assert_int_equal(cairn_simulation_set_body(w.simulation, a, &s), CAIRN_OK);
    world_run(&w, (int)lround(1 / h));
    s = cairn_simulation_body(w.simulation, a);
    double error = fabs(s.velocity[0] - 3 / 7.0) + fabs(s.position[0] - log(7) / 2);
    world_free(&w);
    return error;
}

static void drag_by_callback(void **state)
{
    (void)state;
    const double expected[INTEGRATORS] = {1, 1, 1, 1, 2};
    check_orders("drag", dragged, 1.0 / 64, expected);
}

/* ------------------------------------------------------------------------------------------------- stiff limit */

/* Two masses, damper 1e6 between them, one starts moving: in truth both move together at once. Scheme II rings. */
static double relative_velocity(int integrator)
{
    world w = world_new(2);
    double none[3] = {0, 0, 0};
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    cairn_material material = {0};
    cairn_body a = add_point(w.model, "a", 1, 0, 0, material), b = add_point(w.model, "b", 1, 1, 0, material);
    cairn_attachment from = {a, {0}}, to = {b, {0}};
    add_spring(w.model, "damper", from, to, 0, 1e6);
    cairn_settings settings = settings_for(integrator, 0.01);
    world_start(&w, &settings);
    cairn_body_state s = cairn_simulation_body(w.simulation, a);
    s.velocity[0] = -2;
    assert_int_equal(cairn_simulation_set_body(w.simulation, a, &s), CAIRN_OK);
    world_run(&w, 100);
    double v = world_body(&w, "a").velocity[0] - world_body(&w, "b").velocity[0];
    double momentum = world_body(&w, "a").velocity[0] + world_body(&w, "b").velocity[0];
    assert_near(momentum, -2, 1e-6);
    world_free(&w);
    return fabs(v);
}

static void stiff_limit_is_damped(void **state)
{
    (void)state;
    assert_true(relative_velocity(CAIRN_INTEGRATOR_STIFF) < 1e-9);
    assert_true(relative_velocity(CAIRN_INTEGRATOR_STIFF2) < 1e-9);
    assert_true(relative_velocity(CAIRN_INTEGRATOR_TRAPEZOID2) > 1);
}

/* What sticks has velocity zero, exactly, in the schemes whose law holds at the new velocity. */
static void stiction_is_exact(void **state)
{
    (void)state;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        world w = world_new(2);
        cairn_material rough = add_material(w.model, "rough", 0.8, 0);
        add_ground(w.model, rough);
        cairn_body a = add_point(w.model, "a", 1, 0, 0, rough);
        cairn_force_options f = cairn_force_default();
        f.name = "push";
        f.body = a;
        f.force[0] = "5*cos(t)";
        cairn_force out;
        assert_int_equal(cairn_model_add_force(w.model, &f, &out), CAIRN_OK);
        cairn_settings settings = settings_for(i, 0.01);
        world_start(&w, &settings);
        cairn_body_state s = cairn_simulation_body(w.simulation, a);
        s.velocity[0] = 0.1;
        assert_int_equal(cairn_simulation_set_body(w.simulation, a, &s), CAIRN_OK);
        world_run(&w, 300);
        double v = fabs(world_body(&w, "a").velocity[0]);
        print_message("%s: |v| in stiction %.2g\n", cairn_integrator_name((cairn_integrator)i), v);
        assert_true(i == CAIRN_INTEGRATOR_TRAPEZOID2 || v < 1e-12);
        world_free(&w);
    }
}

/* The impulse told of a step is that of all its stages: a resting body's weight times h, in every scheme. */
static void impulses_of_all_stages(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATORS; ++i)
    {
        world w = world_new(2);
        cairn_material rough = add_material(w.model, "rough", 0.5, 0);
        add_ground(w.model, rough);
        const double size[3] = {1, 0.5, 1}, position[3] = {0, 0.25, 0};
        add_box(w.model, "box", 3, size, position, rough);
        cairn_settings settings = settings_for(i, 0.01);
        world_start(&w, &settings);
        world_run(&w, 5);
        assert_int_equal(cairn_simulation_contact_count(w.simulation), 2);
        double sum =
            cairn_simulation_contact(w.simulation, 0).impulse[0] + cairn_simulation_contact(w.simulation, 1).impulse[0];
        assert_near(sum, 3 * 9.81 * 0.01, 1e-12);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonlinear_joints),
        cmocka_unit_test(turning_springs),
        cmocka_unit_test(linear_jacobian_loses_the_order),
        cmocka_unit_test(three_inertias),
        cmocka_unit_test(contact_with_friction),
        cmocka_unit_test(mass_that_moves),
        cmocka_unit_test(drag_by_callback),
        cmocka_unit_test(stiff_limit_is_damped),
        cmocka_unit_test(stiction_is_exact),
        cmocka_unit_test(impulses_of_all_stages),
    };
    return cmocka_run_group_tests_name("second order", tests, NULL, NULL);
}
