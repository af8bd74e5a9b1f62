/* The scaffold of the special studies. */
#include "cli/study/sweep.h"

#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/common/scene_source.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- planning */

/* One run per block and value, after the references. */
static int make_runs(cli_sweep *s)
{
    size_t length = s->parameter ? strlen(s->parameter) : 0;
    const char *given = s->options->vary, *text = s->values;
    double *values;
    if (given && (strncmp(given, s->parameter, length) != 0 || given[length] != '='))
        return cli_wrong("option --vary: this study varies %s", s->variation);
    text = given ? given + length + 1 : text;
    bool zero = s->takes_zero && strncmp(text, "0,", 2) == 0;
    int result = cli_study_numbers("vary", text + (zero ? 2 : 0), &values, &s->rows);
    if (result)
        return result;
    s->rows += zero;
    s->count = s->references + s->block_count * s->rows;
    s->runs = cli_allocate((size_t)s->count, sizeof *s->runs);
    for (int i = s->references; i < s->count; ++i)
    {
        int row = (i - s->references) % s->rows;
        s->runs[i].value = zero && row == 0 ? 0.0 : values[row - zero];
        s->runs[i].block = (i - s->references) / s->rows;
    }
    free(values);
    return CLI_EXIT_DONE;
}

static int prepare(cli_sweep *s, cairn_context *context)
{
    const char *unfit = cli_study_given(s->options, s->allowed);
    if (unfit)
        return cli_wrong("option --%s: %s", unfit, s->refusal);
    int result = make_runs(s);
    return result ? result : s->plan(s, context);
}

cli_sweep_run *cli_sweep_row(const cli_sweep *s, int block, int index)
{
    assert(block >= 0 && block < s->block_count);
    assert(index >= 0 && index < s->rows);
    return &s->runs[s->references + block * s->rows + index];
}

int cli_sweep_times(cli_sweep *s, const cairn_scene *scene)
{
    s->h = cairn_scene_settings(scene).step;
    s->until = isnan(s->options->until) ? cairn_scene_until(scene) : s->options->until;
    int result = cli_study_one_step(s->name, s->options->steps, &s->h);
    if (!result && !(s->until >= s->h))
        result = cli_wrong("option --until: expected a time of at least one step, %g s, found %g", s->h, s->until);
    return result;
}

int cli_sweep_load(cairn_context *context, const char *scene, const cli_text_list *given, const char *own, bool keep,
                   cairn_scene **out)
{
    int count = given ? given->count : 0;
    const char **items = cli_allocate((size_t)count + 1, sizeof *items);
    for (int i = 0; i < count; ++i)
        items[i] = given->items[i];
    items[count] = own;
    const cli_text_list set = {.items = items, .count = count + (own != NULL)};
    int result = cli_scene_load(context, scene, &set, keep, out);
    free((void *)items);
    return result;
}

int cli_sweep_load_value(const cli_sweep *sweep, double value, cairn_context *context, bool keep, cairn_scene **out)
{
    char own[64];
    snprintf(own, sizeof own, "%s=%.17g", sweep->parameter, value);
    return cli_sweep_load(context, sweep->name, &sweep->options->set, own, keep, out);
}

/* -------------------------------------------------------------------------------------------------------- running */

void *cli_sweep_keep(cli_sweep_run *run, size_t size)
{
    assert(!run->data);
    run->data_size = size;
    return run->data = cli_allocate(1, size);
}

cairn_status cli_sweep_step(cli_sweep_run *run, cairn_simulation *simulation, atomic_llong *done)
{
    cairn_status status = cairn_simulation_step(simulation);
    const cairn_step_report *report = cairn_simulation_report(simulation);
    run->residual = fmax(run->residual, report->solver.certificate.relative);
    run->missed |= report->solver.outcome == CAIRN_MISSED || report->solver.outcome == CAIRN_FAILED;
    atomic_fetch_add(done, 1);
    return status;
}

