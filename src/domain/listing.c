#include "domain/listing.h"

enum
{
    WALL_BITS = 24 /* of a place in the order: walls between two other shapes are numbered in them */
};

uint64_t crn_contact_feature(const crn_gpu_contact *contact, int triangle_a, int triangle_b)
{
    uint64_t feature = (uint64_t)contact->feature;
    feature |= triangle_a < 0 ? 0 : ((uint64_t)triangle_a + 1) << 10;
    return feature | (triangle_b < 0 ? 0 : ((uint64_t)triangle_b + 1) << 10);
}

/* ----------------------------------------------------------------------------------------------------------------- order */

/* Walls are numbered behind all other shapes, but come where the model has them. */
static uint64_t wall_place(const crn_domain_scene *scene, int64_t wall)
{
    return (uint64_t)scene->description.wall_after[wall] << WALL_BITS | (uint64_t)(wall + 1);
}

static uint64_t other_place(int64_t number)
{
    return (uint64_t)(number + 1) << WALL_BITS;
}

uint64_t crn_shape_order(const crn_domain_scene *scene, int64_t number, int triangle)
{
    int64_t others = scene->total_shapes - scene->description.wall_count;
    if (number >= others)
        return wall_place(scene, number - others);
    return other_place(triangle < 0 ? number : scene->description.triangle_first[triangle]);
}

/* `contact` names bodies and shapes among all; triangles: those of its shapes. */
static crn_contact_key key_of(const crn_domain_scene *scene, const crn_gpu_contact *contact, const int triangle[2])
{
    uint64_t a, b;
    if (scene->has_shapes)
    {
        a = crn_shape_order(scene, contact->shape_a, triangle[0]);
        b = crn_shape_order(scene, contact->shape_b, triangle[1]);
    }
    else
    {
        a = other_place(contact->a);
        b = contact->b < 0 ? wall_place(scene, -1 - (int64_t)contact->b) : other_place(contact->b);
    }
    return (crn_contact_key){a < b ? a : b, a < b ? b : a,
                             crn_contact_feature(contact, triangle[0], triangle[1]) & scene->description.feature_mask};
}

static int compare(const crn_contact_key *x, const crn_contact_key *y)
{
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static int by_key(const void *a, const void *b)
{
    return compare(&((const crn_listed *)a)->key, &((const crn_listed *)b)->key);
}

/* ------------------------------------------------------------------------------------------------------------------ read */

/* Triangles of a contact's shapes, as this rank numbers them; -1: it is none. */
static void triangles_of(const crn_domain *domain, const crn_gpu_contact *contact, int out[2])
{
    for (int side = 0; side < 2; ++side)
    {
        const crn_gpu_shape *shape = domain->local.shape + (side ? contact->shape_b : contact->shape_a);
        out[side] = domain->scene.has_shapes && shape->kind == CRN_GPU_TRIANGLE ? shape->triangle : -1;
    }
}

/* From the numbers of this rank to those among all. */
static void renumber(const crn_domain *domain, crn_gpu_contact *contact)
{
    contact->a = (int32_t)domain->local.global[contact->a];
    contact->b = contact->b < 0 ? contact->b : (int32_t)domain->local.global[contact->b];
    if (!domain->scene.has_shapes)
        return;
    contact->shape_a = (int32_t)domain->local.global_shape[contact->shape_a];
    contact->shape_b = (int32_t)domain->local.global_shape[contact->shape_b];
}

static bool read(crn_listing *listing, crn_domain *domain, bool is_sorted)
{
    int32_t count = domain->report.here;
    listing->count = listing->next = 0;
    if (crn_reserve_all(&domain->memory, CRN_ARRAY(domain->contact, (size_t)count + 1)) ||
        crn_reserve_all(&listing->memory, CRN_ARRAY(listing->listed, is_sorted ? (size_t)count + 1 : 1)))
        return crn_domain_fail(domain, "memory ran out");
    if (count > 0 && !domain->inner->read_contacts(domain->world, domain->contact, count, domain->sentence))
        return false;
    listing->count = (size_t)count;
    for (size_t j = 0; j < listing->count; ++j)
    {
        int triangle[2];
        triangles_of(domain, &domain->contact[j], triangle);
        renumber(domain, &domain->contact[j]);
        if (is_sorted)
            listing->listed[j] = (crn_listed){key_of(&domain->scene, &domain->contact[j], triangle), j};
    }
    return true;
}

bool crn_listing_read(crn_listing *listing, crn_domain *domain)
{
    return read(listing, domain, false);
}

bool crn_listing_begin(crn_listing *listing, crn_domain *domain)
{
    bool good = read(listing, domain, true);
    if (listing->count > 0)
        qsort(listing->listed, listing->count, sizeof *listing->listed, by_key);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------ send */

/* How far all ranks go. */
static crn_contact_key bound_of(const crn_listing *listing, cairn_ranks *ranks, size_t share)
{
    static const crn_contact_key END = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    size_t last = listing->next + share - 1, size;
    const crn_contact_key mine = last < listing->count ? listing->listed[last].key : END;
    const crn_contact_key *all = ranks->gather(ranks->context, &mine, sizeof mine, &size);
    crn_contact_key least = END;
    for (size_t r = 0; r < size / sizeof *all; ++r)
        least = compare(&all[r], &least) < 0 ? all[r] : least;
    return least;
}

void crn_listing_send(crn_listing *listing, crn_domain *domain, size_t share)
{
    const crn_contact_key bound = bound_of(listing, domain->ranks, share);
    size_t end = listing->count - listing->next < share ? listing->count : listing->next + share;
    for (; listing->next < end && compare(&listing->listed[listing->next].key, &bound) <= 0; ++listing->next)
        crn_bytes_put(&domain->post.to[0], &domain->contact[listing->listed[listing->next].contact],
                      sizeof *domain->contact);
}

void crn_listing_free(crn_listing *listing)
{
    crn_arena_release(&listing->memory);
    *listing = (crn_listing){0};
}
