/* Is a shape one that can be simulated? One plain sentence when it is not. */
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape.h"

#include <math.h>
#include <stdio.h>

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
    [CAIRN_CAPSULE] = "capsule",
    [CAIRN_CHAIN] = "chain",
    [CAIRN_CYLINDER] = "cylinder",
    [CAIRN_CONE] = "cone",
    [CAIRN_HULL] = "hull",
    [CAIRN_MESH] = "mesh",
    [CAIRN_HEIGHT_FIELD] = "height-field",
};

const char *cairn_shape_kind_name(cairn_shape_kind kind)
{
    bool known = kind >= 0 && (size_t)kind < sizeof KIND_NAME / sizeof KIND_NAME[0];
    return known ? KIND_NAME[kind] : "unknown";
}

static const double FLATTEST = 1e3; /* ratio of an ellipse's semi-axes up to which distances are accurate */
static const double THINNEST = 1e6; /* of a capsule's, cylinder's or cone's two measures */

enum
{
    MOST_CONCAVE_VERTICES = 1 << 12
};

bool crn_shape_has_outline(cairn_shape_kind kind)
{
    return kind == CAIRN_SEGMENT || kind == CAIRN_POLYGON || kind == CAIRN_CHAIN;
}

bool crn_shape_is_elliptic(cairn_shape_kind kind)
{
    return kind == CAIRN_ELLIPSE || kind == CAIRN_ELLIPSOID;
}

bool crn_shape_is_unbounded(cairn_shape_kind kind)
{
    return kind == CAIRN_HALF_PLANE || kind == CAIRN_HALF_SPACE;
}

bool crn_shape_is_turned(cairn_shape_kind kind)
{
    return kind == CAIRN_CYLINDER || kind == CAIRN_CONE;
}

bool crn_shape_has_mesh(cairn_shape_kind kind)
{
    return kind == CAIRN_MESH || kind == CAIRN_HEIGHT_FIELD;
}

static bool is_in(cairn_shape_kind kind, int dimension)
{
    bool planar =
        kind == CAIRN_CIRCLE || kind == CAIRN_HALF_PLANE || kind == CAIRN_ELLIPSE || crn_shape_has_outline(kind);
    return kind == CAIRN_POINT || kind == CAIRN_CAPSULE || planar == (dimension == 2);
}

cairn_status crn_shape_complain(const cairn_model *model, int body, cairn_shape_kind kind, const char *sentence)
{
    return crn_fail(model->context, CAIRN_INVALID, "body '%s': %s: %s", model->bodies[body].name,
                    cairn_shape_kind_name(kind), sentence);
}

/* Measures must be positive, and their ratio such that its square stays far from rounding. */
static cairn_status check_measures(const cairn_model *model, int body, cairn_shape_kind kind, const double *measures,
                                   int count, double ratio, const char *not_positive, const char *too_slender)
{
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < count; ++k)
    {
        if (!(isfinite(measures[k]) && measures[k] > 0))
            return crn_shape_complain(model, body, kind, not_positive);
        least = fmin(least, measures[k]);
        most = fmax(most, measures[k]);
    }
    return most <= ratio * least ? CAIRN_OK : crn_shape_complain(model, body, kind, too_slender);
}

/* ------------------------------------------------------------------------------------------------------- vertices */

static cairn_status check_segment(const cairn_model *model, int body, const cairn_shape_options *o)
{
    const double *v = o->vertices;
    return v[0] == v[2] && v[1] == v[3]
               ? crn_shape_complain(model, body, o->kind, "its two vertices are the same point")
               : CAIRN_OK;
}

static cairn_status check_chain(const cairn_model *model, int body, const cairn_shape_options *o)
{
    for (int i = 0; i + 1 < o->vertex_count; ++i)
    {
        const double *v = o->vertices + 2 * i;
        char sentence[96];
        if (v[0] == v[2] && v[1] == v[3])
        {
            snprintf(sentence, sizeof sentence, "its vertices %d and %d are the same point", i + 1, i + 2);
            return crn_shape_complain(model, body, o->kind, sentence);
        }
    }
    return CAIRN_OK;
}

static cairn_status check_polygon(const cairn_model *model, int body, const cairn_shape_options *o)
{
    int i, j;
    char sentence[160];
    if (crn_polygon_is_convex(o->vertices, o->vertex_count))
        return CAIRN_OK;
    if (o->vertex_count > MOST_CONCAVE_VERTICES)
    {
        snprintf(sentence, sizeof sentence, "%d vertices: one that is not convex has at most %d", o->vertex_count,
                 MOST_CONCAVE_VERTICES);
        return crn_shape_complain(model, body, o->kind, sentence);
    }
    if (!crn_polygon_is_crossed(o->vertices, o->vertex_count, &i, &j))
        return CAIRN_OK;
    if (j < 0)
    {
        snprintf(sentence, sizeof sentence,
                 "vertex %d lies on one line with the vertices before and after it, or is one of them", i + 1);
    }
    else
    {
        snprintf(sentence, sizeof sentence, "its sides after vertex %d and after vertex %d meet each other", i + 1,
                 j + 1);
    }
    return crn_shape_complain(model, body, o->kind, sentence);
}

