/* Charts. The legend stands in the emptiest corner when no curve runs there, otherwise outside at the right, unless
 * that would take too much of the width. */
#include "plot_chart.h"

#include "plot_axes.h"
#include "plot_legend.h"

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

static void fit_scales(const crn_chart *chart, crn_axes *axes)
{
    crn_range x = {0}, y = {0};
    if (chart->has_xlim)
        x = (crn_range){chart->xlim[0], chart->xlim[1], true};
    if (chart->has_ylim)
        y = (crn_range){chart->ylim[0], chart->ylim[1], true};
    for (int c = 0; c < chart->curve_count; c++)
        for (int64_t i = 0; i < chart->curves[c].count; i++)
        {
            if (!chart->has_xlim)
                crn_range_add(&x, chart->curves[c].x[i], chart->log_x);
            if (!chart->has_ylim)
                crn_range_add(&y, chart->curves[c].y[i], chart->log);
        }
    axes->x = crn_scale_of(x, chart->log_x, chart->log_x && !chart->has_xlim ? X_MARGIN : 0.0);
    axes->y = crn_scale_of(y, chart->log, chart->has_ylim ? 0.0 : Y_MARGIN);
}

static crn_style curve_style(const crn_curve *curve)
{
    crn_style style = crn_stroke(crn_palette(curve->colour), CURVE_WIDTH);
    style.dash = curve->dash;
    return style;
}

/* Everything a chart needs while it is drawn. */
typedef struct work
{
    const crn_chart *chart;
    crn_axes axes;
    crn_trace *traces;
    crn_legend legend;
    crn_rect outer; /* for axes and legend, below the title */
} work;

static void free_traces(work *w)
{
    for (int c = 0; c < w->chart->curve_count; c++)
        crn_trace_free(&w->traces[c]);
}

static bool make_traces(work *w)
{
    for (int c = 0; c < w->chart->curve_count; c++)
    {
        const crn_curve *curve = &w->chart->curves[c];
        if (!crn_trace_make(&w->traces[c], curve->x, curve->y, curve->count, &w->axes.x, &w->axes.y))
            return false;
    }
    return true;
}

static bool prepare(work *w)
{
    size_t count = (size_t)w->chart->curve_count;
    assert(count > 0);
    w->traces = calloc(count, sizeof *w->traces);
    w->legend.entries = calloc(count, sizeof *w->legend.entries);
    if (w->traces == NULL || w->legend.entries == NULL)
        return false;
    for (size_t c = 0; c < count; c++)
        w->legend.entries[c] = (crn_legend_entry){w->chart->curves[c].name, curve_style(&w->chart->curves[c])};
    w->legend.count = w->chart->legend ? (int)count : 0;
    fit_scales(w->chart, &w->axes);
    crn_axes_layout(&w->axes, w->outer);
    return make_traces(w);
}

/* Find the legend's place; the axes give way at the right when no corner is free. False when memory ran out. */
static bool place_legend(work *w, crn_rect *place, bool *inside)
{
    int64_t hits = 0;
    crn_point size = crn_legend_size(&w->legend);
    *place = crn_legend_corner(&w->legend, w->axes.area, w->traces, w->chart->curve_count, &hits);
    *inside = hits == 0 || size.x > 0.4 * w->outer.width;
    if (*inside && size.y < w->axes.area.height - 16.0)
        return true;
    *inside = false;
    crn_rect narrower = w->outer;
    narrower.width -= size.x;
    crn_axes_layout(&w->axes, narrower);
    *place = (crn_rect){w->axes.area.x + w->axes.area.width + 4.0, w->axes.area.y - 4.0, size.x, size.y};
    free_traces(w);
    return make_traces(w);
}

static bool empty(const work *w)
{
    for (int c = 0; c < w->chart->curve_count; c++)
        if (w->traces[c].count > 0)
            return false;
    return true;
}

static void draw_marks(crn_canvas *canvas, const work *w, const crn_curve *curve)
{
    crn_colour colour = crn_palette(curve->colour);
    crn_style disc = crn_fill(colour), ring = crn_stroke(colour, 1.2);
    ring.fill = crn_rgb(0xFFFFFF);
    for (int64_t i = 0; i < curve->count && curve->mark != CRN_MARK_NONE; i++)
    {
        crn_point at = {crn_scale_map(&w->axes.x, curve->x[i]), crn_scale_map(&w->axes.y, curve->y[i])};
        if (isfinite(at.x) && isfinite(at.y))
            crn_draw_circle(canvas, at, MARK_RADIUS, curve->mark == CRN_MARK_DISC ? disc : ring);
    }
}

