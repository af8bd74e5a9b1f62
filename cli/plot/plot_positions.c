/* Positions and frames: the page around the panels. All panels show the same window, so that runs and times compare; the
 * page is as high as the window asks for unless a size is given. Positions have one panel per run; frames one per time, and
 * one row per run. */
#include "cli/common/cli.h"
#include "cli/draw/draw.h"
#include "cli/draw/legend.h"
#include "cli/plot/plot_chains.h"
#include "cli/plot/plot_options.h"
#include "cli/plot/plot_panel.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER       18.0 /* points above each panel */
#define MOST_NAMES   8    /* bodies in the legend */
#define MOST_COLUMNS 6    /* of frames */
#define FRAMES       4    /* where no times are given */
#define TICK_ROOM_X  62.0 /* about what axes take, to choose a page */
#define TICK_ROOM_Y  50.0

typedef struct page
{
    const cli_plot_options *options;
    cli_panel *panels;
    int count, columns, rows;
    int times;   /* panels per run; 0: positions */
    bool chains; /* force chains instead of colours */
    cli_extent extent;
    cli_scale x, y; /* the window, before it is widened to the panels' form */
    double top;     /* height of title and legend */
    double width, height;
} page;

static cli_scale window(cli_range range, bool given, const double limits[2])
{
    if (given)
        return cli_scale_of((cli_range){limits[0], limits[1], true}, false, 0.0);
    return cli_scale_of(range, false, 0.04);
}

/* A window may be flat, as that of a body on a line: at least a fifth of the other side, for looks. */
static void thicken(cli_scale *scale, double other)
{
    double size = scale->high - scale->low, room = 0.5 * (0.2 * other - size);
    if (room > 0.0)
    {
        scale->low -= room;
        scale->high += room;
    }
}

static void make_window(page *p)
{
    const cli_plot_options *o = p->options;
    p->extent.within[0] = (cli_range){o->xlim[0], o->xlim[1], o->has_xlim};
    p->extent.within[1] = (cli_range){o->ylim[0], o->ylim[1], o->has_ylim};
    for (int i = 0; i < p->count; ++i)
        cli_panel_measure(&p->panels[i], &p->extent);
    for (int k = 0; k < 2; ++k)
    {
        cli_range *range = &p->extent.paper[k];
        if (range->any && range->high - range->low < 1e-12) /* a single point: a metre around it */
            *range = (cli_range){range->low - 0.5, range->high + 0.5, true};
    }
    p->x = window(p->extent.paper[0], o->has_xlim, o->xlim);
    p->y = window(p->extent.paper[1], o->has_ylim, o->ylim);
    double width = p->x.high - p->x.low, height = p->y.high - p->y.low;
    if (!o->has_ylim)
        thicken(&p->y, width);
    if (!o->has_xlim)
        thicken(&p->x, height);
}

static bool bare(const page *p)
{
    return p->panels[0].view.tilted;
}

static void choose_grid(page *p, double aspect)
{
    bool wide = aspect > 2.2;
    if (p->times > 0)
        p->columns = wide ? 1 : p->times <= MOST_COLUMNS ? p->times : MOST_COLUMNS;
    else if (p->count <= 3)
        p->columns = wide ? 1 : p->count;
    else
        p->columns = wide ? 2 : (int)ceil(sqrt((double)p->count));
    p->rows = (p->count + p->columns - 1) / p->columns;
}

static void choose_size(page *p)
{
    double aspect = (p->x.high - p->x.low) / (p->y.high - p->y.low);
    double room_x = bare(p) ? 0.0 : TICK_ROOM_X, room_y = bare(p) ? 0.0 : TICK_ROOM_Y;
    choose_grid(p, aspect);
    p->width = p->options->width > 0.0 ? p->options->width : fmin(1200.0, 640.0 + 240.0 * (p->columns - 1));
    double panel_width = (p->width - 16.0) / p->columns;
    double panel_height = (panel_width - room_x) / aspect + room_y + HEADER;
    panel_height = fmin(600.0, fmax(150.0, panel_height));
    p->height = p->options->height > 0.0 ? p->options->height : round(p->top + p->rows * panel_height + 8.0);
}

static cli_rect panel_place(const page *p, int index)
{
    double width = (p->width - 16.0) / p->columns, height = (p->height - p->top - 8.0) / p->rows;
    return (cli_rect){8.0 + width * (index % p->columns), p->top + height * (index / p->columns), width, height};
}

