/* Warm starting. A persistent contact carries nearly the same impulse in the next step. Its frame may rotate a little
 * and its index in the problem may change, but its identity stays. Where it does not, since a corner and an edge in the same place may
 * take turns, the nearest contact of the same two shapes that has disappeared hands its impulse on. The guess affects how long a method takes, not what
 * it may return: the certificate decides that. */
#include "step/warm.h"

#include "base/memory.h"
#include "collide/identity.h"
#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NEAR = 16 /* places that are searched one by one */
};

void crn_warm_release(crn_warm *warm)
{
    free(warm->key);
    free(warm->index);
    free(warm->work);
    free(warm->r);
    free(warm->guess);
    free(warm->point);
    free(warm->used);
    memset(warm, 0, sizeof *warm);
}

cairn_status crn_warm_reserve_work(crn_warm *warm, size_t count)
{
    CRN_TRY(crn_reserve(&warm->index, &warm->capacity[6], count, sizeof *warm->index));
    return crn_reserve(&warm->work, &warm->capacity[1], 2 * count, sizeof(crn_keyed));
}

/* Sort the first `count` of the two lists of scratch, and take over keys and indices. */
static void take_sorted(crn_warm *warm, size_t count)
{
    warm->is_mixed = false;
    crn_sort(warm->work, count, warm->work + count);
    for (size_t i = 0; i < count; ++i)
    {
        warm->key[i] = warm->work[i].key;
        warm->index[i] = warm->work[i].a;
        warm->is_mixed = warm->is_mixed || warm->index[i] != (int)i;
    }
}

void crn_warm_rename(crn_warm *warm, uint64_t (*rename)(const void *data, uint64_t identity), const void *data)
{
    assert(warm->capacity[1] >= 2 * (size_t)warm->count);
    for (int i = 0; i < warm->count; ++i)
        warm->work[i] = (crn_keyed){.key = rename(data, warm->key[i]), .a = crn_warm_index(warm, i)};
    if (warm->count > 0)
        take_sorted(warm, (size_t)warm->count);
}

/* The first place whose key is not less than `identity`. Identities mostly ascend, so the search goes on from the last place. */
static int place_of(const crn_warm *warm, int last, uint64_t identity)
{
    assert(last >= 0 && last <= warm->count);
    const uint64_t *key = warm->key;
    bool ahead = last == 0 || key[last - 1] < identity;
    int low = ahead ? last : 0, high = warm->count;
    for (int i = 0; ahead && i < NEAR && low < high && key[low] < identity; ++i)
        ++low;
    if (ahead && (low == high || key[low] >= identity))
        return low;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        low = key[middle] < identity ? middle + 1 : low;
        high = key[middle] < identity ? high : middle;
    }
    return low;
}

/* The same: mostly it is the place after the last one, where every contact has stayed. */
static inline int next_place(const crn_warm *warm, int last, uint64_t identity)
{
    return last + 1 < warm->count && warm->key[last + 1] == identity ? last + 1 : place_of(warm, last, identity);
}

bool crn_warm_knows(const crn_warm *warm, uint64_t identity)
{
    int place = place_of(warm, 0, identity);
    return place < warm->count && warm->key[place] == identity;
}

static double distance_squared(const double a[3], const double b[3])
{
    double d[3];
    crn_sub3(a, b, d);
    return crn_dot3(d, d);
}

/* The nearest contact of the last problem between the same shapes that is not in this one and not taken yet; -1: none within
 * `reach`. */
static int nearest_of(const crn_warm *warm, const crn_named *named, const crn_warm_places *places, int j, int place)
{
    uint64_t pair = crn_name_of(named, j) >> places->feature_bits;
    double reach = places->reach(places->data, j), least = reach * reach;
    int first = place, best = -1;
    while (first > 0 && warm->key[first - 1] >> places->feature_bits == pair)
        --first;
    for (int i = first; i < warm->count && warm->key[i] >> places->feature_bits == pair; ++i)
    {
        double apart = distance_squared(warm->point + 3 * (ptrdiff_t)crn_warm_index(warm, i),
                                        places->point + places->stride * (size_t)j);
        if (warm->used[i] || !(apart < least) ||
            crn_identity_search(named->first, (size_t)named->count, named->stride, warm->key[i]) >= 0)
            continue;
        least = apart;
        best = i;
    }
    return best;
}

