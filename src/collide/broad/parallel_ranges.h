/* Work in parts by threads. Part k has the items [crn_part(n, parts, k), crn_part(n, parts, k + 1)): neighbours, so that what
 * the parts found, one after the other, is in the order in which one thread would have found it. */
#ifndef CRN_COLLIDE_BROAD_PARALLEL_RANGES_H
#define CRN_COLLIDE_BROAD_PARALLEL_RANGES_H

#include <stddef.h>

static inline size_t crn_part(size_t count, int parts, int k)
{
    return count / (size_t)parts * (size_t)k + count % (size_t)parts * (size_t)k / (size_t)parts;
}

/* Call work(data, k) for k = 0 .. parts - 1, each by a thread of its own where threads are to be had. */
void crn_in_parts(int parts, void (*work)(void *data, int part), void *data);

#endif
