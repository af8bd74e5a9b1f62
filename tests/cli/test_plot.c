/* `cairn plot`: ticks, scales, traces, text, the two back ends, geometry of shapes, quantities against known motion. */
#include "cli/common/cli.h"
#include "cli/draw/draw.h"
#include "cli/draw/outline.h"
#include "cli/draw/scale.h"
#include "cli/draw/view.h"
#include "cli/plot/plot_chart.h"
#include "cli/plot/plot_quantity.h"
#include "cli/plot/plot_scene.h"
#include "cli/plot/plot_trace.h"

#include "cairn/run.h"
#include "cairn/scene.h"

#include <cairo.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A fixed sequence of numbers in [0, 1). */
static double next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static void assert_near(double found, double wanted, double slack)
{
    if (!(fabs(found - wanted) <= slack))
        fail_msg("%.17g is not %.17g to %g", found, wanted, slack);
}

/* ------------------------------------------------------------------------------------------------ scales and ticks */

/* The number a label shows. */
static double label_value(const char *label)
{
    char plain[40];
    const char *minus = "−";
    bool negative = strncmp(label, minus, strlen(minus)) == 0;
    snprintf(plain, sizeof plain, "%s%s", negative ? "-" : "", negative ? label + strlen(minus) : label);
    char *end;
    double value = strtod(plain, &end);
    assert_int_equal(*end, '\0');
    return value;
}

static bool is_125(double step)
{
    double digits = step / pow(10.0, floor(log10(step) + 1e-9));
    return fabs(digits - 1.0) < 1e-6 || fabs(digits - 2.0) < 1e-6 || fabs(digits - 5.0) < 1e-6;
}

static void check_linear_ticks(const cli_scale *scale, int wanted)
{
    cli_ticks ticks;
    cli_ticks_make(scale, wanted, &ticks);
    assert_true(ticks.count >= 2 && ticks.count <= 2 * wanted + 2);
    double step = ticks.value[1] - ticks.value[0];
    assert_true(is_125(step));
    for (int i = 0; i < ticks.count; i++)
    {
        assert_true(ticks.value[i] >= scale->low - 1e-6 * step && ticks.value[i] <= scale->high + 1e-6 * step);
        double shown = label_value(ticks.label[i]) * pow(10.0, ticks.exponent);
        assert_true(fabs(shown - ticks.value[i]) <= 1e-6 * step);
        if (i > 0)
            assert_true(fabs(ticks.value[i] - ticks.value[i - 1] - step) < 1e-3 * step);
    }
    /* no tick is missing at either end */
    assert_true(ticks.value[0] - step < scale->low && ticks.value[ticks.count - 1] + step > scale->high);
}

static void linear_ticks_have_round_steps_and_true_labels(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++)
    {
        double size = pow(10.0, -12.0 + 200.0 * next_number(&seed));
        double low = (next_number(&seed) - 0.5) * size, high = low + size * pow(10.0, -3.0 * next_number(&seed));
        cli_scale scale = {.low = low, .high = high, .to = 100.0};
        check_linear_ticks(&scale, 2 + (int)(8.0 * next_number(&seed)));
    }
}

static void check_log_ticks(const cli_scale *scale, int wanted)
{
    cli_ticks ticks;
    cli_ticks_make(scale, wanted, &ticks);
    assert_true(ticks.count >= 2);
    for (int i = 0; i < ticks.count; i++)
    {
        assert_true(ticks.value[i] >= scale->low * (1.0 - 1e-6) && ticks.value[i] <= scale->high * (1.0 + 1e-6));
        if (i > 0)
            assert_true(ticks.value[i] > ticks.value[i - 1]);
    }
    for (int i = 0; i < ticks.minor_count; i++)
        assert_true(ticks.minor[i] >= scale->low && ticks.minor[i] <= scale->high);
}

