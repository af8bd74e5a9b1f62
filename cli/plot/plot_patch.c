/* The picture `patch`: the forces over the elements of a compliant contact. In space a map of the pressure with arrows of shear, in
 * the plane a row of columns; filled dots stick, rings slip. One panel per time (`--at`, otherwise the last one) and run; of
 * several patches the one that carries most. */
#include "cli/common/cli.h"
#include "cli/draw/axes.h"
#include "cli/draw/draw.h"
#include "cli/plot/plot_contact.h"
#include "cli/plot/plot_options.h"
#include "cli/plot/plot_patch_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PANEL_WIDTH  330.0 /* points */
#define PANEL_HEIGHT 330.0
#define HEADER       20.0
#define FOOTER       26.0 /* the key below the panels */
#define BAR_ROOM     96.0 /* of the colour bar */
#define MOST_COLUMNS 4
#define SHADES       48
#define MARK         2.2

typedef struct page
{
    const cli_plot_options *options;
    int dimension;
    cli_patch_frame *frames;
    const char **names; /* of the runs, a frame */
    int count, columns, rows;
    double top, width, height;
    double normal, friction; /* N/m^2 in space, N in the plane: the largest of all panels */
} page;

static cli_colour shade(double share)
{
    return cli_fade(cli_rgb(0x08519C), fmax(0.0, fmin(1.0, share)));
}

static cli_colour shear_colour(void)
{
    return cli_rgb(0xD55E00);
}

/* What a force of an element is shown as: over its area in space, itself in the plane. */
static double shown(const page *p, const cli_patch_frame *f, double force)
{
    return p->dimension == 3 && f->spacing > 0.0 ? force / (f->spacing * f->spacing) : force;
}

static const char *unit(const page *p)
{
    return p->dimension == 3 ? "N/m²" : "N";
}

static void measure(page *p)
{
    for (int i = 0; i < p->count; ++i)
        for (int k = 0; k < p->frames[i].count; ++k)
        {
            const cli_patch_frame *f = &p->frames[i];
            const cli_patch_element *e = &f->elements[k];
            p->normal = fmax(p->normal, shown(p, f, e->normal));
            p->friction = fmax(p->friction, shown(p, f, hypot(e->friction[0], e->friction[1])));
        }
}

/* -------------------------------------------------------------------------------------------------------- a panel */

static void draw_arrow(cli_canvas *canvas, cli_point from, double dx, double dy)
{
    double length = hypot(dx, dy), head = fmin(5.0, 0.45 * length);
    if (length < 1.0)
        return;
    double ux = dx / length, uy = dy / length;
    cli_point tip = {from.x + dx, from.y + dy};
    cli_point wings[3] = {{tip.x - head * (ux + 0.5 * uy), tip.y - head * (uy - 0.5 * ux)},
                          tip,
                          {tip.x - head * (ux - 0.5 * uy), tip.y - head * (uy + 0.5 * ux)}};
    cli_draw_line(canvas, from.x, from.y, tip.x, tip.y, cli_stroke(shear_colour(), 1.4));
    cli_draw_path(canvas, wings, 3, false, cli_stroke(shear_colour(), 1.4));
}

/* A filled dot where it sticks, a ring where it slips; white on dark squares. */
static void draw_mark(cli_canvas *canvas, cli_point at, const cli_patch_element *e, double share)
{
    cli_colour colour = share > 0.55 ? cli_rgb(0xFFFFFF) : cli_ink();
    if (e->loaded)
        cli_draw_circle(canvas, at, MARK, e->slips ? cli_stroke(colour, 1.0) : cli_fill(colour));
}

