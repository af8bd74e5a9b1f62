/* Shapes: checked and brought into the body's frame once, so that collision detection only moves bodies. */
#include "base/memory.h"
#include "math/vec.h"
#include "model/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_shape_options cairn_shape_default(cairn_shape_kind kind)
{
    cairn_shape_options options = {.kind = kind, .orientation = {1, 0, 0, 0}};
    options.normal[kind == CAIRN_HALF_SPACE ? 2 : 1] = 1.0;
    return options;
}

static const char *const KIND_NAME[] = {
    [CAIRN_POINT] = "point",
    [CAIRN_CIRCLE] = "circle",
    [CAIRN_SEGMENT] = "segment",
    [CAIRN_POLYGON] = "polygon",
    [CAIRN_HALF_PLANE] = "half-plane",
    [CAIRN_SPHERE] = "sphere",
    [CAIRN_BOX] = "box",
    [CAIRN_HALF_SPACE] = "half-space",
    [CAIRN_ELLIPSE] = "ellipse",
    [CAIRN_ELLIPSOID] = "ellipsoid",
};

static bool is_planar(cairn_shape_kind kind)
{
    return kind == CAIRN_CIRCLE || kind == CAIRN_SEGMENT || kind == CAIRN_POLYGON || kind == CAIRN_HALF_PLANE ||
           kind == CAIRN_ELLIPSE;
}

static bool is_elliptic(cairn_shape_kind kind)
{
    return kind == CAIRN_ELLIPSE || kind == CAIRN_ELLIPSOID;
}

static bool is_unbounded(cairn_shape_kind kind)
{
    return kind == CAIRN_HALF_PLANE || kind == CAIRN_HALF_SPACE;
}

static cairn_status complain(const cairn_model *model, int body, cairn_shape_kind kind, const char *sentence)
{
    return crn_fail(model->context, CAIRN_INVALID, "body '%s': %s: %s", model->bodies[body].name, KIND_NAME[kind],
                    sentence);
}

/* Twice the signed area; cross products of successive edges must all have its sign for the polygon to be convex. */
static double twice_area(const double *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
    {
        const double *a = v + 2 * i;
        const double *b = v + 2 * ((i + 1) % count);
        sum += a[0] * b[1] - b[0] * a[1];
    }
    return sum;
}

static bool is_convex(const double *v, int count)
{
    double area = twice_area(v, count);
    double extent = 0;
    double turned = 0;
    for (int i = 0; i < count; ++i)
    {
        const double *a = v + 2 * i;
        const double *b = v + 2 * ((i + 1) % count);
        const double *c = v + 2 * ((i + 2) % count);
        double e[2] = {b[0] - a[0], b[1] - a[1]};
        double f[2] = {c[0] - b[0], c[1] - b[1]};
        double cross = e[0] * f[1] - e[1] * f[0];
        extent = fmax(extent, e[0] * e[0] + e[1] * e[1]);
        turned += atan2(cross, e[0] * f[0] + e[1] * f[1]);
        if (cross * area <= 0)
        {
            return false;
        }
    }
    /* one full turn: a star that winds twice has convex corners too */
    return fabs(area) > 1e-12 * extent && fabs(fabs(turned) - 2 * acos(-1.0)) < 1e-6;
}

static cairn_status check_vertices(const cairn_model *model, int body, const cairn_shape_options *o)
{
    bool segment = o->kind == CAIRN_SEGMENT;
    if (!o->vertices || (segment ? o->vertex_count != 2 : o->vertex_count < 3))
    {
        return complain(model, body, o->kind, segment ? "needs exactly two vertices" : "needs three vertices or more");
    }
    if (!crn_all_finite(o->vertices, 2 * o->vertex_count))
    {
        return complain(model, body, o->kind, "vertices must be finite numbers");
    }
    if (segment && o->vertices[0] == o->vertices[2] && o->vertices[1] == o->vertices[3])
    {
        return complain(model, body, o->kind, "its two vertices are the same point");
    }
    if (!segment && !is_convex(o->vertices, o->vertex_count))
    {
        return complain(model, body, o->kind,
                        "vertices must go around a convex polygon, no three of them on one line and none repeated");
    }
    return CAIRN_OK;
}

