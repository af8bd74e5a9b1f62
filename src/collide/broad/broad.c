#include "collide/broad/broad.h"

#include "base/parallel_ranges.h"
#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double PAD =
    0.05; /* of a shape's size: by how much fat bounds are larger on each side, in addition to its margin */
static const double LOOSE = 8.0; /* fat bounds with this many times that padding are shrunk */

enum
{
    FEW = 4 /* when more than one in FEW shapes has moved, all pairs are searched again */
};

/* ---------------------------------------------------------------------------------------------------- fat bounds */

static double pad_of(const crn_placed *placed, const crn_bounds *tight)
{
    return PAD * crn_bounds_size(tight) + placed->margin;
}

/* Whether the fat bounds must be renewed: the shape has left them, or they are far too wide. */
static bool is_stale(const crn_bounds *fat, const crn_bounds *tight, double pad)
{
    return !crn_bounds_hold(fat, tight) || crn_bounds_size(fat) > crn_bounds_size(tight) + LOOSE * pad;
}

static void fatten(const crn_bounds *tight, double pad, crn_bounds *fat)
{
    assert(pad >= 0.0);
    for (int k = 0; k < 3; ++k)
    {
        fat->lower[k] = tight->lower[k] - pad;
        fat->upper[k] = tight->upper[k] + pad;
    }
}

static double offset_of(const crn_placed *placed)
{
    /* rounding must not lose a pair that touches exactly */
    double slop = 1e-12 * (fabs(placed->centre[0]) + fabs(placed->centre[1]) + fabs(placed->centre[2]));
    return crn_dot3(placed->normal, placed->centre) + placed->margin + slop;
}

/* Whether the bounds reach below the offset along the normal; true also when that is NaN. */
static bool reaches(const double normal[3], double offset, const crn_bounds *bounds)
{
    assert(crn_is_unit3(normal));
    double lowest = -offset;
    for (int k = 0; k < 3; ++k)
        lowest += normal[k] * (normal[k] > 0.0 ? bounds->lower[k] : bounds->upper[k]);
    return !(lowest > 0.0);
}

static bool half_is_stale(const crn_fat_half *half, const crn_placed *placed)
{
    assert(placed->margin >= 0.0);
    double room = half->offset - offset_of(placed);
    return memcmp(half->normal, placed->normal, sizeof half->normal) != 0 || !(room >= 0.0) ||
           !(room <= LOOSE * placed->margin);
}

static void note_mover(crn_broad *broad, int shape)
{
    assert(!broad->moved[shape]);
    assert((size_t)broad->mover_count < broad->shape_count);
    broad->moved[shape] = true;
    broad->movers[broad->mover_count++] = shape;
}

