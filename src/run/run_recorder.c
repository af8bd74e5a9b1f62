/* The recorder's public functions: create, write, flush, close. run_columns.c makes frames; run_create.c and run_append.c write
 * the file.
 */
#include "run/run_recorder.h"
#include "base/clock.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t LARGEST_PENDING = (size_t)16 << 20;

cairn_recorder_options cairn_recorder_default(void)
{
    return (cairn_recorder_options){.struct_size = sizeof(cairn_recorder_options), .every = 1, .flush_interval = 0.5};
}

static void destroy(cairn_recorder *recorder)
{
    assert(recorder);
    crn_arena_release(&recorder->memory);
    free(recorder);
}

static cairn_status refuse_path(const cairn_recorder *recorder, int error)
{
    cairn_status status = error == ENOMEM ? CAIRN_NO_MEMORY : CAIRN_IO;
    return crn_fail(recorder->context, status, "run file '%s' cannot be written: %s", recorder->path,
                    crn_file_error(error));
}

/* Write the file with its first frame beside the path, then rename it: a run file that is already there stays until the new one
 * is whole. */
static cairn_status create_file(cairn_recorder *recorder, const cairn_recorder_options *options)
{
    char *part = NULL;
    int descriptor = crn_create_beside(recorder->path, &part);
    if (descriptor < 0)
        return refuse_path(recorder, errno);
    cairn_status status = crn_run_file_create(recorder, options, descriptor);
    if (!crn_close_file(descriptor, !status) && !status)
        status = refuse_path(recorder, errno);
    status = status ? status : crn_run_columns_append(recorder);
    status = status ? status : crn_run_file_append(recorder, part, NULL);
    if (!status && rename(part, recorder->path))
        status = refuse_path(recorder, errno);
    if (status)
        unlink(part);
    free(part);
    return status;
}

cairn_status cairn_recorder_create(cairn_context *context, const char *path, const cairn_simulation *simulation,
                                   const cairn_recorder_options *options, cairn_recorder **out)
{
    if (!path || !simulation || !out)
    {
        return crn_fail(context, CAIRN_INVALID,
                        "run file: the path, the simulation or the place for the recorder is NULL");
    }
    *out = NULL;
    cairn_recorder_options chosen = options ? *options : cairn_recorder_default();
    CRN_TRY(crn_check_size(context, "recorder", chosen.struct_size, sizeof chosen));
    if (chosen.parameter_count < 0 || (chosen.parameter_count > 0 && !chosen.parameters))
        return crn_fail(context, CAIRN_INVALID, "run file '%s': the parameters are NULL, or their number is negative",
                        path);
    if (chosen.every < 1 || !(chosen.flush_interval >= 0))
    {
        return crn_fail(context, CAIRN_INVALID,
                        "run file '%s': every must be at least 1 and flush_interval not negative; found %d and %g",
                        path, chosen.every, chosen.flush_interval);
    }
    cairn_recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return crn_fail(context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", path);
    recorder->context = context;
    recorder->simulation = simulation;
    recorder->revision = cairn_model_revision(cairn_simulation_model(simulation));
    recorder->every = chosen.every;
    recorder->step = cairn_simulation_report(simulation)->step;
    recorder->flush_interval = chosen.flush_interval;
    recorder->watch = chosen.watch;
    recorder->path = crn_arena_text(&recorder->memory, path);
    cairn_status status = recorder->path ? crn_run_columns_create(recorder)
                                         : crn_fail(context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", path);
    status = status ? status : crn_run_append_list(recorder, CRN_RUN_VIOLATIONS); /* of the initial state */
    status = status ? status : crn_run_append_sample(recorder);
    status = status ? status : create_file(recorder, &chosen);
    if (status)
    {
        destroy(recorder);
        return status;
    }
    assert(recorder->frames == 1);
    assert(recorder->pending == 0);
    recorder->last_flush = crn_clock();
    *out = recorder;
    return CAIRN_OK;
}

static cairn_status refuse_broken(const cairn_recorder *recorder)
{
    return crn_fail(recorder->context, CAIRN_IO, "run file '%s': an earlier write failed, nothing more is recorded",
                    recorder->path);
}

cairn_status cairn_recorder_write(cairn_recorder *recorder)
{
    if (!recorder)
        return crn_fail(NULL, CAIRN_INVALID, "run file: the recorder is NULL");
    if (recorder->broken)
        return refuse_broken(recorder);
    if (cairn_model_revision(cairn_simulation_model(recorder->simulation)) != recorder->revision)
    {
        return crn_fail(recorder->context, CAIRN_INVALID,
                        "run file '%s': things were added to the model or removed from it; a run file holds one set of "
                        "bodies, so begin another",
                        recorder->path);
    }
    int64_t step = cairn_simulation_report(recorder->simulation)->step, taken = step - recorder->step;
    recorder->step = step;
    recorder->calls += taken > 1 ? taken : 1; /* a device takes several steps at a time */
    recorder->skipped = recorder->calls % recorder->every != 0;
    cairn_status status = crn_run_append_list(recorder, CRN_RUN_EVENTS);
    status = status ? status : crn_run_append_list(recorder, CRN_RUN_VIOLATIONS);
    status = status ? status : crn_run_append_sample(recorder);
    if (!status && recorder->skipped)
        return CAIRN_OK;
    status = status ? status : crn_run_columns_append(recorder);
    if (status)
    {
        recorder->broken = true;
        return status;
    }
    bool due = recorder->pending > LARGEST_PENDING || crn_clock() - recorder->last_flush >= recorder->flush_interval;
    return due ? cairn_recorder_flush(recorder) : CAIRN_OK;
}

cairn_status cairn_recorder_flush(cairn_recorder *recorder)
{
    if (!recorder)
        return crn_fail(NULL, CAIRN_INVALID, "run file: the recorder is NULL");
    if (recorder->broken)
        return refuse_broken(recorder);
    cairn_status status = CAIRN_OK;
    if (recorder->pending > 0)
        status = crn_run_file_append(recorder, recorder->path, NULL);
    recorder->last_flush = crn_clock();
    return status;
}

cairn_status cairn_recorder_close(cairn_recorder *recorder, const char *status)
{
    if (!recorder)
        return CAIRN_OK;
    cairn_status result = CAIRN_IO; /* a write failed before, and left its message then */
    if (!recorder->broken)
    {
        /* The last state of a run is always recorded, whatever `every` is. */
        result = recorder->skipped ? crn_run_columns_append(recorder) : CAIRN_OK;
        result = result ? result : crn_run_file_append(recorder, recorder->path, status ? status : "done");
    }
    destroy(recorder);
    return result;
}
