/* `cairn plot RUN... QUANTITY...`: the options, and which arguments are runs. */
#include "cli/plot/plot_options.h"

#include "cli/common/cli.h"
#include "cli/draw/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_LIMIT 1e300 /* so that differences of limits stay finite */

static bool parse_output(const char *text, void *target)
{
    *(const char **)target = text;
    return cli_drawing_name_ok(text);
}

static bool parse_size(const char *text, void *target)
{
    cli_plot_options *o = target;
    char rest;
    return sscanf(text, "%lfx%lf%c", &o->width, &o->height, &rest) == 2 && o->width >= 100.0 && o->width <= 10000.0 &&
           o->height >= 100.0 && o->height <= 10000.0;
}

static bool parse_limits(const char *text, double limits[2])
{
    char rest;
    return sscanf(text, "%lf:%lf%c", &limits[0], &limits[1], &rest) == 2 && limits[0] < limits[1] &&
           fabs(limits[0]) <= LARGEST_LIMIT && fabs(limits[1]) <= LARGEST_LIMIT &&
           limits[1] - limits[0] > 1e-12 * fmax(fabs(limits[0]), fabs(limits[1]));
}

static bool parse_xlim(const char *text, void *target)
{
    cli_plot_options *o = target;
    return o->has_xlim = parse_limits(text, o->xlim);
}

static bool parse_ylim(const char *text, void *target)
{
    cli_plot_options *o = target;
    return o->has_ylim = parse_limits(text, o->ylim);
}

static bool parse_every(const char *text, void *target)
{
    cli_plot_options *o = target;
    char *end;
    o->selection.every = strtoll(text, &end, 10);
    o->every_given = true;
    return end != text && !*end && o->selection.every >= 1;
}

static bool parse_times(const char *text, void *target)
{
    cli_plot_options *o = target;
    o->at_count = 0;
    o->at = cli_resize(o->at, strlen(text) + 1, sizeof *o->at);
    for (const char *at = text;; ++at)
    {
        char *end;
        double time = strtod(at, &end);
        if (end == at || !isfinite(time) || (*end && *end != ','))
            return false;
        o->at[o->at_count++] = time;
        if (!*end)
            return true;
        at = end;
    }
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* What the options must be together. */
static int check(const cli_plot_options *o)
{
    if (o->run_count == 0 && o->quantity_count > 0)
        return cli_wrong("plot: there is no run file '%s'", o->quantities[0]);
    if (o->run_count == 0)
        return cli_wrong("plot: a run file is missing; 'cairn plot --help' shows the usage");
    if (o->quantity_count == 0 && !o->list)
        return cli_wrong("plot: no quantity to draw; 'cairn plot %s --list' lists them all", o->runs[0]);
    if (o->log && o->has_ylim && o->ylim[0] <= 0.0)
        return cli_wrong("plot: option --ylim: a logarithmic axis needs limits above 0");
    if (o->selection.from > o->selection.to)
        return cli_wrong("plot: --from is later than --to");
    return CLI_EXIT_DONE;
}

static int plot(void *data, int count, char **arguments)
{
    cli_plot_options *o = data;
    o->runs = cli_allocate((size_t)count, sizeof *o->runs);
    o->quantities = cli_allocate((size_t)count, sizeof *o->quantities);
    for (int i = 0; i < count; ++i)
        if (is_file(arguments[i]))
            o->runs[o->run_count++] = arguments[i];
        else
            o->quantities[o->quantity_count++] = arguments[i];
    int result = check(o);
    result = result ? result : cli_plot_draw(o);
    free(o->runs);
    free(o->quantities);
    return result;
}

int cli_command_plot(int argc, char **argv)
{
    cli_plot_options o = {.output = "plot.svg", .selection = {-INFINITY, INFINITY, 1}};
    static const char times[] = "a time in seconds";
    const cli_option options[] = {
        {CLI_VALUE(PARSED, "output", 'o', &o.output, "FILE", "picture to write, .svg or .png (default plot.svg)"),
         .expected = "a file name that ends in .svg or .png", .parse = parse_output},
        {CLI_VALUE(TEXT, "title", 0, &o.title, "TEXT", "title above the picture")},
        {CLI_VALUE(PARSED, "size", 0, &o, "WxH", "size in points (default 640x400); a PNG has two pixels per point"),
         .expected = "a width and a height such as 640x400, each from 100 to 10000", .parse = parse_size},
        {CLI_VALUE(NUMBER, "from", 0, &o.selection.from, "T", "leave out frames before this time (s)"),
         .expected = times},
        {CLI_VALUE(NUMBER, "to", 0, &o.selection.to, "T", "leave out frames after this time (s)"), .expected = times},
        {CLI_VALUE(PARSED, "every", 0, &o, "N", "use every N-th frame only"),
         .expected = "a whole number of at least 1", .parse = parse_every},
        {CLI_VALUE(TEXT, "x", 0, &o.x, "QUANTITY", "plot against this quantity instead of time")},
        {CLI_FLAG("log", 0, &o.log, "logarithmic y axis")},
        {CLI_VALUE(NAMES, "legend", 0, &o.legend, "NAMES", "names of the runs, or of all curves, separated by commas")},
        {CLI_VALUE(PARSED, "xlim", 0, &o, "A:B", "limits of the x axis"), .expected = "two rising numbers A:B",
         .parse = parse_xlim},
        {CLI_VALUE(PARSED, "ylim", 0, &o, "A:B", "limits of the y axis"), .expected = "two rising numbers A:B",
         .parse = parse_ylim},
        {CLI_VALUE(PARSED, "view", 0, &o.view, "VIEW", "positions in space, seen along xy, xz, yz or iso (default)"),
         .expected = "xy, xz, yz or iso", .parse = cli_view_parse},
        {CLI_VALUE(PARSED, "at", 0, &o, "TIMES", "frames, chains and patch: the times to show, separated by commas"),
         .expected = "times in seconds, separated by commas", .parse = parse_times},
        {CLI_VALUE(NAMES, "mark", 0, &o.mark, "NAMES",
                   "positions and frames: bodies to highlight, separated by commas")},
        {CLI_FLAG("list", 0, &o.list, "list the quantities of the runs and stop")},
        {CLI_FLAG("json", 0, &o.json, "print what was written, or the list, as one JSON object")},
        {0},
    };
    const cli_command command = {
        .usage = "plot RUN... QUANTITY... [options]",
        .text =
            "Draw quantities of runs over time, or the successive positions of the bodies. An argument that is an\n"
            "existing file is a run, anything else a quantity:\n\n"
            "  BODY.x .y .z .vx .vy .vz .speed      position and velocity\n"
            "  BODY.angle .omega                    in the plane; .omega_x .omega_y .omega_z in space (body frame)\n"
            "  distance(A,B)                        between the centres of two bodies\n"
            "  energy/total, penetration, ...       a recorded series (--list lists them all)\n"
            "  point(BODY,x,y).x                    position of a point given in the body's frame\n"
            "  positions                            all bodies, drawn over each other from light to dark\n"
            "  frames                               all bodies at some times, side by side\n"
            "  chains                               the contact forces, as lines as wide and dark as they are large\n"
            "  force(A,B).x  element(A,B,K).normal  contact forces, in total or of one element of a patch\n"
            "  patch                                pressure, shear and slip over a compliant contact",
        .options = options,
        .most = argc,
        .work = plot,
        .data = &o};
    int result = cli_command_call(&command, argc, argv);
    free(o.at);
    return result;
}