/* The right angle lies on the side away from the curve; the numbers are those of the slope. */
static void draw_slope(crn_canvas *canvas, const work *w, const crn_slope *slope)
{
    assert(w->chart->log && w->chart->log_x && slope->reach > 1.0);
    bool rises = slope->slope > 0.0;
    double x0 = crn_scale_map(&w->axes.x, slope->x), x1 = crn_scale_map(&w->axes.x, slope->x * slope->reach);
    double y0 = crn_scale_map(&w->axes.y, slope->y) + SLOPE_BELOW;
    double y1 = crn_scale_map(&w->axes.y, slope->y * pow(slope->reach, slope->slope)) + SLOPE_BELOW;
    double bottom = fmax(y0, y1), upright = rises ? x1 : x0;
    crn_point corners[3] = {{x0, y0}, {x1, y1}, {upright, bottom}};
    crn_style style = crn_stroke(crn_grey(), 0.9);
    style.fill = crn_rgb(0xF4F4F4);
    crn_draw_path(canvas, corners, 3, true, style);
    char text[24];
    snprintf(text, sizeof text, "%g", fabs(slope->slope));
    crn_text_style number = {.size = CRN_TICK_SIZE, .anchor = CRN_MIDDLE, .colour = crn_grey()};
    crn_draw_text(canvas, 0.5 * (x0 + x1), bottom + CRN_TICK_SIZE, number, "1");
    number.anchor = rises ? CRN_START : CRN_END;
    crn_draw_text(canvas, upright + (rises ? 4.0 : -4.0), 0.5 * (y0 + y1) + 0.36 * CRN_TICK_SIZE, number, text);
}

static void draw_events(crn_canvas *canvas, const work *w)
{
    crn_rect area = w->axes.area;
    double bottom = area.y + area.height, last = -INFINITY;
    for (int64_t i = 0; i < w->chart->event_count; i++)
    {
        double x = crn_scale_map(&w->axes.x, w->chart->events[i]);
        if (!(x >= area.x && x <= area.x + area.width && x >= last + EVENT_APART))
            continue;
        crn_draw_line(canvas, x, bottom, x, bottom - EVENT_HEIGHT, crn_stroke(crn_rgb(0xB03A2E), 1.0));
        last = x;
    }
}

static void draw_violations(crn_canvas *canvas, const work *w)
{
    crn_rect area = w->axes.area;
    double last = -INFINITY;
    crn_style style = crn_stroke(crn_rgb(0xE67E22), 0.8);
    style.dash = CRN_DOTTED;
    for (int64_t i = 0; i < w->chart->violation_count; i++)
    {
        double x = crn_scale_map(&w->axes.x, w->chart->violations[i]);
        if (!(x >= area.x && x <= area.x + area.width && x >= last + EVENT_APART))
            continue;
        crn_draw_line(canvas, x, area.y, x, area.y + area.height, style);
        last = x;
    }
}

static void draw_data(crn_canvas *canvas, const work *w)
{
    crn_rect area = w->axes.area;
    crn_draw_clip(canvas, (crn_rect){area.x - 1.0, area.y - 1.0, area.width + 2.0, area.height + 2.0});
    for (int i = 0; i < w->chart->slope_count; i++)
        draw_slope(canvas, w, &w->chart->slopes[i]);
    for (int c = 0; c < w->chart->curve_count; c++)
    {
        crn_trace_draw(canvas, &w->traces[c], w->legend.entries[c].style);
        draw_marks(canvas, w, &w->chart->curves[c]);
    }
    draw_events(canvas, w);
    draw_violations(canvas, w);
    crn_draw_unclip(canvas);
    if (empty(w))
    {
        crn_text_style text = {.size = CRN_LABEL_SIZE, .anchor = CRN_MIDDLE, .colour = crn_grey()};
        crn_draw_text(canvas, area.x + 0.5 * area.width, area.y + 0.5 * area.height, text,
                      w->chart->log ? "no positive values to show" : "no values to show");
    }
}

/* Above the middle of the axes; where that leaves too little room, beside it, and smaller if it must be. */
static void draw_title(crn_canvas *canvas, const work *w)
{
    crn_text_style text = {.size = CRN_TITLE_SIZE, .anchor = CRN_MIDDLE, .colour = crn_ink(), .bold = true};
    double half = 0.6 * crn_text_width(w->chart->title, text.size) + 4.0; /* bold letters are wider */
    double middle = w->axes.area.x + 0.5 * w->axes.area.width;
    middle = fmax(half, fmin(canvas->width - half, middle));
    if (2.0 * half > canvas->width)
    {
        text.size *= canvas->width / (2.0 * half);
        middle = 0.5 * canvas->width;
    }
    crn_draw_text(canvas, middle, 8.0 + CRN_TITLE_SIZE, text, w->chart->title);
}

static bool draw(crn_canvas *canvas, work *w)
{
    crn_rect place = {0};
    bool inside = false;
    if (!prepare(w) || (w->legend.count > 0 && !place_legend(w, &place, &inside)))
        return false;
    crn_axes_draw_grid(canvas, &w->axes);
    draw_data(canvas, w);
    crn_axes_draw_labels(canvas, &w->axes);
    if (w->legend.count > 0)
        crn_legend_draw(canvas, &w->legend, place, inside);
    draw_title(canvas, w);
    return true;
}

bool crn_chart_draw(crn_canvas *canvas, const crn_chart *chart)
{
    work w = {.chart = chart};
    w.axes.x_label = chart->x_label;
    w.axes.y_label = chart->y_label;
    double top = chart->title[0] != '\0' ? CRN_TITLE_SIZE + 16.0 : 10.0;
    w.outer = (crn_rect){4.0, top, canvas->width - 8.0, canvas->height - top - 4.0};
    bool ok = draw(canvas, &w);
    if (w.traces != NULL)
        free_traces(&w);
    free(w.traces);
    free(w.legend.entries);
    return ok;
}
