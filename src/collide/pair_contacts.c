/* From the touches of a pair to contacts. Pairs of spheres, of which heaps are made, are computed directly; the results are the
 * same to the bit as by the general way. */
#include "collide/pair_contacts.h"

#include "base/foresee.h"
#include "base/memory.h"
#include "collide/identity.h"
#include "math/vec.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TOUCH_SIZE = offsetof(crn_ball_touch, ordinary)
};

static_assert(offsetof(crn_contact, point_b) + sizeof(double[3]) - offsetof(crn_contact, gap) == TOUCH_SIZE,
              "a touch of balls is part of a contact");

void crn_narrow_worker_free(crn_narrow_worker *worker)
{
    free(worker->touches);
    free(worker->contacts);
    crn_mesh_work_free(&worker->mesh);
    crn_sides_free(&worker->sides);
}

/* Friction and restitution of two materials, which are mostly those of the last contact. */
static const crn_surface *surface_of(const crn_narrow *n, crn_narrow_worker *t, int material_a, int material_b)
{
    crn_surface *s = &t->surface;
    if (s->material[0] == material_a && s->material[1] == material_b)
        return s;
    s->material[0] = material_a;
    s->material[1] = material_b;
    crn_materials_pair(n->model, material_a, material_b, &s->friction, &s->restitution);
    s->friction = n->reach->friction ? *n->reach->friction : s->friction;
    return s;
}

/* The two shapes and the surface of a new contact. */
static inline crn_contact *add_contact(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair, uint64_t feature)
{
    assert(pair.a >= 0 && pair.a < pair.b && t->contact_count < t->contact_capacity);
    const crn_site *a = &n->sites->site[pair.a], *b = &n->sites->site[pair.b];
    const crn_surface *surface = surface_of(n, t, a->material, b->material);
    crn_contact *contact = &t->contacts[t->contact_count++];
    contact->identity = crn_identity_pack(n->shape_bits, a->serial, b->serial, feature);
    contact->body_a = a->body;
    contact->body_b = b->body;
    contact->shape_a = pair.a;
    contact->shape_b = pair.b;
    contact->friction = surface->friction;
    contact->restitution = surface->restitution;
    contact->spin = 0.0;
    return contact;
}

/* is_swapped: the touch was made with a and b in the opposite order. */
static inline void fill_contact(const crn_touch *from, bool is_swapped, crn_contact *contact)
{
    assert(isfinite(from->gap));
    double sign = is_swapped ? -1.0 : 1.0;
    contact->gap = from->gap;
    for (int k = 0; k < 3; ++k)
        contact->normal[k] = sign * from->normal[k];
    memcpy(contact->point_a, is_swapped ? from->point_b : from->point_a, sizeof contact->point_a);
    memcpy(contact->point_b, is_swapped ? from->point_a : from->point_b, sizeof contact->point_b);
}

/* m: the part of a pair's largest listed gap that comes from the relative motion of the two bodies. */
static inline double travel_of(const crn_narrow *n, crn_narrow_worker *t, const crn_site *a, const crn_site *b)
{
    const crn_reach *reach = n->reach;
    if (!reach->travel)
        return 0.0;
    double apart[3];
    double friction = reach->lifts ? surface_of(n, t, a->material, b->material)->friction : 0.0;
    crn_sub3(reach->travel[a->body], reach->travel[b->body], apart);
    return crn_reach_of_friction(friction, reach->lifts) * crn_norm3(apart);
}

static cairn_status decide_sides(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair, crn_thin *thin)
{
    crn_thin_pair thin_pair = {.model = n->model,
                               .placed = n->sites->placed,
                               .a = pair.a,
                               .b = pair.b,
                               .shape_bits = n->shape_bits,
                               .memory = n->reach->sides,
                               .settles = n->reach->settles,
                               .down = n->reach->down};
    return crn_sides_decide(&thin_pair, &t->sides, thin);
}

static cairn_status reserve_contacts(crn_narrow_worker *t, int more)
{
    if (t->contact_count + (size_t)more <= t->contact_capacity)
        return CAIRN_OK;
    return crn_reserve(&t->contacts, &t->contact_capacity, t->contact_count + (size_t)more, sizeof(crn_contact));
}

