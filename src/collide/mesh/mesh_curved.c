/* Cylinders, cones and ellipsoids against a mesh. Over a face they touch by the points that would touch its plane, those
 * of them that lie over the triangle. Along a ridge they touch as two convex shapes do (convex_pair.c), the ridge being a
 * line without thickness. */
#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"

#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    ROOM = 24
};

static const double LOWEST = 0.1; /* of the thickness */
static const double TILT = 0.02;  /* sine by which the normal may leave the cone of a ridge */

/* Bounds of the shape in the mesh's frame, grown by the reach. */
static crn_bounds bounds_of(const crn_pass *pass)
{
    crn_bounds box;
    for (int k = 0; k < 6; ++k)
    {
        double sign = k % 2 ? 1.0 : -1.0, local[3] = {0, 0, 0}, n[3], x[3];
        crn_corner top;
        local[k / 2] = sign;
        crn_rotate3(pass->to->R, local, n);
        crn_core_support(pass->from, n, &top);
        crn_unrotate3(pass->to->R, top.x, x);
        (k % 2 ? box.upper : box.lower)[k / 2] = pass->t[k / 2] + x[k / 2] + sign * pass->limit;
    }
    return box;
}

static void to_mesh(const crn_pass *pass, const double world[3], double out[3])
{
    double arm[3];
    crn_sub3(world, pass->to->centre, arm);
    crn_unrotate3(pass->to->R, arm, out);
}

static bool is_over(const crn_pass *pass, int t, const double x[3])
{
    assert(t >= 0 && t < pass->target.mesh->triangle_count);
    const crn_mesh *mesh = pass->target.mesh;
    for (int k = 0; k < 3; ++k)
    {
        const double *from = mesh->vertices + 3 * mesh->triangles[3 * t + k];
        const double *to = mesh->vertices + 3 * mesh->triangles[3 * t + (k + 1) % 3];
        double along[3], out[3], arm[3];
        crn_sub3(to, from, along);
        crn_cross3(along, mesh->normals + 3 * t, out);
        crn_sub3(x, from, arm);
        if (crn_dot3(out, arm) > pass->slop * crn_norm3(along))
            return false;
    }
    return true;
}

/* The touches with the plane of a triangle. */
static crn_manifold touch_plane(const crn_pass *pass, int t, crn_touch room[ROOM])
{
    assert(t >= 0 && t < pass->target.mesh->triangle_count);
    const crn_mesh *mesh = pass->target.mesh;
    crn_placed plane = {.kind = CAIRN_HALF_SPACE};
    crn_manifold found = {.touches = room, .capacity = ROOM, .limit = pass->limit};
    crn_rotate3(pass->to->R, mesh->normals + 3 * t, plane.normal);
    crn_rotate3(pass->to->R, mesh->vertices + 3 * mesh->triangles[3 * t], plane.centre);
    crn_add3(plane.centre, pass->to->centre, plane.centre);
    crn_touch_ordered(pass->from, &plane, 3, &found);
    return found;
}

/* Whether the shape's point x, at `depth` below a face, is nearer to another part of the surface that could push it out,
 * or lies outside the solid. A part of the surface can push the shape along n where x is about its lowest point. */
static bool is_elsewhere(const crn_pass *pass, const double x[3], double depth)
{
    assert(depth >= 0.0);
    crn_mesh_point p = crn_mesh_nearest(pass->target.mesh, pass->target.index, x, (1.0 - 1e-6) * depth);
    if (p.triangle < 0 || p.height >= 0.0)
        return p.triangle >= 0 && p.height > pass->slop;
    double down[3], lowest[3], arm[3];
    crn_corner low;
    crn_rotate3(pass->to->R, p.n, down);
    crn_scale3(-1.0, down, down);
    crn_core_support(pass->from, down, &low);
    crn_unrotate3(pass->to->R, low.x, lowest);
    crn_add3(lowest, pass->t, lowest);
    crn_sub3(x, lowest, arm);
    return crn_dot3(arm, p.n) <= LOWEST * crn_thickness(pass->from);
}

