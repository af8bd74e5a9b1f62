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
#include "collide/broad/place.h"
#include "collide/identity.h"
#include "collide/pair_contacts.h"
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

struct crn_collider
{
    crn_arena memory; /* placed, ball, vertices, narrow_worker, contacts */
    crn_placed *placed;
    double *vertices;
    int threads;
    crn_ball *ball;
    crn_narrow_worker *narrow_worker; /* one per thread */
    int narrow_worker_count;
    crn_narrow_worker again; /* of crn_collide_grown */
    bool *grown;             /* per shape: likewise */
    crn_contact *contacts;   /* the contacts of all threads, when there are several */
    crn_sides sides;         /* the sides of all threads */
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
            crn_narrow_worker_free(&collider->narrow_worker[k]);
        crn_narrow_worker_free(&collider->again);
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
        crn_reserve_all(&collider->memory, CRN_ARRAY(collider->placed, shapes), CRN_ARRAY(collider->ball, shapes),
                        CRN_ARRAY(collider->vertices, numbers), CRN_ARRAY(collider->narrow_worker, collider->threads));
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

double crn_reach_factor(const cairn_model *model, bool lifts, const double *friction)
{
    double largest = friction ? *friction : 0;
    for (size_t i = 0; i < model->material_count && !friction; ++i)
        largest = fmax(largest, model->materials[i].friction);
    for (size_t i = 0; i < model->pair_count && !friction; ++i)
        largest = fmax(largest, model->pairs[i].friction);
    return crn_reach_of_friction(largest, lifts);
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

static void set_ball(const cairn_model *model, const crn_shape *shape, const crn_placed *placed, crn_ball *ball)
{
    ball->is_ball = model->dimension == 3 && crn_is_ball(shape->kind);
    if (!ball->is_ball)
        return;
    memcpy(ball->centre, placed->centre, sizeof ball->centre);
    ball->radius = placed->radius;
    ball->reach = placed->radius + placed->margin;
    ball->body = shape->body;
    ball->material = shape->material;
    ball->serial = shape->serial;
}

static void place(crn_collider *collider, const cairn_model *model, const crn_pose *poses, const crn_reach *reach,
                  double largest, size_t i, double *vertices)
{
    const crn_shape *shape = &model->shapes[i];
    crn_placed *placed = &collider->placed[i];
    crn_place(shape, model->dimension, &poses[shape->body], growth(reach, shape, largest), vertices, placed);
    crn_facets_lend(&collider->facets, (int)i, placed);
    set_ball(model, shape, placed, &collider->ball[i]);
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
        place(collider, model, poses, reach, largest, i, vertices);
        vertices += 2 * shape->vertex_count;
    }
    return CAIRN_OK;
}

/* The narrow phase of a collider, in parts. */
typedef struct narrow_run
{
    crn_collider *collider;
    crn_narrow narrow;
} narrow_run;

static crn_narrow narrow_of(const crn_collider *collider, const cairn_model *model, const crn_reach *reach)
{
    return (crn_narrow){.model = model,
                        .reach = reach,
                        .placed = collider->placed,
                        .ball = collider->ball,
                        .shape_bits = collider->shape_bits};
}

static cairn_status touch(const narrow_run *run, crn_narrow_worker *t, crn_shape_pair pair)
{
    const crn_collider *collider = run->collider;
    const crn_ball *a = &collider->ball[pair.a], *b = &collider->ball[pair.b];
    bool balls = a->is_ball && b->is_ball;
    bool near = balls ? crn_balls_near(a, b) : crn_broad_near(&collider->broad, collider->placed, pair);
    if (!near || !crn_narrow_allows(&run->narrow, pair))
        return CAIRN_OK;
    return (balls ? crn_touch_balls : crn_touch_pair)(&run->narrow, t, pair);
}

static void touch_part(void *data, int part)
{
    const narrow_run *run = data;
    const crn_pair_list *pairs = &run->collider->broad.pairs;
    crn_narrow_worker *t = &run->collider->narrow_worker[part];
    size_t end = crn_part(pairs->count, run->collider->threads, part + 1);
    t->contact_count = 0;
    t->sides.count = 0;
    t->status = CAIRN_OK;
    for (size_t i = crn_part(pairs->count, run->collider->threads, part); i < end && !t->status; ++i)
        t->status = touch(run, t, pairs->pair[i]);
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
        const crn_narrow_worker *t = &collider->narrow_worker[k];
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
        narrow_run run = {collider, narrow_of(collider, model, reach)};
        crn_in_parts(collider->threads, touch_part, &run);
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

/* Mark the shapes of bodies whose margins have grown, and place them once more. Returns false if there are none. */
static bool place_grown(crn_collider *collider, const cairn_model *model, const crn_pose *poses, const crn_reach *reach,
                        const double *before)
{
    bool any = false;
    double largest = crn_reach_factor(model, reach->lifts, reach->friction);
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        int body = model->shapes[i].body;
        collider->grown[i] = reach->margin[body] > before[body];
        any = any || collider->grown[i];
        if (collider->grown[i])
            place(collider, model, poses, reach, largest, i, NULL);
    }
    return any;
}

cairn_status crn_collide_grown(crn_collider *collider, const cairn_model *model, const crn_pose *poses,
                               const crn_reach *reach, const double *before, const crn_contact **contacts, int *count)
{
    assert(model->dimension == 3);
    assert(collider->broad.model == model && collider->broad.shape_count == model->shape_count);
    crn_narrow_worker *t = &collider->again;
    const crn_pair_list *pairs = &collider->broad.pairs;
    narrow_run run = {collider, narrow_of(collider, model, reach)};
    run.narrow.margin_before = before;
    t->contact_count = 0;
    t->mesh.plain = collider->keep_all;
    cairn_status status = crn_reserve_all(&collider->memory, CRN_ARRAY(collider->grown, model->shape_count));
    if (!status && place_grown(collider, model, poses, reach, before))
    {
        status = crn_broad_update(&collider->broad, model, collider->placed, collider->threads);
        for (size_t i = 0; i < pairs->count && !status; ++i)
            if (collider->grown[pairs->pair[i].a] || collider->grown[pairs->pair[i].b])
                status = touch(&run, t, pairs->pair[i]);
    }
    *contacts = status ? NULL : t->contacts;
    *count = status ? 0 : (int)t->contact_count;
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
