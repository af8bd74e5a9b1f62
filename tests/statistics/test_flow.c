/* Flow through a plane, against counting: grains fall past it at times known in closed form, at steps of several lengths, with crossings on
 * and off the ends of steps; they come back, pass beside a region, and a saved state goes on counting. */
#include "support/check.h"
#include "support/grains.h"

#include <stdio.h>
#include <string.h>

enum
{
    GRAINS = 20
};

static void add_plane(world *w, const char *name, const double point[3], const double normal[3],
                      const cairn_region *region)
{
    cairn_statistic made;
    cairn_statistic_options options = cairn_statistic_default();
    options.name = name;
    memcpy(options.point, point, sizeof options.point);
    memcpy(options.normal, normal, sizeof options.normal);
    if (region)
        options.region = *region;
    assert_int_equal(cairn_model_add_statistic(w->model, &options, &made), CAIRN_OK);
}

/* Grains without gravity that move at 1 m/s towards a plane, the k-th one 0.05 (k + 1) m before it. */
static world drive(int dimension, const turned *t, double step)
{
    world w = world_new(dimension);
    cairn_model_set_gravity(w.model, (double[3]){0});
    for (int k = 0; k < GRAINS; ++k)
    {
        double x[3] = {0.1 * k, -0.05 * (k + 1), 0}, v[3] = {0, 1, 0}, y[3], u[3];
        turn_vector(t, x, y);
        turn_vector(t, v, u);
        cairn_body body = add_grain(&w, y, 0.02 + 0.001 * (k % 5));
        set_motion(&w, body, y, u, (double[3]){0});
    }
    double n[3], centre[3], point[3];
    turn_vector(t, (double[3]){0, 3, 0}, n); /* of any length */
    turn_vector(t, (double[3]){0.45, 0, 0}, centre);
    turn_vector(t, (double[3]){5, 0, 0}, point); /* of the plane, far away */
    cairn_region slot = box_region(t, centre, 1, 0.5, dimension == 3 ? 1 : 0);
    add_plane(&w, "ahead", point, n, NULL);
    add_plane(&w, "slot", point, n, &slot);
    for (int i = 0; i < 3; ++i)
        n[i] = -n[i];
    add_plane(&w, "against", point, n, NULL);
    cairn_settings settings = cairn_settings_default();
    settings.step = step;
    world_start(&w, &settings);
    return w;
}

static double mass_of(int dimension, int k)
{
    const double pi = 3.14159265358979323846;
    double r = 0.02 + 0.001 * (k % 5);
    return dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
}

/* What has passed at time T; `slot`: only where x < 0.95. On the plane counts as passed. */
static double passed(int dimension, double T, bool slot, int *count)
{
    double sum = 0;
    *count = 0;
    for (int k = 0; k < GRAINS; ++k)
        if (T > 0.05 * (k + 1) + 1e-9 && (!slot || 0.1 * k < 0.95))
        {
            sum += mass_of(dimension, k);
            ++*count;
        }
    return sum;
}

static void check_flow(int dimension, double angle, double step)
{
    turned t = turn_by(dimension, angle);
    world w = drive(dimension, &t, step);
    int before = 0, count;
    for (double last = 0; cairn_simulation_time(w.simulation) < 0.9;)
    {
        world_step(&w);
        double T = cairn_simulation_time(w.simulation), mass = passed(dimension, T, false, &count);
        double off = fabs(T / 0.05 - round(T / 0.05)); /* rounding decides about a grain on the plane */
        if (off > 1e-9)
        {
            assert_near(read_number(&w, "ahead.passed"), mass, 1e-12);
            assert_near(read_number(&w, "ahead.passed_bodies"), count, 0);
            assert_near(read_number(&w, "against.passed"), -mass, 1e-12);
            assert_near(read_number(&w, "slot.passed"), passed(dimension, T, true, &count), 1e-12);
        }
        last += read_number(&w, "ahead.flow") * step;
        assert_near(last, read_number(&w, "ahead.passed"), 1e-12);
        before = count;
    }
    assert_true(before > 0);
    world_free(&w);
}

static void test_counting(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int k = 0; k < 3; ++k)
        {
            check_flow(dimension, 1.1 * k, 0.05); /* a crossing at every end of a step */
            check_flow(dimension, 1.1 * k, 0.0371);
            check_flow(dimension, 1.1 * k, 0.31); /* several in a step */
        }
}

/* A ball that bounces through a plane: what comes back is subtracted. */
static void test_return(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_material springy = add_material(w.model, "springy", 0, 1);
    add_ground(w.model, springy);
    add_ball(w.model, "ball", 2, 0.1, (double[3]){0, 0, 1}, springy);
    add_plane(&w, "half", (double[3]){0, 0, 0.5}, (double[3]){0, 0, -1}, NULL);
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    settings.step = 0.013;
    world_start(&w, &settings);
    bool down = false, up = false;
    while (cairn_simulation_time(w.simulation) < 0.8)
    {
        world_step(&w);
        bool below = world_body(&w, "ball").position[2] < 0.5;
        down = down || below;
        up = up || (down && !below);
        assert_near(read_number(&w, "half.passed"), below ? 2 : 0, 1e-12);
    }
    assert_true(down && up);
    world_free(&w);
}

/* A state that is restored counts on from what it had. */
static void test_saved(void **state)
{
    (void)state;
    turned t = turn_by(3, 0.3);
    world w = drive(3, &t, 0.0371);
    world_run(&w, 10);
    cairn_state *kept;
    double then = read_number(&w, "ahead.passed"), flow = read_number(&w, "ahead.flow");
    assert_true(then > 0);
    assert_int_equal(cairn_simulation_save(w.simulation, &kept), CAIRN_OK);
    world_run(&w, 5);
    double later = read_number(&w, "ahead.passed");
    assert_true(later > then);
    assert_int_equal(cairn_simulation_restore(w.simulation, kept), CAIRN_OK);
    assert_near(read_number(&w, "ahead.passed"), then, 0);
    assert_near(read_number(&w, "ahead.flow"), flow, 0);
    world_run(&w, 5);
    assert_near(read_number(&w, "ahead.passed"), later, 0);
    cairn_state_destroy(kept);
    /* one that is added later begins at 0, and does not disturb the others */
    add_plane(&w, "late", (double[3]){0}, (double[3]){0, 0, 1}, NULL);
    world_run(&w, 1);
    assert_true(read_number(&w, "ahead.passed") >= later);
    assert_near(read_number(&w, "late.passed"), 0, 0);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counting), cmocka_unit_test(test_return),
                                       cmocka_unit_test(test_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
