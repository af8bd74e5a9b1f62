/* The FNV-1a hash (Fowler, Noll, Vo), for hash tables and to detect damage, and a faster one of words that no file holds. */
#ifndef CRN_BASE_HASH_H
#define CRN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Of words of 8 bytes, to see whether they have changed: four lanes at a time. Every lane depends one-to-one on each of its words, and the result on each lane, so a
 * change in one lane never goes unseen. */
static inline uint64_t crn_hash_words(uint64_t hash, const void *words, size_t count)
{
    static const uint64_t MIX = UINT64_C(0x9e3779b97f4a7c15);
    const unsigned char *at = words;
    uint64_t lane[4] = {hash, hash + MIX, hash ^ MIX, ~hash}, word;
    for (size_t i = 0; i < count; ++i)
    {
        memcpy(&word, at + i * sizeof word, sizeof word);
        uint64_t mixed = (lane[i % 4] ^ word) * MIX;
        lane[i % 4] = mixed ^ mixed >> 32;
    }
    for (int k = 0; k < 4; ++k)
    {
        hash = (hash ^ lane[k]) * MIX;
        hash ^= hash >> 29;
    }
    return hash;
}

#endif
