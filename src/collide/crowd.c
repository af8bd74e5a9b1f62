#include "collide/crowd.h"

#include "base/memory.h"
#include "base/parallel_ranges.h"
#include "collide/balls.h"

#include <stdlib.h>
#include <string.h>

static const double CERTAIN = 0.999; /* of a computed gap: the rest is left to rounding */
static const double TOUCHED =
    -1.0; /* in place of the sum of `spent` of a pair that had contacts when it was last looked at */

enum
{
    RANGE = 512,      /* items of rows of pairs, of which a range has at least as many */
    RANGES = 4,       /* per thread, at most: some take longer than others */
    SIEVE = CRN_BALLS /* items that are looked at together */
};

typedef struct shared
{
    crn_crowd *crowd;
    const crn_crowd_run *run;
} shared;

/* The contacts of two shapes that are not both balls. Bounds are not compared where the pair had contacts: it mostly still has. */
static cairn_status touch_others(const crn_crowd_run *run, crn_narrow_worker *t, crn_shape_pair pair, size_t i,
                                 double spent)
{
    const crn_sites *sites = run->narrow.sites;
    const crn_pair_rows *pairs = &run->broad->pairs;
    bool touched = sites->mixed && pairs->clear[i] == TOUCHED;
    double gap = touched ? 0.0 : crn_broad_gap(sites, pair);
    if (!(gap > 0.0))
    {
        if (!crn_narrow_allows(&run->narrow, pair))
            return CAIRN_OK;
        size_t before = t->contact_count;
        CRN_TRY(crn_touch_pair(&run->narrow, t, pair, &gap));
        touched = t->contact_count > before;
    }
    if (sites->mixed)
        pairs->clear[i] = gap > 0.0 ? spent + CERTAIN * gap : touched ? TOUCHED : -INFINITY;
    return CAIRN_OK;
}

static inline bool are_balls(const crn_sites *sites, crn_shape_pair pair)
{
    int a = crn_site_is_ball(&sites->site[pair.a]), b = crn_site_is_ball(&sites->site[pair.b]);
    return a & b;
}

/* A pair that needs a closer look, and its item among the rows. */
typedef struct wanted
{
    crn_shape_pair pair;
    size_t item;
} wanted;

/* The contacts of a pair; spent: the sum of those of its shapes, where that is kept. Without it, balls are known to be near. */
static cairn_status touch(const crn_crowd_run *run, crn_narrow_worker *t, wanted of, double spent)
{
    const crn_sites *sites = run->narrow.sites;
    crn_shape_pair pair = of.pair;
    if (!are_balls(sites, pair))
        return touch_others(run, t, pair, of.item, spent);
    bool is_near = !sites->mixed || crn_balls_near(&sites->site[pair.a], &sites->site[pair.b]);
    return is_near && crn_narrow_allows(&run->narrow, pair) ? crn_touch_balls(&run->narrow, t, pair) : CAIRN_OK;
}

/* The pairs among items first .. end-1, at most SIEVE, that need a closer look: of two balls those that are near, of shapes that differ those that may
 * have come within reach. About every third pair does, in no order that a processor could guess, so that nothing here branches on it, nor on where a
 * row begins. row: shape of the row at hand. */
static int sift(const crn_crowd_run *run, size_t first, size_t end, int *row, wanted out[SIEVE])
{
    const crn_sites *sites = run->narrow.sites;
    const crn_pair_rows *pairs = &run->broad->pairs;
    const double *spent = sites->mixed ? sites->spent : NULL;
    const bool *only = run->only;
    int count = 0, a = *row;
    for (size_t i = first; i < end; ++i)
    {
        bool is_pair = pairs->item[i] >= 0;
        a = is_pair ? a : ~pairs->item[i];
        crn_shape_pair pair = {a, is_pair ? pairs->item[i] : a};
        if (only && !(only[pair.a] | only[pair.b]))
            continue;
        out[count] = (wanted){pair, i};
        if (spent)
            count += (int)is_pair & !(pairs->clear[i] > spent[pair.a] + spent[pair.b]);
        else
        {
            int is_near = crn_balls_near(&sites->site[pair.a], &sites->site[pair.b]);
            count += (int)is_pair & (is_near | (int)!are_balls(sites, pair));
        }
    }
    *row = a;
    return count;
}

