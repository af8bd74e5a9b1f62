/* Rows of pairs: those of shapes that have moved are taken out, and what a search has found for these shapes is put in.
 *
 * One thread takes one pass over the list for each. For the second one the rows move to the end of the memory first, behind as many free places
 * as the fresh pairs may need, and come back one after the other with the fresh pairs between them: what is written never reaches what is
 * still to be read. Several threads have a range of rows each, with the fresh pairs of the shapes there. Each puts its rows together in memory
 * of its own; then the list is made of them.
 */
#include "base/parallel_ranges.h"
#include "collide/broad/broad.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum
{
    SHARED = 8192 /* items, from which on threads share them */
};

cairn_status crn_pair_rows_reserve(crn_pair_rows *rows, const crn_sites *sites, size_t count)
{
    CRN_TRY(crn_reserve(&rows->item, &rows->capacity, count, sizeof(int)));
    return sites->mixed ? crn_reserve(&rows->clear, &rows->clear_capacity, count, sizeof(double)) : CAIRN_OK;
}

/* Copy an item, with what is known about its pair, if `mixed`. */
static inline void copy_item(const crn_pair_rows *rows, size_t from, crn_pair_rows *out, size_t to, bool mixed)
{
    out->item[to] = rows->item[from];
    if (mixed)
        out->clear[to] = rows->clear[from];
}

/* Remove from the items i .. end-1, whole rows, the pairs of the shapes that have moved, and rows that this leaves empty. Returns the new end. */
static size_t remove_stale(crn_broad *broad, bool mixed, size_t i, size_t end)
{
    crn_pair_rows *rows = &broad->pairs;
    const bool *moved = broad->moved;
    size_t to = i;
    while (i < end)
    {
        size_t row = to;
        bool stale = moved[~rows->item[i]];
        rows->item[to++] = rows->item[i++];
        for (; i < end && rows->item[i] >= 0; ++i)
        {
            bool stays = !(stale | moved[rows->item[i]]);
            copy_item(rows, i, rows, to, mixed);
            to += stays;
        }
        to = to == row + 1 ? row : to;
    }
    return to;
}

/* ------------------------------------------------------------------------------------------------------- inserting */

/* Rows on their way to another place, of the same list or of another one, and the pair that is to come between them. */
typedef struct inserting
{
    const crn_broad *broad;
    int searchers;
    bool mixed;
    const crn_pair_rows *rows;
    size_t from, end;
    crn_pair_rows *out;
    size_t to;
    int below;    /* pairs of this shape and higher ones are somebody else's */
    size_t *next; /* per searcher: the first pair that is not inserted yet */
    int whose;
    crn_shape_pair fresh; /* b < 0: none is left */
} inserting;

/* Find the first pair that is not inserted yet, of all searchers. */
static void find_fresh(inserting *w)
{
    w->fresh = (crn_shape_pair){w->below, -1};
    for (int k = 0; k < w->searchers; ++k)
    {
        const crn_pair_list *found = &w->broad->searcher[k].pairs;
        if (w->next[k] == found->count || found->pair[w->next[k]].a >= w->below ||
            crn_pair_key(found->pair[w->next[k]]) > crn_pair_key(w->fresh))
            continue;
        w->fresh = found->pair[w->next[k]];
        w->whose = k;
    }
}

/* Of a fresh pair nothing is known yet. */
static void write_fresh(inserting *w)
{
    w->out->item[w->to] = w->fresh.b;
    if (w->mixed)
        w->out->clear[w->to] = -INFINITY;
    ++w->to;
    ++w->next[w->whose];
    find_fresh(w);
}

/* Move the rows before that of the fresh pair. */
static void move_rows(inserting *w)
{
    const int *item = w->rows->item;
    for (; w->from < w->end && (item[w->from] >= 0 || ~item[w->from] < w->fresh.a); ++w->from)
        copy_item(w->rows, w->from, w->out, w->to++, w->mixed);
}

/* Make one row of the fresh pairs of a shape and of those that it has already. */
static void join_row(inserting *w)
{
    int a = w->fresh.a;
    const int *item = w->rows->item;
    w->from += w->from < w->end && ~item[w->from] == a;
    w->out->item[w->to++] = ~a;
    while (w->fresh.a == a && w->from < w->end && item[w->from] >= 0)
        if (item[w->from] < w->fresh.b)
            copy_item(w->rows, w->from++, w->out, w->to++, w->mixed);
        else
            write_fresh(w);
    while (w->fresh.a == a)
        write_fresh(w);
}

static void insert_fresh(inserting *w)
{
    find_fresh(w);
    while (w->fresh.b >= 0)
    {
        move_rows(w);
        join_row(w);
    }
    move_rows(w);
    assert(w->from == w->end);
    w->out->count = w->to;
}

/* Shared work on the rows; `cursor`: parts x searchers places among what these have found. */
typedef struct replacing
{
    crn_broad *broad;
    const crn_sites *sites;
    int parts, searchers;
} replacing;

