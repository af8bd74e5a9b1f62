/* Distance of two shapes, by the narrow phase: the touch with the least gap. Manifolds prefer faces by a small bias
 * (docs/collision.md, "Tolerances"), so polygons and boxes that are apart are measured by their closest points instead. */
#include "collide/convex/distance.h"

#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"
#include "collide/shapes/box.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

static const double OUTSIDE = 1e-5; /* of the thickness: distance from the surface at which its normal is computed */

static const crn_touch *least(const crn_manifold *room)
{
    const crn_touch *best = NULL;
    for (int i = 0; i < room->count; ++i)
        best = !best || room->touches[i].gap < best->gap ? &room->touches[i] : best;
    return best;
}

/* Two points never touch, but they have a distance. */
static void between_points(const crn_placed *a, const crn_placed *b, int dimension, crn_touch *out)
{
    crn_centre_of(a, out->point_a);
    crn_centre_of(b, out->point_b);
    crn_sub3(out->point_a, out->point_b, out->normal);
    out->gap = crn_norm3(out->normal);
    if (out->gap > 0.0)
        crn_scale3(1.0 / out->gap, out->normal, out->normal);
    else
        crn_any_normal(dimension, out->normal);
}

static bool is_point(const crn_placed *p)
{
    return crn_is_ball(p->kind) && p->radius == 0.0;
}

static bool is_rounded_polygon(const crn_placed *p)
{
    return p->vertex_count > 0 && !crn_is_elliptic(p->kind) && !crn_is_half(p->kind);
}

/* Replace touches that may be off by the bias with the closest points. */
static void refine(const crn_placed *a, const crn_placed *b, crn_manifold *room)
{
    assert(room->count > 0);
    int before = room->count;
    room->count = 0;
    bool better = is_rounded_polygon(a) && is_rounded_polygon(b) && crn_closest_planar(a, b, room);
    if (crn_is_box(a->kind) && crn_is_box(b->kind) && !least(room))
    {
        crn_touch first = room->touches[0];
        crn_box_pair pair;
        crn_box_view(a, b, &pair);
        crn_box_closest(&pair, NULL, room);
        better = room->count > 0;
        room->touches[0] = better ? room->touches[0] : first;
    }
    room->count = better ? room->count : before;
}

/* ---------------------------------------------------------------------------------------------------------- meshes */

/* A point of the world as a shape. */
static crn_placed point_at(const double x[3])
{
    crn_placed p = {.kind = CAIRN_POINT, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(p.centre, x, sizeof p.centre);
    return p;
}

/* The distance of a ball (or point) from a mesh: exact, at any depth. */
static void ball_to_mesh(const crn_placed *a, const crn_placed *b, crn_touch *out)
{
    assert(crn_is_ball(a->kind) && b->mesh);
    double arm[3], x[3];
    crn_sub3(a->centre, b->centre, arm);
    crn_unrotate3(b->R, arm, x);
    crn_mesh_point p = crn_mesh_nearest(b->mesh, b->index, x, INFINITY);
    crn_rotate3(b->R, p.n, out->normal);
    out->gap = p.height - a->radius;
    out->feature = 0;
    crn_madd3(a->centre, -a->radius, out->normal, out->point_a);
    crn_madd3(out->point_a, -out->gap, out->normal, out->point_b);
}

/* Swap the roles of a and b. */
static void turn(crn_touch *touch)
{
    crn_manifold one = {.touches = touch, .capacity = 1, .count = 1};
    crn_manifold_swap(&one);
}

/* A point on a shape: a vertex of a mesh or hull, otherwise the centre. */
static crn_placed own_point(const crn_placed *p)
{
    const double *vertex = crn_is_mesh(p->kind) ? p->mesh->vertices : p->hull ? p->hull->vertices : NULL;
    double x[3] = {0, 0, 0};
    if (vertex)
        crn_rotate3(p->R, vertex, x);
    crn_add3(x, p->centre, x);
    return point_at(x);
}

/* Any bounded shape a and a mesh b. A point of a bounds the distance, and then only what is nearer is searched. Where
 * nothing is nearer, one of the two lies inside the other. A sharp edge that comes out again on the far side gives no
 * depth and counts as 0. */
static void shape_to_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *room, crn_touch *out)
{
    assert(crn_is_mesh(b->kind));
    crn_placed p = own_point(a), q = own_point(b);
    ball_to_mesh(&p, b, out);
    crn_touch inside = *out;
    if (crn_is_ball(a->kind))
    {
        ball_to_mesh(a, b, out);
        return;
    }
    room->limit = fabs(out->gap) + 1e-9 * b->mesh->extent;
    crn_touch_mesh(a, b, room);
    const crn_touch *best = least(room);
    if (best)
        *out = *best;
    if (inside.gap < 0.0 && (!best || best->gap > 0.0))
        *out = inside;
    if (!best && !crn_is_mesh(a->kind) && inside.gap > 0.0)
    {
        crn_distance(&q, a, 3, room, out);
        turn(out);
    }
    if (out->gap > 0.0 && crn_mesh_crosses(a, b, room->work, p.centre))
    {
        out->gap = 0.0;
        memcpy(out->point_a, p.centre, sizeof p.centre);
        memcpy(out->point_b, p.centre, sizeof p.centre);
    }
}

