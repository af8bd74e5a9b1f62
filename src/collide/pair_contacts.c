/* From the touches of a pair to contacts. Pairs of spheres, of which heaps are made, are computed directly; the results are the
 * same to the bit as by the general way. */
#include "collide/pair_contacts.h"

#include "base/memory.h"
#include "collide/identity.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

void crn_narrow_worker_free(crn_narrow_worker *worker)
{
    free(worker->touches);
    free(worker->contacts);
    crn_mesh_work_free(&worker->mesh);
    crn_sides_free(&worker->sides);
}

static void surface_of(const crn_narrow *n, int material_a, int material_b, double *friction, double *restitution)
{
    crn_materials_pair(n->model, material_a, material_b, friction, restitution);
    *friction = n->reach->friction ? *n->reach->friction : *friction;
}

static void fill_contact(const crn_narrow *n, crn_shape_pair pair, const crn_touch *from, crn_contact *contact)
{
    assert(pair.a >= 0 && pair.a < pair.b && isfinite(from->gap));
    const crn_shape *a = &n->model->shapes[pair.a], *b = &n->model->shapes[pair.b];
    assert(from->feature < UINT64_C(1) << (64 - 2 * n->shape_bits));
    contact->shape_a = pair.a;
    contact->shape_b = pair.b;
    contact->body_a = a->body;
    contact->body_b = b->body;
    contact->identity = crn_identity_pack(n->shape_bits, a->serial, b->serial, from->feature);
    contact->gap = from->gap;
    memcpy(contact->normal, from->normal, sizeof contact->normal);
    memcpy(contact->point_a, from->point_a, sizeof contact->point_a);
    memcpy(contact->point_b, from->point_b, sizeof contact->point_b);
    contact->spin = 0.0;
    surface_of(n, a->material, b->material, &contact->friction, &contact->restitution);
}

/* m: the part of a pair's largest listed gap that comes from the relative motion of the two bodies. */
static double travel_of(const crn_narrow *n, int body_a, int body_b, int material_a, int material_b)
{
    const crn_reach *reach = n->reach;
    if (!reach->travel)
        return 0.0;
    double friction = 0, restitution, apart[3];
    if (reach->lifts)
        surface_of(n, material_a, material_b, &friction, &restitution);
    crn_sub3(reach->travel[body_a], reach->travel[body_b], apart);
    return crn_reach_of_friction(friction, reach->lifts) * crn_norm3(apart);
}

static cairn_status decide_sides(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair, crn_thin *thin)
{
    crn_thin_pair thin_pair = {.model = n->model,
                               .placed = n->placed,
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
    return crn_reserve(&t->contacts, &t->contact_capacity, t->contact_count + (size_t)more, sizeof(crn_contact));
}

cairn_status crn_touch_pair(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair)
{
    assert(pair.a >= 0 && pair.a < pair.b);
    assert((size_t)pair.b < n->model->shape_count);
    const crn_placed *a = &n->placed[pair.a], *b = &n->placed[pair.b];
    double travel =
        travel_of(n, a->body, b->body, n->model->shapes[pair.a].material, n->model->shapes[pair.b].material);
    crn_manifold manifold = {.touches = t->touches,
                             .capacity = t->touch_capacity,
                             .grows = true,
                             .bits = 64 - 2 * n->shape_bits,
                             .work = &t->mesh,
                             .limit = n->reach->margin[a->body] + n->reach->margin[b->body] + travel};
    crn_thin thin;
    if (crn_is_thin(a, b))
    {
        manifold.status = decide_sides(n, t, pair, &thin);
        manifold.thin = manifold.status ? NULL : &thin;
    }
    crn_touch_any(a, b, n->model->dimension, &manifold);
    crn_hold_fast(a, b, travel, &manifold);
    t->touches = manifold.touches;
    t->touch_capacity = manifold.capacity;
    CRN_TRY(manifold.status);
    CRN_TRY(reserve_contacts(t, manifold.count));
    for (int i = 0; i < manifold.count; ++i)
        fill_contact(n, pair, &manifold.touches[i], &t->contacts[t->contact_count++]);
    return CAIRN_OK;
}

/* As crn_touch_spheres and crn_manifold_add do it. */
cairn_status crn_touch_balls(const crn_narrow *n, crn_narrow_worker *t, crn_shape_pair pair)
{
    const crn_ball *a = &n->ball[pair.a], *b = &n->ball[pair.b];
    assert(a->is_ball && b->is_ball);
    double normal[3], both = a->radius + b->radius;
    crn_sub3(a->centre, b->centre, normal);
    double distance = crn_norm3(normal), gap = distance - a->radius - b->radius;
    double travel = travel_of(n, a->body, b->body, a->material, b->material);
    if (both == 0.0 || !(gap <= n->reach->margin[a->body] + n->reach->margin[b->body] + travel))
        return CAIRN_OK; /* two points never touch */
    if (n->margin_before && gap <= n->margin_before[a->body] + n->margin_before[b->body] + travel)
        return CAIRN_OK;
    if (distance > 1e-14 * both)
        crn_scale3(1.0 / distance, normal, normal);
    else
        crn_any_normal(3, normal);
    if (!crn_is_unit3(normal))
        return CAIRN_NUMERIC;
    CRN_TRY(reserve_contacts(t, 1));
    crn_contact *contact = &t->contacts[t->contact_count++];
    *contact = (crn_contact){.body_a = a->body,
                             .body_b = b->body,
                             .shape_a = pair.a,
                             .shape_b = pair.b,
                             .identity = crn_identity_pack(n->shape_bits, a->serial, b->serial, 0),
                             .gap = gap};
    memcpy(contact->normal, normal, sizeof normal);
    crn_madd3(a->centre, -a->radius, normal, contact->point_a);
    crn_madd3(contact->point_a, -gap, normal, contact->point_b);
    surface_of(n, a->material, b->material, &contact->friction, &contact->restitution);
    return CAIRN_OK;
}