static void touch_face(const crn_pass *pass, int t, double depth)
{
    assert(depth >= 0.0);
    crn_touch room[ROOM];
    crn_manifold found = touch_plane(pass, t, room);
    int region = pass->work->plain ? t : pass->target.index->region[t];
    for (int i = 0; i < found.count; ++i)
    {
        double x[3];
        to_mesh(pass, room[i].point_a, x);
        if (room[i].gap >= -depth && is_over(pass, t, x) &&
            (room[i].gap >= -pass->slop || !is_elsewhere(pass, x, -room[i].gap)))
        {
            int feature = (int)(room[i].feature & 0xffff);
            crn_pass_add(pass, CRN_CURVED_FACE, feature, region, room[i].gap, pass->target.mesh->normals + 3 * t, x);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- ridges */

static void place_ridge(const crn_pass *pass, const crn_ridge *ridge, crn_placed *out)
{
    assert(ridge->v[0] != ridge->v[1]);
    const double *from = pass->target.vertices + 3 * ridge->v[0], *to = pass->target.vertices + 3 * ridge->v[1];
    double along[3], middle[3], u[3], t[2][3];
    *out = (crn_placed){.kind = CAIRN_CAPSULE};
    crn_sub3(to, from, along);
    crn_madd3(from, 0.5, along, middle);
    out->half[2] = 0.5 * crn_norm3(along);
    crn_rotate3(pass->to->R, middle, out->centre);
    crn_add3(out->centre, pass->to->centre, out->centre);
    crn_rotate3(pass->to->R, along, u);
    crn_scale3(0.5 / out->half[2], u, u);
    crn_tangents(u, t[0], t[1]);
    for (int k = 0; k < 3; ++k)
    {
        out->R[3 * k] = t[0][k];
        out->R[3 * k + 1] = t[1][k];
        out->R[3 * k + 2] = u[k];
    }
}

/* The end of a ridge that the point y lies at; -1: none. */
static int end_of(const crn_pass *pass, const crn_ridge *ridge, const double y[3])
{
    for (int k = 0; k < 2; ++k)
    {
        double arm[3];
        crn_sub3(y, pass->target.vertices + 3 * ridge->v[k], arm);
        if (crn_norm3(arm) <= 10.0 * pass->slop)
            return ridge->v[k];
    }
    return -1;
}

static bool may_push(const crn_pass *pass, int r, const crn_ridge *ridge, const double y[3], const double n[3])
{
    assert(r >= 0 && r < pass->target.index->ridge_count);
    double inward[2][3];
    int v = end_of(pass, ridge, y);
    crn_ridge_inward(&pass->target, r, inward);
    return crn_dot3(n, inward[0]) <= TILT && crn_dot3(n, inward[1]) <= TILT &&
           (v < 0 || pass->target.index->vertex_ridge[v] < 0 || crn_vertex_faces(&pass->target, v, n));
}

static void touch_ridge(const crn_pass *pass, int r, double depth)
{
    assert(r >= 0 && r < pass->target.index->ridge_count);
    const crn_ridge ridge = crn_ridge_at(&pass->target, r);
    crn_placed line;
    crn_touch room[ROOM];
    crn_manifold found = {.touches = room, .capacity = ROOM, .limit = pass->limit};
    place_ridge(pass, &ridge, &line);
    crn_touch_convex(pass->from, &line, &found);
    for (int i = 0; i < found.count; ++i)
    {
        double x[3], y[3], n[3];
        crn_unrotate3(pass->to->R, room[i].normal, n);
        to_mesh(pass, room[i].point_a, x);
        to_mesh(pass, room[i].point_b, y);
        if (room[i].gap >= -depth && may_push(pass, r, &ridge, y, n))
        {
            int feature = (int)(room[i].feature & 0xffff);
            crn_pass_add(pass, CRN_CURVED_RIDGE, feature << 12 ^ i, r, room[i].gap, n, x);
        }
    }
}

void crn_touch_curved(const crn_pass *pass)
{
    assert(crn_is_curved(pass->from) && pass->target.searched);
    crn_mesh_work *work = pass->work;
    crn_bounds box = bounds_of(pass);
    double depth = crn_thickness(pass->from);
    crn_near_triangles(&pass->target, &box, work, &work->triangles);
    for (int i = 0; i < work->triangles.count; ++i)
        touch_face(pass, work->triangles.item[i], depth);
    crn_near_ridges(&pass->target, &box, work, &work->ridges);
    for (int i = 0; i < work->ridges.count; ++i)
        if (work->ridges.item[i] < pass->target.index->ridge_count)
            touch_ridge(pass, work->ridges.item[i], depth);
}
