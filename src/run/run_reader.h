/* Inside the reader. Everything is checked when the file is opened; `frames` counts the frames that every dataset holds. */
#ifndef CRN_RUN_RUN_READER_H
#define CRN_RUN_RUN_READER_H

#include "base/context.h"
#include "base/memory.h"
#include "run/run_hdf5.h"
#include "run/run_store.h"

/* One scalar series: a dataset [frame], or one column of a dataset [frame, item]. */
typedef struct crn_run_reader_series
{
    char *name;
    char *path;
    const char *unit;
    int column; /* -1: the dataset has one axis */
    int part;   /* of a vector, in a dataset with three axes; 3: its magnitude; -1: the dataset has fewer axes */
    bool is_sensor;
} crn_run_reader_series;

/* The events or violations of the file. */
typedef struct crn_run_reader_list
{
    hid_t sets[CRN_RUN_LIST_FIELDS];
    hid_t start, count;
    int64_t item_count; /* of whole frames */
    bool is_read;
    char *bytes; /* of the items */
} crn_run_reader_list;

/* See run_sensors.c. */
typedef struct crn_run_reader_sensors
{
    crn_run_texts names, units;
    hid_t start, count, time, value;
    int64_t sample_count; /* of whole frames */
} crn_run_reader_sensors;

/* Datasets stay open until the file is closed, which closes them too; 0: the file lacks the dataset. */
struct cairn_run
{
    cairn_context *context;
    crn_arena memory; /* of all texts and arrays */
    char *path;
    crn_run_store *store;
    hid_t file, driver;
    bool cut; /* the file was cut short: only whole frames count */
    int format_version;
    unsigned left_out; /* groups that were not recorded, bits of cairn_record */
    int dimension;
    int64_t frames;
    char *status, *scene_text, *scene_name;

    crn_run_texts body_names;
    hid_t body_sets[CRN_RUN_BODY_FIELDS];
    int body_fields;                    /* the file has the first so many */
    double *body_mass, *body_radius;    /* NULL: not in the file */
    double *block[CRN_RUN_BODY_FIELDS]; /* frames block_first .. block_first + block_count - 1 */
    int64_t block_first, block_count;

    crn_run_reader_series *series;
    size_t series_count;

    hid_t contact_sets[CRN_RUN_CONTACT_FIELDS];
    int contact_fields; /* the file has the first so many */
    hid_t contact_start, contact_count;
    cairn_contact *contacts;
    crn_run_reader_list lists[CRN_RUN_LISTS];
    crn_run_reader_sensors sensors;

    crn_run_texts parameter_names, parameter_values;

    double *values; /* rows as stored, while they are converted */
};

/* Messages: CAIRN_NO_MEMORY, and CAIRN_IO for a dataset that cannot be read. */
cairn_status crn_run_reader_full(const cairn_run *run);
cairn_status crn_run_unreadable(const cairn_run *run, const char *what);

/* Open the HDF5 file, which may be growing, or may have lost its writer. */
cairn_status crn_run_open_file(cairn_run *run);

/* A reader that met a writer's commit tries again: at once, then after waiting. False after enough attempts; the second, for an
 * open file, also when its writer is done. */
bool crn_run_wait_for_writer(int attempt);
bool crn_run_try_again(const cairn_run *run, int attempt);
/* crn_run_read_rows, repeated while a writer is in the way. */
bool crn_run_read(cairn_run *run, hid_t dataset, hid_t type, hsize_t start, hsize_t count, int column, void *data);

/* Read a field of `count` items from row `start` on into the items, `item_size` bytes apart. run->values must have room for the
 * stored form. False when it cannot be read or holds a value that no item can have. */
bool crn_run_read_items(cairn_run *run, const crn_run_field *field, hid_t dataset, int kinds, int64_t start,
                        size_t count, size_t item_size, void *items);

/* Open the datasets of a list, and leave out last frames whose items did not reach the file; in run_list_reader.c. */
cairn_status crn_run_index_list(cairn_run *run, int list);

/* Open the dataset at a path, which must have these axes beside the first, and lower run->frames to its number of rows. The
 * dataset stays open in *keep, unless that is NULL. */
cairn_status crn_run_count_rows(cairn_run *run, const char *path, int rank, hsize_t second, hsize_t third, hid_t *keep);
cairn_status crn_run_add_series(cairn_run *run, const char *name, const char *path, const char *unit, int column);

/* Leave out last frames whose rows start .. start + count - 1 are not all among `rows`. */
cairn_status crn_run_check_last(cairn_run *run, hid_t start_set, hid_t count_set, int64_t rows, const char *path);

/* Number of first rows of a dataset that a file which was cut short still has; in run_cut.c. */
hsize_t crn_run_rows_there(const cairn_run *run, hid_t dataset, const hsize_t extents[3]);

/* "... is not a whole run file: dataset '...' is missing or misshapen" */
cairn_status crn_run_missing(const cairn_run *run, const char *path);

/* List the series of joints and sensors; in run_joints.c and run_sensors.c. */
cairn_status crn_run_index_joints(cairn_run *run);
cairn_status crn_run_index_sensors(cairn_run *run);
/* The values of a column of sensors at the frames. */
bool crn_run_read_sensor_at_frames(cairn_run *run, int column, double *values);

/* Fill the list of series and find the number of whole frames. */
cairn_status crn_run_read_index(cairn_run *run);

#endif
