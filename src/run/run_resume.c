/* Continuing a run file, and start states from run files of other scenes. */
#include "run/run_checkpoint.h"

#include "run/run_reader.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- resume */

/* Put the recorder where the one was that wrote the checkpoint. */
static cairn_status take_progress(cairn_recorder *recorder, const cairn_checkpoint *checkpoint)
{
    const crn_run_progress *progress = &checkpoint->progress;
    if (progress->columns != recorder->column_count)
        return crn_fail(recorder->context, CAIRN_INVALID,
                        "checkpoint '%s' is of a run file with %zu datasets; this simulation, with what it watches, "
                        "has %zu",
                        checkpoint->path, progress->columns, recorder->column_count);
    recorder->calls = progress->calls;
    recorder->frames = progress->frames;
    recorder->contacts = progress->contacts;
    recorder->skipped = progress->skipped;
    for (int i = 0; i <= CRN_RUN_LISTS; ++i)
    {
        crn_run_recorded_list *list = i < CRN_RUN_LISTS ? &recorder->lists[i] : &recorder->samples;
        list->recorded = progress->items[i][0];
        list->of_frames = progress->items[i][1];
    }
    for (size_t i = 0; i < recorder->column_count; ++i)
        recorder->columns[i].written = progress->rows[i];
    recorder->safe = recorder->columns[0].written;
    memcpy(recorder->created, checkpoint->head.created, sizeof recorder->created);
    return CAIRN_OK;
}

/* The watch must have the columns of the file, in the same order. */
static cairn_status check_watch(const cairn_recorder *recorder)
{
    cairn_run *run;
    CRN_TRY(cairn_run_open(recorder->context, recorder->path, &run));
    int count = cairn_watch_count(recorder->watch);
    bool same = cairn_run_sensor_count(run) == count;
    for (int i = 0; i < count && same; ++i)
        same = !strcmp(cairn_watch_label(recorder->watch, i), cairn_run_sensor_name(run, i));
    cairn_run_close(run);
    return same ? CAIRN_OK
                : crn_fail(recorder->context, CAIRN_INVALID,
                           "run file '%s' has other sensors than those watched now; a resumed run watches the same",
                           recorder->path);
}

cairn_status cairn_recorder_resume(cairn_context *context, const char *path, const cairn_checkpoint *checkpoint,
                                   cairn_simulation *simulation, const cairn_recorder_options *options,
                                   cairn_recorder **out)
{
    if (out)
        *out = NULL;
    if (!path || !checkpoint || !simulation || !out)
        return crn_fail(context, CAIRN_INVALID,
                        "resume: the path, the checkpoint, the simulation or the place for the recorder is NULL");
    cairn_recorder_options chosen = options ? *options : cairn_recorder_default();
    chosen.every = (int)checkpoint->progress.every;
    chosen.interval = checkpoint->progress.interval;
    chosen.leave_out = (unsigned)checkpoint->progress.leave_out;
    chosen.compression = (int)checkpoint->progress.compression;
    cairn_recorder *recorder;
    CRN_TRY(cairn_simulation_restore(simulation, checkpoint->state));
    CRN_TRY(crn_run_recorder_new(context, path, simulation, &chosen, &recorder));
    cairn_status status = crn_run_file_lock(recorder);
    status = status ? status : take_progress(recorder, checkpoint);
    status = status ? status : check_watch(recorder);
    status = status ? status : crn_run_file_cut(recorder);
    if (status)
        crn_run_recorder_free(recorder);
    *out = status ? NULL : recorder;
    return status;
}

/* ------------------------------------------------------------------------------------------------ start states */

cairn_status cairn_run_frame_at(cairn_run *run, double time, int64_t *frame)
{
    if (!run || !frame)
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID, "run file: the run or the place for a frame is NULL");
    *frame = -1;
    double *times = malloc((size_t)run->frames * sizeof *times + 1);
    cairn_status status = times ? cairn_run_read_series(run, "time", times) : crn_run_reader_full(run);
    for (int64_t i = 0; i < run->frames && !status; ++i)
        if (*frame < 0 || fabs(times[i] - time) < fabs(times[*frame] - time))
            *frame = i;
    free(times);
    return status;
}

/* Names of a run's bodies, in the order of their texts. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Replace the states of bodies that have a name which the run has, too; returns their number. */
static int match(const cairn_run *run, const char **names, const cairn_body_state *recorded, const cairn_model *model,
                 cairn_body_state *states)
{
    int placed = 0, count = run->body_names.count;
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        const char *name = cairn_model_body_name(model, cairn_model_body(model, i));
        const char **found = bsearch(&name, names, (size_t)count, sizeof *names, compare_names);
        if (!found || !name[0])
            continue;
        states[i] = recorded[(*found - run->body_names.first) / (ptrdiff_t)run->body_names.stride];
        ++placed;
    }
    assert(placed <= cairn_model_body_count(model));
    return placed;
}

static cairn_status place(cairn_run *run, int64_t frame, cairn_simulation *simulation, const char **names,
                          cairn_body_state *recorded, cairn_body_state *states, int *placed)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    int bodies = cairn_model_body_count(model);
    CRN_TRY(cairn_run_read_frame(run, frame, recorded));
    for (int i = 0; i < run->body_names.count; ++i)
        names[i] = cairn_run_body_name(run, i);
    qsort(names, (size_t)run->body_names.count, sizeof *names, compare_names);
    for (int i = 0; i < bodies; ++i)
        states[i] = cairn_simulation_body(simulation, cairn_model_body(model, i));
    *placed = match(run, names, recorded, model, states);
    if (*placed == 0)
        return crn_fail(run->context, CAIRN_INVALID, "run file '%s' has no body with a name of this scene", run->path);
    return cairn_simulation_set_states(simulation, states, bodies);
}

cairn_status cairn_run_place(cairn_run *run, int64_t frame, cairn_simulation *simulation, int *placed)
{
    if (!run || !simulation || !placed)
        return crn_fail(run ? run->context : NULL, CAIRN_INVALID, "run file: the run or the simulation is NULL");
    const cairn_model *model = cairn_simulation_model(simulation);
    *placed = 0;
    if (!cairn_run_has(run, CAIRN_RECORD_VELOCITIES))
        return crn_fail(run->context, CAIRN_INVALID, "run file '%s' has no velocities to begin with", run->path);
    if (cairn_model_dimension(model) != run->dimension)
        return crn_fail(run->context, CAIRN_INVALID, "run file '%s' has %d dimensions, and this scene %d", run->path,
                        run->dimension, cairn_model_dimension(model));
    size_t count = (size_t)run->body_names.count;
    const char **names = malloc(count * sizeof *names + 1);
    cairn_body_state *recorded = calloc(count + 1, sizeof *recorded);
    cairn_body_state *states = calloc((size_t)cairn_model_body_count(model) + 1, sizeof *states);
    cairn_status status = names && recorded && states ? place(run, frame, simulation, names, recorded, states, placed)
                                                      : crn_run_reader_full(run);
    free((void *)names);
    free(recorded);
    free(states);
    return status;
}
