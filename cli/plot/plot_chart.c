/* Charts. The legend is placed in the emptiest corner if no curve crosses it, otherwise to the right of the axes, unless
 * that would take too much of the width. */
#include "cli/plot/plot_chart.h"
#include "cli/common/cli.h"
#include "cli/draw/axes.h"
#include "cli/draw/legend.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CURVE_WIDTH  1.7
#define Y_MARGIN     0.05
#define X_MARGIN     0.05 /* logarithmic axes only */
#define MARK_RADIUS  3.0
#define EVENT_HEIGHT 7.0
#define EVENT_APART  0.5  /* points: nearer ones would be one stroke */
#define SLOPE_BELOW  10.0 /* points from the curve to its slope triangle */

static void fit_scales(const cli_chart *chart, cli_axes *axes)
{
    cli_range x = {0}, y = {0};
    if (chart->has_xlim)
        x = (cli_range){chart->xlim[0], chart->xlim[1], true};
    if (chart->has_ylim)
        y = (cli_range){chart->ylim[0], chart->ylim[1], true};
    for (int c = 0; c < chart->curve_count; ++c)
        for (int64_t i = 0; i < chart->curves[c].count; ++i)
        {
            if (!chart->has_xlim)
                cli_range_add(&x, chart->curves[c].x[i], chart->log_x);
            if (!chart->has_ylim)
                cli_range_add(&y, chart->curves[c].y[i], chart->log);
        }
    axes->x = cli_scale_of(x, chart->log_x, chart->log_x && !chart->has_xlim ? X_MARGIN : 0.0);
    axes->y = cli_scale_of(y, chart->log, chart->has_ylim ? 0.0 : Y_MARGIN);
}

static cli_style curve_style(const cli_curve *curve)
{
    cli_style style = cli_stroke(cli_palette(curve->colour), CURVE_WIDTH);
    style.dash = curve->dash;
    return style;
}

/* Everything a chart needs while it is drawn. */
typedef struct work
{
    const cli_chart *chart;
    cli_axes axes;
    cli_trace *traces;
    cli_legend legend;
    cli_rect outer; /* for axes and legend, below the title */
} work;

static void free_traces(work *w)
{
    for (int c = 0; c < w->chart->curve_count; ++c)
        cli_trace_free(&w->traces[c]);
}

static void make_traces(work *w)
{
    for (int c = 0; c < w->chart->curve_count; ++c)
    {
        const cli_curve *curve = &w->chart->curves[c];
        cli_trace_make(&w->traces[c], curve->x, curve->y, curve->count, &w->axes.x, &w->axes.y);
    }
}

static void prepare(work *w)
{
    size_t count = (size_t)w->chart->curve_count;
    assert(count > 0);
    w->traces = cli_allocate(count, sizeof *w->traces);
    w->legend.entries = cli_allocate(count, sizeof *w->legend.entries);
    for (size_t c = 0; c < count; ++c)
        w->legend.entries[c] = (cli_legend_entry){w->chart->curves[c].name, curve_style(&w->chart->curves[c])};
    w->legend.count = w->chart->legend ? (int)count : 0;
    fit_scales(w->chart, &w->axes);
    cli_axes_layout(&w->axes, w->outer);
    make_traces(w);
}

/* Place the legend; when no corner is free, the axes are narrowed to make room at the right. */
static void place_legend(work *w, cli_rect *place, bool *inside)
{
    int64_t hits = 0;
    cli_point size = cli_legend_size(&w->legend);
    *place = cli_legend_corner(&w->legend, w->axes.area, w->traces, w->chart->curve_count, &hits);
    *inside = hits == 0 || size.x > 0.4 * w->outer.width;
    if (*inside && size.y < w->axes.area.height - 16.0)
        return;
    *inside = false;
    cli_rect narrower = w->outer;
    narrower.width -= size.x;
    cli_axes_layout(&w->axes, narrower);
    *place = (cli_rect){w->axes.area.x + w->axes.area.width + 4.0, w->axes.area.y - 4.0, size.x, size.y};
    free_traces(w);
    make_traces(w);
}

static bool empty(const work *w)
{
    for (int c = 0; c < w->chart->curve_count; ++c)
        if (w->traces[c].count > 0)
            return false;
    return true;
}

static void draw_marks(cli_canvas *canvas, const work *w, const cli_curve *curve)
{
    cli_colour colour = cli_palette(curve->colour);
    cli_style disc = cli_fill(colour), ring = cli_stroke(colour, 1.2);
    ring.fill = cli_rgb(0xFFFFFF);
    for (int64_t i = 0; i < curve->count && curve->mark != CLI_MARK_NONE; ++i)
    {
        cli_point at = {cli_scale_map(&w->axes.x, curve->x[i]), cli_scale_map(&w->axes.y, curve->y[i])};
        if (isfinite(at.x) && isfinite(at.y))
            cli_draw_circle(canvas, at, MARK_RADIUS, curve->mark == CLI_MARK_DISC ? disc : ring);
    }
}

