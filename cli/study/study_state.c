/* Reference states: from the numbers stored with a built-in study, or from a run file. */
#include "cli/common/cli.h"
#include "cli/plot/plot_quantity.h"
#include "cli/plot/plot_run.h"
#include "cli/study/study.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget(cairn_body_state *state)
{
    *state = (cairn_body_state){.angle = NAN};
    for (int k = 0; k < 3; ++k)
        state->position[k] = state->velocity[k] = state->angular_velocity[k] = NAN;
    for (int k = 0; k < 4; ++k)
        state->orientation[k] = NAN;
}

cli_study_state cli_study_state_create(const cairn_model *model)
{
    int count = cairn_model_body_count(model);
    cli_study_state state = {
        .bodies = cli_allocate((size_t)count, sizeof *state.bodies), .body_count = count, .energy = NAN};
    for (int i = 0; i < count; ++i)
        forget(&state.bodies[i]);
    for (int i = 0; i < CLI_STUDY_QUANTITIES; ++i)
        state.named[i] = NAN;
    return state;
}

bool cli_study_state_truth(const cli_study_entry *entry, const cairn_model *model, double until, cli_study_state *state)
{
    bool any = false;
    for (int i = 0; i < entry->truth_count; ++i)
    {
        const cli_study_truth *truth = &entry->truths[i];
        if (truth->until != until)
            continue;
        int component = cli_component_find(truth->field, cairn_model_dimension(model));
        int body = 0;
        while (strcmp(cairn_model_body_name(model, cairn_model_body(model, body)), truth->body) != 0)
        {
            ++body;
            assert(body < cairn_model_body_count(model));
        }
        cli_component_set(component, &state->bodies[body], truth->value);
        any = true;
    }
    return any;
}

/* The frame whose time is the end time; -1 when there is none. */
static int64_t find_frame(const cli_plot_run *run, double until)
{
    for (int64_t i = run->frame_count - 1; i >= 0; --i)
        if (fabs(run->time[i] - until) <= 1e-9 * fmax(1, until))
            return i;
    return -1;
}

static int copy_bodies(cli_plot_run *run, const cairn_model *model, cli_study_state *state)
{
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        const char *name = cairn_model_body_name(model, body);
        int found = cli_plot_run_find_body(run, name, strlen(name));
        if (found >= 0)
            state->bodies[i] = run->states[found];
        else if (cairn_model_body_kind(model, body) == CAIRN_DYNAMIC)
            return cli_wrong("option --reference: the run '%s' has no body '%s'", run->path, name);
    }
    return CLI_EXIT_DONE;
}

/* The value of a series in a frame; NAN when the run lacks it. */
static double read_series(cli_plot_run *run, const char *name, int64_t frame)
{
    double *series = cli_allocate((size_t)run->frame_count, sizeof *series);
    double value = cairn_run_read_series(run->run, name, series) == CAIRN_OK ? series[frame] : NAN;
    cairn_context_clear(run->context);
    free(series);
    return value;
}

static int read_named(cli_plot_run *run, int64_t frame, const cli_study *study, cli_study_state *state)
{
    state->energy = read_series(run, "energy/total", frame);
    for (int i = 0; i < study->quantity_count; ++i)
    {
        const cli_study_quantity *quantity = &study->quantities[i];
        if (quantity->kind == CLI_MEASURE_NAMED)
            state->named[i] = read_series(run, quantity->text, frame);
        if (quantity->kind == CLI_MEASURE_NAMED && isnan(state->named[i]))
            return cli_wrong("option --reference: the run '%s' has not recorded '%s'", run->path, quantity->text);
    }
    return CLI_EXIT_DONE;
}

int cli_study_state_file(const char *path, const cairn_model *model, const cli_study *study, cli_study_state *state)
{
    cli_plot_run run;
    int result = cli_plot_run_open(&run, path);
    int64_t frame = result ? -1 : find_frame(&run, study->until);
    if (!result && run.dimension != cairn_model_dimension(model))
        result = cli_wrong("option --reference: the run '%s' is in %d dimensions", path, run.dimension);
    if (!result && frame < 0)
        result = cli_wrong("option --reference: the run '%s' has no frame at t = %g s", path, study->until);
    result = result ? result : cli_plot_run_read(&run, frame);
    result = result ? result : copy_bodies(&run, model, state);
    result = result ? result : read_named(&run, frame, study, state);
    cli_plot_run_close(&run);
    return result;
}
