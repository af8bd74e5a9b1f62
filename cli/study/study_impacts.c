/* Running the rows of the study `impacts`, and their table. */
#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/run/run.h"
#include "cli/study/impacts.h"
#include "cli/study/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SHOWN = 3, /* numbers of a row in the text */
};

/* One run of one row. */
typedef struct task
{
    const cli_impact_row *row;
    int index; /* among the row's */
} task;

typedef struct study
{
    cli_impact_row *rows;
    int row_count;
    task *tasks; /* row by row */
    cli_impact_run *runs;
    int *first; /* of each row */
    int count, jobs;
    double wall;
} study;

/* -------------------------------------------------------------------------------------------------------- running */

static int64_t planned(const void *data, int index)
{
    const task *t = &((const study *)data)->tasks[index];
    double h = ldexp(t->row->step, -(t->index / cli_impact_variants(t->row)));
    cli_run_plan plan = cli_run_plan_steps(t->row->until, h);
    return plan.steps + (plan.last > 0);
}

static void run_task(void *data, int index, atomic_llong *done)
{
    study *s = data;
    cli_impact_run_one(s->tasks[index].row, s->tasks[index].index, &s->runs[index], done);
}

static void put_task(const void *data, int index, cli_packet *packet)
{
    const study *s = data;
    cli_packet_put(packet, &s->runs[index], sizeof s->runs[index]);
}

static void take_task(void *data, int index, cli_packet *packet)
{
    study *s = data;
    cli_packet_take(packet, &s->runs[index], sizeof s->runs[index]);
}

static int runs_of(const cli_impact_row *row)
{
    return cli_impact_steps(row) * cli_impact_variants(row);
}

static void prepare(study *s)
{
    int at = 0;
    s->rows = cli_impact_rows(&s->row_count);
    for (int i = 0; i < s->row_count; ++i)
        s->count += runs_of(&s->rows[i]);
    s->tasks = cli_allocate((unsigned)s->count, sizeof *s->tasks);
    s->runs = cli_allocate((unsigned)s->count, sizeof *s->runs);
    s->first = cli_allocate((unsigned)s->row_count, sizeof *s->first);
    for (int i = 0; i < s->row_count; ++i)
    {
        s->first[i] = at;
        for (int k = 0; k < runs_of(&s->rows[i]); ++k)
            s->tasks[at++] = (task){.row = &s->rows[i], .index = k};
    }
}

static void run_all(study *s, const cli_study_options *options)
{
    double started = cli_wall_time();
    const cli_pool_work work = {
        .count = s->count, .planned = planned, .run = run_task, .put = put_task, .take = take_task, .data = s};
    s->jobs = cli_pool_threads(options->jobs, s->count);
    cli_pool_run(&work, s->jobs, options->quiet);
    s->wall = cli_wall_time() - started;
}

/* ------------------------------------------------------------------------------------------------------- printing */

/* Rounding errors are shown as 0; the column of errors has their size. */
static void list_text(const double *numbers, int count, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < count && i < SHOWN && used < size; ++i)
    {
        used += (size_t)snprintf(text + used, size - used, "%s%.5g", i ? ", " : "",
                                 fabs(numbers[i]) < 1e-12 ? 0.0 : numbers[i]);
    }
    if (count > SHOWN && used < size)
        snprintf(text + used, size - used, ", ...");
}

/* The true and the computed numbers as texts. */
static void row_texts(const cli_impact_verdict *v, const cli_impact_numbers *n, char *truth, char *value, size_t size)
{
    if (!isnan(v->truth))
    {
        snprintf(truth, size, "order %g", v->truth);
        snprintf(value, size, "order %.2f", v->value);
        return;
    }
    list_text(n->value, n->count, value, size);
    list_text(n->truth, n->count, truth, size);
}

static void print_row(const cli_impact_row *row, const cli_impact_verdict *v, const cli_impact_numbers *n)
{
    char truth[96], value[96];
    row_texts(v, n, truth, value, sizeof truth);
    printf("  %-31s  %-10s  %-21s  %-30s  %-30s  %8.1e  %8.1e  %6" PRId64 "  %10" PRId64 "%s\n", row->what,
           cairn_integrator_name(row->integrator), row->quantity, truth, value, v->error, row->tolerance, v->events,
           v->violations, v->off ? "  OFF" : "");
}