static const char *panel_name(const page *p, int index)
{
    if (p->options->legend.count > 0)
        return p->options->legend.items[index];
    return p->options->run_count > 1 ? p->panels[index].run->name : "";
}

static void draw_header(cli_canvas *canvas, const page *p, int index)
{
    const cli_panel *panel = &p->panels[index];
    cli_rect area = panel->axes.area;
    char caption[128] = "no frames to show";
    if (panel->snapshot_count == 1)
        snprintf(caption, sizeof caption, "t = %.4g s", panel->run->time[panel->frames[0]]);
    else if (panel->snapshot_count > 1)
        snprintf(caption, sizeof caption, "t = %.4g s (light) to %.4g s (dark)", panel->run->time[panel->frames[0]],
                 panel->run->time[panel->frames[panel->snapshot_count - 1]]);
    cli_text_style name = {.size = CLI_LABEL_SIZE, .colour = cli_ink(), .bold = true};
    cli_text_style time = {.size = CLI_TICK_SIZE - 1.0, .colour = cli_grey(), .anchor = CLI_END};
    double baseline = panel_place(p, index).y + 15.0;
    cli_draw_text(canvas, area.x, baseline, name, panel_name(p, index));
    cli_draw_text(canvas, area.x + area.width, baseline, time, caption);
    if (panel->chains)
    {
        cli_chains_caption(panel, caption, sizeof caption);
        time.anchor = CLI_START;
        cli_draw_text(canvas, area.x + cli_text_width(panel_name(p, index), CLI_LABEL_SIZE) + 8.0, baseline, time,
                      caption);
    }
}

static void draw_panel(cli_canvas *canvas, page *p, int index)
{
    cli_panel *panel = &p->panels[index];
    cli_rect outer = panel_place(p, index);
    panel->axes = (cli_axes){
        .x = p->x, .y = p->y, .x_label = panel->view.x_label, .y_label = panel->view.y_label, .bare = bare(p)};
    outer.y += HEADER;
    outer.height -= HEADER;
    cli_axes_layout_equal(&panel->axes, outer);
    cli_panel_draw(canvas, panel, &p->extent);
    draw_header(canvas, p, index);
}

/* Names of the bodies of the first run in one row, when they are few enough to be read. */
static int legend_count(const page *p)
{
    const cli_panel *panel = &p->panels[0];
    int count = 0;
    double width = 40.0;
    for (int b = 0; b < panel->body_count; ++b)
        if (panel->scene.moves[b])
        {
            ++count;
            width += 40.0 + cli_text_width(cairn_run_body_name(panel->run->run, b), CLI_LEGEND_SIZE);
        }
    return !panel->any_marked && !p->chains && count >= 2 && count <= MOST_NAMES && width < 620.0 ? count : 0;
}

static void draw_legend(cli_canvas *canvas, const page *p)
{
    const cli_panel *panel = &p->panels[0];
    double x = panel->axes.area.x, y = p->top - 12.0;
    cli_text_style text = {.size = CLI_LEGEND_SIZE, .colour = cli_ink()};
    for (int b = 0; b < panel->body_count; ++b)
    {
        if (!panel->scene.moves[b])
            continue;
        const char *name = cairn_run_body_name(panel->run->run, b);
        cli_colour colour = cli_palette(panel->scene.colour[b]), tint = cli_fade(colour, 0.25);
        cli_draw_rect(canvas, (cli_rect){x, y - 5.0, 14.0, 10.0},
                      (cli_style){.stroke = colour, .width = 1.2, .fill = tint});
        cli_draw_text(canvas, x + 20.0, y + 0.36 * CLI_LEGEND_SIZE, text, name);
        x += 40.0 + cli_text_width(name, CLI_LEGEND_SIZE);
    }
}

static int draw(page *p)
{
    const char *title = p->options->title ? p->options->title : "";
    int names = legend_count(p);
    cli_drawing drawing;
    p->top = (title[0] != '\0' ? CLI_TITLE_SIZE + 14.0 : 4.0) + (names > 0 ? 22.0 : 0.0);
    make_window(p);
    choose_size(p);
    int status = cli_drawing_open(&drawing, p->options->output, p->width, p->height);
    if (status != 0)
        return status;
    for (int i = 0; i < p->count; ++i)
        draw_panel(&drawing.canvas, p, i);
    if (names > 0)
        draw_legend(&drawing.canvas, p);
    cli_text_style style = {.size = CLI_TITLE_SIZE, .anchor = CLI_MIDDLE, .colour = cli_ink(), .bold = true};
    cli_draw_text(&drawing.canvas, 0.5 * p->width, 8.0 + CLI_TITLE_SIZE, style, title);
    return cli_drawing_close(&drawing);
}

