/* Options. One table drives parsing and --help. */
#include "cli/plot/plot_options.h"

#include <assert.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/draw/draw.h"

#define LARGEST_LIMIT 1e300 /* so that differences of limits stay finite */

typedef struct option_row
{
    const char *name;
    char letter; /* getopt's value; the letters are short options where `is_short` says so */
    bool is_short;
    const char *argument; /* NULL: a flag */
    const char *help;
} option_row;

static const option_row rows[] = {
    {"output", 'o', true, "FILE", "picture to write, .svg or .png (default plot.svg)"},
    {"title", 't', false, "TEXT", "title above the picture"},
    {"size", 's', false, "WxH", "size in points (default 640x400); a PNG has two pixels a point"},
    {"from", 'f', false, "T", "leave out frames before this time (s)"},
    {"to", 'u', false, "T", "leave out frames after this time (s)"},
    {"every", 'n', false, "N", "use each N-th frame only"},
    {"x", 'x', false, "QUANTITY", "plot against this quantity instead of time"},
    {"log", 'l', false, NULL, "logarithmic y axis"},
    {"legend", 'g', false, "NAMES", "names for the runs, or for all curves, with commas between"},
    {"xlim", 'a', false, "A:B", "limits of the x axis"},
    {"ylim", 'b', false, "A:B", "limits of the y axis"},
    {"view", 'v', false, "VIEW", "xy, xz, yz or iso: how positions in space are seen (default iso)"},
    {"at", 'i', false, "TIMES", "frames and patch: the times to show, with commas between"},
    {"mark", 'm', false, "NAMES", "positions and frames: bodies to stand out, with commas between"},
    {"list", 'q', false, NULL, "list the quantities of the runs and stop"},
    {"json", 'j', false, NULL, "say what was written, or list, as one JSON object"},
    {"help", 'h', true, NULL, "show this text and stop"},
};
#define ROW_COUNT ((int)(sizeof rows / sizeof rows[0]))

void cli_plot_usage(FILE *stream)
{
    fputs("Usage: cairn plot RUN... QUANTITY... [options]\n\n"
          "Draw quantities of runs over time, or the successive positions of the bodies. An argument that is an\n"
          "existing file is a run, anything else a quantity:\n\n"
          "  BODY.x .y .z .vx .vy .vz .speed      position and velocity\n"
          "  BODY.angle .omega                    in the plane; .omega_x .omega_y .omega_z in space (body frame)\n"
          "  distance(A,B)                        between the centres of two bodies\n"
          "  energy/total, penetration, ...       a recorded series (--list shows all)\n"
          "  point(BODY,x,y).x                    place of a point of a body's frame\n"
          "  positions                            all bodies, drawn over each other from light to dark\n"
          "  frames                               all bodies at some times, side by side\n"
          "  force(A,B).x  element(A,B,K).normal  contact forces, of all contacts or of one element of a patch\n"
          "  patch                                pressure, shear and slip over a compliant contact\n\n",
          stream);
    for (int i = 0; i < ROW_COUNT; ++i)
    {
        char left[40], letter[5] = "    ";
        if (rows[i].is_short)
            snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
        const char *argument = rows[i].argument ? rows[i].argument : "";
        snprintf(left, sizeof left, "%s--%s %s", letter, rows[i].name, argument);
        fprintf(stream, "  %-22s %s\n", left, rows[i].help);
    }
}

static int wrong(const char *option, const char *found, const char *allowed)
{
    fprintf(stderr, "cairn: plot: option --%s: '%s' is not %s\n", option, found, allowed);
    return 2;
}

static bool read_number(const char *text, const char **end, double *out)
{
    char *stop;
    double value = strtod(text, &stop);
    if (stop == text || !isfinite(value))
        return false;
    *end = stop;
    *out = value;
    return true;
}

static int read_time(const char *option, const char *text, double *out)
{
    const char *end;
    bool ok = read_number(text, &end, out) && *end == '\0';
    return ok ? 0 : wrong(option, text, "a time in seconds");
}

static int read_limits(const char *option, const char *text, double limits[2], bool *given)
{
    const char *end;
    bool ok = read_number(text, &end, &limits[0]) && *end == ':' && read_number(end + 1, &end, &limits[1]) &&
              *end == '\0' && limits[0] < limits[1] && fabs(limits[0]) <= LARGEST_LIMIT &&
              fabs(limits[1]) <= LARGEST_LIMIT &&
              limits[1] - limits[0] > 1e-12 * fmax(fabs(limits[0]), fabs(limits[1]));
    *given = ok;
    return ok ? 0 : wrong(option, text, "two rising numbers A:B");
}

static int read_size(const char *text, cli_plot_options *out)
{
    const char *end;
    bool ok =
        read_number(text, &end, &out->width) && *end == 'x' && read_number(end + 1, &end, &out->height) && *end == '\0';
    ok = ok && out->width >= 100.0 && out->width <= 10000.0 && out->height >= 100.0 && out->height <= 10000.0;
    return ok ? 0 : wrong("size", text, "a width and a height such as 640x400, each from 100 to 10000");
}

static int read_every(const char *text, cli_plot_options *out)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || value < 1)
        return wrong("every", text, "a whole number from 1");
    out->selection.every = value;
    out->every_given = true;
    return 0;
}

