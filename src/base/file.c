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

/* Opening a pipe waits for its writer, unless it is opened so. A regular file is read as ever. */
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
    return status == CAIRN_IO ? crn_fail(context, status, "%s: cannot be read: %s", path,
                                         error ? strerror(error) : "it is not a regular file")
                              : crn_fail(context, status, "%s: memory ran out", path);
}
