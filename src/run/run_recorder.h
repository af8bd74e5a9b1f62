/* The recorder's inside: columns that wait in memory, and the file they go to.
 *
 * Between flushes the file is closed and clean. A flush appends all that waits in one transaction: whatever moment the
 * process is killed at, the file holds all of it or nothing.
 */
#ifndef CRN_RUN_RUN_RECORDER_H
#define CRN_RUN_RUN_RECORDER_H

#include "base/context.h"
#include "run/run_layout.h"

typedef struct crn_run_column
{
    char path[64];
    const char *unit;
    const char *description;
    crn_run_type type;
    int rank; /* axes of a row: 0 (a plain number) to 2 */
    int extent[2];
    size_t row_size;     /* bytes */
    unsigned char *data; /* rows that wait for the next flush */
    size_t used, capacity;
    int64_t written; /* rows in the file */
} crn_run_column;

struct cairn_recorder
{
    cairn_context *context;
    const cairn_simulation *simulation;
    uint64_t revision; /* of the model that the columns are for */
    char *path;
    int every;
    double flush_interval;

    crn_run_column *columns; /* [0] is /time; series, bodies, named things, systems, contacts/start,
                                contact fields, events/start, events/count, event fields, and the same of violations */
    size_t column_count, column_capacity;
    int first_body, first_named, first_impulse, first_system, first_contact, first_event; /* columns; -1: none */
    int first_violation;
    int contact_fields;

    int64_t frames;           /* recorded, waiting ones included */
    int64_t contacts;         /* recorded */
    int64_t events;           /* recorded */
    int64_t events_of_frames; /* of them, those that belong to a recorded frame */
    int64_t violations;       /* as of events */
    int64_t violations_of_frames;
    int64_t calls;  /* of cairn_recorder_write */
    size_t pending; /* bytes that wait */
    bool skipped;   /* the last step was not recorded, by `every` */
    bool broken;    /* a write failed: nothing more is written */
    double last_flush;
};

/* Lay out the columns for the simulation's model. */
cairn_status crn_run_columns_create(cairn_recorder *recorder);
void crn_run_columns_destroy(cairn_recorder *recorder);
/* Copy the simulation's state into the columns as one more frame. */
cairn_status crn_run_columns_append(cairn_recorder *recorder);

/* One more column; `items` and `width` are the axes of a row, 0: none. */
cairn_status crn_run_add_column(cairn_recorder *recorder, const char *path, const char *unit, const char *description,
                                crn_run_type type, int items, int width);
/* Room for one more row; NULL when memory ran out. */
void *crn_run_new_row(cairn_recorder *recorder, int column);

/* Events, in run_events.c: their columns; the events of the last step; where those of a frame are. */
cairn_status crn_run_add_events(cairn_recorder *recorder);
cairn_status crn_run_append_events(cairn_recorder *recorder);
bool crn_run_append_event_range(cairn_recorder *recorder);
/* The same of violations, in run_violations.c. */
cairn_status crn_run_add_violations(cairn_recorder *recorder);
cairn_status crn_run_append_violations(cairn_recorder *recorder);
bool crn_run_append_violation_range(cairn_recorder *recorder);

/* Make the file with everything that does not change and all datasets empty: at `part`, to be renamed. */
cairn_status crn_run_file_create(cairn_recorder *recorder, const cairn_recorder_options *options, const char *part);
/* Append all that waits to the file at `path`. A status word, when not NULL, goes with it. */
cairn_status crn_run_file_append(cairn_recorder *recorder, const char *path, const char *status);

#endif
