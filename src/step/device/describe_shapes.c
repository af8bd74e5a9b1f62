/* A scene with shapes as the device sees it (src/gpu/shapes): every body of the model under its own number, and its shapes.
 *
 * Meshes and height fields become triangles that know their neighbours. An edge or corner that can be touched belongs to one of its
 * triangles, so that a body touches it once.
 */
#include "base/hash.h"
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape_class.h"
#include "step/simulation.h"

#include <assert.h>
#include <string.h>

static cairn_status refuse(const cairn_simulation *s, int body, const char *why)
{
    return crn_device_fail(s, CAIRN_UNSUPPORTED, "body '%s' %s; use device cpu", crn_body_name(s->model, body), why);
}

/* ------------------------------------------------------------------------------------------------------------ simple */

static bool is_round_grain(const cairn_simulation *s, int b)
{
    const crn_body *body = &s->model->bodies[b];
    if (body->shape_end - body->shape_begin != 1 ||
        (!body->point && !crn_is_isotropic(crn_inertia_of(&s->layout->inertia, b).m)))
        return false;
    const crn_shape *shape = &s->model->shapes[body->shape_begin];
    return shape->kind == CAIRN_SPHERE && shape->radius > 0 &&
           crn_norm3(crn_frame_of(shape)->position) <= 1e-9 * shape->radius;
}

/* Whether a driven body may turn, or has a sphere that is not at its origin. */
static bool is_plain_drive(const cairn_simulation *s, int b)
{
    const crn_body *body = &s->model->bodies[b];
    if (body->kind != CAIRN_DRIVEN)
        return true;
    const crn_driven_motion *motion = body->traits->motion;
    if (motion && (motion->callback || motion->angle))
        return false;
    for (int i = body->shape_begin; i < body->shape_end; ++i)
        if (s->model->shapes[i].kind == CAIRN_SPHERE &&
            crn_norm3(crn_frame_of(&s->model->shapes[i])->position) > 1e-9 * s->model->shapes[i].radius)
            return false;
    return true;
}

bool crn_device_is_round(const cairn_simulation *s)
{
    const cairn_model *model = s->model;
    for (int b = 0; b < (int)model->body_count; ++b)
    {
        const crn_body_traits *traits = model->bodies[b].traits, *first = model->bodies[0].traits;
        if (traits->groups != first->groups || traits->collides_with != first->collides_with ||
            !(traits->groups & traits->collides_with) || !is_plain_drive(s, b) ||
            (s->layout->body_block[b] >= 0 && !is_round_grain(s, b)))
            return false;
    }
    for (size_t i = 0; i < model->shape_count; ++i)
        if (!(model->shapes[i].kind == CAIRN_SPHERE && model->shapes[i].radius > 0) &&
            model->shapes[i].kind != CAIRN_HALF_SPACE)
            return false;
    return s->grains.count == 0 || crn_grains_are_plain(s);
}

/* ------------------------------------------------------------------------------------------------------------- bodies */

static cairn_status add_bodies(cairn_simulation *s, crn_device *device)
{
    size_t count = s->model->body_count;
    CRN_TRY(crn_reserve_all(&device->sending, CRN_ARRAY(device->body, count)));
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->driven, count)));
    for (int b = 0; b < (int)count; ++b)
    {
        const crn_body *body = &s->model->bodies[b];
        crn_gpu_body *out = &device->body[b];
        *out =
            (crn_gpu_body){.driven = -1, .groups = body->traits->groups, .collides_with = body->traits->collides_with};
        cairn_body_state state;
        crn_model_pose_at(s->model, b, s->located.frame.t, &state);
        memcpy(out->x, state.position, sizeof out->x);
        memcpy(out->q, state.orientation, sizeof out->q);
        if (body->kind == CAIRN_DRIVEN)
            out->driven = crn_device_driven_index(device, b);
        if (s->layout->body_block[b] >= 0)
            (void)crn_device_read_dynamic(s, b, out); /* its motion is here */
        if (s->layout->body_block[b] >= 0 && !body->point)
            memcpy(out->inertia, crn_inertia_of(&s->layout->inertia, b).m, sizeof out->inertia);
    }
    device->bodies = (int)count + s->grains.count;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- shapes */