static void log_ticks_rise_within_the_scale(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 5000; i++)
    {
        double low = pow(10.0, -200.0 + 300.0 * next_number(&seed));
        cli_range range = {low, low * pow(10.0, 100.0 * pow(next_number(&seed), 4.0)), true};
        cli_scale scale = cli_scale_of(range, true, 0.05);
        check_log_ticks(&scale, 2 + (int)(8.0 * next_number(&seed)));
    }
}

/* Whether a label means its value: "0.5", "10⁻⁸", "2×10⁵". */
static double log_label_value(const char *label)
{
    static const char *const RAISED[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const char *ten = strstr(label, "10"), *times = strstr(label, "×"), *at;
    bool power = ten && (unsigned char)ten[2] >= 0x80;
    if (!power)
        return atof(label);
    double exponent = 0, sign = 1;
    for (at = ten + 2; *at;)
    {
        size_t before = strlen(at);
        for (int digit = 0; digit < 10; ++digit)
            if (strncmp(at, RAISED[digit], strlen(RAISED[digit])) == 0)
            {
                exponent = 10 * exponent + digit;
                at += strlen(RAISED[digit]);
                break;
            }
        if (strncmp(at, "⁻", strlen("⁻")) == 0)
        {
            sign = -1;
            at += strlen("⁻");
        }
        assert_true(strlen(at) < before);
    }
    return (times ? atof(label) : 1.0) * pow(10.0, sign * exponent);
}

static void log_labels_are_true_and_short(void **state)
{
    (void)state;
    const double ranges[][2] = {{0.7, 30},  {0.002, 0.9}, {1e-3, 1e4}, {1e-16, 1e-2},
                                {0.2, 4e7}, {3e5, 8e6},   {1e-9, 1e9}};
    for (int i = 0; i < 7; i++)
    {
        cli_ticks ticks;
        cli_scale scale = {.low = ranges[i][0], .high = ranges[i][1], .log = true, .to = 100.0};
        cli_ticks_make(&scale, 6, &ticks);
        for (int k = 0; k < ticks.count; k++)
        {
            assert_null(strstr(ticks.label[k], "10⁰"));
            assert_true(fabs(log_label_value(ticks.label[k]) - ticks.value[k]) <= 1e-12 * ticks.value[k]);
            assert_true(i > 2 || !strstr(ticks.label[k], "10⁻"));
        }
    }
}

static void powers_are_written_with_raised_digits(void **state)
{
    (void)state;
    char text[32];
    cli_power_text(-8, text, sizeof text);
    assert_string_equal(text, "10⁻⁸");
    cli_power_text(189, text, sizeof text);
    assert_string_equal(text, "10¹⁸⁹");
    cli_power_text(0, text, sizeof text);
    assert_string_equal(text, "10⁰");
}

static void scales_survive_any_data(void **state)
{
    (void)state;
    const double values[] = {0.0,    -0.0,   1.0, -5.0,     1e189,     -1e189, 1e308,
                             -1e308, 4e-320, NAN, INFINITY, -INFINITY, 1e-200};
    int count = (int)(sizeof values / sizeof values[0]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (int log = 0; log < 2; log++)
            {
                cli_range range = {0};
                cli_ticks ticks;
                cli_range_add(&range, values[i], log);
                cli_range_add(&range, values[j], log);
                cli_scale scale = cli_scale_of(range, log, 0.05);
                assert_true(scale.low < scale.high && isfinite(scale.high - scale.low));
                assert_true(!log || scale.low > 0.0);
                cli_ticks_make(&scale, 6, &ticks);
                assert_true(ticks.count >= 2);
                double place = cli_scale_map(&scale, values[i]);
                assert_true(isnan(values[i]) || (log && values[i] <= 0.0) ? isnan(place) : isfinite(place));
            }
}

static void scales_map_their_ends_and_middle(void **state)
{
    (void)state;
    cli_scale linear = {.low = -2.0, .high = 6.0, .from = 100.0, .to = 20.0};
    cli_scale log = {.low = 1e-4, .high = 1e2, .log = true, .from = 10.0, .to = 70.0};
    assert_near(cli_scale_map(&linear, -2.0), 100.0, 1e-12);
    assert_near(cli_scale_map(&linear, 6.0), 20.0, 1e-12);
    assert_near(cli_scale_map(&linear, 2.0), 60.0, 1e-12);
    assert_near(cli_scale_map(&log, 1e-1), 40.0, 1e-9);
    assert_near(cli_scale_map(&log, 1e2), 70.0, 1e-9);
}

/* ------------------------------------------------------------------------------------------------------- traces */

static bool inside(cli_rect r, cli_point p, double slack)
{
    return p.x >= r.x - slack && p.x <= r.x + r.width + slack && p.y >= r.y - slack && p.y <= r.y + r.height + slack;
}

/* Against points sampled along the segment. */
static void segments_are_cut_at_the_frame(void **state)
{
    (void)state;
    uint64_t seed = 3;
    cli_rect rect = {1.0, 2.0, 4.0, 3.0};
    for (int i = 0; i < 20000; i++)
    {
        cli_point a = {8.0 * next_number(&seed), 8.0 * next_number(&seed)};
        cli_point b = {8.0 * next_number(&seed), 8.0 * next_number(&seed)}, c = a, d = b;
        bool kept = cli_clip_segment(rect, &c, &d);
        for (int k = 0; k <= 40; k++)
        {
            double t = k / 40.0;
            cli_point p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
            assert_true(!inside(rect, p, -1e-9) || kept);
        }
        if (!kept)
            continue;
        assert_true(inside(rect, c, 1e-9) && inside(rect, d, 1e-9));
        assert_true(fabs((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) < 1e-9);
        assert_true(fabs((d.x - a.x) * (b.y - a.y) - (d.y - a.y) * (b.x - a.x)) < 1e-9);
        if (inside(rect, a, 0.0) && inside(rect, b, 0.0))
            assert_true(c.x == a.x && c.y == a.y && d.x == b.x && d.y == b.y);
    }
}

#define MANY 200000

/* A thinned trace is short, stays in the frame, and keeps the extremes of every stretch of the data. */
static void thinning_keeps_the_envelope(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
    cli_scale xs = {.low = 0.0, .high = 1.0, .to = 400.0}, ys = {.low = -1.0, .high = 1.0, .from = 200.0};
    cli_trace trace;
    for (int i = 0; i < MANY; i++)
    {
        x[i] = (double)i / MANY;
        y[i] = 0.2 * sin(9.0 * x[i]) + (next_number(&seed) < 1e-4 ? 0.7 : 0.1) * (next_number(&seed) - 0.5);
    }
    cli_trace_make(&trace, x, y, MANY, &xs, &ys);
    assert_true(trace.count < 6000);
    for (int bin = 0; bin < 20; bin++)
    {
        double most = -INFINITY, seen = -INFINITY;
        for (int i = bin * (MANY / 20); i < (bin + 1) * (MANY / 20); i++)
            most = fmax(most, y[i]);
        for (int64_t i = 0; i < trace.count; i++)
            if (trace.points[i].x >= 20.0 * bin && trace.points[i].x < 20.0 * (bin + 1))
                seen = fmax(seen, 1.0 - trace.points[i].y / 100.0);
        assert_near(seen, most, 1e-9);
    }
    cli_trace_free(&trace);
    free(x);
    free(y);
}

static void blown_up_data_leave_the_frame_and_nothing_else(void **state)
{
    (void)state;
    enum
    {
        count = 60
    };
    double x[count], y[count];
    cli_scale xs = {.low = 0.0, .high = 60.0, .to = 400.0}, ys = {.low = -3.0, .high = 3.0, .from = 200.0};
    cli_trace trace;
    for (int i = 0; i < count; i++)
    {
        x[i] = i;
        y[i] = i < 10 ? 1.0 : (i % 2 == 0 ? 1.0 : -1.0) * pow(10.0, 5.0 * (i - 9));
    }
    y[count - 1] = -INFINITY;
    cli_trace_make(&trace, x, y, count, &xs, &ys);
    double last = 0.0;
    for (int64_t i = 0; i < trace.count; i++)
        if (!isnan(trace.points[i].x))
        {
            assert_true(inside((cli_rect){-1.0, -1.0, 402.0, 202.0}, trace.points[i], 1e-6));
            last = fmax(last, trace.points[i].x);
        }
    /* the last visible piece leads from the tenth value to the first large one */
    assert_true(last >= 9.0 * 400.0 / 60.0 && last <= 10.0 * 400.0 / 60.0 + 1e-6);
    cli_trace_free(&trace);
}

static void gaps_break_a_trace_and_single_points_stay(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {0.5, 0.6, NAN, 0.5, NAN, -2.0};
    cli_scale xs = {.low = 0.0, .high = 5.0, .to = 100.0}, ys = {.low = 1e-3, .high = 1.0, .log = true, .from = 100.0};
    cli_trace trace;
    int points = 0, breaks = 0;
    cli_trace_make(&trace, x, y, 6, &xs, &ys);
    for (int64_t i = 0; i < trace.count; i++)
        isnan(trace.points[i].x) ? breaks++ : points++;
    assert_int_equal(points, 3);
    assert_true(breaks >= 1);
    assert_int_equal(cli_trace_hits(&trace, (cli_rect){55.0, 0.0, 10.0, 100.0}), 1); /* the single point at x = 3 */
    cli_trace_free(&trace);
}

/* ---------------------------------------------------------------------------------------------------------- text */

static void text_is_cleaned_to_valid_utf8(void **state)
{
    (void)state;
    char out[64], tiny[4];
    cli_text_clean("a\tb\x01", out, sizeof out);
    assert_string_equal(out, "a b ");
    cli_text_clean("\xC3\xA9\xE2\x88\x92", out, sizeof out);
    assert_string_equal(out, "é−");
    cli_text_clean("\xC0\xAF|\xED\xA0\x80|\xF8|\xE2\x88|\xEF\xBF\xBF", out, sizeof out); /* overlong, surrogate, ... */
    assert_string_equal(out, "??|???|?|??|???");
    cli_text_clean("é−x", tiny, sizeof tiny); /* no half character at the end */
    assert_string_equal(tiny, "é");
}

static void text_width_follows_the_font(void **state)
{
    (void)state;
    const char *texts[] = {"time t (s)", "linearly implicit: left.x", "0.25", "WiM", "10⁻⁸"};
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 8, 8);
    cairo_t *cairo = cairo_create(surface);
    cairo_select_font_face(cairo, CLI_FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 100.0);
    for (int i = 0; i < 5; i++)
    {
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, texts[i], &extents);
        /* loose, since the font may be replaced by another where it is not installed */
        assert_true(fabs(cli_text_width(texts[i], 100.0) / extents.x_advance - 1.0) < 0.35);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
}

/* ----------------------------------------------------------------------------------------------------- back ends */

static void draw_sample(cli_canvas *canvas)
{
    cli_draw_rect(canvas, (cli_rect){0.0, 0.0, 50.0, 100.0}, cli_fill(cli_rgb(0xD55E00)));
    cli_draw_clip(canvas, (cli_rect){0.0, 0.0, 75.0, 100.0});
    cli_draw_circle(canvas, (cli_point){75.0, 50.0}, 20.0, cli_fill(cli_rgb(0x0072B2)));
    cli_draw_unclip(canvas);
    cli_draw_text(canvas, 5.0, 20.0, (cli_text_style){.size = 10.0, .colour = cli_rgb(0)}, "a<b & \"c\" > \xFF");
    cli_draw_line(canvas, -1e300, 90.0, 1e300, 90.0, cli_stroke(cli_rgb(0), 2.0));
    cli_draw_line(canvas, 0.0, NAN, 10.0, 10.0, cli_stroke(cli_rgb(0), 2.0));
}

static void svg_escapes_text_and_bounds_numbers(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cli_canvas canvas;
    assert_true(cli_svg_create(stream, 100.0, 100.0, &canvas));
    draw_sample(&canvas);
    assert_true(cli_canvas_finish(&canvas));
    cli_canvas_destroy(&canvas);
    fclose(stream);
    assert_non_null(strstr(text, ">a&lt;b &amp; &quot;c&quot; &gt; ?</text>"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "e+"));
    assert_non_null(strstr(text, "-1000000,90 1000000,90"));
    assert_non_null(strstr(text, "</g>\n</svg>\n"));
    free(text);
}

static uint32_t pixel(cairo_surface_t *surface, int x, int y)
{
    uint32_t value;
    const unsigned char *row = cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
    memcpy(&value, row + 4 * x, sizeof value);
    return value & 0xFFFFFF;
}

static void png_shows_what_was_drawn(void **state)
{
    (void)state;
    cli_drawing drawing;
    assert_int_equal(cli_drawing_open(&drawing, "sample.png", 100.0, 100.0), 0);
    draw_sample(&drawing.canvas);
    assert_int_equal(cli_drawing_close(&drawing), 0);
    cairo_surface_t *surface = cairo_image_surface_create_from_png("sample.png");
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(surface), 200);
    assert_int_equal(cairo_image_surface_get_height(surface), 200);
    assert_int_equal(pixel(surface, 60, 140), 0xD55E00);
    assert_int_equal(pixel(surface, 130, 100), 0x0072B2);
    assert_int_equal(pixel(surface, 160, 100), 0xFFFFFF); /* cut off by the clip */
    assert_int_equal(pixel(surface, 190, 180), 0x000000); /* the line across everything */
    cairo_surface_destroy(surface);
    unlink("sample.png");
}

static void an_abandoned_drawing_leaves_nothing(void **state)
{
    (void)state;
    cli_drawing drawing;
    assert_int_equal(cli_drawing_open(&drawing, "given-up.svg", 100.0, 100.0), 0);
    char *temporary = strdup(drawing.file.part);
    assert_int_equal(access(temporary, F_OK), 0);
    cli_drawing_abandon(&drawing);
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_int_not_equal(access("given-up.svg", F_OK), 0);
    free(temporary);
    assert_int_equal(cli_drawing_open(&drawing, "no/such/folder/a.svg", 100.0, 100.0), 2);
}

/* Charts of every awkward kind are drawn without a NaN or a number a renderer cannot hold. */
static void charts_survive_any_data(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3},
                 sets[][4] = {{0, 0, 0, 0}, {NAN, NAN, NAN, NAN},        {1e189, -1e189, 1, 0}, {1e-300, 0, 0, 0},
                              {5, 5, 5, 5}, {INFINITY, 1, 2, -INFINITY}, {1e308, -1e308, 0, 1}};
    for (int set = 0; set < 7; set++)
        for (int count = 0; count <= 4; count++)
            for (int kind = 0; kind < 4; kind++)
            {
                char *text = NULL;
                size_t size = 0;
                FILE *stream = open_memstream(&text, &size);
                cli_canvas canvas;
                cli_curve curve = {.name = "c", .x = x, .y = sets[set], .count = count};
                cli_chart chart = {.title = "",
                                   .x_label = "x",
                                   .y_label = "y",
                                   .curves = &curve,
                                   .curve_count = 1,
                                   .legend = kind >= 2,
                                   .log = kind % 2 == 1,
                                   .has_ylim = kind >= 2,
                                   .ylim = {0.5, 2.0}};
                assert_true(cli_svg_create(stream, 320.0, 200.0, &canvas));
                cli_chart_draw(&canvas, &chart);
                assert_true(cli_canvas_finish(&canvas));
                cli_canvas_destroy(&canvas);
                fclose(stream);
                assert_null(strstr(text, "\"nan"));
                assert_null(strstr(text, "inf"));
                assert_null(strstr(text, "1000000"));
                free(text);
            }
}