/* Copy the current bounds, and list the shapes that need new fat bounds. */
static void find_movers(crn_broad *broad, const crn_placed *placed)
{
    broad->mover_count = 0;
    broad->groups = broad->wanted = 0;
    for (int i = 0; i < broad->bounded_count; ++i)
    {
        int shape = broad->bounded[i];
        const crn_body *body = &broad->model->bodies[placed[shape].body];
        crn_bounds *tight = &broad->tight[shape];
        broad->groups |= body->groups;
        broad->wanted |= body->collides_with;
        memcpy(tight->lower, placed[shape].lower, sizeof tight->lower);
        memcpy(tight->upper, placed[shape].upper, sizeof tight->upper);
        double pad = pad_of(&placed[shape], tight);
        broad->moved[shape] = false;
        if (is_stale(&broad->fat[shape], tight, pad))
        {
            fatten(tight, pad, &broad->fat[shape]);
            note_mover(broad, shape);
        }
    }
    for (int i = 0; i < broad->half_count; ++i)
    {
        crn_fat_half *half = &broad->half[i];
        const crn_placed *now = &placed[half->shape];
        broad->moved[half->shape] = false;
        if (half_is_stale(half, now))
        {
            memcpy(half->normal, now->normal, sizeof half->normal);
            half->offset = offset_of(now) + now->margin;
            note_mover(broad, half->shape);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------- searching */

static cairn_status add_pair(crn_pair_list *list, int a, int b)
{
    assert(a >= 0 && a < b);
    CRN_TRY(crn_reserve(&list->pair, &list->capacity, list->count + 1, sizeof(crn_shape_pair)));
    list->pair[list->count++] = (crn_shape_pair){a, b};
    return CAIRN_OK;
}

static cairn_status meet_half(const crn_broad *broad, const crn_fat_half *half, crn_hits *found)
{
    assert(half && half->shape >= 0);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < broad->bounded_count && !status; ++i)
    {
        int shape = broad->bounded[i];
        status = reaches(half->normal, half->offset, &broad->fat[shape]) ? crn_hits_add(found, shape) : CAIRN_OK;
    }
    return status;
}

/* The tree is searched only where groups allow that something in it touches the body. */
static cairn_status meet_bounded(const crn_broad *broad, const crn_body *body, int shape, crn_hits *found)
{
    assert(shape >= 0);
    const crn_bounds *fat = &broad->fat[shape];
    bool sociable = (body->groups & broad->wanted) && (body->collides_with & broad->groups);
    cairn_status status = sociable ? crn_tree_overlap(&broad->tree, broad->fat, fat, found) : CAIRN_OK;
    for (int i = 0; i < broad->half_count && !status; ++i)
    {
        const crn_fat_half *half = &broad->half[i];
        status = reaches(half->normal, half->offset, fat) ? crn_hits_add(found, half->shape) : CAIRN_OK;
    }
    return status;
}

static const crn_fat_half *half_of(const crn_broad *broad, int shape)
{
    for (int i = 0; i < broad->half_count; ++i)
        if (broad->half[i].shape == shape)
            return &broad->half[i];
    return NULL;
}

/* All shapes whose fat bounds overlap those of a shape and that it may touch by the groups, possibly others and itself too. */
static cairn_status meet(const crn_broad *broad, const crn_placed *placed, int shape, crn_hits *found)
{
    assert(shape >= 0 && (size_t)shape < broad->shape_count);
    found->count = 0;
    return crn_is_half(placed[shape].kind)
               ? meet_half(broad, half_of(broad, shape), found)
               : meet_bounded(broad, &broad->model->bodies[placed[shape].body], shape, found);
}

/* Shell sort: the lists are mostly short, and long ones need no extra memory. */
static void sort_found(crn_hits *found)
{
    static const int STRIDES[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
    for (size_t k = 0; k < sizeof STRIDES / sizeof STRIDES[0]; ++k)
    {
        int stride = STRIDES[k];
        for (int i = stride; i < found->count; ++i)
        {
            int value = found->item[i], j = i;
            for (; j >= stride && found->item[j - stride] > value; j -= stride)
                found->item[j] = found->item[j - stride];
            found->item[j] = value;
        }
    }
}

typedef struct search
{
    crn_broad *broad;
    const crn_placed *placed;
    int parts;
} search;

/* Add the pairs (shape, b) with b > shape, sorted by b. */
static cairn_status pairs_above(const search *s, crn_searcher *mine, int shape)
{
    crn_hits *found = &mine->found;
    cairn_status status = meet(s->broad, s->placed, shape, found);
    int above = 0;
    for (int i = 0; i < found->count; ++i)
    {
        int other = found->item[i];
        if (other > shape && crn_model_may_touch(s->broad->model, s->placed[shape].body, s->placed[other].body))
            found->item[above++] = other;
    }
    found->count = above;
    sort_found(found);
    for (int i = 0; i < above && !status; ++i)
        status = add_pair(&mine->pairs, shape, found->item[i]);
    return status;
}

static void search_part(void *data, int part)
{
    search *s = data;
    crn_searcher *mine = &s->broad->searcher[part];
    size_t end = crn_part(s->broad->shape_count, s->parts, part + 1);
    mine->pairs.count = 0;
    mine->status = CAIRN_OK;
    for (size_t i = crn_part(s->broad->shape_count, s->parts, part); i < end && !mine->status; ++i)
        mine->status = pairs_above(s, mine, (int)i);
}

/* Search all pairs again. */
static cairn_status pair_all(crn_broad *broad, const crn_placed *placed, int threads)
{
    assert(threads >= 1 && threads <= broad->searcher_count);
    search s = {broad, placed, threads};
    crn_in_parts(threads, search_part, &s);
    size_t total = 0;
    for (int k = 0; k < threads; ++k)
    {
        if (broad->searcher[k].status)
            return broad->searcher[k].status;
        total += broad->searcher[k].pairs.count;
    }
    broad->pairs.count = 0;
    CRN_TRY(crn_reserve(&broad->pairs.pair, &broad->pairs.capacity, total, sizeof(crn_shape_pair)));
    for (int k = 0; k < threads; ++k)
    {
        const crn_pair_list *part = &broad->searcher[k].pairs;
        if (part->count > 0)
            memcpy(broad->pairs.pair + broad->pairs.count, part->pair, part->count * sizeof(crn_shape_pair));
        broad->pairs.count += part->count;
    }
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------------------------------- few moved */

/* Find the pairs of the shapes that have moved, sorted, into broad->fresh. */
static cairn_status pair_movers(crn_broad *broad, const crn_placed *placed, size_t *count)
{
    crn_searcher *mine = &broad->searcher[0];
    mine->pairs.count = 0;
    for (int k = 0; k < broad->mover_count; ++k)
    {
        int shape = broad->movers[k];
        cairn_status status = meet(broad, placed, shape, &mine->found);
        for (int i = 0; i < mine->found.count && !status; ++i)
        {
            int other = mine->found.item[i];
            bool theirs = other == shape || (broad->moved[other] && other < shape);
            if (!theirs && crn_model_may_touch(broad->model, placed[shape].body, placed[other].body))
                status = add_pair(&mine->pairs, shape < other ? shape : other, shape < other ? other : shape);
        }
        if (status)
            return status;
    }
    *count = mine->pairs.count;
    CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->fresh, *count), CRN_ARRAY(broad->work, *count)));
    for (size_t i = 0; i < *count; ++i)
    {
        crn_shape_pair pair = mine->pairs.pair[i];
        broad->fresh[i] = (crn_keyed){(uint64_t)pair.a << 32 | (uint64_t)pair.b, pair.a, pair.b};
    }
    crn_sort(broad->fresh, *count, broad->work);
    return CAIRN_OK;
}

static bool before(crn_shape_pair pair, const crn_keyed *fresh)
{
    return ((uint64_t)pair.a << 32 | (uint64_t)pair.b) < fresh->key;
}

/* Replace the pairs of the shapes that have moved. */
static cairn_status pair_again(crn_broad *broad, const crn_placed *placed)
{
    size_t fresh_count = 0, next = 0, out = 0;
    crn_pair_list *merged = &broad->merged;
    CRN_TRY(pair_movers(broad, placed, &fresh_count));
    CRN_TRY(crn_reserve(&merged->pair, &merged->capacity, broad->pairs.count + fresh_count, sizeof(crn_shape_pair)));
    for (size_t i = 0; i < broad->pairs.count; ++i)
    {
        crn_shape_pair pair = broad->pairs.pair[i];
        if (broad->moved[pair.a] || broad->moved[pair.b])
            continue;
        for (; next < fresh_count && !before(pair, &broad->fresh[next]); ++next)
            merged->pair[out++] = (crn_shape_pair){broad->fresh[next].a, broad->fresh[next].b};
        merged->pair[out++] = pair;
    }
    for (; next < fresh_count; ++next)
        merged->pair[out++] = (crn_shape_pair){broad->fresh[next].a, broad->fresh[next].b};
    merged->count = out;
    crn_pair_list old = broad->pairs;
    broad->pairs = *merged;
    *merged = old;
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- update */

/* Reserve memory for the model's shapes, and give all of them empty fat bounds. */
static cairn_status begin(crn_broad *broad, const cairn_model *model, const crn_placed *placed)
{
    size_t count = model->shape_count;
    CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->tight, count), CRN_ARRAY(broad->fat, count),
                            CRN_ARRAY(broad->bounded, count), CRN_ARRAY(broad->half, count),
                            CRN_ARRAY(broad->moved, count), CRN_ARRAY(broad->movers, count)));
    broad->bounded_count = broad->half_count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        broad->fat[i] = crn_bounds_empty();
        if (crn_is_half(placed[i].kind))
            broad->half[broad->half_count++] = (crn_fat_half){.shape = (int)i};
        else
            broad->bounded[broad->bounded_count++] = (int)i;
    }
    broad->model = model;
    broad->shape_count = count;
    broad->ignored_count = model->ignored_count;
    return CAIRN_OK;
}