bool crn_warm_recall_into(crn_warm *warm, const crn_named *named, const crn_warm_places *places, double *guess)
{
    assert(warm->count >= 0);
    assert(named->dim == 2 || named->dim == 3);
    size_t dim = (size_t)named->dim;
    memset(guess, 0, dim * (size_t)named->count * sizeof(double));
    if (warm->count == 0 || warm->dim != named->dim)
        return false;
    memset(warm->used, 0, (size_t)warm->count);
    int place = 0;
    bool any = false;
    for (int j = 0; j < named->count; ++j)
    {
        place = next_place(warm, place, crn_name_of(named, j));
        bool same = place < warm->count && warm->key[place] == crn_name_of(named, j);
        int found = same ? place : places ? nearest_of(warm, named, places, j, place) : -1;
        if (found >= 0)
        {
            int before = crn_warm_index(warm, found);
            warm->used[found] = 1;
            crn_copy_few(warm->r + (size_t)before * dim, named->dim, guess + (size_t)j * dim);
            any = true;
        }
    }
    return any;
}

void crn_warm_recall_range(const crn_warm *warm, const crn_named *named, int first, int end, double *guess)
{
    assert(first >= 0 && first <= end && end <= named->count);
    static const double NOTHING[3];
    size_t dim = (size_t)named->dim;
    bool is_known = warm->count > 0 && warm->dim == named->dim;
    for (int j = first, place = 0; j < end; ++j)
    {
        double *to = guess + (size_t)j * dim;
        uint64_t name = crn_name_foreseen(named, j);
        place = is_known ? next_place(warm, place, name) : warm->count;
        if (place < warm->count && warm->key[place] == name)
            crn_copy_few(warm->r + (size_t)crn_warm_index(warm, place) * dim, named->dim, to);
        else
            crn_copy_few(NOTHING, named->dim, to);
    }
}

cairn_status crn_warm_recall(crn_warm *warm, const crn_named *named, const crn_warm_places *places,
                             const double **guess)
{
    size_t rows = (size_t)named->dim * (size_t)named->count;
    *guess = NULL;
    if (warm->count == 0 || rows == 0)
        return CAIRN_OK;
    CRN_TRY(crn_reserve(&warm->guess, &warm->capacity[3], rows, sizeof(double)));
    *guess = crn_warm_recall_into(warm, named, places, warm->guess) ? warm->guess : NULL;
    return CAIRN_OK;
}

cairn_status crn_warm_reserve(crn_warm *warm, size_t count, size_t dim)
{
    assert(count == 0 || dim == 2 || dim == 3);
    CRN_TRY(crn_reserve(&warm->key, &warm->capacity[0], count + 1, sizeof *warm->key));
    CRN_TRY(crn_reserve(&warm->used, &warm->capacity[5], count + 1, 1));
    return crn_reserve(&warm->r, &warm->capacity[2], dim * count + 1, sizeof(double));
}

cairn_status crn_warm_reserve_points(crn_warm *warm, size_t count)
{
    return crn_reserve(&warm->point, &warm->capacity[4], 3 * count + 1, sizeof(double));
}

bool crn_warm_keep_range(crn_warm *warm, const crn_named *named, int first, int end, const double *r)
{
    assert(first >= 0 && first <= end && end <= named->count);
    size_t dim = (size_t)named->dim, from = (size_t)first * dim;
    uint64_t last = first > 0 && first < end ? crn_name_of(named, first - 1) : 0;
    bool ascend = true;
    for (int j = first; j < end; ++j)
    {
        uint64_t key = warm->key[j] = crn_name_foreseen(named, j);
        ascend = ascend && last <= key;
        last = key;
    }
    if (r != warm->r)
        memcpy(warm->r + from, r + from, (size_t)(end - first) * dim * sizeof(double));
    return ascend;
}

void crn_warm_finish(crn_warm *warm, const crn_named *named)
{
    warm->is_mixed = false;
    warm->count = named->count;
    warm->dim = named->dim;
}

cairn_status crn_warm_keep(crn_warm *warm, const crn_named *named, const double *r)
{
    size_t count = (size_t)named->count;
    CRN_TRY(crn_warm_reserve(warm, count, (size_t)named->dim));
    bool ascend = crn_warm_keep_range(warm, named, 0, named->count, r);
    crn_warm_finish(warm, named);
    if (ascend)
        return CAIRN_OK;
    warm->count = 0; /* until the keys are sorted */
    CRN_TRY(crn_warm_reserve_work(warm, count));
    for (int j = 0; j < named->count; ++j)
        warm->work[j] = (crn_keyed){.key = warm->key[j], .a = j};
    take_sorted(warm, count);
    warm->count = named->count;
    return CAIRN_OK;
}
