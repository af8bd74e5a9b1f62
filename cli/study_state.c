/* Reference states: from the numbers stored with a built-in study, or from a run file. */
#include "plot_quantity.h"
#include "plot_run.h"
#include "study.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget(cairn_body_state *state)
{
    *state = (cairn_body_state){.angle = NAN};
    for (int k = 0; k < 3; ++k)
    {
        state->position[k] = state->velocity[k] = state->angular_velocity[k] = NAN;
    }
    for (int k = 0; k < 4; ++k)
    {
        state->orientation[k] = NAN;
    }
}

bool crn_study_state_create(const cairn_model *model, crn_study_state *out)
{
    int count = cairn_model_body_count(model);
    *out = (crn_study_state){.bodies = calloc((size_t)count + 1, sizeof *out->bodies), .energy = NAN};
    for (int i = 0; out->bodies && i < count; ++i)
    {
        forget(&out->bodies[i]);
    }
    return out->bodies != NULL;
}

bool crn_study_state_truth(const crn_study_entry *entry, const cairn_model *model, double until, crn_study_state *state)
{
    bool any = false;
    for (int i = 0; i < entry->truth_count; ++i)
    {
        const crn_study_truth *truth = &entry->truths[i];
        if (truth->until != until)
        {
            continue;
        }
        int component = crn_component_find(truth->field, cairn_model_dimension(model));
        int body = 0;
        while (strcmp(cairn_model_body_name(model, cairn_model_body(model, body)), truth->body) != 0)
        {
            ++body;
            assert(body < cairn_model_body_count(model));
        }
        crn_component_set(component, &state->bodies[body], truth->value);
        any = true;
    }
    return any;
}

/* The frame whose time is the end time; -1 when there is none. */
static int64_t find_frame(const crn_plot_run *run, double until)
{
    for (int64_t i = run->frame_count - 1; i >= 0; --i)
    {
        if (fabs(run->time[i] - until) <= 1e-9 * fmax(1, until))
        {
            return i;
        }
    }
    return -1;
}

static int copy_bodies(crn_plot_run *run, const cairn_model *model, crn_study_state *state)
{
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        const char *name = cairn_model_body_name(model, body);
        int found = crn_plot_run_find_body(run, name, strlen(name));
        if (found >= 0)
        {
            state->bodies[i] = run->states[found];
        }
        else if (cairn_model_body_kind(model, body) == CAIRN_DYNAMIC)
        {
            crn_cli_error("option --reference: the run '%s' has no body '%s'", run->path, name);
            return CRN_EXIT_WRONG;
        }
    }
    return CRN_EXIT_DONE;
}

static int read_energy(crn_plot_run *run, int64_t frame, double *out)
{
    double *series = malloc((size_t)run->frame_count * sizeof *series);
    if (!series)
    {
        return crn_plot_no_memory();
    }
    if (cairn_run_read_series(run->run, "energy/total", series) == CAIRN_OK)
    {
        *out = series[frame];
    }
    cairn_context_clear(run->context);
    free(series);
    return CRN_EXIT_DONE;
}

int crn_study_state_file(const char *path, const cairn_model *model, double until, crn_study_state *state)
{
    crn_plot_run run;
    int result = crn_plot_run_open(&run, path);
    int64_t frame = result ? -1 : find_frame(&run, until);
    if (!result && run.dimension != cairn_model_dimension(model))
    {
        crn_cli_error("option --reference: the run '%s' is in %d dimensions", path, run.dimension);
        result = CRN_EXIT_WRONG;
    }
    if (!result && frame < 0)
    {
        crn_cli_error("option --reference: the run '%s' has no frame at t = %g s", path, until);
        result = CRN_EXIT_WRONG;
    }
    result = result ? result : crn_plot_run_read(&run, frame);
    result = result ? result : copy_bodies(&run, model, state);
    result = result ? result : read_energy(&run, frame, &state->energy);
    crn_plot_run_close(&run);
    return result;
}
