/* Bands of contacts, from the bottom up.
 *
 * A sweep that follows the loads of a heap carries them all the way; one that visits colour by colour carries them a few bodies
 * far. Bands keep both: contacts are sorted into bands of about equal numbers by the height of their lower body, and coloured
 * within each. A sweep takes the bands from the bottom up, the next one from the top down. Each slab (slab.c) has bands of its own, and so
 * have the contacts between slabs.
 */
#include "solve/compact/packed.h"

#include <assert.h>
#include <string.h>

enum
{
    LEAST = 384 /* contacts per band: with fewer, vectors are not filled */
};

/* How many bands each part has: its share of all. */
static void count_bands(crn_compact *compact, const int *part_count)
{
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

/* The band of each level of a part, so that its bands have about equal numbers of contacts; how many contacts each has is added to
 * band_count. */
static void divide(const int *level_count, int contacts, int first, int bands, uint16_t *band_of, int *band_count)
{
    /* band = sum * bands / contacts with the remainder `over`, without a quotient per level */
    int64_t sum = 0, over = 0, band = 0;
    for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
    {
        for (; contacts > 0 && over >= contacts; over -= contacts)
            ++band;
        band_of[level] = (uint16_t)(first + (band < bands ? band : bands - 1)); /* above all contacts: the last */
        band_count[band_of[level]] += level_count[level];
        sum += level_count[level];
        over += (int64_t)bands * level_count[level];
    }
    assert(sum == contacts);
}

/* Count the contacts of every part and level, and of every part. */
static void count_levels(crn_compact *compact, int *part_count)
{
    int parts = crn_compact_parts(compact);
    memset(compact->level_count, 0, (size_t)(parts * CRN_COMPACT_LEVELS) * sizeof(int));
    for (int j = 0; j < compact->problem->contact_count; ++j)
        ++compact->level_count[compact->key[j]];
    for (int k = 0; k < parts * CRN_COMPACT_LEVELS; ++k)
        part_count[k / CRN_COMPACT_LEVELS] += compact->level_count[k];
}

cairn_status crn_compact_band(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int part_count[CRN_COMPACT_SLABS + 1] = {0}, levels = crn_compact_parts(compact) * CRN_COMPACT_LEVELS;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->level_count, levels),
                            CRN_ARRAY(compact->level_band, levels)));
    count_levels(compact, part_count);
    count_bands(compact, part_count);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->band_start, compact->band_count + 1)));
    int next[(CRN_COMPACT_SLABS + 1) * CRN_COMPACT_BANDS] = {0};
    for (int part = 0; part < crn_compact_parts(compact); ++part)
        divide(compact->level_count + part * CRN_COMPACT_LEVELS, part_count[part], compact->part_band[part],
               compact->part_band[part + 1] - compact->part_band[part], compact->level_band + part * CRN_COMPACT_LEVELS,
               next);
    compact->band_start[0] = 0;
    for (int band = 0; band < compact->band_count; ++band)
    {
        compact->band_start[band + 1] = compact->band_start[band] + next[band];
        next[band] = compact->band_start[band];
    }
    assert(compact->band_start[compact->band_count] == problem->contact_count);
    for (int j = 0; j < problem->contact_count; ++j) /* within a band they keep their order */
    {
        crn_compact_pair body = crn_compact_bodies(problem, j);
        compact->entry[next[compact->level_band[compact->key[j]]]++] =
            (crn_compact_entry){.contact = j, .a = body.a, .b = body.b, .kind = compact->kind[j]};
    }
    return CAIRN_OK;
}
