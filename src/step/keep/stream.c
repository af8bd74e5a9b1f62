#include "step/keep/stream.h"

#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

bool crn_stream_reads(const crn_stream *stream)
{
    return !stream->writing && stream->status == CAIRN_OK;
}

void crn_stream_check(crn_stream *stream, bool good, const char *what)
{
    assert(what);
    if (crn_stream_reads(stream) && !good)
    {
        stream->status = CAIRN_INVALID;
        stream->fault = what;
    }
}

/* ------------------------------------------------------------------------------------------------------------- bytes */

enum
{
    PART = 1 << 20 /* bytes that are handed over together */
};

void crn_stream_finish(crn_stream *stream)
{
    assert(stream->writing && stream->take);
    if (stream->status == CAIRN_OK && !stream->take(stream->taker, stream->bytes, stream->at))
        stream->status = CAIRN_IO;
    stream->at = stream->size = 0;
}

static void append(crn_stream *stream, const void *bytes, size_t size)
{
    stream->status = crn_reserve(&stream->bytes, &stream->capacity, stream->at + size, 1);
    if (stream->status != CAIRN_OK)
        return;
    memcpy(stream->bytes + stream->at, bytes, size);
    stream->at += size;
    stream->size = stream->at;
    if (stream->take && stream->size >= PART)
        crn_stream_finish(stream);
}

void crn_stream_put(crn_stream *stream, const void *bytes, size_t size)
{
    assert(stream->writing);
    const unsigned char *from = bytes;
    for (size_t done = 0, part; done < size && stream->status == CAIRN_OK; done += part)
    {
        part = stream->take && size - done > PART ? PART : size - done;
        append(stream, from + done, part);
    }
}

static void get(crn_stream *stream, void *value, size_t size)
{
    if (size > stream->size - stream->at)
    {
        crn_stream_check(stream, false, "its end");
        return;
    }
    if (!stream->give)
        memcpy(value, stream->bytes + stream->at, size);
    else if (!stream->give(stream->giver, stream->at, value, size))
        stream->status = CAIRN_IO;
    stream->at += size;
}

static void raw(crn_stream *stream, void *value, size_t size)
{
    assert(stream->at <= stream->size);
    if (stream->status != CAIRN_OK || size == 0)
        return;
    if (stream->writing)
        crn_stream_put(stream, value, size);
    else
        get(stream, value, size);
}

void crn_stream_skip(crn_stream *stream, size_t size)
{
    crn_stream_check(stream, size <= stream->size - stream->at, "its end");
    if (crn_stream_reads(stream))
        stream->at += size;
}

/* ----------------------------------------------------------------------------------------------------------- numbers */

void crn_stream_numbers(crn_stream *stream, double *value, size_t count)
{
    raw(stream, value, count * sizeof(double));
}

void crn_stream_long(crn_stream *stream, int64_t *value)
{
    raw(stream, value, sizeof *value);
}

void crn_stream_word(crn_stream *stream, uint64_t *value)
{
    raw(stream, value, sizeof *value);
}

void crn_stream_int(crn_stream *stream, int *value, int low, int high, const char *what)
{
    assert(!stream->writing || (low <= *value && *value <= high));
    int64_t wide = *value;
    raw(stream, &wide, sizeof wide);
    crn_stream_check(stream, low <= wide && wide <= high, what);
    if (crn_stream_reads(stream))
        *value = (int)wide;
}

void crn_stream_flag(crn_stream *stream, bool *value)
{
    int whole = *value;
    crn_stream_int(stream, &whole, 0, 1, "a flag");
    *value = whole != 0;
}

void crn_stream_count(crn_stream *stream, size_t *count, size_t least, const char *what)
{
    assert(least > 0);
    uint64_t wide = *count;
    raw(stream, &wide, sizeof wide);
    crn_stream_check(stream, wide <= (stream->size - stream->at) / least && wide < INT_MAX, what);
    if (!stream->writing)
        *count = stream->status ? 0 : (size_t)wide;
}

void crn_stream_list(crn_stream *stream, void *array, size_t *capacity, size_t *count, size_t size, size_t least,
                     const char *what)
{
    crn_stream_count(stream, count, least, what);
    if (crn_stream_reads(stream))
        stream->status = crn_reserve(array, capacity, *count + 1, size);
    if (!stream->writing && stream->status != CAIRN_OK)
        *count = 0;
}