static void run_index(void *data, int index, atomic_llong *done)
{
    const cli_sweep *s = data;
    cli_sweep_run *run = &s->runs[index];
    double started = cli_wall_time();
    cairn_context *context = cli_context_create();
    cairn_status status = s->run(s, run, context, done);
    if (status)
    {
        const char *text = cairn_context_last_message(context);
        run->failed = true;
        snprintf(run->message, sizeof run->message, "%s", *text ? text : cairn_status_text(status));
    }
    cairn_context_destroy(context);
    run->wall = cli_wall_time() - started;
}

static int64_t planned(const void *data, int index)
{
    const cli_sweep *s = data;
    double h = s->h > 0 ? s->h : s->runs[index].value; /* without a step of the study, the step is varied */
    return (int64_t)(s->until / h);
}

static void put_run(const void *data, int index, cli_packet *packet)
{
    const cli_sweep_run *run = &((const cli_sweep *)data)->runs[index];
    cli_packet_put(packet, run, sizeof *run);
    cli_packet_put_block(packet, run->data, run->data_size);
}

static void take_run(void *data, int index, cli_packet *packet)
{
    cli_sweep_run *run = &((cli_sweep *)data)->runs[index];
    cli_packet_take(packet, run, sizeof *run);
    run->data = cli_packet_take_block(packet, &run->data_size);
}

static bool stays(const void *data, int index)
{
    return ((const cli_sweep *)data)->records_first && index == 0;
}

static void run_all(cli_sweep *s)
{
    double started = cli_wall_time();
    const cli_pool_work work = {.count = s->count,
                                .planned = planned,
                                .run = run_index,
                                .put = put_run,
                                .take = take_run,
                                .stays = stays,
                                .data = s};
    s->jobs = cli_pool_threads(s->options->jobs, s->count);
    cli_pool_run(&work, s->jobs, s->options->quiet);
    s->wall = cli_wall_time() - started;
}

/* ------------------------------------------------------------------------------------------------------- printing */

static bool ends(const cli_column *column)
{
    return !column->key && !column->head;
}

static bool is_shown(const cli_sweep *s, int block, int column)
{
    bool any = false;
    for (int i = 0; i < s->rows; ++i)
        any |= !isnan(cli_sweep_row(s, block, i)->numbers[column]);
    return any && s->columns[column].head;
}

static void print_number(const cli_column *column, double number)
{
    int head = (int)strlen(column->head), width = column->width > head ? column->width : head;
    if (isnan(number))
        printf("  %*s", width, "-");
    else
        printf(column->style == 'e'   ? "  %*.*e"
               : column->style == 'f' ? "  %*.*f"
                                      : "  %*.*g",
               width, column->digits, number);
}

static void print_block(const cli_sweep *s, int block)
{
    printf("\n");
    if (s->headings)
        printf("  %s\n", s->headings[block]);
    printf("  ");
    for (int c = 0; !ends(&s->columns[c]); ++c)
        if (is_shown(s, block, c))
            printf("  %*s", s->columns[c].width, s->columns[c].head);
    printf("  residual  wall [s]\n");
    for (int i = 0; i < s->rows; ++i)
    {
        const cli_sweep_run *r = cli_sweep_row(s, block, i);
        printf("  ");
        for (int c = 0; !ends(&s->columns[c]); ++c)
            if (is_shown(s, block, c))
                print_number(&s->columns[c], r->numbers[c]);
        printf("  %8.1e  %8.3g%s\n", r->residual, r->wall, r->missed ? "  missed-tolerance" : "");
    }
}

static void print_text(const cli_sweep *s)
{
    printf("%s: %s\n%s\n", s->name, s->title, s->note);
    for (int block = 0; block < s->block_count; ++block)
        print_block(s, block);
}

