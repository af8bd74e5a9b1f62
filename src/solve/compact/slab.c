/* Where bodies are: the slab and the level of height of each.
 *
 * Slabs are parts of a large problem that threads sweep by themselves. Waiting for each other at every colour of every band would cost
 * threads more than the visits. The bodies that can move are divided into upright slabs of about equal numbers, and a contact belongs to
 * a slab if its moving bodies do. A sweep takes all slabs, each from the bottom up and by one thread, and then the contacts between slabs;
 * the next sweep goes backwards. Slabs depend on the problem alone, not on the number of threads, and so do the results. They are
 * THICKNESS bodies thick, so that few contacts lie between them.
 *
 * Where several threads sweep, the contacts between two neighbouring slabs make a seam. Seams that share no body can be visited at the same
 * time, with the same bits as one after another, and each waits for its two slabs alone (base/parallel_row.h). A body that touches other
 * than neighbouring slabs, or lies in two seams, makes one part of all of them, which follows when all slabs are done.
 */
#include "solve/compact/packed.h"

#include "base/parallel_ranges.h"
#include "base/parallel_row.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    THICKNESS = 5
};

/* An even number, since most machines have an even number of cores. */
int crn_compact_slabs(int body_count)
{
    int count = (int)(cbrt(body_count) / THICKNESS) & ~1;
    return count < CRN_COMPACT_SLABS ? count : CRN_COMPACT_SLABS;
}

size_t crn_compact_room(int body_count)
{
    int slabs = crn_compact_slabs(body_count);
    return (size_t)body_count + (size_t)(CRN_COMPACT_SPARE * (slabs > 0 ? slabs : 1));
}

/* Places along a direction, in levels. */
typedef struct scale
{
    double low, levels_per_metre;
} scale;

static int level_of(scale s, double place)
{
    int level = (int)((place - s.low) * s.levels_per_metre);
    return level < 0 ? 0 : level < CRN_COMPACT_LEVELS ? level : CRN_COMPACT_LEVELS - 1;
}

/* Bodies on their way to slabs and levels, part by part. */
typedef struct dividing
{
    crn_compact *compact;
    int parts;
    scale height, across;
    struct spread
    {
        double low, high;
    } height_of[CRN_COMPACT_SHARES], across_of[CRN_COMPACT_SHARES]; /* per part: of the moving bodies */
    int slab_of[CRN_COMPACT_LEVELS];
} dividing;

static inline void widen(struct spread *spread, const double *place, int body)
{
    double x = place ? place[body] : 0.0;
    spread->low = x < spread->low ? x : spread->low;
    spread->high = x > spread->high ? x : spread->high;
}

static void spread_part(void *data, int part)
{
    dividing *d = data;
    const crn_compact_problem *problem = d->compact->problem;
    struct spread height = {INFINITY, -INFINITY}, across = height;
    int end = (int)crn_part((size_t)problem->body_count, d->parts, part + 1);
    for (int i = (int)crn_part((size_t)problem->body_count, d->parts, part); i < end; ++i)
    {
        if (crn_compact_is_prescribed(problem, i))
            continue;
        widen(&height, problem->height, i);
        widen(&across, problem->across, i);
    }
    d->height_of[part] = height;
    d->across_of[part] = across;
}

static scale scale_of(const struct spread *spread, int parts)
{
    double low = INFINITY, high = -INFINITY;
    for (int part = 0; part < parts; ++part)
    {
        low = spread[part].low < low ? spread[part].low : low;
        high = spread[part].high > high ? spread[part].high : high;
    }
    return (scale){low, high > low ? CRN_COMPACT_LEVELS / (high - low) : 0.0};
}

/* Levels of height, and in the room for contacts that of a part the moving bodies of every level across. */
static void level_part(void *data, int part)
{
    dividing *d = data;
    crn_compact *compact = d->compact;
    const crn_compact_problem *problem = compact->problem;
    int *count = crn_compact_counts(compact, part);
    int end = (int)crn_part((size_t)problem->body_count, d->parts, part + 1);
    memset(count, 0, CRN_COMPACT_LEVELS * sizeof *count);
    for (int i = (int)crn_part((size_t)problem->body_count, d->parts, part); i < end; ++i)
    {
        bool is_held = crn_compact_is_prescribed(problem, i);
        int level = is_held ? CRN_COMPACT_LEVELS - 1 : problem->height ? level_of(d->height, problem->height[i]) : 0;
        compact->site[i] = (crn_compact_site){.band = -1, .level = (uint16_t)level, .is_held = is_held};
        if (compact->slab_count > 0)
            count[is_held ? 0 : level_of(d->across, problem->across[i])] += !is_held;
    }
}

