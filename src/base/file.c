#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        {
            return CAIRN_NO_MEMORY;
        }
        got = fread(*bytes + *length, 1, BLOCK_BYTES, stream);
        *length += got;
    }
    return ferror(stream) ? CAIRN_IO : CAIRN_OK;
}

cairn_status crn_file_read(cairn_context *context, const char *path, size_t most, char **bytes, size_t *length)
{
    *bytes = NULL;
    *length = 0;
    FILE *stream = fopen(path, "rb");
    cairn_status status = stream ? read_stream(stream, most, bytes, length) : CAIRN_IO;
    int error = errno;
    if (stream)
    {
        fclose(stream);
    }
    if (status == CAIRN_OK)
    {
        return CAIRN_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return status == CAIRN_IO ? crn_fail(context, status, "%s: cannot be read: %s", path, strerror(error))
                              : crn_fail(context, status, "%s: memory ran out", path);
}
