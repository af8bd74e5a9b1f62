/* Shapes are checked and transformed into the body's frame once, so that collision detection only moves bodies. */
#include "model/shape/shape.h"
#include "base/memory.h"
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape_class.h"
#include "model/shape/shape_data.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_HULL_CORNERS = 1 << 14
};

cairn_shape_options cairn_shape_default(cairn_shape_kind kind)
{
    cairn_shape_options options = {
        .struct_size = sizeof options, .kind = kind, .orientation = {1, 0, 0, 0}, .scale = 1};
    bool spatial = (int)kind >= 0 && (int)kind < crn_shape_class_count && crn_class_of(kind)->dimension == 3;
    options.normal[spatial ? 2 : 1] = 1.0;
    return options;
}

static void destroy_form(crn_shape_form *form)
{
    free(form->vertices);
    free(form->local_vertices);
    free(form->seams);
    free(form->surface_velocity);
    crn_hull_destroy(form->hull);
    crn_hull_destroy(form->surface);
    crn_mesh_destroy(form->mesh);
    crn_mesh_index_destroy(form->mesh_index);
    free(form);
}

void crn_shape_free(const cairn_model *model, crn_shape *shape)
{
    free(shape->own_frame);
    if (shape->form && shape->form != model->sphere_form)
        destroy_form(shape->form);
}

void crn_shape_to_body(const crn_shape *shape, const double local[2], double out[2])
{
    double turned[3];
    crn_rotate3(crn_frame_of(shape)->rotation, (double[3]){local[0], local[1], 0}, turned);
    out[0] = turned[0] + crn_frame_of(shape)->position[0];
    out[1] = turned[1] + crn_frame_of(shape)->position[1];
}

/* Vertices in the body's frame, counter-clockwise; the two ends of a capsule, and one vertex at the shape's position for
 * the others. */
static cairn_status place_vertices(const cairn_shape_options *o, crn_shape *shape)
{
    bool listed = crn_shape_has(o->kind, CRN_SHAPE_OUTLINE), capsule = crn_class_of(o->kind)->core == CRN_CORE_LINE;
    double ends[4] = {capsule ? -0.5 * o->length : 0.0, 0, 0.5 * o->length, 0};
    const double *from = listed ? o->vertices : ends;
    shape->form->vertex_count = listed ? o->vertex_count : capsule ? 2 : 1;
    shape->form->local_count = shape->form->vertex_count;
    size_t size = (size_t)shape->form->vertex_count * 2 * sizeof(double);
    shape->form->vertices = calloc(1, size);
    shape->form->local_vertices = calloc(1, size);
    if (!shape->form->vertices || !shape->form->local_vertices)
        return CAIRN_NO_MEMORY;
    bool loop = crn_class_of(o->kind)->look == CAIRN_LOOK_POLYGON;
    bool reverse = loop && crn_polygon_twice_area(o->vertices, o->vertex_count) < 0;
    for (int i = 0; i < shape->form->vertex_count; ++i)
    {
        int at = reverse ? shape->form->vertex_count - 1 - i : i;
        memcpy(shape->form->local_vertices + 2 * i, from + 2 * at, 2 * sizeof(double));
        crn_shape_to_body(shape, from + 2 * at, shape->form->vertices + 2 * i);
    }
    return CAIRN_OK;
}

/* The furthest corner of a hull or mesh from the body's origin. */
static double corner_bound(const crn_shape *shape, const double *vertices, int count)
{
    assert(count > 0);
    double far = 0;
    for (int i = 0; i < count; ++i)
    {
        double corner[3];
        crn_rotate3(crn_frame_of(shape)->rotation, vertices + 3 * i, corner);
        crn_add3(corner, crn_frame_of(shape)->position, corner);
        far = fmax(far, crn_norm3(corner));
    }
    return far;
}

