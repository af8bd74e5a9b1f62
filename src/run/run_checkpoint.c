/* Writing checkpoints. The order makes them safe: the run file gets all rows; the checkpoint that counts them is written under another name and goes to the disk, and
 * the run file after it; only then the last checkpoint becomes the one before it, and the new one takes its name. Killed between the two, the run has only the old one, which is
 * whole and whose rows are in the file. */
#include "run/run_checkpoint.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "step/keep/stream.h"
#include "step/keep/walk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char CRN_CHECKPOINT_MAGIC[8] = {'c', 'a', 'i', 'r', 'n', 'c', 'h', 'k'};

uint64_t crn_checkpoint_begin_hash(const crn_checkpoint_header *head)
{
    size_t at = offsetof(crn_checkpoint_header, checksum), behind = at + sizeof head->checksum;
    return crn_hash_more(crn_hash(head, at), (const unsigned char *)head + behind, sizeof *head - behind);
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

/* A checkpoint on its way to the disk. It may be larger than what memory is left, so its parts are written as they are made. */
typedef struct crn_checkpoint_file
{
    int descriptor;
    int error; /* 0: all was written */
} crn_checkpoint_file;

static bool put(void *data, const void *bytes, size_t size)
{
    crn_checkpoint_file *file = data;
    if (!file->error && !crn_write_all(file->descriptor, bytes, size))
        file->error = errno ? errno : EIO;
    return !file->error;
}

/* Over what was written at a place. */
static void put_at(crn_checkpoint_file *file, uint64_t place, const void *bytes, size_t size)
{
    if (!file->error && pwrite(file->descriptor, bytes, size, (off_t)place) != (ssize_t)size)
        file->error = errno ? errno : EIO;
}

/* The checksum of the file, whose header is not written yet. */
static uint64_t hash_file(crn_checkpoint_file *file, const crn_checkpoint_header *head)
{
    unsigned char block[16384];
    uint64_t hash = crn_checkpoint_begin_hash(head);
    for (uint64_t done = 0; done < head->size && !file->error;)
    {
        ssize_t got = pread(file->descriptor, block, sizeof block, (off_t)(sizeof *head + done));
        if (got <= 0)
            file->error = got < 0 ? errno : EIO;
        else
            hash = crn_hash_more(hash, block, (size_t)got);
        done += got > 0 ? (uint64_t)got : 0;
    }
    return hash;
}

/* Failures other than those of the file have left a message. */
static cairn_status write_parts(const cairn_recorder *recorder, cairn_simulation *simulation, const void *note,
                                size_t size, crn_checkpoint_file *file)
{
    crn_checkpoint_header head = {.order = CRN_CHECKPOINT_ORDER, .version = CRN_CHECKPOINT_VERSION, .note_size = size};
    unsigned char state_head[CRN_STATE_HEADER] = {0};
    crn_stream progress = {.writing = true};
    memcpy(head.magic, CRN_CHECKPOINT_MAGIC, sizeof head.magic);
    memcpy(head.created, recorder->created, sizeof head.created);
    if (stream_recorder(&progress, recorder))
    {
        free(progress.bytes);
        return crn_fail(recorder->context, CAIRN_NO_MEMORY, "checkpoint of run file '%s': memory ran out",
                        recorder->path);
    }
    (void)(put(file, &(crn_checkpoint_header){0}, sizeof head) && put(file, progress.bytes, progress.size) &&
           put(file, note, size) && put(file, state_head, sizeof state_head));
    uint64_t before = progress.size + size;
    free(progress.bytes);
    if (file->error)
        return CAIRN_IO;
    CRN_TRY(crn_simulation_write(simulation, put, file, state_head, &head.state_size));
    head.size = before + head.state_size;
    put_at(file, sizeof head + before, state_head, sizeof state_head);
    head.checksum = hash_file(file, &head);
    put_at(file, 0, &head, sizeof head);
    return file->error ? CAIRN_IO : CAIRN_OK;
}

static bool flush_to_disk(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return descriptor >= 0 && crn_close_file(descriptor, fsync(descriptor) == 0);
}

static cairn_status refuse_write(const cairn_recorder *recorder, int error)
{
    return crn_fail(recorder->context, CAIRN_IO, "the checkpoint of run file '%s' cannot be written: %s",
                    recorder->path, strerror(error));
}

static cairn_status write_to_disk(const cairn_recorder *recorder, cairn_simulation *simulation, const void *note,
                                  size_t size, const char *path)
{
    crn_checkpoint_file file = {.descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.descriptor < 0)
        return refuse_write(recorder, errno);
    cairn_status status = write_parts(recorder, simulation, note, size, &file);
    bool is_closed = crn_close_file(file.descriptor, status || fsync(file.descriptor) == 0);
    if (!is_closed && !status && !file.error)
        file.error = errno ? errno : EIO;
    if (file.error || status)
        unlink(path);
    return file.error ? refuse_write(recorder, file.error) : status;
}

/* Write under another name, move the last checkpoint out of the way, take its name. */
static cairn_status put_in_place(const cairn_recorder *recorder, cairn_simulation *simulation, const void *note,
                                 size_t size, char *const path[CRN_CHECKPOINT_FILES])
{
    CRN_TRY(write_to_disk(recorder, simulation, note, size, path[CRN_CHECKPOINT_NEW]));
    bool good = flush_to_disk(recorder->path) &&
                (rename(path[CRN_CHECKPOINT_LAST], path[CRN_CHECKPOINT_OLD]) == 0 || errno == ENOENT) &&
                rename(path[CRN_CHECKPOINT_NEW], path[CRN_CHECKPOINT_LAST]) == 0;
    return good ? CAIRN_OK : refuse_write(recorder, errno);
}

static cairn_status write_files(const cairn_recorder *recorder, cairn_simulation *simulation, const void *note,
                                size_t size)
{
    char *path[CRN_CHECKPOINT_FILES];
    bool good = true;
    for (int which = 0; which < CRN_CHECKPOINT_FILES; ++which)
    {
        path[which] = crn_checkpoint_path(recorder->path, which);
        good = good && path[which];
    }
    cairn_status status = good ? put_in_place(recorder, simulation, note, size, path)
                               : crn_fail(recorder->context, CAIRN_NO_MEMORY,
                                          "checkpoint of run file '%s': memory ran out", recorder->path);
    for (int which = 0; which < CRN_CHECKPOINT_FILES; ++which)
        free(path[which]);
    return status;
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
    cairn_status status = write_files(recorder, simulation, note, size);
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
