#include "base/file.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    BLOCK_BYTES = 65536
};

const char *crn_file_error(int error)
{
    return error ? strerror(error) : "it is not a regular file";
}

static cairn_status read_stream(FILE *stream, size_t most, char **bytes, size_t *length)
{
    size_t capacity = 0, got = 1;
    while (got > 0 && *length <= most)
    {
        if (crn_reserve(bytes, &capacity, *length + BLOCK_BYTES, 1))
            return CAIRN_NO_MEMORY;
        got = fread(*bytes + *length, 1, BLOCK_BYTES, stream);
        *length += got;
    }
    return ferror(stream) ? CAIRN_IO : CAIRN_OK;
}

/* Opened without blocking, because opening a pipe would wait for its writer; reading a regular file is not affected. */
static FILE *open_regular(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0)
        return NULL;
    bool known = fstat(descriptor, &info) == 0, regular = known && S_ISREG(info.st_mode);
    FILE *stream = regular ? fdopen(descriptor, "rb") : NULL;
    if (!stream)
    {
        int error = known && !regular ? (S_ISDIR(info.st_mode) ? EISDIR : 0) : errno;
        close(descriptor);
        errno = error;
    }
    return stream;
}

cairn_status crn_file_read(cairn_context *context, const char *path, crn_file_kind kind, size_t most, char **bytes,
                           size_t *length)
{
    assert(path && bytes && length);
    *bytes = NULL;
    *length = 0;
    FILE *stream = kind == CRN_FILE_REGULAR ? open_regular(path) : fopen(path, "rbe");
    cairn_status status = stream ? read_stream(stream, most, bytes, length) : CAIRN_IO;
    int error = errno;
    if (stream)
        fclose(stream);
    if (status == CAIRN_OK)
        return CAIRN_OK;
    free(*bytes);
    *bytes = NULL;
    return status == CAIRN_IO ? crn_fail(context, status, "%s: cannot be read: %s", path, crn_file_error(error))
                              : crn_fail(context, status, "%s: memory ran out", path);
}

bool crn_write_all(int descriptor, const void *bytes, size_t size)
{
    assert(descriptor >= 0);
    for (size_t done = 0; done < size;)
    {
        ssize_t written = write(descriptor, (const char *)bytes + done, size - done);
        if (written <= 0 && !(written < 0 && errno == EINTR))
            return false;
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

int crn_create_beside(const char *path, char **name)
{
    struct stat old;
    size_t size = strlen(path) + 64;
    int descriptor = -1;
    *name = NULL;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
    {
        errno = 0;
        return -1;
    }
    char *beside = malloc(size);
    if (!beside)
        return -1;
    for (int attempt = 0; descriptor < 0 && attempt < 100; ++attempt)
    {
        snprintf(beside, size, "%s.part-%ld-%d", path, (long)getpid(), attempt);
        descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor >= 0)
        *name = beside;
    else
        free(beside);
    return descriptor;
}

bool crn_close_file(int descriptor, bool good)
{
    int error = errno;
    if (close(descriptor) != 0 && good)
        return false;
    errno = error;
    return good;
}

cairn_status crn_replace_file(cairn_context *context, const char *path, const void *bytes, size_t size)
{
    assert(path && (bytes || size == 0));
    char *part = NULL;
    int descriptor = crn_create_beside(path, &part);
    bool good = descriptor >= 0;
    good = good && crn_close_file(descriptor, crn_write_all(descriptor, bytes, size) && fsync(descriptor) == 0);
    good = good && rename(part, path) == 0;
    int error = errno;
    if (part && !good)
        unlink(part);
    free(part);
    return good ? CAIRN_OK
                : crn_fail(context, error == ENOMEM ? CAIRN_NO_MEMORY : CAIRN_IO, "cannot write '%s': %s", path,
                           crn_file_error(error));
}