/* Split at commas: the names point into *copy. */
static int read_names(const char *text, char **copy, char ***names, int *count)
{
    *count = 1;
    for (const char *c = text; *c != '\0'; ++c)
        *count += *c == ',';
    free(*copy);
    free(*names);
    *copy = strdup(text);
    *names = calloc((size_t)*count, sizeof **names);
    if (!*copy || !*names)
        return cli_plot_no_memory();
    char *rest = *copy;
    for (int i = 0; i < *count; ++i)
        (*names)[i] = strsep(&rest, ",");
    return 0;
}

static int read_times(const char *text, cli_plot_options *out)
{
    const char *end = text;
    free(out->at);
    out->at_count = 0;
    out->at = calloc(strlen(text) + 1, sizeof *out->at);
    if (!out->at)
        return cli_plot_no_memory();
    do
    {
        if (!read_number(end, &end, &out->at[out->at_count++]))
            return wrong("at", text, "times in seconds with commas between");
    } while (*end++ == ',');
    return end[-1] == '\0' ? 0 : wrong("at", text, "times in seconds with commas between");
}

static int read_output(const char *text, cli_plot_options *out)
{
    out->output = text;
    return cli_drawing_name_ok(text) ? 0 : wrong("output", text, "a file name that ends in .svg or .png");
}

static int apply(int letter, const char *text, cli_plot_options *out)
{
    switch (letter)
    {
    case 'o':
        return read_output(text, out);
    case 't':
        out->title = text;
        return 0;
    case 's':
        return read_size(text, out);
    case 'f':
        return read_time("from", text, &out->selection.from);
    case 'u':
        return read_time("to", text, &out->selection.to);
    case 'n':
        return read_every(text, out);
    case 'x':
        out->x = text;
        return 0;
    case 'l':
        out->log = true;
        return 0;
    case 'g':
        return read_names(text, &out->legend_text, &out->legend, &out->legend_count);
    case 'i':
        return read_times(text, out);
    case 'm':
        return read_names(text, &out->mark_text, &out->mark, &out->mark_count);
    case 'a':
        return read_limits("xlim", text, out->xlim, &out->has_xlim);
    case 'b':
        return read_limits("ylim", text, out->ylim, &out->has_ylim);
    case 'v':
        return cli_view_parse(text, &out->view) ? 0 : wrong("view", text, "one of xy, xz, yz, iso");
    case 'q':
        out->list = true;
        return 0;
    case 'j':
        out->json = true;
        return 0;
    case 'h':
        out->help = true;
        return 0;
    default:
        fputs("cairn: 'cairn plot --help' shows the options\n", stderr);
        return 2;
    }
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static int sort_arguments(int argc, char **argv, cli_plot_options *out)
{
    out->runs = calloc((size_t)argc + 1, sizeof *out->runs);
    out->quantities = calloc((size_t)argc + 1, sizeof *out->quantities);
    if (!out->runs || !out->quantities)
        return cli_plot_no_memory();
    for (int i = 0; i < argc; ++i)
        if (is_file(argv[i]))
            out->runs[out->run_count++] = argv[i];
        else
            out->quantities[out->quantity_count++] = argv[i];
    return 0;
}

/* What the options must be together. */
static int check(const cli_plot_options *o)
{
    if (o->help)
        return 0;
    if (o->run_count == 0)
    {
        if (o->quantity_count > 0)
            fprintf(stderr, "cairn: plot: there is no run file '%s'\n", o->quantities[0]);
        else
            fputs("cairn: plot: a run file is missing; 'cairn plot --help' shows the usage\n", stderr);
        return 2;
    }
    if (o->quantity_count == 0 && !o->list)
    {
        fprintf(stderr, "cairn: plot: no quantity to draw; 'cairn plot %s --list' shows them all\n", o->runs[0]);
        return 2;
    }
    if (o->log && o->has_ylim && o->ylim[0] <= 0.0)
        return wrong("ylim", "A:B", "above zero, as a logarithmic axis needs");
    if (o->selection.from > o->selection.to)
    {
        fputs("cairn: plot: --from is later than --to\n", stderr);
        return 2;
    }
    return 0;
}

static void fill_long_options(struct option *table)
{
    for (int i = 0; i < ROW_COUNT; ++i)
        table[i] =
            (struct option){rows[i].name, rows[i].argument ? required_argument : no_argument, NULL, rows[i].letter};
    table[ROW_COUNT] = (struct option){0};
}

int cli_plot_options_parse(int argc, char **argv, cli_plot_options *out)
{
    struct option table[ROW_COUNT + 1];
    int letter, status = 0;
    *out = (cli_plot_options){.output = "plot.svg", .selection = {-INFINITY, INFINITY, 1}};
    fill_long_options(table);
    optind = 0; /* start afresh, whoever used getopt before */
    while (status == 0 && (letter = getopt_long(argc, argv, "o:h", table, NULL)) != -1)
        status = apply(letter, optarg, out);
    if (status == 0)
        status = sort_arguments(argc - optind, argv + optind, out);
    return status == 0 ? check(out) : status;
}

void cli_plot_options_free(cli_plot_options *options)
{
    free(options->runs);
    free(options->quantities);
    free(options->legend);
    free(options->legend_text);
    free(options->mark);
    free(options->mark_text);
    free(options->at);
    *options = (cli_plot_options){0};
}
