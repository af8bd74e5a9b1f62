/* One run of a comparison, and its distance from the first run.
 *
 * Runs may have different steps: the first run's positions at the times of another are taken by linear interpolation
 * between its frames, which are exact where the frames coincide.
 */
#include "cli/common/cli.h"
#include "cli/common/progress.h"
#include "cli/compare/compare.h"
#include "cli/run/run.h"
#include "cli/study/lift_off.h"
#include "cli/study/study.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_FRAMES = 2000, /* kept per run, approximately */
};

/* -------------------------------------------------------------------------------------------------------- running */

static void open_track(cli_compare_run *run, int64_t frames, int bodies)
{
    cli_compare_track *track = &run->track;
    track->capacity = frames;
    track->time = cli_allocate((size_t)frames, sizeof *track->time);
    track->position = cli_allocate((size_t)frames * (size_t)bodies * 3 + 1, sizeof *track->position);
    run->end = cli_allocate((size_t)bodies + 1, sizeof *run->end);
}

static void keep_frame(cli_compare_track *track, const cairn_simulation *simulation, int bodies)
{
    assert(track->count < track->capacity);
    const cairn_model *model = cairn_simulation_model(simulation);
    double *x = track->position + 3 * (size_t)bodies * (size_t)track->count;
    track->time[track->count++] = cairn_simulation_time(simulation);
    for (int i = 0; i < bodies; ++i)
    {
        cairn_body_state state = cairn_simulation_body(simulation, cairn_model_body(model, i));
        memcpy(x + 3 * (size_t)i, state.position, sizeof state.position);
    }
}

static void count_step(cli_compare_run *run, const cairn_simulation *simulation, double h)
{
    const cairn_step_report *report = cairn_simulation_report(simulation);
    double lift_off = cli_lift_off(simulation, h);
    ++run->steps;
    run->missed +=
        report->solver.outcome == CAIRN_MISSED || report->solver.outcome == CAIRN_FAILED || !report->projection_met;
    run->problems += report->problems;
    run->iterations += report->solver.iterations;
    run->fallbacks += report->solver.fallbacks;
    run->contacts_max = report->contacts > run->contacts_max ? report->contacts : run->contacts_max;
    run->residual = fmax(run->residual, report->solver.certificate.relative);
    run->penetration = fmax(run->penetration, report->penetration);
    run->joint_error = fmax(run->joint_error, report->joint_error);
    run->lift_off = isnan(lift_off) ? NAN : fmax(run->lift_off, lift_off);
}

static void fail(cli_compare_run *run, cairn_context *context, cairn_status status, double time)
{
    const char *text = cairn_context_last_message(context);
    run->status = "failed";
    run->exit_status = cli_exit_status(status);
    snprintf(run->message, sizeof run->message, "step %" PRId64 " from t = %.9g s: %s", run->steps + 1, time,
             *text ? text : cairn_status_text(status));
}

static void step_to_end(const cli_compare *compare, cli_compare_run *run, cairn_context *context,
                        cairn_simulation *simulation)
{
    cli_run_plan plan = cli_run_plan_steps(compare->until, run->settings.step);
    int64_t total = plan.steps + (plan.last > 0), every = total / MOST_FRAMES + 1;
    cli_progress progress = cli_progress_start(!compare->options->quiet, total, compare->until);
    cairn_status status = CAIRN_OK;
    open_track(run, total / every + 2, compare->body_count);
    keep_frame(&run->track, simulation, compare->body_count);
    for (int64_t i = 0; i < total && !status; ++i)
    {
        double h = i < plan.steps ? run->settings.step : plan.last;
        status = cairn_simulation_step_by(simulation, h);
        if (!status)
        {
            count_step(run, simulation, h);
            cli_progress_update(&progress, cairn_simulation_report(simulation));
        }
        if (!status && ((i + 1) % every == 0 || i + 1 == total))
            keep_frame(&run->track, simulation, compare->body_count);
    }
    cli_progress_end(&progress);
    if (status)
        fail(run, context, status, cairn_simulation_time(simulation));
}

