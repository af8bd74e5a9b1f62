/* Segment, polygon and chain: shapes of the plane whose vertices are listed. A chain becomes one segment per side, and a polygon
 * that is not convex becomes convex pieces (compound_shape.c). */
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_CONCAVE_VERTICES = 1 << 12
};

static cairn_status check_vertices(const cairn_model *model, int body, const cairn_shape_options *o, bool enough,
                                   const char *too_few)
{
    if (!o->vertices || !enough)
        return crn_shape_complain(model, body, o->kind, "%s", too_few);
    return crn_all_finite(o->vertices, 2 * o->vertex_count)
               ? CAIRN_OK
               : crn_shape_complain(model, body, o->kind, "vertices must be finite numbers");
}

static bool is_same(const double *v, const double *w)
{
    return v[0] == w[0] && v[1] == w[1];
}

static cairn_status check_segment(const cairn_model *model, int body, const cairn_shape_options *o)
{
    cairn_status status = check_vertices(model, body, o, o->vertex_count == 2, "needs exactly two vertices");
    return !status && is_same(o->vertices, o->vertices + 2)
               ? crn_shape_complain(model, body, o->kind, "its two vertices are the same point")
               : status;
}

static cairn_status check_chain(const cairn_model *model, int body, const cairn_shape_options *o)
{
    cairn_status status = check_vertices(model, body, o, o->vertex_count >= 2, "needs two vertices or more");
    for (int i = 0; !status && i + 1 < o->vertex_count; ++i)
        if (is_same(o->vertices + 2 * i, o->vertices + 2 * i + 2))
            return crn_shape_complain(model, body, o->kind, "its vertices %d and %d are the same point", i + 1, i + 2);
    return status;
}

static cairn_status check_polygon(const cairn_model *model, int body, const cairn_shape_options *o)
{
    int i, j;
    cairn_status status = check_vertices(model, body, o, o->vertex_count >= 3, "needs three vertices or more");
    if (status || crn_polygon_is_convex(o->vertices, o->vertex_count))
        return status;
    if (o->vertex_count > MOST_CONCAVE_VERTICES)
        return crn_shape_complain(model, body, o->kind, "%d vertices: one that is not convex has at most %d",
                                  o->vertex_count, MOST_CONCAVE_VERTICES);
    if (!crn_polygon_is_crossed(o->vertices, o->vertex_count, &i, &j))
        return CAIRN_OK;
    if (j < 0)
        return crn_shape_complain(model, body, o->kind,
                                  "vertex %d lies on one line with the vertices before and after it, or is one of them",
                                  i + 1);
    return crn_shape_complain(model, body, o->kind, "its sides after vertex %d and after vertex %d meet each other",
                              i + 1, j + 1);
}

static void mass_of_segment(const crn_shape *shape, double density, crn_planar_mass *out)
{
    assert(shape->form->vertex_count == 2);
    const double *v = shape->form->vertices;
    double length = hypot(v[2] - v[0], v[3] - v[1]);
    out->mass = density * length;
    out->polar = out->mass * length * length / 12;
    out->centre[0] = (v[0] + v[2]) / 2;
    out->centre[1] = (v[1] + v[3]) / 2;
}

/* Area, centroid and polar moment about the centroid, by triangles from the origin. */
static void mass_of_polygon(const crn_shape *shape, double density, crn_planar_mass *out)
{
    assert(shape->form->vertex_count >= 3);
    double a = 0, x = 0, y = 0, about_origin = 0;
    for (int i = 0; i < shape->form->vertex_count; ++i)
    {
        const double *p = shape->form->vertices + 2 * i;
        const double *q = shape->form->vertices + 2 * ((i + 1) % shape->form->vertex_count);
        double cross = p[0] * q[1] - q[0] * p[1];
        a += cross / 2;
        x += cross * (p[0] + q[0]) / 6;
        y += cross * (p[1] + q[1]) / 6;
        double squares = p[0] * p[0] + p[0] * q[0] + q[0] * q[0] + p[1] * p[1] + p[1] * q[1] + q[1] * q[1];
        about_origin += cross * squares / 12;
    }
    double *c = out->centre;
    c[0] = x / a;
    c[1] = y / a;
    out->mass = density * a;
    out->polar = (about_origin - a * (c[0] * c[0] + c[1] * c[1])) * density;
}