static void draw_map(cli_canvas *canvas, const page *p, const cli_axes *axes, const cli_patch_frame *f)
{
    double side = f->spacing > 0.0 ? f->spacing : 1.0;
    double points = fabs(cli_scale_map(&axes->x, side) - cli_scale_map(&axes->x, 0.0));
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < f->count; ++k)
        {
            const cli_patch_element *e = &f->elements[k];
            cli_point at = {cli_scale_map(&axes->x, e->x[0]), cli_scale_map(&axes->y, e->x[1])};
            double share = p->normal > 0.0 ? shown(p, f, e->normal) / p->normal : 0.0;
            cli_style style = {.stroke = cli_rgb(0xC8C8C8), .width = 0.5};
            style.fill = e->loaded ? shade(0.06 + 0.94 * share) : cli_rgb(0xFFFFFF);
            if (pass == 0)
            {
                cli_draw_rect(canvas, (cli_rect){at.x - 0.5 * points, at.y - 0.5 * points, points, points}, style);
                continue;
            }
            double scale = p->friction > 0.0 ? 1.1 * points * shown(p, f, 1.0) / p->friction : 0.0;
            draw_arrow(canvas, at, scale * e->friction[0], -scale * e->friction[1]);
            draw_mark(canvas, at, e, share);
        }
}

/* Normal forces as columns, friction as arrows along their tops. */
static void draw_columns(cli_canvas *canvas, const page *p, const cli_axes *axes, const cli_patch_frame *f)
{
    double side = f->spacing > 0.0 ? f->spacing : 1.0, base = cli_scale_map(&axes->y, 0.0);
    double points = fabs(cli_scale_map(&axes->x, side) - cli_scale_map(&axes->x, 0.0));
    for (int k = 0; k < f->count; ++k)
    {
        const cli_patch_element *e = &f->elements[k];
        double share = p->normal > 0.0 ? e->normal / p->normal : 0.0;
        cli_point at = {cli_scale_map(&axes->x, e->x[0]), cli_scale_map(&axes->y, e->normal)};
        cli_draw_rect(canvas, (cli_rect){at.x - 0.4 * points, at.y, 0.8 * points, base - at.y},
                      (cli_style){.stroke = cli_rgb(0x08519C), .width = 0.8, .fill = shade(0.06 + 0.94 * share)});
        double scale = p->friction > 0.0 ? 0.42 * points / p->friction : 0.0;
        draw_arrow(canvas, (cli_point){at.x, at.y - 8.0}, scale * e->friction[0], 0.0);
        draw_mark(canvas, (cli_point){at.x, at.y - 8.0}, e, 0.0);
    }
}

static void lay_out(const page *p, const cli_patch_frame *f, cli_rect outer, cli_axes *axes)
{
    cli_range x = {0}, y = {0};
    double half = f->spacing > 0.0 ? 0.5 * f->spacing : 0.5;
    for (int k = 0; k < f->count; ++k)
    {
        for (int sign = -1; sign <= 1; sign += 2)
        {
            cli_range_add(&x, f->elements[k].x[0] + sign * half, false);
            cli_range_add(&y, f->elements[k].x[1] + sign * half, false);
        }
    }
    if (p->dimension == 2)
        y = (cli_range){0.0, 1.12 * p->normal, true};
    *axes = (cli_axes){.x = cli_scale_of(x, false, 0.03),
                       .y = cli_scale_of(y, false, p->dimension == 3 ? 0.03 : 0.0),
                       .x_label = p->dimension == 3 ? "along the first tangent (m)" : "along the tangent (m)",
                       .y_label = p->dimension == 3 ? "along the second tangent (m)" : "normal force (N)"};
    if (p->dimension == 3)
        cli_axes_layout_equal(axes, outer);
    else
        cli_axes_layout(axes, outer);
}

static void draw_panel(cli_canvas *canvas, const page *p, int index)
{
    const cli_patch_frame *f = &p->frames[index];
    cli_rect outer = {8.0 + PANEL_WIDTH * (index % p->columns),
                      p->top + (PANEL_HEIGHT + HEADER) * (index / p->columns) + HEADER, PANEL_WIDTH - 8.0,
                      PANEL_HEIGHT};
    cli_axes axes;
    char text[320];
    lay_out(p, f, outer, &axes);
    if (p->dimension == 2)
        cli_axes_draw_grid(canvas, &axes);
    cli_draw_clip(canvas, axes.area);
    (p->dimension == 3 ? draw_map : draw_columns)(canvas, p, &axes, f);
    cli_draw_unclip(canvas);
    cli_axes_draw_labels(canvas, &axes);
    snprintf(text, sizeof text, "%s%st = %.6g s%s", p->names[index], p->names[index][0] ? ", " : "", f->time,
             f->count == 0 ? ": no patch" : "");
    cli_draw_text(canvas, axes.area.x, outer.y - 6.0, (cli_text_style){.size = CLI_TICK_SIZE, .colour = cli_ink()},
                  text);
}

