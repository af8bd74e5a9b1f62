/* Moving pictures: the rasteriser hides what lies behind and covers the area that it should; a player shows the nearest
 * frame. */
#include "support/check.h"

#include "cli/draw/raster.h"
#include "cli/film/frame_renderer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 64,
};

static const cli_colour RED = {1.0, 0.0, 0.0, 1.0}, GREEN = {0.0, 1.0, 0.0, 1.0};

/* Black pixels with what was drawn laid over them. */
static void lay_over(const cli_raster *raster, unsigned char pixels[SIDE * SIDE * 4])
{
    memset(pixels, 0, (size_t)SIDE * SIDE * 4);
    cli_raster_lay_over(raster, pixels, SIDE * 4);
}

static double covered(const unsigned char *pixels, int byte)
{
    double sum = 0.0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += pixels[4 * i + byte] / 255.0;
    return sum;
}

/* The area of a triangle in pixels, whichever way it goes round; parts outside of the picture do not count. */
static void test_area(void **state)
{
    (void)state;
    cli_raster raster;
    unsigned char pixels[SIDE * SIDE * 4];
    cli_raster_create(&raster, SIDE, SIDE);
    for (int turn = 0; turn < 2; turn++)
    {
        cli_raster_point p[3] = {{3.2, 4.1, 0, 1}, {60.7, 10.3, 0, 1}, {20.4, 55.9, 0, 1}};
        if (turn == 1)
        {
            cli_raster_point swapped = p[1];
            p[1] = p[2];
            p[2] = swapped;
        }
        double area = 0.5 * fabs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x));
        cli_raster_clear(&raster);
        cli_raster_triangle(&raster, p, RED);
        lay_over(&raster, pixels);
        /* a quarter of a sample along a border of about 160 pixels is far more than the error of the midpoint rule */
        assert_true(fabs(covered(pixels, 2) - area) < 4.0);
        assert_true(covered(pixels, 1) == 0.0);
    }
    cli_raster_clear(&raster);
    cli_raster_triangle(&raster, (cli_raster_point[3]){{-100, -100, 0, 1}, {300, -100, 0, 1}, {-100, 300, 0, 1}}, RED);
    lay_over(&raster, pixels);
    assert_true(fabs(covered(pixels, 2) - SIDE * SIDE) < 1e-9);
    cli_raster_triangle(&raster, (cli_raster_point[3]){{NAN, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}}, GREEN);
    cli_raster_triangle(&raster, (cli_raster_point[3]){{1e300, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, INFINITY, 1}}, GREEN);
    cli_raster_triangle(&raster, (cli_raster_point[3]){{5, 5, 9, 1}, {5, 5, 9, 1}, {5, 5, 9, 1}}, GREEN);
    lay_over(&raster, pixels);
    assert_true(covered(pixels, 1) == 0.0);
    cli_raster_free(&raster);
}

/* Two squares that cut through each other along x = 32: red is nearer on the left, green on the right, in either order. */
static void test_depth(void **state)
{
    (void)state;
    cli_raster raster;
    unsigned char pixels[2][SIDE * SIDE * 4];
    cli_raster_create(&raster, SIDE, SIDE);
    for (int order = 0; order < 2; order++)
    {
        cli_raster_clear(&raster);
        for (int k = 0; k < 2; k++)
        {
            bool red = k == order;
            double tilt = red ? -1.0 : 1.0;
            cli_raster_point q[4] = {
                {0, 0, -32 * tilt, 1}, {64, 0, 32 * tilt, 1}, {64, 64, 32 * tilt, 1}, {0, 64, -32 * tilt, 1}};
            cli_raster_triangle(&raster, q, red ? RED : GREEN);
            cli_raster_triangle(&raster, (cli_raster_point[3]){q[0], q[2], q[3]}, red ? RED : GREEN);
        }
        lay_over(&raster, pixels[order]);
    }
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
        {
            const unsigned char *pixel = pixels[0] + 4 * (y * SIDE + x);
            assert_int_equal(pixel[2], x < 32 ? 255 : 0);
            assert_int_equal(pixel[1], x < 32 ? 0 : 255);
        }
    cli_raster_free(&raster);
}

