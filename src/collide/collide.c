/* From poses to contacts: place the shapes, find the pairs, compute the touches of each pair, give each contact its
 * identity and frame.
 *
 * In a pair, a is the shape with the lower index. Pairs are visited in the order of their contacts' identities
 * (identity.h) and the touches of a pair are sorted by feature, so the contacts need no sorting.
 */
#include "collide/collide.h"

#include "base/memory.h"
#include "collide/broad/broad.h"
#include "collide/broad/parallel_ranges.h"
#include "collide/broad/place.h"
#include "collide/identity.h"
#include "collide/mesh/mesh.h"
#include "collide/query/line_span.h"
#include "collide/shapes/triangulated_shapes.h"
#include "math/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_SHAPES = 1 << 23, /* the highest bit of an identity stays free for the gaps of users' systems */
    MAX_VERTICES = 1 << 15
};

static const double THIN_ROOM = 0.1; /* of a segment's length */

/* The workspace of one thread of the narrow phase: the touches of the current pair, and the contacts of all its pairs. */
typedef struct narrow_worker
{
    crn_touch *touches;
    size_t touch_capacity;
    crn_contact *contacts;
    size_t contact_capacity, contact_count;
    crn_mesh_work mesh;
    crn_sides sides;
    cairn_status status;
} narrow_worker;

struct crn_collider
{
    crn_arena memory; /* placed, vertices, narrow_worker, contacts */
    crn_placed *placed;
    double *vertices;
    int threads;
    narrow_worker *narrow_worker; /* one per thread */
    int narrow_worker_count;
    crn_contact *contacts; /* the contacts of all threads, when there are several */
    crn_sides sides;       /* the sides of all threads */
    crn_broad broad;
    crn_facets facets;
    int shape_bits; /* of an identity, for each of the two shapes */
    bool keep_all;
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
        for (int k = 0; k < collider->narrow_worker_count; ++k)
        {
            free(collider->narrow_worker[k].touches);
            free(collider->narrow_worker[k].contacts);
            crn_mesh_work_free(&collider->narrow_worker[k].mesh);
            crn_sides_free(&collider->narrow_worker[k].sides);
        }
        crn_arena_release(&collider->memory);
        crn_sides_free(&collider->sides);
        crn_broad_free(&collider->broad);
        crn_facets_free(&collider->facets);
        free(collider);
    }
}

void crn_collider_keep_all(crn_collider *collider)
{
    collider->keep_all = true;
}

/* Reserve memory for a number of shapes and vertex coordinates, and for every thread. */
static cairn_status reserve(crn_collider *collider, size_t shapes, size_t numbers)
{
    cairn_status status =
        crn_reserve_all(&collider->memory, CRN_ARRAY(collider->placed, shapes), CRN_ARRAY(collider->vertices, numbers),
                        CRN_ARRAY(collider->narrow_worker, collider->threads));
    if (status)
        return status;
    collider->narrow_worker_count = collider->threads;
    for (int k = 0; k < collider->narrow_worker_count; ++k)
        collider->narrow_worker[k].mesh.plain = collider->keep_all;
    return CAIRN_OK;
}

/* Reserve memory for every shape and vertex of the model. */
static cairn_status make_room(crn_collider *collider, const cairn_model *model)
{
    assert(model->serials >= (int)model->shape_count);
    size_t numbers = 0;
    if (model->serials > MAX_SHAPES)
    {
        return crn_fail(model->context, CAIRN_UNSUPPORTED,
                        "%d shapes have been added to the model: collision detection tells at most %d apart",
                        model->serials, MAX_SHAPES);
    }
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        if (shape->vertex_count > MAX_VERTICES)
        {
            return crn_fail(model->context, CAIRN_UNSUPPORTED, "body '%s': polygon: %d vertices, at most %d are taken",
                            model->bodies[shape->body].name, shape->vertex_count, MAX_VERTICES);
        }
        numbers += 2 * (size_t)shape->vertex_count;
    }
    collider->shape_bits = crn_identity_bits(model);
    if (reserve(collider, model->shape_count, numbers) || crn_facets_update(&collider->facets, model))
    {
        return crn_fail(model->context, CAIRN_NO_MEMORY, "collision detection: memory ran out for %zu shapes",
                        model->shape_count);
    }
    return CAIRN_OK;
}

static bool is_finite(const crn_pose *pose)
{
    double sum = pose->x[0] + pose->x[1] + pose->x[2];
    for (int k = 0; k < 9; ++k)
        sum += pose->R[k];
    return isfinite(sum);
}

static double factor(double friction, bool lifts)
{
    assert(friction >= 0.0);
    return lifts ? hypot(1.0, friction) : 1.0;
}

double crn_reach_factor(const cairn_model *model, bool lifts, const double *friction)
{
    double largest = friction ? *friction : 0;
    for (size_t i = 0; i < model->material_count && !friction; ++i)
        largest = fmax(largest, model->materials[i].friction);
    for (size_t i = 0; i < model->pair_count && !friction; ++i)
        largest = fmax(largest, model->pairs[i].friction);
    return factor(largest, lifts);
}