/* ----------------------------------------------------------------------------------------------------- the page */

/* The shades of the pressure, with ticks. */
static void draw_bar(cli_canvas *canvas, const page *p)
{
    cli_rect area = {p->width - BAR_ROOM + 14.0, p->top + HEADER + 6.0, 14.0, PANEL_HEIGHT - 60.0};
    cli_scale scale = {
        .low = 0.0, .high = p->normal > 0.0 ? p->normal : 1.0, .from = area.y + area.height, .to = area.y};
    cli_ticks ticks;
    cli_text_style text = {.size = CLI_TICK_SIZE, .colour = cli_ink()};
    char label[64], power[32] = "";
    for (int i = 0; i < SHADES; ++i)
        cli_draw_rect(canvas,
                      (cli_rect){area.x, area.y + area.height * (SHADES - 1 - i) / SHADES, area.width,
                                 area.height / SHADES + 0.3},
                      cli_fill(shade(0.06 + 0.94 * (i + 0.5) / SHADES)));
    cli_draw_rect(canvas, area, cli_stroke(cli_ink(), 0.7));
    cli_ticks_make(&scale, 5, &ticks);
    for (int i = 0; i < ticks.count; ++i)
    {
        double y = cli_scale_map(&scale, ticks.value[i]);
        cli_draw_line(canvas, area.x + area.width, y, area.x + area.width + 4.0, y, cli_stroke(cli_ink(), 0.8));
        cli_draw_text(canvas, area.x + area.width + 7.0, y + 0.36 * CLI_TICK_SIZE, text, ticks.label[i]);
    }
    if (ticks.exponent != 0)
        cli_power_text(ticks.exponent, power, sizeof power);
    snprintf(label, sizeof label, "%s%s%s", power[0] ? "×" : "", power, power[0] ? " " : "");
    cli_draw_text(canvas, area.x - 4.0, area.y - 8.0, text, label);
    text.upwards = true;
    text.anchor = CLI_MIDDLE;
    text.size = CLI_LABEL_SIZE;
    snprintf(label, sizeof label, "pressure (%s)", unit(p));
    cli_draw_text(canvas, p->width - 10.0, area.y + 0.5 * area.height, text, label);
}

static void draw_key(cli_canvas *canvas, const page *p)
{
    double y = p->height - 0.5 * FOOTER, x = 24.0;
    char text[256];
    cli_text_style style = {.size = CLI_LEGEND_SIZE, .colour = cli_ink()};
    cli_draw_circle(canvas, (cli_point){x, y}, MARK, cli_fill(cli_ink()));
    cli_draw_text(canvas, x + 8.0, y + 4.0, style, "sticks");
    cli_draw_circle(canvas, (cli_point){x + 58.0, y}, MARK, cli_stroke(cli_ink(), 1.0));
    cli_draw_text(canvas, x + 66.0, y + 4.0, style, "slips");
    draw_arrow(canvas, (cli_point){x + 108.0, y}, 22.0, 0.0);
    const char *name = p->frames[0].name;
    int length = 0;
    while (name[length] != '\0' && name[length] != ',')
        ++length;
    snprintf(text, sizeof text, "%s on %.*s, longest %.3g %s", p->dimension == 3 ? "shear" : "friction", length, name,
             p->friction, unit(p));
    cli_draw_text(canvas, x + 138.0, y + 4.0, style, text);
}

