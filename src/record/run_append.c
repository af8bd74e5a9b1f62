/* Appending to a run file, so that it is whole at every moment.
 *
 * Order: room on the disk first (HDF5 cannot give up a file whose writes fail, so it is not let near a full disk);
 * then all rows but those of /time, flushed; then /time, which makes the frames count; then the status word.
 */
#include "record/run_hdf5.h"
#include "record/run_recorder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Metadata a column may need at most: index blocks of its chunks, header. */
static const size_t COLUMN_OVERHEAD = 4096;

static size_t bytes_needed(const cairn_recorder *recorder)
{
    size_t bytes = 0;
    for (size_t i = 0; i < recorder->column_count; ++i)
    {
        const crn_run_column *column = &recorder->columns[i];
        size_t chunk = crn_run_chunk_rows(column) * column->row_size;
        size_t chunks = column->used / chunk + 1;
        bytes += column->used ? COLUMN_OVERHEAD + chunks * (chunk + 64) : 0;
    }
    return bytes;
}

/* Whether `bytes` more fit at the end of the file. Sets errno when they do not. */
static bool reserve_space(const char *path, size_t bytes)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0)
    {
        return false;
    }
    struct rlimit limit;
    int error = fstat(descriptor, &info) ? errno : 0;
    if (!error && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
        (rlim_t)info.st_size + bytes > limit.rlim_cur)
    {
        error = EFBIG;
    }
    /* Blocks beyond the end; a file system that cannot promise them is taken at its word later. */
    if (!error && fallocate(descriptor, FALLOC_FL_KEEP_SIZE, info.st_size, (off_t)bytes) &&
        (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
    {
        error = errno;
    }
    close(descriptor);
    errno = error;
    return error == 0;
}

/* Give back blocks that were promised and not used. */
static void release_space(const char *path)
{
    struct stat info;
    if (!stat(path, &info))
    {
        int ignored = truncate(path, info.st_size);
        (void)ignored;
    }
}

static bool append_column(hid_t file, const crn_run_column *column)
{
    if (column->used == 0)
    {
        return true;
    }
    hid_t dataset = H5Dopen2(file, column->path, H5P_DEFAULT);
    if (dataset < 0)
    {
        return false;
    }
    hsize_t rows = column->used / column->row_size;
    hsize_t extents[3] = {(hsize_t)column->written + rows};
    for (int i = 0; i < column->rank; ++i)
    {
        extents[i + 1] = (hsize_t)column->extent[i];
    }
    bool good =
        H5Dset_extent(dataset, extents) >= 0 &&
        crn_run_write_rows(dataset, crn_run_memory_type(column->type), (hsize_t)column->written, rows, column->data);
    return H5Dclose(dataset) >= 0 && good;
}

static bool append_all(hid_t file, const cairn_recorder *recorder, const char *status)
{
    /* Backwards: contacts first, /time (column 0) after all others have reached the file. */
    for (size_t i = recorder->column_count; i-- > 1;)
    {
        if (!append_column(file, &recorder->columns[i]))
        {
            return false;
        }
    }
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0 || !append_column(file, &recorder->columns[0]))
    {
        return false;
    }
    return !status || (H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && crn_run_replace_text(file, "/status", status));
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

static bool append_to(const cairn_recorder *recorder, const char *path, const char *status)
{
    crn_quiet before = crn_quiet_begin();
    hid_t access = crn_run_access();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    bool good = file >= 0 && append_all(file, recorder, status);
    if (file >= 0)
    {
        good = H5Fclose(file) >= 0 && good;
    }
    H5Pclose(access);
    crn_quiet_end(before);
    return good;
}

/* What is left after a failed write: frames that can still be read, or no file at all. */
static cairn_status report_damage(cairn_recorder *recorder, const char *path, const char *reason)
{
    recorder->broken = true;
    if (recorder->frames <= 1)
    {
        return crn_fail(recorder->context, CAIRN_IO, "run file '%s' cannot be written: %s", recorder->path, reason);
    }
    cairn_run *run;
    if (cairn_run_open(NULL, path, &run))
    {
        unlink(path);
        return crn_fail(recorder->context, CAIRN_IO, "run file '%s': %s; the file could not be kept and was removed",
                        recorder->path, reason);
    }
    long long frames = (long long)cairn_run_frame_count(run);
    cairn_run_close(run);
    return crn_fail(recorder->context, CAIRN_IO, "run file '%s': %s; its first %lld frames remain valid",
                    recorder->path, reason, frames);
}

cairn_status crn_run_file_append(cairn_recorder *recorder, const char *path, const char *status)
{
    if (!reserve_space(path, bytes_needed(recorder)))
    {
        return report_damage(recorder, path, strerror(errno));
    }
    if (!append_to(recorder, path, status))
    {
        return report_damage(recorder, path, "a write failed");
    }
    forget_pending(recorder);
    if (status)
    {
        release_space(path);
    }
    return CAIRN_OK;
}
