/* Each scene is run by a process of its own, for a few seconds at the most, and filmed as far as it came; the page then puts
 * the pictures together. Pictures are animated PNG: every browser plays them, from disk too. */
#include "cli/report/gallery.h"

#include "cli/common/cli.h"
#include "cli/common/html.h"
#include "cli/common/job_processes.h"
#include "cli/common/out_file.h"
#include "cli/common/progress.h"
#include "cli/common/scene_source.h"
#include "cli/common/signals.h"
#include "cli/film/movie.h"
#include "cli/run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    PICTURES = 36,
    RATE = 12, /* frames per second */
    FRAMES = 3 * PICTURES,
    WIDTH = 300,
    HEIGHT = 200,
};

typedef struct gallery
{
    const cli_gallery_options *options;
    cairn_builtin *scenes;
    int count;
} gallery;

static char *path_of(const cli_gallery_options *o, const char *name, const char *ending)
{
    return cli_text("%s/%s%s", o->directory, name, ending);
}

/* ------------------------------------------------------------------------------------------------- a scene, in a child */

typedef struct short_run
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_simulation *simulation;
    cairn_recorder *recorder;
} short_run;

static cairn_status open_run(short_run *run, const cairn_builtin *builtin, const char *path)
{
    cairn_status status =
        cairn_scene_parse(run->context, builtin->name, builtin->text, builtin->length, NULL, 0, &run->scene);
    if (status)
        return status;
    cairn_settings settings = cairn_scene_settings(run->scene);
    cli_run_plan plan = cli_run_plan_steps(cairn_scene_until(run->scene), settings.step);
    cairn_recorder_options recorder = cairn_recorder_default();
    recorder.scene_name = builtin->name;
    recorder.scene_text = cairn_scene_text(run->scene);
    recorder.every = (int)(plan.steps / FRAMES) + 1;
    status = cairn_simulation_create(run->context, cairn_scene_model(run->scene), &settings, &run->simulation);
    return status ? status : cairn_recorder_create(run->context, path, run->simulation, &recorder, &run->recorder);
}

/* The animation ends at a step that fails. */
static cairn_status step_on(short_run *run, double seconds)
{
    double until = cairn_scene_until(run->scene), h = cairn_simulation_settings(run->simulation)->step;
    double stop = cli_wall_time() + seconds;
    cairn_status status = CAIRN_OK;
    while (!status && cairn_simulation_time(run->simulation) < until - 0.5 * h && cli_wall_time() < stop)
    {
        if (cairn_simulation_step(run->simulation))
            break;
        status = cairn_recorder_write(run->recorder);
    }
    return status;
}

static cairn_status run_shortly(const cairn_builtin *builtin, const char *path, double seconds)
{
    short_run run = {.context = cli_context_create()};
    cairn_status status = open_run(&run, builtin, path);
    status = status ? status : step_on(&run, seconds);
    if (run.recorder)
    {
        cairn_status closed = cairn_recorder_close(run.recorder, "done");
        status = status ? status : closed;
    }
    cli_messages_print(run.context);
    cairn_simulation_destroy(run.simulation);
    cairn_scene_destroy(run.scene);
    cairn_context_destroy(run.context);
    return status;
}

static int film_run(const char *run_path, const char *picture)
{
    cli_plot_run run;
    cli_movie_options movie = cli_movie_default();
    movie.film = (cli_frame_options){.width = WIDTH, .height = HEIGHT};
    movie.fps = RATE;
    movie.count = PICTURES;
    movie.quiet = true;
    int status = cli_plot_run_open(&run, run_path);
    status = status ? status : cli_movie_write(&run, picture, cli_apng_open, &movie);
    cli_plot_run_close(&run);
    return status;
}

static int film_scene(void *data, int index)
{
    const gallery *g = data;
    const cli_gallery_options *o = g->options;
    cairn_builtin builtin = g->scenes[index];
    char *run = path_of(o, builtin.name, ".run"), *picture = path_of(o, builtin.name, ".png");
    int status = run && picture ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
    if (!status)
    {
        status = cli_exit_status(run_shortly(&builtin, run, o->seconds));
        status = status ? status : film_run(run, picture);
        unlink(run);
    }
    free(run);
    free(picture);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ the page */

static void put_card(FILE *stream, const cairn_builtin *builtin)
{
    fprintf(stream, "<div class=\"card\"><img src=\"%s.png\" width=\"%d\" height=\"%d\" loading=\"lazy\" alt=\"",
            builtin->name, WIDTH, HEIGHT);
    cli_html_text(stream, builtin->title);
    fprintf(stream, "\"><h3>%s</h3><p>", builtin->name);
    cli_html_text(stream, builtin->title);
    fprintf(stream, "</p><p><code>cairn run %s -o %s.h5</code></p></div>\n", builtin->name, builtin->name);
}

static bool write_page(const gallery *g)
{
    cli_out_file file;
    char *path = path_of(g->options, "index", ".html");
    bool good = path && cli_out_open(&file, path);
    if (good)
    {
        cli_html_begin(file.stream, "Built-in scenes");
        fprintf(
            file.stream,
            "<p>%d scenes, each filmed from its start. <code>cairn examples NAME</code> prints one as YAML; after "
            "<code>cairn run</code>, <code>cairn view NAME.h5</code> shows it in the browser and <code>cairn report "
            "NAME.h5</code> sums it up.</p>\n<div class=\"grid thumbs\">\n",
            g->count);
        for (int i = 0; i < g->count; ++i)
            put_card(file.stream, &g->scenes[i]);
        fputs("</div>\n", file.stream);
        cli_html_end(file.stream);
        good = cli_out_finish(&file);
    }
    if (good)
        printf("%s\n", path);
    free(path);
    return good;
}

/* The scenes named, or all. False after a sentence. */
static bool choose(gallery *g)
{
    const cli_gallery_options *o = g->options;
    g->count = o->count > 0 ? o->count : cairn_builtin_count();
    g->scenes = cli_allocate((size_t)g->count, sizeof *g->scenes);
    for (int i = 0; i < g->count; ++i)
    {
        const cairn_builtin *found = o->count > 0 ? cli_builtin_find(o->names[i]) : NULL;
        if (o->count > 0 && !found)
            return false;
        g->scenes[i] = found ? *found : cairn_builtin_scene(i);
    }
    return true;
}

/* Remove the run files that interrupted children left. */
static void remove_runs(const gallery *g)
{
    for (int i = 0; i < g->count; ++i)
    {
        char *run = path_of(g->options, g->scenes[i].name, ".run");
        unlink(run);
        free(run);
    }
}

static int film_all(gallery *g, int *status)
{
    cli_jobs_work work = {.count = g->count, .job = film_scene, .data = g, .what = "scenes"};
    int result = CLI_EXIT_DONE;
    if (!cli_jobs_run(&work, g->options->jobs, g->options->quiet, status))
    {
        remove_runs(g);
        return cli_signals_status(CLI_EXIT_FAILED);
    }
    for (int i = 0; i < g->count; ++i)
        if (status[i])
            result = cli_fail("scene '%s' could not be filmed", g->scenes[i].name);
    return result;
}

int cli_gallery_write(const cli_gallery_options *options)
{
    gallery g = {.options = options};
    int result = choose(&g) ? cli_out_directory(options->directory) : CLI_EXIT_WRONG;
    int *status = cli_allocate((size_t)g.count + 1, sizeof *status);
    result = result ? result : film_all(&g, status);
    result = result ? result : write_page(&g) ? CLI_EXIT_DONE : CLI_EXIT_FAILED;
    free(status);
    free(g.scenes);
    return result;
}
