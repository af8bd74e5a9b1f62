/* From poses to contacts: place the shapes, find the pairs, compute the touches of each pair, give each contact its
 * identity and frame.
 *
 * In a pair, a is the shape with the lower index. Pairs are visited in the order of their contacts' identities
 * (identity.h) and the touches of a pair are sorted by feature, so the contacts need no sorting.
 */
#include "collide/collide.h"

#include "base/memory.h"
#include "base/parallel_ranges.h"
#include "collide/broad/broad.h"
#include "collide/crowd.h"
#include "collide/identity.h"
#include "collide/images.h"
#include "collide/query/line_span.h"
#include "math/vec.h"
#include "model/periodic.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHARED = 2048, /* shapes, from which on threads share their placing */
    FOUR = 4
};

struct crn_collider
{
    int threads;
    crn_sites sites;
    crn_broad broad;
    crn_crowd found; /* by crn_collide */
    crn_crowd again; /* by crn_collide_grown */
    bool *grown;     /* per shape: likewise */
    int *lost;       /* per thread: a body whose pose is not finite; -1: none */
    int shape_bits;  /* of an identity, for each of the two shapes */
    uint64_t named;  /* revision of the model for which that was counted */
    bool keep_all;
    crn_images *images; /* in a periodic box; NULL: none yet */
    crn_arena memory;   /* grown, lost */
};

crn_collider *crn_collider_create(int threads)
{
    assert(threads >= 0);
    crn_collider *collider = calloc(1, sizeof(crn_collider));
    if (collider)
        collider->threads = threads > 1 ? threads : 1;
    return collider;
}

void crn_collider_destroy(crn_collider *collider)
{
    if (collider)
    {
        crn_crowd_free(&collider->found);
        crn_crowd_free(&collider->again);
        crn_broad_free(&collider->broad);
        crn_sites_free(&collider->sites);
        crn_images_destroy(collider->images);
        crn_arena_release(&collider->memory);
        free(collider);
    }
}

void crn_collider_take_turns(crn_collider *collider, crn_scratch *spare)
{
    collider->found.spare = collider->broad.tree.scratch = spare;
}

bool crn_collider_keeps(const crn_collider *collider, const crn_contact *contacts)
{
    return collider->found.spare && contacts && contacts == collider->found.contacts;
}

bool crn_collider_meets_nobody(const crn_collider *collider)
{
    return collider->broad.model && collider->broad.nobody_meets;
}

void crn_collider_keep_all(crn_collider *collider)
{
    collider->keep_all = true;
}

/* Reserve memory for every shape of the model and for every thread. */
static cairn_status make_room(crn_collider *collider, const cairn_model *model)
{
    CRN_TRY(crn_sites_begin(&collider->sites, model));
    if (crn_reserve_all(&collider->memory, CRN_ARRAY(collider->lost, collider->threads)) ||
        crn_broad_begin(&collider->broad, &collider->sites, collider->threads))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "collision detection: memory ran out for %zu shapes",
                        model->shape_count);
    if (collider->shape_bits == 0 || collider->named != model->revision)
        collider->shape_bits = crn_identity_bits(model);
    collider->named = model->revision;
    return CAIRN_OK;
}

double crn_reach_factor(const cairn_model *model, bool lifts, const double *friction)
{
    double largest = friction ? *friction : 0;
    for (size_t i = 0; i < model->material_count && !friction; ++i)
        largest = fmax(largest, model->materials[i].friction);
    for (size_t i = 0; i < model->pair_count && !friction; ++i)
        largest = fmax(largest, model->pairs[i].options.friction);
    return crn_reach_of_friction(largest, lifts);
}

/* ---------------------------------------------------------------------------------------------------------- placing */

/* The placing of all shapes, in parts. */
typedef struct placing
{
    crn_collider *collider;
    const crn_pose *poses;
    const crn_reach *reach;
    double k; /* crn_reach_factor */
    int parts;
    const double *before; /* m, per body: margins, of those that may have grown */
} placing;

static placing placing_of(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                          const crn_reach *reach)
{
    return (placing){.collider = collider,
                     .poses = poses,
                     .reach = reach,
                     .k = crn_reach_factor(model, reach->lifts, reach->friction),
                     .parts = model->shape_count < SHARED ? 1 : collider->threads};
}

static bool is_finite(const crn_pose *pose)
{
    double sum = pose->x[0] + pose->x[1] + pose->x[2];
    for (int k = 0; k < 9; ++k)
        sum += pose->R[k];
    return isfinite(sum);
}

