/* The FNV-1a hash (Fowler, Noll, Vo), for hash tables and to detect damage. */
#ifndef CRN_BASE_HASH_H
#define CRN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Continue a hash over more bytes. */
static inline uint64_t crn_hash_more(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

static inline uint64_t crn_hash(const void *bytes, size_t size)
{
    return crn_hash_more(UINT64_C(14695981039346656037), bytes, size);
}

#endif
