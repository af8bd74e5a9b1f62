/* Charts. The legend stands in the emptiest corner when no curve runs there, otherwise outside at the right, unless
 * that would take too much of the width. */
#include "plot_chart.h"

#include "plot_axes.h"
#include "plot_legend.h"

#include <assert.h>
#include <stdlib.h>

#define CURVE_WIDTH 1.7
#define Y_MARGIN    0.05

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
                crn_range_add(&x, chart->curves[c].x[i], false);
            if (!chart->has_ylim)
                crn_range_add(&y, chart->curves[c].y[i], chart->log);
        }
    axes->x = crn_scale_of(x, false, 0.0);
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

static void draw_data(crn_canvas *canvas, const work *w)
{
    crn_rect area = w->axes.area;
    crn_draw_clip(canvas, (crn_rect){area.x - 1.0, area.y - 1.0, area.width + 2.0, area.height + 2.0});
    for (int c = 0; c < w->chart->curve_count; c++)
        crn_trace_draw(canvas, &w->traces[c], w->legend.entries[c].style);
    crn_draw_unclip(canvas);
    if (empty(w))
    {
        crn_text_style text = {.size = CRN_LABEL_SIZE, .anchor = CRN_MIDDLE, .colour = crn_grey()};
        crn_draw_text(canvas, area.x + 0.5 * area.width, area.y + 0.5 * area.height, text,
                      w->chart->log ? "no positive values to show" : "no values to show");
    }
}

static void draw_title(crn_canvas *canvas, const work *w)
{
    crn_text_style text = {.size = CRN_TITLE_SIZE, .anchor = CRN_MIDDLE, .colour = crn_ink(), .bold = true};
    crn_draw_text(canvas, w->axes.area.x + 0.5 * w->axes.area.width, 8.0 + CRN_TITLE_SIZE, text, w->chart->title);
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
