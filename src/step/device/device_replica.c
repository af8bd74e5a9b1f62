#include "step/device/device_replica.h"

#include "domain/listing.h"
#include "math/vec.h"
#include "model/ignored.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shape of the description, or the first triangle of a mesh, and its place in the order of the model. */
typedef struct placed_shape
{
    uint64_t order;
    int from, triangles;
} placed_shape;

/* ---------------------------------------------------------------------------------------------------------------- bodies */

/* kg m^2; false: it does not turn. */
static bool inertia_of(const crn_gpu_body *from, bool has_shapes, double out[9])
{
    static const double NONE[9] = {0};
    memcpy(out, from->inertia, sizeof from->inertia);
    for (int k = 0; k < 9 && !has_shapes; ++k)
        out[k] = k % 4 == 0 && from->inverse_inertia > 0 ? 1 / from->inverse_inertia : 0.0;
    return from->inverse_mass > 0 && memcmp(out, NONE, sizeof NONE) != 0;
}

/* Bodies have few different groups, so neighbours share them. Whether body b begins others. */
static bool begins_traits(const crn_gpu_description *d, int b)
{
    return b == 0 || (d->shape_count > 0 && (d->body[b].groups != d->body[b - 1].groups ||
                                             d->body[b].collides_with != d->body[b - 1].collides_with));
}

static cairn_status add_traits(crn_replica *r, const crn_gpu_description *d)
{
    int count = 1; /* the first is that of single spheres and half-spaces */
    for (int b = 0; b < d->body_count; ++b)
        count += begins_traits(d, b);
    CRN_TRY(crn_reserve_all(&r->memory, CRN_ARRAY(r->traits, count)));
    r->traits[0] = (crn_body_traits){.groups = 1, .collides_with = 1};
    count = 0;
    for (int b = 0; b < d->body_count && d->shape_count > 0; ++b)
    {
        count += begins_traits(d, b);
        r->traits[count] = (crn_body_traits){.groups = d->body[b].groups, .collides_with = d->body[b].collides_with};
        r->body[b].traits = &r->traits[count];
    }
    return CAIRN_OK;
}

static void add_body(crn_replica *r, const crn_gpu_body *from, bool has_shapes, int b)
{
    double inertia[9];
    bool moves = from->inverse_mass > 0, turns = inertia_of(from, has_shapes, inertia);
    r->body[b] = (crn_body){.kind = moves               ? CAIRN_DYNAMIC
                                    : from->driven >= 0 ? CAIRN_DRIVEN
                                                        : CAIRN_FIXED,
                            .point = !turns,
                            .traits = has_shapes ? r->body[b].traits : r->traits};
    r->mass[b] = moves ? 1 / from->inverse_mass : 0.0;
    r->inertia_start[b + 1] = r->inertia_start[b] + (turns ? 9 : 0);
    memcpy(r->inertia + r->inertia_start[b], inertia, turns ? sizeof inertia : 0);
}

static void add_plane_body(crn_replica *r, const crn_gpu_plane *plane, int b)
{
    r->body[b] = (crn_body){.kind = plane->driven >= 0 ? CAIRN_DRIVEN : CAIRN_FIXED, .traits = r->traits};
    r->inertia_start[b + 1] = r->inertia_start[b];
}