/* A line covers its length times its thickness, and light is interpolated. */
static void test_line_and_light(void **state)
{
    (void)state;
    cli_raster raster;
    unsigned char pixels[SIDE * SIDE * 4];
    cli_raster_create(&raster, SIDE, SIDE);
    cli_raster_point a = {8, 10, 0, 1}, b = {48, 40, 0, 1};
    cli_raster_line(&raster, a, b, 3.0, RED);
    lay_over(&raster, pixels);
    assert_true(fabs(covered(pixels, 2) - 150.0) < 4.0);
    cli_raster_clear(&raster);
    cli_raster_point q[3] = {{0, 0, 0, 0}, {128, 0, 0, 1}, {0, 128, 0, 0}};
    cli_raster_triangle(&raster, q, RED);
    lay_over(&raster, pixels);
    for (int x = 0; x < SIDE; x++)
        assert_true(fabs(pixels[4 * x + 2] - 255.0 * (x + 0.5) / 128.0) <= 1.0);
    cli_raster_free(&raster);
}

/* After flattening, what is drawn covers what was there, though that was nearer. */
static void a_new_layer_covers_the_old_one(void **state)
{
    (void)state;
    unsigned char pixels[SIDE * SIDE * 4];
    const cli_raster_point far[3] = {{-100, -100, -5, 1}, {300, -100, -5, 1}, {-100, 300, -5, 1}};
    const cli_raster_point near[3] = {{-100, -100, 5, 1}, {300, -100, 5, 1}, {-100, 300, 5, 1}};
    cli_raster raster;
    cli_raster_create(&raster, SIDE, SIDE);
    cli_raster_triangle(&raster, near, RED);
    cli_raster_triangle(&raster, far, GREEN);
    lay_over(&raster, pixels);
    assert_true(pixels[2] > pixels[1]);
    cli_raster_flatten(&raster);
    cli_raster_triangle(&raster, far, GREEN);
    lay_over(&raster, pixels);
    assert_true(pixels[1] > pixels[2]);
    cli_raster_free(&raster);
}

/* As an image of its own the fourth byte is the coverage, and laid over white it is what lay_over makes of white. */
static void test_image(void **state)
{
    (void)state;
    cli_raster raster;
    unsigned char pixels[SIDE * SIDE * 4];
    cli_raster_create(&raster, SIDE, SIDE);
    cli_raster_triangle(&raster, (cli_raster_point[3]){{3, 4, 0, 0.5}, {60, 10, 0, 1}, {20, 55, 0, 0.2}}, GREEN);
    cli_image image = cli_raster_image(&raster);
    assert_non_null(image.pixels);
    memset(pixels, 255, sizeof pixels);
    cli_raster_lay_over(&raster, pixels, SIDE * 4);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < 3; k++)
        {
            int white = 255 - image.pixels[4 * i + 3] + image.pixels[4 * i + k];
            assert_true(abs(white - pixels[4 * i + k]) <= 1);
            assert_true(image.pixels[4 * i + k] <= image.pixels[4 * i + 3]);
        }
    free(image.pixels);
    cli_raster_free(&raster);
}

/* Each picture shows the recorded frame nearest to its time, whatever the times are. */
static void test_nearest_frame(void **state)
{
    (void)state;
    double times[200];
    srand(7);
    for (int n = 1; n <= 200; n += 13)
    {
        times[0] = 0.5;
        for (int i = 1; i < n; i++)
            times[i] = times[i - 1] + 1e-3 + 0.1 * rand() / RAND_MAX;
        cli_plot_run run = {.frame_count = n, .time = times};
        cli_frame_plan plan = cli_frame_plan_of(&run, 30.0, 1.7);
        double last = plan.from + (double)(plan.count - 1) * plan.every;
        assert_true(last <= times[n - 1] + 1e-9 && last + plan.every > times[n - 1]);
        for (int64_t k = 0; k < plan.count; k++)
        {
            double time = plan.from + (double)k * plan.every, best = INFINITY;
            for (int i = 0; i < n; i++)
                best = fmin(best, fabs(times[i] - time));
            assert_true(fabs(times[cli_frame_plan_at(&run, &plan, k)] - time) == best);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_layer_covers_the_old_one),
        cmocka_unit_test(test_area),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_line_and_light),
        cmocka_unit_test(test_image),
        cmocka_unit_test(test_nearest_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
