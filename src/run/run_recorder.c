/* The recorder's public functions: create, write, flush, close. run_columns.c makes frames; run_create.c and run_append.c write
 * the file.
 */
#include "run/run_recorder.h"
#include "base/clock.h"
#include "base/file.h"
#include "run/run_checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum
{
    LOCK_ATTEMPTS = 40 /* to lock a file, twenty a second */
};
static const double NEARLY = 1e-9; /* times are sums of steps, with rounding errors */

cairn_recorder_options cairn_recorder_default(void)
{
    return (cairn_recorder_options){.struct_size = sizeof(cairn_recorder_options), .every = 1, .flush_interval = 0.5};
}

cairn_recorder_options cairn_recorder_of(const cairn_scene *scene)
{
    cairn_recorder_options options = cairn_recorder_default();
    if (!scene)
        return options;
    cairn_recording said = cairn_scene_recording(scene);
    options.scene_text = cairn_scene_text(scene);
    options.every = said.every;
    options.interval = said.interval;
    options.leave_out = said.leave_out;
    options.single = said.single;
    options.compression = said.compression;
    options.checkpoint_interval = said.checkpoint_interval;
    options.checkpoint_wall = said.checkpoint_wall;
    return options;
}

void crn_run_recorder_free(cairn_recorder *recorder)
{
    assert(recorder);
    crn_run_file_abandon(recorder);
    if (recorder->lock >= 0)
        close(recorder->lock);
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
    recorder->target = part;
    status = status ? status : crn_run_put_bodies(recorder);
    status = status ? status : crn_run_columns_append(recorder);
    status = status ? status : crn_run_file_append(recorder, NULL);
    crn_run_file_abandon(recorder); /* of a frame that failed */
    recorder->target = recorder->path;
    if (!status && rename(part, recorder->path))
        status = refuse_path(recorder, errno);
    if (status)
        unlink(part);
    free(part);
    return status;
}

