/* Queries: the shapes of a model, placed once, and a tree over their bounds, from which all questions are answered. */
#include "collide/query/query.h"

#include "base/memory.h"
#include "cairn/query.h"
#include "collide/broad/place.h"
#include "collide/convex/distance.h"
#include "collide/query/line_span.h"
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/hollow.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NAME_BITS = 48 /* of features, which no query reports */
};

/* ------------------------------------------------------------------------------------------------------- placing */

static bool make_room(cairn_query *query)
{
    const cairn_model *model = query->model;
    size_t numbers = 0, shapes = model->shape_count, bodies = model->body_count;
    for (size_t i = 0; i < model->shape_count; ++i)
        numbers += 2 * (size_t)model->shapes[i].form->vertex_count;
    return !crn_reserve_all(&query->memory, CRN_ARRAY(query->poses, bodies), CRN_ARRAY(query->hit, bodies),
                            CRN_ARRAY(query->placed, shapes), CRN_ARRAY(query->bounds, shapes),
                            CRN_ARRAY(query->bounded, shapes), CRN_ARRAY(query->vertices, numbers)) &&
           !crn_facets_update(&query->facets, model);
}

cairn_status crn_query_update(cairn_query *query)
{
    const cairn_model *model = query->model;
    double *vertices = query->vertices;
    query->bounded_count = 0;
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        crn_placed *placed = &query->placed[i];
        if (!isfinite(query->poses[shape->body].x[0])) /* the body is absent */
        {
            *placed = (crn_placed){.kind = shape->kind, .body = shape->body};
            continue;
        }
        crn_place(shape, model->dimension, &query->poses[shape->body], 0.0, vertices, placed);
        crn_facets_lend(&query->facets, (int)i, placed);
        vertices += 2 * shape->form->vertex_count;
        if (!crn_is_half(shape->kind))
        {
            query->bounds[i] = placed->bounds;
            query->bounded[query->bounded_count++] = (int)i;
        }
    }
    return crn_tree_build(&query->tree, query->bounds, query->bounded, query->bounded_count)
               ? crn_fail(query->context, CAIRN_NO_MEMORY, "query: memory ran out")
               : CAIRN_OK;
}

cairn_status crn_query_check(const cairn_query *query)
{
    return query->revision == query->model->revision
               ? CAIRN_OK
               : crn_fail(query->context, CAIRN_INVALID,
                          "query: things were added to its model or removed from it; make another query");
}

cairn_status cairn_query_place(cairn_query *query, const cairn_body_state *states)
{
    if (!query || !states || crn_query_check(query))
        return CAIRN_INVALID;
    for (size_t i = 0; i < query->model->body_count; ++i)
    {
        const cairn_body_state *state = &states[i];
        if (isnan(state->position[0]) && isnan(state->position[1])) /* a grain that is absent */
        {
            query->poses[i].x[0] = NAN;
            continue;
        }
        if (!crn_all_finite(state->position, 3) || !crn_all_finite(state->orientation, 4) || !isfinite(state->angle))
        {
            return crn_fail(query->context, CAIRN_INVALID, "query: body '%s': its pose is not finite",
                            query->model->bodies[i].name);
        }
        double q[4];
        memcpy(q, state->orientation, sizeof q);
        if (query->model->dimension == 3 && !crn_quaternion_turns(q))
        {
            return crn_fail(query->context, CAIRN_INVALID, "query: body '%s': its orientation must not be zero",
                            query->model->bodies[i].name);
        }
        if (query->model->dimension == 2)
            crn_quaternion_exp((double[3]){0, 0, state->angle}, q);
        crn_quaternion_normalise(q);
        memcpy(query->poses[i].x, state->position, sizeof state->position);
        crn_quaternion_to_matrix(q, query->poses[i].R);
    }
    return crn_query_update(query);
}

