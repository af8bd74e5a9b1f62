/* Conversion of numbers to bytes and back, with one set of functions for both directions.
 *
 * The same sequence of calls writes a state and reads it, so the two cannot diverge. Every number takes 8 bytes in the
 * machine's byte order. Reading never passes the end: the first call that would, or that finds a number out of range, sets the
 * stream's status, and all later calls do nothing.
 */
#ifndef CRN_STEP_KEEP_STREAM_H
#define CRN_STEP_KEEP_STREAM_H

#include "cairn/base.h"

typedef struct crn_stream
{
    bool writing;
    unsigned char *bytes; /* writing: grows; reading: the caller's buffer, not changed */
    size_t at, size, capacity;
    cairn_status
        status; /* CAIRN_NO_MEMORY, CAIRN_INVALID for invalid bytes, or CAIRN_IO: they were not taken, or not given */
    const char *fault; /* what was being read when the bytes were found invalid */
    /* Writing, NULL: everything stays in memory. Otherwise bytes are handed over a part at a time, and leave it; false: they could not be taken. */
    bool (*take)(void *taker, const void *bytes, size_t size);
    void *taker;
    /* Reading, NULL: from `bytes`. Otherwise those at a place are asked for as they are needed; false: they could not be read. */
    bool (*give)(void *giver, size_t at, void *bytes, size_t size);
    void *giver;
} crn_stream;

/* Hand over what is left. */
void crn_stream_finish(crn_stream *stream);
/* Writing: bytes as they are. */
void crn_stream_put(crn_stream *stream, const void *bytes, size_t size);

/* Whether reading has succeeded so far. */
bool crn_stream_reads(const crn_stream *stream);
/* Reading: reject the value just read unless `good`. */
void crn_stream_check(crn_stream *stream, bool good, const char *what);

/* Reading: pass over bytes that are read from their place later. */
void crn_stream_skip(crn_stream *stream, size_t size);
void crn_stream_numbers(crn_stream *stream, double *value, size_t count);
void crn_stream_long(crn_stream *stream, int64_t *value);
void crn_stream_word(crn_stream *stream, uint64_t *value);
/* Integers that must lie in [low, high]. */
void crn_stream_int(crn_stream *stream, int *value, int low, int high, const char *what);
void crn_stream_flag(crn_stream *stream, bool *value);

/* The length of a list whose items take at least `least` bytes each in the stream. A damaged length therefore cannot
 * request more memory than the stream's own size justifies. */
void crn_stream_count(crn_stream *stream, size_t *count, size_t least, const char *what);
/* The same, and reserve space for its items of `size` bytes. */
void crn_stream_list(crn_stream *stream, void *array, size_t *capacity, size_t *count, size_t size, size_t least,
                     const char *what);

#endif
