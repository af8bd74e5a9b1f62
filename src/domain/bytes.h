/* Bytes on their way from one rank to another: a buffer that grows, and a place in one that came.
 *
 * A buffer that finds no memory stays empty and remembers it, so that the rank goes on to take part in what all ranks do together; the
 * failure is told where they agree. */
#ifndef CRN_DOMAIN_BYTES_H
#define CRN_DOMAIN_BYTES_H

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct crn_bytes
{
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} crn_bytes;

static inline void crn_bytes_put(crn_bytes *bytes, const void *data, size_t size)
{
    if (bytes->failed || crn_reserve(&bytes->data, &bytes->capacity, bytes->size + size + 1, 1))
    {
        bytes->failed = true;
        bytes->size = 0;
        return;
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static inline void crn_bytes_free(crn_bytes *bytes)
{
    free(bytes->data);
    *bytes = (crn_bytes){0};
}

/* What came, and how far it has been read. */
typedef struct crn_reading
{
    const unsigned char *at, *end;
} crn_reading;

static inline const void *crn_take(crn_reading *from, size_t size)
{
    assert(size <= (size_t)(from->end - from->at));
    const void *taken = from->at;
    from->at += size;
    return taken;
}

static inline void crn_take_to(crn_reading *from, void *to, size_t size)
{
    if (size > 0)
        memcpy(to, crn_take(from, size), size);
}

#endif
