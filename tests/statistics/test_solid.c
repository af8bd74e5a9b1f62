/* Solid fraction: balls and discs cut by boxes, balls and cylinders against sums over a fine grid of points, which know nothing of caps and
 * lenses; cubes and clumps, which are measured along lines, against their volumes and stated errors. */
#include "support/check.h"
#include "support/grains.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static world start(world w)
{
    cairn_settings settings = cairn_settings_default();
    settings.initial = CAIRN_INITIAL_KEEP;
    world_start(&w, &settings);
    return w;
}

/* Whether a point lies in a region. */
static bool holds(const cairn_region *region, const turned *t, const double x[3])
{
    double y[3];
    for (int i = 0; i < 3; ++i) /* backwards: by the transposed matrix */
        y[i] = t->R[i] * (x[0] - region->centre[0]) + t->R[3 + i] * (x[1] - region->centre[1]) +
               t->R[6 + i] * (x[2] - region->centre[2]);
    if (region->height > 0)
        return hypot(y[0], y[1]) <= region->radius && fabs(y[2]) <= region->height / 2;
    if (region->radius > 0)
        return sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) <= region->radius;
    bool in = true;
    for (int k = 0; k < t->dimension; ++k)
        in = in && fabs(y[k]) <= region->size[k] / 2;
    return in;
}

/* The share of a ball about x in a region, by points. */
static double by_points(const cairn_region *region, const turned *t, const double x[3], double r)
{
    int in = 0, all = 0, n = IS_SANITIZED ? 60 : 120;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < (t->dimension == 3 ? n : 1); ++k)
            {
                double u[3] = {(2 * i + 1.0) / n - 1, (2 * j + 1.0) / n - 1,
                               t->dimension == 3 ? (2 * k + 1.0) / n - 1 : 0};
                double y[3] = {x[0] + r * u[0], x[1] + r * u[1], x[2] + r * u[2]};
                if (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > 1)
                    continue;
                ++all;
                in += holds(region, t, y);
            }
    return (double)in / all;
}

/* The n-th region of a dimension: a box, a ball or a cylinder about as large as the ball. */
static cairn_region region_of(int which, const turned *t)
{
    cairn_region region =
        box_region(t, (double[3]){0.1, -0.2, t->dimension == 3 ? 0.3 : 0}, 1.2, 0.9, t->dimension == 3 ? 0.7 : 0);
    if (which > 0)
    {
        memset(region.size, 0, sizeof region.size);
        region.radius = 0.55;
        region.height = which == 2 ? 0.8 : 0;
    }
    return region;
}

static void test_cut_balls(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < (IS_SANITIZED ? 20 : 60); ++i)
    {
        int dimension = i % 5 < 2 ? 2 : 3, which = dimension == 2 ? i % 5 : i % 5 - 2;
        turned t = turn_by(dimension, 0.3 * i);
        cairn_region region = region_of(which, &t);
        double r = random_in(&seed, 0.2, 1.1), x[3] = {0};
        for (int k = 0; k < dimension; ++k)
            x[k] = region.centre[k] + random_in(&seed, -0.7, 0.7);
        world w = world_new(dimension);
        add_grain(&w, x, r);
        add_region(&w, "part", &region);
        w = start(w);
        double ball = dimension == 2 ? PI * r * r : 4 * PI / 3 * r * r * r;
        double volume = which == 2   ? PI * 0.55 * 0.55 * 0.8
                        : which == 0 ? (dimension == 2 ? 1.08 : 0.756)
                                     : (dimension == 2 ? PI * 0.55 * 0.55 : 4 * PI / 3 * 0.55 * 0.55 * 0.55);
        double found = read_number(&w, "part.fraction") * volume / ball;
        assert_near(found, by_points(&region, &t, x, r), IS_SANITIZED ? 8e-3 : 4e-3);
        world_free(&w);
    }
}

/* A cube cut through its centre by a plane of any direction: half of it is on either side. */
static void test_cut_cubes(void **state)
{
    (void)state;
    for (int i = 0; i < 6; ++i)
    {
        turned t = turn_by(3, 0.5 * i);
        world w = world_new(3);
        add_box(w.model, "cube", 1, (double[3]){0.6, 0.6, 0.6}, (double[3]){0.2, 0.1, 0.4}, (cairn_material){0});
        double middle[3], off[3] = {0, 0, 1};
        turn_vector(&t, off, middle);
        middle[0] += 0.2;
        middle[1] += 0.1;
        middle[2] += 0.4;
        cairn_region half = box_region(&t, middle, 4, 4, 2);
        add_region(&w, "half", &half);
        w = start(w);
        double error = read_number(&w, "half.fraction_error") * 32, found = read_number(&w, "half.fraction") * 32;
        assert_true(error <= 0.01 * 0.216);
        assert_near(found, 0.108, 3 * error + 2e-3 * 0.216);
        world_free(&w);
    }
}

/* Two balls that overlap count as their union, inside a region and without one edge of it in the way. */
static void test_clump(void **state)
{
    (void)state;
    const double r = 0.5, apart = 0.6;
    world w = world_new(3);
    cairn_body_options options = cairn_body_default();
    options.name = "clump";
    cairn_body body;
    cairn_shape made;
    assert_int_equal(cairn_model_add_body(w.model, &options, &body), CAIRN_OK);
    for (int k = 0; k < 2; ++k)
    {
        cairn_shape_options ball = cairn_shape_default(CAIRN_SPHERE);
        ball.radius = r;
        ball.density = 1;
        ball.position[0] = (k - 0.5) * apart;
        assert_int_equal(cairn_model_add_shape(w.model, body, &ball, &made), CAIRN_OK);
    }
    cairn_region all = {.size = {4, 4, 4}}, right = {.centre = {1, 0, 0}, .size = {2, 4, 4}};
    add_region(&w, "all", &all);
    add_region(&w, "right", &right);
    w = start(w);
    double cap = r - apart / 2, lens = 2 * PI / 3 * cap * cap * (3 * r - cap);
    double whole = 2 * 4 * PI / 3 * r * r * r - lens;
    assert_near(read_number(&w, "all.fraction") * 64, whole, 3 * read_number(&w, "all.fraction_error") * 64 + 5e-3);
    assert_near(read_number(&w, "right.fraction") * 32, whole / 2, 1e-2 * whole);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cut_balls), cmocka_unit_test(test_cut_cubes),
                                       cmocka_unit_test(test_clump)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
