#include "collide/query/obstacles.h"

#include "collide/broad/place.h"
#include "collide/convex/distance.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum
{
    NAME_BITS = 48 /* of features, which nobody asks for */
};

static bool counts(const cairn_model *model, const crn_shape *shape, const bool *absent, uint64_t groups,
                   uint64_t collides_with)
{
    const crn_body_traits *traits = model->bodies[shape->body].traits;
    return !(absent && absent[shape->body]) && (traits->groups & collides_with) && (groups & traits->collides_with);
}

/* Place one shape after the others, if it reaches `where`. */
static cairn_status gather_one(crn_obstacles *o, int index, const crn_pose *pose, const crn_bounds *where,
                               size_t *numbers)
{
    const crn_shape *shape = &o->model->shapes[index];
    bool half = crn_is_half(shape->kind);
    double reach = shape->bound;
    assert(half || isfinite(reach));
    for (int k = 0; k < o->model->dimension && !half; ++k)
        if (pose->x[k] + reach < where->lower[k] || pose->x[k] - reach > where->upper[k])
            return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&o->memory, CRN_ARRAY(o->placed, o->count + 1), CRN_ARRAY(o->bounds, o->count + 1),
                            CRN_ARRAY(o->shape, o->count + 1)));
    crn_placed *placed = &o->placed[o->count];
    crn_place(shape, o->model->dimension, pose, 0.0, o->vertices + *numbers, placed);
    crn_facets_lend(&o->facets, index, placed);
    o->bounds[o->count] = placed->bounds;
    o->shape[o->count++] = index;
    *numbers += 2 * (size_t)shape->form->vertex_count;
    o->bounded += half ? 0 : 1;
    return CAIRN_OK;
}

cairn_status crn_obstacles_gather(crn_obstacles *o, const cairn_model *model, const crn_pose *poses, const bool *absent,
                                  const crn_bounds *where, uint64_t groups, uint64_t collides_with)
{
    size_t numbers = 1, used = 0;
    for (size_t i = 0; i < model->shape_count; ++i)
        numbers += 2 * (size_t)model->shapes[i].form->vertex_count;
    o->model = model;
    o->count = o->bounded = 0;
    CRN_TRY(crn_reserve_all(&o->memory, CRN_ARRAY(o->vertices, numbers)));
    CRN_TRY(crn_facets_update(&o->facets, model));
    for (int halves = 0; halves < 2; ++halves)
        for (size_t i = 0; i < model->shape_count; ++i)
        {
            const crn_shape *shape = &model->shapes[i];
            if (crn_is_half(shape->kind) == (halves == 1) && counts(model, shape, absent, groups, collides_with))
                CRN_TRY(gather_one(o, (int)i, &poses[shape->body], where, &used));
        }
    return crn_tree_build(&o->tree, o->bounds, NULL, o->bounded);
}

void crn_obstacles_close(crn_obstacles *o)
{
    crn_tree_free(&o->tree);
    free(o->found.item);
    free(o->touches);
    crn_facets_free(&o->facets);
    crn_mesh_work_free(&o->mesh);
    crn_arena_release(&o->memory);
    *o = (crn_obstacles){.model = NULL};
}

static bool meets(crn_obstacles *o, int i, const crn_placed *ball, double clear)
{
    crn_touch touch;
    crn_manifold room = {.touches = o->touches, .capacity = o->touch_capacity, .grows = true};
    room.bits = NAME_BITS;
    room.work = &o->mesh;
    bool known = crn_distance(&o->placed[i], ball, o->model->dimension, &room, &touch);
    o->touches = room.touches;
    o->touch_capacity = room.capacity;
    return known && touch.gap < clear;
}

int crn_obstacles_meet(crn_obstacles *o, const double x[3], double radius, double clear, bool *failed)
{
    if (o->count == 0)
        return -1;
    int dimension = o->model->dimension;
    double origin[2] = {0, 0}, vertex[2];
    crn_shape_form form = {0};
    crn_shape shape = {.kind = dimension == 2 ? CAIRN_CIRCLE : CAIRN_SPHERE, .radius = radius, .form = &form};
    shape.form->vertices = dimension == 2 ? origin : NULL;
    shape.form->vertex_count = dimension == 2 ? 1 : 0;
    crn_pose pose = {.x = {x[0], x[1], x[2]}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    crn_placed ball;
    crn_place(&shape, dimension, &pose, clear, vertex, &ball);
    crn_facets_lend(&o->facets, -1, &ball);
    o->found.count = 0;
    if (crn_tree_overlap(&o->tree, o->bounds, &ball.bounds, &o->found))
    {
        *failed = true;
        return -1;
    }
    for (int i = 0; i < o->found.count; ++i)
        if (meets(o, o->found.item[i], &ball, clear))
            return o->model->shapes[o->shape[o->found.item[i]]].body;
    for (int i = o->bounded; i < o->count; ++i)
        if (meets(o, i, &ball, clear))
            return o->model->shapes[o->shape[i]].body;
    return -1;
}