/* The right angle lies on the side away from the curve; the numbers are those of the slope. */
static void draw_slope(cli_canvas *canvas, const work *w, const cli_slope *slope)
{
    assert(w->chart->log && w->chart->log_x && slope->reach > 1.0);
    bool rises = slope->slope > 0.0;
    double x0 = cli_scale_map(&w->axes.x, slope->x), x1 = cli_scale_map(&w->axes.x, slope->x * slope->reach);
    double y0 = cli_scale_map(&w->axes.y, slope->y) + SLOPE_BELOW;
    double y1 = cli_scale_map(&w->axes.y, slope->y * pow(slope->reach, slope->slope)) + SLOPE_BELOW;
    double bottom = fmax(y0, y1), upright = rises ? x1 : x0;
    cli_point corners[3] = {{x0, y0}, {x1, y1}, {upright, bottom}};
    cli_style style = cli_stroke(cli_grey(), 0.9);
    style.fill = cli_rgb(0xF4F4F4);
    cli_draw_path(canvas, corners, 3, true, style);
    char text[24];
    snprintf(text, sizeof text, "%g", fabs(slope->slope));
    cli_text_style number = {.size = CLI_TICK_SIZE, .anchor = CLI_MIDDLE, .colour = cli_grey()};
    cli_draw_text(canvas, 0.5 * (x0 + x1), bottom + CLI_TICK_SIZE, number, "1");
    number.anchor = rises ? CLI_START : CLI_END;
    cli_draw_text(canvas, upright + (rises ? 4.0 : -4.0), 0.5 * (y0 + y1) + 0.36 * CLI_TICK_SIZE, number, text);
}

static void draw_events(cli_canvas *canvas, const work *w)
{
    cli_rect area = w->axes.area;
    double bottom = area.y + area.height, last = -INFINITY;
    for (int64_t i = 0; i < w->chart->event_count; ++i)
    {
        double x = cli_scale_map(&w->axes.x, w->chart->events[i]);
        if (!(x >= area.x && x <= area.x + area.width && x >= last + EVENT_APART))
            continue;
        cli_draw_line(canvas, x, bottom, x, bottom - EVENT_HEIGHT, cli_stroke(cli_rgb(0xB03A2E), 1.0));
        last = x;
    }
}

static void draw_violations(cli_canvas *canvas, const work *w)
{
    cli_rect area = w->axes.area;
    double last = -INFINITY;
    cli_style style = cli_stroke(cli_rgb(0xE67E22), 0.8);
    style.dash = CLI_DOTTED;
    for (int64_t i = 0; i < w->chart->violation_count; ++i)
    {
        double x = cli_scale_map(&w->axes.x, w->chart->violations[i]);
        if (!(x >= area.x && x <= area.x + area.width && x >= last + EVENT_APART))
            continue;
        cli_draw_line(canvas, x, area.y, x, area.y + area.height, style);
        last = x;
    }
}

static void draw_data(cli_canvas *canvas, const work *w)
{
    cli_rect area = w->axes.area;
    cli_draw_clip(canvas, (cli_rect){area.x - 1.0, area.y - 1.0, area.width + 2.0, area.height + 2.0});
    for (int i = 0; i < w->chart->slope_count; ++i)
        draw_slope(canvas, w, &w->chart->slopes[i]);
    for (int c = 0; c < w->chart->curve_count; ++c)
    {
        cli_trace_draw(canvas, &w->traces[c], w->legend.entries[c].style);
        draw_marks(canvas, w, &w->chart->curves[c]);
    }
    draw_events(canvas, w);
    draw_violations(canvas, w);
    cli_draw_unclip(canvas);
    if (empty(w))
    {
        cli_text_style text = {.size = CLI_LABEL_SIZE, .anchor = CLI_MIDDLE, .colour = cli_grey()};
        cli_draw_text(canvas, area.x + 0.5 * area.width, area.y + 0.5 * area.height, text,
                      w->chart->log ? "no positive values to show" : "no values to show");
    }
}

/* Above the middle of the axes; where that leaves too little room, beside it, and smaller if it must be. */
static void draw_title(cli_canvas *canvas, const work *w)
{
    cli_text_style text = {.size = CLI_TITLE_SIZE, .anchor = CLI_MIDDLE, .colour = cli_ink(), .bold = true};
    double half = 0.6 * cli_text_width(w->chart->title, text.size) + 4.0; /* bold letters are wider */
    double middle = w->axes.area.x + 0.5 * w->axes.area.width;
    middle = fmax(half, fmin(canvas->width - half, middle));
    if (2.0 * half > canvas->width)
    {
        text.size *= canvas->width / (2.0 * half);
        middle = 0.5 * canvas->width;
    }
    cli_draw_text(canvas, middle, 8.0 + CLI_TITLE_SIZE, text, w->chart->title);
}

static void draw(cli_canvas *canvas, work *w)
{
    cli_rect place = {0};
    bool inside = false;
    prepare(w);
    if (w->legend.count > 0)
        place_legend(w, &place, &inside);
    cli_axes_draw_grid(canvas, &w->axes);
    draw_data(canvas, w);
    cli_axes_draw_labels(canvas, &w->axes);
    if (w->legend.count > 0)
        cli_legend_draw(canvas, &w->legend, place, inside);
    draw_title(canvas, w);
}

void cli_chart_draw(cli_canvas *canvas, const cli_chart *chart)
{
    work w = {.chart = chart};
    w.axes.x_label = chart->x_label;
    w.axes.y_label = chart->y_label;
    double top = chart->title[0] != '\0' ? CLI_TITLE_SIZE + 16.0 : 10.0;
    w.outer = (cli_rect){4.0, top, canvas->width - 8.0, canvas->height - top - 4.0};
    draw(canvas, &w);
    free_traces(&w);
    free(w.traces);
    free(w.legend.entries);
}

int cli_chart_write(const cli_chart *chart, const char *path, double width, double height)
{
    cli_drawing drawing;
    int status = cli_drawing_open(&drawing, path, width, height);
    if (status)
        return status;
    cli_chart_draw(&drawing.canvas, chart);
    return cli_drawing_close(&drawing);
}
