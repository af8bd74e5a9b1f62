/* All shapes of space against the wall of a hollow cylinder or cone, from inside.
 *
 * The hole is convex. A convex body lies in it if the points of its core do that are furthest out, each at the distance of the body's
 * radius from the wall: the centre of a sphere, the ends of a capsule, the corners of a box, hull or mesh. The distance of such a point is that
 * in its half-plane through the axis (crn_hollow_nearest), exact also at the rims, and its normal leads straight away from the
 * nearest point of the wall.
 *
 * Other shapes touch the wall where they touch a plane tangent to it: at the azimuth of their furthest point along its normal,
 * found by repetition, which goes outwards only. What the plane's routine finds (half_space.c) is measured against the wall.
 *
 * The planes tangent to the wall at the other sides, a quarter turn apart, bound the hole as well. A point within reach of them has a
 * touch with each: a step that goes across the hole does not leave it, and a ball in the tip of a cone is held all around.
 */
#include "model/shape/hollow.h"

#include "collide/convex/convex.h"
#include "collide/shapes/box.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    SIDES = 4, /* of which the last three are tangent planes */
    ROOM = 64, /* touches of a shape with a plane */
    TURNS = 12 /* repetitions */
};

static const double ON_AXIS = 1e-9; /* of the radius: nearer points have no azimuth of their own */
static const double COSINE[SIDES] = {1, 0, -1, 0}, SINE[SIDES] = {0, 1, 0, -1};

/* The place of a point about the axis. */
typedef struct place
{
    double rho, z;
    double out[2]; /* unit: away from the axis, in the shape's frame */
} place;

static place find_place(const crn_placed *b, const double x[3])
{
    double y[3];
    crn_into_shape(b, x, NULL, y, NULL);
    place at = {.rho = hypot(y[0], y[1]), .z = y[2], .out = {1, 0}};
    if (at.rho > ON_AXIS * b->half[0])
    {
        at.out[0] = y[0] / at.rho;
        at.out[1] = y[1] / at.rho;
    }
    return at;
}

/* A direction of a half-plane through the axis, turned by a quarter `side` times, in the world. */
static void direction(const crn_placed *b, const place *at, int side, const double n[2], double out[3])
{
    double x = COSINE[side] * at->out[0] - SINE[side] * at->out[1];
    double y = SINE[side] * at->out[0] + COSINE[side] * at->out[1];
    crn_rotate3(b->R, (double[3]){n[0] * x, n[0] * y, n[1]}, out);
}

/* A point of a's core, grown by a's radius. */
static void touch_point(const crn_placed *a, const crn_placed *b, const double x[3], uint64_t feature,
                        crn_manifold *out)
{
    place at = find_place(b, x);
    if (at.rho > CRN_HOLLOW_OUT * fmax(b->half[0], b->half[1]))
        return; /* outside of the ring */
    for (int side = 0; side < SIDES; ++side)
    {
        crn_hollow_side wall = crn_hollow_nearest(b->half, COSINE[side] * at.rho, at.z);
        double n[3], point_a[3];
        if (side > 0 && !wall.is_wall)
            continue;
        direction(b, &at, side, wall.n, n);
        crn_madd3(x, -a->radius, n, point_a);
        crn_manifold_add(out, wall.distance - a->radius, n, point_a, SIDES * feature + (uint64_t)side);
        out->apart = side == 0 && a->radius > 0.0 ? wall.distance - a->radius : out->apart;
    }
}

void crn_touch_hollow_ball(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_ball(a->kind));
    touch_point(a, b, a->centre, 0, out);
}

void crn_touch_hollow_capsule(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_class_of(a->kind)->core == CRN_CORE_LINE);
    double axis[3], end[3];
    crn_axis_of(a, 2, axis);
    for (int i = 0; i < 2; ++i)
    {
        crn_madd3(a->centre, i ? a->half[2] : -a->half[2], axis, end);
        touch_point(a, b, end, (uint64_t)i, out);
    }
    out->apart = -INFINITY;
}

void crn_touch_hollow_box(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    for (int corner = 0; corner < 8; ++corner)
    {
        double x[3];
        crn_box_corner(a, corner, x);
        touch_point(a, b, x, (uint64_t)corner, out);
    }
}

static void touch_corners(const crn_placed *a, const crn_placed *b, const double *vertices, int count,
                          crn_manifold *out)
{
    for (int i = 0; i < count; ++i)
    {
        double x[3];
        crn_rotate3(a->R, vertices + (ptrdiff_t)3 * i, x);
        crn_add3(x, a->centre, x);
        touch_point(a, b, x, (uint64_t)i, out);
    }
}

void crn_touch_hollow_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(a->mesh && a->index);
    const crn_hull *hull = a->index->hull;
    touch_corners(a, b, hull ? hull->vertices : a->mesh->vertices, hull ? hull->vertex_count : a->mesh->vertex_count,
                  out);
}

/* The plane tangent to the wall near the point of a that is furthest out on a side of the hole. */
static crn_placed tangent_plane(const crn_placed *a, const crn_placed *b, int side)
{
    double width = b->half[0] - b->half[1], slant = hypot(width, 2.0 * b->half[2]);
    double n[2] = {-2.0 * b->half[2] / slant, width / slant}, down[3];
    crn_placed plane = {.kind = CAIRN_HALF_SPACE};
    place at = find_place(b, a->centre);
    direction(b, &at, side, n, plane.normal);
    for (int turn = 0; turn < TURNS; ++turn)
    {
        crn_corner far;
        crn_scale3(-1.0, plane.normal, down);
        crn_core_support(a, down, &far);
        crn_add3(far.x, a->centre, far.x);
        at = find_place(b, far.x);
        direction(b, &at, 0, n, plane.normal);
    }
    direction(b, &at, 0, (double[2]){b->half[1], -b->half[2]}, plane.centre);
    crn_add3(plane.centre, b->centre, plane.centre);
    return plane;
}

void crn_touch_hollow_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    if (a->hull)
    {
        touch_corners(a, b, a->hull->vertices, a->hull->vertex_count, out);
        return;
    }
    for (int side = 0; side < SIDES; ++side)
    {
        crn_touch room[ROOM];
        crn_manifold found = {.touches = room, .capacity = ROOM, .limit = out->limit};
        crn_placed plane = tangent_plane(a, b, side);
        (crn_is_elliptic(a->kind) ? crn_touch_ellipsoid_half : crn_touch_half_space_convex)(a, &plane, &found);
        for (int i = 0; i < found.count; ++i)
        {
            const double *x = room[i].point_a;
            place at = find_place(b, x);
            crn_hollow_side wall = crn_hollow_nearest(b->half, at.rho, at.z);
            double n[3];
            direction(b, &at, 0, wall.n, n);
            uint64_t feature = SIDES * room[i].feature + (crn_is_elliptic(a->kind) ? (uint64_t)side : 0);
            if (at.rho <= CRN_HOLLOW_OUT * fmax(b->half[0], b->half[1]) && !crn_manifold_has(out, feature))
                crn_manifold_add(out, wall.distance, n, x, feature);
        }
    }
}
