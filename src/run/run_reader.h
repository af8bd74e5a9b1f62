/* The reader's inside. Everything is checked when the file is opened; `frames` counts the frames every dataset holds. */
#ifndef CRN_RUN_RUN_READER_H
#define CRN_RUN_RUN_READER_H

#include "base/context.h"
#include "run/run_hdf5.h"
#include "run/run_store.h"

/* One scalar series: a dataset [frame], or one column of a dataset [frame, item]. */
typedef struct crn_run_reader_series
{
    char *name;
    char *path;
    const char *unit;
    int column; /* -1: the dataset has one axis */
} crn_run_reader_series;

struct cairn_run
{
    cairn_context *context;
    char *path;
    crn_run_store *store;
    hid_t file, driver;
    bool cut; /* short: only what is whole counts */
    int format_version;
    int dimension;
    int64_t frames;
    char *status, *scene_text, *scene_name;

    int body_count;
    char *body_names; /* body_stride bytes apart */
    size_t body_stride;
    hid_t body_sets[CRN_RUN_BODY_FIELDS]; /* negative: none */
    double *block[CRN_RUN_BODY_FIELDS];   /* frames block_first .. block_first + block_count - 1 */
    size_t block_capacity[CRN_RUN_BODY_FIELDS];
    int64_t block_first, block_count;

    crn_run_reader_series *series;
    size_t series_count, series_capacity;

    hid_t contact_sets[CRN_RUN_CONTACT_FIELDS];
    int contact_fields; /* that the file has, from the first */
    hid_t contact_start, contact_count;
    cairn_contact *contacts;
    size_t contacts_capacity;
    hid_t event_sets[CRN_RUN_EVENT_FIELDS];
    hid_t event_start, event_count;
    int64_t events;          /* of whole frames */
    cairn_event *event_list; /* NULL: not read yet */
    hid_t violation_sets[CRN_RUN_VIOLATION_FIELDS];
    hid_t violation_start, violation_count;
    int64_t violations; /* as of events */
    cairn_violation *violation_list;

    char *parameter_names, *parameter_values; /* strides apart */
    size_t name_stride, value_stride;
    int parameter_count;

    double *values;
    size_t values_capacity;
};

/* Open the HDF5 file, also one that is being written or whose writer died. */
cairn_status crn_run_open_file(cairn_run *run);

/* A reader that met a writer's commit looks again: at once, then after waiting. False when that has been done often
 * enough; the second, for an open file, also when its writer is done. */
bool crn_run_wait_for_writer(int attempt);
bool crn_run_try_again(const cairn_run *run, int attempt);
/* crn_run_read_rows, as often as it takes. */
bool crn_run_read(cairn_run *run, hid_t dataset, hid_t type, hsize_t start, hsize_t count, int column, void *data);

/* Open the datasets of events and leave out last frames whose events did not reach the file, in run_event_reader.c. */
cairn_status crn_run_index_events(cairn_run *run);
/* The same of violations, where the file has any; in run_violations.c. */
cairn_status crn_run_index_violations(cairn_run *run);

/* A dataset of the file; frames are lowered to its rows, and its axes beside the first are checked. */
cairn_status crn_run_count_rows(cairn_run *run, const char *path, int rank, hsize_t second, hsize_t third, hid_t *keep);
cairn_status crn_run_add_series(cairn_run *run, const char *name, const char *path, const char *unit, int column);

/* Leave out last frames whose rows start .. start + count - 1 are not all among `rows`. */
cairn_status crn_run_check_last(cairn_run *run, hid_t start_set, hid_t count_set, int64_t rows, const char *path);

/* Of a file that was cut short: the first rows of a dataset that are there, in run_cut.c. */
hsize_t crn_run_rows_there(const cairn_run *run, hid_t dataset, const hsize_t extents[3]);

/* "... is not a whole run file: dataset '...' is missing or misshapen" */
cairn_status crn_run_missing(const cairn_run *run, const char *path);

/* Fill the list of series and find the number of whole frames. */
cairn_status crn_run_read_index(cairn_run *run);

#endif
