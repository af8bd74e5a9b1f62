#include "collide/broad/broad.h"

#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Fat bounds are larger than tight ones by PAD of the shape's size and SPARE of its margin on each side, and by AHEAD steps of its
 * motion on the side that it moves to. Of fast shapes these would meet more and more others, which all are pairs: they get MOST of their size. */
static const double PAD = CRN_FAT_PAD, SPARE = 0.5, AHEAD = 8.0, MOST = 0.25;
static const double LOOSE = CRN_FAT_LOOSE;

enum
{
    LEAF = 8,   /* most shapes per leaf of the tree */
    REFIT = 16, /* when more than one in REFIT shapes has moved, all nodes of the tree are refitted */
    FEW = 4     /* when more than one in FEW shapes has moved, all pairs are searched again */
};

/* ---------------------------------------------------------------------------------------------------- fat bounds */

/* Whether the fat bounds must be renewed: the shape has left them, or they are far too wide. */
static bool is_stale(const crn_bounds *fat, const crn_bounds *tight, double size, double pad)
{
    return !crn_bounds_hold(fat, tight) || crn_bounds_size(fat) > size + LOOSE * pad;
}

/* Fat bounds around the tight ones, with room ahead of a shape that moves by `travel` per step; NULL: it does not. */
static void fatten(const crn_bounds *tight, double pad, const double *travel, crn_bounds *fat)
{
    assert(pad >= 0.0);
    for (int k = 0; k < 3; ++k)
    {
        double ahead = travel ? AHEAD * travel[k] : 0.0, most = MOST * (tight->upper[k] - tight->lower[k]);
        ahead = ahead > most ? most : ahead < -most ? -most : ahead;
        fat->lower[k] = tight->lower[k] - pad + (ahead < 0.0 ? ahead : 0.0);
        fat->upper[k] = tight->upper[k] + pad + (ahead > 0.0 ? ahead : 0.0);
    }
}

static double offset_of(const crn_placed *placed)
{
    /* rounding must not lose a pair that touches exactly */
    double slop = 1e-12 * (fabs(placed->centre[0]) + fabs(placed->centre[1]) + fabs(placed->centre[2]));
    return crn_dot3(placed->normal, placed->centre) + placed->margin + slop;
}

double crn_half_gap(const double normal[3], double offset, const crn_bounds *bounds)
{
    assert(crn_is_unit3(normal));
    double lowest = -offset;
    for (int k = 0; k < 3; ++k)
        lowest += normal[k] * (normal[k] > 0.0 ? bounds->lower[k] : bounds->upper[k]);
    return lowest;
}

static bool half_is_stale(const crn_fat_half *half, const crn_placed *placed)
{
    assert(placed->margin >= 0.0);
    double room = half->offset - offset_of(placed);
    return memcmp(half->normal, placed->normal, sizeof half->normal) != 0 || !(room >= 0.0) ||
           !(room <= LOOSE * placed->margin);
}

/* Renew the fat half-plane or half-space of a shape if it is stale. */
static bool renew_half(crn_broad *broad, const crn_sites *sites, int shape)
{
    const crn_placed *now = &sites->placed[sites->site[shape].placed];
    int i = 0;
    while (broad->half[i].shape != shape)
        ++i;
    assert(i < broad->half_count);
    crn_fat_half *half = &broad->half[i];
    if (!half_is_stale(half, now))
        return false;
    memcpy(half->normal, now->normal, sizeof half->normal);
    half->offset = offset_of(now) + now->margin;
    return true;
}

/* Whether a ball is well inside its fat bounds: almost always, and this is all that most steps ask about it. */
static bool is_ball_settled(const crn_bounds *fat, const crn_site *ball)
{
    const double *c = ball->centre, *low = fat->lower, *high = fat->upper;
    double size = 2.0 * (ball->radius + ball->margin), most = size + LOOSE * (PAD * size + ball->margin);
    double slop = 1e-12 * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]) + size), reach = 0.5 * size + slop;
    bool x = c[0] - reach >= low[0] && c[0] + reach <= high[0] && high[0] - low[0] <= most;
    bool y = c[1] - reach >= low[1] && c[1] + reach <= high[1] && high[1] - low[1] <= most;
    bool z = c[2] - reach >= low[2] && c[2] + reach <= high[2] && high[2] - low[2] <= most;
    return x && y && z;
}

static bool renew_bounds(crn_broad *broad, const crn_sites *sites, int shape, const double *travel)
{
    if (crn_site_is_ball(&sites->site[shape]) && is_ball_settled(&broad->fat[shape], &sites->site[shape]))
        return false;
    crn_bounds tight = crn_site_bounds(sites, shape);
    double size = crn_bounds_size(&tight), margin = sites->site[shape].margin, pad = PAD * size + SPARE * margin;
    if (!is_stale(&broad->fat[shape], &tight, size, PAD * size + margin))
        return false;
    fatten(&tight, pad, travel, &broad->fat[shape]);
    return true;
}

