/* `cairn export`: a run in the formats of others. */
#include "cli/export/export.h"

#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/film/movie.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct export_options
{
    bool csv, forces, quiet;
    const char *output, *table, *vtk, *mp4, *apng, *size, *view;
    double fps, speed, from, to;
    int every;
} export_options;

static bool read_size(const char *text, cli_film_options *film)
{
    char rest;
    bool good = sscanf(text, "%dx%d%c", &film->width, &film->height, &rest) == 2 && film->width >= 16 &&
                film->height >= 16 && film->width <= 8192 && film->height <= 8192;
    if (!good)
    {
        cli_error("option --size: expected a width and a height such as 960x540, each from 16 to 8192, found '%s'",
                  text);
    }
    film->width &= ~1; /* the colours of a video are stored for two by two pixels */
    film->height &= ~1;
    return good;
}

static int check_movie(const export_options *o, cli_movie_options *movie)
{
    *movie = cli_movie_default();
    movie->fps = isnan(o->fps) ? movie->fps : o->fps;
    movie->speed = isnan(o->speed) ? movie->speed : o->speed;
    movie->quiet = o->quiet;
    movie->film.forces = o->forces;
    if (o->size && !read_size(o->size, &movie->film))
        return CLI_EXIT_WRONG;
    if (o->view && !cli_view_parse(o->view, &movie->film.view))
    {
        cli_error("option --view: expected xy, xz, yz or iso, found '%s'", o->view);
        return CLI_EXIT_WRONG;
    }
    if (!(movie->fps >= 1 && movie->fps <= 240))
    {
        cli_error("option --fps: expected from 1 to 240 pictures a second, found %g", movie->fps);
        return CLI_EXIT_WRONG;
    }
    if (!(movie->speed > 0))
    {
        cli_error("option --speed: expected more than 0 simulated seconds a second, found %g", movie->speed);
        return CLI_EXIT_WRONG;
    }
    return CLI_EXIT_DONE;
}

static int check_selection(const export_options *o, cli_selection *selection)
{
    *selection = (cli_selection){isnan(o->from) ? -INFINITY : o->from, isnan(o->to) ? INFINITY : o->to, o->every};
    if (selection->from > selection->to)
    {
        cli_error("--from is later than --to");
        return CLI_EXIT_WRONG;
    }
    return CLI_EXIT_DONE;
}

static int write_movie(cli_plot_run *run, const char *path, cli_movie_open_fn *open, const cli_movie_options *movie)
{
    int result = cli_movie_write(run, path, open, movie);
    if (!result)
        printf("%s\n", path);
    return result;
}

static int write_all(cli_plot_run *run, const export_options *o, const cli_movie_options *movie,
                     const cli_selection *selection)
{
    bool tables = o->csv || o->output || o->table || (!o->vtk && !o->mp4 && !o->apng);
    int result = tables ? cli_export_csv(run, o->output, o->table) : CLI_EXIT_DONE;
    if (!result && o->vtk)
        result = cli_export_vtk(run, o->vtk, selection, o->quiet);
    if (!result && o->mp4)
        result = write_movie(run, o->mp4, cli_video_open, movie);
    return !result && o->apng ? write_movie(run, o->apng, cli_apng_open, movie) : result;
}

static int export_run(const char *path, const export_options *o)
{
    cli_plot_run run;
    cli_movie_options movie;
    cli_selection selection;
    int result = check_movie(o, &movie);
    result = result ? result : check_selection(o, &selection);
    if (result)
        return result;
    result = cli_plot_run_open(&run, path);
    result = result ? result : write_all(&run, o, &movie, &selection);
    cli_plot_run_close(&run);
    return result;
}

int cli_command_export(int argc, char **argv)
{
    export_options o = {.fps = NAN, .speed = NAN, .from = NAN, .to = NAN, .every = 1};
    const cli_option options[] = {
        {"csv", 0, CLI_OPTION_FLAG, &o.csv, NULL, "comma-separated tables; the default when no other format is named"},
        {"output", 'o', CLI_OPTION_TEXT, &o.output, "DIR|FILE.csv",
         "tables: directory for all, default RUN-csv; or one file, - for standard output"},
        {"table", 0, CLI_OPTION_TEXT, &o.table, "NAME",
         "the table of that one file: bodies (default), series, contacts, events, violations"},
        {"vtk", 0, CLI_OPTION_TEXT, &o.vtk, "DIR", "time series for ParaView: bodies.pvd, contacts.pvd, links.pvd"},
        {"from", 0, CLI_OPTION_NUMBER, &o.from, "T", "ParaView: leave out frames before this time (s)"},
        {"to", 0, CLI_OPTION_NUMBER, &o.to, "T", "ParaView: leave out frames after this time (s)"},
        {"every", 0, CLI_OPTION_COUNT, &o.every, "N", "ParaView: each N-th frame only"},
        {"mp4", 0, CLI_OPTION_TEXT, &o.mp4, "FILE", "video, by the program ffmpeg"},
        {"apng", 0, CLI_OPTION_TEXT, &o.apng, "FILE", "animated PNG, which browsers play; needs no other program"},
        {"fps", 0, CLI_OPTION_NUMBER, &o.fps, "N", "moving pictures: pictures a second, default 30"},
        {"speed", 0, CLI_OPTION_NUMBER, &o.speed, "X", "moving pictures: simulated seconds a second, default 1"},
        {"size", 0, CLI_OPTION_TEXT, &o.size, "WxH", "moving pictures: pixels, default 960x540"},
        {"view", 0, CLI_OPTION_TEXT, &o.view, "VIEW", "moving pictures in space: xy, xz, yz or iso (default)"},
        {"forces", 0, CLI_OPTION_FLAG, &o.forces, NULL, "moving pictures: arrows for the contact forces"},
        {"quiet", 'q', CLI_OPTION_FLAG, &o.quiet, NULL, "no progress bar"},
    };
    const cli_command command = {
        .usage = "export RUN [options]",
        .text = "Write a run file in other formats: tables (bodies.csv, series.csv, "
                "contacts.csv, events.csv,\nviolations.csv; the first line names the columns and their "
                "units), time series for ParaView, a video. Also works while the run goes on.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .least = 1,
        .most = 1};
    int first;
    int result = cli_options_parse(&command, argc, argv, &first);
    return result == CLI_GO_ON ? export_run(argv[first], &o) : result;
}