/* -1: the device does not have this kind. */
static int kind_of(const crn_shape *shape)
{
    switch (shape->kind)
    {
    case CAIRN_SPHERE:
        return shape->radius > 0 ? CRN_GPU_SPHERE : -1;
    case CAIRN_CAPSULE:
        return CRN_GPU_CAPSULE;
    case CAIRN_BOX:
        return CRN_GPU_BOX;
    case CAIRN_ELLIPSOID:
        return CRN_GPU_ELLIPSOID;
    case CAIRN_CYLINDER:
        return CRN_GPU_CYLINDER;
    case CAIRN_CONE:
        return CRN_GPU_CONE_SHAPE;
    case CAIRN_HULL:
        return CRN_GPU_HULL;
    case CAIRN_MESH:
    case CAIRN_HEIGHT_FIELD:
        return CRN_GPU_TRIANGLE;
    case CAIRN_HOLLOW_CYLINDER:
    case CAIRN_HOLLOW_CONE:
        return CRN_GPU_HOLLOW;
    case CAIRN_HALF_SPACE:
        return CRN_GPU_HALF_SPACE;
    default:
        return -1;
    }
}

static cairn_status check_shape(const cairn_simulation *s, const crn_shape *shape)
{
    int kind = kind_of(shape);
    bool is_dynamic = s->layout->body_block[shape->body] >= 0;
    if (kind < 0)
        return refuse(s, shape->body,
                      "has a shape of no thickness or of a class of its own, which is not supported on the device yet");
    if (kind == CRN_GPU_HULL && shape->form->hull->vertex_count > CRN_GPU_CORNERS)
        return crn_device_fail(s, CAIRN_UNSUPPORTED,
                               "body '%s' has a hull with %d corners, but the device takes %d at most; use device cpu",
                               crn_body_name(s->model, shape->body), shape->form->hull->vertex_count, CRN_GPU_CORNERS);
    if (is_dynamic && kind > CRN_GPU_HULL)
        return refuse(s, shape->body,
                      "can move and has a mesh, a hollow or a half-space, which is not supported on the device yet");
    return CAIRN_OK;
}

static crn_gpu_shape *next_shape(crn_device *device, const crn_shape *shape, int index)
{
    const crn_shape_frame *frame = crn_frame_of(shape);
    crn_gpu_shape *out = &device->shape[device->shapes];
    *out = (crn_gpu_shape){.kind = kind_of(shape),
                           .body = shape->body,
                           .material = shape->material,
                           .triangle = -1,
                           .radius = shape->radius};
    memcpy(out->x, frame->position, sizeof out->x);
    memcpy(out->q, frame->orientation, sizeof out->q);
    memcpy(out->half, shape->kind == CAIRN_HALF_SPACE ? shape->form->normal : shape->form->half, sizeof out->half);
    device->shape_of[device->shapes++] = index;
    return out;
}

/* ------------------------------------------------------------------------------------------------------------- meshes */

static void add_vertices(crn_device *device, const crn_shape *shape)
{
    const crn_mesh *mesh = shape->form->mesh;
    const crn_mesh_index *index = shape->form->mesh_index;
    const crn_shape_frame *frame = crn_frame_of(shape);
    int first = device->vertices, ring = device->ring_begin[first];
    for (int v = 0; v < mesh->vertex_count; ++v)
    {
        double *x = &device->vertex[3 * (first + v)];
        crn_rotate3(frame->rotation, mesh->vertices + 3 * v, x);
        crn_add3(x, frame->position, x);
        for (int i = index->ring_begin[v]; i < index->ring_begin[v + 1]; ++i)
            device->ring[ring++] = first + index->ring[i];
        device->ring_begin[first + v + 1] = ring;
    }
    device->vertices += mesh->vertex_count;
}

/* The bits of the edges and corners that belong to triangle t: a corner to the first triangle of its first ridge. */
static uint8_t owned_by(const crn_mesh *mesh, const crn_mesh_index *index, int t)
{
    unsigned owns = 0;
    for (int k = 0; k < 3; ++k)
    {
        int ridge = index->vertex_ridge[mesh->triangles[3 * t + k]], neighbour = mesh->neighbours[3 * t + k];
        if (ridge >= 0 && index->ridges[ridge].t[0] == t)
            owns |= 1u << k;
        if (mesh->bend[3 * t + k] > 0 && (neighbour < 0 || t < neighbour))
            owns |= 8u << k;
    }
    return (uint8_t)owns;
}