static void mesh_distance(const crn_placed *a, const crn_placed *b, crn_manifold *room, crn_touch *out)
{
    assert(crn_is_mesh(a->kind) || crn_is_mesh(b->kind));
    if (crn_is_mesh(b->kind))
    {
        shape_to_mesh(a, b, room, out);
        return;
    }
    shape_to_mesh(b, a, room, out);
    turn(out);
}

/* Half-spaces and hollow shapes, which have no distance from each other. */
static bool is_wall(const crn_placed *p)
{
    return crn_is_half(p->kind) || crn_is_hollow(p->kind);
}

bool crn_distance(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *room, crn_touch *out)
{
    assert(dimension == 2 || dimension == 3);
    if (is_wall(a) && is_wall(b))
        return false;
    if (is_point(a) && is_point(b))
    {
        between_points(a, b, dimension, out);
        return true;
    }
    room->count = 0;
    room->limit = INFINITY;
    if ((crn_is_mesh(a->kind) || crn_is_mesh(b->kind)) && !is_wall(a) && !is_wall(b))
    {
        mesh_distance(a, b, room, out);
        return true;
    }
    crn_touch_any(a, b, dimension, room);
    if (room->count > 0 && least(room)->gap > 0.0)
        refine(a, b, room);
    const crn_touch *best = least(room);
    if (best)
        *out = *best;
    return best;
}

/* ------------------------------------------------------------------------------------------------------ normals */

static void normal_mesh(const crn_placed *p, const double x[3], double out[3])
{
    assert(p->mesh && p->index);
    double y[3];
    crn_into_shape(p, x, NULL, y, NULL);
    crn_mesh_point at = crn_mesh_nearest(p->mesh, p->index, y, INFINITY);
    crn_rotate3(p->R, p->mesh->normals + 3 * at.triangle, out);
}

/* The direction from the shape to a point slightly outside x, against the ray: there the nearest point is unique. */
static void normal_smooth(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    assert(crn_is_unit3(d));
    double outside[3];
    crn_nearest nearest;
    crn_madd3(x, -OUTSIDE * crn_thickness(p), d, outside);
    crn_placed from = point_at(outside);
    crn_pair_view v = crn_view_pair(&from, p);
    crn_nearest_points(&v, INFINITY, &nearest);
    memcpy(out, nearest.n, sizeof nearest.n);
}

void crn_surface_normal(const crn_placed *shape, const double x[3], const double d[3], double out[3])
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    if (class->normal)
        class->normal(shape, x, d, out);
    else if (class->rank == CRN_RANK_MESH)
        normal_mesh(shape, x, out);
    else
        normal_smooth(shape, x, d, out);
}
