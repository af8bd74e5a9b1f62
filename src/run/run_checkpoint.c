/* Writing checkpoints. The order makes them safe: first the run file gets all rows and goes to the disk, then the checkpoint
 * that counts them is written under another name; then the last checkpoint becomes the one before it, and the new one takes its
 * name. Killed between the two, the run has only the old one, which is whole and whose rows are in the file. */
#include "run/run_checkpoint.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "step/keep/stream.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char CRN_CHECKPOINT_MAGIC[8] = {'c', 'a', 'i', 'r', 'n', 'c', 'h', 'k'};

uint64_t crn_checkpoint_hash(const unsigned char *bytes, size_t size)
{
    assert(size >= sizeof(crn_checkpoint_header));
    size_t at = offsetof(crn_checkpoint_header, checksum), behind = at + sizeof(uint64_t);
    return crn_hash_more(crn_hash(bytes, at), bytes + behind, size - behind);
}

char *crn_checkpoint_path(const char *run, int which)
{
    static const char *const ENDINGS[CRN_CHECKPOINT_FILES] = {
        [CRN_CHECKPOINT_LAST] = "", [CRN_CHECKPOINT_OLD] = "-old", [CRN_CHECKPOINT_NEW] = "-new"};
    size_t size = strlen(run) + sizeof ".checkpoint-old";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s.checkpoint%s", run, ENDINGS[which]);
    return path;
}

void crn_run_checkpoints_remove(const cairn_recorder *recorder)
{
    for (int which = 0; which < CRN_CHECKPOINT_FILES; ++which)
    {
        char *path = crn_checkpoint_path(recorder->path, which);
        if (path)
            unlink(path);
        free(path);
    }
}

void crn_stream_progress(crn_stream *stream, crn_run_progress *progress)
{
    int64_t *numbers[] = {&progress->calls, &progress->frames,    &progress->contacts,
                          &progress->every, &progress->leave_out, &progress->compression};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    {
        crn_stream_long(stream, numbers[i]);
        crn_stream_check(stream, *numbers[i] >= 0, "a count of the run file");
    }
    crn_stream_numbers(stream, &progress->interval, 1);
    crn_stream_check(stream, progress->leave_out <= 7 && progress->compression <= 9 && progress->interval >= 0,
                     "what the run file holds");
    crn_stream_check(stream, progress->every >= 1 && progress->every <= INT32_MAX, "how often a frame is recorded");
    crn_stream_flag(stream, &progress->skipped);
    for (int i = 0; i <= CRN_RUN_LISTS; ++i)
    {
        int64_t *items = progress->items[i];
        crn_stream_long(stream, &items[0]);
        crn_stream_long(stream, &items[1]);
        crn_stream_check(stream, items[1] >= 0 && items[0] >= items[1], "the items of a list");
    }
    crn_stream_list(stream, &progress->rows, &progress->capacity, &progress->columns, sizeof *progress->rows, 8,
                    "the datasets of the run file");
    for (size_t i = 0; i < progress->columns && stream->status == CAIRN_OK; ++i)
    {
        crn_stream_long(stream, &progress->rows[i]);
        crn_stream_check(stream, progress->rows[i] >= 0, "the rows of a dataset");
    }
    if (stream->status == CAIRN_OK && progress->columns > 0)
        crn_stream_check(stream, progress->rows[0] == progress->frames, "the frames of the run file");
}

static cairn_status stream_recorder(crn_stream *stream, const cairn_recorder *recorder)
{
    crn_run_progress progress = {.calls = recorder->calls,
                                 .frames = recorder->frames,
                                 .contacts = recorder->contacts,
                                 .every = recorder->every,
                                 .leave_out = recorder->leave_out,
                                 .compression = recorder->compression,
                                 .interval = recorder->interval,
                                 .skipped = recorder->skipped,
                                 .columns = recorder->column_count};
    for (int i = 0; i <= CRN_RUN_LISTS; ++i)
    {
        const crn_run_recorded_list *list = i < CRN_RUN_LISTS ? &recorder->lists[i] : &recorder->samples;
        progress.items[i][0] = list->recorded;
        progress.items[i][1] = list->of_frames;
    }
    stream->status = crn_reserve(&progress.rows, &progress.capacity, progress.columns + 1, sizeof *progress.rows);
    for (size_t i = 0; i < progress.columns && !stream->status; ++i)
    {
        assert(recorder->columns[i].used == 0);
        progress.rows[i] = recorder->columns[i].written;
    }
    crn_stream_progress(stream, &progress);
    free(progress.rows);
    return stream->status;
}

