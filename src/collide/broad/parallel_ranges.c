#include "collide/broad/parallel_ranges.h"

#include <assert.h>

static void one_by_one(int parts, void (*work)(void *data, int part), void *data)
{
    for (int k = 0; k < parts; ++k)
        work(data, k);
}

#ifdef _OPENMP
static void by_threads(int parts, void (*work)(void *data, int part), void *data)
{
#pragma omp parallel for schedule(static, 1) num_threads(parts)
    for (int k = 0; k < parts; ++k)
        work(data, k);
}
#else
static void by_threads(int parts, void (*work)(void *data, int part), void *data)
{
    one_by_one(parts, work, data);
}
#endif

void crn_in_parts(int parts, void (*work)(void *data, int part), void *data)
{
    assert(parts >= 1 && work);
    (parts > 1 ? by_threads : one_by_one)(parts, work, data);
}
