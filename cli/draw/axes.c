/* Axes: layout and drawing. The room at the left depends on the widest tick label, which depends on the ticks, which
 * depend only on the scale and a rough size; so ticks come first, then the area. */
#include "cli/draw/axes.h"

#include <assert.h>
#include <math.h>

#define TICK_LENGTH 4.0
#define TICK_GAP    4.0

cli_colour cli_ink(void)
{
    return cli_rgb(0x222222);
}

cli_colour cli_grey(void)
{
    return cli_rgb(0x777777);
}

static double widest_label(const cli_ticks *ticks)
{
    double widest = 0.0;
    for (int i = 0; i < ticks->count; ++i)
        widest = fmax(widest, cli_text_width(ticks->label[i], CLI_TICK_SIZE));
    return widest;
}

static int wanted_ticks(double length, double spacing)
{
    return (int)fmax(2.0, fmin(10.0, length / spacing));
}

/* Ticks along x need room for their labels: fewer of them when the labels are long. */
static void make_x_ticks(cli_axes *axes, double width)
{
    for (int wanted = wanted_ticks(width, 60.0); wanted >= 2; wanted--)
    {
        cli_ticks_make(&axes->x, wanted, &axes->x_ticks);
        if ((widest_label(&axes->x_ticks) + 10.0) * axes->x_ticks.count <= width)
            return;
    }
}

static cli_rect inner_area(const cli_axes *axes, cli_rect outer)
{
    if (axes->bare)
        return outer;
    double left = widest_label(&axes->y_ticks) + TICK_LENGTH + TICK_GAP + CLI_LABEL_SIZE + 12.0;
    double bottom = TICK_LENGTH + TICK_GAP + CLI_TICK_SIZE + CLI_LABEL_SIZE + 10.0;
    double top = axes->y_ticks.exponent != 0 ? CLI_TICK_SIZE + 6.0 : 4.0;
    double right = 14.0;
    return (cli_rect){outer.x + left, outer.y + top, fmax(20.0, outer.width - left - right),
                      fmax(20.0, outer.height - top - bottom)};
}

static void place(cli_axes *axes)
{
    cli_rect area = axes->area;
    axes->x.from = area.x;
    axes->x.to = area.x + area.width;
    axes->y.from = area.y + area.height;
    axes->y.to = area.y;
}

void cli_axes_layout(cli_axes *axes, cli_rect outer)
{
    cli_ticks_make(&axes->y, wanted_ticks(outer.height, 50.0), &axes->y_ticks);
    make_x_ticks(axes, outer.width);
    axes->area = inner_area(axes, outer);
    place(axes);
}

static void widen(cli_scale *scale, double extent)
{
    double room = 0.5 * (extent - (scale->high - scale->low));
    if (room > 0.0)
    {
        scale->low -= room;
        scale->high += room;
    }
}

void cli_axes_layout_equal(cli_axes *axes, cli_rect outer)
{
    assert(!axes->x.log && !axes->y.log);
    cli_axes_layout(axes, outer);
    double unit =
        fmax((axes->x.high - axes->x.low) / axes->area.width, (axes->y.high - axes->y.low) / axes->area.height);
    widen(&axes->x, unit * axes->area.width);
    widen(&axes->y, unit * axes->area.height);
    cli_ticks_make(&axes->y, wanted_ticks(outer.height, 50.0), &axes->y_ticks);
    make_x_ticks(axes, axes->area.width);
}

void cli_axes_draw_grid(cli_canvas *canvas, const cli_axes *axes)
{
    if (axes->bare)
        return;
    cli_rect a = axes->area;
    cli_style line = cli_stroke(cli_rgb(0xE4E4E4), 0.7), faint = cli_stroke(cli_rgb(0xF2F2F2), 0.5);
    for (int i = 0; i < axes->y_ticks.minor_count; ++i)
    {
        double y = cli_scale_map(&axes->y, axes->y_ticks.minor[i]);
        cli_draw_line(canvas, a.x, y, a.x + a.width, y, faint);
    }
    for (int i = 0; i < axes->x_ticks.minor_count; ++i)
    {
        double x = cli_scale_map(&axes->x, axes->x_ticks.minor[i]);
        cli_draw_line(canvas, x, a.y, x, a.y + a.height, faint);
    }
    for (int i = 0; i < axes->x_ticks.count; ++i)
    {
        double x = cli_scale_map(&axes->x, axes->x_ticks.value[i]);
        cli_draw_line(canvas, x, a.y, x, a.y + a.height, line);
    }
    for (int i = 0; i < axes->y_ticks.count; ++i)
    {
        double y = cli_scale_map(&axes->y, axes->y_ticks.value[i]);
        cli_draw_line(canvas, a.x, y, a.x + a.width, y, line);
    }
}