/* A segment is met in one point. */
static bool span_segment(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    assert(p->vertex_count == 2);
    const double *v = p->vertices;
    double along[2] = {v[2] - v[0], v[3] - v[1]}, arm[2] = {v[0] - x[0], v[1] - x[1]};
    double area = n[0] * along[1] - n[1] * along[0];
    if (area == 0)
        return false;
    double share = (arm[0] * n[1] - arm[1] * n[0]) / area; /* arm + share along is a multiple of n */
    *low = *high = (arm[0] + share * along[0]) * n[0] + (arm[1] + share * along[1]) * n[1];
    return share >= 0 && share <= 1;
}

static bool span_polygon(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    assert(p->vertex_count >= 3);
    bool met = true;
    for (int i = 0; i < p->vertex_count && met; ++i)
    {
        const double *v = p->vertices + 2 * i, *w = p->vertices + 2 * ((i + 1) % p->vertex_count);
        double corner[3] = {v[0], v[1], 0.0}, outward[3] = {w[1] - v[1], v[0] - w[0], 0.0};
        met = crn_span_cut(x, n, corner, outward, crn_norm3(outward), low, high);
    }
    return met;
}

/* The normal of the side that the point is furthest outside of. */
static void normal_polygon(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    double highest = -INFINITY;
    for (int i = 0; i < p->vertex_count; ++i)
    {
        const double *from = p->vertices + 2 * i, *to = p->vertices + 2 * ((i + 1) % p->vertex_count);
        double length = hypot(to[0] - from[0], to[1] - from[1]);
        double n[3] = {(to[1] - from[1]) / length, (from[0] - to[0]) / length, 0.0};
        double height = n[0] * (x[0] - from[0]) + n[1] * (x[1] - from[1]);
        if (height > highest)
        {
            highest = height;
            memcpy(out, n, sizeof n);
        }
    }
}

/* The normal that faces against the ray. */
static void normal_segment(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    assert(p->vertex_count == 2);
    normal_polygon(p, x, d, out);
    crn_scale3(crn_dot3(out, d) > 0.0 ? -1.0 : 1.0, out, out);
}

const crn_shape_class crn_class_segment = {
    .name = "segment",
    .dimension = 2,
    .takes = CRN_TAKES_VERTICES | CRN_TAKES_LENGTH | CRN_TAKES_DENSITY,
    .flags = CRN_SHAPE_OUTLINE | CRN_SHAPE_THIN,
    .rank = CRN_RANK_BALL,
    .look = CAIRN_LOOK_LINE,
    .check = check_segment,
    .area = mass_of_segment,
    .span = span_segment,
    .normal = normal_segment,
};

const crn_shape_class crn_class_polygon = {
    .name = "polygon",
    .dimension = 2,
    .takes = CRN_TAKES_VERTICES | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_VERTICES,
    .least_vertices = 3,
    .flags = CRN_SHAPE_OUTLINE,
    .rank = CRN_RANK_BALL,
    .look = CAIRN_LOOK_POLYGON,
    .check = check_polygon,
    .area = mass_of_polygon,
    .span = span_polygon,
    .normal = normal_polygon,
};

const crn_shape_class crn_class_chain = {
    .name = "chain",
    .dimension = 2,
    .takes = CRN_TAKES_VERTICES | CRN_TAKES_DENSITY,
    .needs = CRN_TAKES_VERTICES,
    .least_vertices = 2,
    .flags = CRN_SHAPE_OUTLINE | CRN_SHAPE_CHAINED,
    .rank = CRN_RANK_BALL,
    .look = CAIRN_LOOK_LINE,
    .check = check_chain,
};
