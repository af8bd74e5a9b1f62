/* Bands of contacts, from the bottom up.
 *
 * A sweep that follows the loads of a heap carries them all the way; one that visits colour by colour carries them a few bodies
 * far. Bands keep both: contacts are sorted into bands of about equal numbers by the height of their lower body, and coloured
 * within each. A sweep takes the bands from the bottom up, the next one from the top down.
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

/* The band of each of LEVELS heights between low and high, so that bands have about equal numbers of contacts. */
static void divide(const int *level_count, int contacts, int bands, uint8_t *band_of)
{
    int64_t sum = 0;
    for (int level = 0; level < LEVELS; ++level)
    {
        band_of[level] = (uint8_t)(sum * bands / contacts);
        sum += level_count[level];
        assert(band_of[level] < bands);
    }
}

static int level_of(double height, double low, double scale)
{
    int level = (int)((height - low) * scale);
    return level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
}

/* Find the band of every contact. */
static void find_bands(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int level_count[LEVELS] = {0};
    uint8_t band_of[LEVELS];
    double low = INFINITY, high = -INFINITY;
    for (int b = 0; b < problem->body_count; ++b)
    {
        bool held = crn_compact_is_prescribed(problem, b);
        low = held ? low : fmin(low, problem->height[b]);
        high = held ? high : fmax(high, problem->height[b]);
    }
    double scale = high > low ? LEVELS / (high - low) : 0.0;
    for (int j = 0; j < problem->contact_count; ++j)
        ++level_count[level_of(height_of(problem, &problem->contact[j]), low, scale)];
    divide(level_count, problem->contact_count, compact->band_count, band_of);
    for (int j = 0; j < problem->contact_count; ++j)
        compact->band[j] = band_of[level_of(height_of(problem, &problem->contact[j]), low, scale)];
}

/* Sort the contacts by band; within one they keep their order. */
static void sort(crn_compact *compact)
{
    int next[CRN_COMPACT_BANDS + 1] = {0}, contacts = compact->problem->contact_count;
    for (int j = 0; j < contacts; ++j)
        ++next[compact->band[j] + 1];
    for (int band = 0; band < compact->band_count; ++band)
        next[band + 1] += next[band];
    memcpy(compact->band_start, next, (size_t)(compact->band_count + 1) * sizeof(int));
    for (int j = 0; j < contacts; ++j)
        compact->order[next[compact->band[j]]++] = j;
}

cairn_status crn_compact_band(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int bands = problem->height ? problem->contact_count / LEAST : 1;
    compact->band_count = bands < 1 ? 1 : bands < CRN_COMPACT_BANDS ? bands : CRN_COMPACT_BANDS;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->band_start, CRN_COMPACT_BANDS + 1),
                            CRN_ARRAY(compact->order, problem->contact_count),
                            CRN_ARRAY(compact->band, problem->contact_count)));
    memset(compact->band, 0, (size_t)problem->contact_count);
    if (compact->band_count > 1)
        find_bands(compact);
    sort(compact);
    return CAIRN_OK;
}
