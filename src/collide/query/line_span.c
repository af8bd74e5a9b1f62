/* Where a line x + s n passes through a shape: the undeformed surfaces that the elements of a contact patch see, and the
 * hits of rays. Most classes have closed forms; two cases do not.
 *
 * For a mesh, the entry and the exit nearest to x are found in its trees.
 *
 * A smooth convex shape is approached along the line from outside. From a point at distance d with separating direction
 * u, the shape lies beyond a plane that the line reaches after d / -(n u). A step to that plane never passes the surface;
 * it is Newton's method for the distance along the line. The line misses the shape where it does not approach the plane.
 */
#include "collide/query/line_span.h"

#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"
#include "math/vec.h"

#include <assert.h>
#include <string.h>

enum
{
    MOST_STEPS = 64
};

static const double REACHED = 1e-13; /* of the extent: distance at which the surface counts as reached */

/* The entry into and the exit from a mesh that are nearest to x. */
static bool span_mesh(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    assert(shape->mesh && shape->index);
    double y[3], d[3], back[3], *ends[2] = {low, high};
    crn_into_shape(shape, x, n, y, d);
    crn_scale3(-1.0, d, back);
    for (int k = 0; k < 2; ++k)
    {
        double ahead = INFINITY, behind = INFINITY;
        int side = k == 0 ? -1 : 1;
        crn_mesh_ray(shape->mesh, shape->index, y, d, side, &ahead);
        crn_mesh_ray(shape->mesh, shape->index, y, back, -side, &behind);
        *ends[k] = ahead < behind ? ahead : -behind;
    }
    return isfinite(*low) || isfinite(*high);
}

/* The first point of the shape on the line from x along n, where x is outside. */
static bool approach(const crn_placed *shape, const double x[3], const double n[3], double *at)
{
    assert(crn_is_unit3(n));
    crn_placed point = {.kind = CAIRN_POINT, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double size = crn_core_extent(shape) + shape->radius;
    *at = 0.0;
    for (int step = 0; step < MOST_STEPS; ++step)
    {
        crn_nearest nearest;
        crn_madd3(x, *at, n, point.centre);
        crn_pair_view v = crn_view_pair(&point, shape);
        crn_nearest_points(&v, INFINITY, &nearest);
        double distance = nearest.s - shape->radius, rate = -crn_dot3(nearest.n, n);
        if (distance <= REACHED * size)
            return true;
        if (!(rate > 0.0) || *at > 8.0 * size)
            return false;
        *at += distance / rate;
    }
    return true; /* the line grazes the shape, within rounding */
}

static bool span_smooth(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    assert(crn_is_unit3(n));
    double arm[3], from[3], back[3], size = 2.0 * (crn_core_extent(shape) + shape->radius);
    crn_sub3(shape->centre, x, arm);
    double middle = crn_dot3(arm, n);
    crn_scale3(-1.0, n, back);
    crn_madd3(x, middle - size, n, from);
    if (!approach(shape, from, n, low))
        return false;
    crn_madd3(x, middle + size, n, from);
    approach(shape, from, back, high);
    *low = middle - size + *low;
    *high = middle + size - *high;
    return true;
}

bool crn_line_span(const crn_placed *shape, const double x[3], const double n[3], double *low, double *high)
{
    const crn_shape_class *class = crn_class_of(shape->kind);
    *low = -INFINITY;
    *high = INFINITY;
    if (class->span)
        return class->span(shape, x, n, low, high);
    assert(class->rank == CRN_RANK_MESH || class->support);
    return (class->rank == CRN_RANK_MESH ? span_mesh : span_smooth)(shape, x, n, low, high);
}