double crn_shape_bound(const crn_shape *shape)
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    if (class->flags & CRN_SHAPE_UNBOUNDED)
        return INFINITY;
    if (shape->form->hull)
        return corner_bound(shape, shape->form->hull->vertices, shape->form->hull->vertex_count);
    if (shape->form->mesh)
        return corner_bound(shape, shape->form->mesh->vertices, shape->form->mesh->vertex_count);
    if (!shape->form->vertices || class->bound)
        return crn_norm3(crn_frame_of(shape)->position) +
               (class->bound ? class->bound(shape) : crn_norm3(shape->form->half) + shape->radius);
    double far = 0;
    for (int i = 0; i < shape->form->vertex_count; ++i)
        far = fmax(far, hypot(shape->form->vertices[2 * i], shape->form->vertices[2 * i + 1]));
    return far + shape->radius;
}

/* Set the dimensions that the class takes, in the form that collision detection uses. */
static void place_measures(const cairn_shape_options *o, int dimension, crn_shape *shape)
{
    const crn_shape_class *class = crn_class_of(o->kind);
    if (class->measure)
        class->measure(o, dimension, shape);
    assert(shape->radius >= 0 && shape->form->half[0] >= 0 && shape->form->half[1] >= 0 && shape->form->half[2] >= 0);
}