void crn_broad_check(crn_broad *broad, const crn_sites *sites, int shape, const double *travel, int part)
{
    assert(shape >= 0 && (size_t)shape < broad->shape_count);
    assert(part >= 0 && part < broad->searcher_count);
    crn_searcher *mine = &broad->searcher[part];
    bool stale =
        crn_site_is_half(sites, shape) ? renew_half(broad, sites, shape) : renew_bounds(broad, sites, shape, travel);
    if (stale && !mine->status)
        mine->status = crn_hits_add(&mine->movers, shape);
}

/* Bounds that overlap no others, above all half-spaces, and whose centre is a number, as trees want it. */
static const crn_bounds HIDDEN = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};

void crn_broad_hide(crn_broad *broad, int shape, int part)
{
    assert(shape >= 0 && (size_t)shape < broad->shape_count);
    crn_searcher *mine = &broad->searcher[part];
    if (memcmp(&broad->fat[shape], &HIDDEN, sizeof HIDDEN) == 0)
        return;
    broad->fat[shape] = HIDDEN;
    if (!mine->status)
        mine->status = crn_hits_add(&mine->movers, shape);
}

/* ---------------------------------------------------------------------------------------------------------- update */

/* Whether crn_model_may_touch says yes to all pairs of two bodies that can come up: those with bounded shapes are dynamic, nothing is
 * ignored, and all are in the same groups. */
static bool is_free_for_all(const crn_sites *sites)
{
    const cairn_model *model = sites->model;
    bool free = model->ignored_count == 0;
    for (size_t i = 0; i < model->shape_count && free; ++i)
    {
        const crn_body *body = &model->bodies[sites->site[i].body], *first = &model->bodies[sites->site[0].body];
        const crn_body_traits *traits = body->traits, *all = first->traits;
        bool bounded = !crn_site_is_half(sites, (int)i);
        free = (body->kind == CAIRN_DYNAMIC || !bounded) && traits->groups == all->groups &&
               traits->collides_with == all->collides_with && (traits->groups & traits->collides_with);
    }
    return free;
}

/* Whether no body with shapes is in a group that another collides with. */
static bool meets_nobody(const crn_sites *sites)
{
    uint64_t groups = 0, wanted = 0;
    for (size_t i = 0; i < sites->model->shape_count; ++i)
    {
        const crn_body_traits *traits = sites->model->bodies[sites->site[i].body].traits;
        groups |= traits->groups;
        wanted |= traits->collides_with;
    }
    return (groups & wanted) == 0;
}

/* Reserve memory for the model's shapes, and give all of them empty fat bounds. */
static cairn_status start(crn_broad *broad, const crn_sites *sites)
{
    size_t count = sites->model->shape_count;
    CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->fat, count), CRN_ARRAY(broad->bounded, count),
                            CRN_ARRAY(broad->moved, count), CRN_ARRAY(broad->movers, count)));
    broad->bounded_count = broad->half_count = 0;
    broad->groups = broad->wanted = 0;
    for (size_t i = 0; i < count; ++i)
    {
        broad->fat[i] = crn_bounds_empty();
        broad->moved[i] = false;
        if (!crn_site_is_half(sites, (int)i))
        {
            const crn_body_traits *traits = sites->model->bodies[sites->site[i].body].traits;
            broad->groups |= traits->groups;
            broad->wanted |= traits->collides_with;
            broad->bounded[broad->bounded_count++] = (int)i;
            continue;
        }
        CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->half, broad->half_count + 1)));
        broad->half[broad->half_count++] = (crn_fat_half){.shape = (int)i};
    }
    broad->free_for_all = is_free_for_all(sites);
    broad->nobody_meets = meets_nobody(sites);
    broad->model = sites->model;
    broad->revision = sites->revision;
    broad->shape_count = count;
    broad->mover_count = 0;
    broad->pairs.count = 0;
    broad->anew = true;
    return CAIRN_OK;
}

cairn_status crn_broad_begin(crn_broad *broad, const crn_sites *sites, int parts)
{
    assert(parts >= 1);
    CRN_TRY(crn_reserve_all(&broad->memory, CRN_ARRAY(broad->searcher, parts)));
    broad->searcher_count = parts < broad->searcher_count ? broad->searcher_count : parts;
    if (broad->model != sites->model || broad->revision != sites->revision)
        CRN_TRY(start(broad, sites));
    for (int i = 0; i < broad->mover_count; ++i)
        broad->moved[broad->movers[i]] = false;
    broad->mover_count = 0;
    for (int k = 0; k < broad->searcher_count; ++k)
    {
        broad->searcher[k].movers.count = 0;
        broad->searcher[k].status = CAIRN_OK;
    }
    return CAIRN_OK;
}

