/* Changing a run file, each time in one transaction (run_store.h): appending the waiting rows and the status word, and cutting
 * the file back to a checkpoint. */
#include "run/run_driver.h"
#include "run/run_hdf5.h"
#include "run/run_recorder.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool append_column(hid_t file, const crn_run_column *column)
{
    assert(column->rank >= 0 && column->rank <= 2);
    assert(column->used % column->row_size == 0);
    assert(column->written >= 0);
    if (column->used == 0)
        return true;
    hid_t dataset = H5Dopen2(file, column->path, H5P_DEFAULT);
    if (dataset < 0)
        return false;
    hsize_t rows = column->used / column->row_size;
    hsize_t extents[3] = {(hsize_t)column->written + rows};
    for (int i = 0; i < column->rank; ++i)
        extents[i + 1] = (hsize_t)column->extent[i];
    bool good =
        H5Dset_extent(dataset, extents) >= 0 &&
        crn_run_write_rows(dataset, crn_run_memory_type(column->type), (hsize_t)column->written, rows, column->data);
    return H5Dclose(dataset) >= 0 && good;
}

static bool append_all(hid_t file, const cairn_recorder *recorder, const char *status)
{
    bool good = true;
    for (size_t i = 0; i < recorder->column_count && good; ++i)
        good = append_column(file, &recorder->columns[i]);
    return good && (!status || crn_run_replace_text(file, "/status", status));
}

static void forget_pending(cairn_recorder *recorder)
{
    for (size_t i = 0; i < recorder->column_count; ++i)
    {
        crn_run_column *column = &recorder->columns[i];
        assert(column->used % column->row_size == 0);
        column->written += (int64_t)(column->used / column->row_size);
        column->used = 0;
    }
    recorder->pending = 0;
}

static cairn_status report(cairn_recorder *recorder, const char *reason)
{
    recorder->broken = true;
    long long frames = (long long)recorder->safe;
    if (frames == 0)
        return crn_fail(recorder->context, CAIRN_IO, "run file '%s' cannot be written: %s", recorder->path, reason);
    return crn_fail(recorder->context, CAIRN_IO, "run file '%s': %s; its first %lld frames remain valid",
                    recorder->path, reason, frames);
}

/* ------------------------------------------------------------------------------------------------------ cutting */

/* False when the dataset is not that of the column, or has fewer rows than the column has written. */
static bool cut_column(hid_t file, const crn_run_column *column)
{
    hsize_t extents[3] = {0};
    hid_t dataset = H5Dopen2(file, column->path, H5P_DEFAULT);
    if (dataset < 0)
        return false;
    bool good = crn_run_extents(dataset, extents) == column->rank + 1 && extents[0] >= (hsize_t)column->written;
    for (int i = 0; i < column->rank; ++i)
        good = good && extents[i + 1] == (hsize_t)column->extent[i];
    if (good && extents[0] > (hsize_t)column->written)
    {
        extents[0] = (hsize_t)column->written;
        good = H5Dset_extent(dataset, extents) >= 0;
    }
    return H5Dclose(dataset) >= 0 && good;
}

/* Turn the cut into changes of the store. *wrong is the column that does not fit; NULL: none. */
static bool cut_in(crn_run_store *store, const cairn_recorder *recorder, const crn_run_column **wrong)
{
    crn_quiet before = crn_quiet_begin();
    hid_t driver;
    hid_t file = crn_run_driver_open(store, true, &driver);
    bool good = file >= 0;
    for (size_t i = 0; i < recorder->column_count && good; ++i)
    {
        good = cut_column(file, &recorder->columns[i]);
        *wrong = good ? NULL : &recorder->columns[i];
    }
    good = good && crn_run_replace_text(file, "/status", "running");
    good = crn_run_driver_close(file, driver) && good;
    crn_quiet_end(before);
    return good && !store->attached;
}

cairn_status crn_run_file_cut(cairn_recorder *recorder)
{
    const crn_run_column *wrong = NULL;
    crn_run_store *store = crn_run_store_open(recorder->path, true);
    bool good = store && crn_run_store_recover(store, CRN_RUN_END_AT);
    int error = errno;
    if (good)
    {
        /* HDF5 overwrites the rows of a chunk that is cut; and the chunks it gives free must stay until the commit. */
        store->journals_rows = true;
        if (!cut_in(store, recorder, &wrong) && !store->error)
            store->error = EIO;
        good = !store->attached && crn_run_store_commit(store);
        error = store->attached ? EIO : errno;
    }
    crn_run_store_close(store);
    if (wrong)
        return crn_fail(recorder->context, CAIRN_INVALID, "run file '%s' does not fit its checkpoint: dataset '%s'",
                        recorder->path, wrong->path);
    return good ? CAIRN_OK
                : crn_fail(recorder->context, CAIRN_IO, "run file '%s' cannot be continued: %s", recorder->path,
                           strerror(error));
}

/* ---------------------------------------------------------------------------------------------------- appending */

/* A transaction. */
typedef struct crn_run_writing
{
    crn_run_store *store;
    hid_t file, driver;
} crn_run_writing;

/* Begin a transaction, unless one is under way. NULL when the file cannot be opened; errno says why. */
static crn_run_writing *begin(cairn_recorder *recorder)
{
    if (recorder->writing)
        return recorder->writing;
    crn_run_writing *writing = calloc(1, sizeof *writing);
    if (!writing)
        return NULL;
    writing->store = crn_run_store_open(recorder->target, true);
    if (!writing->store)
    {
        free(writing);
        return NULL;
    }
    /* The last chunk of a compressed dataset is written anew, perhaps in its old place. */
    writing->store->journals_rows = recorder->compression > 0;
    crn_quiet before = crn_quiet_begin();
    writing->file = crn_run_driver_open(writing->store, true, &writing->driver);
    crn_quiet_end(before);
    recorder->writing = writing;
    return writing;
}