/* Update the tree after fat bounds have changed: rebuild it when there is none or after many refits, otherwise refit it. */
static cairn_status follow(crn_broad *broad, bool anew)
{
    assert(broad->mover_count > 0 && (size_t)broad->mover_count <= broad->shape_count);
    broad->unbuilt += broad->mover_count;
    if (anew || broad->unbuilt > broad->bounded_count)
    {
        broad->unbuilt = 0;
        return crn_tree_build(&broad->tree, broad->fat, broad->bounded, broad->bounded_count);
    }
    for (int i = 0; i < broad->mover_count; ++i)
        if (!half_of(broad, broad->movers[i]))
            crn_tree_refit(&broad->tree, broad->fat, broad->movers[i]);
    return CAIRN_OK;
}

static cairn_status gather_searchers(crn_broad *broad, int threads)
{
    CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->searcher, threads)));
    broad->searcher_count = threads < broad->searcher_count ? broad->searcher_count : threads;
    return CAIRN_OK;
}

cairn_status crn_broad_update(crn_broad *broad, const cairn_model *model, const crn_placed *placed, int threads)
{
    assert(threads >= 1);
    bool anew = broad->model != model || broad->shape_count != model->shape_count ||
                broad->ignored_count != model->ignored_count;
    cairn_status status = gather_searchers(broad, threads);
    if (status == CAIRN_OK && anew)
        status = begin(broad, model, placed);
    if (status == CAIRN_OK)
    {
        find_movers(broad, placed);
        status = broad->mover_count > 0 ? follow(broad, anew) : CAIRN_OK;
    }
    if (status == CAIRN_OK && broad->mover_count > 0)
    {
        bool many = (size_t)broad->mover_count > broad->shape_count / FEW;
        status = anew || many ? pair_all(broad, placed, threads) : pair_again(broad, placed);
    }
    if (status)
        broad->model = NULL; /* the pairs kept are incomplete */
    return status;
}

bool crn_broad_near(const crn_broad *broad, const crn_placed *placed, crn_shape_pair pair)
{
    assert(pair.a >= 0 && pair.a < pair.b);
    const crn_placed *a = &placed[pair.a], *b = &placed[pair.b];
    if (crn_is_half(a->kind))
        return reaches(a->normal, offset_of(a), &broad->tight[pair.b]);
    return crn_is_half(b->kind) ? reaches(b->normal, offset_of(b), &broad->tight[pair.a])
                                : crn_bounds_overlap(&broad->tight[pair.a], &broad->tight[pair.b]);
}

void crn_broad_free(crn_broad *broad)
{
    for (int k = 0; k < broad->searcher_count; ++k)
    {
        free(broad->searcher[k].found.item);
        free(broad->searcher[k].pairs.pair);
    }
    free(broad->pairs.pair);
    free(broad->merged.pair);
    crn_tree_free(&broad->tree);
    crn_arena_release(&broad->memory);
    *broad = (crn_broad){.tight = NULL};
}