/* Items first .. end-1 of the rows of pairs. */
static cairn_status touch_range(const crn_crowd_run *run, crn_narrow_worker *t, size_t first, size_t end)
{
    const double *spent = run->narrow.sites->mixed ? run->narrow.sites->spent : NULL;
    int row = first < end ? crn_pair_row(&run->broad->pairs, first) : 0;
    wanted of[SIEVE];
    for (; first < end; first += SIEVE)
    {
        int count = sift(run, first, first + SIEVE < end ? first + SIEVE : end, &row, of);
        for (int k = 0; k < count; ++k)
            CRN_TRY(touch(run, t, of[k], spent ? spent[of[k].pair.a] + spent[of[k].pair.b] : 0.0));
    }
    return CAIRN_OK;
}

/* The pairs among items first .. end-1; row: shape of the row at hand. */
static int list_pairs(const crn_pair_rows *rows, size_t first, size_t end, int *row, crn_shape_pair out[SIEVE])
{
    int count = 0, a = *row;
    for (size_t i = first; i < end; ++i)
    {
        int b = rows->item[i], is_pair = b >= 0;
        a = is_pair ? a : ~b;
        out[count] = (crn_shape_pair){a, b};
        count += is_pair;
    }
    *row = a;
    return count;
}

/* Items first .. end-1 where all shapes are balls and half-spaces, and all pairs are to be looked at. */
static cairn_status touch_balls(const crn_crowd_run *run, crn_narrow_worker *t, size_t first, size_t end)
{
    int row = first < end ? crn_pair_row(&run->broad->pairs, first) : 0;
    crn_shape_pair pair[SIEVE];
    crn_ball_touch touch[SIEVE];
    for (; first < end; first += SIEVE)
    {
        int count = list_pairs(&run->broad->pairs, first, first + SIEVE < end ? first + SIEVE : end, &row, pair);
        count = crn_balls_sift(run->narrow.sites, pair, count);
        crn_balls_meet(run->narrow.sites, pair, count, touch);
        CRN_TRY(crn_take_balls(&run->narrow, t, pair, count, touch));
    }
    return CAIRN_OK;
}

static bool are_all_balls(const crn_crowd_run *run)
{
    const crn_narrow *n = &run->narrow;
    return n->model->dimension == 3 && !n->sites->mixed && !run->only && !n->reach->allows;
}

static void touch_part(void *data, int part)
{
    const shared *s = data;
    const crn_crowd_run *run = s->run;
    size_t count = run->broad->pairs.count;
    crn_narrow_worker *t = &s->crowd->worker[part];
    t->contact_count = 0;
    t->sides.count = 0;
    t->mesh.plain = run->keep_all;
    t->surface = (crn_surface){.material = {-1, -1}};
    size_t first = crn_part(count, s->crowd->parts, part), end = crn_part(count, s->crowd->parts, part + 1);
    t->status = (are_all_balls(run) ? touch_balls : touch_range)(run, t, first, end);
}

/* Concatenate the sides of all ranges. */
static cairn_status join_sides(crn_crowd *crowd)
{
    size_t total = 0;
    crn_sides *all = &crowd->sides;
    for (int k = 0; k < crowd->parts; ++k)
        total += crowd->worker[k].sides.count;
    all->count = 0;
    CRN_TRY(crn_reserve(&all->side, &all->capacity, total, sizeof *all->side));
    for (int k = 0; k < crowd->parts; ++k)
    {
        const crn_sides *some = &crowd->worker[k].sides;
        if (some->count > 0)
            memcpy(all->side + all->count, some->side, some->count * sizeof *all->side);
        all->count += some->count;
    }
    return CAIRN_OK;
}

static void copy_part(void *data, int part)
{
    const shared *s = data;
    const crn_narrow_worker *t = &s->crowd->worker[part];
    if (t->contact_count > 0)
        memcpy(s->crowd->contacts + t->first, t->contacts, t->contact_count * sizeof(crn_contact));
}

