#include "base/file_bytes.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size)
    {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* A new file beside `path`; its name in `temporary`, which has room for it. */
static int create_beside(const char *path, char *temporary, size_t size)
{
    assert(size > strlen(path));
    int descriptor = -1;
    for (int attempt = 0; descriptor < 0 && attempt < 100; ++attempt)
    {
        snprintf(temporary, size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

cairn_status crn_replace_file(cairn_context *context, const char *path, const void *bytes, size_t size)
{
    assert(path && (bytes || size == 0));
    struct stat old;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return crn_fail(context, CAIRN_IO, "cannot write '%s': it is there and not a regular file", path);
    size_t room = strlen(path) + 64;
    char *temporary = malloc(room);
    if (!temporary)
        return crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while saving '%s'", path);
    int descriptor = create_beside(path, temporary, room);
    bool created = descriptor >= 0;
    bool done = created && write_all(descriptor, bytes, size) && fsync(descriptor) == 0;
    int error = errno;
    if (created && close(descriptor) != 0 && done)
    {
        done = false;
        error = errno;
    }
    if (done && rename(temporary, path) != 0)
    {
        done = false;
        error = errno;
    }
    if (created && !done)
        unlink(temporary);
    free(temporary);
    return done ? CAIRN_OK : crn_fail(context, CAIRN_IO, "cannot write '%s': %s", path, strerror(error));
}

/* The whole of an open regular file; NULL with a message. */
static cairn_status read_descriptor(cairn_context *context, const char *path, int descriptor, void **bytes,
                                    size_t *size)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return crn_fail(context, CAIRN_IO, "cannot read '%s': it is not a regular file", path);
    size_t wanted = (size_t)about.st_size;
    char *memory = malloc(wanted + 1);
    if (!memory)
        return crn_fail(context, CAIRN_NO_MEMORY, "memory ran out while reading '%s' (%zu bytes)", path, wanted);
    size_t got = 0;
    ssize_t piece = 1;
    while (got < wanted && piece > 0)
    {
        piece = read(descriptor, memory + got, wanted - got);
        got += piece > 0 ? (size_t)piece : 0;
        piece = piece < 0 && errno == EINTR ? 1 : piece;
    }
    if (piece < 0)
    {
        int error = errno;
        free(memory);
        return crn_fail(context, CAIRN_IO, "cannot read '%s': %s", path, strerror(error));
    }
    *bytes = memory;
    *size = got;
    return CAIRN_OK;
}

cairn_status crn_read_file(cairn_context *context, const char *path, void **bytes, size_t *size)
{
    assert(path && bytes && size);
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return crn_fail(context, CAIRN_IO, "cannot read '%s': %s", path, strerror(errno));
    cairn_status status = read_descriptor(context, path, descriptor, bytes, size);
    close(descriptor);
    return status;
}
