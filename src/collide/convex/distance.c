/* Distance of two shapes, by the narrow phase: the touch with the least gap. Manifolds prefer faces by a small bias
 * (docs/collision.md, "Tolerances"), so polygons and boxes that are apart are measured by their closest points instead. */
#include "collide/convex/distance.h"

#include "collide/mesh/mesh.h"
#include "collide/shapes/box.h"
#include "math/vec.h"

#include <string.h>

static const crn_touch *least(const crn_manifold *room)
{
    const crn_touch *best = NULL;
    for (int i = 0; i < room->count; ++i)
        best = !best || room->touches[i].gap < best->gap ? &room->touches[i] : best;
    return best;
}

static void centre_of(const crn_placed *p, double out[3])
{
    bool planar = p->vertex_count > 0;
    memcpy(out, planar ? (double[3]){p->vertices[0], p->vertices[1], 0.0} : p->centre, 3 * sizeof(double));
}

/* Two points never touch, but they have a distance. */
static void between_points(const crn_placed *a, const crn_placed *b, int dimension, crn_touch *out)
{
    centre_of(a, out->point_a);
    centre_of(b, out->point_b);
    crn_sub3(out->point_a, out->point_b, out->normal);
    out->gap = crn_norm3(out->normal);
    if (out->gap > 0.0)
        crn_scale3(1.0 / out->gap, out->normal, out->normal);
    else
        crn_any_normal(dimension, out->normal);
}

static bool is_rounded_polygon(const crn_placed *p)
{
    return p->vertex_count > 0 && !crn_is_elliptic(p->kind) && !crn_is_half(p->kind);
}

