/* The deepest overlap before the first step, by a rank. Of spheres with each other and with half-spaces: of its own with each other, with ghosts, and with those that do not move. Ghosts that
 * overlap own bodies are there, since their reaches do. Gaps are what collide/shapes/ makes of them, to the bit: of two spheres, the first in the order of the model is `a`.
 */
#include "step/device/device_glance.h"
#include "step/device/device_replica.h"

#include "collide/collide.h"
#include "collide/narrow.h"
#include "math/tree.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a radius: more than rounding. */
static const double WIDER = 1 + 1e-9;

typedef struct looking
{
    const crn_domain *domain;
    const unsigned char *points; /* of half-spaces */
    crn_arena memory;
    crn_tree tree;
    crn_hits hits;
    crn_bounds *bounds; /* per body of the description */
    double deepest;     /* m */
} looking;

typedef struct sought
{
    const crn_domain *domain;
    crn_replica replica;
    crn_collider *collider;
    crn_arena memory;
    crn_pose *pose;
    double *margin, (*travel)[3];
    const double *gravity;
    double deepest; /* m */
} sought;

static crn_placed place(const crn_gpu_body *body)
{
    crn_placed out = {.kind = CAIRN_SPHERE, .radius = body->radius};
    memcpy(out.centre, body->x, sizeof out.centre);
    return out;
}

static void note(looking *l, const crn_placed *a, const crn_placed *b,
                 void (*touch)(const crn_placed *a, const crn_placed *b, crn_manifold *out))
{
    crn_touch found;
    crn_manifold manifold = {.touches = &found, .capacity = 1, .limit = 0};
    touch(a, b, &manifold);
    if (manifold.count > 0)
        l->deepest = fmax(l->deepest, -found.gap);
}

static void look_at_planes(looking *l, const crn_placed *ball)
{
    const crn_gpu_description *d = &l->domain->local.description;
    for (int k = 0; k < d->plane_count; ++k)
    {
        crn_placed plane = {.kind = CAIRN_HALF_SPACE};
        memcpy(plane.normal, d->plane[k].n, sizeof plane.normal);
        memcpy(plane.centre, l->points + (size_t)k * sizeof plane.centre, sizeof plane.centre);
        note(l, ball, &plane, crn_touch_half_space_sphere);
    }
}

/* An own body with all others. Of two own bodies, the first looks. */
static cairn_status look_around(looking *l, int body)
{
    const crn_local *local = &l->domain->local;
    const crn_placed ball = place(&local->body[body]);
    look_at_planes(l, &ball);
    l->hits.count = 0;
    CRN_TRY(crn_tree_overlap(&l->tree, l->bounds, &l->bounds[body], &l->hits));
    for (int i = 0; i < l->hits.count; ++i)
    {
        int other = l->hits.item[i];
        const crn_placed there = place(&local->body[other]);
        if (other > body || (other < body && local->owner[other] != l->domain->ranks->rank))
            note(l, other < body ? &there : &ball, other < body ? &ball : &there, crn_touch_spheres);
    }
    return CAIRN_OK;
}

static cairn_status lay_bounds(looking *l)
{
    const crn_local *local = &l->domain->local;
    int count = local->description.body_count;
    CRN_TRY(crn_reserve_all(&l->memory, CRN_ARRAY(l->bounds, count)));
    for (int b = 0; b < count; ++b)
        for (int k = 0; k < 3; ++k)
        {
            l->bounds[b].lower[k] = local->body[b].x[k] - WIDER * local->body[b].radius;
            l->bounds[b].upper[k] = local->body[b].x[k] + WIDER * local->body[b].radius;
        }
    return crn_tree_build(&l->tree, l->bounds, NULL, count);
}

static cairn_status look(looking *l)
{
    const crn_domain *domain = l->domain;
    CRN_TRY(lay_bounds(l));
    for (size_t i = 0; i < domain->own.count; ++i)
        CRN_TRY(look_around(l, domain->local.own_place[i]));
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------------- shapes */

static bool is_own_pair(const void *data, int a, int b)
{
    const sought *s = data;
    const crn_shape *shape = s->replica.model.shapes;
    return s->domain->local.owner[shape[a].body] == s->domain->ranks->rank ||
           s->domain->local.owner[shape[b].body] == s->domain->ranks->rank;
}

static cairn_status search(sought *s)
{
    const crn_local *local = &s->domain->local;
    int bodies = local->description.body_count, count;
    const crn_contact *contacts;
    CRN_TRY(crn_reserve_all(&s->memory, CRN_ARRAY(s->pose, bodies), CRN_ARRAY(s->margin, bodies),
                            CRN_ARRAY(s->travel, bodies)));
    for (int b = 0; b < bodies; ++b)
    {
        memcpy(s->pose[b].x, local->body[b].x, sizeof s->pose[b].x);
        crn_quaternion_to_matrix(local->body[b].q, s->pose[b].R);
        memset(s->travel[b], 0, sizeof s->travel[b]);
        s->margin[b] = 1e-6 * s->replica.bound[b];
    }
    const crn_reach reach = {.margin = s->margin,
                             .travel = s->travel,
                             .settles = true,
                             .allows = is_own_pair,
                             .allow_data = s,
                             .down = s->gravity};
    CRN_TRY(crn_collide(s->collider, &s->replica.model, s->pose, &reach, &contacts, &count));
    for (int i = 0; i < count; ++i)
        s->deepest = fmax(s->deepest, -contacts[i].gap);
    return CAIRN_OK;
}

/* In a scene of shapes they are found by the library's collision detection, in a model of this part of the scene. */
static cairn_status look_at_shapes(const crn_domain *domain, const double gravity[3], double *deepest)
{
    sought s = {.domain = domain, .collider = crn_collider_create(1), .gravity = gravity};
    cairn_status status = s.collider ? crn_replica_make(&s.replica, domain) : CAIRN_NO_MEMORY;
    if (status == CAIRN_OK)
    {
        crn_collider_keep_all(s.collider);
        status = search(&s);
    }
    *deepest = status == CAIRN_INVALID ? INFINITY : s.deepest; /* a mesh cannot be made again: process 0 looks */
    crn_collider_destroy(s.collider);
    crn_replica_free(&s.replica);
    crn_arena_release(&s.memory);
    return status == CAIRN_INVALID ? CAIRN_OK : status;
}

/* ------------------------------------------------------------------------------------------------------------------- all */

bool crn_start_task(crn_domain *domain, const void *question, size_t size, void *answer)
{
    looking l = {.domain = domain, .points = (const unsigned char *)question + sizeof(crn_start_question)};
    assert(size == sizeof(crn_start_question) + (size_t)domain->local.description.plane_count * sizeof(double[3]));
    (void)size;
    crn_start_question ask;
    memcpy(&ask, question, sizeof ask);
    cairn_status status = domain->scene.has_shapes ? look_at_shapes(domain, ask.gravity, &l.deepest) : look(&l);
    crn_tree_free(&l.tree);
    crn_arena_release(&l.memory);
    free(l.hits.item);
    bool good = crn_domain_agree(domain, !status || crn_domain_fail(domain, "memory ran out"));
    l.deepest += 0.0; /* turns -0, from a gap of 0, into 0 */
    if (good)
        domain->ranks->reduce_max(domain->ranks->context, &l.deepest, 1);
    memcpy(answer, &l.deepest, sizeof l.deepest);
    return good;
}
