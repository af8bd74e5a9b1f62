/* Few items: merge sort from the bottom up, O(n log n) comparisons. Many: a pass per byte of the key in which items differ, from the lowest byte
 * on, O(n). Both are stable and the same on every machine. */
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

static void merge_sort(crn_keyed *items, size_t count, crn_keyed *work)
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
}

/* By one byte of the key. */
static void distribute(const crn_keyed *from, size_t count, int shift, crn_keyed *to)
{
    size_t place[256] = {0}, begin = 0;
    for (size_t i = 0; i < count; ++i)
        ++place[from[i].key >> shift & 255];
    for (int byte = 0; byte < 256; ++byte)
    {
        size_t own = place[byte];
        place[byte] = begin;
        begin += own;
    }
    for (size_t i = 0; i < count; ++i)
        to[place[from[i].key >> shift & 255]++] = from[i];
}

static void radix_sort(crn_keyed *items, size_t count, crn_keyed *work)
{
    crn_keyed *from = items, *to = work;
    uint64_t differ = 0;
    for (size_t i = 0; i < count; ++i)
        differ |= items[i].key ^ items[0].key;
    for (int shift = 0; shift < 64; shift += 8)
        if (differ >> shift & 255)
        {
            distribute(from, count, shift, to);
            crn_keyed *last = from;
            from = to;
            to = last;
        }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

void crn_sort(crn_keyed *items, size_t count, crn_keyed *work)
{
    const size_t many = 4096;
    (count < many ? merge_sort : radix_sort)(items, count, work);
    for (size_t i = 1; i < count; ++i)
        assert(items[i - 1].key <= items[i].key);
}