/* m: how far two shapes without touches are apart beyond their margins, at least. */
static double gap_beyond(const crn_placed *a, const crn_placed *b, const crn_manifold *manifold)
{
    double scale = 0.0;
    for (int k = 0; k < 3; ++k)
        scale += fabs(a->centre[k]) + fabs(b->centre[k]);
    double gap = manifold->apart - a->margin - b->margin - 1e-12 * scale;
    return gap > 0.0 ? gap : 0.0;
}

/* One call less where the shape is not a ball. */
static inline const crn_placed *placed_of(const crn_sites *sites, int shape, crn_placed *own)
{
    int place = sites->site[shape].placed;
    return place >= 0 ? &sites->placed[place] : crn_site_placed(sites, shape, own);
}

/* The touches of a pair, sorted. Returns whether they are those of b and a: swapping them is left to whoever reads them. */
static bool find_touches(const crn_placed *a, const crn_placed *b, int dimension, double travel, crn_manifold *out)
{
    bool is_swapped = crn_class_of(a->kind)->rank > crn_class_of(b->kind)->rank;
    if (a->shape || b->shape) /* outlines, whose seams are known by a and b */
    {
        crn_touch_any(a, b, dimension, out);
        is_swapped = false;
    }
    else
    {
        crn_touch_ordered(is_swapped ? b : a, is_swapped ? a : b, dimension, out);
        if (out->count > 1)
            crn_manifold_sort(out);
    }
    if (!crn_may_hold_fast(a, b, travel, out))
        return is_swapped;
    if (is_swapped)
        crn_manifold_swap(out);
    crn_hold_fast(a, b, travel, out);
    return false;
}

cairn_status crn_touch_pair(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair, double *gap)
{
    assert(pair.a >= 0 && pair.a < pair.b);
    assert((size_t)pair.b < n->model->shape_count);
    const crn_placed *a = placed_of(n->sites, pair.a, &t->ball), *b = placed_of(n->sites, pair.b, &t->ball);
    assert(a != b); /* at most one of the two is a ball */
    double travel = travel_of(n, t, &n->sites->site[pair.a], &n->sites->site[pair.b]);
    crn_manifold manifold = {.touches = t->touches,
                             .capacity = t->touch_capacity,
                             .grows = true,
                             .apart = -INFINITY,
                             .bits = 64 - 2 * n->shape_bits,
                             .work = &t->mesh,
                             .limit = n->reach->margin[a->body] + n->reach->margin[b->body] + travel};
    crn_thin thin;
    if (n->model->dimension == 2 && crn_is_thin(a, b))
    {
        manifold.status = decide_sides(n, t, pair, &thin);
        manifold.thin = manifold.status ? NULL : &thin;
    }
    bool is_swapped = find_touches(a, b, n->model->dimension, travel, &manifold);
    t->touches = manifold.touches;
    t->touch_capacity = manifold.capacity;
    *gap = manifold.count > 0 ? 0.0 : gap_beyond(a, b, &manifold);
    CRN_TRY(manifold.status);
    CRN_TRY(reserve_contacts(t, manifold.count));
    for (int i = 0; i < manifold.count; ++i)
        fill_contact(&manifold.touches[i], is_swapped, add_contact(n, t, pair, manifold.touches[i].feature));
    return CAIRN_OK;
}

/* Whether the gap of a pair is within reach, now and not already with the margins before. Motion is looked at only where the margins
 * do not suffice. */
static bool is_within(const crn_narrow *n, crn_narrow_worker *t, const crn_site *a, const crn_site *b, double gap)
{
    const double *margin = n->reach->margin, *before = n->margin_before;
    bool surely = gap <= margin[a->body] + margin[b->body];
    if (surely && !before)
        return true;
    double travel = travel_of(n, t, a, b);
    return gap <= margin[a->body] + margin[b->body] + travel &&
           !(before && gap <= before[a->body] + before[b->body] + travel);
}

