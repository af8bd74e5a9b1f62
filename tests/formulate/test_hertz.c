/* A ball pressed and sheared on a plane of its own material: the patch against Hertz (pressure, approach) and against Cattaneo
 * and Mindlin (traction, shift, the ring that slips), with finer and finer elements. */
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

static const double R = 0.05, E = 1e9, MU = 0.3, P = 10, SHARE = 0.6; /* as in the scene; Poisson's ratio 0 */

/* Integral of sqrt(1 - (r/s)^2) over a square of side rho about (x, y), by Simpson's rule along y of the closed form in x. */
static double cap_over_square(double s, double x, double y, double rho)
{
    enum
    {
        PIECES = 400
    };
    double sum = 0;
    for (int i = 0; i <= PIECES; ++i)
    {
        double v = (y - rho / 2 + rho * i / PIECES) / s, b = 1 - v * v, inner = 0;
        for (int side = -1; side <= 1 && b > 0; side += 2)
        {
            /* antiderivative of sqrt(b - u^2) */
            double root = sqrt(b), u = fmax(-root, fmin(root, (x + side * rho / 2) / s));
            inner += side * 0.5 * (u * sqrt(fmax(0, b - u * u)) + b * asin(u / root));
        }
        sum += inner * (i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2);
    }
    return sum * s * rho / PIECES / 3;
}

typedef struct errors
{
    double approach, pressure, shift, shear;
} errors;

/* Whether a loaded element is where it should be: sticking inside c, slipping outside; nearer than an element all is well. */
static void check_ring(double r, double rho, double c, double normal, double tangential)
{
    bool slips = tangential >= MU * normal * (1 - 1e-6);
    if (normal > 1e-6 * P && r + rho < c)
        assert_false(slips);
    if (normal > 1e-6 * P && r - rho > c)
        assert_true(slips);
}

static errors run_with(int n)
{
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    cairn_parameter elements = {"n", text};
    cairn_settings settings;
    world w = world_load("hertz-mindlin", &settings, &elements, 1);
    world_start(&w, &settings);
    world_run(&w, 21);
    double a = cbrt(3 * P * R * 2 / (4 * E)), c = a * cbrt(1 - SHARE), p0 = 1.5 * P / (M_PI * a * a),
           Q = SHARE * MU * P;
    double shift = 3 * MU * P / (16 * a) * 2 * 2 / (E / 2) * (1 - cbrt((1 - SHARE) * (1 - SHARE))), rho = 2.3 * a / n;
    double normal = 0, tangential = 0, h = settings.step;
    cairn_body_state ball = world_body(&w, "ball");
    errors e = {fabs((R - ball.position[2]) / (a * a / R) - 1), 0, fabs(ball.position[0] / shift - 1), 0};
    assert_int_equal(cairn_simulation_contact_count(w.simulation), n * n);
    for (int i = 0; i < n * n; ++i)
    {
        cairn_contact k = cairn_simulation_contact(w.simulation, i);
        double x = k.offset[0], y = k.offset[1], length = hypot(k.impulse[1], k.impulse[2]) / h;
        double along = fabs(k.impulse[1] * k.tangent[0][0] + k.impulse[2] * k.tangent[1][0]) / h;
        double cap = cap_over_square(a, x, y, rho), inner = cap_over_square(c, x, y, rho);
        e.pressure += fabs(k.impulse[0] / h - p0 * cap) / P;
        e.shear += fabs(along - MU * p0 * (cap - c / a * inner)) / Q;
        normal += k.impulse[0] / h;
        tangential += along;
        check_ring(hypot(x, y), rho, c, k.impulse[0] / h, length);
    }
    assert_near(normal, P, 1e-4 * P);
    assert_near(tangential, Q, 1e-3 * Q);
    world_free(&w);
    print_message("%2d x %-2d  approach %.2e  pressure %.2e  shift %.2e  shear %.2e\n", n, n, e.approach, e.pressure,
                  e.shift, e.shear);
    return e;
}

static void converges_to_hertz_and_mindlin(void **state)
{
    (void)state;
    static const int N[] = {5, 7, 9, 11, 15};
    int count = getenv("CAIRN_LONG") ? 5 : 4;
    errors last = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < count; ++i)
    {
        errors e = run_with(N[i]);
        assert_true(e.pressure < 0.75 * last.pressure && e.shear < 0.75 * last.shear);
        assert_true(e.approach < 0.005 && e.shift < 0.05);
        last = e;
    }
    assert_true(last.pressure < 0.05 && last.shear < 0.12 && last.shift < 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converges_to_hertz_and_mindlin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