/* Distances are accurate down to the ratio that is taken here; flatter shapes are boxes or segments. */
static cairn_status check_radii(const cairn_model *model, int body, const cairn_shape_options *o)
{
    int axes = o->kind == CAIRN_ELLIPSE ? 2 : 3;
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < axes; ++k)
    {
        if (!(isfinite(o->radii[k]) && o->radii[k] > 0))
        {
            return complain(model, body, o->kind, "radii: its semi-axes must be greater than 0");
        }
        least = fmin(least, o->radii[k]);
        most = fmax(most, o->radii[k]);
    }
    return most <= 1e3 * least
               ? CAIRN_OK
               : complain(model, body, o->kind, "radii: the longest is more than 1000 times the shortest");
}

static cairn_status check_shape(const cairn_model *model, int body, const cairn_shape_options *o)
{
    if ((int)o->kind < 0 || o->kind > CAIRN_ELLIPSOID)
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': unknown shape kind %d", model->bodies[body].name,
                        (int)o->kind);
    }
    if (o->kind != CAIRN_POINT && is_planar(o->kind) != (model->dimension == 2))
    {
        return complain(model, body, o->kind,
                        model->dimension == 2 ? "is a shape of space; the model is planar"
                                              : "is a shape of the plane; the model is spatial");
    }
    if (is_unbounded(o->kind) && model->bodies[body].kind == CAIRN_DYNAMIC)
    {
        return complain(model, body, o->kind, "only fixed and driven bodies can have one");
    }
    if ((o->kind == CAIRN_CIRCLE || o->kind == CAIRN_SPHERE) && !(isfinite(o->radius) && o->radius > 0))
    {
        return complain(model, body, o->kind, "radius: must be greater than 0");
    }
    if (o->kind == CAIRN_BOX && !(crn_all_finite(o->size, 3) && o->size[0] > 0 && o->size[1] > 0 && o->size[2] > 0))
    {
        return complain(model, body, o->kind, "size: its three lengths must be greater than 0");
    }
    double normal = crn_norm3(o->normal);
    if (is_unbounded(o->kind) && !(isfinite(normal) && normal > 0))
    {
        return complain(model, body, o->kind, "normal: must not have zero length");
    }
    const double *e = o->orientation;
    double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!crn_all_finite(o->position, 3) || !isfinite(o->angle) ||
        (model->dimension == 3 && !(norm > 1e-12 && isfinite(norm))))
    {
        return complain(model, body, o->kind, "position and orientation must be finite and not degenerate");
    }
    if (!isfinite(o->density) || o->density < 0)
    {
        return complain(model, body, o->kind, "density: must be 0 or more");
    }
    if (is_elliptic(o->kind))
    {
        return check_radii(model, body, o);
    }
    bool has_vertices = o->kind == CAIRN_SEGMENT || o->kind == CAIRN_POLYGON;
    return has_vertices ? check_vertices(model, body, o) : CAIRN_OK;
}

/* Vertices in the body's frame, counter-clockwise; one at the shape's position for the others. */
static cairn_status place_vertices(const cairn_shape_options *o, crn_shape *shape)
{
    bool listed = o->kind == CAIRN_SEGMENT || o->kind == CAIRN_POLYGON;
    shape->vertex_count = listed ? o->vertex_count : 1;
    size_t size = (size_t)shape->vertex_count * 2 * sizeof(double);
    shape->vertices = calloc(1, size);
    shape->local_vertices = calloc(1, size);
    if (!shape->vertices || !shape->local_vertices)
    {
        return CAIRN_NO_MEMORY;
    }
    bool reverse = o->kind == CAIRN_POLYGON && twice_area(o->vertices, o->vertex_count) < 0;
    for (int i = 0; i < shape->vertex_count; ++i)
    {
        int from = reverse ? shape->vertex_count - 1 - i : i;
        double local[3] = {listed ? o->vertices[2 * from] : 0, listed ? o->vertices[2 * from + 1] : 0, 0};
        double placed[3];
        crn_rotate3(shape->rotation, local, placed);
        memcpy(shape->local_vertices + 2 * i, local, 2 * sizeof(double));
        shape->vertices[2 * i] = placed[0] + shape->position[0];
        shape->vertices[2 * i + 1] = placed[1] + shape->position[1];
    }
    return CAIRN_OK;
}

static double bounding_radius(const crn_shape *shape)
{
    if (is_unbounded(shape->kind))
    {
        return INFINITY;
    }
    double centre = crn_norm3(shape->position);
    if (shape->kind == CAIRN_BOX)
    {
        return centre + crn_norm3(shape->half);
    }
    if (is_elliptic(shape->kind))
    {
        return centre + fmax(fmax(shape->half[0], shape->half[1]), shape->half[2]);
    }
    double far = shape->vertices ? 0 : centre;
    for (int i = 0; shape->vertices && i < shape->vertex_count; ++i)
    {
        far = fmax(far, hypot(shape->vertices[2 * i], shape->vertices[2 * i + 1]));
    }
    return far + shape->radius;
}