/* Exchange the memory of the list with that of a worker's contacts: a single range writes the list itself. */
static void exchange(crn_crowd *crowd, crn_narrow_worker *t)
{
    crn_contact *contacts = t->contacts;
    size_t capacity = t->contact_capacity;
    t->contacts = crowd->contacts;
    t->contact_capacity = crowd->capacity;
    crowd->contacts = contacts;
    crowd->capacity = capacity;
}

/* The last list becomes the spare memory, and the spare memory that of the next list. */
static void turn_over(crn_crowd *crowd)
{
    if (!crowd->spare)
        return;
    crn_scratch last = {crowd->contacts, crowd->capacity * sizeof(crn_contact)};
    crowd->contacts = crowd->spare->memory;
    crowd->capacity = crowd->spare->capacity / sizeof(crn_contact);
    *crowd->spare = last;
}

/* Concatenate the contacts of all ranges; those of a single range are the list. */
static cairn_status join(const shared *s, const crn_contact **contacts, int *count)
{
    crn_crowd *crowd = s->crowd;
    size_t total = 0;
    for (int k = 0; k < crowd->parts; ++k)
    {
        CRN_TRY(crowd->worker[k].status);
        crowd->worker[k].first = total;
        total += crowd->worker[k].contact_count;
    }
    CRN_TRY(join_sides(crowd));
    if (crowd->parts > 1)
    {
        CRN_TRY(crn_reserve(&crowd->contacts, &crowd->capacity, total, sizeof(crn_contact)));
        crn_share_parts(s->run->threads, crowd->parts, copy_part, (void *)s);
    }
    *contacts = crowd->contacts;
    *count = (int)total;
    return CAIRN_OK;
}

cairn_status crn_crowd_touch(crn_crowd *crowd, const crn_crowd_run *run, const crn_contact **contacts, int *count)
{
    assert(run->threads >= 1);
    shared s = {crowd, run};
    size_t ranges = run->broad->pairs.count / RANGE, most = run->threads > 1 ? RANGES * (size_t)run->threads : 1;
    crowd->parts = (int)(ranges < 1 ? 1 : ranges < most ? ranges : most);
    *contacts = NULL;
    *count = 0;
    CRN_TRY(crn_reserve_all(&crowd->memory, CRN_ARRAY(crowd->worker, crowd->parts)));
    crowd->worker_count = crowd->parts > crowd->worker_count ? crowd->parts : crowd->worker_count;
    turn_over(crowd);
    if (crowd->parts == 1)
        exchange(crowd, &crowd->worker[0]);
    crn_share_parts(run->threads, crowd->parts, touch_part, &s);
    if (crowd->parts == 1)
        exchange(crowd, &crowd->worker[0]);
    CRN_TRY(join(&s, contacts, count));
    for (int i = 1; i < *count; ++i)
        assert((*contacts)[i - 1].identity < (*contacts)[i].identity);
    return CAIRN_OK;
}

void crn_crowd_free(crn_crowd *crowd)
{
    for (int k = 0; k < crowd->worker_count; ++k)
        crn_narrow_worker_free(&crowd->worker[k]);
    free(crowd->contacts);
    crn_sides_free(&crowd->sides);
    crn_arena_release(&crowd->memory);
    *crowd = (crn_crowd){.worker = NULL};
}

cairn_status crn_crowd_insert(crn_crowd *crowd, int count, const crn_contact *more, int more_count,
                              const crn_contact **contacts)
{
    assert(count >= 0 && more_count >= 0);
    assert(*contacts == crowd->contacts);
    CRN_TRY(crn_reserve(&crowd->contacts, &crowd->capacity, (size_t)count + (size_t)more_count, sizeof(crn_contact)));
    crn_contact *all = crowd->contacts;
    for (int i = count, j = more_count; j > 0;) /* from the end, so that none is overwritten before it has moved */
    {
        bool is_old = i > 0 && all[i - 1].identity > more[j - 1].identity;
        all[i + j - 1] = is_old ? all[i - 1] : more[j - 1];
        i -= is_old;
        j -= !is_old;
    }
    *contacts = all;
    return CAIRN_OK;
}
