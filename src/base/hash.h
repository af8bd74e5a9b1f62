/* FNV-1a, 64 bits: a checksum against damage, and a hash of names. */
#ifndef CRN_BASE_HASH_H
#define CRN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CRN_HASH_START UINT64_C(14695981039346656037)

/* Continue a hash (CRN_HASH_START at first) over more bytes. */
static inline uint64_t crn_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

#endif