static const double *travel_of(const crn_reach *reach, int body)
{
    return reach->travel ? reach->travel[body] : NULL;
}

static cairn_status fail_lost(const cairn_model *model, int body)
{
    return crn_fail(model->context, CAIRN_NUMERIC, "body '%s': its pose is not finite", model->bodies[body].name);
}

/* Place a shape. Returns false if its pose is not finite. */
static bool place(const placing *p, int shape, int part)
{
    crn_sites *sites = &p->collider->sites;
    int body = sites->site[shape].body;
    if (!is_finite(&p->poses[body]))
        return false;
    crn_sites_place(sites, shape, &p->poses[body], p->reach, p->k);
    if (p->reach->absent && p->reach->absent[body])
        crn_broad_hide(&p->collider->broad, shape, part);
    else
        crn_broad_check(&p->collider->broad, sites, shape, travel_of(p->reach, body), part);
    return true;
}

static void place_part(void *data, int part)
{
    const placing *p = data;
    const crn_sites *sites = &p->collider->sites;
    int count = (int)sites->model->shape_count, end = (int)crn_part((size_t)count, p->parts, part + 1);
    int *lost = &p->collider->lost[part];
    bool fours = !sites->mixed && !p->reach->absent && p->reach->travel;
    *lost = -1;
    for (int i = (int)crn_part((size_t)count, p->parts, part), next = i; i < end && *lost < 0; i = next)
    {
        next = i + FOUR < end ? i + FOUR : end;
        if (fours && next - i == FOUR && crn_place_balls(sites, &p->collider->broad, i, p->poses, p->reach, p->k))
            continue;
        for (; i < next && *lost < 0; ++i)
            *lost = place(p, i, part) ? -1 : sites->site[i].body;
    }
}

static cairn_status place_all(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                              const crn_reach *reach)
{
    placing all = placing_of(collider, model, poses, reach);
    crn_in_parts(all.parts, place_part, &all);
    for (int k = 0; k < all.parts; ++k)
    {
        if (collider->lost[k] >= 0)
        {
            collider->broad.model = NULL; /* some shapes were not compared with their fat bounds */
            return fail_lost(model, collider->lost[k]);
        }
    }
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- touching */

static cairn_status touch(const crn_collider *collider, crn_crowd *crowd, const crn_reach *reach, const bool *only,
                          const double *before, const crn_contact **contacts, int *count)
{
    crn_crowd_run run = {.narrow = {.model = collider->sites.model,
                                    .reach = reach,
                                    .margin_before = before,
                                    .sites = &collider->sites,
                                    .shape_bits = collider->shape_bits},
                         .broad = &collider->broad,
                         .only = only,
                         .threads = collider->threads,
                         .keep_all = collider->keep_all};
    return crn_crowd_touch(crowd, &run, contacts, count);
}

const crn_sides *crn_collider_sides(const crn_collider *collider)
{
    return &collider->found.sides;
}

/* Where no two bodies may touch: shapes need no places. */
static cairn_status find_nothing(crn_collider *collider, const cairn_model *model, const crn_pose *poses)
{
    collider->found.sides.count = 0;
    for (size_t i = 0; i < model->shape_count; ++i)
        if (!is_finite(&poses[collider->sites.site[i].body]))
            return fail_lost(model, collider->sites.site[i].body);
    return CAIRN_OK;
}

/* In a box without images. */
static cairn_status collide(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                            const crn_reach *reach, const crn_contact **contacts, int *count)
{
    *contacts = NULL;
    *count = 0;
    cairn_status status = make_room(collider, model);
    if (status == CAIRN_OK && collider->broad.nobody_meets)
        return find_nothing(collider, model, poses);
    if (status == CAIRN_OK)
        status = place_all(collider, model, poses, reach);
    if (status == CAIRN_OK && crn_broad_update(&collider->broad, &collider->sites, collider->threads))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "collision detection: memory ran out for pairs");
    if (status)
        return status;
    status = touch(collider, &collider->found, reach, NULL, NULL, contacts, count);
    if (status)
    {
        crn_fail(model->context, status,
                 status == CAIRN_NO_MEMORY
                     ? "collision detection: memory ran out for contacts"
                     : "collision detection: two shapes are so far from the origin that rounding leaves them no form");
    }
    return status;
}