static void add_triangles(crn_device *device, const crn_shape *shape, int number)
{
    const crn_mesh *mesh = shape->form->mesh;
    int first = device->triangles, vertex = device->vertices, first_shape = device->shapes;
    for (int t = 0; t < mesh->triangle_count; ++t)
    {
        crn_gpu_triangle *out = &device->triangle[device->triangles];
        *out = (crn_gpu_triangle){.owns = owned_by(mesh, shape->form->mesh_index, t),
                                  .is_ground = crn_shape_has(shape->kind, CRN_SHAPE_GROUND)};
        for (int k = 0; k < 3; ++k)
        {
            int neighbour = mesh->neighbours[3 * t + k];
            out->v[k] = vertex + mesh->triangles[3 * t + k];
            out->neighbour[k] = neighbour < 0 ? -1 : first + neighbour;
            out->bend[k] = mesh->bend[3 * t + k];
        }
        crn_rotate3(crn_frame_of(shape)->rotation, mesh->normals + 3 * t, out->n);
        device->triangle_first[device->triangles] = first_shape;
        next_shape(device, shape, number)->triangle = device->triangles++;
    }
    add_vertices(device, shape);
}

/* ------------------------------------------------------------------------------------------------------------- hulls */

static bool are_same(const crn_hull *a, const crn_hull *b)
{
    return a == b || (a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
                      !memcmp(a->vertices, b->vertices, 3 * (size_t)a->vertex_count * sizeof(double)));
}

/* The hull with the same corners, or -1. `home` is a table with room for twice as many hulls as there are. */
static int *find_hull(crn_device *device, const cairn_model *model, const crn_hull *hull)
{
    size_t at = (size_t)crn_hash(hull->vertices, 3 * (size_t)hull->vertex_count * sizeof(double)) & device->hull_mask;
    while (device->hull_home[at] >= 0 &&
           !are_same(model->shapes[device->hull_shape[device->hull_home[at]]].form->hull, hull))
        at = (at + 1) & device->hull_mask;
    return &device->hull_home[at];
}

static void add_hull_faces(crn_device *device, const crn_hull *hull)
{
    int corner = device->hull_corners, face = device->hull_faces;
    memcpy(device->hull_corner + 3 * corner, hull->vertices, 3 * (size_t)hull->vertex_count * sizeof(double));
    memcpy(device->hull_normal + 3 * face, hull->normals, 3 * (size_t)hull->face_count * sizeof(double));
    for (int f = 0; f < hull->face_count; ++f)
    {
        int to = device->hull_face_begin[face + f], count = hull->face_begin[f + 1] - hull->face_begin[f];
        memcpy(device->hull_face_corner + to, hull->face_vertices + hull->face_begin[f], (size_t)count * sizeof(int));
        device->hull_face_begin[face + f + 1] = to + count;
    }
    for (int v = 0; v < hull->vertex_count; ++v)
    {
        int to = device->hull_at_begin[corner + v];
        for (int k = hull->corner_begin[v]; k < hull->corner_begin[v + 1]; ++k)
            device->hull_at[to++] = face + hull->corner_faces[k];
        device->hull_at_begin[corner + v + 1] = to;
    }
}

/* Its number; bodies with the same hull share it. */
static int add_hull(crn_device *device, const cairn_model *model, int index)
{
    const crn_hull *hull = model->shapes[index].form->hull;
    int *home = find_hull(device, model, hull);
    if (*home >= 0)
        return *home;
    *home = device->hulls;
    device->hull_shape[device->hulls] = index;
    device->hull[device->hulls] = (crn_gpu_hull){.corner = device->hull_corners,
                                                 .corners = hull->vertex_count,
                                                 .face = device->hull_faces,
                                                 .faces = hull->face_count,
                                                 .thickness = hull->thickness,
                                                 .extent = hull->extent};
    add_hull_faces(device, hull);
    device->hull_corners += hull->vertex_count;
    device->hull_faces += hull->face_count;
    return device->hulls++;
}

static cairn_status make_hull_room(cairn_simulation *s, crn_device *device)
{
    size_t hulls = 0, corners = 0, faces = 0, of_faces = 0, room = 2;
    for (size_t i = 0; i < s->model->shape_count; ++i)
    {
        const crn_shape *shape = &s->model->shapes[i];
        if (kind_of(shape) != CRN_GPU_HULL)
            continue;
        const crn_hull *hull = shape->form->hull;
        ++hulls;
        corners += (size_t)hull->vertex_count;
        faces += (size_t)hull->face_count;
        of_faces += (size_t)hull->face_begin[hull->face_count];
    }
    while (room < 2 * hulls)
        room *= 2;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->hull, hulls), CRN_ARRAY(device->hull_shape, hulls),
                            CRN_ARRAY(device->hull_corner, 3 * corners), CRN_ARRAY(device->hull_normal, 3 * faces),
                            CRN_ARRAY(device->hull_face_begin, faces + 1),
                            CRN_ARRAY(device->hull_face_corner, of_faces),
                            CRN_ARRAY(device->hull_at_begin, corners + 1), CRN_ARRAY(device->hull_at, of_faces),
                            CRN_ARRAY(device->hull_home, room)));
    device->hull_mask = room - 1;
    memset(device->hull_home, -1, room * sizeof *device->hull_home);
    device->hull_face_begin[0] = device->hull_at_begin[0] = 0;
    device->hulls = device->hull_corners = device->hull_faces = 0;
    return CAIRN_OK;
}

