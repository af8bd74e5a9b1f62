/* The cubic between two states of a body that tumbles freely: positions and turns of fourth order in the length of the step,
 * velocities of third, whatever share of it is asked for. */
#include "support/check.h"
#include "support/worlds.h"

#include "step/simulation.h"

#include <string.h>

static const double INERTIA[3] = {0.2, 0.45, 0.6};

/* q (position, quaternion) and v (linear, angular in the body's frame) of torque-free flight; a force that moves with it keeps the
 * linear part from being trivial: x'' = cos(t + k). */
static void rates(double t, const double *y, double *out)
{
    const double *q = y + 3, *w = y + 10;
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = y[7 + k];
        out[7 + k] = cos(t + k);
        out[10 + k] = (INERTIA[i] - INERTIA[j]) * w[i] * w[j] / INERTIA[k];
        out[4 + k] = 0.5 * (q[0] * w[k] + q[1 + i] * w[j] - q[1 + j] * w[i]);
    }
    out[3] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
}

static void fly(double *y, double end)
{
    static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
    int steps = 400;
    double h = end / steps;
    for (int n = 0; n < steps; ++n)
    {
        double k[13] = {0}, sum[13] = {0}, z[13];
        for (int a = 0; a < 4; ++a)
        {
            for (int j = 0; j < 13; ++j)
                z[j] = y[j] + h * AT[a] * k[j];
            rates((n + AT[a]) * h, z, k);
            for (int j = 0; j < 13; ++j)
                sum[j] += h / 6 * WEIGHT[a] * k[j];
        }
        for (int j = 0; j < 13; ++j)
            y[j] += sum[j];
    }
}

/* Errors of the curve at a share of h: position and turn, linear and angular velocity. */
static void errors_at(cairn_simulation *s, const double *start, double h, double tau, double *where, double *how_fast)
{
    double end[13], truth[13], q[7], v[6];
    memcpy(end, start, sizeof end);
    memcpy(truth, start, sizeof truth);
    fly(end, h);
    fly(truth, tau * h);
    memcpy(s->state.q, start, 7 * sizeof(double));
    memcpy(s->state.v, start + 7, 6 * sizeof(double));
    memcpy(s->trial.q_new, end, 7 * sizeof(double));
    memcpy(s->trial.v_new, end + 7, 6 * sizeof(double));
    crn_hermite(s, h, tau, q, v);
    for (int k = 0; k < 7; ++k)
        *where = fmax(*where, fabs(q[k] - truth[k]));
    for (int k = 0; k < 6; ++k)
        *how_fast = fmax(*how_fast, fabs(v[k] - truth[7 + k]));
}

static void curve_has_its_order(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body_options o = cairn_body_default();
    o.name = "body";
    o.mass = 1;
    memcpy(o.inertia, INERTIA, sizeof INERTIA);
    cairn_body body;
    assert_int_equal(cairn_model_add_body(w.model, &o, &body), CAIRN_OK);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_TRAPEZOID2;
    world_start(&w, &settings);
    static const double SHARES[] = {0.2, 0.37, 0.5, 0.81};
    double start[13] = {0.1, 0.2, 0.3, 0.8, 0.4, -0.2, 0.4, 1, -0.5, 0.7, 2, 3, -2.5};
    double length = sqrt(0.8 * 0.8 + 2 * 0.4 * 0.4 + 0.2 * 0.2), where[2] = {0}, how_fast[2] = {0};
    for (int k = 3; k < 7; ++k)
        start[k] /= length;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 4; ++i)
            errors_at(w.simulation, start, 0.1 / (1 << k), SHARES[i], &where[k], &how_fast[k]);
    double order[2] = {log2(where[0] / where[1]), log2(how_fast[0] / how_fast[1])};
    print_message("positions off by %.1e, order %.2f; velocities by %.1e, order %.2f\n", where[1], order[0],
                  how_fast[1], order[1]);
    assert_true(order[0] > 3.7);
    assert_true(order[1] > 2.7);
    /* the last terms of the turn's series do not change the orders, but make errors some times larger */
    assert_true(where[1] < 1e-6);
    assert_true(how_fast[1] < 1.5e-4);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curve_has_its_order)};
    return cmocka_run_group_tests_name("curve between states", tests, NULL, NULL);
}
