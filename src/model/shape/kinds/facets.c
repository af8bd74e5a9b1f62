/* Hull, mesh and height field: shapes of space made of flat faces. */
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/mesh.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

static cairn_status check_hull(const cairn_model *model, int body, const cairn_shape_options *o)
{
    if (!o->vertices || o->vertex_count < 4)
        return crn_shape_complain(model, body, o->kind, "needs four vertices or more");
    if (o->vertex_count > 3 * CRN_MOST_TRIANGLES)
        return crn_shape_complain(model, body, o->kind, "%d vertices, at most %d are taken", o->vertex_count,
                                  3 * CRN_MOST_TRIANGLES);
    if (!crn_all_finite(o->vertices, 3 * o->vertex_count))
        return crn_shape_complain(model, body, o->kind, "vertices must be finite numbers");
    return crn_points_span(o->vertices, o->vertex_count)
               ? CAIRN_OK
               : crn_shape_complain(model, body, o->kind, "its vertices all lie in one plane, so it has no volume");
}

/* The triangles themselves are checked when the mesh is made. */
static cairn_status check_mesh(const cairn_model *model, int body, const cairn_shape_options *o)
{
    if (!o->vertices || !o->triangles || o->vertex_count < 3 || o->triangle_count < 1)
        return crn_shape_complain(model, body, o->kind, "needs three vertices and one triangle or more");
    if (o->vertex_count > 3 * CRN_MOST_TRIANGLES || o->triangle_count > CRN_MOST_TRIANGLES)
        return crn_shape_complain(model, body, o->kind, "%d vertices and %d triangles, at most %d and %d are taken",
                                  o->vertex_count, o->triangle_count, 3 * CRN_MOST_TRIANGLES, CRN_MOST_TRIANGLES);
    return isfinite(o->weld) && o->weld >= 0 ? CAIRN_OK
                                             : crn_shape_complain(model, body, o->kind, "weld: must be 0 or more");
}

static int support(const crn_placed *p, const double m[3], double x[3])
{
    assert(p->hull);
    int corner = crn_hull_support(p->hull, m);
    memcpy(x, p->hull->vertices + 3 * corner, 3 * sizeof(double));
    return corner;
}

/* Among the faces at a corner, the one that faces m most. */
static int facing(const crn_hull *hull, const double m[3], int corner)
{
    assert(corner >= 0 && corner < hull->vertex_count);
    int best = -1;
    double most = -INFINITY;
    for (int k = hull->corner_begin[corner]; k < hull->corner_begin[corner + 1]; ++k)
    {
        double along = crn_dot3(hull->normals + 3 * hull->corner_faces[k], m);
        if (along > most)
        {
            most = along;
            best = hull->corner_faces[k];
        }
    }
    return best;
}

static void face(const crn_placed *p, const double m[3], crn_face *out)
{
    const crn_hull *hull = p->hull;
    double x[3];
    int top = support(p, m, x), f = facing(hull, m, top);
    if (f < 0)
    {
        crn_face_add(out, p, x[0], x[1], x[2], top);
        return;
    }
    int begin = hull->face_begin[f], count = hull->face_begin[f + 1] - begin;
    int stride = (count + CRN_FACE_ROOM - 1) / CRN_FACE_ROOM;
    for (int k = 0; k < count; k += stride)
    {
        int corner = hull->face_vertices[begin + k];
        const double *at = hull->vertices + 3 * corner;
        crn_face_add(out, p, at[0], at[1], at[2], corner);
    }
    crn_rotate3(p->R, hull->normals + 3 * f, out->n);
}

static bool span(const crn_placed *p, const double x[3], const double n[3], double *low, double *high)
{
    const crn_hull *hull = p->hull;
    bool met = true;
    for (int f = 0; f < hull->face_count && met; ++f)
    {
        double corner[3], outward[3];
        crn_rotate3(p->R, hull->vertices + 3 * hull->face_vertices[hull->face_begin[f]], corner);
        crn_add3(corner, p->centre, corner);
        crn_rotate3(p->R, hull->normals + 3 * f, outward);
        met = crn_span_cut(x, n, corner, outward, hull->extent, low, high);
    }
    return met;
}

/* The normal of the face that the point is furthest outside of. */
static void normal(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    (void)d;
    const crn_hull *hull = p->hull;
    double y[3], highest = -INFINITY;
    crn_into_shape(p, x, NULL, y, NULL);
    for (int f = 0; f < hull->face_count; ++f)
    {
        const double *n = hull->normals + 3 * f;
        double height = crn_dot3(n, y) - crn_dot3(n, hull->vertices + 3 * hull->face_vertices[hull->face_begin[f]]);
        if (height > highest)
        {
            highest = height;
            crn_rotate3(p->R, n, out);
        }
    }
}

const crn_shape_class crn_class_hull = {
    .name = "hull",
    .dimension = 3,
    .takes = CRN_TAKES_VERTICES | CRN_TAKES_FILE | CRN_TAKES_RECENTRE | CRN_TAKES_DENSITY,
    .least_vertices = 4,
    .rank = CRN_RANK_CONVEX,
    .core = CRN_CORE_HULL,
    .look = CAIRN_LOOK_FACES,
    .check = check_hull,
    .support = support,
    .face = face,
    .span = span,
    .normal = normal,
};

/* Spans and normals of meshes need their trees: collide/query/line_span.c. */
const crn_shape_class crn_class_mesh = {
    .name = "mesh",
    .dimension = 3,
    .takes = CRN_TAKES_VERTICES | CRN_TAKES_TRIANGLES | CRN_TAKES_FILE | CRN_TAKES_WELD | CRN_TAKES_RECENTRE |
             CRN_TAKES_DENSITY,
    .least_vertices = 3,
    .rank = CRN_RANK_MESH,
    .look = CAIRN_LOOK_FACES,
    .check = check_mesh,
};

const crn_shape_class crn_class_height_field = {
    .name = "height-field",
    .dimension = 3,
    .takes = CRN_TAKES_FILE | CRN_TAKES_HEIGHTS | CRN_TAKES_SPACING,
    .needs = CRN_TAKES_SPACING,
    .flags = CRN_SHAPE_IMMOVABLE | CRN_SHAPE_GROUND,
    .rank = CRN_RANK_MESH,
    .look = CAIRN_LOOK_FACES,
};