cairn_status crn_collide(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                         const crn_reach *reach, const crn_contact **contacts, int *count)
{
    if (!crn_is_periodic(model))
        return collide(collider, model, poses, reach, contacts, count);
    *contacts = NULL;
    *count = 0;
    collider->images = collider->images ? collider->images : crn_images_create();
    cairn_status status = collider->images
                              ? crn_images_begin(collider->images, model, poses, reach, &model, &poses, &reach)
                              : CAIRN_NO_MEMORY;
    if (!status)
        CRN_TRY(collide(collider, model, poses, reach, contacts, count));
    status = status ? status : crn_images_end(collider->images, contacts, count);
    return status ? crn_fail(model->context, status, "collision detection: memory ran out for images") : CAIRN_OK;
}

/* lost[part] of the collider: whether any shape of the part has been placed once more. */
static void place_grown_part(void *data, int part)
{
    const placing *p = data;
    const crn_reach *reach = p->reach;
    crn_collider *collider = p->collider;
    crn_sites *sites = &collider->sites;
    size_t count = sites->model->shape_count, end = crn_part(count, p->parts, part + 1);
    bool any = false;
    for (size_t i = crn_part(count, p->parts, part); i < end; ++i)
    {
        int body = sites->site[i].body;
        collider->grown[i] = reach->margin[body] > p->before[body] && !(reach->absent && reach->absent[body]);
        if (!collider->grown[i])
            continue;
        crn_sites_place(sites, (int)i, &p->poses[body], reach, p->k);
        crn_broad_check(&collider->broad, sites, (int)i, travel_of(reach, body), part);
        any = true;
    }
    collider->lost[part] = any;
}

/* Mark the shapes of bodies whose margins have grown, and place them once more. Returns false if there are none. */
static bool place_grown(crn_collider *collider, const crn_pose *poses, const crn_reach *reach, const double *before)
{
    const cairn_model *model = collider->sites.model;
    bool any = false;
    placing all = placing_of(collider, model, poses, reach);
    all.before = before;
    crn_in_parts(all.parts, place_grown_part, &all);
    for (int part = 0; part < all.parts; ++part)
        any = any || collider->lost[part];
    return any;
}

/* The contacts that come within reach lie in the spare memory, which is nobody's meanwhile. */
static void lend(crn_crowd *again, const crn_scratch *spare)
{
    if (!spare)
        return;
    again->contacts = spare->memory;
    again->capacity = spare->capacity / sizeof(crn_contact);
}

static void give_back(crn_crowd *again, crn_scratch *spare)
{
    if (!spare)
        return;
    *spare = (crn_scratch){again->contacts, again->capacity * sizeof(crn_contact)};
    again->contacts = NULL;
    again->capacity = 0;
}

cairn_status crn_collide_grown(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                               const crn_reach *reach, const double *before, const crn_contact **contacts, int *count)
{
    assert(model->dimension == 3);
    assert(collider->broad.model == model && collider->broad.revision == model->revision);
    *contacts = NULL;
    *count = 0;
    if (collider->broad.nobody_meets)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&collider->memory, CRN_ARRAY(collider->grown, model->shape_count)));
    CRN_TRY(crn_broad_begin(&collider->broad, &collider->sites, collider->threads));
    if (!place_grown(collider, poses, reach, before))
        return CAIRN_OK;
    CRN_TRY(crn_broad_update(&collider->broad, &collider->sites, collider->threads));
    lend(&collider->again, collider->found.spare);
    cairn_status status = touch(collider, &collider->again, reach, collider->grown, before, contacts, count);
    give_back(&collider->again, collider->found.spare);
    return status;
}

cairn_status crn_collider_insert(crn_collider *collider, int count, const crn_contact *more, int more_count,
                                 const crn_contact **contacts)
{
    return crn_crowd_insert(&collider->found, count, more, more_count, contacts);
}

bool crn_collider_surfaces(const crn_collider *collider, const crn_contact *contact, const double x[3], double *a,
                           double *b)
{
    assert(crn_is_unit3(contact->normal));
    double unused;
    crn_placed own = {.radius = 0.0};
    return crn_line_span(crn_site_placed(&collider->sites, contact->shape_a, &own), x, contact->normal, a, &unused) &&
           crn_line_span(crn_site_placed(&collider->sites, contact->shape_b, &own), x, contact->normal, &unused, b) &&
           isfinite(*a) && isfinite(*b);
}
