/* Asking for memory before it is needed.
 *
 * Processors see by themselves that memory is read in order, but only within a page of 4 kB: at the next one they wait, and begin to look anew. A loop
 * over a list that is larger than the caches therefore waits once per 32 contacts. It goes faster if it asks for what it will need some hundred
 * operations later. Asking changes no result, and may go beyond the end of a list: what is not there is not fetched. */
#ifndef CRN_BASE_FORESEE_H
#define CRN_BASE_FORESEE_H

#include <stddef.h>
#include <stdint.h>

enum
{
    CRN_FORESEEN = 24, /* items of a list, such as contacts of two lines each */
    CRN_FAR = 4096,    /* contacts: with fewer, all of a problem is in a cache nearby, and asking costs what it saves */
    CRN_LINE = 64      /* bytes */
};

/* The line of an address that lies so many bytes further on, to be read. */
static inline void crn_foresee(const void *memory, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)memory + ahead));
}

/* The same, to be written. */
static inline void crn_foresee_write(const void *memory, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)memory + ahead), 1);
}

/* The two lines of the item of a list that comes CRN_FORESEEN items later. */
static inline void crn_foresee_item(const void *item, size_t stride)
{
    crn_foresee(item, CRN_FORESEEN * stride);
    crn_foresee(item, CRN_FORESEEN * stride + CRN_LINE);
}

#endif
