/* Curves: read the quantities of all runs, name and colour them, draw one chart.
 *
 * With several runs of few quantities the colour shows the run and the dash the quantity, so that schemes are easy to
 * compare; otherwise each curve has its own colour. The events of a single run are marked on its time axis, its
 * violations of the physics by lines across the chart.
 */
#include "cli/common/cli.h"
#include "cli/draw/draw.h"
#include "cli/plot/plot_chart.h"
#include "cli/plot/plot_options.h"
#include "cli/plot/plot_quantity.h"
#include "cli/plot/plot_words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURVE_NAME     256
#define DEFAULT_WIDTH  640.0
#define DEFAULT_HEIGHT 400.0

typedef struct figure
{
    cli_plot_run *runs;
    const cli_plot_options *options;
    int run_count, column_count; /* column 0 is x */
    cli_quantity *quantities;    /* run_count x column_count */
    double **values;             /* per run */
    cli_curve *curves;
    char (*names)[CURVE_NAME];
    double *events; /* times; NULL: none are shown */
    double *violations;
    int64_t violation_count;
    int64_t event_count;
    char x_label[128], y_label[256];
    cli_memory memory;
} figure;

static const char *column_text(const figure *f, int column)
{
    if (column > 0)
        return f->options->quantities[column - 1];
    return f->options->x ? f->options->x : "time";
}

static void allocate(figure *f)
{
    size_t runs = (size_t)f->run_count, columns = (size_t)f->column_count;
    f->quantities = cli_memory_take(&f->memory, runs * columns, sizeof *f->quantities);
    f->values = cli_memory_take(&f->memory, runs, sizeof *f->values);
    f->curves = cli_memory_take(&f->memory, runs * columns, sizeof *f->curves);
    f->names = cli_memory_take(&f->memory, runs * columns, sizeof *f->names);
}

