/* `cairn export`: a run in other formats, and a scene written out. */
#include "cli/export/export.h"

#include "cli/common/cli.h"
#include "cli/common/options.h"
#include "cli/film/movie.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct export_options
{
    bool csv, instances;
    const char *output, *table, *vtk, *mp4, *apng, *scene, *urdf, *mjcf;
    cli_text_list set;
    cli_selection selection;
    int every;
    cli_movie_options movie;
} export_options;

static bool parse_size(const char *text, void *target)
{
    cli_frame_options *film = target;
    char rest;
    bool good = sscanf(text, "%dx%d%c", &film->width, &film->height, &rest) == 2 && film->width >= 16 &&
                film->height >= 16 && film->width <= 8192 && film->height <= 8192;
    film->width &= ~1; /* the colours of a video are stored for two by two pixels */
    film->height &= ~1;
    return good;
}

static int write_movie(cli_plot_run *run, const char *path, cli_movie_open_fn *open, const cli_movie_options *movie)
{
    int result = cli_movie_write(run, path, open, movie);
    if (!result)
        printf("%s\n", path);
    return result;
}

static int write_all(cli_plot_run *run, const export_options *o)
{
    bool tables = o->csv || o->output || o->table || (!o->vtk && !o->mp4 && !o->apng);
    int result = tables ? cli_export_csv(run, o->output, o->table) : CLI_EXIT_DONE;
    if (!result && o->vtk)
        result = cli_export_vtk(run, o->vtk, &o->selection, o->instances, o->movie.quiet);
    if (!result && o->mp4)
        result = write_movie(run, o->mp4, cli_video_open, &o->movie);
    return !result && o->apng ? write_movie(run, o->apng, cli_apng_open, &o->movie) : result;
}

static int export_models(const char *argument, const export_options *o)
{
    int result = o->scene ? cli_export_model(argument, &o->set, CLI_EXPORT_SCENE, o->scene) : CLI_EXIT_DONE;
    if (!result && o->urdf)
        result = cli_export_model(argument, &o->set, CLI_EXPORT_URDF, o->urdf);
    return !result && o->mjcf ? cli_export_model(argument, &o->set, CLI_EXPORT_MJCF, o->mjcf) : result;
}

static int export_run(void *data, int count, char **arguments)
{
    (void)count;
    export_options *o = data;
    cli_plot_run run;
    bool model = o->scene || o->urdf || o->mjcf;
    if (o->set.count > 0 && !model)
        return cli_wrong("--set belongs to --scene, --urdf and --mjcf; a run has the parameters that it was run with");
    if (model)
        return export_models(arguments[0], o);
    if (o->instances && !o->vtk)
        return cli_wrong("--instances belongs to --vtk");
    o->selection.every = o->every;
    if (o->selection.from > o->selection.to)
        return cli_wrong("--from is later than --to");
    int result = cli_plot_run_open(&run, arguments[0]);
    result = result ? result : write_all(&run, o);
    cli_plot_run_close(&run);
    return result;
}

int cli_command_export(int argc, char **argv)
{
    export_options o = {.selection = {-INFINITY, INFINITY, 1}, .every = 1, .movie = cli_movie_default()};
    const cli_option options[] = {
        {CLI_FLAG("csv", 0, &o.csv, "comma-separated tables; the default")},
        {CLI_VALUE(TEXT, "output", 'o', &o.output, "DIR|FILE.csv",
                   "tables: directory for all, default RUN-csv; or one file, - for standard output")},
        {CLI_VALUE(TEXT, "table", 0, &o.table, "NAME",
                   "the table of that one file: bodies (default), series, contacts, events, violations, sensors")},
        {CLI_VALUE(TEXT, "vtk", 0, &o.vtk, "DIR", "time series for ParaView: bodies.pvd, contacts.pvd, links.pvd")},
        {CLI_FLAG("instances", 0, &o.instances,
                  "ParaView: bodies that have one geometry as points in instances.pvd, the geometry once")},
        {CLI_VALUE(NUMBER, "from", 0, &o.selection.from, "T", "ParaView: leave out frames before this time (s)")},
        {CLI_VALUE(NUMBER, "to", 0, &o.selection.to, "T", "ParaView: leave out frames after this time (s)")},
        {CLI_VALUE(COUNT, "every", 0, &o.every, "N", "ParaView: every N-th frame only")},
        {CLI_VALUE(TEXT, "mp4", 0, &o.mp4, "FILE", "video, made by ffmpeg")},
        {CLI_VALUE(TEXT, "apng", 0, &o.apng, "FILE", "animated PNG, which browsers play; needs no other program")},
        {CLI_VALUE(TEXT, "scene", 0, &o.scene, "FILE",
                   "a scene, or that of a run, as a scene file with everything written out; - for standard output")},
        {CLI_VALUE(TEXT, "urdf", 0, &o.urdf, "FILE",
                   "a scene as a robot in URDF, meshes beside it; - for standard output, without meshes")},
        {CLI_VALUE(TEXT, "mjcf", 0, &o.mjcf, "FILE", "a scene as a model for MuJoCo; - for standard output")},
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "scene: set a parameter; repeatable")},
        {CLI_VALUE(NUMBER, "fps", 0, &o.movie.fps, "N", "video and APNG: frames per second, default 30"), .least = 1,
         .most = 240},
        {CLI_VALUE(NUMBER, "speed", 0, &o.movie.speed, "X", "video and APNG: simulated seconds per second, default 1"),
         .expected = "a number above 0", .least = DBL_MIN, .most = DBL_MAX},
        {CLI_VALUE(PARSED, "size", 0, &o.movie.film, "WxH", "video and APNG: pixels, default 960x540"),
         .expected = "a width and a height such as 960x540, each from 16 to 8192", .parse = parse_size},
        {CLI_VALUE(PARSED, "view", 0, &o.movie.film.view, "VIEW",
                   "video and APNG in space: xy, xz, yz or iso (default)"),
         .expected = "xy, xz, yz or iso", .parse = cli_view_parse},
        {CLI_FLAG("forces", 0, &o.movie.film.forces, "video and APNG: arrows for the contact forces")},
        {CLI_FLAG("quiet", 'q', &o.movie.quiet, "no progress bar")},
        {0},
    };
    const cli_command command = {
        .usage = "export RUN|SCENE [options]",
        .text = "Export a run file: tables (bodies.csv, series.csv, contacts.csv, events.csv, "
                "violations.csv; the first line names\nthe columns and their units), time "
                "series for ParaView, a video. Also works while the run is in progress. Or a scene "
                "as a file: --scene, --urdf, --mjcf.",
        .options = options,
        .least = 1,
        .most = 1,
        .work = export_run,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
