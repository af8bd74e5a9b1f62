/* Slabs: parts of a large problem that threads sweep by themselves.
 *
 * Waiting for each other at every colour of every band would cost threads more than the visits. The bodies that can move are divided
 * into upright slabs of about equal numbers, and a contact belongs to a slab if its moving bodies do. A sweep takes all slabs, each from the
 * bottom up and by one thread, and then the contacts between slabs; the next sweep goes backwards. Slabs depend on the problem alone, not
 * on the number of threads, and so do the results. They are THICKNESS bodies thick, so that few contacts lie between them.
 */
#include "solve/compact/packed.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    THICKNESS = 5,
    LEVELS = 1024, /* of places */
    NOWHERE = UINT8_MAX
};

/* Two at least, or none; an even number, since most machines have an even number of cores. */
static int slab_count(const crn_compact_problem *problem)
{
    int count = problem->across ? (int)(cbrt(problem->body_count) / THICKNESS) & ~1 : 0;
    return count < CRN_COMPACT_SLABS ? count : CRN_COMPACT_SLABS;
}

static int level_of(double place, double low, double scale)
{
    int level = (int)((place - low) * scale);
    return level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
}

/* The slab of every body. */
static void divide_bodies(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int level_count[LEVELS] = {0}, slab_of[LEVELS], moving = 0, sum = 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < problem->body_count; ++i)
    {
        bool held = crn_compact_is_prescribed(problem, i);
        low = held ? low : fmin(low, problem->across[i]);
        high = held ? high : fmax(high, problem->across[i]);
        moving += !held;
    }
    double scale = high > low ? LEVELS / (high - low) : 0.0;
    for (int i = 0; i < problem->body_count; ++i)
        if (!crn_compact_is_prescribed(problem, i))
            ++level_count[level_of(problem->across[i], low, scale)];
    for (int level = 0; level < LEVELS; ++level)
    {
        slab_of[level] = (int)((int64_t)sum * compact->slab_count / (moving + 1));
        sum += level_count[level];
    }
    for (int i = 0; i < problem->body_count; ++i)
        compact->body_slab[i] = crn_compact_is_prescribed(problem, i)
                                    ? NOWHERE
                                    : (uint8_t)slab_of[level_of(problem->across[i], low, scale)];
}

cairn_status crn_compact_divide(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    compact->slab_count = slab_count(problem);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->body_slab, problem->body_count),
                            CRN_ARRAY(compact->part, problem->contact_count)));
    memset(compact->part, 0, (size_t)problem->contact_count);
    if (compact->slab_count == 0)
        return CAIRN_OK;
    divide_bodies(compact);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int a = compact->body_slab[problem->contact[j].a], b = compact->body_slab[problem->contact[j].b];
        a = a == NOWHERE ? b : a;
        b = b == NOWHERE ? a : b;
        compact->part[j] = (uint8_t)(a == b && a != NOWHERE ? a : compact->slab_count);
        assert(compact->part[j] <= compact->slab_count);
    }
    return CAIRN_OK;
}
