/* Bands of contacts, from the bottom up.
 *
 * A sweep that follows the loads of a heap carries them all the way; one that visits colour by colour carries them a few bodies
 * far. Bands keep both: contacts are sorted into bands of about equal numbers by the height of their lower body, and coloured
 * within each. A sweep takes the bands from the bottom up, the next one from the top down. Each slab (slab.c) has bands of its own, and so
 * have the contacts between slabs.
 */
#include "solve/compact/packed.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    LEAST = 384,  /* contacts per band: with fewer, vectors are not filled */
    LEVELS = 1024 /* of heights */
};

/* The lower of the moving bodies of a contact. */
static double height_of(const crn_compact_problem *problem, const crn_compact_contact *c)
{
    bool held_a = crn_compact_is_prescribed(problem, c->a), held_b = crn_compact_is_prescribed(problem, c->b);
    double a = problem->height[c->a], b = problem->height[c->b];
    return held_a ? b : held_b ? a : fmin(a, b);
}

/* The band of each of LEVELS heights, from band `first` on, so that bands have about equal numbers of contacts. */
static void divide(const int *level_count, int contacts, int first, int bands, uint16_t *band_of)
{
    int64_t sum = 0;
    for (int level = 0; level < LEVELS; ++level)
    {
        int64_t band = contacts > 0 ? sum * bands / contacts : 0;
        band_of[level] = (uint16_t)(first + (band < bands ? band : bands - 1)); /* above all contacts: the last */
        sum += level_count[level];
    }
    assert(sum == contacts);
}

static int level_of(double height, double low, double scale)
{
    int level = (int)((height - low) * scale);
    return level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
}

/* How the moving bodies spread. */
static void find_range(const crn_compact_problem *problem, double *low, double *scale)
{
    double high = -INFINITY;
    *low = INFINITY;
    for (int b = 0; b < problem->body_count; ++b)
    {
        bool held = crn_compact_is_prescribed(problem, b);
        *low = held ? *low : fmin(*low, problem->height[b]);
        high = held ? high : fmax(high, problem->height[b]);
    }
    *scale = high > *low ? LEVELS / (high - *low) : 0.0;
}

/* Find the band of every contact. */
static void find_bands(crn_compact *compact, const int *part_count)
{
    const crn_compact_problem *problem = compact->problem;
    int parts = crn_compact_parts(compact);
    double low, scale;
    find_range(problem, &low, &scale);
    memset(compact->level_count, 0, (size_t)(parts * LEVELS) * sizeof(int));
    for (int j = 0; j < problem->contact_count; ++j)
        ++compact
              ->level_count[compact->part[j] * LEVELS + level_of(height_of(problem, &problem->contact[j]), low, scale)];
    for (int part = 0; part < parts; ++part)
    {
        int first = compact->part_band[part];
        divide(compact->level_count + part * LEVELS, part_count[part], first, compact->part_band[part + 1] - first,
               compact->level_band + part * LEVELS);
    }
    for (int j = 0; j < problem->contact_count; ++j)
        compact->band[j] = compact->level_band[compact->part[j] * LEVELS +
                                               level_of(height_of(problem, &problem->contact[j]), low, scale)];
}

/* Sort the contacts by band; within one they keep their order. */
static void sort(crn_compact *compact)
{
    int next[(CRN_COMPACT_SLABS + 1) * CRN_COMPACT_BANDS + 1] = {0}, contacts = compact->problem->contact_count;
    for (int j = 0; j < contacts; ++j)
        ++next[compact->band[j] + 1];
    for (int band = 0; band < compact->band_count; ++band)
        next[band + 1] += next[band];
    memcpy(compact->band_start, next, (size_t)(compact->band_count + 1) * sizeof(int));
    for (int j = 0; j < contacts; ++j)
        compact->order[next[compact->band[j]]++] = j;
}

/* How many bands each part has: its share of all. */
static void count_bands(crn_compact *compact, int *part_count)
{
    for (int j = 0; j < compact->problem->contact_count; ++j)
        ++part_count[compact->part[j]];
    compact->part_band[0] = 0;
    for (int part = 0; part < crn_compact_parts(compact); ++part)
    {
        int bands = compact->problem->height ? part_count[part] / LEAST : 1;
        int64_t share = (int64_t)CRN_COMPACT_BANDS * part_count[part];
        int most = share > 0 ? (int)(share / compact->problem->contact_count) : 1;
        bands = bands < most ? bands : most;
        bands = bands < 1 ? 1 : bands;
        compact->part_band[part + 1] = compact->part_band[part] + bands;
    }
    compact->band_count = compact->part_band[crn_compact_parts(compact)];
}

cairn_status crn_compact_band(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int part_count[CRN_COMPACT_SLABS + 1] = {0}, levels = crn_compact_parts(compact) * LEVELS;
    count_bands(compact, part_count);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->band_start, compact->band_count + 1),
                            CRN_ARRAY(compact->order, problem->contact_count),
                            CRN_ARRAY(compact->band, problem->contact_count), CRN_ARRAY(compact->level_count, levels),
                            CRN_ARRAY(compact->level_band, levels)));
    if (problem->height)
        find_bands(compact, part_count);
    for (int j = 0; j < problem->contact_count && !problem->height; ++j)
        compact->band[j] = (uint16_t)compact->part_band[compact->part[j]];
    sort(compact);
    return CAIRN_OK;
}