static void finish(const cli_compare *compare, cli_compare_run *run, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int i = 0; i < compare->body_count; ++i)
        run->end[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
    run->energy = cairn_simulation_energy(simulation).total;
    if (run->exit_status == CLI_EXIT_DONE && run->missed > 0)
    {
        run->status = "missed-tolerance";
        run->exit_status = CLI_EXIT_FAILED;
    }
}

void cli_compare_run_one(const cli_compare *compare, cli_compare_run *run)
{
    double started = cli_wall_time();
    cairn_context *context = cli_context_create();
    cairn_simulation *simulation = NULL;
    run->status = "done";
    run->exit_status = CLI_EXIT_DONE;
    cairn_status status =
        cairn_simulation_create(context, cairn_scene_model(compare->scene), &run->settings, &simulation);
    if (status)
    {
        fail(run, context, status, 0);
    }
    else
    {
        step_to_end(compare, run, context, simulation);
        finish(compare, run, simulation);
    }
    cairn_simulation_destroy(simulation);
    cairn_context_destroy(context);
    run->wall = cli_wall_time() - started;
}

/* ------------------------------------------------------------------------------------------------------ measuring */

static bool is_dynamic(const cli_compare *compare, int body)
{
    const cairn_model *model = cairn_scene_model(compare->scene);
    return cairn_model_body_kind(model, cairn_model_body(model, body)) == CAIRN_DYNAMIC;
}

/* The frame at or before a time, from a first guess on. */
static int64_t frame_before(const cli_compare_track *track, int64_t guess, double time)
{
    while (guess + 1 < track->count && track->time[guess + 1] <= time)
        ++guess;
    return guess;
}

/* The largest distance of a body in frame `i` of a run from where it is in the reference, between its frames k and k + 1. */
static double distance(const cli_compare *compare, const cli_compare_track *track, int64_t i,
                       const cli_compare_track *reference, int64_t k, int *worst)
{
    size_t width = 3 * (size_t)compare->body_count;
    int64_t next = k + 1 < reference->count ? k + 1 : k;
    double length = reference->time[next] - reference->time[k];
    double share = length > 0 ? fmin((track->time[i] - reference->time[k]) / length, 1) : 0;
    const double *x = track->position + width * (size_t)i;
    const double *x0 = reference->position + width * (size_t)k, *x1 = reference->position + width * (size_t)next;
    double largest = 0;
    *worst = -1;
    for (int b = 0; b < compare->body_count; ++b)
    {
        double d[3];
        for (int c = 0; c < 3; ++c)
        {
            int at = 3 * b + c;
            d[c] = x[at] - (x0[at] + share * (x1[at] - x0[at]));
        }
        double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (is_dynamic(compare, b) && (*worst < 0 || size > largest))
        {
            largest = size;
            *worst = b;
        }
    }
    return largest;
}

static void measure_end(const cli_compare *compare, cli_compare_run *run)
{
    int dimension = cairn_model_dimension(cairn_scene_model(compare->scene));
    run->position = run->distance[run->track.count - 1];
    run->angle = 0;
    for (int b = 0; b < compare->body_count; ++b)
    {
        double angle =
            is_dynamic(compare, b) ? fabs(cli_study_turn(dimension, &run->end[b], &compare->runs[0].end[b])) : 0;
        run->angle = fmax(run->angle, angle);
    }
}

void cli_compare_measure(const cli_compare *compare, cli_compare_run *run)
{
    const cli_compare_track *reference = &compare->runs[0].track;
    int64_t k = 0, common = 0;
    run->position = run->angle = NAN;
    run->worst = -1;
    run->distance = cli_allocate((size_t)run->track.count + 1, sizeof *run->distance);
    for (int64_t i = 0; i < run->track.count && reference->count > 0; ++i)
    {
        bool known = run->track.time[i] <= reference->time[reference->count - 1] * (1 + 1e-12);
        k = frame_before(reference, k, run->track.time[i]);
        run->distance[i] = known ? distance(compare, &run->track, i, reference, k, &run->worst) : NAN;
        common += known;
        if (known && run->distance[i] > run->largest)
        {
            run->largest = run->distance[i];
            run->largest_time = run->track.time[i];
        }
    }
    bool ended = strcmp(run->status, "failed") != 0 && strcmp(compare->runs[0].status, "failed") != 0;
    if (ended && common > 0)
        measure_end(compare, run);
}
