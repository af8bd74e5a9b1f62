/* Spheres (points in space are spheres of radius 0) against spheres and boxes.
 *
 * The closest point of a box to a centre outside is the centre clamped to the box in the box's frame. A centre inside
 * leaves through the nearest face, the first axis among equals.
 */
#include "collide/narrow.h"

#include "math/vec.h"

#include <assert.h>

void crn_touch_spheres(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_ball(a->kind) && crn_is_ball(b->kind));
    if (a->radius + b->radius == 0.0)
        return; /* two points never touch */
    double n[3], point_a[3];
    crn_sub3(a->centre, b->centre, n);
    double distance = crn_norm3(n);
    if (distance > 1e-14 * (a->radius + b->radius))
        crn_scale3(1.0 / distance, n, n);
    else
        crn_any_normal(3, n);
    crn_madd3(a->centre, -a->radius, n, point_a);
    crn_manifold_add(out, distance - a->radius - b->radius, n, point_a, 0);
}

/* The nearest face as a way out of the box: its outward normal into local_n; returns the depth. */
static double nearest_face(const double half[3], const double local[3], double local_n[3])
{
    assert(half[0] > 0.0 && half[1] > 0.0 && half[2] > 0.0);
    int best = 0;
    for (int k = 1; k < 3; ++k)
        if (half[k] - fabs(local[k]) < half[best] - fabs(local[best]))
            best = k;
    local_n[0] = local_n[1] = local_n[2] = 0.0;
    local_n[best] = local[best] >= 0.0 ? 1.0 : -1.0;
    return half[best] - fabs(local[best]);
}

void crn_touch_sphere_box(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_box(b->kind));
    double arm[3], local[3], local_n[3];
    crn_sub3(a->centre, b->centre, arm);
    crn_unrotate3(b->R, arm, local);
    for (int k = 0; k < 3; ++k)
    {
        double x = local[k] < b->half[k] ? local[k] : b->half[k];
        local_n[k] = local[k] - (x > -b->half[k] ? x : -b->half[k]);
    }
    double distance = crn_norm3(local_n);
    if (distance > 1e-14 * (b->half[0] + b->half[1] + b->half[2]))
        crn_scale3(1.0 / distance, local_n, local_n);
    else
        distance = -nearest_face(b->half, local, local_n);
    double n[3], point_a[3];
    crn_rotate3(b->R, local_n, n);
    crn_madd3(a->centre, -a->radius, n, point_a);
    out->apart = distance - a->radius;
    crn_manifold_add(out, distance - a->radius, n, point_a, 0);
}