void cli_sweep_put_rows(const cli_sweep *s, cli_json *json, int first, int count)
{
    cli_json_open(json, "rows", '[');
    for (int i = first; i < first + count; ++i)
    {
        const cli_sweep_run *r = &s->runs[i];
        cli_json_open(json, NULL, '{');
        for (int c = 0; !ends(&s->columns[c]); ++c)
            if (s->columns[c].key)
                cli_json_number(json, s->columns[c].key, r->numbers[c]);
        cli_json_number(json, "residual", r->residual);
        cli_json_bool(json, "missed", r->missed);
        cli_json_number(json, "wall_s", r->wall);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void print_json(const cli_sweep *s)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "study", s->name);
    cli_json_text(&json, "title", s->title);
    if (s->put_json)
        s->put_json(s, &json);
    else
        cli_sweep_put_rows(s, &json, s->references, s->count - s->references);
    cli_json_integer(&json, "jobs", s->jobs);
    cli_json_number(&json, "wall_s", s->wall);
    if (s->options->output)
        cli_json_text(&json, "output", s->options->output);
    cli_json_close(&json, '}');
}

/* -------------------------------------------------------------------------------------------------------- drawing */

int cli_sweep_draw_curves(const char *path, cli_chart chart, const char *const *names, int count, const double *numbers,
                          int rows)
{
    cli_curve *curves = cli_allocate((size_t)count, sizeof *curves);
    for (int i = 0; i < count; ++i)
    {
        curves[i] = (cli_curve){.name = names[i],
                                .x = numbers,
                                .y = numbers + (1 + i) * rows,
                                .count = rows,
                                .colour = i,
                                .dash = (cli_dash)(i % CLI_DASH_COUNT),
                                .mark = CLI_MARK_DISC};
    }
    chart.curves = curves;
    chart.curve_count = count;
    chart.legend = chart.log = chart.log_x = true;
    int status = cli_chart_write(&chart, path, 640, 440);
    free(curves);
    return status;
}

/* The first block's columns over the varied parameter. */
static int draw(const cli_sweep *s)
{
    const char *names[CLI_SWEEP_COLUMNS];
    double *numbers = cli_allocate((size_t)(1 + CLI_SWEEP_COLUMNS) * (size_t)s->rows, sizeof *numbers);
    int count = 0;
    for (int i = 0; i < s->rows; ++i)
        numbers[i] = cli_sweep_row(s, 0, i)->value;
    for (int c = 0; !ends(&s->columns[c]); ++c)
    {
        if (!s->columns[c].curve)
            continue;
        names[count++] = s->columns[c].curve;
        for (int i = 0; i < s->rows; ++i)
            numbers[count * s->rows + i] = cli_sweep_row(s, 0, i)->numbers[c];
    }
    int status = cli_sweep_draw_curves(s->options->output, s->chart, names, count, numbers, s->rows);
    free(numbers);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- the study */

static int finish(const cli_sweep *s)
{
    int result = CLI_EXIT_DONE;
    for (int i = 0; i < s->count; ++i)
    {
        cli_sweep_run *r = &s->runs[i];
        if (s->measure)
            s->measure(s, r);
        if (r->failed || r->missed)
            cli_error("%s = %g: %s", s->parameter, r->value, r->failed ? r->message : "missed-tolerance");
        result = r->failed || r->missed ? CLI_EXIT_FAILED : result;
    }
    int drawn = !s->options->output ? CLI_EXIT_DONE : s->draw ? s->draw(s) : draw(s);
    (s->options->json ? print_json : s->print_text ? s->print_text : print_text)(s);
    return drawn ? drawn : result;
}

int cli_sweep_perform(cli_sweep *s)
{
    cairn_context *context = cli_context_create();
    int result = prepare(s, context);
    if (!result)
    {
        run_all(s);
        result = finish(s);
    }
    for (int i = 0; i < s->count; ++i)
        free(s->runs[i].data);
    free(s->runs);
    cairn_context_destroy(context);
    return result;
}