static cairn_status check_hull(const cairn_model *model, int body, const cairn_shape_options *o)
{
    if (!o->vertices || o->vertex_count < 4)
        return crn_shape_complain(model, body, o->kind, "needs four vertices or more");
    if (o->vertex_count > 3 * CRN_MOST_TRIANGLES)
    {
        char sentence[96];
        snprintf(sentence, sizeof sentence, "%d vertices, at most %d are taken", o->vertex_count,
                 3 * CRN_MOST_TRIANGLES);
        return crn_shape_complain(model, body, o->kind, sentence);
    }
    if (!crn_all_finite(o->vertices, 3 * o->vertex_count))
        return crn_shape_complain(model, body, o->kind, "vertices must be finite numbers");
    return crn_points_span(o->vertices, o->vertex_count)
               ? CAIRN_OK
               : crn_shape_complain(model, body, o->kind, "its vertices all lie in one plane, so it has no volume");
}

/* What the triangles are is looked at when they are put together. */
static cairn_status check_mesh(const cairn_model *model, int body, const cairn_shape_options *o)
{
    char sentence[128];
    if (!o->vertices || !o->triangles || o->vertex_count < 3 || o->triangle_count < 1)
        return crn_shape_complain(model, body, o->kind, "needs three vertices and one triangle or more");
    if (o->vertex_count > 3 * CRN_MOST_TRIANGLES || o->triangle_count > CRN_MOST_TRIANGLES)
    {
        snprintf(sentence, sizeof sentence, "%d vertices and %d triangles, at most %d and %d are taken",
                 o->vertex_count, o->triangle_count, 3 * CRN_MOST_TRIANGLES, CRN_MOST_TRIANGLES);
        return crn_shape_complain(model, body, o->kind, sentence);
    }
    return isfinite(o->weld) && o->weld >= 0 ? CAIRN_OK
                                             : crn_shape_complain(model, body, o->kind, "weld: must be 0 or more");
}

static cairn_status check_outline(const cairn_model *model, int body, const cairn_shape_options *o)
{
    bool segment = o->kind == CAIRN_SEGMENT, polygon = o->kind == CAIRN_POLYGON;
    if (!o->vertices || (segment ? o->vertex_count != 2 : o->vertex_count < (polygon ? 3 : 2)))
    {
        return crn_shape_complain(model, body, o->kind,
                                  segment   ? "needs exactly two vertices"
                                  : polygon ? "needs three vertices or more"
                                            : "needs two vertices or more");
    }
    if (!crn_all_finite(o->vertices, 2 * o->vertex_count))
        return crn_shape_complain(model, body, o->kind, "vertices must be finite numbers");
    return (segment ? check_segment : polygon ? check_polygon : check_chain)(model, body, o);
}

/* ------------------------------------------------------------------------------------------------------- measures */

/* What the shape is made of, by kind. */
static cairn_status check_form(const cairn_model *model, int body, const cairn_shape_options *o)
{
    double round[2] = {o->radius, o->kind == CAIRN_CAPSULE ? o->length : o->height};
    switch (o->kind)
    {
    case CAIRN_CIRCLE:
    case CAIRN_SPHERE:
        return isfinite(o->radius) && o->radius > 0
                   ? CAIRN_OK
                   : crn_shape_complain(model, body, o->kind, "radius: must be greater than 0");
    case CAIRN_CAPSULE:
        return check_measures(model, body, o->kind, round, 2, THINNEST, "radius and length: must be greater than 0",
                              "radius and length: one is more than 1e6 times the other");
    case CAIRN_CYLINDER:
    case CAIRN_CONE:
        return check_measures(model, body, o->kind, round, 2, THINNEST, "radius and height: must be greater than 0",
                              "radius and height: one is more than 1e6 times the other");
    case CAIRN_BOX:
        return crn_all_finite(o->size, 3) && o->size[0] > 0 && o->size[1] > 0 && o->size[2] > 0
                   ? CAIRN_OK
                   : crn_shape_complain(model, body, o->kind, "size: its three lengths must be greater than 0");
    case CAIRN_ELLIPSE:
    case CAIRN_ELLIPSOID:
        return check_measures(model, body, o->kind, o->radii, o->kind == CAIRN_ELLIPSE ? 2 : 3, FLATTEST,
                              "radii: its semi-axes must be greater than 0",
                              "radii: the longest is more than 1000 times the shortest");
    case CAIRN_HULL:
        return check_hull(model, body, o);
    case CAIRN_MESH:
        return check_mesh(model, body, o);
    default:
        return crn_shape_has_outline(o->kind) ? check_outline(model, body, o) : CAIRN_OK;
    }
}

cairn_status crn_shape_check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    if ((int)o->kind < 0 || o->kind > CAIRN_HEIGHT_FIELD)
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': unknown shape kind %d", model->bodies[body].name,
                        (int)o->kind);
    }
    if (!is_in(o->kind, model->dimension))
    {
        return crn_shape_complain(model, body, o->kind,
                                  model->dimension == 2 ? "is a shape of space; the model is planar"
                                                        : "is a shape of the plane; the model is spatial");
    }
    bool fixed = crn_shape_is_unbounded(o->kind) || o->kind == CAIRN_HEIGHT_FIELD;
    if (fixed && model->bodies[body].kind == CAIRN_DYNAMIC)
        return crn_shape_complain(model, body, o->kind, "only fixed and driven bodies can have one");
    double normal = crn_norm3(o->normal);
    if (crn_shape_is_unbounded(o->kind) && !(isfinite(normal) && normal > 0))
        return crn_shape_complain(model, body, o->kind, "normal: must not have zero length");
    const double *e = o->orientation;
    double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!crn_all_finite(o->position, 3) || !isfinite(o->angle) ||
        (model->dimension == 3 && !(norm > 1e-12 && isfinite(norm))))
        return crn_shape_complain(model, body, o->kind, "position and orientation must be finite and not degenerate");
    if (!isfinite(o->density) || o->density < 0)
        return crn_shape_complain(model, body, o->kind, "density: must be 0 or more");
    return check_form(model, body, o);
}
