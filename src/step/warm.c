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
    free(warm->work);
    free(warm->r);
    free(warm->guess);
    free(warm->point);
    free(warm->used);
    memset(warm, 0, sizeof *warm);
}

cairn_status crn_warm_reserve_work(crn_warm *warm, size_t count)
{
    return crn_reserve(&warm->work, &warm->capacity[1], count, sizeof(crn_keyed));
}

void crn_warm_rename(crn_warm *warm, uint64_t (*rename)(const void *data, uint64_t identity), const void *data)
{
    for (int i = 0; i < warm->count; ++i)
        warm->key[i].key = rename(data, warm->key[i].key);
    assert(warm->capacity[1] >= (size_t)warm->count);
    if (warm->count > 0)
        crn_sort(warm->key, (size_t)warm->count, warm->work);
}

/* The first place whose key is not less than `identity`. Identities mostly ascend, so the search goes on from the last place. */
static int place_of(const crn_warm *warm, int last, uint64_t identity)
{
    assert(last >= 0 && last <= warm->count);
    const crn_keyed *key = warm->key;
    bool ahead = last == 0 || key[last - 1].key < identity;
    int low = ahead ? last : 0, high = warm->count;
    for (int i = 0; ahead && i < NEAR && low < high && key[low].key < identity; ++i)
        ++low;
    if (ahead && (low == high || key[low].key >= identity))
        return low;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        low = key[middle].key < identity ? middle + 1 : low;
        high = key[middle].key < identity ? high : middle;
    }
    return low;
}

bool crn_warm_knows(const crn_warm *warm, uint64_t identity)
{
    int place = place_of(warm, 0, identity);
    return place < warm->count && warm->key[place].key == identity;
}

static double distance_squared(const double a[3], const double b[3])
{
    double d[3];
    crn_sub3(a, b, d);
    return crn_dot3(d, d);
}

/* The nearest contact of the last problem between the same shapes that is not in this one and not taken yet; -1: none within
 * `reach`. */
static int nearest_of(const crn_warm *warm, const cairn_problem *problem, const crn_warm_places *places, int j,
                      int place)
{
    uint64_t pair = problem->identity[j] >> places->feature_bits;
    double reach = places->reach(places->data, j), least = reach * reach;
    int first = place, best = -1;
    while (first > 0 && warm->key[first - 1].key >> places->feature_bits == pair)
        --first;
    for (int i = first; i < warm->count && warm->key[i].key >> places->feature_bits == pair; ++i)
    {
        double apart =
            distance_squared(warm->point + 3 * (ptrdiff_t)warm->key[i].a, places->point + places->stride * (size_t)j);
        if (warm->used[i] || !(apart < least) ||
            crn_identity_find(problem->identity, problem->contact_count, warm->key[i].key) >= 0)
            continue;
        least = apart;
        best = i;
    }
    return best;
}

bool crn_warm_recall_into(crn_warm *warm, const cairn_problem *problem, const crn_warm_places *places, double *guess)
{
    assert(warm->count >= 0);
    assert(problem->dim == 2 || problem->dim == 3);
    size_t dim = (size_t)problem->dim;
    memset(guess, 0, dim * (size_t)problem->contact_count * sizeof(double));
    if (warm->count == 0 || warm->dim != problem->dim)
        return false;
    memset(warm->used, 0, (size_t)warm->count);
    int place = 0;
    bool any = false;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        place = place_of(warm, place, problem->identity[j]);
        bool same = place < warm->count && warm->key[place].key == problem->identity[j];
        int found = same ? place : places ? nearest_of(warm, problem, places, j, place) : -1;
        if (found >= 0)
        {
            int before = warm->key[found].a;
            warm->used[found] = 1;
            memcpy(guess + (size_t)j * dim, warm->r + (size_t)before * dim, dim * sizeof(double));
            any = true;
        }
    }
    return any;
}

void crn_warm_recall_range(const crn_warm *warm, const cairn_problem *problem, int first, int end, double *guess)
{
    assert(first >= 0 && first <= end && end <= problem->contact_count);
    size_t dim = (size_t)problem->dim;
    bool is_known = warm->count > 0 && warm->dim == problem->dim;
    for (int j = first, place = 0; j < end; ++j)
    {
        double *to = guess + (size_t)j * dim;
        place = is_known ? place_of(warm, place, problem->identity[j]) : warm->count;
        if (place < warm->count && warm->key[place].key == problem->identity[j])
            memcpy(to, warm->r + (size_t)warm->key[place].a * dim, dim * sizeof(double));
        else
            memset(to, 0, dim * sizeof(double));
    }
}

cairn_status crn_warm_recall(crn_warm *warm, const cairn_problem *problem, const crn_warm_places *places,
                             const double **guess)
{
    size_t rows = (size_t)problem->dim * (size_t)problem->contact_count;
    *guess = NULL;
    if (warm->count == 0 || rows == 0)
        return CAIRN_OK;
    CRN_TRY(crn_reserve(&warm->guess, &warm->capacity[3], rows, sizeof(double)));
    *guess = crn_warm_recall_into(warm, problem, places, warm->guess) ? warm->guess : NULL;
    return CAIRN_OK;
}

cairn_status crn_warm_reserve(crn_warm *warm, size_t count, size_t dim)
{
    assert(count == 0 || dim == 2 || dim == 3);
    CRN_TRY(crn_reserve(&warm->key, &warm->capacity[0], count + 1, sizeof(crn_keyed)));
    CRN_TRY(crn_reserve(&warm->used, &warm->capacity[5], count + 1, 1));
    return crn_reserve(&warm->r, &warm->capacity[2], dim * count + 1, sizeof(double));
}

cairn_status crn_warm_reserve_points(crn_warm *warm, size_t count)
{
    return crn_reserve(&warm->point, &warm->capacity[4], 3 * count + 1, sizeof(double));
}

cairn_status crn_warm_keep(crn_warm *warm, const cairn_problem *problem, const cairn_solution *solution)
{
    size_t count = (size_t)problem->contact_count;
    size_t rows = (size_t)problem->dim * count;
    assert((size_t)solution->contact_rows == rows);
    CRN_TRY(crn_warm_reserve(warm, count, (size_t)problem->dim));
    bool ascend = true;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        warm->key[j] = (crn_keyed){.key = problem->identity[j], .a = j};
        ascend = ascend && (j == 0 || problem->identity[j - 1] <= problem->identity[j]);
    }
    if (!ascend)
    {
        CRN_TRY(crn_warm_reserve_work(warm, count));
        crn_sort(warm->key, count, warm->work);
    }
    memcpy(warm->r, solution->r, rows * sizeof(double));
    warm->count = problem->contact_count;
    warm->dim = problem->dim;
    return CAIRN_OK;
}