/* List the shapes that all threads have found to have moved. */
static cairn_status list_movers(crn_broad *broad, int parts)
{
    for (int k = 0; k < parts; ++k)
    {
        const crn_searcher *some = &broad->searcher[k];
        CRN_TRY(some->status);
        for (int i = 0; i < some->movers.count; ++i)
        {
            int shape = some->movers.item[i];
            assert(!broad->moved[shape] && (size_t)broad->mover_count < broad->shape_count);
            broad->moved[shape] = true;
            broad->movers[broad->mover_count++] = shape;
        }
    }
    return CAIRN_OK;
}

/* Bring the tree up to date with the new fat bounds: refit it, or rebuild it. */
static cairn_status follow(crn_broad *broad, const crn_sites *sites)
{
    assert(broad->mover_count > 0 && (size_t)broad->mover_count <= broad->shape_count);
    broad->unbuilt += broad->mover_count;
    if (broad->anew || broad->unbuilt > broad->bounded_count)
    {
        broad->unbuilt = 0;
        broad->tree.leaf = LEAF;
        return crn_tree_build(&broad->tree, broad->fat, broad->bounded, broad->bounded_count);
    }
    bool many = broad->mover_count > broad->bounded_count / REFIT;
    for (int i = 0; i < broad->mover_count && !many; ++i)
        if (!crn_site_is_half(sites, broad->movers[i]))
            crn_tree_refit(&broad->tree, broad->fat, broad->movers[i]);
    if (many)
        crn_tree_refit_all(&broad->tree, broad->fat);
    return CAIRN_OK;
}

static cairn_status update(crn_broad *broad, const crn_sites *sites, int parts)
{
    CRN_TRY(list_movers(broad, parts));
    if (broad->mover_count == 0)
        return CAIRN_OK;
    CRN_TRY(follow(broad, sites));
    bool many = (size_t)broad->mover_count > broad->shape_count / FEW;
    CRN_TRY((broad->anew || many ? crn_pair_all : crn_pair_movers)(broad, sites, parts));
    broad->anew = false;
    return CAIRN_OK;
}

cairn_status crn_broad_update(crn_broad *broad, const crn_sites *sites, int parts)
{
    assert(parts >= 1 && parts <= broad->searcher_count);
    cairn_status status = update(broad, sites, parts);
    if (status)
        broad->model = NULL; /* the pairs kept are incomplete */
    return status;
}

/* The same between a ball and the bounds of another shape, or a half-space. */
static double ball_gap(const crn_site *ball, const crn_placed *other)
{
    double reach = ball->radius + ball->margin, square = 0.0;
    if (crn_is_half(other->kind))
    {
        const double *c = ball->centre;
        double slop = 1e-12 * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]) + ball->radius);
        return crn_dot3(other->normal, c) - offset_of(other) - (reach + slop);
    }
    for (int k = 0; k < 3; ++k)
    {
        double below = other->bounds.lower[k] - ball->centre[k], above = ball->centre[k] - other->bounds.upper[k];
        double out = below > above ? below : above;
        square += out > 0.0 ? out * out : 0.0;
    }
    return square > reach * reach * (1.0 + 1e-9) ? sqrt(square) - reach : 0.0;
}

static double bounds_gap(const crn_bounds *a, const crn_bounds *b)
{
    double most = -INFINITY;
    for (int k = 0; k < 3; ++k)
    {
        double below = a->lower[k] - b->upper[k], above = b->lower[k] - a->upper[k];
        most = below > most ? below : most;
        most = above > most ? above : most;
    }
    return most;
}

double crn_broad_gap(const crn_sites *sites, crn_shape_pair pair)
{
    assert(pair.a >= 0 && pair.a < pair.b);
    const crn_site *a = &sites->site[pair.a], *b = &sites->site[pair.b];
    assert(!crn_site_is_ball(a) || !crn_site_is_ball(b));
    if (crn_site_is_ball(a) || crn_site_is_ball(b))
        return crn_site_is_ball(a) ? ball_gap(a, &sites->placed[b->placed]) : ball_gap(b, &sites->placed[a->placed]);
    const crn_placed *x = &sites->placed[a->placed], *y = &sites->placed[b->placed];
    if (crn_is_half(x->kind))
        return crn_half_gap(x->normal, offset_of(x), &y->bounds);
    return crn_is_half(y->kind) ? crn_half_gap(y->normal, offset_of(y), &x->bounds)
                                : bounds_gap(&x->bounds, &y->bounds);
}

void crn_broad_free(crn_broad *broad)
{
    for (int k = 0; k < broad->searcher_count; ++k)
    {
        free(broad->searcher[k].movers.item);
        free(broad->searcher[k].found.item);
        free(broad->searcher[k].pairs.pair);
        free(broad->searcher[k].rows.item);
        free(broad->searcher[k].rows.clear);
    }
    free(broad->pairs.item);
    free(broad->pairs.clear);
    crn_tree_free(&broad->tree);
    crn_arena_release(&broad->memory);
    *broad = (crn_broad){.fat = NULL};
}
