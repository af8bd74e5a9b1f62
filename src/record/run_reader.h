/* The reader's inside. Everything is checked when the file is opened; `frames` counts the frames every dataset holds. */
#ifndef CRN_RECORD_RUN_READER_H
#define CRN_RECORD_RUN_READER_H

#include "base/context.h"
#include "record/run_hdf5.h"

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
    hid_t file;
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
    hid_t contact_start, contact_count;
    cairn_contact *contacts;
    size_t contacts_capacity;
    double *values;
    size_t values_capacity;
};

/* Open the HDF5 file, also one that is being written or whose writer died; negative with a message when it cannot. */
hid_t crn_run_open_file(cairn_context *context, const char *path);

/* Fill the list of series and find the number of whole frames. */
cairn_status crn_run_read_index(cairn_run *run);

#endif
