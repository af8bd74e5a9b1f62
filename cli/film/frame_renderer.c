/* The window is fitted to frames from the whole run, so that it does not move with the bodies. */
#include "cli/film/frame_renderer.h"
#include "cli/common/cli.h"
#include "cli/film/frame_forces.h"
#include "cli/plot/plot_contact.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOKED_AT 60    /* frames that the window is fitted to */
#define POINTS    420.0 /* height of a picture in points: text and lines grow with its pixels, */
#define LEAST     0.9   /* but a point is at least so many pixels */

static int measure(cli_frame_renderer *renderer)
{
    cli_panel all;
    cli_plot_options options = {
        .selection = {-INFINITY, INFINITY, (renderer->run->frame_count + LOOKED_AT - 1) / LOOKED_AT},
        .every_given = true,
        .view = renderer->options.view};
    int status = cli_panel_open(&all, renderer->run, &options);
    if (status == 0)
        cli_panel_measure(&all, &renderer->extent);
    cli_panel_close(&all);
    return status;
}

static cli_scale window(cli_range range)
{
    if (range.any && range.high - range.low < 1e-12) /* a single point: a metre around it */
        range = (cli_range){range.low - 0.5, range.high + 0.5, true};
    return cli_scale_of(range, false, 0.04);
}

static void lay_out(cli_frame_renderer *renderer)
{
    cli_panel *panel = &renderer->panel;
    double top = renderer->options.captions ? 22.0 : 0.0;
    panel->axes =
        (cli_axes){.x = window(renderer->extent.paper[0]), .y = window(renderer->extent.paper[1]), .bare = true};
    panel->axes.x_label = panel->axes.y_label = "";
    cli_axes_layout_equal(&panel->axes, (cli_rect){0.0, top, renderer->canvas.width, renderer->canvas.height - top});
}

static int allocate(cli_frame_renderer *renderer)
{
    const cli_frame_options *o = &renderer->options;
    double scale = fmax(LEAST, o->height / POINTS);
    renderer->steps = cli_allocate((size_t)renderer->run->frame_count + 1, sizeof *renderer->steps);
    bool good = cli_image_create(o->width, o->height, scale, &renderer->canvas);
    if (good && renderer->run->dimension == 3)
        cli_solids_open(&renderer->solids, &renderer->panel, o->width, o->height, o->width / renderer->canvas.width,
                        (cli_point){0.0, 0.0});
    return good ? 0 : cli_plot_no_memory();
}

int cli_frame_renderer_open(cli_frame_renderer *renderer, cli_plot_run *run, const cli_frame_options *options)
{
    *renderer = (cli_frame_renderer){.run = run, .options = *options};
    if (run->frame_count == 0)
        return cli_wrong("run '%s' has no frames to show", run->path);
    cli_plot_options plot = {.selection = {-INFINITY, INFINITY, 1}, .view = options->view};
    int status = cli_panel_open_frame(&renderer->panel, run, &plot, 0);
    status = status == 0 ? measure(renderer) : status;
    status = status == 0 ? allocate(renderer) : status;
    if (status != 0)
        return status;
    renderer->panel.vivid = true;
    renderer->panel.no_triad = !options->captions;
    lay_out(renderer);
    status = cli_contact_steps(run, renderer->steps);
    return status == 0 && options->forces ? cli_frame_scale_forces(renderer) : status;
}

void cli_frame_renderer_close(cli_frame_renderer *renderer)
{
    cli_panel_close(&renderer->panel);
    cli_solids_close(&renderer->solids);
    cli_canvas_destroy(&renderer->canvas);
    free(renderer->steps);
    *renderer = (cli_frame_renderer){0};
}

/* The title asked for, or the scene's, or the name of the run. */
static const char *title_of(const cli_frame_renderer *renderer)
{
    const char *title = renderer->options.title;
    if (!title && renderer->panel.scene.scene)
        title = cairn_scene_title(renderer->panel.scene.scene);
    return title && title[0] != '\0' ? title : renderer->run->name;
}

static void draw_captions(cli_frame_renderer *renderer, int64_t frame)
{
    cli_canvas *canvas = &renderer->canvas;
    char time[64];
    snprintf(time, sizeof time, "t = %.2f s", renderer->run->time[frame]);
    cli_text_style title = {.size = CLI_LABEL_SIZE, .colour = cli_ink(), .bold = true};
    cli_text_style right = {.size = CLI_LABEL_SIZE, .colour = cli_ink(), .anchor = CLI_END};
    cli_draw_rect(canvas, (cli_rect){0.0, 0.0, canvas->width, 22.0}, cli_fill(cli_rgb(0xFFFFFF)));
    cli_draw_text(canvas, 10.0, 16.0, title, title_of(renderer));
    cli_draw_text(canvas, canvas->width - 10.0, 16.0, right, time);
}

static void draw_space(cli_frame_renderer *renderer)
{
    cli_panel_draw_ground(&renderer->canvas, &renderer->panel, &renderer->extent);
    cli_solids_draw(&renderer->solids);
    cli_image image = cli_image_begin(&renderer->canvas);
    cli_raster_lay_over(&renderer->solids.raster, image.pixels, image.stride);
    cli_image_end(&renderer->canvas);
    if (renderer->options.captions && renderer->panel.view.tilted)
        cli_panel_draw_triad(&renderer->canvas, &renderer->panel);
}

int cli_frame_renderer_draw(cli_frame_renderer *renderer, int64_t frame)
{
    int status = cli_panel_turn_to(&renderer->panel, frame);
    if (status != 0)
        return status;
    cli_image_clear(&renderer->canvas);
    if (renderer->run->dimension == 2)
        cli_panel_draw(&renderer->canvas, &renderer->panel, &renderer->extent);
    else
        draw_space(renderer);
    if (renderer->newton_points > 0.0)
        status = cli_frame_draw_forces(renderer, frame);
    if (renderer->options.captions)
        draw_captions(renderer, frame);
    return status;
}

cli_frame_plan cli_frame_plan_of(const cli_plot_run *run, double fps, double speed)
{
    assert(run->frame_count > 0 && fps > 0.0 && speed > 0.0);
    double from = run->time[0], length = run->time[run->frame_count - 1] - from;
    double every = speed / fps;
    return (cli_frame_plan){.count = 1 + (int64_t)floor(length / every + 1e-9), .from = from, .every = every};
}

int64_t cli_frame_plan_at(const cli_plot_run *run, const cli_frame_plan *plan, int64_t picture)
{
    double time = plan->from + (double)picture * plan->every;
    int64_t low = 0, high = run->frame_count - 1;
    while (high - low > 1)
    {
        int64_t middle = (low + high) / 2;
        if (run->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return fabs(run->time[high] - time) < fabs(run->time[low] - time) ? high : low;
}
