/* One run of a study. It has its own context, scene and simulation, and neither prints nor reads anything that another
 * run could change, so that runs in several threads give the same bits as runs one after another. */
#include "cli/common/cli.h"
#include "cli/common/pool.h"
#include "cli/common/progress.h"
#include "cli/run/run.h"
#include "cli/study/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_study_load(const cli_study *study, cairn_context *context, int value, bool keep, cairn_scene **out)
{
    const char *own = value >= 0 ? study->assignments[value] : NULL;
    return cli_sweep_load(context, study->scene_name, &study->options->set, own, keep, out);
}

cairn_settings cli_study_settings(const cli_study *study, const cairn_scene *scene, const cli_study_run *run)
{
    cairn_settings settings = cairn_scene_settings(scene);
    (void)cli_settings_apply(&study->options->settings, &settings); /* checked before the first run */
    settings.solver.threads = 1;                                    /* the runs share the processors */
    settings.integrator = run->integrator;
    settings.step = run->h;
    if (run->events != CLI_EVENTS_SCENE)
        settings.events = run->events == CLI_EVENTS_ON;
    return settings;
}

static void count_step(cli_study_run *run, const cairn_simulation *simulation)
{
    const cairn_step_report *report = cairn_simulation_report(simulation);
    ++run->steps;
    run->lcps += report->problems;
    run->event_count += cairn_simulation_event_count(simulation);
    run->iterations += report->solver.iterations;
    run->joint_error = report->joint_error;
    run->penetration = fmax(run->penetration, report->penetration);
    run->residual = fmax(run->residual, report->solver.certificate.relative);
    if (report->solver.outcome == CAIRN_MISSED || report->solver.outcome == CAIRN_FAILED || !report->projection_met)
    {
        run->status = "missed-tolerance";
        run->exit_status = CLI_EXIT_FAILED;
    }
}

static void fail(cli_study_run *run, cairn_context *context, cairn_status status, double time)
{
    const char *text = cairn_context_last_message(context);
    run->status = "failed";
    run->exit_status = cli_exit_status(status);
    if (*text)
    {
        snprintf(run->message, sizeof run->message, "%s", text);
    }
    else
    {
        snprintf(run->message, sizeof run->message, "step %" PRId64 " from t = %.9g s: %s", run->steps + 1, time,
                 cairn_status_text(status));
    }
}

/* The value of a quantity at the end; NAN when this run's scene has no such thing. */
static double named_value(const cli_study_quantity *quantity, const cairn_simulation *simulation)
{
    cairn_quantity found;
    double value[CAIRN_QUANTITY_MOST] = {NAN};
    if (!cairn_quantity_find(NULL, cairn_simulation_model(simulation), quantity->text, &found) && found.count == 1)
        cairn_quantity_value(simulation, &found, value);
    return value[0];
}

static void collect(const cli_study *study, cli_study_run *run, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int i = 0; i < cairn_model_body_count(model); ++i)
        run->end.bodies[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
    run->end.energy = cairn_simulation_energy(simulation).total;
    for (int i = 0; i < study->quantity_count; ++i)
        if (study->quantities[i].kind == CLI_MEASURE_NAMED)
            run->end.named[i] = named_value(&study->quantities[i], simulation);
}

static void step_to_end(const cli_study *study, cli_study_run *run, cairn_context *context,
                        cairn_simulation *simulation, atomic_llong *done)
{
    cli_run_plan plan = cli_run_plan_steps(study->until, run->h);
    int64_t total = plan.steps + (plan.last > 0);
    cairn_status status = CAIRN_OK;
    for (int64_t i = 0; i < total && !status; ++i)
    {
        double time = cairn_simulation_time(simulation);
        status = i < plan.steps ? cairn_simulation_step(simulation) : cairn_simulation_step_by(simulation, plan.last);
        if (status)
        {
            fail(run, context, status, time);
            atomic_fetch_add(done, total - i);
            return;
        }
        count_step(run, simulation);
        atomic_fetch_add(done, 1);
    }
}

static void run_simulation(const cli_study *study, cli_study_run *run, cairn_context *context, atomic_llong *done)
{
    cairn_scene *scene;
    cairn_simulation *simulation = NULL;
    cairn_status status = cli_study_load(study, context, run->value, true, &scene) ? CAIRN_INVALID : CAIRN_OK;
    if (!status)
    {
        cairn_settings settings = cli_study_settings(study, scene, run);
        status = cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
    }
    if (!status)
        run->end = cli_study_state_create(cairn_scene_model(scene));
    if (status)
    {
        fail(run, context, status, 0);
    }
    else
    {
        step_to_end(study, run, context, simulation, done);
        collect(study, run, simulation);
    }
    cairn_simulation_destroy(simulation);
    cairn_scene_destroy(scene);
}

void cli_study_run_one(const cli_study *study, cli_study_run *run, atomic_llong *done)
{
    double started = cli_wall_time();
    cairn_context *context = cli_context_create();
    run->status = "done";
    run->exit_status = CLI_EXIT_DONE;
    run_simulation(study, run, context, done);
    cairn_context_destroy(context);
    run->wall = cli_wall_time() - started;
}

/* -------------------------------------------------------------------------------------------------------- all of them */

static int64_t planned(const void *data, int index)
{
    const cli_study *study = data;
    return study->runs[index].planned;
}

static void run_index(void *data, int index, atomic_llong *done)
{
    cli_study *study = data;
    cli_study_run_one(study, &study->runs[index], done);
}

static void put_run(const void *data, int index, cli_packet *packet)
{
    const cli_study_run *run = &((const cli_study *)data)->runs[index];
    cli_packet_put(packet, run, sizeof *run);
    cli_packet_put_block(packet, run->status, strlen(run->status) + 1);
    cli_packet_put_block(packet, run->end.bodies, (size_t)run->end.body_count * sizeof *run->end.bodies);
}

/* The pointers of the other process are exchanged for our own. */
static void take_run(void *data, int index, cli_packet *packet)
{
    static const char *const STATUSES[] = {"done", "missed-tolerance", "failed"};
    cli_study_run *run = &((cli_study *)data)->runs[index];
    const cli_study_paper *paper = run->paper;
    size_t size;
    cli_packet_take(packet, run, sizeof *run);
    run->paper = paper;
    char *status = cli_packet_take_block(packet, &size);
    for (size_t i = 0; i < sizeof STATUSES / sizeof STATUSES[0]; ++i)
        if (!strcmp(STATUSES[i], status))
            run->status = STATUSES[i];
    free(status);
    run->end.bodies = cli_packet_take_block(packet, &size);
}

void cli_study_run_all(cli_study *study)
{
    double started = cli_wall_time();
    const cli_pool_work work = {.count = study->run_count,
                                .planned = planned,
                                .run = run_index,
                                .put = put_run,
                                .take = take_run,
                                .data = study};
    study->jobs = cli_pool_threads(study->options->jobs, study->run_count);
    cli_pool_run(&work, study->jobs, study->options->quiet);
    study->wall = cli_wall_time() - started;
}