static int draw(page *p)
{
    const char *title = p->options->title ? p->options->title : "";
    cli_drawing drawing;
    p->columns = p->count < MOST_COLUMNS ? p->count : MOST_COLUMNS;
    p->rows = (p->count + p->columns - 1) / p->columns;
    p->top = title[0] != '\0' ? CLI_TITLE_SIZE + 14.0 : 4.0;
    p->width = PANEL_WIDTH * p->columns + (p->dimension == 3 ? BAR_ROOM : 8.0);
    p->height = p->top + p->rows * (PANEL_HEIGHT + HEADER) + FOOTER;
    measure(p);
    int status = cli_drawing_open(&drawing, p->options->output, p->width, p->height);
    if (status != 0)
        return status;
    for (int i = 0; i < p->count; ++i)
        draw_panel(&drawing.canvas, p, i);
    if (p->dimension == 3)
        draw_bar(&drawing.canvas, p);
    draw_key(&drawing.canvas, p);
    cli_text_style style = {.size = CLI_TITLE_SIZE, .anchor = CLI_MIDDLE, .colour = cli_ink(), .bold = true};
    cli_draw_text(&drawing.canvas, 0.5 * p->width, 8.0 + CLI_TITLE_SIZE, style, title);
    return cli_drawing_close(&drawing);
}

static int64_t nearest(const cli_plot_run *run, double time)
{
    int64_t best = 0;
    for (int64_t i = 1; i < run->frame_count; ++i)
        if (fabs(run->time[i] - time) < fabs(run->time[best] - time))
            best = i;
    return best;
}

/* The panels of one run; exit status. */
static int read_run(page *p, cli_plot_run *run)
{
    int times = p->options->at ? p->options->at_count : 1;
    double *h = cli_allocate((size_t)run->frame_count + 1, sizeof *h);
    int status = cli_contact_steps(run, h);
    for (int k = 0; k < times && status == 0 && run->frame_count > 0; ++k)
    {
        int64_t frame = p->options->at ? nearest(run, p->options->at[k]) : run->frame_count - 1;
        p->names[p->count] = p->options->run_count > 1 ? run->name : "";
        status = cli_patch_frame_read(run, frame, h[frame], &p->frames[p->count++]);
    }
    free(h);
    return status;
}

static int check(const cli_plot_run *runs, const cli_plot_options *o)
{
    bool span = isfinite(o->selection.from) || isfinite(o->selection.to);
    const char *unfit = o->log                              ? "log"
                        : o->x                              ? "x"
                        : o->mark.count > 0                 ? "mark"
                        : o->legend.count > 0               ? "legend"
                        : o->width > 0.0 || o->height > 0.0 ? "size"
                        : o->has_xlim                       ? "xlim"
                        : o->has_ylim                       ? "ylim"
                        : o->every_given                    ? "every"
                        : span                              ? "from"
                        : o->view != CLI_VIEW_AUTO          ? "view"
                                                            : NULL;
    if (unfit)
        return cli_wrong("plot: option --%s does not apply to patch", unfit);
    for (int i = 1; i < o->run_count; ++i)
        if (runs[i].dimension != runs[0].dimension)
            return cli_wrong("plot: '%s' and '%s' are not both planar or both spatial", runs[0].path, runs[i].path);
    return 0;
}

static bool any_patch(const page *p)
{
    for (int i = 0; i < p->count; ++i)
        if (p->frames[i].count > 0)
            return true;
    return false;
}

int cli_plot_patch(cli_plot_run *runs, const cli_plot_options *options)
{
    int most = options->run_count * (options->at ? options->at_count : 1), status = check(runs, options);
    page p = {.options = options, .dimension = runs[0].dimension};
    p.frames = cli_allocate((size_t)most, sizeof *p.frames);
    p.names = cli_allocate((size_t)most, sizeof *p.names);
    for (int i = 0; i < options->run_count && status == 0; ++i)
        status = read_run(&p, &runs[i]);
    if (status == 0 && !any_patch(&p))
        status = cli_wrong("plot: patch: no compliant contact at that time");
    status = status == 0 ? draw(&p) : status;
    for (int i = 0; i < p.count; ++i)
        cli_patch_frame_free(&p.frames[i]);
    free(p.frames);
    free((void *)p.names);
    return status;
}