cairn_status crn_run_file_lock(cairn_recorder *recorder)
{
    recorder->lock = open(recorder->path, O_RDONLY | O_CLOEXEC);
    if (recorder->lock < 0)
        return refuse_path(recorder, errno);
    /* A process that was killed may still be writing to the disk. File systems without locks are used without. */
    bool taken = true;
    for (int i = 0; i < LOCK_ATTEMPTS && taken; ++i)
    {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        taken = flock(recorder->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    }
    if (taken)
        return crn_fail(recorder->context, CAIRN_IO, "run file '%s' is being written by another recorder",
                        recorder->path);
    return CAIRN_OK;
}

static cairn_status check_options(cairn_context *context, const char *path, const cairn_recorder_options *options)
{
    CRN_TRY(crn_check_size(context, "recorder", options->struct_size, sizeof *options));
    if (options->parameter_count < 0 || (options->parameter_count > 0 && !options->parameters))
        return crn_fail(context, CAIRN_INVALID, "run file '%s': the parameters are NULL, or their number is negative",
                        path);
    if (options->every < 1 || !(options->flush_interval >= 0))
    {
        return crn_fail(context, CAIRN_INVALID,
                        "run file '%s': every must be at least 1 and flush_interval not negative; found %d and %g",
                        path, options->every, options->flush_interval);
    }
    if (!(options->interval >= 0) || options->compression < 0 || options->compression > 9 || options->leave_out > 7)
    {
        return crn_fail(
            context, CAIRN_INVALID,
            "run file '%s': interval must not be negative, compression be from 0 to 9, and leave_out name groups; "
            "found %g, %d and %u",
            path, options->interval, options->compression, options->leave_out);
    }
    if (options->compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
        return crn_fail(context, CAIRN_UNSUPPORTED, "run file '%s': this build of HDF5 cannot compress", path);
    if (!(options->checkpoint_interval >= 0) || !(options->checkpoint_wall >= 0))
    {
        return crn_fail(context, CAIRN_INVALID,
                        "run file '%s': checkpoint_interval and checkpoint_wall must not be negative; found %g and %g",
                        path, options->checkpoint_interval, options->checkpoint_wall);
    }
    return CAIRN_OK;
}

static void start_clocks(cairn_recorder *recorder)
{
    recorder->last_flush = recorder->last_checkpoint[1] = crn_clock();
    recorder->last_checkpoint[0] = cairn_simulation_time(recorder->simulation);
    recorder->last_call = recorder->last_checkpoint[0];
    recorder->step = cairn_simulation_report(recorder->simulation)->step;
}

cairn_status crn_run_recorder_new(cairn_context *context, const char *path, const cairn_simulation *simulation,
                                  const cairn_recorder_options *options, cairn_recorder **out)
{
    CRN_TRY(check_options(context, path, options));
    cairn_recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return crn_fail(context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", path);
    recorder->context = context;
    recorder->lock = -1;
    recorder->simulation = simulation;
    recorder->revision = cairn_model_revision(cairn_simulation_model(simulation));
    recorder->every = options->every;
    recorder->flush_interval = options->flush_interval;
    recorder->checkpoint_interval = options->checkpoint_interval;
    recorder->checkpoint_wall = options->checkpoint_wall;
    recorder->interval = options->interval;
    recorder->leave_out = options->leave_out;
    recorder->single = options->single;
    recorder->compression = options->compression;
    recorder->watch = options->watch;
    start_clocks(recorder);
    recorder->target = recorder->path = crn_arena_text(&recorder->memory, path);
    cairn_status status = recorder->path ? crn_run_columns_create(recorder)
                                         : crn_fail(context, CAIRN_NO_MEMORY, "run file '%s': memory ran out", path);
    if (status)
        crn_run_recorder_free(recorder);
    *out = status ? NULL : recorder;
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
    cairn_recorder *recorder;
    CRN_TRY(crn_run_recorder_new(context, path, simulation, &chosen, &recorder));
    cairn_status status = crn_run_append_list(recorder, CRN_RUN_VIOLATIONS); /* of the initial state */
    status = status ? status : crn_run_append_sample(recorder);
    status = status ? status : create_file(recorder, &chosen);
    status = status ? status : crn_run_file_lock(recorder);
    if (status)
    {
        crn_run_recorder_free(recorder);
        return status;
    }
    crn_run_checkpoints_remove(recorder);
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

/* Whether the step just made is a frame: by number, or the first at or after a multiple of the interval. */
static bool is_frame(const cairn_recorder *recorder)
{
    double interval = recorder->interval, now = cairn_simulation_time(recorder->simulation);
    if (interval == 0)
        return recorder->calls % recorder->every == 0;
    return floor(now / interval + NEARLY) > floor(recorder->last_call / interval + NEARLY);
}

int cairn_recorder_steps_to_frame(const cairn_recorder *recorder)
{
    if (!recorder || recorder->interval != 0)
        return 1;
    bool batches = cairn_simulation_settings(recorder->simulation)->device != CAIRN_DEVICE_CPU;
    int64_t waiting = batches ? cairn_simulation_report(recorder->simulation)->step - recorder->step : 0;
    return recorder->every - (int)((recorder->calls + waiting) % recorder->every);
}

cairn_status cairn_recorder_prepare(cairn_recorder *recorder, cairn_simulation *simulation)
{
    if (!recorder || simulation != recorder->simulation)
        return crn_fail(recorder ? recorder->context : NULL, CAIRN_INVALID,
                        "run file: the recorder is NULL, or records another simulation");
    if (recorder->first_contact < 0 && cairn_watch_count(recorder->watch) == 0)
        return CAIRN_OK;
    const cairn_contact *contacts;
    int count;
    return cairn_simulation_contacts(simulation, &contacts, &count);
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
    int64_t taken = cairn_simulation_report(recorder->simulation)->step - recorder->step;
    bool batches = cairn_simulation_settings(recorder->simulation)->device != CAIRN_DEVICE_CPU;
    recorder->calls += batches && taken > 1 ? taken : 1; /* a device takes several steps at a time */
    recorder->skipped = !is_frame(recorder);
    recorder->last_call = cairn_simulation_time(recorder->simulation);
    cairn_status status = crn_run_append_list(recorder, CRN_RUN_EVENTS);
    status = status ? status : crn_run_append_list(recorder, CRN_RUN_VIOLATIONS);
    status = status ? status : crn_run_append_sample(recorder);
    recorder->step = cairn_simulation_report(recorder->simulation)->step;
    status = status || recorder->skipped ? status : crn_run_columns_append(recorder);
    if (status)
    {
        recorder->broken = true;
        return status;
    }
    /* Items of steps between two frames are written, too, where they are many: memory does not grow with `every`. */
    if (recorder->skipped && recorder->pending <= CRN_RUN_PENDING)
        return CAIRN_OK;
    bool due = recorder->writing || recorder->pending > CRN_RUN_PENDING ||
               crn_clock() - recorder->last_flush >= recorder->flush_interval;
    return due ? cairn_recorder_flush(recorder) : CAIRN_OK;
}

cairn_status cairn_recorder_flush(cairn_recorder *recorder)
{
    if (!recorder)
        return crn_fail(NULL, CAIRN_INVALID, "run file: the recorder is NULL");
    if (recorder->broken)
        return refuse_broken(recorder);
    cairn_status status = CAIRN_OK;
    if (recorder->pending > 0 || recorder->writing)
        status = crn_run_file_append(recorder, NULL);
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
        result = result ? result : crn_run_file_append(recorder, status ? status : "done");
    }
    crn_run_recorder_free(recorder);
    return result;
}