static void release(figure *f)
{
    for (int r = 0; f->values && r < f->run_count; ++r)
        free(f->values[r]);
    cli_memory_free(&f->memory);
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

static void name_curve(const figure *f, int run, int column, char *name, size_t size)
{
    const cli_plot_options *o = f->options;
    int curve_columns = f->column_count - 1, curve = run * curve_columns + column - 1;
    if (o->legend.count == f->run_count * curve_columns)
    {
        snprintf(name, size, "%s", o->legend.items[curve]);
        return;
    }
    const char *run_name = o->legend.count > 0 ? o->legend.items[run] : f->runs[run].name;
    char words[CURVE_NAME];
    cli_quantity_words(&f->runs[run], &f->quantities[run * f->column_count + column], words, sizeof words);
    snprintf(name, size, "%s", f->run_count == 1 ? words : run_name);
    if (f->run_count > 1 && curve_columns > 1)
    {
        append(name, size, ": ");
        append(name, size, words);
    }
}

static void style_curve(const figure *f, int run, int column, cli_curve *curve)
{
    int curve_columns = f->column_count - 1;
    bool by_run = f->run_count > 1 && curve_columns <= CLI_DASH_COUNT;
    int index = run * curve_columns + column - 1;
    curve->colour = by_run ? run : index;
    curve->dash = by_run ? (cli_dash)(column - 1) : (cli_dash)(index / 7 % CLI_DASH_COUNT);
}

static int read_run(figure *f, int run)
{
    int columns = f->column_count, status = 0;
    cli_quantity *quantities = f->quantities + run * columns;
    int64_t rows = 0;
    for (int c = 0; c < columns && status == 0; ++c)
        status = cli_quantity_parse(&f->runs[run], column_text(f, c), &quantities[c]);
    if (status == 0)
        status = cli_quantity_table(&f->runs[run], quantities, columns, &f->options->selection, &f->values[run], &rows);
    for (int c = 1; c < columns && status == 0; ++c)
    {
        int index = run * (columns - 1) + c - 1;
        cli_curve *curve = &f->curves[index];
        name_curve(f, run, c, f->names[index], sizeof f->names[index]);
        *curve =
            (cli_curve){.name = f->names[index], .x = f->values[run], .y = f->values[run] + c * rows, .count = rows};
        style_curve(f, run, c, curve);
    }
    return status;
}

/* Times of the events and violations of a single run over time. */
static int read_marks(figure *f)
{
    const cairn_event *events;
    const cairn_violation *violations;
    if (f->run_count > 1 || f->options->x)
        return 0;
    cairn_status status = cairn_run_read_events(f->runs[0].run, &events, &f->event_count);
    status = status ? status : cairn_run_read_violations(f->runs[0].run, &violations, &f->violation_count);
    if (status)
        return cli_plot_report(f->runs[0].context, status);
    f->events = cli_memory_take(&f->memory, (size_t)f->event_count + 1, sizeof *f->events);
    f->violations = cli_memory_take(&f->memory, (size_t)f->violation_count + 1, sizeof *f->violations);
    for (int64_t i = 0; i < f->event_count; ++i)
        f->events[i] = events[i].time;
    for (int64_t i = 0; i < f->violation_count; ++i)
        f->violations[i] = violations[i].time;
    return 0;
}

/* What a quantity is called at an axis that several share: a recorded series by its group, "energy" for energy/total. */
static void kind_of(const cli_quantity *quantity, char *text, size_t size)
{
    const char *slash = quantity->kind == CLI_QUANTITY_SERIES ? strrchr(quantity->symbol, '/') : NULL;
    if (slash)
        snprintf(text, size, "%.*s", (int)(slash - quantity->symbol), quantity->symbol);
    else
        cli_quantity_kind_words(quantity, text, size);
}

/* Whether an earlier column shows the same kind of quantity, in the same unit. */
static bool repeated(const cli_quantity *quantities, int column)
{
    char kind[128], other[128];
    kind_of(&quantities[column], kind, sizeof kind);
    for (int c = 1; c < column; ++c)
    {
        kind_of(&quantities[c], other, sizeof other);
        if (strcmp(kind, other) == 0 && strcmp(quantities[c].unit, quantities[column].unit) == 0)
            return true;
    }
    return false;
}

static int kind_count(const cli_quantity *quantities, int columns)
{
    int count = 0;
    for (int c = 1; c < columns; ++c)
        count += !repeated(quantities, c);
    return count;
}

static bool one_unit(const cli_quantity *quantities, int columns)
{
    for (int c = 2; c < columns; ++c)
        if (strcmp(quantities[c].unit, quantities[1].unit) != 0)
            return false;
    return true;
}

static void append_unit(char *text, size_t size, const char *unit)
{
    if (unit[0] == '\0')
        return;
    append(text, size, " (");
    append(text, size, unit);
    append(text, size, ")");
}

/* "x, y (m)", or "x (m), angle (rad)" when the units differ; a single quantity is named in full, and many by "value". */
static void label_y(figure *f)
{
    const cli_quantity *q = f->quantities;
    char kind[128];
    bool alone = f->column_count == 2;
    bool shared = one_unit(q, f->column_count), many = kind_count(q, f->column_count) > 3;
    if (many)
        append(f->y_label, sizeof f->y_label, "value");
    for (int c = 1; c < f->column_count && !many; ++c)
    {
        if (repeated(q, c))
            continue;
        if (alone)
            cli_quantity_words(&f->runs[0], &q[c], kind, sizeof kind);
        else
            kind_of(&q[c], kind, sizeof kind);
        append(f->y_label, sizeof f->y_label, c > 1 ? ", " : "");
        append(f->y_label, sizeof f->y_label, kind);
        if (!shared)
            append_unit(f->y_label, sizeof f->y_label, q[c].unit);
    }
    if (shared)
        append_unit(f->y_label, sizeof f->y_label, q[1].unit);
}

static void label_axes(figure *f)
{
    const cli_quantity *x = &f->quantities[0];
    if (f->options->x)
        cli_quantity_words(&f->runs[0], x, f->x_label, sizeof f->x_label);
    else
        snprintf(f->x_label, sizeof f->x_label, "time t");
    append_unit(f->x_label, sizeof f->x_label, x->unit);
    label_y(f);
}

static int draw(figure *f)
{
    const cli_plot_options *o = f->options;
    int count = f->run_count * (f->column_count - 1);
    cli_chart chart = {.title = o->title ? o->title : "",
                       .x_label = f->x_label,
                       .y_label = f->y_label,
                       .curves = f->curves,
                       .curve_count = count,
                       .events = f->events,
                       .event_count = f->event_count,
                       .violations = f->violations,
                       .violation_count = f->violation_count,
                       .legend = count > 1 || o->legend.count > 0,
                       .log = o->log,
                       .has_xlim = o->has_xlim,
                       .has_ylim = o->has_ylim,
                       .xlim = {o->xlim[0], o->xlim[1]},
                       .ylim = {o->ylim[0], o->ylim[1]}};
    double width = o->width > 0.0 ? o->width : DEFAULT_WIDTH, height = o->height > 0.0 ? o->height : DEFAULT_HEIGHT;
    return cli_chart_write(&chart, o->output, width, height);
}

static int check_legend(const figure *f)
{
    int names = f->options->legend.count, curves = f->run_count * (f->column_count - 1);
    if (names == 0 || names == curves || (names == f->run_count && f->run_count > 1))
        return 0;
    return cli_wrong("plot: option --legend: %d name%s for %d run%s and %d curve%s", names, names == 1 ? "" : "s",
                     f->run_count, f->run_count == 1 ? "" : "s", curves, curves == 1 ? "" : "s");
}

int cli_plot_curves(cli_plot_run *runs, const cli_plot_options *options)
{
    figure f = {
        .runs = runs, .options = options, .run_count = options->run_count, .column_count = 1 + options->quantity_count};
    assert(f.run_count > 0 && f.column_count > 1);
    int status = check_legend(&f);
    allocate(&f);
    for (int r = 0; r < f.run_count && status == 0; ++r)
        status = read_run(&f, r);
    if (status == 0)
        status = read_marks(&f);
    if (status == 0)
    {
        label_axes(&f);
        status = draw(&f);
    }
    release(&f);
    return status;
}
