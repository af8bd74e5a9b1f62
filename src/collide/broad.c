/* Sort and sweep (D. Baraff, PhD thesis, Cornell 1992): shapes sorted by the lower end of their bounds along one axis;
 * each is tested against those that begin before it ends. The axis is the one along which the centres spread most. Cost
 * O(n log n) plus the pairs that overlap along that axis. Half-planes and half-spaces are tested against every shape.
 */
#include "collide/broad.h"

#include "base/memory.h"
#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The axis of largest variance of the centres; x among equals. */
static int sweep_axis(const crn_placed *placed, size_t count)
{
    double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0}, n = 0.0;
    for (size_t i = 0; i < count; ++i)
    {
        for (int k = 0; k < 3 && !crn_is_half(placed[i].kind); ++k)
        {
            double centre = 0.5 * (placed[i].lower[k] + placed[i].upper[k]);
            sum[k] += centre;
            squares[k] += centre * centre;
            n += k == 0 ? 1.0 : 0.0;
        }
    }
    int best = 0;
    double largest = -INFINITY;
    for (int k = 0; k < 3; ++k)
    {
        double spread = squares[k] - (n > 0.0 ? sum[k] * sum[k] / n : 0.0);
        if (spread > largest)
        {
            largest = spread;
            best = k;
        }
    }
    return best;
}

static bool overlap(const crn_placed *a, const crn_placed *b)
{
    for (int k = 0; k < 3; ++k)
    {
        if (!(a->lower[k] <= b->upper[k] && b->lower[k] <= a->upper[k]))
        {
            return false;
        }
    }
    return true;
}

/* Whether the bounds reach into the half-plane or half-space, its margin counted in. */
static bool overlap_half(const crn_placed *half, const crn_placed *other)
{
    double lowest = -crn_dot3(half->normal, half->centre) - half->margin;
    for (int k = 0; k < 3; ++k)
    {
        lowest += half->normal[k] * (half->normal[k] > 0.0 ? other->lower[k] : other->upper[k]);
    }
    /* rounding must not lose a pair that touches exactly */
    double slop = 1e-12 * (fabs(half->centre[0]) + fabs(half->centre[1]) + fabs(half->centre[2]));
    return !(lowest > slop); /* not a number where margins are infinite: no bound at all */
}

static cairn_status add_pair(crn_broad *broad, const cairn_model *model, const crn_placed *placed, int i, int j)
{
    if (!crn_model_may_touch(model, placed[i].body, placed[j].body))
    {
        return CAIRN_OK;
    }
    cairn_status status =
        crn_reserve(&broad->pairs, &broad->pair_capacity, broad->pair_count + 1, sizeof *broad->pairs);
    if (status == CAIRN_OK)
    {
        int a = i < j ? i : j, b = i < j ? j : i;
        broad->pairs[broad->pair_count++] = (crn_keyed){(uint64_t)a << 32 | (uint64_t)b, a, b};
    }
    return status;
}

/* One half-plane or half-space against all the others. */
static cairn_status pair_half(crn_broad *broad, const cairn_model *model, const crn_placed *placed, size_t count,
                              size_t half)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < count && status == CAIRN_OK; ++i)
    {
        if (!crn_is_half(placed[i].kind) && overlap_half(&placed[half], &placed[i]))
        {
            status = add_pair(broad, model, placed, (int)half, (int)i);
        }
    }
    return status;
}

/* Put the bounded shapes in order along the axis; returns how many there are. */
static size_t sort_along(crn_broad *broad, const crn_placed *placed, size_t count, int axis)
{
    size_t bounded = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (!crn_is_half(placed[i].kind))
        {
            broad->order[bounded++] = (crn_keyed){crn_sort_key(placed[i].lower[axis]), (int)i, 0};
        }
    }
    crn_sort(broad->order, bounded, broad->work);
    return bounded;
}

static cairn_status sweep(crn_broad *broad, const cairn_model *model, const crn_placed *placed, size_t bounded,
                          int axis)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < bounded; ++i)
    {
        const crn_placed *a = &placed[broad->order[i].a];
        for (size_t j = i + 1; j < bounded && status == CAIRN_OK; ++j)
        {
            const crn_placed *b = &placed[broad->order[j].a];
            if (b->lower[axis] > a->upper[axis])
            {
                break;
            }
            if (overlap(a, b))
            {
                status = add_pair(broad, model, placed, broad->order[i].a, broad->order[j].a);
            }
        }
    }
    return status;
}

cairn_status crn_broad_pairs(crn_broad *broad, const cairn_model *model, const crn_placed *placed, size_t count)
{
    broad->pair_count = 0;
    cairn_status status = crn_reserve(&broad->order, &broad->order_capacity, count, sizeof *broad->order);
    if (status == CAIRN_OK)
    {
        status = crn_reserve(&broad->work, &broad->work_capacity, count, sizeof *broad->work);
    }
    for (size_t i = 0; i < count && status == CAIRN_OK; ++i)
    {
        if (crn_is_half(placed[i].kind))
        {
            status = pair_half(broad, model, placed, count, i);
        }
    }
    if (status == CAIRN_OK)
    {
        int axis = sweep_axis(placed, count);
        size_t bounded = sort_along(broad, placed, count, axis);
        assert(bounded <= count);
        status = sweep(broad, model, placed, bounded, axis);
    }
    if (status == CAIRN_OK)
    {
        status = crn_reserve(&broad->work, &broad->work_capacity, broad->pair_capacity, sizeof *broad->work);
    }
    if (status == CAIRN_OK)
    {
        crn_sort(broad->pairs, broad->pair_count, broad->work);
    }
    return status;
}

void crn_broad_free(crn_broad *broad)
{
    free(broad->order);
    free(broad->pairs);
    free(broad->work);
    *broad = (crn_broad){.order = NULL};
}
