/* Means of motion against sums written here, and surfaces of known slope: cones and planes of grains, whose vertical points anywhere. */
#include "support/check.h"
#include "support/grains.h"

#include <stdio.h>
#include <string.h>

static void test_motion(void **state)
{
    (void)state;
    for (int n = 2; n <= 3; ++n)
    {
        world w = world_new(n);
        cairn_model_set_gravity(w.model, (double[3]){0});
        const double v[4][3] = {{1, 2, 0}, {-1, 0.5, 0}, {3, -2, 0}, {0, 0, 0}}, mass[4] = {1, 2, 3, 4};
        double V[3] = {0}, T = 0, M = 0, square[3][3] = {{0}}, speed = 0;
        for (int k = 0; k < 4; ++k)
        {
            char name[24];
            snprintf(name, sizeof name, "g%d", k);
            cairn_body body = add_ball(w.model, name, mass[k], 0.1, (double[3]){k, 0, 0}, (cairn_material){0});
            double u[3] = {v[k][0], v[k][1], n == 3 ? 0.3 * k : 0}, spin[3] = {0, 0, 2};
            set_motion(&w, body, (double[3]){k, 0, 0}, u, spin);
            if (k == 3)
                continue; /* outside */
            M += mass[k];
            speed += sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 3;
            for (int i = 0; i < 3; ++i)
                V[i] += mass[k] * u[i];
        }
        for (int k = 0; k < 3; ++k)
        {
            double u[3] = {v[k][0] - V[0] / M, v[k][1] - V[1] / M, (n == 3 ? 0.3 * k : 0) - V[2] / M};
            for (int i = 0; i < n; ++i)
            {
                T += mass[k] * u[i] * u[i] / (n * M);
                for (int j = 0; j < n; ++j)
                    square[i][j] += mass[k] * u[i] * u[j];
            }
        }
        cairn_region box = {.centre = {1}, .size = {3, 1, n == 3}};
        add_region(&w, "box", &box);
        cairn_settings settings = cairn_settings_default();
        world_start(&w, &settings);
        double found[9], share[CAIRN_QUANTITY_MOST], inertia = (n == 3 ? 0.4 : 0.5) * 0.01;
        assert_int_equal(read_numbers(&w, "box.velocity", found), n);
        for (int i = 0; i < n; ++i)
            assert_near(found[i], V[i] / M, 1e-13);
        assert_near(read_number(&w, "box.temperature"), T, 1e-13);
        assert_int_equal(read_numbers(&w, "box.kinetic_stress", found), n * n);
        for (int i = 0; i < n * n; ++i)
            assert_near(found[i], square[i / n][i % n] / 3, 1e-12);
        assert_near(read_number(&w, "box.mean_speed"), speed, 1e-13);
        assert_near(read_number(&w, "box.mass"), 6, 1e-13);
        assert_near(read_number(&w, "box.rotation"), 0.5 * 6 * inertia * 4, 1e-13);
        double whole = read_number(&w, "grains.translation") + read_number(&w, "grains.rotation");
        assert_near(whole, cairn_simulation_energy(w.simulation).kinetic, 1e-12);
        /* speeds 0.85, 2.24 and 3.66 times 1/mean: bins of a quarter of the mean */
        assert_int_equal(read_numbers(&w, "box.speed_histogram", share), 16);
        double sum = 0;
        for (int k = 0; k < 3; ++k)
        {
            double u = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + (n == 3 ? 0.09 * k * k : 0));
            assert_true(share[(int)(u / speed * 4)] > 0.3);
        }
        for (int k = 0; k < 16; ++k)
            sum += share[k];
        assert_near(sum, 1, 1e-12);
        world_free(&w);
    }
}

/* Grains whose centres lie on a cone, or on a plane, of a slope; below them others that must not matter. */
static world surface(int dimension, const turned *t, bool cone, double slope, cairn_region *region)
{
    world w = world_new(dimension);
    double up[3] = {0, dimension == 2, dimension == 3}, g[3];
    turn_vector(t, up, g);
    for (int i = 0; i < 3; ++i)
        g[i] *= -3.3;
    cairn_model_set_gravity(w.model, g);
    for (int i = -12; i <= 12; ++i)
        for (int j = dimension == 3 ? -12 : 0; j <= (dimension == 3 ? 12 : 0); ++j)
            for (int deep = 0; deep < 2; ++deep)
            {
                double a = 0.25 * i, b = 0.25 * j, r = hypot(a, b), y[3];
                double z = (cone ? -slope * r : slope * (a + 0.5 * b) / (dimension == 3 ? sqrt(1.25) : 1)) - 0.3 * deep;
                double x[3] = {a, dimension == 3 ? b : z, dimension == 3 ? z : 0};
                if (r > 3)
                    continue;
                turn_vector(t, x, y);
                for (int k = 0; k < 3; ++k)
                    y[k] += 7;
                y[2] = dimension == 3 ? y[2] : 0;
                add_grain(&w, y, 0.1);
            }
    *region = box_region(t, (double[3]){7, 7, dimension == 3 ? 7 : 0}, 20, 20, dimension == 3 ? 20 : 0);
    return w;
}

static void test_surfaces(void **state)
{
    (void)state;
    const double slopes[] = {0.1, 0.45, 1.2};
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int i = 0; i < 3; ++i)
            for (int cone = 0; cone < 2; ++cone)
            {
                turned t = turn_by(dimension, 0.9 * i);
                cairn_region region;
                world w = surface(dimension, &t, cone, slopes[i], &region);
                add_region(&w, "heap", &region);
                cairn_settings settings = cairn_settings_default();
                settings.initial = CAIRN_INITIAL_KEEP;
                world_start(&w, &settings);
                double found = read_number(&w, cone ? "heap.repose" : "heap.slope");
                assert_near(found, atan(slopes[i]), cone ? 1e-9 : 1e-9);
                /* without a region the middle is that of the grains */
                assert_near(read_number(&w, cone ? "grains.repose" : "grains.slope"), found, 1e-9);
                world_free(&w);
            }
}

/* Nothing to measure is NAN, not a number. */
static void test_nothing(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_model_set_gravity(w.model, (double[3]){0});
    add_grain(&w, (double[3]){0}, 1);
    cairn_region far = {.centre = {9}, .radius = 1};
    add_region(&w, "far", &far);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    const char *names[] = {"far.coordination", "far.touching",   "far.backbone",   "far.rattlers", "far.temperature",
                           "far.mean_speed",   "far.mean_force", "far.repose",     "far.slope",    "grains.mean_force",
                           "grains.backbone",  "far.fabric.xy",  "far.velocity.x", "grains.repose"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        assert_true(isnan(read_number(&w, names[i])));
    const char *zeros[] = {"far.bodies",   "far.mass",      "far.contacts",      "far.fraction",
                           "far.pressure", "far.stress.zz", "far.largest_force", "grains.virial.xx"};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; ++i)
        assert_near(read_number(&w, zeros[i]), 0, 0);
    assert_near(read_number(&w, "grains.coordination"), 0, 0);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motion), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