/* m: how far a vertex may pass through a segment before the pair is lost. */
static double thin_room(const crn_shape *shape)
{
    assert(!crn_shape_has(shape->kind, CRN_SHAPE_THIN) || shape->vertex_count == 2);
    const double *v = shape->vertices;
    return crn_shape_has(shape->kind, CRN_SHAPE_THIN) ? THIN_ROOM * hypot(v[2] - v[0], v[3] - v[1]) : 0.0;
}

/* m: by how much a shape's bounds grow, so that two shapes within reach overlap whatever the directions of their motion. */
static double growth(const crn_reach *reach, const crn_shape *shape, double largest)
{
    assert(!(reach->margin[shape->body] < 0.0) && largest >= 1.0);
    double travel = reach->travel ? largest * crn_norm3(reach->travel[shape->body]) : 0.0;
    return reach->margin[shape->body] + travel + thin_room(shape);
}

static cairn_status place_all(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                              const crn_reach *reach)
{
    double *vertices = collider->vertices, largest = crn_reach_factor(model, reach->lifts, reach->friction);
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        assert(shape->body >= 0 && (size_t)shape->body < model->body_count);
        if (!is_finite(&poses[shape->body]))
        {
            return crn_fail(model->context, CAIRN_NUMERIC, "body '%s': its pose is not finite",
                            model->bodies[shape->body].name);
        }
        crn_place(shape, model->dimension, &poses[shape->body], growth(reach, shape, largest), vertices,
                  &collider->placed[i]);
        crn_facets_lend(&collider->facets, (int)i, &collider->placed[i]);
        vertices += 2 * shape->vertex_count;
    }
    return CAIRN_OK;
}

static void frame(crn_contact *contact, int dimension)
{
    assert(crn_is_unit3(contact->normal));
    const double *n = contact->normal;
    double *t = contact->tangent[0], *o = contact->tangent[1];
    if (dimension == 2)
    {
        memcpy(t, (double[3]){-n[1], n[0], 0.0}, sizeof contact->tangent[0]);
        memcpy(o, (double[3]){0.0, 0.0, 1.0}, sizeof contact->tangent[1]);
        return;
    }
    crn_tangents(n, t, o);
    /* orthonormal to rounding, also near n = -z */
    crn_madd3(t, -crn_dot3(n, t), n, t);
    crn_scale3(1.0 / crn_norm3(t), t, t);
    crn_cross3(n, t, o);
}

/* One run of the narrow phase over the pairs of the broad phase. */
typedef struct narrow
{
    crn_collider *collider;
    const cairn_model *model;
    const crn_reach *reach;
} narrow;

static void surface_of(const cairn_model *model, const crn_reach *reach, crn_shape_pair pair, double *friction,
                       double *restitution)
{
    crn_model_pair_of(model, pair.a, pair.b, friction, restitution);
    *friction = reach->friction ? *reach->friction : *friction;
}

static void fill_contact(const narrow *n, crn_shape_pair pair, const crn_touch *from, crn_contact *contact)
{
    assert(pair.a >= 0 && pair.a < pair.b && isfinite(from->gap));
    const cairn_model *model = n->model;
    int bits = n->collider->shape_bits;
    assert(from->feature < UINT64_C(1) << (64 - 2 * bits));
    contact->shape_a = pair.a;
    contact->shape_b = pair.b;
    contact->body_a = model->shapes[pair.a].body;
    contact->body_b = model->shapes[pair.b].body;
    contact->identity =
        crn_identity_pack(bits, model->shapes[pair.a].serial, model->shapes[pair.b].serial, from->feature);
    contact->gap = from->gap;
    memcpy(contact->normal, from->normal, sizeof contact->normal);
    memcpy(contact->point_a, from->point_a, sizeof contact->point_a);
    memcpy(contact->point_b, from->point_b, sizeof contact->point_b);
    frame(contact, model->dimension);
    surface_of(model, n->reach, pair, &contact->friction, &contact->restitution);
}

/* m: the part of a pair's largest listed gap that comes from the relative motion of the two shapes. */
static double travel_of(const cairn_model *model, const crn_reach *reach, crn_shape_pair pair)
{
    if (!reach->travel)
        return 0.0;
    double friction, restitution, apart[3];
    surface_of(model, reach, pair, &friction, &restitution);
    crn_sub3(reach->travel[model->shapes[pair.a].body], reach->travel[model->shapes[pair.b].body], apart);
    return factor(friction, reach->lifts) * crn_norm3(apart);
}

static cairn_status decide_sides(const narrow *n, narrow_worker *t, crn_shape_pair pair, crn_thin *thin)
{
    crn_thin_pair thin_pair = {.model = n->model,
                               .placed = n->collider->placed,
                               .a = pair.a,
                               .b = pair.b,
                               .shape_bits = n->collider->shape_bits,
                               .memory = n->reach->sides,
                               .settles = n->reach->settles,
                               .down = n->reach->down};
    return crn_sides_decide(&thin_pair, &t->sides, thin);
}