static void print_text(const study *s, int off)
{
    printf("%s: %s\n", CLI_IMPACTS_NAME, CLI_IMPACTS_TITLE);
    printf("  %-31s  %-10s  %-21s  %-30s  %-30s  %8s  %8s  %6s  %10s\n", "case", "scheme", "numbers", "truth",
           "came out", "error", "allowed", "events", "violations");
    for (int i = 0; i < s->row_count; ++i)
    {
        const cli_impact_row *row = &s->rows[i];
        const cli_impact_run *runs = &s->runs[s->first[i]];
        cli_impact_verdict v = cli_impact_judge(row, runs);
        print_row(row, &v, &runs[0].numbers);
    }
    printf("  %d of %d rows as expected\n", s->row_count - off, s->row_count);
}

static void put_row(cli_json *json, const cli_impact_row *row, const cli_impact_run *runs)
{
    cli_impact_verdict v = cli_impact_judge(row, runs);
    const cli_impact_numbers *n = &runs[0].numbers;
    bool order = !isnan(v.truth);
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "case", row->what);
    cli_json_text(json, "scene", row->scene);
    cli_json_text(json, "integrator", cairn_integrator_name(row->integrator));
    cli_json_number(json, "h", row->step);
    cli_json_number(json, "until", row->until);
    cli_json_text(json, "quantity", row->quantity);
    cli_json_text(json, "kind", order ? "order" : "value");
    cli_json_numbers(json, "truth", order ? &v.truth : n->truth, order ? 1 : n->count);
    cli_json_numbers(json, "value", order ? &v.value : n->value, order ? 1 : n->count);
    cli_json_number(json, "error", v.error);
    cli_json_number(json, "tolerance", row->tolerance);
    cli_json_integer(json, "event_count", v.events);
    cli_json_integer(json, "violations", v.violations);
    cli_json_bool(json, "off", v.off);
    cli_json_text(json, "message", v.message ? v.message : "");
    cli_json_close(json, '}');
}

static void print_json(const study *s, int off)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "study", CLI_IMPACTS_NAME);
    cli_json_text(&json, "title", CLI_IMPACTS_TITLE);
    cli_json_open(&json, "rows", '[');
    for (int i = 0; i < s->row_count; ++i)
        put_row(&json, &s->rows[i], &s->runs[s->first[i]]);
    cli_json_close(&json, ']');
    cli_json_integer(&json, "off", off);
    cli_json_integer(&json, "jobs", s->jobs);
    cli_json_number(&json, "wall_s", s->wall);
    cli_json_close(&json, '}');
}

/* The number of rows that are off, after one sentence each. */
static int count_off(const study *s)
{
    int off = 0;
    for (int i = 0; i < s->row_count; ++i)
    {
        const cli_impact_row *row = &s->rows[i];
        cli_impact_verdict v = cli_impact_judge(row, &s->runs[s->first[i]]);
        off += v.off;
        if (v.off)
        {
            cli_error("%s, %s: %s%s%" PRId64 " violations of the physics, error %.2g", row->what,
                      cairn_integrator_name(row->integrator), v.message ? v.message : "", v.message ? "; " : "",
                      v.violations, v.error);
        }
    }
    return off;
}

/* One fixed table: an option that would change it is refused, and there is no picture. */
static bool is_plain(const cli_study_options *options)
{
    const char *given = cli_study_given(options, (const char *const[]){NULL});
    given = given ? given : options->output ? "output" : NULL;
    if (given)
    {
        cli_error("option --%s: the study '%s' is one fixed table; 'cairn run' takes settings", given,
                  CLI_IMPACTS_NAME);
    }
    return !given;
}

int cli_study_impacts(const cli_study_options *options)
{
    if (!is_plain(options))
        return CLI_EXIT_WRONG;
    study s = {0};
    prepare(&s);
    run_all(&s, options);
    int off = count_off(&s);
    (options->json ? print_json : print_text)(&s, off);
    free(s.rows);
    free(s.tasks);
    free(s.runs);
    free(s.first);
    return off ? CLI_EXIT_FAILED : CLI_EXIT_DONE;
}
