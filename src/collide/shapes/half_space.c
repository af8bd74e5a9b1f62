/* All shapes against a half-plane or half-space { x : n (x - p) <= 0 }.
 *
 * The distance of a point from it is linear, so each vertex of a shape within the margin is a contact of its own, named
 * after the vertex: gap = n (x - p) - radius, and the normal is always n. A cylinder or cone has the lowest point of each
 * rim, which is exact however it rolls, and where a cap faces the boundary also the eight points that represent the cap
 * (model/shape/kinds/turned.c). A cone has its tip, a capsule its two ends, and any other smooth shape its lowest point.
 */
#include "collide/narrow.h"

#include "collide/convex/convex.h"
#include "collide/shapes/box.h"
#include "math/vec.h"

#include <assert.h>

static const double FLAT = 1e-9; /* sine of the tilt below which a cap lies flat */

static void touch_vertex(const crn_placed *a, const crn_placed *b, const double vertex[3], unsigned feature,
                         crn_manifold *out)
{
    assert(crn_is_unit3(b->normal));
    double arm[3], point_a[3];
    crn_sub3(vertex, b->centre, arm);
    double gap = crn_dot3(b->normal, arm) - a->radius;
    crn_madd3(vertex, -a->radius, b->normal, point_a);
    crn_manifold_add(out, gap, b->normal, point_a, feature);
}

void crn_touch_half_plane(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_half(b->kind));
    for (int i = 0; i < a->vertex_count; ++i)
    {
        double vertex[3] = {a->vertices[2 * i], a->vertices[2 * i + 1], 0.0};
        touch_vertex(a, b, vertex, (unsigned)i, out);
    }
}

void crn_touch_half_space_sphere(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_half(b->kind));
    touch_vertex(a, b, a->centre, 0, out);
}

void crn_touch_half_space_box(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_box(a->kind) && crn_is_half(b->kind));
    double arm[3], m[3], scale = 0.0;
    crn_sub3(a->centre, b->centre, arm);
    crn_unrotate3(a->R, b->normal, m);
    for (int k = 0; k < 3; ++k)
    {
        m[k] *= a->half[k];
        scale += a->half[k] + fabs(a->centre[k]) + fabs(b->centre[k]);
    }
    /* corners higher than this are not within the limit, however their heights are rounded */
    double most = out->limit + 1e-12 * scale - crn_dot3(b->normal, arm);
    for (int corner = 0; corner < 8; ++corner)
    {
        double vertex[3];
        if ((corner & 1 ? m[0] : -m[0]) + (corner & 2 ? m[1] : -m[1]) + (corner & 4 ? m[2] : -m[2]) > most)
            continue;
        crn_box_corner(a, corner, vertex);
        touch_vertex(a, b, vertex, (unsigned)corner, out);
    }
}

/* A corner of a core, relative to its centre. */
static void touch_corner(const crn_placed *a, const crn_placed *b, const double x[3], int name, crn_manifold *out)
{
    assert(name >= 0);
    double vertex[3];
    crn_add3(a->centre, x, vertex);
    touch_vertex(a, b, vertex, (unsigned)name, out);
}

static void touch_hull(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(a->hull);
    for (int i = 0; i < a->hull->vertex_count; ++i)
    {
        double x[3];
        crn_rotate3(a->R, a->hull->vertices + 3 * i, x);
        touch_corner(a, b, x, i, out);
    }
}

/* The lowest point of the rim at height z, unless the cap lies flat and all points are lowest. */
static void touch_rim(const crn_placed *a, const crn_placed *b, const double m[3], double z, int name,
                      crn_manifold *out)
{
    double across = hypot(m[0], m[1]), x[3];
    if (across > FLAT)
    {
        crn_rotate3(a->R, (double[3]){a->half[0] * m[0] / across, a->half[0] * m[1] / across, z}, x);
        touch_corner(a, b, x, name, out);
    }
}

static void touch_turned(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_turned(a->kind));
    double down[3], m[3], h = a->half[2];
    bool cone = crn_shape_has(a->kind, CRN_SHAPE_POINTED);
    crn_face face;
    crn_scale3(-1.0, b->normal, down);
    crn_unrotate3(a->R, down, m);
    crn_core_face(a, down, &face);
    for (int i = 0; i < face.count && face.count > 2; ++i)
        touch_corner(a, b, face.corner[i].x, face.corner[i].name, out);
    touch_rim(a, b, m, cone ? -0.5 * h : -h, cone ? CRN_RIM + 1 : 2 * CRN_RIM, out);
    if (cone)
    {
        double tip[3];
        crn_rotate3(a->R, (double[3]){0, 0, 1.5 * h}, tip);
        touch_corner(a, b, tip, CRN_RIM, out);
    }
    else
    {
        touch_rim(a, b, m, h, 2 * CRN_RIM + 1, out);
    }
}

/* The two ends of a capsule, or the lowest point of a smooth shape. */
static void touch_shown(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    crn_face face;
    double down[3];
    crn_scale3(-1.0, b->normal, down);
    crn_core_face(a, down, &face);
    for (int i = 0; i < face.count; ++i)
        touch_corner(a, b, face.corner[i].x, face.corner[i].name == CRN_CURVED ? 0 : face.corner[i].name, out);
}

void crn_touch_half_space_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_half(b->kind));
    switch (crn_class_of(a->kind)->core)
    {
    case CRN_CORE_HULL:
        touch_hull(a, b, out);
        break;
    case CRN_CORE_TURNED:
        touch_turned(a, b, out);
        break;
    default:
        touch_shown(a, b, out);
        break;
    }
}
