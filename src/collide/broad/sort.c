/* Merge sort from the bottom up: O(n log n) comparisons, stable, the same on every machine. */
#include "collide/broad/sort.h"

#include <assert.h>
#include <string.h>

/* Merge from[begin, middle) and from[middle, end) into to[begin, end). */
static void merge(const crn_keyed *from, size_t begin, size_t middle, size_t end, crn_keyed *to)
{
    assert(begin <= middle && middle <= end);
    size_t i = begin, j = middle;
    for (size_t k = begin; k < end; ++k)
        if (i < middle && (j >= end || from[i].key <= from[j].key))
            to[k] = from[i++];
        else
            to[k] = from[j++];
}

void crn_sort(crn_keyed *items, size_t count, crn_keyed *work)
{
    crn_keyed *from = items, *to = work;
    for (size_t width = 1; width < count; width *= 2)
    {
        for (size_t begin = 0; begin < count; begin += 2 * width)
        {
            size_t middle = begin + width < count ? begin + width : count;
            size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            merge(from, begin, middle, end, to);
        }
        crn_keyed *last = from;
        from = to;
        to = last;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
    for (size_t i = 1; i < count; ++i)
        assert(items[i - 1].key <= items[i].key);
}
