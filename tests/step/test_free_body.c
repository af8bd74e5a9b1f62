/* A free rigid body in space. With (I + h K_c(w)) w+ = I w the step has exact properties:
 *
 *     linear momentum   constant to rounding
 *     kinetic energy    T+ - T = -1/2 |w+ - w|_I^2: never grows
 *     angular momentum  |I w+|^2 = |I w|^2 + h^2 |w+ x I w|^2: grows by O(h^2) a step, O(h) over a time
 *
 * and first order against Euler's equations integrated here by Runge and Kutta's fourth-order method. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static const double INERTIA[3] = {1, 2, 3};

static world racket(double h, const double spin[3], cairn_integrator integrator)
{
    world w = world_new(3);
    double none[3] = {0, 0, 0};
    assert_int_equal(cairn_model_set_gravity(w.model, none), CAIRN_OK);
    cairn_body_options o = cairn_body_default();
    o.name = "racket";
    o.mass = 1.5;
    memcpy(o.inertia, INERTIA, sizeof INERTIA);
    memcpy(o.angular_velocity, spin, sizeof o.angular_velocity);
    o.velocity[0] = 0.3;
    o.velocity[2] = -1.7;
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.step = h;
    settings.integrator = integrator;
    world_start(&w, &settings);
    return w;
}

static void rotate(const double q[4], const double a[3], double out[3])
{
    double t[3] = {2 * (q[2] * a[2] - q[3] * a[1]), 2 * (q[3] * a[0] - q[1] * a[2]), 2 * (q[1] * a[1] - q[2] * a[0])};
    out[0] = a[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = a[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = a[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

static void angular_momentum(const cairn_body_state *s, double L[3])
{
    double body[3];
    for (int k = 0; k < 3; ++k)
        body[k] = INERTIA[k] * s->angular_velocity[k];
    rotate(s->orientation, body, L);
}

static void step_identities_hold(void **state)
{
    (void)state;
    const double spin[3] = {0.3, 5, -0.2}, h = 0.01;
    world w = racket(h, spin, CAIRN_INTEGRATOR_STIFF);
    for (int i = 0; i < 500; ++i)
    {
        cairn_body_state a = world_body(&w, "racket");
        world_step(&w);
        cairn_body_state b = world_body(&w, "racket");
        double T = 0, T_plus = 0, change = 0, L2 = 0, L2_plus = 0;
        double *x = a.angular_velocity, *y = b.angular_velocity;
        double I_x[3], cross[3];
        for (int k = 0; k < 3; ++k)
        {
            T += 0.5 * INERTIA[k] * x[k] * x[k];
            T_plus += 0.5 * INERTIA[k] * y[k] * y[k];
            change += 0.5 * INERTIA[k] * (y[k] - x[k]) * (y[k] - x[k]);
            I_x[k] = INERTIA[k] * x[k];
            L2 += I_x[k] * I_x[k];
            L2_plus += INERTIA[k] * y[k] * INERTIA[k] * y[k];
        }
        cross[0] = y[1] * I_x[2] - y[2] * I_x[1];
        cross[1] = y[2] * I_x[0] - y[0] * I_x[2];
        cross[2] = y[0] * I_x[1] - y[1] * I_x[0];
        double growth = h * h * (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
        assert_near(T_plus - T, -change, 1e-12 * T);
        assert_near(L2_plus - L2, growth, 1e-12 * L2);
        assert_near(b.velocity[0], 0.3, 0);
        assert_near(b.velocity[2], -1.7, 0);
        const double *q = b.orientation;
        assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
    }
    cairn_energy e = cairn_simulation_energy(w.simulation);
    assert_near(e.balance_error, 0, 1e-11);
    assert_near(world_body(&w, "racket").position[2], -1.7 * 5, 1e-11);
    world_free(&w);
}

/* Euler's equations and q' = 1/2 q w by RK4 with a tiny step. */
static void rates(const double y[7], double out[7])
{
    const double *w = y, *q = y + 3;
    out[0] = (INERTIA[1] - INERTIA[2]) * w[1] * w[2] / INERTIA[0];
    out[1] = (INERTIA[2] - INERTIA[0]) * w[2] * w[0] / INERTIA[1];
    out[2] = (INERTIA[0] - INERTIA[1]) * w[0] * w[1] / INERTIA[2];
    out[3] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    out[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

static void integrate(double y[7], double time, int steps)
{
    double h = time / steps;
    for (int i = 0; i < steps; ++i)
    {
        double k[4][7], z[7];
        static const double at[4] = {0, 0.5, 0.5, 1};
        for (int s = 0; s < 4; ++s)
        {
            for (int j = 0; j < 7; ++j)
                z[j] = y[j] + (s > 0 ? h * at[s] * k[s - 1][j] : 0);
            rates(z, k[s]);
        }
        for (int j = 0; j < 7; ++j)
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

/* Distance of spin and of the turned axes from the truth at time 2. */
static double error_at_2(double h, cairn_integrator integrator)
{
    const double spin[3] = {0.5, 2, 0.4};
    world w = racket(h, spin, integrator);
    world_run(&w, (int)lround(2 / h));
    cairn_body_state s = world_body(&w, "racket");
    double y[7] = {spin[0], spin[1], spin[2], 1, 0, 0, 0};
    integrate(y, 2, 20000);
    double error = 0;
    for (int k = 0; k < 3; ++k)
    {
        double axis[3] = {k == 0, k == 1, k == 2}, a[3], b[3];
        rotate(s.orientation, axis, a);
        rotate(y + 3, axis, b);
        error = fmax(error, fabs(s.angular_velocity[k] - y[k]));
        for (int i = 0; i < 3; ++i)
            error = fmax(error, fabs(a[i] - b[i]));
    }
    world_free(&w);
    return error;
}

static void order_is_one(void **state)
{
    (void)state;
    for (int integrator = 0; integrator <= CAIRN_INTEGRATOR_STIFF; ++integrator)
    {
        double e[4];
        for (int i = 0; i < 4; ++i)
            e[i] = error_at_2(0.01 / (1 << i), (cairn_integrator)integrator);
        print_message("%s: errors %.3g %.3g %.3g %.3g, ratios %.3f %.3f %.3f\n",
                      cairn_integrator_name((cairn_integrator)integrator), e[0], e[1], e[2], e[3], e[0] / e[1],
                      e[1] / e[2], e[2] / e[3]);
        assert_near(e[2] / e[3], 2, 0.1);
    }
}

/* Angular momentum drifts by O(h) over a time, and its drift halves with h. */
static void angular_momentum_drift_is_first_order(void **state)
{
    (void)state;
    const double spin[3] = {0.5, 2, 0.4};
    double drift[2];
    for (int i = 0; i < 2; ++i)
    {
        world w = racket(0.002 / (1 << i), spin, CAIRN_INTEGRATOR_STIFF);
        cairn_body_state a = world_body(&w, "racket");
        world_run(&w, 1000 << i);
        cairn_body_state b = world_body(&w, "racket");
        double L_a[3], L_b[3];
        angular_momentum(&a, L_a);
        angular_momentum(&b, L_b);
        drift[i] = hypot(L_a[0] - L_b[0], hypot(L_a[1] - L_b[1], L_a[2] - L_b[2]));
        world_free(&w);
    }
    assert_near(drift[0] / drift[1], 2, 0.1);
    assert_true(drift[1] < 0.05);
}

/* The middle axis is unstable: the spin about it changes sign again and again; about the largest it does not. */
static void racket_flips(void **state)
{
    (void)state;
    cairn_settings settings;
    world w = world_load("tennis-racket", &settings, NULL, 0);
    world_start(&w, &settings);
    int flips = 0;
    double last = 1;
    for (int i = 0; i < 20000; ++i)
    {
        world_step(&w);
        double spin = world_body(&w, "racket").angular_velocity[1];
        flips += spin * last < 0;
        last = spin != 0 ? spin : last;
    }
    world_free(&w);
    print_message("the racket flips %d times in 10 s\n", flips);
    assert_true(flips >= 2);

    const double steady[3] = {0.001, 0.001, 5};
    w = racket(0.001, steady, CAIRN_INTEGRATOR_STIFF);
    for (int i = 0; i < 5000; ++i)
    {
        world_step(&w);
        assert_true(world_body(&w, "racket").angular_velocity[2] > 4.99);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_identities_hold),
        cmocka_unit_test(order_is_one),
        cmocka_unit_test(angular_momentum_drift_is_first_order),
        cmocka_unit_test(racket_flips),
    };
    return cmocka_run_group_tests_name("free body", tests, NULL, NULL);
}