cairn_status cairn_query_create(cairn_context *context, const cairn_model *model, cairn_query **out)
{
    if (!model || !out)
        return crn_fail(context, CAIRN_INVALID, "query: the model or the place for it is NULL");
    *out = NULL;
    CRN_TRY(crn_make_grains(model));
    cairn_query *query = calloc(1, sizeof *query);
    cairn_body_state *states = calloc(model->body_count + 1, sizeof *states);
    if (query)
    {
        query->context = context;
        query->model = model;
        query->revision = model->revision;
    }
    if (!query || !states || !make_room(query))
    {
        cairn_query_destroy(query);
        free(states);
        return crn_fail(context, CAIRN_NO_MEMORY, "query: memory ran out");
    }
    for (size_t i = 0; i < model->body_count; ++i)
    {
        states[i] = crn_initial_of(&model->bodies[i]);
        if (model->bodies[i].kind != CAIRN_DYNAMIC)
            crn_model_pose_at(model, (int)i, 0.0, &states[i]);
    }
    cairn_status status = cairn_query_place(query, states);
    free(states);
    if (status)
    {
        cairn_query_destroy(query);
        return status;
    }
    *out = query;
    return CAIRN_OK;
}

void cairn_query_destroy(cairn_query *query)
{
    if (query)
    {
        crn_arena_release(&query->memory);
        free(query->touches);
        crn_facets_free(&query->facets);
        crn_mesh_work_free(&query->mesh);
        free(query->found.item);
        crn_tree_free(&query->tree);
        free(query);
    }
}

/* ------------------------------------------------------------------------------------------------------ distance */

static cairn_status body_of(const cairn_query *query, cairn_body body, const crn_body **out, int *index)
{
    if (crn_query_check(query))
        return CAIRN_INVALID;
    *index = crn_body_index(query->model, body);
    if (*index < 0)
        return crn_fail(query->context, CAIRN_INVALID, "query: no such body in the model");
    *out = &query->model->bodies[*index];
    return CAIRN_OK;
}

/* Whether shape i belongs to a body: the range of a body may contain shapes of others. */
static bool owns(const cairn_query *query, int body, int i)
{
    assert(i >= 0 && (size_t)i < query->model->shape_count);
    return query->model->shapes[i].body == body && isfinite(query->poses[body].x[0]);
}

/* The distance of two shapes; false where it is not defined. */
static bool measure(cairn_query *query, const crn_placed *a, const crn_placed *b, crn_touch *out)
{
    crn_manifold room = {.touches = query->touches, .capacity = query->touch_capacity, .grows = true};
    room.bits = NAME_BITS;
    room.work = &query->mesh;
    bool known = crn_distance(a, b, query->model->dimension, &room, out);
    query->touches = room.touches;
    query->touch_capacity = room.capacity;
    return known;
}

/* Measure two shapes, and keep the result when they are nearer than the best so far. */
static bool offer(cairn_query *query, const crn_placed *a, const crn_placed *b, int shape_a, int shape_b,
                  cairn_distance *best)
{
    assert(shape_a >= 0 && (size_t)shape_a < query->model->shape_count);
    crn_touch touch;
    if (!measure(query, a, b, &touch))
        return false;
    if (touch.gap < best->distance)
    {
        best->distance = touch.gap;
        best->shape_a = crn_shape_handle(query->model, shape_a);
        best->shape_b = crn_shape_handle(query->model, shape_b);
        memcpy(best->normal, touch.normal, sizeof best->normal);
        memcpy(best->point_a, touch.point_a, sizeof best->point_a);
        memcpy(best->point_b, touch.point_b, sizeof best->point_b);
    }
    return true;
}

cairn_status cairn_query_distance(cairn_query *query, cairn_body a, cairn_body b, cairn_distance *out)
{
    if (!query || !out)
    {
        return crn_fail(query ? query->context : NULL, CAIRN_INVALID,
                        "query: the query or the place for the answer is NULL");
    }
    const crn_body *one = NULL, *two = NULL;
    int first, second;
    *out = (cairn_distance){.distance = INFINITY};
    CRN_TRY(body_of(query, a, &one, &first));
    CRN_TRY(body_of(query, b, &two, &second));
    if (first == second)
    {
        return crn_fail(query->context, CAIRN_INVALID, "query: distance needs two different bodies, found '%s' twice",
                        one->name);
    }
    bool measured = false;
    for (int i = one->shape_begin; i < one->shape_end; ++i)
    {
        for (int j = two->shape_begin; j < two->shape_end && owns(query, first, i); ++j)
        {
            measured =
                (owns(query, second, j) && offer(query, &query->placed[i], &query->placed[j], i, j, out)) || measured;
        }
    }
    return measured ? CAIRN_OK
                    : crn_fail(query->context, CAIRN_INVALID,
                               "query: '%s' and '%s' have no distance: each needs a shape, one of them a bounded one",
                               one->name, two->name);
}

