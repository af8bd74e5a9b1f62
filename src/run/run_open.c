/* Opening a run file in any state: finished, being written, or left by a writer that was killed.
 *
 * Each read from the store sees a consistent file. But when a writer commits in between, two datasets may be of different
 * states, and in rare cases a read fails; the reader then reads again. HDF5 reads a file that was cut short as if it ended with
 * zeros. Therefore the end of the file according to its superblock is compared with its length first.
 */
#include "run/run_driver.h"
#include "run/run_reader.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

enum
{
    SUPERBLOCK_SIZE = 48, /* version 2 and 3, 8-byte addresses */
    SUPERBLOCK_SIZES = 9, /* offset of the size of addresses */
    ATTEMPTS = 10,
};

/* CAIRN_OK when it is an HDF5 file of the length it claims; with run->cut it may be shorter. */
static cairn_status check_superblock(cairn_run *run)
{
    cairn_context *context = run->context;
    const char *path = run->path;
    crn_run_store *store = run->store;
    static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[SUPERBLOCK_SIZE] = {0};
    bool read = crn_run_store_read(store, 0, sizeof head, head);
    if (!read || store->base < sizeof SIGNATURE || memcmp(head, SIGNATURE, sizeof SIGNATURE) != 0)
        return crn_fail(context, CAIRN_INVALID, "'%s' is not a run file: it is not an HDF5 file", path);
    bool known = head[8] >= 2 && head[8] <= 3 && head[SUPERBLOCK_SIZES] == 8;
    uint64_t end = crn_run_get_number(head + CRN_RUN_END_AT);
    bool cut = known && end > store->base;
    if (run->cut && cut && store->base >= SUPERBLOCK_SIZE)
    {
        store->end = end; /* HDF5 would not open it otherwise */
        return CAIRN_OK;
    }
    if (store->base < SUPERBLOCK_SIZE || cut)
        return crn_fail(context, CAIRN_INVALID, "run file '%s' is damaged: it has been cut short", path);
    return CAIRN_OK;
}

cairn_status crn_run_open_file(cairn_run *run)
{
    run->store = crn_run_store_open(run->path, false);
    if (!run->store)
    {
        return errno == EINVAL
                   ? crn_fail(run->context, CAIRN_INVALID, "'%s' is not a run file: it is not a regular file",
                              run->path)
                   : crn_fail(run->context, CAIRN_IO, "run file '%s' cannot be opened: %s", run->path, strerror(errno));
    }
    cairn_status status = check_superblock(run);
    if (status)
        return status;
    run->file = crn_run_driver_open(run->store, false, &run->driver);
    return run->file >= 0
               ? CAIRN_OK
               : crn_fail(run->context, CAIRN_INVALID, "run file '%s' is damaged: HDF5 cannot open it", run->path);
}

bool crn_run_wait_for_writer(int attempt)
{
    assert(attempt >= 0);
    if (attempt > 0)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    return attempt < ATTEMPTS;
}

bool crn_run_try_again(const cairn_run *run, int attempt)
{
    return !strcmp(run->status, "running") && crn_run_wait_for_writer(attempt);
}

bool crn_run_read(cairn_run *run, hid_t dataset, hid_t type, hsize_t start, hsize_t count, int column, void *data)
{
    assert(data || count == 0);
    bool good = crn_run_read_rows(dataset, type, start, count, column, data);
    for (int i = 0; !good && crn_run_try_again(run, i); ++i)
        good = crn_run_read_rows(dataset, type, start, count, column, data);
    return good;
}