/* All bytes of a checkpoint, for the caller to free. */
static cairn_status make_bytes(const cairn_recorder *recorder, const cairn_state *state, const void *note, size_t size,
                               crn_stream *stream)
{
    crn_checkpoint_header head = {.order = CRN_CHECKPOINT_ORDER, .version = CRN_CHECKPOINT_VERSION, .note_size = size};
    const void *bytes = cairn_state_bytes(state, &head.state_size);
    *stream = (crn_stream){.writing = true};
    CRN_TRY(crn_reserve(&stream->bytes, &stream->capacity, sizeof head, 1));
    stream->at = stream->size = sizeof head;
    CRN_TRY(stream_recorder(stream, recorder));
    CRN_TRY(crn_reserve(&stream->bytes, &stream->capacity, stream->size + size + head.state_size, 1));
    if (size > 0)
        memcpy(stream->bytes + stream->size, note, size);
    memcpy(stream->bytes + stream->size + size, bytes, head.state_size);
    stream->size += size + head.state_size;
    head.size = stream->size - sizeof head;
    memcpy(head.magic, CRN_CHECKPOINT_MAGIC, sizeof head.magic);
    memcpy(head.created, recorder->created, sizeof head.created);
    memcpy(stream->bytes, &head, sizeof head);
    head.checksum = crn_checkpoint_hash(stream->bytes, stream->size);
    memcpy(stream->bytes, &head, sizeof head);
    return CAIRN_OK;
}

static bool flush_to_disk(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return descriptor >= 0 && crn_close_file(descriptor, fsync(descriptor) == 0);
}

static bool write_to_disk(const char *path, const void *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return descriptor >= 0 &&
           crn_close_file(descriptor, crn_write_all(descriptor, bytes, size) && fsync(descriptor) == 0);
}

/* Write under another name, move the last checkpoint out of the way, take its name. */
static cairn_status put_in_place(const cairn_recorder *recorder, const void *bytes, size_t size)
{
    char *path[CRN_CHECKPOINT_FILES];
    bool good = true;
    errno = ENOMEM;
    for (int which = 0; which < CRN_CHECKPOINT_FILES; ++which)
    {
        path[which] = crn_checkpoint_path(recorder->path, which);
        good = good && path[which];
    }
    good = good && write_to_disk(path[CRN_CHECKPOINT_NEW], bytes, size) && flush_to_disk(recorder->path) &&
           (rename(path[CRN_CHECKPOINT_LAST], path[CRN_CHECKPOINT_OLD]) == 0 || errno == ENOENT) &&
           rename(path[CRN_CHECKPOINT_NEW], path[CRN_CHECKPOINT_LAST]) == 0;
    int error = errno;
    for (int which = 0; which < CRN_CHECKPOINT_FILES; ++which)
        free(path[which]);
    return good ? CAIRN_OK
                : crn_fail(recorder->context, CAIRN_IO, "the checkpoint of run file '%s' cannot be written: %s",
                           recorder->path, strerror(error));
}

cairn_status cairn_recorder_checkpoint(cairn_recorder *recorder, cairn_simulation *simulation, const void *note,
                                       size_t size)
{
    if (!recorder || !simulation || (!note && size > 0))
        return crn_fail(recorder ? recorder->context : NULL, CAIRN_INVALID,
                        "checkpoint: the recorder, the simulation or the note is NULL");
    if (simulation != recorder->simulation || cairn_simulation_report(simulation)->step != recorder->step)
        return crn_fail(recorder->context, CAIRN_INVALID,
                        "checkpoint of run file '%s': the simulation is another one, or its last step was not recorded",
                        recorder->path);
    CRN_TRY(cairn_recorder_flush(recorder));
    cairn_state *state;
    CRN_TRY(cairn_simulation_save(simulation, &state));
    crn_stream stream;
    cairn_status status = make_bytes(recorder, state, note, size, &stream);
    cairn_state_destroy(state);
    status = status ? crn_fail(recorder->context, status, "checkpoint of run file '%s': memory ran out", recorder->path)
                    : put_in_place(recorder, stream.bytes, stream.size);
    free(stream.bytes);
    if (status == CAIRN_OK)
    {
        recorder->last_checkpoint[0] = cairn_simulation_time(simulation);
        recorder->last_checkpoint[1] = crn_clock();
    }
    return status;
}

bool cairn_recorder_checkpoint_due(const cairn_recorder *recorder)
{
    if (!recorder)
        return false;
    double passed = cairn_simulation_time(recorder->simulation) - recorder->last_checkpoint[0];
    double interval = recorder->checkpoint_interval, wall = recorder->checkpoint_wall;
    return (interval > 0 && passed >= interval * (1 - 1e-9)) ||
           (wall > 0 && crn_clock() - recorder->last_checkpoint[1] >= wall);
}