/* Where the touches found may be off by the bias, the closest points. */
static void refine(const crn_placed *a, const crn_placed *b, crn_manifold *room)
{
    int before = room->count;
    room->count = 0;
    bool better = is_rounded_polygon(a) && is_rounded_polygon(b) && crn_closest_planar(a, b, room);
    if (a->kind == CAIRN_BOX && b->kind == CAIRN_BOX && !least(room))
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

/* How far a ball (or a point) is from a mesh, exactly and however deep. */
static void ball_to_mesh(const crn_placed *a, const crn_placed *b, crn_touch *out)
{
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

/* Turn a touch round. */
static void turn(crn_touch *touch)
{
    crn_manifold one = {.touches = touch, .capacity = 1, .count = 1};
    crn_manifold_swap(&one);
}

/* A point of a shape's own: a vertex of a mesh or hull, the centre of another. */
static crn_placed own_point(const crn_placed *p)
{
    const double *vertex = crn_is_mesh(p->kind) ? p->mesh->vertices : p->hull ? p->hull->vertices : NULL;
    double x[3] = {0, 0, 0};
    if (vertex)
        crn_rotate3(p->R, vertex, x);
    crn_add3(x, p->centre, x);
    return point_at(x);
}

/* Any bounded shape a and a mesh b. A point of a bounds the distance; then only what is nearer is looked at. Where nothing is, one
 * of the two is inside the other. A sharp edge that has come out again on the far side tells no depth, and counts as 0. */
static void shape_to_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *room, crn_touch *out)
{
    crn_placed p = own_point(a), q = own_point(b);
    ball_to_mesh(&p, b, out);
    crn_touch inside = *out;
    if (a->kind == CAIRN_POINT || a->kind == CAIRN_SPHERE)
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
    if (crn_is_mesh(b->kind))
    {
        shape_to_mesh(a, b, room, out);
        return;
    }
    shape_to_mesh(b, a, room, out);
    turn(out);
}

bool crn_distance(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *room, crn_touch *out)
{
    if (crn_is_half(a->kind) && crn_is_half(b->kind))
        return false;
    if (a->kind == CAIRN_POINT && b->kind == CAIRN_POINT)
    {
        between_points(a, b, dimension, out);
        return true;
    }
    room->count = 0;
    room->limit = INFINITY;
    if ((crn_is_mesh(a->kind) || crn_is_mesh(b->kind)) && !crn_is_half(a->kind) && !crn_is_half(b->kind))
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

static void normal_polygon(const crn_placed *p, const double x[3], double out[3])
{
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

static void normal_box(const crn_placed *p, const double x[3], double out[3])
{
    double arm[3], local[3], axis[3];
    crn_sub3(x, p->centre, arm);
    crn_unrotate3(p->R, arm, local);
    int best = 0;
    for (int k = 1; k < 3; ++k)
        best = fabs(local[k]) - p->half[k] > fabs(local[best]) - p->half[best] ? k : best;
    crn_box_axis_of(p, best, axis);
    crn_scale3(local[best] < 0.0 ? -1.0 : 1.0, axis, out);
}

static void normal_ellipsoid(const crn_placed *p, const double x[3], double out[3])
{
    double arm[3], local[3];
    crn_sub3(x, p->centre, arm);
    crn_unrotate3(p->R, arm, local);
    for (int k = 0; k < 3; ++k)
        local[k] = p->half[k] > 0.0 ? local[k] / (p->half[k] * p->half[k]) : 0.0;
    crn_scale3(1.0 / crn_norm3(local), local, local);
    crn_rotate3(p->R, local, out);
}

static void normal_ball(const crn_placed *p, const double x[3], const double d[3], double out[3])
{
    double centre[3];
    centre_of(p, centre);
    crn_sub3(x, centre, out);
    double length = crn_norm3(out);
    crn_scale3(length > 0.0 ? 1.0 / length : 0.0, out, out);
    if (!(length > 0.0))
        crn_scale3(-1.0, d, out); /* a point, met head-on */
}

/* From the nearest point of the axis. */
static void normal_capsule(const crn_placed *p, const double x[3], double out[3])
{
    double centre[3] = {p->centre[0], p->centre[1], p->centre[2]}, u[3] = {p->R[2], p->R[5], p->R[8]};
    double half = p->half[2], arm[3];
    if (p->vertex_count == 2)
    {
        const double *v = p->vertices;
        half = 0.5 * hypot(v[2] - v[0], v[3] - v[1]);
        memcpy(centre, (double[3]){0.5 * (v[0] + v[2]), 0.5 * (v[1] + v[3]), 0.0}, sizeof centre);
        memcpy(u, (double[3]){0.5 * (v[2] - v[0]) / half, 0.5 * (v[3] - v[1]) / half, 0.0}, sizeof u);
    }
    crn_sub3(x, centre, arm);
    crn_madd3(arm, -fmin(fmax(crn_dot3(arm, u), -half), half), u, out);
    crn_scale3(1.0 / crn_norm3(out), out, out);
}

/* Of the cap or the side of a cylinder or cone, whichever the point is farther out of. */
static void normal_turned(const crn_placed *p, const double x[3], double out[3])
{
    double arm[3], y[3], r = p->half[0], h = p->half[2];
    crn_sub3(x, p->centre, arm);
    crn_unrotate3(p->R, arm, y);
    bool cone = p->kind == CAIRN_CONE;
    double across = hypot(y[0], y[1]), slant = cone ? hypot(2.0 * h, r) : 1.0;
    double level = cone ? 2.0 * h / slant : 1.0, rise = cone ? r / slant : 0.0; /* the side's normal */
    double side = cone ? (across - r * (1.5 * h - y[2]) / (2.0 * h)) * level : across - r;
    double cap = cone ? -0.5 * h - y[2] : fabs(y[2]) - h;
    double local[3] = {0.0, 0.0, cone || y[2] < 0.0 ? -1.0 : 1.0};
    if (side > cap)
    {
        local[0] = across > 0.0 ? level * y[0] / across : level;
        local[1] = across > 0.0 ? level * y[1] / across : 0.0;
        local[2] = rise;
    }
    crn_rotate3(p->R, local, out);
}

static void normal_hull(const crn_placed *p, const double x[3], double out[3])
{
    const crn_hull *hull = p->hull;
    double arm[3], y[3], highest = -INFINITY;
    crn_sub3(x, p->centre, arm);
    crn_unrotate3(p->R, arm, y);
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

static void normal_mesh(const crn_placed *p, const double x[3], double out[3])
{
    double arm[3], y[3];
    crn_sub3(x, p->centre, arm);
    crn_unrotate3(p->R, arm, y);
    crn_mesh_point at = crn_mesh_nearest(p->mesh, p->index, y, INFINITY);
    crn_rotate3(p->R, p->mesh->normals + 3 * at.triangle, out);
}

void crn_surface_normal(const crn_placed *shape, const double x[3], const double d[3], double out[3])
{
    switch (shape->kind)
    {
    case CAIRN_HALF_PLANE:
    case CAIRN_HALF_SPACE:
        memcpy(out, shape->normal, sizeof shape->normal);
        return;
    case CAIRN_BOX:
        normal_box(shape, x, out);
        return;
    case CAIRN_SEGMENT:
    case CAIRN_POLYGON:
        normal_polygon(shape, x, out);
        crn_scale3(shape->kind == CAIRN_SEGMENT && crn_dot3(out, d) > 0.0 ? -1.0 : 1.0, out, out);
        return;
    case CAIRN_ELLIPSE:
    case CAIRN_ELLIPSOID:
        normal_ellipsoid(shape, x, out);
        return;
    case CAIRN_CAPSULE:
        normal_capsule(shape, x, out);
        return;
    case CAIRN_CYLINDER:
    case CAIRN_CONE:
        normal_turned(shape, x, out);
        return;
    case CAIRN_HULL:
        normal_hull(shape, x, out);
        return;
    case CAIRN_MESH:
    case CAIRN_HEIGHT_FIELD:
        normal_mesh(shape, x, out);
        return;
    default:
        normal_ball(shape, x, d, out);
        return;
    }
}