static cairn_status place(const cairn_model *model, const cairn_shape_options *o, crn_shape *shape)
{
    memcpy(shape->position, o->position, sizeof shape->position);
    memcpy(shape->orientation, o->orientation, sizeof shape->orientation);
    if (model->dimension == 2)
    {
        shape->position[2] = 0;
        shape->angle = o->angle;
        crn_quaternion_exp((double[3]){0, 0, o->angle}, shape->orientation);
    }
    crn_quaternion_normalise(shape->orientation);
    crn_quaternion_to_matrix(shape->orientation, shape->rotation);
    shape->radius = o->kind == CAIRN_CIRCLE || o->kind == CAIRN_SPHERE ? o->radius : 0.0;
    for (int k = 0; k < 3; ++k)
    {
        shape->size[k] = o->kind == CAIRN_BOX ? o->size[k] : 0.0;
        shape->half[k] = 0.5 * shape->size[k];
    }
    if (is_elliptic(o->kind))
    {
        memcpy(shape->half, o->radii, (o->kind == CAIRN_ELLIPSE ? 2 : 3) * sizeof(double));
    }
    if (is_unbounded(o->kind))
    {
        double n[3] = {o->normal[0], o->normal[1], model->dimension == 3 ? o->normal[2] : 0.0};
        double length = crn_norm3(n);
        crn_rotate3(shape->rotation, (double[3]){n[0] / length, n[1] / length, n[2] / length}, shape->normal);
    }
    cairn_status status = CAIRN_OK;
    if (model->dimension == 2 && !is_unbounded(o->kind))
    {
        status = place_vertices(o, shape);
    }
    shape->bound = status == CAIRN_OK ? bounding_radius(shape) : 0.0;
    return status;
}

cairn_status cairn_model_add_shape(cairn_model *model, cairn_body body, const cairn_shape_options *options,
                                   cairn_shape *out)
{
    int index = crn_body_index(model, body);
    if (index < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "shape: its body is not in the model");
    }
    if (options->material.id < 0 || (size_t)options->material.id > model->material_count)
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': a shape's material is not in the model",
                        model->bodies[index].name);
    }
    cairn_status status = check_shape(model, index, options);
    if (status != CAIRN_OK)
    {
        return status;
    }
    crn_shape shape = {.kind = options->kind, .body = index, .density = options->density};
    shape.material = options->material.id == 0 ? 0 : options->material.id - 1;
    status = place(model, options, &shape);
    if (status != CAIRN_OK ||
        crn_reserve(&model->shapes, &model->shape_capacity, model->shape_count + 1, sizeof(crn_shape)))
    {
        free(shape.vertices);
        free(shape.local_vertices);
        return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out for a shape",
                        model->bodies[index].name);
    }
    crn_body *owner = &model->bodies[index];
    owner->shape_begin = owner->shape_end > 0 ? owner->shape_begin : (int)model->shape_count;
    owner->shape_end = (int)model->shape_count + 1;
    model->shapes[model->shape_count++] = shape;
    out->id = (int32_t)model->shape_count;
    return CAIRN_OK;
}

int cairn_model_shape_count(const cairn_model *model)
{
    return (int)model->shape_count;
}

cairn_shape_info cairn_model_shape(const cairn_model *model, int index)
{
    cairn_shape_info info = {.kind = CAIRN_POINT};
    if (index < 0 || (size_t)index >= model->shape_count)
    {
        return info;
    }
    const crn_shape *shape = &model->shapes[index];
    info.kind = shape->kind;
    info.body.id = shape->body + 1;
    info.radius = shape->radius;
    info.vertices = shape->local_vertices;
    info.vertex_count = shape->vertex_count;
    info.angle = shape->angle;
    memcpy(info.size, shape->size, sizeof info.size);
    memcpy(info.radii, shape->half, is_elliptic(shape->kind) ? sizeof info.radii : 0);
    memcpy(info.position, shape->position, sizeof info.position);
    memcpy(info.orientation, shape->orientation, sizeof info.orientation);
    crn_unrotate3(shape->rotation, shape->normal, info.normal);
    return info;
}
