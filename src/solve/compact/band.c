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

/* How many bands each part has: its share of all. All seams together count as one part, and have the same bands. */
static void count_bands(crn_compact *compact, const int *part_count)
{
    int parts = crn_compact_parts(compact), slabs = compact->slab_count, between = 0;
    for (int part = slabs; part < parts; ++part)
        between += part_count[part];
    compact->part_band[0] = 0;
    for (int part = 0; part < parts; ++part)
    {
        int count = part < slabs ? part_count[part] : between, bands = compact->problem->height ? count / LEAST : 1;
        int64_t share = (int64_t)CRN_COMPACT_BANDS * count;
        int most = share > 0 ? (int)(share / compact->problem->contact_count) : 1;
        bands = bands < most ? bands : most;
        bands = bands < 1 ? 1 : bands;
        compact->part_band[part + 1] = compact->part_band[part] + bands;
    }
    compact->band_count = compact->part_band[parts];
}

/* The band of each level of a part, so that its bands have about equal numbers of contacts. */
static void divide(const int *level_count, int contacts, int first, int bands, uint16_t *band_of)
{
    /* band = sum * bands / contacts with the remainder `over`, without a quotient per level */
    int64_t sum = 0, over = 0, band = 0;
    for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
    {
        for (; contacts > 0 && over >= contacts; over -= contacts)
            ++band;
        band_of[level] = (uint16_t)(first + (band < bands ? band : bands - 1)); /* above all contacts: the last */
        sum += level_count[level];
        over += (int64_t)bands * level_count[level];
    }
    assert(sum == contacts);
}

/* Seams are divided at the same levels, those of all their contacts. */
static void divide_seams(crn_compact *compact)
{
    int level_count[CRN_COMPACT_LEVELS] = {0}, contacts = 0, slabs = compact->slab_count;
    for (int part = slabs; part < crn_compact_parts(compact); ++part)
        for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
            level_count[level] += compact->level_count[part * CRN_COMPACT_LEVELS + level];
    for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
        contacts += level_count[level];
    for (int part = slabs; part < crn_compact_parts(compact); ++part)
        divide(level_count, contacts, compact->part_band[part], compact->part_band[part + 1] - compact->part_band[part],
               compact->level_band + part * CRN_COMPACT_LEVELS);
}

/* Whether a body lies in two seams. The masks of sites are still unused: they hold the seams. */
static bool seams_meet(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    uint64_t meet = 0;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        int part = compact->key[j] / CRN_COMPACT_LEVELS;
        if (part < compact->slab_count)
            continue;
        const crn_compact_pair body = crn_compact_bodies(problem, j);
        uint64_t *a = &compact->site[body.a].mask, *b = &compact->site[body.b].mask;
        *a |= UINT64_C(1) << part;
        *b |= UINT64_C(1) << part;
        meet |= (*a & (*a - 1)) | (*b & (*b - 1));
    }
    return meet != 0;
}

/* Count the contacts of every level of every part, those in no seam last. */
static void count_levels(crn_compact *compact)
{
    int levels = (crn_compact_parts(compact) + 1) * CRN_COMPACT_LEVELS;
    memset(compact->level_count, 0, (size_t)levels * sizeof(int));
    for (int j = 0; j < compact->problem->contact_count; ++j)
        ++compact->level_count[compact->key[j]];
}

static int count_part(const crn_compact *compact, int part)
{
    int count = 0;
    for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
        count += compact->level_count[part * CRN_COMPACT_LEVELS + level];
    return count;
}

/* Make one part of all seams where they cannot be apart. */
static void join_seams(crn_compact *compact)
{
    int seams = compact->slab_count * CRN_COMPACT_LEVELS;
    if (compact->seam_count <= 1 || (count_part(compact, crn_compact_parts(compact)) == 0 && !seams_meet(compact)))
        return;
    for (int j = 0; j < compact->problem->contact_count; ++j)
        if (compact->key[j] >= seams)
            compact->key[j] = (uint16_t)(seams + compact->key[j] % CRN_COMPACT_LEVELS);
    compact->seam_count = 1;
    count_levels(compact);
}

/* Where the contacts of each band begin, and how many bands there are. */
static cairn_status make_bands(crn_compact *compact, int *next)
{
    int part_count[CRN_COMPACT_PARTS], parts = crn_compact_parts(compact);
    for (int part = 0; part < parts; ++part)
        part_count[part] = count_part(compact, part);
    count_bands(compact, part_count);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->band_start, compact->band_count + 1)));
    for (int part = 0; part < compact->slab_count; ++part)
        divide(compact->level_count + part * CRN_COMPACT_LEVELS, part_count[part], compact->part_band[part],
               compact->part_band[part + 1] - compact->part_band[part],
               compact->level_band + part * CRN_COMPACT_LEVELS);
    divide_seams(compact);
    for (int key = 0; key < parts * CRN_COMPACT_LEVELS; ++key)
        next[compact->level_band[key]] += compact->level_count[key];
    compact->band_start[0] = 0;
    for (int band = 0; band < compact->band_count; ++band)
    {
        compact->band_start[band + 1] = compact->band_start[band] + next[band];
        next[band] = compact->band_start[band];
    }
    assert(compact->band_start[compact->band_count] == compact->problem->contact_count);
    return CAIRN_OK;
}

cairn_status crn_compact_band(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    int next[CRN_COMPACT_PARTS * CRN_COMPACT_BANDS] = {0},
                                 levels = (crn_compact_parts(compact) + 1) * CRN_COMPACT_LEVELS;
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->level_count, levels),
                            CRN_ARRAY(compact->level_band, levels)));
    count_levels(compact);
    join_seams(compact);
    CRN_TRY(make_bands(compact, next));
    for (int j = 0; j < problem->contact_count; ++j) /* within a band they keep their order */
    {
        crn_compact_pair body = crn_compact_bodies(problem, j);
        compact->entry[next[compact->level_band[compact->key[j]]]++] =
            (crn_compact_entry){.contact = j, .a = body.a, .b = body.b, .kind = compact->kind[j]};
    }
    return CAIRN_OK;
}
