/* Inside the recorder: columns whose rows wait in memory, and the file they are appended to.
 *
 * Between flushes the file is closed and consistent. A flush appends all waiting rows in one transaction: whenever the
 * process is killed, the file holds all of them or none. Bodies and contacts of large frames are written while the frame is made, in the
 * transaction that ends with it, so that a frame need not fit into memory.
 */
#ifndef CRN_RUN_RUN_RECORDER_H
#define CRN_RUN_RUN_RECORDER_H

#include "base/context.h"
#include "base/memory.h"
#include "cairn/quantity.h"
#include "run/run_layout.h"

#include <hdf5.h>

enum
{
    CRN_RUN_PENDING = 4 << 20, /* bytes that wait, at most, besides the rows of bodies of one frame */
    CRN_RUN_TOGETHER = 1 << 13 /* bodies whose rows are made at a time, where nothing is compressed */
};

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
    size_t used;         /* bytes */
    int64_t written;     /* rows in the file */
    bool bulk;           /* large: stored in single precision and compressed, if that is asked for */
} crn_run_column;

typedef struct crn_run_recorded_list
{
    int first_column;  /* start, count, then the fields */
    int64_t recorded;  /* items */
    int64_t of_frames; /* of these, those that belong to a recorded frame */
} crn_run_recorded_list;

/* Names of the joints and coordinates, see run_joints.c. */
typedef struct crn_run_joints
{
    int count, coordinate_count;
    int first_column;
    int fields; /* of coordinates: so many are recorded */
    char **names, **coordinates;
    const char **units; /* of coordinates */
} crn_run_joints;

struct cairn_recorder
{
    cairn_context *context;
    const cairn_simulation *simulation;
    uint64_t revision; /* of the model that the columns are for */
    char *path;
    int every;
    double flush_interval;
    double interval;  /* s between frames; 0: `every` counts */
    double last_call; /* s of simulated time */
    unsigned leave_out;
    bool single, bulk; /* bulk: columns that are added now are */
    int compression;

    crn_arena memory; /* of the path, the columns and their data */
    crn_run_column
        *columns; /* [0] is /time; series, bodies, named things, systems, contacts/start, contact fields, lists */
    size_t column_count;
    int first_body, first_named, first_impulse, first_system, first_contact; /* columns; -1: none */
    int contact_fields;
    crn_run_joints joints;
    cairn_watch *watch;            /* NULL: none */
    crn_run_recorded_list samples; /* of the watch */

    struct crn_run_writing *writing; /* a transaction under way, within a large frame; NULL: none */
    const char *target;              /* the file that it appends to: that at `path`, or a new one beside it */

    int64_t frames;   /* recorded, waiting ones included */
    int64_t safe;     /* frames in the file */
    int64_t contacts; /* recorded */
    crn_run_recorded_list lists[CRN_RUN_LISTS];
    int64_t calls;  /* of cairn_recorder_write */
    size_t pending; /* bytes that wait */
    bool skipped;   /* the last step was not recorded, because of `every` */
    bool broken;    /* a write failed: nothing more is written */
    double last_flush;

    int lock;                      /* descriptor of the file while it is recorded; -1: none */
    char created[CRN_RUN_CREATED]; /* tells this run from others at the same path */
    double checkpoint_interval, checkpoint_wall;
    double last_checkpoint[2]; /* s of simulated time and of the clock */
    int64_t step;              /* of the simulation, at the last call */
};

/* A recorder whose columns are laid out, without a file. */
cairn_status crn_run_recorder_new(cairn_context *context, const char *path, const cairn_simulation *simulation,
                                  const cairn_recorder_options *options, cairn_recorder **out);
void crn_run_recorder_free(cairn_recorder *recorder);

/* Lay out the columns for the simulation's model. */
cairn_status crn_run_columns_create(cairn_recorder *recorder);
/* Copy the simulation's state into the columns as one more frame. */
cairn_status crn_run_columns_append(cairn_recorder *recorder);

/* Add a column; `items` and `width` are the axes of a row, 0: none. */
cairn_status crn_run_add_column(cairn_recorder *recorder, const char *path, const char *unit, const char *description,
                                crn_run_type type, int items, int width);
cairn_status crn_run_add_field(cairn_recorder *recorder, const crn_run_field *field, int items);
/* Add a row to a column and return it; NULL when memory ran out. */
void *crn_run_new_row(cairn_recorder *recorder, int column);
/* Append one row to each column of the fields of an item. False when memory ran out. */
bool crn_run_append_item(cairn_recorder *recorder, int first_column, const crn_run_field *fields, int count,
                         const void *item);
/* CAIRN_NO_MEMORY with its message. */
cairn_status crn_run_recorder_full(const cairn_recorder *recorder);

/* Events and violations, in run_lists.c: add their columns; append the items of the last step; append the range of items that
 * belongs to the next frame. */
cairn_status crn_run_add_list(cairn_recorder *recorder, int list);
cairn_status crn_run_append_list(cairn_recorder *recorder, int list);
bool crn_run_append_range(cairn_recorder *recorder, crn_run_recorded_list *list);

/* Joints, in run_joints.c, and sensors, in run_sensors.c: add their columns, append a frame or a sample. */
cairn_status crn_run_add_joints(cairn_recorder *recorder, const cairn_model *model);
bool crn_run_append_joints(cairn_recorder *recorder, const cairn_model *model);
cairn_status crn_run_add_sensors(cairn_recorder *recorder);
cairn_status crn_run_append_sample(cairn_recorder *recorder);

/* Write everything that does not change, and all datasets empty, to a new file. */
cairn_status crn_run_file_create(cairn_recorder *recorder, const cairn_recorder_options *options, int descriptor);
/* Keep other recorders from the file until this one is freed. CAIRN_IO when another one has it. Readers are not affected. */
cairn_status crn_run_file_lock(cairn_recorder *recorder);
/* Cut every dataset to the rows that its column counts as written, and set the status to "running". CAIRN_INVALID when one has
 * fewer, or other axes. */
cairn_status crn_run_file_cut(cairn_recorder *recorder);
/* Append all waiting rows to the file, and set its status word when `status` is not NULL. */
cairn_status crn_run_file_append(cairn_recorder *recorder, const char *status);
/* Write the waiting rows of a frame that is not complete, if they are many: the transaction ends with the next crn_run_file_append. */
cairn_status crn_run_file_relieve(cairn_recorder *recorder);
/* What is said of bodies once, in run_bodies.c: all of it, or datasets for it if they are many; and then the rest, in the transaction of the first frame. */
bool crn_run_create_bodies(hid_t file, const cairn_recorder *recorder);
cairn_status crn_run_put_bodies(cairn_recorder *recorder);
/* Items of a dataset that does not grow, from item `first` on, in the transaction of the next frame. */
cairn_status crn_run_file_put_items(cairn_recorder *recorder, const char *path, int first, int count, const void *data);
/* One more row in each of some columns, written a part of its items at a time, in the same transaction. Waiting rows are written before it. */
cairn_status crn_run_file_begin_rows(cairn_recorder *recorder, int first, int count);
cairn_status crn_run_file_put_part(cairn_recorder *recorder, int column, int first, int count, const void *data);
void crn_run_file_end_rows(cairn_recorder *recorder, int first, int count);
/* Give up what crn_run_file_relieve has written, if anything. */
void crn_run_file_abandon(cairn_recorder *recorder);

#endif
