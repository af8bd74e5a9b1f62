/* Rows of pairs: those of shapes that have moved are taken out, and what a search has found for these shapes is put in.
 *
 * Both take one pass over the list. For the second one the rows move to the end of the memory first, behind as many free places as the
 * fresh pairs may need, and come back one after the other with the fresh pairs between them: what is written never reaches what is still
 * to be read.
 */
#include "collide/broad/broad.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

cairn_status crn_pair_rows_reserve(crn_pair_rows *rows, const crn_sites *sites, size_t count)
{
    CRN_TRY(crn_reserve(&rows->item, &rows->capacity, count, sizeof(int)));
    return sites->mixed ? crn_reserve(&rows->clear, &rows->clear_capacity, count, sizeof(double)) : CAIRN_OK;
}

/* Move an item to an earlier place, with what is known about its pair. */
static inline void move_item(crn_pair_rows *rows, size_t from, size_t to)
{
    rows->item[to] = rows->item[from];
    if (rows->clear)
        rows->clear[to] = rows->clear[from];
}

/* Remove the pairs of the shapes that have moved, and rows that this leaves empty. */
static void remove_stale(crn_broad *broad)
{
    crn_pair_rows *rows = &broad->pairs;
    const bool *moved = broad->moved;
    size_t to = 0;
    for (size_t i = 0; i < rows->count;)
    {
        size_t row = to;
        bool stale = moved[~rows->item[i]];
        rows->item[to++] = rows->item[i++];
        for (; i < rows->count && rows->item[i] >= 0; ++i)
        {
            bool stays = !(stale | moved[rows->item[i]]);
            move_item(rows, i, to);
            to += stays;
        }
        to = to == row + 1 ? row : to;
    }
    rows->count = to;
}

/* ------------------------------------------------------------------------------------------------------- inserting */

/* Rows on their way from one place of a list to an earlier one, and the pair that is to come between them. */
typedef struct inserting
{
    crn_broad *broad;
    int parts;
    crn_pair_rows *rows;
    size_t from, end, to;
    crn_searcher *whose;
    crn_shape_pair fresh; /* b < 0: none is left */
} inserting;

/* Find the first pair that is not inserted yet, of all threads. */
static void find_fresh(inserting *w)
{
    w->fresh = (crn_shape_pair){INT_MAX, -1};
    for (int k = 0; k < w->parts; ++k)
    {
        crn_searcher *mine = &w->broad->searcher[k];
        if (mine->inserted == mine->pairs.count ||
            crn_pair_key(mine->pairs.pair[mine->inserted]) > crn_pair_key(w->fresh))
            continue;
        w->fresh = mine->pairs.pair[mine->inserted];
        w->whose = mine;
    }
}

/* Of a fresh pair nothing is known yet. */
static void write_fresh(inserting *w)
{
    w->rows->item[w->to] = w->fresh.b;
    if (w->rows->clear)
        w->rows->clear[w->to] = -INFINITY;
    ++w->to;
    w->whose->inserted += 1;
    find_fresh(w);
}

/* Move the rows before that of the fresh pair. */
static void move_rows(inserting *w)
{
    const int *item = w->rows->item;
    for (; w->from < w->end && (item[w->from] >= 0 || ~item[w->from] < w->fresh.a); ++w->from)
        move_item(w->rows, w->from, w->to++);
}

/* Make one row of the fresh pairs of a shape and of those that it has already. */
static void join_row(inserting *w)
{
    int a = w->fresh.a;
    const int *item = w->rows->item;
    w->from += w->from < w->end && ~item[w->from] == a;
    w->rows->item[w->to++] = ~a;
    while (w->fresh.a == a && w->from < w->end && item[w->from] >= 0)
        if (item[w->from] < w->fresh.b)
            move_item(w->rows, w->from++, w->to++);
        else
            write_fresh(w);
    while (w->fresh.a == a)
        write_fresh(w);
}

static void insert_fresh(crn_broad *broad, int parts, size_t begin)
{
    crn_pair_rows *rows = &broad->pairs;
    inserting w = {.broad = broad, .parts = parts, .rows = rows, .from = begin, .end = begin + rows->count};
    find_fresh(&w);
    while (w.fresh.b >= 0)
    {
        move_rows(&w);
        join_row(&w);
    }
    move_rows(&w);
    assert(w.from == w.end && w.to <= w.end);
    rows->count = w.to;
}

/* The items that the pairs which the threads have found take at most. */
static size_t count_fresh(const crn_broad *broad, int parts)
{
    size_t count = 0;
    for (int k = 0; k < parts; ++k)
    {
        const crn_pair_list *found = &broad->searcher[k].pairs;
        for (size_t i = 0; i < found->count; ++i)
            count += i > 0 && found->pair[i].a == found->pair[i - 1].a ? 1 : 2;
    }
    return count;
}

cairn_status crn_pair_rows_replace(crn_broad *broad, const crn_sites *sites, int parts)
{
    crn_pair_rows *rows = &broad->pairs;
    size_t fresh = count_fresh(broad, parts);
    remove_stale(broad);
    if (fresh == 0)
        return CAIRN_OK;
    CRN_TRY(crn_pair_rows_reserve(rows, sites, rows->count + fresh));
    memmove(rows->item + fresh, rows->item, rows->count * sizeof(int));
    if (rows->clear)
        memmove(rows->clear + fresh, rows->clear, rows->count * sizeof(double));
    insert_fresh(broad, parts, fresh);
    return CAIRN_OK;
}
