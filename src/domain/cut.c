#include "domain/cut.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const crn_weight *)a)->key, y = ((const crn_weight *)b)->key;
    return (x > y) - (x < y);
}

/* Work of the bodies of this rank that come before a key. */
static int64_t work_before(const crn_weight *weight, size_t count, const int64_t *sum, uint64_t key)
{
    size_t low = 0, high = count; /* weight[low - 1].key < key <= weight[high].key */
    while (low < high)
    {
        size_t middle = (low + high) / 2;
        if (weight[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return sum[low];
}

/* One level: of the eight octants that begin at or after each cut, the last with no more than its share before it. */
static void refine(cairn_ranks *ranks, const crn_weight *weight, size_t count, const int64_t *sum, int64_t all,
                   int shift, int64_t *below, uint64_t *cut)
{
    for (int r = 1; r < ranks->count; ++r)
        for (uint64_t c = 1; c < 8; ++c)
            below[7 * (size_t)(r - 1) + c - 1] = work_before(weight, count, sum, cut[r] + (c << shift));
    ranks->reduce_sum(ranks->context, below, 7 * (ranks->count - 1));
    for (int r = 1; r < ranks->count; ++r)
    {
        uint64_t c = 0;
        int64_t share = all / ranks->count * r + all % ranks->count * r / ranks->count;
        while (c < 7 && below[7 * (size_t)(r - 1) + c] <= share)
            ++c;
        cut[r] += c << shift;
    }
}

void crn_curve_cut(cairn_ranks *ranks, const crn_curve *curve, crn_weight *weight, size_t count, int64_t *sum,
                   int64_t *below, uint64_t *cut)
{
    if (count > 0)
        qsort(weight, count, sizeof *weight, by_key);
    sum[0] = 0;
    for (size_t i = 0; i < count; ++i)
        sum[i + 1] = sum[i] + weight[i].work;
    int64_t all = sum[count];
    ranks->reduce_sum(ranks->context, &all, 1);
    memset(cut, 0, (size_t)ranks->count * sizeof *cut);
    cut[ranks->count] = UINT64_C(1) << (3 * curve->levels);
    for (int level = curve->levels - 1; level >= 0 && ranks->count > 1; --level)
        refine(ranks, weight, count, sum, all, 3 * level, below, cut);
}
