/* One run of the study `impacts`, and the results of a row's runs. */
#include "cli/common/cli.h"
#include "cli/study/impacts.h"

#include "cli/common/scene_source.h"
#include "cli/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    ORDER_STEPS = 6,
    STABILISATIONS = 3,
};

int cli_impact_steps(const cli_impact_row *row)
{
    return row->kind == CLI_IMPACT_VALUE ? 1 : row->kind == CLI_IMPACT_RICHARDSON ? ORDER_STEPS + 1 : ORDER_STEPS;
}

int cli_impact_variants(const cli_impact_row *row)
{
    return row->kind == CLI_IMPACT_AGREE ? STABILISATIONS : 1;
}

/* -------------------------------------------------------------------------------------------------------- running */

static cairn_settings settings_of(const cli_impact_row *row, int index, const cairn_scene *scene)
{
    cairn_settings settings = cairn_scene_settings(scene);
    settings.solver.threads = 1; /* the runs share the processors */
    settings.integrator = row->integrator;
    settings.step = ldexp(row->step, -(index / cli_impact_variants(row)));
    settings.events = !row->events_off;
    if (row->stabilisation)
        (void)cairn_settings_set(NULL, &settings, "stabilisation", row->stabilisation);
    if (row->kind == CLI_IMPACT_AGREE)
        settings.stabilisation = (cairn_stabilisation)(index % STABILISATIONS);
    return settings;
}

/* The scene with the row's parameters. */
static cairn_status load(const cli_impact_row *row, cairn_context *context, cairn_scene **out)
{
    char texts[CLI_IMPACT_PARAMETERS][64];
    const char *items[CLI_IMPACT_PARAMETERS];
    cli_text_list set = {.items = items};
    for (; set.count < CLI_IMPACT_PARAMETERS && row->set[set.count].name; ++set.count)
    {
        const cli_impact_parameter *p = &row->set[set.count];
        snprintf(texts[set.count], sizeof texts[0], "%s=%.17g", p->name, p->value);
        items[set.count] = texts[set.count];
    }
    return cli_scene_load(context, row->scene, &set, true, out) ? CAIRN_INVALID : CAIRN_OK;
}

static void fail(cli_impact_run *run, const char *text)
{
    run->failed = true;
    snprintf(run->message, sizeof run->message, "%s", text);
}

/* What the step just made, or the start, adds to a run. */
static void note(cli_impact_run *run, cli_impact_course *course)
{
    const cairn_step_report *report = cairn_simulation_report(course->simulation);
    int count = cairn_simulation_event_count(course->simulation);
    run->violations += report->physics.violations;
    run->events += count;
    for (int i = 0; i < count && course->event_count < CLI_IMPACT_EVENTS; ++i)
        course->events[course->event_count++] = cairn_simulation_event(course->simulation, i);
}

static bool is_met(const cairn_simulation *simulation)
{
    const cairn_step_report *report = cairn_simulation_report(simulation);
    return report->solver.outcome == CAIRN_SOLVED && report->projection_met;
}

static void step_to_end(cairn_simulation *simulation, cli_impact_run *run, cli_impact_course *course,
                        atomic_llong *done)
{
    cli_run_plan plan = cli_run_plan_steps(course->until, cairn_simulation_settings(simulation)->step);
    double start = cairn_simulation_energy(simulation).total, before = start;
    cairn_status status = CAIRN_OK;
    for (int64_t i = 0; i < plan.steps + (plan.last > 0) && !status; ++i)
    {
        status = i < plan.steps ? cairn_simulation_step(simulation) : cairn_simulation_step_by(simulation, plan.last);
        if (status)
        {
            fail(run, cairn_status_text(status));
            return;
        }
        double now = cairn_simulation_energy(simulation).total;
        course->energy_above = fmax(course->energy_above, now - start);
        course->energy_growth = fmax(course->energy_growth, now - before);
        before = now;
        note(run, course);
        if (!is_met(simulation))
            fail(run, "a step missed its tolerance");
        ++run->steps;
        atomic_fetch_add(done, 1);
    }
}