static cairn_status touch_pair(const narrow *n, narrow_worker *t, crn_shape_pair pair)
{
    assert(pair.a >= 0 && pair.a < pair.b);
    assert((size_t)pair.b < n->model->shape_count);
    const crn_placed *a = &n->collider->placed[pair.a], *b = &n->collider->placed[pair.b];
    double travel = travel_of(n->model, n->reach, pair);
    crn_manifold manifold = {.touches = t->touches,
                             .capacity = t->touch_capacity,
                             .grows = true,
                             .bits = 64 - 2 * n->collider->shape_bits,
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
    CRN_TRY(crn_reserve(&t->contacts, &t->contact_capacity, t->contact_count + (size_t)manifold.count,
                        sizeof(crn_contact)));
    for (int i = 0; i < manifold.count; ++i)
        fill_contact(n, pair, &manifold.touches[i], &t->contacts[t->contact_count++]);
    return CAIRN_OK;
}

static bool is_allowed(const narrow *n, crn_shape_pair pair)
{
    return !n->reach->allows || n->reach->allows(n->reach->allow_data, pair.a, pair.b);
}

static void touch_part(void *data, int part)
{
    const narrow *n = data;
    const crn_broad *broad = &n->collider->broad;
    narrow_worker *t = &n->collider->narrow_worker[part];
    size_t end = crn_part(broad->pairs.count, n->collider->threads, part + 1);
    t->contact_count = 0;
    t->sides.count = 0;
    t->status = CAIRN_OK;
    for (size_t i = crn_part(broad->pairs.count, n->collider->threads, part); i < end && !t->status; ++i)
        if (crn_broad_near(broad, n->collider->placed, broad->pairs.pair[i]) && is_allowed(n, broad->pairs.pair[i]))
            t->status = touch_pair(n, t, broad->pairs.pair[i]);
}

/* Concatenate the sides of all threads. */
static cairn_status join_sides(crn_collider *collider)
{
    size_t total = 0;
    crn_sides *all = &collider->sides;
    for (int k = 0; k < collider->threads; ++k)
        total += collider->narrow_worker[k].sides.count;
    all->count = 0;
    if (crn_reserve(&all->side, &all->capacity, total, sizeof *all->side))
        return CAIRN_NO_MEMORY;
    for (int k = 0; k < collider->threads; ++k)
    {
        const crn_sides *some = &collider->narrow_worker[k].sides;
        if (some->count > 0)
            memcpy(all->side + all->count, some->side, some->count * sizeof *all->side);
        all->count += some->count;
    }
    return CAIRN_OK;
}

const crn_sides *crn_collider_sides(const crn_collider *collider)
{
    return &collider->sides;
}

/* Concatenate the contacts of all threads; those of a single thread stay where they are. */
static cairn_status join(crn_collider *collider, const crn_contact **contacts, int *count)
{
    size_t total = 0, at = 0;
    for (int k = 0; k < collider->threads; ++k)
    {
        if (collider->narrow_worker[k].status)
            return collider->narrow_worker[k].status;
        total += collider->narrow_worker[k].contact_count;
    }
    *count = (int)total;
    *contacts = collider->narrow_worker[0].contacts;
    if (collider->threads == 1)
        return CAIRN_OK;
    if (crn_reserve_all(&collider->memory, CRN_ARRAY(collider->contacts, total)))
        return CAIRN_NO_MEMORY;
    for (int k = 0; k < collider->threads; ++k)
    {
        const narrow_worker *t = &collider->narrow_worker[k];
        if (t->contact_count > 0)
            memcpy(collider->contacts + at, t->contacts, t->contact_count * sizeof(crn_contact));
        at += t->contact_count;
    }
    *contacts = collider->contacts;
    return CAIRN_OK;
}

cairn_status crn_collide(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                         const crn_reach *reach, const crn_contact **contacts, int *count)
{
    *contacts = NULL;
    *count = 0;
    cairn_status status = make_room(collider, model);
    if (status == CAIRN_OK)
        status = place_all(collider, model, poses, reach);
    if (status == CAIRN_OK && crn_broad_update(&collider->broad, model, collider->placed, collider->threads))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "collision detection: memory ran out for pairs");
    if (status == CAIRN_OK)
    {
        narrow n = {collider, model, reach};
        crn_in_parts(collider->threads, touch_part, &n);
        status = join(collider, contacts, count);
        status = status ? status : join_sides(collider);
        if (status)
        {
            *contacts = NULL;
            *count = 0;
            crn_fail(
                model->context, status,
                status == CAIRN_NO_MEMORY
                    ? "collision detection: memory ran out for contacts"
                    : "collision detection: two shapes are so far from the origin that rounding leaves them no form");
        }
        for (int i = 1; i < *count; ++i)
            assert((*contacts)[i - 1].identity < (*contacts)[i].identity);
    }
    return status;
}

bool crn_collider_surfaces(const crn_collider *collider, const crn_contact *contact, const double x[3], double *a,
                           double *b)
{
    assert(crn_is_unit3(contact->normal));
    double unused;
    return crn_line_span(&collider->placed[contact->shape_a], x, contact->normal, a, &unused) &&
           crn_line_span(&collider->placed[contact->shape_b], x, contact->normal, &unused, b) && isfinite(*a) &&
           isfinite(*b);
}