static cairn_status add_bodies(crn_replica *r, const crn_gpu_description *d)
{
    bool has_shapes = d->shape_count > 0;
    size_t count = (size_t)d->body_count + (size_t)d->plane_count + 1;
    CRN_TRY(crn_reserve_all(&r->memory, CRN_ARRAY(r->body, count), CRN_ARRAY(r->mass, count),
                            CRN_ARRAY(r->bound, count), CRN_ARRAY(r->inertia, 9 * count),
                            CRN_ARRAY(r->inertia_start, count)));
    CRN_TRY(add_traits(r, d));
    for (int b = 0; b < d->body_count; ++b)
        add_body(r, &d->body[b], has_shapes, b);
    for (int i = 0; i < d->plane_count; ++i)
        add_plane_body(r, &d->plane[i], d->body_count + i);
    r->model.bodies = r->body;
    r->model.body_count = count - 1;
    r->bodies = (crn_audit_bodies){
        .mass = r->mass, .inertia = {.start = r->inertia_start, .value = r->inertia}, .bound = r->bound, .threads = 1};
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- materials */

/* Frictions and restitutions of pairs are told one by one where they do not follow from the materials'. */
static cairn_status add_materials(crn_replica *r, const crn_gpu_description *d)
{
    size_t count = (size_t)d->material_count, pairs = count * (count + 1) / 2;
    cairn_model *model = &r->model;
    CRN_TRY(crn_reserve_all(&r->memory, CRN_ARRAY(model->materials, count), CRN_ARRAY(model->pairs, pairs)));
    model->material_count = count;
    for (size_t a = 0; a < count; ++a)
    {
        int own = d->pair_class[a * count + a];
        model->materials[a] = (crn_material){.friction = d->friction[own], .restitution = d->restitution[own]};
    }
    for (int a = 0; a < (int)count; ++a)
        for (int b = a + 1; b < (int)count; ++b)
        {
            double friction, restitution;
            int both = d->pair_class[(size_t)a * count + (size_t)b];
            crn_materials_pair(model, a, b, &friction, &restitution);
            if (friction == d->friction[both] && restitution == d->restitution[both])
                continue;
            crn_pair *pair = &model->pairs[model->pair_count++];
            *pair = (crn_pair){.a = a, .b = b, .options = cairn_pair_default()};
            pair->options.friction = d->friction[both];
            pair->options.restitution = d->restitution[both];
        }
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------------------------------------- shapes */

static cairn_shape_kind kind_of(const crn_gpu_description *d, const crn_gpu_shape *from)
{
    static const cairn_shape_kind KINDS[CRN_GPU_KINDS] = {[CRN_GPU_SPHERE] = CAIRN_SPHERE,
                                                          [CRN_GPU_CAPSULE] = CAIRN_CAPSULE,
                                                          [CRN_GPU_BOX] = CAIRN_BOX,
                                                          [CRN_GPU_ELLIPSOID] = CAIRN_ELLIPSOID,
                                                          [CRN_GPU_CYLINDER] = CAIRN_CYLINDER,
                                                          [CRN_GPU_CONE_SHAPE] = CAIRN_CONE,
                                                          [CRN_GPU_HULL] = CAIRN_HULL,
                                                          [CRN_GPU_TRIANGLE] = CAIRN_MESH,
                                                          [CRN_GPU_HOLLOW] = CAIRN_HOLLOW_CYLINDER,
                                                          [CRN_GPU_HALF_SPACE] = CAIRN_HALF_SPACE};
    if (from->kind == CRN_GPU_TRIANGLE && d->triangle[from->triangle].is_ground)
        return CAIRN_HEIGHT_FIELD;
    if (from->kind == CRN_GPU_HOLLOW && from->half[0] != from->half[1])
        return CAIRN_HOLLOW_CONE;
    return KINDS[from->kind];
}

/* Bodies that have the same hull share it. */
static cairn_status add_hull(crn_replica *r, const crn_gpu_description *d, int index, crn_hull **out)
{
    const crn_gpu_hull *of = &d->hull[index];
    const crn_hull from = {.vertex_count = of->corners,
                           .face_count = of->faces,
                           .vertices = (double *)d->hull_corner + 3 * (size_t)of->corner,
                           .normals = (double *)d->hull_normal + 3 * (size_t)of->face,
                           .face_begin = (int *)d->hull_face_begin + of->face,
                           .face_vertices = (int *)d->hull_face_corner};
    CRN_TRY(r->hull[index] ? CAIRN_OK : crn_hull_rebuild(&from, &r->hull[index]));
    *out = r->hull[index];
    return CAIRN_OK;
}

/* A mesh in the frame of its body: `count` shapes of the description from `first` on are its triangles. */
static cairn_status add_mesh(const crn_gpu_description *d, const placed_shape *of, crn_shape_form *form)
{
    int low = INT32_MAX, high = -1, *triangles = malloc(3 * (size_t)of->triangles * sizeof *triangles);
    for (int i = 0; triangles && i < 3 * of->triangles; ++i)
    {
        triangles[i] = d->triangle[d->shape[of->from + i / 3].triangle].v[i % 3];
        low = triangles[i] < low ? triangles[i] : low;
        high = triangles[i] > high ? triangles[i] : high;
    }
    for (int i = 0; triangles && i < 3 * of->triangles; ++i)
        triangles[i] -= low;
    const crn_mesh_data data = {.vertices = d->vertex + 3 * (size_t)low,
                                .vertex_count = high - low + 1,
                                .triangles = triangles,
                                .triangle_count = of->triangles};
    crn_mesh_report report;
    cairn_status status = triangles ? crn_mesh_create(&data, &report, &form->mesh) : CAIRN_NO_MEMORY;
    free(triangles);
    return status ? status : crn_mesh_index_create(form->mesh, &form->mesh_index);
}

/* A frame that is the body's own is not written down (place_frame in model/shape/shape.c); meshes are in that frame. */
static void add_frame(crn_replica *r, const crn_gpu_shape *from, crn_shape *to)
{
    crn_shape_frame *frame = &r->frame[r->shapes];
    *frame = (crn_shape_frame){0};
    memcpy(frame->position, from->x, sizeof frame->position);
    memcpy(frame->orientation, from->q, sizeof frame->orientation);
    crn_quaternion_to_matrix(frame->orientation, frame->rotation);
    bool is_own = from->kind != CRN_GPU_TRIANGLE && memcmp(frame, &crn_body_frame, sizeof *frame) != 0;
    to->own_frame = is_own ? frame : NULL;
}

static cairn_status add_shape(crn_replica *r, const crn_gpu_description *d, const placed_shape *of)
{
    const crn_gpu_shape *from = &d->shape[of->from];
    crn_shape_form *form = &r->form[r->shapes];
    crn_shape *to = &r->shape[r->shapes];
    crn_body *body = &r->body[from->body];
    *to = (crn_shape){.kind = kind_of(d, from),
                      .serial = r->shapes,
                      .body = from->body,
                      .material = from->material,
                      .radius = from->radius,
                      .form = form};
    add_frame(r, from, to);
    memcpy(from->kind == CRN_GPU_HALF_SPACE ? form->normal : form->half, from->half, sizeof form->half);
    form->drawn = to->kind;
    cairn_status status = from->kind == CRN_GPU_HULL       ? add_hull(r, d, from->triangle, &form->hull)
                          : from->kind == CRN_GPU_TRIANGLE ? add_mesh(d, of, form)
                                                           : CAIRN_OK;
    body->shape_begin = body->shape_end > 0 ? body->shape_begin : r->shapes;
    body->shape_end = ++r->shapes;
    CRN_TRY(status);
    to->bound = crn_shape_bound(to);
    if (isfinite(to->bound))
        r->bound[from->body] = fmax(r->bound[from->body], to->bound);
    return CAIRN_OK;
}

/* Single spheres and half-spaces. */
static void add_round(crn_replica *r, const crn_gpu_description *d, int body)
{
    bool is_plane = body >= d->body_count;
    const crn_gpu_plane *plane = is_plane ? &d->plane[body - d->body_count] : NULL;
    crn_shape *to = &r->shape[r->shapes];
    *to = (crn_shape){.kind = is_plane ? CAIRN_HALF_SPACE : CAIRN_SPHERE,
                      .serial = r->shapes,
                      .body = body,
                      .material = is_plane ? plane->material : d->body[body].material,
                      .radius = is_plane ? 0.0 : d->body[body].radius,
                      .form = &r->form[r->shapes]};
    to->form->drawn = to->kind;
    if (is_plane)
        memcpy(to->form->normal, plane->n, sizeof plane->n);
    to->bound = crn_shape_bound(to);
    r->bound[body] = is_plane ? 0.0 : to->bound;
    r->body[body].shape_begin = r->shapes;
    r->body[body].shape_end = ++r->shapes;
}

static cairn_status add_rounds(crn_replica *r, const crn_gpu_description *d)
{
    CRN_TRY(
        crn_reserve_all(&r->memory, CRN_ARRAY(r->shape, r->model.body_count), CRN_ARRAY(r->form, r->model.body_count)));
    for (int b = 0; b < (int)r->model.body_count; ++b)
        add_round(r, d, b);
    return CAIRN_OK;
}

static int by_order(const void *a, const void *b)
{
    const placed_shape *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* The shapes of the description, a mesh as one. Its triangles follow each other, since all of a body's shapes are here. */
static int list_shapes(const crn_domain *domain, placed_shape *list)
{
    const crn_gpu_description *d = &domain->local.description;
    int count = 0;
    for (int i = 0; i < d->shape_count; ++i)
    {
        int triangle = d->shape[i].kind == CRN_GPU_TRIANGLE ? d->shape[i].triangle : -1;
        uint64_t order = crn_shape_order(&domain->scene, domain->local.global_shape[i], triangle);
        bool is_more = triangle >= 0 && count > 0 && list[count - 1].order == order;
        if (!is_more)
            list[count++] = (placed_shape){order, i, 0};
        list[count - 1].triangles += triangle >= 0;
    }
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, by_order);
    return count;
}

static cairn_status add_shapes(crn_replica *r, const crn_domain *domain)
{
    const crn_gpu_description *d = &domain->local.description;
    crn_arena listing = {0};
    placed_shape *list = NULL;
    size_t most = (size_t)d->shape_count;
    cairn_status status = crn_reserve_all(&listing, CRN_ARRAY(list, most));
    int count = status ? 0 : list_shapes(domain, list);
    status = status ? status
                    : crn_reserve_all(&r->memory, CRN_ARRAY(r->shape, count), CRN_ARRAY(r->form, count),
                                      CRN_ARRAY(r->frame, count), CRN_ARRAY(r->hull, d->hull_count));
    r->hulls = status ? 0 : d->hull_count;
    for (int i = 0; i < count && !status; ++i)
        status = add_shape(r, d, &list[i]);
    crn_arena_release(&listing);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------- all */

static cairn_status add_aparts(crn_replica *r, const crn_gpu_description *d)
{
    for (int i = 0; i < d->apart_count; ++i)
        CRN_TRY(crn_model_ignore(&r->model, (int)(d->apart[i] >> 32), (int)(d->apart[i] & UINT32_MAX)));
    return CAIRN_OK;
}

cairn_status crn_replica_make(crn_replica *r, const crn_domain *domain)
{
    const crn_gpu_description *d = &domain->local.description;
    *r = (crn_replica){.model = {.dimension = 3, .revision = 1}};
    memcpy(r->model.box, d->box, sizeof r->model.box);
    CRN_TRY(add_bodies(r, d));
    CRN_TRY(add_materials(r, d));
    CRN_TRY(add_aparts(r, d));
    cairn_status status = domain->scene.has_shapes ? add_shapes(r, domain) : add_rounds(r, d);
    r->model.shapes = r->shape;
    r->model.shape_count = (size_t)r->shapes;
    r->model.serials = r->shapes;
    return status;
}

void crn_replica_free(crn_replica *r)
{
    for (int i = 0; i < r->shapes; ++i)
    {
        crn_mesh_index_destroy(r->form[i].mesh_index);
        crn_mesh_destroy(r->form[i].mesh);
    }
    for (int i = 0; i < r->hulls; ++i)
        crn_hull_destroy(r->hull[i]);
    free(r->model.ignored);
    crn_arena_release(&r->memory);
    *r = (crn_replica){0};
}
