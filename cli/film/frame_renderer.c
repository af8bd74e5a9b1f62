/* Films. The window is fitted to some frames of the whole run, so that it stands still while the bodies move. */
#include "cli/film/frame_renderer.h"
#include "cli/common/cli.h"

#include "cli/film/film_forces.h"
#include "cli/plot/plot_contact.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOKED_AT 60    /* frames that the window is fitted to */
#define POINTS    420.0 /* height of a picture in points: text and lines grow with its pixels, */
#define LEAST     0.9   /* but a point is at least so many pixels */

static int measure(cli_film *film)
{
    cli_panel all;
    cli_plot_options options = {
        .selection = {-INFINITY, INFINITY, (film->run->frame_count + LOOKED_AT - 1) / LOOKED_AT},
        .every_given = true,
        .view = film->options.view};
    int status = cli_panel_open(&all, film->run, &options);
    if (status == 0)
        cli_panel_measure(&all, &film->extent);
    cli_panel_close(&all);
    return status;
}

static cli_scale window(cli_range range)
{
    if (range.any && range.high - range.low < 1e-12) /* a single point: a metre around it */
        range = (cli_range){range.low - 0.5, range.high + 0.5, true};
    return cli_scale_of(range, false, 0.04);
}

static void lay_out(cli_film *film)
{
    cli_panel *panel = &film->panel;
    double top = film->options.captions ? 22.0 : 0.0;
    panel->axes = (cli_axes){.x = window(film->extent.paper[0]), .y = window(film->extent.paper[1]), .bare = true};
    panel->axes.x_label = panel->axes.y_label = "";
    cli_axes_layout_equal(&panel->axes, (cli_rect){0.0, top, film->canvas.width, film->canvas.height - top});
}

static int allocate(cli_film *film)
{
    const cli_film_options *o = &film->options;
    double scale = fmax(LEAST, o->height / POINTS);
    film->steps = malloc(((size_t)film->run->frame_count + 1) * sizeof *film->steps);
    bool good = film->steps && cli_image_create(o->width, o->height, scale, &film->canvas);
    if (good && film->run->dimension == 3)
        good = cli_solids_open(&film->solids, &film->panel, o->width, o->height, o->width / film->canvas.width,
                               (cli_point){0.0, 0.0});
    return good ? 0 : cli_plot_no_memory();
}

int cli_film_open(cli_film *film, cli_plot_run *run, const cli_film_options *options)
{
    *film = (cli_film){.run = run, .options = *options};
    if (run->frame_count == 0)
        return cli_wrong("run '%s' has no frames to show", run->path);
    cli_plot_options plot = {.selection = {-INFINITY, INFINITY, 1}, .view = options->view};
    int status = cli_panel_open_frame(&film->panel, run, &plot, 0);
    status = status == 0 ? measure(film) : status;
    status = status == 0 ? allocate(film) : status;
    if (status != 0)
        return status;
    film->panel.vivid = true;
    film->panel.no_triad = !options->captions;
    lay_out(film);
    status = cli_contact_steps(run, film->steps);
    return status == 0 && options->forces ? cli_film_scale_forces(film) : status;
}

void cli_film_close(cli_film *film)
{
    cli_panel_close(&film->panel);
    cli_solids_close(&film->solids);
    cli_canvas_destroy(&film->canvas);
    free(film->steps);
    *film = (cli_film){0};
}

/* The title asked for, or the scene's, or the name of the run. */
static const char *title_of(const cli_film *film)
{
    const char *title = film->options.title;
    if (!title && film->panel.scene.scene)
        title = cairn_scene_title(film->panel.scene.scene);
    return title && title[0] != '\0' ? title : film->run->name;
}

static void draw_captions(cli_film *film, int64_t frame)
{
    cli_canvas *canvas = &film->canvas;
    char time[64];
    snprintf(time, sizeof time, "t = %.2f s", film->run->time[frame]);
    cli_text_style title = {.size = CLI_LABEL_SIZE, .colour = cli_ink(), .bold = true};
    cli_text_style right = {.size = CLI_LABEL_SIZE, .colour = cli_ink(), .anchor = CLI_END};
    cli_draw_rect(canvas, (cli_rect){0.0, 0.0, canvas->width, 22.0}, cli_fill(cli_rgb(0xFFFFFF)));
    cli_draw_text(canvas, 10.0, 16.0, title, title_of(film));
    cli_draw_text(canvas, canvas->width - 10.0, 16.0, right, time);
}

static void draw_space(cli_film *film)
{
    cli_panel_draw_ground(&film->canvas, &film->panel, &film->extent);
    cli_solids_draw(&film->solids);
    cli_image image = cli_image_begin(&film->canvas);
    cli_raster_lay_over(&film->solids.raster, image.pixels, image.stride);
    cli_image_end(&film->canvas);
    if (film->options.captions && film->panel.view.tilted)
        cli_panel_draw_triad(&film->canvas, &film->panel);
}

int cli_film_draw(cli_film *film, int64_t frame)
{
    int status = cli_panel_turn_to(&film->panel, frame);
    if (status != 0)
        return status;
    cli_image_clear(&film->canvas);
    if (film->run->dimension == 2)
        cli_panel_draw(&film->canvas, &film->panel, &film->extent);
    else
        draw_space(film);
    if (film->newton_points > 0.0)
        status = cli_film_draw_forces(film, frame);
    if (film->options.captions)
        draw_captions(film, frame);
    return status;
}

cli_film_plan cli_film_plan_of(const cli_plot_run *run, double fps, double speed)
{
    assert(run->frame_count > 0 && fps > 0.0 && speed > 0.0);
    double from = run->time[0], length = run->time[run->frame_count - 1] - from;
    double every = speed / fps;
    return (cli_film_plan){.count = 1 + (int64_t)floor(length / every + 1e-9), .from = from, .every = every};
}

int64_t cli_film_frame(const cli_plot_run *run, const cli_film_plan *plan, int64_t picture)
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
