/* Inside checkpoints: the file beside a run file, and how far its recorder had come.
 *
 *     "cairnchk"   byte order   version   size   checksum   created   sizes of note and state      header, 96 bytes
 *     progress of the recorder, note of the caller, state
 *
 * The checksum covers everything behind the header, and the header but for the checksum itself. `created` is that of the run file:
 * a checkpoint of an earlier run at the same path is not taken for one of this run.
 */
#ifndef CRN_RUN_RUN_CHECKPOINT_H
#define CRN_RUN_RUN_CHECKPOINT_H

#include "base/file_window.h"
#include "cairn/checkpoint.h"
#include "run/run_recorder.h"

typedef struct crn_checkpoint_header
{
    char magic[8];
    uint64_t order, version;
    uint64_t size, checksum; /* size: of all that follows the header */
    char created[CRN_RUN_CREATED];
    uint64_t note_size, state_size;
} crn_checkpoint_header;

/* What a recorder has written. */
typedef struct crn_run_progress
{
    int64_t calls, frames, contacts, every, leave_out, compression;
    double interval;
    bool skipped;
    int64_t items[CRN_RUN_LISTS + 1][2]; /* of each list and of the samples: recorded, and of frames */
    int64_t *rows;                       /* of each column */
    size_t columns, capacity;
} crn_run_progress;

struct cairn_checkpoint
{
    char *path;
    crn_file_window file; /* which the state is in */
    crn_checkpoint_header head;
    crn_run_progress progress;
    cairn_state *state;
    unsigned char *note;
};

extern const char CRN_CHECKPOINT_MAGIC[8];
enum
{
    CRN_CHECKPOINT_VERSION = 1
};
#define CRN_CHECKPOINT_ORDER UINT64_C(0x0102030405060708)

/* The part of a checkpoint's hash that covers its header; all that follows it comes next. */
uint64_t crn_checkpoint_begin_hash(const crn_checkpoint_header *head);

/* Files beside a run file: its last checkpoint, the one before it, and one that is being written or was not finished. */
enum
{
    CRN_CHECKPOINT_LAST,
    CRN_CHECKPOINT_OLD,
    CRN_CHECKPOINT_NEW,
    CRN_CHECKPOINT_FILES
};
/* The path of one of them, for the caller to free; NULL when memory ran out. */
char *crn_checkpoint_path(const char *run, int which);

struct crn_stream;
void crn_stream_progress(struct crn_stream *stream, crn_run_progress *progress);

/* Remove the checkpoints of a file that was replaced. */
void crn_run_checkpoints_remove(const cairn_recorder *recorder);

#endif