/* A point of the world as a shape. */
static void place_point(const cairn_query *query, const double point[3], double vertex[2], crn_placed *placed)
{
    double local[2] = {0, 0};
    crn_shape_form form = {0};
    crn_shape shape = {.kind = CAIRN_POINT, .form = &form};
    shape.form->vertices = query->model->dimension == 2 ? local : NULL;
    shape.form->vertex_count = query->model->dimension == 2 ? 1 : 0;
    crn_pose pose = {.x = {point[0], point[1], point[2]}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    crn_place(&shape, query->model->dimension, &pose, 0.0, vertex, placed);
}

cairn_status cairn_query_closest(cairn_query *query, cairn_body body, const double point[3], cairn_distance *out)
{
    if (!query || !point || !out)
    {
        return crn_fail(query ? query->context : NULL, CAIRN_INVALID,
                        "query: the query, the point or the place for the answer is NULL");
    }
    const crn_body *owner = NULL;
    int index;
    *out = (cairn_distance){.distance = INFINITY};
    CRN_TRY(body_of(query, body, &owner, &index));
    if (!crn_all_finite(point, query->model->dimension))
        return crn_fail(query->context, CAIRN_INVALID, "query: the point must have finite coordinates");
    double vertex[2];
    crn_placed placed;
    place_point(query, point, vertex, &placed);
    for (int i = owner->shape_begin; i < owner->shape_end; ++i)
        if (owns(query, index, i))
            offer(query, &query->placed[i], &placed, i, -1, out);
    return out->shape_a.id != 0
               ? CAIRN_OK
               : crn_fail(query->context, CAIRN_INVALID, "query: body '%s' has no shape to be near to", owner->name);
}

/* ----------------------------------------------------------------------------------------------------------- rays */

/* A mesh against the ray: its first triangle. If the ray leaves a solid through that triangle, it began inside. */
static bool shoot_mesh(const crn_placed *placed, const double x[3], const double d[3], double *low, double *high)
{
    assert(placed->mesh && crn_is_unit3(d));
    double arm[3], y[3], u[3], at = INFINITY;
    crn_sub3(x, placed->centre, arm);
    crn_unrotate3(placed->R, arm, y);
    crn_unrotate3(placed->R, d, u);
    int t = crn_mesh_ray(placed->mesh, placed->index, y, u, 0, &at);
    bool solid = placed->mesh->closed || crn_shape_has(placed->kind, CRN_SHAPE_GROUND);
    bool leaves = t >= 0 && solid && crn_dot3(placed->mesh->normals + 3 * t, u) > 0.0;
    *low = leaves ? -INFINITY : at;
    *high = at;
    return t >= 0;
}

/* A hollow shape against the ray: the first stretch of the solid ahead. */
static bool shoot_hollow(const crn_placed *placed, const double x[3], const double d[3], double *low, double *high)
{
    double a[2], b[2];
    int count = crn_hollow_spans(placed, x, d, a, b), i = count == 2 && b[0] < 0.0;
    *low = a[i];
    *high = b[i];
    return count > 0;
}

static bool meets(const crn_placed *placed, const double x[3], const double d[3], double *low, double *high)
{
    if (crn_is_mesh(placed->kind))
        return shoot_mesh(placed, x, d, low, high);
    return (crn_is_hollow(placed->kind) ? shoot_hollow : crn_line_span)(placed, x, d, low, high);
}

/* One shape against the ray x + s d, d of unit length. */
static cairn_status shoot(cairn_query *query, int i, const double x[3], const double d[3], double most, int *count)
{
    assert(i >= 0 && crn_is_unit3(d) && most >= 0.0);
    const crn_placed *placed = &query->placed[i];
    double low, high;
    if (!meets(placed, x, d, &low, &high) || high < 0.0 || low > most)
        return CAIRN_OK;
    if (crn_reserve_all(&query->memory, CRN_ARRAY(query->hits, *count + 1)))
        return crn_fail(query->context, CAIRN_NO_MEMORY, "query: memory ran out");
    cairn_ray_hit *hit = &query->hits[(*count)++];
    *hit = (cairn_ray_hit){.body = crn_body_handle(query->model, query->model->shapes[i].body),
                           .shape = crn_shape_handle(query->model, i),
                           .inside = low < 0.0};
    hit->distance = fmax(low, 0.0);
    crn_madd3(x, hit->distance, d, hit->point);
    if (hit->inside)
        crn_scale3(-1.0, d, hit->normal);
    else
        crn_surface_normal(placed, hit->point, d, hit->normal);
    return CAIRN_OK;
}

static int nearest_first(const void *a, const void *b)
{
    const cairn_ray_hit *x = a, *y = b;
    return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                      : (x->shape.id > y->shape.id) - (x->shape.id < y->shape.id);
}

static cairn_status check_ray(const cairn_query *query, const double origin[3], const double direction[3], double most,
                              double unit[3])
{
    int dimension = query->model->dimension;
    double flat[3] = {direction[0], direction[1], dimension == 3 ? direction[2] : 0.0}, length = crn_norm3(flat);
    if (crn_query_check(query))
        return CAIRN_INVALID;
    if (!crn_all_finite(origin, dimension))
        return crn_fail(query->context, CAIRN_INVALID, "query: a ray must begin at finite coordinates");
    if (!(length > 0.0 && isfinite(length)))
        return crn_fail(query->context, CAIRN_INVALID, "query: the direction of a ray must be finite and not zero");
    if (!(most >= 0.0))
        return crn_fail(query->context, CAIRN_INVALID, "query: the length of a ray must be 0 or more, found %g", most);
    crn_scale3(1.0 / length, flat, unit);
    return CAIRN_OK;
}

cairn_status cairn_query_ray(cairn_query *query, const double origin[3], const double direction[3], double most,
                             cairn_ray_hit *hits, int capacity, int *count)
{
    if (!query || !origin || !direction || !count || (!hits && capacity > 0))
    {
        return crn_fail(query ? query->context : NULL, CAIRN_INVALID,
                        "query: the query, the ray or the place for the answer is NULL");
    }
    double x[3] = {origin[0], origin[1], query->model->dimension == 3 ? origin[2] : 0.0}, d[3];
    *count = 0;
    CRN_TRY(check_ray(query, origin, direction, most, d));
    query->found.count = 0;
    if (crn_tree_ray(&query->tree, query->bounds, x, d, most, &query->found))
        return crn_fail(query->context, CAIRN_NO_MEMORY, "query: memory ran out");
    int total = 0;
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < query->found.count && !status; ++i)
        status = shoot(query, query->found.item[i], x, d, most, &total);
    for (size_t i = 0; i < query->model->shape_count && !status; ++i)
        status = crn_is_half(query->placed[i].kind) ? shoot(query, (int)i, x, d, most, &total) : CAIRN_OK;
    if (total > 0)
    {
        qsort(query->hits, (size_t)total, sizeof *query->hits, nearest_first);
        memcpy(hits, query->hits, (size_t)(total < capacity ? total : capacity) * sizeof *hits);
    }
    *count = total;
    return status;
}