/* Turn all waiting rows into changes of the store. */
static void write_pending(cairn_recorder *recorder, const char *status)
{
    crn_run_writing *writing = recorder->writing;
    crn_quiet before = crn_quiet_begin();
    bool good = writing->file >= 0 && append_all(writing->file, recorder, status);
    crn_quiet_end(before);
    if (!good && !writing->store->error)
        writing->store->error = EIO;
    if (good)
        forget_pending(recorder);
}

/* End the transaction: the file has all of its rows, or after an error none. Returns the error; 0: none. */
static int end(cairn_recorder *recorder)
{
    crn_run_writing *writing = recorder->writing;
    crn_run_store *store = writing->store;
    crn_quiet before = crn_quiet_begin();
    bool closed = crn_run_driver_close(writing->file, writing->driver);
    crn_quiet_end(before);
    if (!closed && !store->error)
        store->error = EIO;
    bool good = !store->attached && crn_run_store_commit(store);
    int error = good ? 0 : store->attached || errno == 0 ? EIO : errno;
    crn_run_store_close(store);
    free(writing);
    recorder->writing = NULL;
    return error;
}

cairn_status crn_run_file_append(cairn_recorder *recorder, const char *status)
{
    assert(!recorder->broken);
    if (!begin(recorder))
        return report(recorder, strerror(errno));
    write_pending(recorder, status);
    int error = end(recorder);
    if (error)
        return report(recorder, strerror(error));
    recorder->safe = recorder->columns[0].written;
    return CAIRN_OK;
}

cairn_status crn_run_file_relieve(cairn_recorder *recorder)
{
    /* chunks that are compressed would be compressed again with each part */
    if (recorder->pending <= CRN_RUN_PENDING || recorder->compression > 0)
        return CAIRN_OK;
    if (!begin(recorder))
        return report(recorder, strerror(errno));
    write_pending(recorder, NULL);
    return recorder->writing->store->error ? report(recorder, strerror(end(recorder))) : CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------- a long row */

static bool extend(hid_t file, const crn_run_column *column)
{
    hsize_t extents[3] = {(hsize_t)column->written + 1};
    for (int i = 0; i < column->rank; ++i)
        extents[i + 1] = (hsize_t)column->extent[i];
    hid_t dataset = H5Dopen2(file, column->path, H5P_DEFAULT);
    return dataset >= 0 && H5Dset_extent(dataset, extents) >= 0 && H5Dclose(dataset) >= 0;
}

/* Note what the file says to changes in it. */
static cairn_status note(cairn_recorder *recorder, bool good)
{
    crn_run_store *store = recorder->writing->store;
    if (!good && !store->error)
        store->error = EIO;
    return store->error ? report(recorder, strerror(end(recorder))) : CAIRN_OK;
}

cairn_status crn_run_file_begin_rows(cairn_recorder *recorder, int first, int count)
{
    if (!begin(recorder))
        return report(recorder, strerror(errno));
    write_pending(recorder, NULL);
    CRN_TRY(note(recorder, true));
    crn_quiet before = crn_quiet_begin();
    bool good = true;
    for (int i = 0; i < count && good; ++i)
        good = extend(recorder->writing->file, &recorder->columns[first + i]);
    crn_quiet_end(before);
    return note(recorder, good);
}

/* Whether items were written; of texts as they are in the file. */
static bool put_items(hid_t file, const char *path, int first, int count, const void *data)
{
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    if (dataset < 0)
        return false;
    bool is_text = H5Tget_class(type) == H5T_STRING;
    bool good = crn_run_write_rows(dataset, is_text ? type : H5T_NATIVE_DOUBLE, (hsize_t)first, (hsize_t)count, data);
    H5Tclose(type);
    return H5Dclose(dataset) >= 0 && good;
}

cairn_status crn_run_file_put_items(cairn_recorder *recorder, const char *path, int first, int count, const void *data)
{
    if (!begin(recorder))
        return report(recorder, strerror(errno));
    crn_quiet before = crn_quiet_begin();
    bool good = recorder->writing->file >= 0 && put_items(recorder->writing->file, path, first, count, data);
    crn_quiet_end(before);
    return note(recorder, good);
}

cairn_status crn_run_file_put_part(cairn_recorder *recorder, int index, int first, int count, const void *data)
{
    const crn_run_column *column = &recorder->columns[index];
    crn_quiet before = crn_quiet_begin();
    hid_t dataset = H5Dopen2(recorder->writing->file, column->path, H5P_DEFAULT);
    bool good = dataset >= 0 && crn_run_write_part(dataset, crn_run_memory_type(column->type), (hsize_t)column->written,
                                                   (hsize_t)first, (hsize_t)count, data);
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    crn_quiet_end(before);
    return note(recorder, good);
}

void crn_run_file_end_rows(cairn_recorder *recorder, int first, int count)
{
    for (int i = 0; i < count; ++i)
        recorder->columns[first + i].written += 1;
}

void crn_run_file_abandon(cairn_recorder *recorder)
{
    if (!recorder->writing)
        return;
    recorder->writing->store->error = ECANCELED;
    (void)end(recorder);
}
