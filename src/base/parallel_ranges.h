/* Work split into ranges, one per thread. Part k has the items [crn_part(n, parts, k), crn_part(n, parts, k + 1)). Ranges
 * are contiguous, so the concatenated results are in the order in which one thread would have found them. */
#ifndef CRN_BASE_PARALLEL_RANGES_H
#define CRN_BASE_PARALLEL_RANGES_H

#include <assert.h>
#include <stddef.h>

static inline size_t crn_part(size_t count, int parts, int k)
{
    assert(parts >= 1 && k >= 0 && k <= parts);
    return count / (size_t)parts * (size_t)k + count % (size_t)parts * (size_t)k / (size_t)parts;
}

/* Call work(data, k) for k = 0 .. parts - 1, by so many threads, this one among them, where there are any; which thread does which part
 * is left open. Parts must not wait for each other. */
void crn_share_parts(int threads, int parts, void (*work)(void *data, int part), void *data);
/* The same, with a thread per part. */
void crn_in_parts(int parts, void (*work)(void *data, int part), void *data);

/* Between two looks at what another thread is doing; look: how many there have been. After many, others get the processor. */
void crn_wait_a_little(int look);

#endif
