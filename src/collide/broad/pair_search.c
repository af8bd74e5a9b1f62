/* Searching the pairs of fat bounds: of all shapes, or of those that have moved.
 *
 * Two balls stay a pair only while they may come within reach. The centre of a ball of radius r that has not left its fat bounds
 * lies in these bounds shrunk by r on each side (by more, if it has a margin, which makes the ball's reach larger by no more than
 * what the bounds shrink). So two balls cannot meet if the shrunk bounds are further apart than r_a + r_b.
 */
#include "base/parallel_ranges.h"
#include "collide/broad/broad.h"

#include <assert.h>
#include <string.h>

enum
{
    SHARED = 64 /* movers, from which on threads share the search for their pairs */
};

static cairn_status add_pair(crn_pair_list *list, int a, int b)
{
    assert(a >= 0 && a < b);
    CRN_TRY(crn_reserve(&list->pair, &list->capacity, list->count + 1, sizeof(crn_shape_pair)));
    list->pair[list->count++] = (crn_shape_pair){a, b};
    return CAIRN_OK;
}

static cairn_status meet_half(const crn_broad *broad, int half, crn_hits *found)
{
    const crn_fat_half *fat = broad->half;
    while (fat->shape != half)
        ++fat;
    assert(fat < broad->half + broad->half_count);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < broad->bounded_count && !status; ++i)
    {
        int shape = broad->bounded[i];
        status =
            crn_half_gap(fat->normal, fat->offset, &broad->fat[shape]) > 0.0 ? CAIRN_OK : crn_hits_add(found, shape);
    }
    return status;
}

/* The tree is searched only where groups allow that something in it touches the body. */
static cairn_status meet_bounded(const crn_broad *broad, const crn_sites *sites, int shape, crn_hits *found)
{
    assert(shape >= 0);
    const crn_bounds *fat = &broad->fat[shape];
    const crn_body_traits *traits = broad->model->bodies[sites->site[shape].body].traits;
    bool sociable = (traits->groups & broad->wanted) && (traits->collides_with & broad->groups);
    cairn_status status = sociable ? crn_tree_overlap(&broad->tree, broad->fat, fat, found) : CAIRN_OK;
    for (int i = 0; i < broad->half_count && !status; ++i)
    {
        const crn_fat_half *half = &broad->half[i];
        status = crn_half_gap(half->normal, half->offset, fat) > 0.0 ? CAIRN_OK : crn_hits_add(found, half->shape);
    }
    return status;
}

/* All shapes whose fat bounds overlap those of a shape and that it may touch by the groups, possibly others and itself too. */
static cairn_status meet(const crn_broad *broad, const crn_sites *sites, int shape, crn_hits *found)
{
    assert(shape >= 0 && (size_t)shape < broad->shape_count);
    found->count = 0;
    return crn_site_is_half(sites, shape) ? meet_half(broad, shape, found) : meet_bounded(broad, sites, shape, found);
}

/* Whether two balls may come within reach of each other before one of them leaves its fat bounds. */
static bool balls_may_meet(const crn_broad *broad, const crn_sites *sites, int a, int b)
{
    const crn_bounds *x = &broad->fat[a], *y = &broad->fat[b];
    double both = sites->site[a].radius + sites->site[b].radius, square = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double below = y->lower[k] - x->upper[k], above = x->lower[k] - y->upper[k];
        double apart = (below > above ? below : above) + both;
        square += apart > 0.0 ? apart * apart : 0.0;
    }
    return !(square > both * both * (1.0 + 1e-9));
}

/* Whether two shapes with overlapping fat bounds are a pair. */
static bool is_pair(const crn_broad *broad, const crn_sites *sites, int a, int b)
{
    const crn_site *x = &sites->site[a], *y = &sites->site[b];
    if (crn_site_is_ball(x) && crn_site_is_ball(y) && !balls_may_meet(broad, sites, a, b))
        return false;
    return broad->free_for_all ? x->body != y->body : crn_model_may_touch(broad->model, x->body, y->body);
}

/* Shell sort: the lists are mostly short, and long ones need no extra memory. */
static const size_t STRIDES[] = {797161, 265720, 88573, 29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};

static void sort_pairs(crn_shape_pair *pair, size_t count)
{
    for (size_t k = 0; k < sizeof STRIDES / sizeof STRIDES[0]; ++k)
    {
        size_t stride = STRIDES[k];
        for (size_t i = stride; i < count; ++i)
        {
            crn_shape_pair value = pair[i];
            size_t j = i;
            for (; j >= stride && crn_pair_key(pair[j - stride]) > crn_pair_key(value); j -= stride)
                pair[j] = pair[j - stride];
            pair[j] = value;
        }
    }
}

typedef struct search
{
    crn_broad *broad;
    const crn_sites *sites;
    int parts;
} search;

/* ------------------------------------------------------------------------------------------------------ all shapes */

static cairn_status add_item(crn_pair_rows *rows, int item)
{
    CRN_TRY(crn_reserve(&rows->item, &rows->capacity, rows->count + 1, sizeof(int)));
    rows->item[rows->count++] = item;
    return CAIRN_OK;
}

