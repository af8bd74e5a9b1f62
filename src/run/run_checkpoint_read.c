/* Reading checkpoints. Bytes are taken for a checkpoint only when every part of them is right: form, version, checksum, the run
 * they belong to, the progress of the recorder and the state. When the last checkpoint is not, it is refused, and the one
 * before it is named if that is good: which of the two to continue from is for the user to decide. */
#include "run/run_checkpoint.h"

#include "step/keep/stream.h"
#include "step/keep/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cairn_checkpoint_close(cairn_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    cairn_state_destroy(checkpoint->state);
    free(checkpoint->progress.rows);
    free(checkpoint->note);
    crn_window_close(&checkpoint->file);
    free(checkpoint->path);
    free(checkpoint);
}

const char *cairn_checkpoint_path(const cairn_checkpoint *checkpoint)
{
    return checkpoint->path;
}

const cairn_state *cairn_checkpoint_state(const cairn_checkpoint *checkpoint)
{
    return checkpoint->state;
}

const void *cairn_checkpoint_note(const cairn_checkpoint *checkpoint, size_t *size)
{
    *size = (size_t)checkpoint->head.note_size;
    return *size > 0 ? checkpoint->note : NULL;
}

static const char UNREAD[] = "it cannot be read", NO_MEMORY[] = "memory ran out";

/* What is wrong with the file as a whole; NULL: nothing. */
static const char *what_is_wrong(cairn_checkpoint *checkpoint, const char *created)
{
    crn_checkpoint_header *head = &checkpoint->head;
    size_t size = checkpoint->file.size, least = sizeof head->magic < size ? sizeof head->magic : size;
    if (!crn_window_read(&checkpoint->file, 0, head, size < sizeof *head ? size : sizeof *head))
        return UNREAD;
    if (memcmp(head->magic, CRN_CHECKPOINT_MAGIC, least) != 0)
        return "it is not a checkpoint";
    if (size < sizeof *head)
        return "it is cut off";
    if (head->order != CRN_CHECKPOINT_ORDER)
        return "it comes from a machine with another byte order";
    if (head->version != CRN_CHECKPOINT_VERSION)
        return "it was written by another version of the library";
    if (head->size > size - sizeof *head)
        return "it is cut off";
    if (head->size < size - sizeof *head)
        return "there are bytes behind its end";
    uint64_t hash = crn_checkpoint_begin_hash(head);
    if (!crn_window_hash(&checkpoint->file, sizeof *head, size - sizeof *head, &hash))
        return UNREAD;
    if (head->checksum != hash)
        return "it is damaged";
    if (memcmp(head->created, created, CRN_RUN_CREATED) != 0)
        return "it belongs to another run, which had the same path";
    return NULL;
}

/* The parts behind the header. A forged checksum may have let anything through. */
static const char *read_parts(cairn_checkpoint *checkpoint)
{
    const crn_checkpoint_header *head = &checkpoint->head;
    crn_file_window *file = &checkpoint->file;
    crn_stream stream = {.give = crn_window_read, .giver = file, .at = sizeof *head, .size = file->size};
    crn_stream_progress(&stream, &checkpoint->progress);
    size_t rest = file->size - stream.at;
    if (stream.status || head->note_size > rest || head->state_size != rest - head->note_size)
        return "its counts make no sense";
    size_t note = (size_t)head->note_size;
    checkpoint->note = malloc(note + 1);
    if (!checkpoint->note)
        return NO_MEMORY;
    if (!crn_window_read(file, stream.at, checkpoint->note, note))
        return UNREAD;
    const char *wrong;
    checkpoint->state = crn_state_in_file(file, stream.at + note, (size_t)head->state_size, &wrong);
    return checkpoint->state ? NULL : "its state was written by another version of the library, or memory ran out";
}

/* Read one file. *wrong says why it is not a good checkpoint, *missing that there is none. */
static cairn_checkpoint *read_one(const char *path, const char *created, const char **wrong, bool *missing)
{
    *wrong = NO_MEMORY;
    *missing = false;
    cairn_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint)
        return NULL;
    checkpoint->file.descriptor = -1;
    checkpoint->path = crn_copy_text(path);
    if (checkpoint->path && access(path, F_OK))
    {
        *missing = true;
    }
    else if (checkpoint->path)
    {
        *wrong = crn_window_open(&checkpoint->file, path) ? what_is_wrong(checkpoint, created) : UNREAD;
        if (!*wrong)
            *wrong = read_parts(checkpoint);
        if (!*wrong)
            return checkpoint;
    }
    cairn_checkpoint_close(checkpoint);
    return NULL;
}

/* The last checkpoint is wrong: say so, and name the one before it, if that is good. */
static cairn_status refuse(cairn_context *context, const char *last, const char *wrong, const char *old,
                           const char *created)
{
    const char *ignored;
    bool missing;
    cairn_checkpoint *before = read_one(old, created, &ignored, &missing);
    if (!before)
        return crn_fail(context, CAIRN_INVALID, "checkpoint '%s' is of no use: %s; there is no good one before it",
                        last, wrong);
    double time = cairn_state_time(before->state);
    cairn_checkpoint_close(before);
    return crn_fail(context, CAIRN_INVALID,
                    "checkpoint '%s' is of no use: %s; the last good one is '%s', at t = %.9g s: remove the former to "
                    "continue from there",
                    last, wrong, old, time);
}

static cairn_status open_paths(cairn_context *context, const char *run, const char *created, const char *last,
                               const char *old, cairn_checkpoint **out)
{
    const char *wrong;
    bool missing;
    *out = read_one(last, created, &wrong, &missing);
    if (*out)
        return CAIRN_OK;
    if (!missing)
        return refuse(context, last, wrong, old, created);
    *out = read_one(old, created, &wrong, &missing);
    if (*out)
        return CAIRN_OK;
    return missing
               ? crn_fail(context, CAIRN_IO, "run file '%s' has no checkpoint", run)
               : crn_fail(context, CAIRN_INVALID, "checkpoint '%s' is of no use: %s; there is no other", old, wrong);
}

cairn_status cairn_checkpoint_open(cairn_context *context, const char *path, cairn_checkpoint **out)
{
    if (out)
        *out = NULL;
    if (!path || !out)
        return crn_fail(context, CAIRN_INVALID, "checkpoint: the path or the place for the checkpoint is NULL");
    char created[CRN_RUN_CREATED] = "";
    cairn_run *run;
    CRN_TRY(cairn_run_open(context, path, &run));
    (void)cairn_run_setting(run, "created", created, sizeof created);
    cairn_run_close(run);
    char *last = crn_checkpoint_path(path, CRN_CHECKPOINT_LAST), *old = crn_checkpoint_path(path, CRN_CHECKPOINT_OLD);
    cairn_status status = last && old ? open_paths(context, path, created, last, old, out)
                                      : crn_fail(context, CAIRN_NO_MEMORY, "checkpoint of '%s': memory ran out", path);
    free(last);
    free(old);
    return status;
}