/* Room for everything, before anything is added. */
static cairn_status make_room(cairn_simulation *s, crn_device *device)
{
    size_t shapes = s->model->shape_count, triangles = 0, vertices = 0, ring = 0;
    for (size_t i = 0; i < s->model->shape_count; ++i)
    {
        const crn_shape *shape = &s->model->shapes[i];
        CRN_TRY(check_shape(s, shape));
        if (kind_of(shape) != CRN_GPU_TRIANGLE)
            continue;
        size_t count = (size_t)shape->form->mesh->vertex_count;
        triangles += (size_t)shape->form->mesh->triangle_count;
        vertices += count;
        ring += (size_t)shape->form->mesh_index->ring_begin[count];
    }
    shapes += triangles;
    return crn_reserve_all(&device->memory, CRN_ARRAY(device->shape, shapes), CRN_ARRAY(device->shape_of, shapes),
                           CRN_ARRAY(device->wall_after, s->model->shape_count), CRN_ARRAY(device->triangle, triangles),
                           CRN_ARRAY(device->triangle_first, triangles), CRN_ARRAY(device->vertex, 3 * vertices),
                           CRN_ARRAY(device->ring_begin, vertices + 1), CRN_ARRAY(device->ring, ring));
}

/* Where walls stand among the shapes that are not walls, which come in the order of the model. */
static void place_walls(crn_device *device)
{
    int others = device->shapes - device->walls, before = 0;
    for (int w = 0; w < device->walls; ++w)
    {
        while (before < others && device->shape_of[before] < device->shape_of[others + w])
            ++before;
        device->wall_after[w] = before;
    }
}

cairn_status crn_device_add_shapes(cairn_simulation *s, crn_device *device)
{
    CRN_TRY(add_bodies(s, device));
    CRN_TRY(make_room(s, device));
    CRN_TRY(make_hull_room(s, device));
    device->shapes = device->walls = device->triangles = device->vertices = 0;
    device->ring_begin[0] = 0;
    for (int walls = 0; walls < 2; ++walls)
        for (int i = 0; i < (int)s->model->shape_count; ++i)
        {
            const crn_shape *shape = &s->model->shapes[i];
            int kind = kind_of(shape);
            if ((kind > CRN_GPU_TRIANGLE) != (walls > 0))
                continue;
            if (kind == CRN_GPU_TRIANGLE)
                add_triangles(device, shape, i);
            else if (kind == CRN_GPU_HULL)
                next_shape(device, shape, i)->triangle = add_hull(device, s->model, i);
            else
                next_shape(device, shape, i);
            device->walls += walls;
        }
    assert(device->shapes >= device->walls);
    place_walls(device);
    device->made_shapes = s->grains.count;
    return device->shapes + device->made_shapes > device->walls
               ? CAIRN_OK
               : crn_device_fail(s, CAIRN_UNSUPPORTED, "the scene has no shapes that can move; use device cpu");
}

cairn_status crn_device_list_grains(const cairn_simulation *s, crn_device *device)
{
    int shapes = device->shapes + device->made_shapes, others = device->shapes - device->walls;
    size_t walls = (size_t)device->walls;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->shape, shapes), CRN_ARRAY(device->shape_of, shapes)));
    memmove(device->shape + others + device->made_shapes, device->shape + others, walls * sizeof *device->shape);
    memmove(device->shape_of + others + device->made_shapes, device->shape_of + others,
            walls * sizeof *device->shape_of);
    device->shapes = others;
    for (int i = 0; i < s->grains.count; ++i)
    {
        int shape = s->model->bodies[s->grains.first + i].shape_begin;
        next_shape(device, &s->model->shapes[shape], shape);
    }
    device->shapes = shapes;
    device->made_shapes = 0;
    return CAIRN_OK;
}