/* ------------------------------------------------------------------------------------------------------ geometry */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void views_are_right_handed_frames(void **state)
{
    (void)state;
    for (cli_view_kind kind = CLI_VIEW_XY; kind <= CLI_VIEW_ISO; kind++)
    {
        cli_view v = cli_view_of(kind, 3);
        assert_near(dot(v.right, v.right), 1.0, 1e-14);
        assert_near(dot(v.up, v.up), 1.0, 1e-14);
        assert_near(dot(v.right, v.up), 0.0, 1e-14);
        const double *r = v.right, *u = v.up;
        double cross[3] = {r[1] * u[2] - r[2] * u[1], r[2] * u[0] - r[0] * u[2], r[0] * u[1] - r[1] * u[0]};
        for (int i = 0; i < 3; i++)
            assert_near(cross[i], v.towards[i], 1e-14);
    }
}

static void outlines_stand_where_the_body_is(void **state)
{
    (void)state;
    double points[8][3], quarter = sqrt(0.5), vertices[] = {0.0, 0.0, 1.0, 0.0};
    cli_outline o = {.points = points};
    cairn_shape_info bar = {
        .look = CAIRN_LOOK_LINE, .vertices = vertices, .vertex_count = 2, .position = {0.5, 0.0, 0.0}};
    cairn_body_state plane = {.position = {2.0, 1.0, 0.0}, .angle = acos(-1.0) / 2.0};
    cli_outline_make(2, &bar, &plane, &o);
    assert_int_equal(o.kind, CLI_OUTLINE_LINE);
    assert_near(points[0][0], 2.0, 1e-15); /* half a metre along the body's x, which points up */
    assert_near(points[0][1], 1.5, 1e-15);
    assert_near(points[1][1], 2.5, 1e-15);
    /* a box turned by a quarter about z: its size in x lies along y */
    cairn_shape_info box = {.look = CAIRN_LOOK_BOX, .size = {4.0, 2.0, 1.0}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    cairn_body_state space = {.position = {1.0, 2.0, 3.0}, .orientation = {quarter, 0.0, 0.0, quarter}};
    cli_outline_make(3, &box, &space, &o);
    for (int i = 0; i < 8; i++)
    {
        assert_near(fabs(points[i][0] - 1.0), 1.0, 1e-14);
        assert_near(fabs(points[i][1] - 2.0), 2.0, 1e-14);
        assert_near(fabs(points[i][2] - 3.0), 0.5, 1e-14);
    }
}

static void box_faces_look_outward(void **state)
{
    (void)state;
    double points[8][3];
    cli_outline o = {.points = points};
    cairn_shape_info box = {.look = CAIRN_LOOK_BOX, .size = {1.0, 2.0, 3.0}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    cairn_body_state here = {.orientation = {0.5, 0.5, -0.5, 0.5}};
    cli_outline_make(3, &box, &here, &o);
    for (int f = 0; f < 6; f++)
    {
        const double *a = points[cli_box_faces[f][0]], *b = points[cli_box_faces[f][1]],
                     *c = points[cli_box_faces[f][2]];
        double u[3], v[3];
        for (int i = 0; i < 3; i++)
        {
            u[i] = b[i] - a[i];
            v[i] = c[i] - b[i];
        }
        double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        assert_near(dot(u, v), 0.0, 1e-14);
        assert_true(dot(normal, a) > 0.0); /* the box is centred at the origin */
    }
}

/* -------------------------------------------------------------------------------------------------- whole pictures */

/* Driven bodies move as told, so every quantity is known: one on a parabola, one that blows up with changing sign. */
static const char scene_text[] = "dimension: 2\n"
                                 "bodies:\n"
                                 "  - {name: ground, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
                                 "  - name: 'a.b & <c>'\n"
                                 "    kind: driven\n"
                                 "    position: [0, 1]\n"
                                 "    motion: {position: ['2*t', '1 + t*t'], angle: '3*t'}\n"
                                 "    shapes: [{type: circle, radius: 0.2}]\n"
                                 "  - name: wild\n"
                                 "    kind: driven\n"
                                 "    position: [1, 5]\n"
                                 "    motion: {position: ['exp(43*t)*cos(10*pi*t)', 5]}\n"
                                 "    shapes: [{type: rectangle, size: [0.5, 0.5]}]\n"
                                 "  - {name: free, point: true, mass: 1, position: [0, 9]}\n"
                                 "simulation: {step: 0.1, until: 10}\n";

static void make_run(const char *path, int steps)
{
    cairn_context *context = cairn_context_create();
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cairn_recorder *recorder = NULL;
    cairn_recorder_options options = cairn_recorder_default();
    options.scene_text = scene_text;
    cairn_status status = cairn_scene_parse(context, "test", scene_text, strlen(scene_text), NULL, 0, &scene);
    if (status != CAIRN_OK)
        fail_msg("%s", cairn_context_last_message(context));
    cairn_settings settings = cairn_scene_settings(scene);
    assert_int_equal(cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation), CAIRN_OK);
    assert_int_equal(cairn_recorder_create(context, path, simulation, &options, &recorder), CAIRN_OK);
    for (int i = 0; i < steps; i++)
    {
        assert_int_equal(cairn_simulation_step(simulation), CAIRN_OK);
        assert_int_equal(cairn_recorder_write(recorder), CAIRN_OK);
    }
    assert_int_equal(cairn_recorder_close(recorder, "done"), CAIRN_OK);
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    cairn_context_destroy(context);
}

static void quantities_have_their_known_values(void **state)
{
    (void)state;
    const char *texts[] = {"time",
                           "a.b & <c>.x",
                           "a.b & <c>.y",
                           "a.b & <c>.angle",
                           "distance(a.b & <c>, ground)",
                           "point(a.b & <c>,0.5,-2).x",
                           "point(a.b & <c>, 0.5, -2).y"};
    cli_plot_run run;
    cli_quantity quantities[7];
    cli_selection selection = {.from = 0.95, .to = 2.05, .every = 2};
    double *values = NULL;
    int64_t rows = 0;
    make_run("known.h5", 30);
    assert_int_equal(cli_plot_run_open(&run, "known.h5"), 0);
    for (int q = 0; q < 7; q++)
        assert_int_equal(cli_quantity_parse(&run, texts[q], &quantities[q]), 0);
    assert_string_equal(quantities[3].unit, "rad");
    assert_string_equal(quantities[5].unit, "m");
    assert_int_equal(cli_quantity_table(&run, quantities, 7, &selection, &values, &rows), 0);
    assert_int_equal(rows, 6); /* 1.0, 1.2, ... 2.0 */
    for (int64_t i = 0; i < rows; i++)
    {
        double t = 1.0 + 0.2 * (double)i, x = 2.0 * t, y = 1.0 + t * t;
        assert_near(values[i], t, 1e-12);
        assert_near(values[rows + i], x, 1e-9);
        assert_near(values[2 * rows + i], y, 1e-9);
        assert_near(values[3 * rows + i], 3.0 * t, 1e-9);
        assert_near(values[4 * rows + i], sqrt(x * x + y * y), 1e-9);
        assert_near(values[5 * rows + i], x + 0.5 * cos(3.0 * t) + 2.0 * sin(3.0 * t), 1e-9);
        assert_near(values[6 * rows + i], y + 0.5 * sin(3.0 * t) - 2.0 * cos(3.0 * t), 1e-9);
    }
    assert_int_equal(cli_quantity_parse(&run, "nobody.x", &quantities[0]), 2);
    assert_int_equal(cli_quantity_parse(&run, "wild.z", &quantities[0]), 2); /* a planar run has no z */
    const char *wrong[] = {"point(wild,1,2).z", "point(wild,1).x",       "point(wild,1,2,3).x", "point(nobody,1,2).x",
                           "point(wild,1,x).x", "point(wild,1,2).speed", "point(wild,1,2)",     "point().x",
                           "point(,1,2).x",     "point(wild,1,nan).x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(cli_quantity_parse(&run, wrong[i], &quantities[0]), 2);
    free(values);
    cli_plot_run_close(&run);
    unlink("known.h5");
}

static int plot(const char *run, const char *quantity, const char *output, const char *option, const char *value)
{
    char *argv[] = {"plot", (char *)run, (char *)quantity, "-o", (char *)output, (char *)option, (char *)value, NULL};
    return cli_command_plot(option == NULL ? 5 : value == NULL ? 6 : 7, argv);
}

/* The whole of a file; the caller frees it. */
static char *contents(const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    char *text = calloc(1, 1 << 22);
    assert_true(fread(text, 1, (1 << 22) - 1, stream) > 0);
    fclose(stream);
    return text;
}

static void blown_up_and_tiny_runs_are_drawn(void **state)
{
    (void)state;
    make_run("wild.h5", 100); /* grows to 1e186 */
    make_run("still.h5", 0);
    const char *runs[] = {"wild.h5", "still.h5"},
               *quantities[] = {"wild.x", "a.b & <c>.y", "energy/total", "positions"};
    for (int r = 0; r < 2; r++)
        for (int q = 0; q < 4; q++)
        {
            assert_int_equal(plot(runs[r], quantities[q], "any.svg", NULL, NULL), 0);
            assert_int_equal(plot(runs[r], quantities[q], "any.svg", "--ylim", "-1:3"), 0);
            assert_int_equal(plot(runs[r], quantities[q], "any.png", "--from", "20"), 0);
            if (q < 3)
                assert_int_equal(plot(runs[r], quantities[q], "any.svg", "--log", NULL), 0);
            char *text = contents("any.svg");
            assert_non_null(strstr(text, "</svg>"));
            assert_null(strstr(text, "nan"));
            free(text);
        }
    assert_int_equal(plot("wild.h5", "wild.x", "any.svg", "--ylim", "3:1"), 2);
    assert_int_equal(plot("wild.h5", "wild.x", "any.jpg", NULL, NULL), 2);
    assert_int_equal(plot("wild.h5", "wild.q", "any.svg", NULL, NULL), 2);
    unlink("wild.h5");
    unlink("still.h5");
    unlink("any.svg");
    unlink("any.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_have_round_steps_and_true_labels),
        cmocka_unit_test(log_ticks_rise_within_the_scale),
        cmocka_unit_test(log_labels_are_true_and_short),
        cmocka_unit_test(powers_are_written_with_raised_digits),
        cmocka_unit_test(scales_survive_any_data),
        cmocka_unit_test(scales_map_their_ends_and_middle),
        cmocka_unit_test(segments_are_cut_at_the_frame),
        cmocka_unit_test(thinning_keeps_the_envelope),
        cmocka_unit_test(blown_up_data_leave_the_frame_and_nothing_else),
        cmocka_unit_test(gaps_break_a_trace_and_single_points_stay),
        cmocka_unit_test(text_is_cleaned_to_valid_utf8),
        cmocka_unit_test(text_width_follows_the_font),
        cmocka_unit_test(svg_escapes_text_and_bounds_numbers),
        cmocka_unit_test(png_shows_what_was_drawn),
        cmocka_unit_test(an_abandoned_drawing_leaves_nothing),
        cmocka_unit_test(charts_survive_any_data),
        cmocka_unit_test(views_are_right_handed_frames),
        cmocka_unit_test(outlines_stand_where_the_body_is),
        cmocka_unit_test(box_faces_look_outward),
        cmocka_unit_test(quantities_have_their_known_values),
        cmocka_unit_test(blown_up_and_tiny_runs_are_drawn),
    };
    return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