/* -------------------------------------------------------------------------------------------------------- regions */

static cairn_status check_region(const cairn_query *query, const cairn_region *region)
{
    int dimension = query->model->dimension;
    if (crn_query_check(query))
        return CAIRN_INVALID;
    bool ball = region->radius != 0.0, sized = true;
    for (int k = 0; k < dimension; ++k)
        sized = sized && region->size[k] > 0.0 && isfinite(region->size[k]);
    if (!crn_all_finite(region->centre, dimension) || !isfinite(region->angle) ||
        !crn_all_finite(region->orientation, 4))
        return crn_fail(query->context, CAIRN_INVALID, "query: a region must have a finite centre and orientation");
    bool tall = region->height != 0.0;
    if (tall && (!ball || dimension == 2 || !(region->height > 0.0 && isfinite(region->height))))
        return crn_fail(query->context, CAIRN_INVALID,
                        "query: a region with a height is a cylinder in space: it needs a radius, and a height that is "
                        "finite and greater than 0");
    if (ball ? !(region->radius > 0.0 && isfinite(region->radius)) : !sized)
    {
        return crn_fail(query->context, CAIRN_INVALID,
                        "query: a region needs a radius, or edges, that are finite and greater than 0");
    }
    return CAIRN_OK;
}

/* Place the region as a shape; in the plane, `corners` and `world` hold its vertices. */
static void place_region(const cairn_query *query, const cairn_region *region, double corners[8], double world[8],
                         crn_placed *placed)
{
    bool planar = query->model->dimension == 2, ball = region->radius > 0.0, tall = region->height > 0.0;
    crn_shape_form form = {0};
    crn_shape shape = {.radius = ball && !tall ? region->radius : 0.0, .form = &form};
    double x = 0.5 * region->size[0], y = 0.5 * region->size[1], q[4];
    shape.kind = planar ? (ball ? CAIRN_CIRCLE : CAIRN_POLYGON) : (ball ? CAIRN_SPHERE : CAIRN_BOX);
    memcpy(corners, ball ? (double[8]){0} : (double[8]){-x, -y, x, -y, x, y, -x, y}, 8 * sizeof *corners);
    shape.form->vertices = planar ? corners : NULL;
    shape.form->vertex_count = planar ? (ball ? 1 : 4) : 0;
    crn_scale3(ball ? 0.0 : 0.5, region->size, shape.form->half);
    if (tall)
    {
        shape.kind = CAIRN_CYLINDER;
        memcpy(shape.form->half, (double[3]){region->radius, region->radius, 0.5 * region->height},
               sizeof shape.form->half);
    }
    crn_pose pose = {.x = {region->centre[0], region->centre[1], planar ? 0.0 : region->centre[2]}};
    memcpy(q, region->orientation, sizeof q);
    if (planar || (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0))
        crn_quaternion_exp((double[3]){0, 0, planar ? region->angle : 0.0}, q);
    crn_quaternion_normalise(q);
    crn_quaternion_to_matrix(q, pose.R);
    crn_place(&shape, query->model->dimension, &pose, 0.0, world, placed);
    crn_facets_lend(&query->facets, -1, placed);
}