const crn_shape_frame crn_body_frame = {.orientation = {1, 0, 0, 0}, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static cairn_status place_frame(const cairn_model *model, const cairn_shape_options *o, crn_shape *shape)
{
    assert(model->dimension == 2 || model->dimension == 3);
    crn_shape_frame frame = {0};
    memcpy(frame.position, o->position, sizeof frame.position);
    memcpy(frame.orientation, o->orientation, sizeof frame.orientation);
    if (model->dimension == 2)
    {
        frame.position[2] = 0;
        frame.angle = o->angle;
        crn_quaternion_exp((double[3]){0, 0, o->angle}, frame.orientation);
    }
    crn_quaternion_normalise(frame.orientation);
    crn_quaternion_to_matrix(frame.orientation, frame.rotation);
    if (memcmp(&frame, &crn_body_frame, sizeof frame) != 0)
    {
        shape->own_frame = malloc(sizeof frame);
        if (!shape->own_frame)
            return CAIRN_NO_MEMORY;
        *shape->own_frame = frame;
    }
    if (crn_shape_has(o->kind, CRN_SHAPE_UNBOUNDED))
    {
        double n[3] = {o->normal[0], o->normal[1], model->dimension == 3 ? o->normal[2] : 0.0};
        double length = crn_norm3(n);
        crn_rotate3(frame.rotation, (double[3]){n[0] / length, n[1] / length, n[2] / length}, shape->form->normal);
    }
    return CAIRN_OK;
}

/* The surface velocity of a conveyor. */
static cairn_status place_velocity(const cairn_model *model, const cairn_shape_options *o, crn_shape *shape)
{
    const double *v = o->surface_velocity;
    if (v[0] == 0 && v[1] == 0 && (model->dimension == 2 || v[2] == 0))
        return CAIRN_OK;
    shape->form->surface_velocity = malloc(sizeof(double[3]));
    if (!shape->form->surface_velocity)
        return CAIRN_NO_MEMORY;
    memcpy(shape->form->surface_velocity, v, sizeof(double[3]));
    if (model->dimension == 2)
        shape->form->surface_velocity[2] = 0;
    return CAIRN_OK;
}

/* Make a hull. The number of its corners is limited by the bits of a contact's identity. */
static cairn_status make_hull(const cairn_model *model, int body, const cairn_shape_options *o, crn_hull **out)
{
    cairn_status status = crn_hull_create(o->vertices, o->vertex_count, out);
    if (status == CAIRN_OK && o->recentre)
        status = crn_hull_centre(*out);
    if (status != CAIRN_OK || (*out)->vertex_count <= MOST_HULL_CORNERS)
        return status;
    return crn_shape_complain(model, body, o->kind, "it has %d corners, at most %d are taken", (*out)->vertex_count,
                              MOST_HULL_CORNERS);
}

static cairn_status place(const cairn_model *model, int body, const cairn_shape_options *o, const crn_mesh_file *file,
                          crn_shape *shape)
{
    *shape =
        (crn_shape){.kind = o->kind, .body = body, .density = o->density, .form = calloc(1, sizeof(crn_shape_form))};
    if (!shape->form)
        return CAIRN_NO_MEMORY;
    shape->form->drawn = o->kind;
    shape->material = crn_material_given(model, o->material);
    assert(shape->material >= 0);
    CRN_TRY(place_frame(model, o, shape));
    CRN_TRY(place_velocity(model, o, shape));
    place_measures(o, model->dimension, shape);
    const crn_shape_class *class = crn_class_of(o->kind);
    cairn_status status = CAIRN_OK;
    if (model->dimension == 2 && !(class->flags & CRN_SHAPE_UNBOUNDED))
    {
        status = place_vertices(o, shape);
    }
    else if (class->core == CRN_CORE_HULL)
    {
        status = make_hull(model, body, o, &shape->form->hull);
    }
    else if (class->rank == CRN_RANK_MESH)
    {
        status = crn_shape_mesh(model, body, o, file, &shape->form->mesh);
        status = status ? status : crn_mesh_index_create(shape->form->mesh, &shape->form->mesh_index);
    }
    else if (class->look == CAIRN_LOOK_FACES)
    {
        status = class->draw ? class->draw(shape) : crn_shape_make_surface(shape);
    }
    shape->bound = status == CAIRN_OK ? crn_shape_bound(shape) : 0.0;
    return status;
}

cairn_status crn_shape_fail_to_place(const cairn_model *model, int body, cairn_status status)
{
    assert(status != CAIRN_OK);
    if (status == CAIRN_INVALID)
        return status; /* reported already */
    return status == CAIRN_NO_MEMORY
               ? crn_fail(model->context, status, "body '%s': memory ran out for a shape", model->bodies[body].name)
               : crn_fail(model->context, CAIRN_INVALID,
                          "body '%s': a shape is too thin or too finely cut for its pieces or faces to be found",
                          model->bodies[body].name);
}

/* Have a sphere share the form of all, unless its surface moves. */
static void share_form(cairn_model *model, crn_shape *shape)
{
    if (shape->kind != CAIRN_SPHERE || shape->form->surface_velocity)
        return;
    if (!model->sphere_form)
        model->sphere_form = shape->form;
    else
    {
        destroy_form(shape->form);
        shape->form = model->sphere_form;
    }
}

cairn_status crn_shape_add(cairn_model *model, int body, const cairn_shape_options *o, const crn_mesh_file *file)
{
    assert(body >= 0 && (size_t)body < model->body_count);
    crn_shape shape;
    cairn_status status = place(model, body, o, file, &shape);
    if (status == CAIRN_OK)
        status = crn_reserve_all(&model->memory, CRN_ARRAY(model->shapes, model->shape_count + 1));
    status = status ? status : crn_enlist(model, &model->shape_slots, NULL, NULL);
    if (status != CAIRN_OK)
    {
        crn_shape_free(model, &shape);
        return crn_shape_fail_to_place(model, body, status);
    }
    share_form(model, &shape);
    crn_body *owner = &model->bodies[body];
    owner->shape_begin = owner->shape_end > 0 ? owner->shape_begin : (int)model->shape_count;
    owner->shape_end = (int)model->shape_count + 1;
    shape.serial = model->serials++;
    model->shapes[model->shape_count++] = shape;
    model->drifts = model->drifts || shape.form->surface_velocity;
    return CAIRN_OK;
}

static cairn_status check_and_add(cairn_model *model, int body, const cairn_shape_options *o, const crn_mesh_file *file)
{
    CRN_TRY(crn_shape_check(model, body, o));
    bool loop = crn_class_of(o->kind)->look == CAIRN_LOOK_POLYGON;
    bool concave = loop && !crn_polygon_is_convex(o->vertices, o->vertex_count);
    return concave || crn_shape_has(o->kind, CRN_SHAPE_CHAINED) ? crn_shape_add_whole(model, body, o)
                                                                : crn_shape_add(model, body, o, file);
}

cairn_status crn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                 const crn_mesh_file *file, cairn_shape *out)
{
    CRN_TRY(crn_make_grains(model));
    int index = crn_body_index(model, body);
    if (index < 0)
        return crn_fail(model->context, CAIRN_INVALID, "shape: its body is not in the model");
    if (crn_check_options(model, "shape", options->struct_size, sizeof *options))
        return CAIRN_INVALID;
    if (crn_material_given(model, options->material) < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': a shape's material is not in the model",
                        model->bodies[index].name);
    }
    size_t first = model->shape_count;
    cairn_shape_options filled = *options;
    crn_shape_data data = {.file = file};
    cairn_status status = crn_shape_check_kind(model, index, options->kind);
    status = status == CAIRN_OK ? crn_shape_data_fill(model, index, &filled, &data) : status;
    status = status == CAIRN_OK ? check_and_add(model, index, &filled, data.file) : status;
    crn_shape_data_free(&data);
    if (status == CAIRN_OK)
        *out = crn_shape_handle(model, (int)first);
    return status;
}