static void draw_x_axis(cli_canvas *canvas, const cli_axes *axes)
{
    cli_rect a = axes->area;
    double bottom = a.y + a.height, baseline = bottom + TICK_LENGTH + TICK_GAP + 0.8 * CLI_TICK_SIZE;
    cli_text_style text = {.size = CLI_TICK_SIZE, .anchor = CLI_MIDDLE, .colour = cli_ink()};
    for (int i = 0; i < axes->x_ticks.minor_count; ++i)
    {
        double x = cli_scale_map(&axes->x, axes->x_ticks.minor[i]);
        cli_draw_line(canvas, x, bottom, x, bottom + 0.5 * TICK_LENGTH, cli_stroke(cli_ink(), 0.6));
    }
    for (int i = 0; i < axes->x_ticks.count; ++i)
    {
        double x = cli_scale_map(&axes->x, axes->x_ticks.value[i]);
        cli_draw_line(canvas, x, bottom, x, bottom + TICK_LENGTH, cli_stroke(cli_ink(), 0.9));
        cli_draw_text(canvas, x, baseline, text, axes->x_ticks.label[i]);
    }
    text.size = CLI_LABEL_SIZE;
    cli_draw_text(canvas, a.x + 0.5 * a.width, baseline + CLI_LABEL_SIZE + 7.0, text, axes->x_label);
}

static void draw_y_axis(cli_canvas *canvas, const cli_axes *axes)
{
    cli_rect a = axes->area;
    cli_text_style text = {.size = CLI_TICK_SIZE, .anchor = CLI_END, .colour = cli_ink()};
    for (int i = 0; i < axes->y_ticks.minor_count; ++i)
    {
        double y = cli_scale_map(&axes->y, axes->y_ticks.minor[i]);
        cli_draw_line(canvas, a.x - 0.5 * TICK_LENGTH, y, a.x, y, cli_stroke(cli_ink(), 0.6));
    }
    for (int i = 0; i < axes->y_ticks.count; ++i)
    {
        double y = cli_scale_map(&axes->y, axes->y_ticks.value[i]);
        cli_draw_line(canvas, a.x - TICK_LENGTH, y, a.x, y, cli_stroke(cli_ink(), 0.9));
        cli_draw_text(canvas, a.x - TICK_LENGTH - TICK_GAP, y + 0.36 * CLI_TICK_SIZE, text, axes->y_ticks.label[i]);
    }
    double column = a.x - TICK_LENGTH - TICK_GAP - widest_label(&axes->y_ticks) - 8.0;
    cli_text_style label = {.size = CLI_LABEL_SIZE, .anchor = CLI_MIDDLE, .colour = cli_ink(), .upwards = true};
    cli_draw_text(canvas, column, a.y + 0.5 * a.height, label, axes->y_label);
}

/* The common factor of an axis's labels, e.g. "×10⁻⁸". */
static void draw_factor(cli_canvas *canvas, double x, double y, cli_anchor anchor, int exponent)
{
    char power[32], text[40];
    if (exponent == 0)
        return;
    cli_power_text(exponent, power, sizeof power);
    snprintf(text, sizeof text, "×%s", power);
    cli_draw_text(canvas, x, y, (cli_text_style){.size = CLI_TICK_SIZE, .anchor = anchor, .colour = cli_ink()}, text);
}

void cli_axes_draw_labels(cli_canvas *canvas, const cli_axes *axes)
{
    if (axes->bare)
        return;
    cli_rect a = axes->area;
    cli_style line = cli_stroke(cli_ink(), 0.9);
    cli_point corner[3] = {{a.x, a.y}, {a.x, a.y + a.height}, {a.x + a.width, a.y + a.height}};
    cli_draw_path(canvas, corner, 3, false, line);
    draw_x_axis(canvas, axes);
    draw_y_axis(canvas, axes);
    draw_factor(canvas, a.x - TICK_LENGTH, a.y - 7.0, CLI_START, axes->y_ticks.exponent);
    double below = a.y + a.height + TICK_LENGTH + TICK_GAP + 0.8 * CLI_TICK_SIZE + CLI_LABEL_SIZE + 7.0;
    draw_factor(canvas, a.x + a.width, below, CLI_END, axes->x_ticks.exponent);
}
