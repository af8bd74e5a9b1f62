/* Opening a run file in whatever state it is.
 *
 * A finished file opens plainly. One whose writer was killed in the middle of a flush carries HDF5's mark of an open
 * writer and opens for single-writer reading only; so does one that is being written right now, where torn metadata
 * is read again until its checksum fits. That second way does not notice a file that was cut short, therefore the end
 * of the file as its superblock knows it is compared with its length first.
 */
#include "record/run_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum
{
    SUPERBLOCK_SIZE = 48, /* version 2 and 3, 8-byte addresses */
    SUPERBLOCK_SIZES = 9, /* where the size of addresses stands */
    SUPERBLOCK_END = 28,  /* where the end-of-file address stands */
    ATTEMPTS = 5,
};

static uint64_t little_endian(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; --i)
    {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Read the superblock: CAIRN_OK when it is HDF5 of our kind and as long as it says it is. */
static cairn_status check_superblock(cairn_context *context, const char *path)
{
    static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
    {
        return crn_fail(context, CAIRN_INVALID, "run file '%s' cannot be opened: %s", path, strerror(errno));
    }
    struct stat info;
    unsigned char head[SUPERBLOCK_SIZE] = {0};
    bool regular = !fstat(descriptor, &info) && S_ISREG(info.st_mode);
    ssize_t got = regular ? pread(descriptor, head, sizeof head, 0) : 0;
    close(descriptor);
    if (!regular || got < (ssize_t)sizeof SIGNATURE || memcmp(head, SIGNATURE, sizeof SIGNATURE) != 0)
    {
        return crn_fail(context, CAIRN_INVALID, "'%s' is not a run file: it is not an HDF5 file", path);
    }
    bool known = head[8] >= 2 && head[8] <= 3 && head[SUPERBLOCK_SIZES] == 8;
    uint64_t end = little_endian(head + SUPERBLOCK_END);
    if (got < SUPERBLOCK_SIZE || (known && end > (uint64_t)info.st_size))
    {
        return crn_fail(context, CAIRN_INVALID, "run file '%s' is damaged: it has been cut short", path);
    }
    return CAIRN_OK;
}

/* Whether the file still says that it is being written. */
static bool says_running(hid_t file)
{
    char *status = crn_run_get_text(file, "/status");
    bool running = status && !strcmp(status, "running");
    free(status);
    return running;
}

static hid_t try_open(const char *path, hid_t access)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (file >= 0 && !says_running(file))
    {
        return file;
    }
    if (file >= 0)
    {
        H5Fclose(file);
    }
    hid_t shared = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    /* A copy in another HDF5 format (h5repack) has no single-writer mode. */
    return shared >= 0 ? shared : H5Fopen(path, H5F_ACC_RDONLY, access);
}

hid_t crn_run_open_file(cairn_context *context, const char *path)
{
    if (check_superblock(context, path))
    {
        return H5I_INVALID_HID;
    }
    /* HDF5 lets a process open a file once per driver. The logging driver (here without a log) is the plain one under
     * another name, so that a reader does not stop a recorder in the same process from writing. */
    hid_t access = crn_run_access();
    H5Pset_fapl_log(access, NULL, 0, 0);
    hid_t file = H5I_INVALID_HID;
    for (int i = 0; i < ATTEMPTS && file < 0; ++i)
    {
        if (i > 0)
        {
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
        file = try_open(path, access);
    }
    H5Pclose(access);
    if (file < 0)
    {
        crn_fail(context, CAIRN_INVALID, "run file '%s' is damaged: HDF5 cannot open it", path);
    }
    return file;
}