cairn_status cairn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                   cairn_shape *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "shape: the model, the options or the place for its handle is NULL");
    }
    return crn_model_add_shape(model, body, options, NULL, out);
}

int cairn_model_shape_count(const cairn_model *model)
{
    return (int)model->shape_count + model->unmade.count;
}

/* The corners and faces of a hull, a mesh, or a shape that is drawn by faces. */
static void show_faces(const crn_shape *shape, cairn_shape_info *info)
{
    const crn_hull *hull = shape->form->hull ? shape->form->hull : shape->form->surface;
    if (hull)
    {
        info->vertices = hull->vertices;
        info->vertex_count = hull->vertex_count;
        info->face_count = hull->face_count;
        info->face_begin = hull->face_begin;
        info->face_vertices = hull->face_vertices;
    }
    if (shape->form->mesh)
    {
        info->vertices = shape->form->mesh->vertices;
        info->vertex_count = shape->form->mesh->vertex_count;
        info->face_count = shape->form->mesh->triangle_count;
        info->face_begin = shape->form->mesh->begin;
        info->face_vertices = shape->form->mesh->triangles;
        info->neighbours = shape->form->mesh->neighbours;
    }
}

/* The dimensions as they were given: halves are exact. */
static void show_measures(const crn_shape *shape, int dimension, cairn_shape_info *info)
{
    const crn_shape_class *class = crn_class_of(shape->form->drawn);
    if (class->takes & CRN_TAKES_RADIUS)
        info->radius = shape->radius > 0 ? shape->radius : shape->form->half[0];
    if (class->takes & CRN_TAKES_LENGTH && !(class->flags & CRN_SHAPE_OUTLINE))
        info->length = 2 * shape->form->half[dimension == 2 ? 0 : 2];
    if (class->takes & CRN_TAKES_HEIGHT)
        info->height = 2 * shape->form->half[2];
    if (class->takes & CRN_TAKES_OPENING)
        info->opening = shape->form->half[1];
    for (int k = 0; k < 3; ++k)
    {
        info->size[k] = class->takes & CRN_TAKES_SIZE ? 2 * shape->form->half[k] : 0.0;
        info->radii[k] = class->takes & CRN_TAKES_RADII ? shape->form->half[k] : 0.0;
    }
}

cairn_shape cairn_model_shape(const cairn_model *model, int index)
{
    return crn_shape_handle(model, index);
}

int cairn_model_shape_index(const cairn_model *model, cairn_shape shape)
{
    return crn_shape_index(model, shape);
}

cairn_shape_info cairn_model_shape_info(const cairn_model *model, cairn_shape handle)
{
    cairn_shape_info info = {.kind = CAIRN_POINT, .name = "unknown"};
    int index = crn_shape_index(model, handle);
    if (index < 0)
        return info;
    const crn_shape *shape = &model->shapes[index];
    const crn_shape_class *class = crn_class_of(shape->form->drawn);
    info.kind = shape->form->drawn;
    info.name = class->name;
    info.look = class->look;
    info.body = crn_body_handle(model, shape->body);
    info.piece = shape->form->piece;
    show_measures(shape, model->dimension, &info);
    info.vertices = shape->form->local_vertices;
    info.vertex_count = shape->form->local_count;
    show_faces(shape, &info);
    const crn_shape_frame *frame = crn_frame_of(shape);
    info.angle = frame->angle;
    memcpy(info.position, frame->position, sizeof info.position);
    memcpy(info.orientation, frame->orientation, sizeof info.orientation);
    crn_unrotate3(frame->rotation, shape->form->normal, info.normal);
    if (shape->form->surface_velocity)
        memcpy(info.surface_velocity, shape->form->surface_velocity, sizeof info.surface_velocity);
    return info;
}