static cairn_status simulate(const cli_impact_row *row, int index, cairn_context *context, cli_impact_run *run,
                             atomic_llong *done)
{
    cairn_scene *scene = NULL;
    cairn_simulation *simulation = NULL;
    cli_impact_course *course = cli_allocate(1, sizeof *course);
    cairn_status status = load(row, context, &scene);
    if (!status)
    {
        cairn_settings settings = settings_of(row, index, scene);
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    if (!status)
    {
        *course = (cli_impact_course){
            .simulation = simulation, .until = row->until, .energy_above = -INFINITY, .energy_growth = -INFINITY};
        note(run, course);
        step_to_end(simulation, run, course, done);
        row->measure(row, course, &run->numbers);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
    free(course);
    return status;
}

void cli_impact_run_one(const cli_impact_row *row, int index, cli_impact_run *run, atomic_llong *done)
{
    cairn_context *context = cli_context_create();
    cairn_status status = simulate(row, index, context, run, done);
    if (status || run->failed)
    {
        const char *text = context ? cairn_context_last_message(context) : "";
        fail(run, *text ? text : run->failed ? run->message : cairn_status_text(status));
    }
    cairn_context_destroy(context);
}

/* -------------------------------------------------------------------------------------------------------- judging */

/* Largest difference of two lists of numbers; INFINITY where one is no number or their lengths differ. */
static double apart(const double *a, int a_count, const double *b, int b_count)
{
    double most = a_count == b_count && a_count > 0 ? 0 : INFINITY;
    for (int i = 0; i < a_count && i < b_count; ++i)
    {
        double difference = fabs(a[i] - b[i]);
        most = isnan(difference) ? INFINITY : fmax(most, difference);
    }
    return most;
}

static double runs_apart(const cli_impact_run *a, const cli_impact_run *b)
{
    return apart(a->numbers.value, a->numbers.count, b->numbers.value, b->numbers.count);
}

static double error_of(const cli_impact_numbers *n)
{
    return apart(n->truth, n->count, n->value, n->count);
}

/* Errors that should fall with h, from the largest step on. */
static void falling_errors(const cli_impact_row *row, const cli_impact_run *runs, double errors[ORDER_STEPS])
{
    int variants = cli_impact_variants(row);
    for (int i = 0; i < ORDER_STEPS; ++i)
    {
        const cli_impact_run *run = &runs[i * variants];
        errors[i] = row->kind == CLI_IMPACT_ORDER ? error_of(&run->numbers) : 0;
        errors[i] = row->kind == CLI_IMPACT_RICHARDSON ? runs_apart(run, run + 1) : errors[i];
        for (int a = 0; a < variants; ++a)
            for (int b = 0; b < a; ++b)
                errors[i] = fmax(errors[i], runs_apart(run + a, run + b));
    }
}

/* The order of the envelope; NAN where a run has no error. */
static double order_of(const double errors[ORDER_STEPS])
{
    double coarse = 0, fine = 0;
    for (int i = 0; i < ORDER_STEPS / 2; ++i)
    {
        coarse = fmax(coarse, errors[i]);
        fine = fmax(fine, errors[ORDER_STEPS / 2 + i]);
    }
    return isfinite(coarse) && isfinite(fine) ? log2(coarse / fine) / (ORDER_STEPS / 2) : NAN;
}

cli_impact_verdict cli_impact_judge(const cli_impact_row *row, const cli_impact_run *runs)
{
    cli_impact_verdict v = {.truth = NAN, .value = NAN, .events = runs[0].events};
    if (row->kind == CLI_IMPACT_VALUE)
    {
        v.error = error_of(&runs[0].numbers);
        v.off = !(v.error <= row->tolerance);
    }
    else
    {
        double errors[ORDER_STEPS];
        falling_errors(row, runs, errors);
        v.truth = row->order > 0 ? row->order : 2;
        v.value = order_of(errors);
        v.error = errors[ORDER_STEPS - 1];
        v.off = !(v.value >= v.truth - row->tolerance);
    }
    for (int i = 0; i < cli_impact_steps(row) * cli_impact_variants(row); ++i)
    {
        v.violations += runs[i].violations;
        v.message = runs[i].failed && !v.message ? runs[i].message : v.message;
    }
    v.off = v.off || v.violations > 0 || v.message;
    return v;
}