static void slab_part(void *data, int part)
{
    const dividing *d = data;
    const crn_compact_problem *problem = d->compact->problem;
    int end = (int)crn_part((size_t)problem->body_count, d->parts, part + 1);
    for (int i = (int)crn_part((size_t)problem->body_count, d->parts, part); i < end; ++i)
        if (!d->compact->site[i].is_held)
            d->compact->site[i].slab = (uint8_t)d->slab_of[level_of(d->across, problem->across[i])];
}

/* The slab of every level across: about equal numbers of moving bodies. */
static void divide_levels(dividing *d)
{
    int moving = 0, sum = 0;
    for (int part = 0; part < d->parts; ++part)
        for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
            moving += crn_compact_counts(d->compact, part)[level];
    for (int level = 0; level < CRN_COMPACT_LEVELS; ++level)
    {
        d->slab_of[level] = (int)((int64_t)sum * d->compact->slab_count / (moving + 1));
        for (int part = 0; part < d->parts; ++part)
            sum += crn_compact_counts(d->compact, part)[level];
    }
}

cairn_status crn_compact_divide(crn_compact *compact)
{
    const crn_compact_problem *problem = compact->problem;
    compact->slab_count = problem->across ? crn_compact_slabs(problem->body_count) : 0;
    compact->seam_count =
        compact->slab_count > 0 && problem->threads > 1 ? compact->slab_count - 1 : compact->slab_count > 0;
    compact->key_count = (crn_compact_parts(compact) + 1) * CRN_COMPACT_LEVELS;
    dividing d;
    d.compact = compact;
    d.parts = crn_compact_shares(problem);
    CRN_TRY(crn_reserve_all(&compact->memory, CRN_ARRAY(compact->level_count, d.parts * compact->key_count),
                            CRN_ARRAY(compact->level_band, compact->key_count)));
    crn_in_parts(d.parts, spread_part, &d);
    d.height = scale_of(d.height_of, d.parts);
    d.across = scale_of(d.across_of, d.parts);
    crn_in_parts(d.parts, level_part, &d);
    if (compact->slab_count == 0)
        return CAIRN_OK;
    divide_levels(&d);
    crn_in_parts(d.parts, slab_part, &d);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------------- turns */

/* Parts that take turns. */
typedef struct turns
{
    const crn_compact *compact;
    void (*work)(void *data, int part, int phase);
    void *data;
    int phase;
} turns;

/* In a row: slab, seam, slab, ... */
static void take_turn_in_row(void *data, int place, int phase)
{
    turns *t = data;
    t->work(t->data, place % 2 ? t->compact->slab_count + place / 2 : place / 2, phase);
}

static void take_turn_of_slab(void *data, int slab)
{
    turns *t = data;
    t->work(t->data, slab, t->phase);
}

void crn_compact_alternate(const crn_compact *compact, int phases, bool seams_first,
                           void (*work)(void *data, int part, int phase), void *data)
{
    int threads = compact->problem->threads, slabs = compact->slab_count;
    turns t = {.compact = compact, .work = work, .data = data};
    if (threads > 1 && slabs > 0 && compact->seam_count == slabs - 1)
    {
        crn_row row = {2 * slabs - 1, phases, seams_first, take_turn_in_row, &t};
        crn_share_row(threads, &row);
        return;
    }
    for (t.phase = 0; t.phase < phases; ++t.phase)
        if (slabs > 0 && t.phase % 2 == seams_first)
            crn_share_parts(threads, slabs, take_turn_of_slab, &t);
        else if (t.phase % 2 != seams_first)
            for (int part = slabs; part < crn_compact_parts(compact); ++part)
                work(data, part, t.phase);
}