/* Find the first fresh pairs of shapes from `first` on. Returns how many items those of shapes below `below` take at most. */
static size_t find_range(const replacing *r, int first, int below, size_t *next)
{
    size_t count = 0;
    for (int k = 0; k < r->searchers; ++k)
    {
        const crn_pair_list *found = &r->broad->searcher[k].pairs;
        size_t low = 0, high = found->count;
        while (low < high)
        {
            size_t middle = low + (high - low) / 2;
            bool is_less = found->pair[middle].a < first;
            low = is_less ? middle + 1 : low;
            high = is_less ? high : middle;
        }
        next[k] = low;
        for (size_t i = low; i < found->count && found->pair[i].a < below; ++i)
            count += i > low && found->pair[i].a == found->pair[i - 1].a ? 1 : 2;
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------------ one or many */

static cairn_status replace_alone(const replacing *r)
{
    crn_pair_rows *rows = &r->broad->pairs;
    bool mixed = r->sites->mixed;
    size_t fresh = find_range(r, 0, INT_MAX, r->broad->cursor);
    rows->count = remove_stale(r->broad, mixed, 0, rows->count);
    if (fresh == 0)
        return CAIRN_OK;
    CRN_TRY(crn_pair_rows_reserve(rows, r->sites, rows->count + fresh));
    memmove(rows->item + fresh, rows->item, rows->count * sizeof(int));
    if (mixed)
        memmove(rows->clear + fresh, rows->clear, rows->count * sizeof(double));
    inserting w = {.broad = r->broad,
                   .searchers = r->searchers,
                   .mixed = mixed,
                   .rows = rows,
                   .from = fresh,
                   .end = fresh + rows->count,
                   .out = rows,
                   .below = INT_MAX,
                   .next = r->broad->cursor};
    insert_fresh(&w);
    assert(w.to <= w.end);
    return CAIRN_OK;
}

/* The rows of a part: item where they begin, and the first shape. */
static size_t first_item(const replacing *r, int part)
{
    const crn_pair_rows *rows = &r->broad->pairs;
    size_t i = crn_part(rows->count, r->parts, part);
    while (i < rows->count && rows->item[i] >= 0)
        ++i;
    return i;
}

static int first_shape(const replacing *r, int part)
{
    size_t i = r->broad->searcher[part].first;
    return part == 0 ? 0 : i < r->broad->pairs.count ? ~r->broad->pairs.item[i] : INT_MAX;
}

static void replace_part(void *data, int part)
{
    const replacing *r = data;
    crn_broad *broad = r->broad;
    crn_searcher *mine = &broad->searcher[part];
    size_t end = part + 1 < r->parts ? mine[1].first : broad->pairs.count;
    inserting w = {.broad = broad,
                   .searchers = r->searchers,
                   .mixed = r->sites->mixed,
                   .rows = &broad->pairs,
                   .from = mine->first,
                   .out = &mine->rows,
                   .below = part + 1 < r->parts ? mine[1].first_shape : INT_MAX,
                   .next = broad->cursor + (size_t)part * (size_t)r->searchers};
    size_t fresh = find_range(r, mine->first_shape, w.below, w.next);
    w.end = remove_stale(broad, w.mixed, mine->first, end);
    mine->status = crn_pair_rows_reserve(&mine->rows, r->sites, w.end - w.from + fresh);
    if (!mine->status)
        insert_fresh(&w);
}

static void copy_part(void *data, int part)
{
    const replacing *r = data;
    crn_pair_rows *all = &r->broad->pairs;
    const crn_searcher *mine = &r->broad->searcher[part];
    if (mine->rows.count == 0)
        return;
    memcpy(all->item + mine->first, mine->rows.item, mine->rows.count * sizeof(int));
    if (r->sites->mixed)
        memcpy(all->clear + mine->first, mine->rows.clear, mine->rows.count * sizeof(double));
}

static cairn_status replace_together(replacing *r)
{
    crn_broad *broad = r->broad;
    size_t total = 0;
    for (int part = 0; part < r->parts; ++part)
    {
        broad->searcher[part].first = first_item(r, part);
        broad->searcher[part].first_shape = first_shape(r, part);
    }
    crn_in_parts(r->parts, replace_part, r);
    for (int part = 0; part < r->parts; ++part)
    {
        CRN_TRY(broad->searcher[part].status);
        broad->searcher[part].first = total;
        total += broad->searcher[part].rows.count;
    }
    CRN_TRY(crn_pair_rows_reserve(&broad->pairs, r->sites, total));
    broad->pairs.count = total;
    crn_in_parts(r->parts, copy_part, r);
    return CAIRN_OK;
}

cairn_status crn_pair_rows_replace(crn_broad *broad, const crn_sites *sites, int searchers, int threads)
{
    replacing r = {broad, sites, broad->pairs.count < SHARED ? 1 : threads, searchers};
    CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->cursor, r.parts * searchers)));
    return r.parts > 1 ? replace_together(&r) : replace_alone(&r);
}
