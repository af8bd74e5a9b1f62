/* Bands of contacts, from the bottom up.
 *
 * A sweep that follows the loads of a heap carries them all the way; one that visits colour by colour carries them a few bodies
 * far. Bands keep both: contacts are sorted into bands of about equal numbers by the height of their lower body, and coloured
 * within each. A sweep takes the bands from the bottom up, the next one from the top down. Each slab (slab.c) has bands of its own, and so
 * have the contacts between slabs.
 */
#include "solve/compact/packed.h"

#include "base/foresee.h"
#include "base/parallel_ranges.h"

#include <assert.h>
#include <string.h>

enum
{
    LEAST = 384, /* contacts per band: with fewer, vectors are not filled */
    MOST_BANDS = CRN_COMPACT_PARTS *
                 CRN_COMPACT_BANDS /* of all parts: every seam has as many as all contacts between slabs would */
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
static void divide_seams(crn_compact *compact, const int *count)
{
    int level_count[CRN_COMPACT_LEVELS] = {0}, contacts = 0, slabs = compact->slab_count;
    for (int part = slabs; part < crn_compact_parts(compact); ++part)
        for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
            level_count[level] += count[part * CRN_COMPACT_LEVELS + level];
    for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
        contacts += level_count[level];
    for (int part = slabs; part < crn_compact_parts(compact); ++part)
        divide(level_count, contacts, compact->part_band[part], compact->part_band[part + 1] - compact->part_band[part],
               compact->level_band + part * CRN_COMPACT_LEVELS);
}

/* Make one part of all seams where they cannot be apart. */
static void join_seams(crn_compact *compact, int shares)
{
    int seams = compact->slab_count * CRN_COMPACT_LEVELS;
    bool apart = true;
    for (int share = 0; share < shares; ++share)
        apart = apart && compact->is_apart[share];
    if (compact->seam_count <= 1 || apart)
        return;
    for (int j = 0; j < compact->problem->contact_count; ++j)
        if (compact->key[j] >= seams)
            compact->key[j] = (uint16_t)(seams + compact->key[j] % CRN_COMPACT_LEVELS);
    for (int share = 0; share < shares; ++share)
    {
        int *count = crn_compact_counts(compact, share);
        for (int key = seams + CRN_COMPACT_LEVELS; key < compact->key_count; ++key)
            count[seams + key % CRN_COMPACT_LEVELS] += count[key];
    }
    compact->seam_count = 1;
}

/* Add to what each share has counted what those before it have, so that the last one has all. */
static void add_up(crn_compact *compact, int shares)
{
    for (int share = 1; share < shares; ++share)
        for (int key = 0; key < compact->key_count; ++key)
            crn_compact_counts(compact, share)[key] += crn_compact_counts(compact, share - 1)[key];
}

/* Add to every band the contacts that this share and those before it have there. */
static void add_to_bands(const crn_compact *compact, int share, int *bands)
{
    const int *count = crn_compact_counts(compact, share);
    for (int key = 0; key < crn_compact_parts(compact) * CRN_COMPACT_LEVELS; ++key)
        bands[compact->level_band[key]] += count[key];
}

/* The band of every key. */
static cairn_status divide_parts(crn_compact *compact, const int *level_count)
{
    int part_count[CRN_COMPACT_PARTS] = {0}, parts = crn_compact_parts(compact);
    for (int key = 0; key < parts * CRN_COMPACT_LEVELS; ++key)
        part_count[key / CRN_COMPACT_LEVELS] += level_count[key];
    count_bands(compact, part_count);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->band_start, compact->band_count + 1)));
    for (int part = 0; part < compact->slab_count; ++part)
        divide(level_count + part * CRN_COMPACT_LEVELS, part_count[part], compact->part_band[part],
               compact->part_band[part + 1] - compact->part_band[part],
               compact->level_band + part * CRN_COMPACT_LEVELS);
    divide_seams(compact, level_count);
    return CAIRN_OK;
}

/* Where the contacts of each band begin. */
static void start_bands(crn_compact *compact, int shares)
{
    memset(compact->band_start, 0, (size_t)(compact->band_count + 1) * sizeof *compact->band_start);
    add_to_bands(compact, shares - 1, compact->band_start + 1);
    for (int band = 0; band < compact->band_count; ++band)
        compact->band_start[band + 1] += compact->band_start[band];
    assert(compact->band_start[compact->band_count] == compact->problem->contact_count);
}

/* The contacts of a share, behind those of the shares before it: within a band they keep their order. */
static void list_share(void *data, int share)
{
    crn_compact *compact = data;
    const crn_compact_problem *problem = compact->problem;
    int next[MOST_BANDS], shares = crn_compact_shares(problem);
    int end = (int)crn_part((size_t)problem->contact_count, shares, share + 1);
    assert(compact->band_count <= MOST_BANDS);
    memcpy(next, compact->band_start, (size_t)compact->band_count * sizeof *next);
    if (share > 0)
        add_to_bands(compact, share - 1, next);
    for (int j = (int)crn_part((size_t)problem->contact_count, shares, share); j < end; ++j)
    {
        crn_compact_pair body = crn_compact_bodies(problem, j);
        if (!problem->contact)
            crn_foresee(problem->list.bodies, (size_t)(j + CRN_FORESEEN) * problem->list.stride);
        compact->entry[next[compact->level_band[compact->key[j]]]++] =
            (crn_compact_entry){.contact = j, .a = body.a, .b = body.b, .kind = compact->kind[j]};
    }
}

cairn_status crn_compact_band(crn_compact *compact)
{
    int shares = crn_compact_shares(compact->problem);
    join_seams(compact, shares);
    add_up(compact, shares);
    CRN_TRY(divide_parts(compact, crn_compact_counts(compact, shares - 1)));
    start_bands(compact, shares);
    crn_in_parts(shares, list_share, compact);
    return CAIRN_OK;
}