static void mark_overlap(cairn_query *query, const crn_placed *region, int i)
{
    assert(i >= 0 && (size_t)i < query->model->shape_count);
    crn_touch touch;
    int body = query->model->shapes[i].body;
    query->hit[body] = query->hit[body] || (measure(query, &query->placed[i], region, &touch) && touch.gap <= 0.0);
}

cairn_status cairn_query_overlap(cairn_query *query, const cairn_region *region, cairn_body *bodies, int capacity,
                                 int *count)
{
    if (!query || !region || !count || (!bodies && capacity > 0))
    {
        return crn_fail(query ? query->context : NULL, CAIRN_INVALID,
                        "query: the query, the region or the place for the answer is NULL");
    }
    *count = 0;
    CRN_TRY(check_region(query, region));
    double corners[8], world[8];
    crn_placed placed;
    crn_bounds box;
    place_region(query, region, corners, world, &placed);
    box = placed.bounds;
    query->found.count = 0;
    if (crn_tree_overlap(&query->tree, query->bounds, &box, &query->found))
        return crn_fail(query->context, CAIRN_NO_MEMORY, "query: memory ran out");
    memset(query->hit, 0, query->model->body_count * sizeof *query->hit);
    for (int i = 0; i < query->found.count; ++i)
        mark_overlap(query, &placed, query->found.item[i]);
    for (size_t i = 0; i < query->model->shape_count; ++i)
        if (crn_is_half(query->placed[i].kind))
            mark_overlap(query, &placed, (int)i);
    for (size_t i = 0; i < query->model->body_count; ++i)
        if (query->hit[i] && (*count)++ < capacity)
            bodies[*count - 1] = crn_body_handle(query->model, (int)i);
    return CAIRN_OK;
}