static void sort_row(int *item, size_t count)
{
    for (size_t k = 0; k < sizeof STRIDES / sizeof STRIDES[0]; ++k)
    {
        size_t stride = STRIDES[k];
        for (size_t i = stride; i < count; ++i)
        {
            int value = item[i];
            size_t j = i;
            for (; j >= stride && item[j - stride] > value; j -= stride)
                item[j] = item[j - stride];
            item[j] = value;
        }
    }
}

/* Add the row of the pairs (shape, b) with b > shape. */
static cairn_status add_row(const search *s, crn_searcher *mine, int shape)
{
    size_t first = mine->rows.count + 1;
    CRN_TRY(meet(s->broad, s->sites, shape, &mine->found));
    CRN_TRY(add_item(&mine->rows, ~shape));
    for (int i = 0; i < mine->found.count; ++i)
    {
        int other = mine->found.item[i];
        if (other > shape && is_pair(s->broad, s->sites, shape, other))
            CRN_TRY(add_item(&mine->rows, other));
    }
    sort_row(mine->rows.item + first, mine->rows.count - first);
    mine->rows.count -= mine->rows.count == first;
    return CAIRN_OK;
}

static void search_part(void *data, int part)
{
    search *s = data;
    crn_searcher *mine = &s->broad->searcher[part];
    size_t end = crn_part(s->broad->shape_count, s->parts, part + 1);
    mine->rows.count = 0;
    for (size_t i = crn_part(s->broad->shape_count, s->parts, part); i < end && !mine->status; ++i)
        mine->status = add_row(s, mine, (int)i);
}

static void swap_rows(crn_pair_rows *a, crn_pair_rows *b)
{
    crn_pair_rows swap = *a;
    *a = *b;
    *b = swap;
}

/* The first thread writes into the rows themselves, and those of the others are appended. */
cairn_status crn_pair_all(crn_broad *broad, const crn_sites *sites, int parts)
{
    assert(parts >= 1 && parts <= broad->searcher_count);
    search s = {broad, sites, parts};
    swap_rows(&broad->pairs, &broad->searcher[0].rows);
    crn_in_parts(parts, search_part, &s);
    swap_rows(&broad->pairs, &broad->searcher[0].rows);
    size_t total = broad->pairs.count;
    for (int k = 0; k < parts; ++k)
    {
        CRN_TRY(broad->searcher[k].status);
        total += k > 0 ? broad->searcher[k].rows.count : 0;
    }
    CRN_TRY(crn_pair_rows_reserve(&broad->pairs, sites, total));
    for (size_t i = 0; sites->mixed && i < total; ++i)
        broad->pairs.clear[i] = -INFINITY;
    for (int k = 1; k < parts; ++k)
    {
        const crn_pair_rows *part = &broad->searcher[k].rows;
        if (part->count > 0)
            memcpy(broad->pairs.item + broad->pairs.count, part->item, part->count * sizeof(int));
        broad->pairs.count += part->count;
    }
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------- few moved */

/* Find the pairs of one shape that has moved. A pair of two such shapes belongs to the one with the lower index. */
static cairn_status pairs_of_mover(const search *s, crn_searcher *mine, int shape)
{
    cairn_status status = meet(s->broad, s->sites, shape, &mine->found);
    for (int i = 0; i < mine->found.count && !status; ++i)
    {
        int other = mine->found.item[i];
        bool theirs = other == shape || (s->broad->moved[other] && other < shape);
        if (!theirs && is_pair(s->broad, s->sites, shape, other))
            status = add_pair(&mine->pairs, shape < other ? shape : other, shape < other ? other : shape);
    }
    return status;
}

static void mover_part(void *data, int part)
{
    search *s = data;
    crn_searcher *mine = &s->broad->searcher[part];
    size_t end = crn_part((size_t)s->broad->mover_count, s->parts, part + 1);
    mine->pairs.count = 0;
    for (size_t i = crn_part((size_t)s->broad->mover_count, s->parts, part); i < end && !mine->status; ++i)
        mine->status = pairs_of_mover(s, mine, s->broad->movers[i]);
    sort_pairs(mine->pairs.pair, mine->pairs.count);
}

/* Replace the pairs of the shapes that have moved. */
static cairn_status replace(const search *s, int threads)
{
    crn_in_parts(s->parts, mover_part, (void *)s);
    for (int k = 0; k < s->parts; ++k)
        CRN_TRY(s->broad->searcher[k].status);
    return crn_pair_rows_replace(s->broad, s->sites, s->parts, threads);
}

/* What a single thread finds lies where the tree is built, until it is inserted. */
cairn_status crn_pair_movers(crn_broad *broad, const crn_sites *sites, int parts)
{
    const search s = {broad, sites, broad->mover_count < SHARED ? 1 : parts};
    crn_scratch *scratch = s.parts == 1 ? broad->tree.scratch : NULL;
    if (!scratch)
        return replace(&s, parts);
    crn_pair_list *mine = &broad->searcher[0].pairs, own = *mine;
    *mine = (crn_pair_list){.pair = scratch->memory, .capacity = scratch->capacity / sizeof(crn_shape_pair)};
    cairn_status status = replace(&s, parts);
    *scratch = (crn_scratch){mine->pair, mine->capacity * sizeof(crn_shape_pair)};
    *mine = own;
    return status;
}