/* As crn_touch_spheres and crn_manifold_add do it. */
cairn_status crn_touch_balls(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair)
{
    const crn_site *a = &n->sites->site[pair.a], *b = &n->sites->site[pair.b];
    assert(crn_site_is_ball(a) && crn_site_is_ball(b));
    double normal[3], both = a->radius + b->radius;
    crn_sub3(a->centre, b->centre, normal);
    double distance = crn_norm3(normal), gap = distance - a->radius - b->radius;
    if (both == 0.0 || !is_within(n, t, a, b, gap))
        return CAIRN_OK; /* two points never touch */
    crn_scale3(1.0 / distance, normal, normal);
    if (!(distance > 1e-14 * both))
    {
        double any[3]; /* so that the usual one stays in registers */
        crn_any_normal(3, any);
        memcpy(normal, any, sizeof normal);
    }
    if (!crn_is_unit3(normal))
        return CAIRN_NUMERIC;
    CRN_TRY(reserve_contacts(t, 1));
    crn_contact *contact = add_contact(n, t, pair, 0);
    contact->gap = gap;
    for (int k = 0; k < 3; ++k)
        contact->normal[k] = normal[k];
    crn_madd3(a->centre, -a->radius, normal, contact->point_a);
    crn_madd3(contact->point_a, -gap, normal, contact->point_b);
    return CAIRN_OK;
}

/* A ball and a half-space, as crn_touch_half_space_sphere and crn_manifold_add do it. */
static cairn_status touch_half(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair)
{
    const crn_site *a = &n->sites->site[pair.a], *b = &n->sites->site[pair.b];
    bool is_swapped = !crn_site_is_ball(a);
    const crn_site *ball = is_swapped ? b : a;
    const crn_placed *half = &n->sites->placed[(is_swapped ? a : b)->placed];
    double travel = travel_of(n, t, a, b), arm[3], unused;
    if (!(1.9 * ball->radius > travel)) /* it may be held fast */
        return crn_touch_pair(n, t, pair, &unused);
    crn_touch touch;
    crn_sub3(ball->centre, half->centre, arm);
    touch.gap = crn_dot3(half->normal, arm) - ball->radius;
    if (!(touch.gap <= n->reach->margin[a->body] + n->reach->margin[b->body] + travel))
        return CAIRN_OK;
    if (!crn_is_unit3(half->normal))
        return CAIRN_NUMERIC;
    memcpy(touch.normal, half->normal, sizeof touch.normal);
    crn_madd3(ball->centre, -ball->radius, touch.normal, touch.point_a);
    crn_madd3(touch.point_a, -touch.gap, touch.normal, touch.point_b);
    CRN_TRY(reserve_contacts(t, 1));
    fill_contact(&touch, is_swapped, add_contact(n, t, pair, 0));
    return CAIRN_OK;
}

/* A pair that is not two balls, or two balls that ask for a closer look. */
static cairn_status take_odd(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair)
{
    const crn_site *a = &n->sites->site[pair.a], *b = &n->sites->site[pair.b];
    return crn_site_is_ball(a) && crn_site_is_ball(b) ? crn_touch_balls(n, t, pair) : touch_half(n, t, pair);
}

cairn_status crn_take_balls(const crn_narrow *n, crn_narrow_worker *t, const crn_shape_pair *pair, int count,
                            const crn_ball_touch *touch)
{
    assert(!n->margin_before);
    const double *margin = n->reach->margin;
    for (int i = 0; i < count; ++i)
    {
        if (touch[i].ordinary == 0.0)
        {
            CRN_TRY(take_odd(n, t, pair[i]));
            continue;
        }
        const crn_site *a = &n->sites->site[pair[i].a], *b = &n->sites->site[pair[i].b];
        if (!(touch[i].gap <= margin[a->body] + margin[b->body]) && !is_within(n, t, a, b, touch[i].gap))
            continue;
        CRN_TRY(reserve_contacts(t, 1));
        crn_contact *contact = add_contact(n, t, pair[i], 0);
        crn_foresee_write(contact, CRN_FORESEEN * sizeof *contact);
        crn_foresee_write(contact, CRN_FORESEEN * sizeof *contact + CRN_LINE);
        memcpy(&contact->gap, &touch[i].gap, TOUCH_SIZE);
    }
    return CAIRN_OK;
}