static int check(const cli_plot_run *runs, const cli_plot_options *o, const char *what, int panels)
{
    for (int i = 1; i < o->run_count; ++i)
        if (runs[i].dimension != runs[0].dimension)
        {
            return cli_wrong("plot: '%s' is planar and '%s' spatial; %s of both cannot be drawn together",
                             runs[runs[0].dimension == 2 ? 0 : i].path, runs[runs[0].dimension == 2 ? i : 0].path,
                             what);
        }
    if (o->legend.count > 0 && o->legend.count != panels)
        return cli_wrong("plot: option --legend: %d names for %d panels", o->legend.count, panels);
    bool chains = strcmp(what, "chains") == 0;
    const char *unfit = o->log                                    ? "log"
                        : o->x                                    ? "x"
                        : o->at && strcmp(what, "positions") == 0 ? "at"
                        : o->mark.count > 0 && chains             ? "mark"
                                                                  : NULL;
    if (unfit)
        return cli_wrong("plot: option --%s does not apply to %s", unfit, what);
    return 0;
}

/* The frame nearest to a time, of those selected. */
static int64_t nearest_frame(const cli_plot_run *run, const cli_selection *selection, double time)
{
    int64_t begin, end;
    cli_plot_run_span(run, selection, &begin, &end);
    int64_t best = begin;
    for (int64_t i = begin; i < end; ++i)
        if (fabs(run->time[i] - time) < fabs(run->time[best] - time))
            best = i;
    return best;
}

/* The k-th of the times given, or else of some at equal distances. */
static int64_t frame_of(const cli_plot_run *run, const cli_plot_options *options, int times, int k)
{
    int64_t begin, end;
    if (options->at)
        return nearest_frame(run, &options->selection, options->at[k]);
    cli_plot_run_span(run, &options->selection, &begin, &end);
    return times == 1 ? end - 1 : begin + (end - 1 - begin) * k / (times - 1);
}

static int open_panel(const page *p, cli_plot_run *runs, int index)
{
    const cli_plot_options *o = p->options;
    if (p->times == 0)
        return cli_panel_open(&p->panels[index], &runs[index], o);
    cli_plot_run *run = &runs[index / p->times];
    int64_t begin, end;
    cli_plot_run_span(run, &o->selection, &begin, &end);
    if (begin >= end)
        return cli_panel_open(&p->panels[index], run, o); /* an empty panel says so */
    int status = cli_panel_open_frame(&p->panels[index], run, o, frame_of(run, o, p->times, index % p->times));
    return status == 0 && p->chains ? cli_chains_read(&p->panels[index]) : status;
}

static int draw_all(page *p, cli_plot_run *runs)
{
    int opened = 0, status = 0;
    assert(p->count > 0);
    p->panels = cli_allocate((size_t)p->count, sizeof *p->panels);
    for (; opened < p->count && status == 0; ++opened)
        status = open_panel(p, runs, opened);
    if (status == 0)
        status = draw(p);
    for (int i = 0; i < opened; ++i)
        cli_panel_close(&p->panels[i]);
    free(p->panels);
    return status;
}

int cli_plot_positions(cli_plot_run *runs, const cli_plot_options *options)
{
    page p = {.options = options, .count = options->run_count};
    int status = check(runs, options, "positions", p.count);
    return status == 0 ? draw_all(&p, runs) : status;
}

int cli_plot_frames(cli_plot_run *runs, const cli_plot_options *options)
{
    page p = {.options = options, .times = options->at ? options->at_count : FRAMES};
    p.count = p.times * options->run_count;
    int status = check(runs, options, "frames", p.count);
    return status == 0 ? draw_all(&p, runs) : status;
}

int cli_plot_chains(cli_plot_run *runs, const cli_plot_options *options)
{
    page p = {.options = options, .times = options->at ? options->at_count : 1, .chains = true};
    p.count = p.times * options->run_count;
    int status = check(runs, options, "chains", p.count);
    return status == 0 ? draw_all(&p, runs) : status;
}
