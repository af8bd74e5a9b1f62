/* Ellipses and ellipsoids: support points, and the touches with half-planes, half-spaces, points and spheres.
 *
 * Two convex shapes are separated by the largest s(n) = min n a - max n b over unit directions n; where they overlap, the
 * largest s is minus the least depth. For an ellipsoid a with centre c and support function rho,
 *
 *     s(n) = n c - rho(n) - max over b of n b ,
 *
 * and the method to maximise s depends on b. Half-space: n is its normal. Sphere: the direction away from its centre
 * (math/ellipsoid.c). Polygon: n is the normal of a side, or the direction away from a corner; s is evaluated at each of
 * these and the largest is taken. A direction that does not belong to its corner has a smaller s than the right one, so
 * no cases need to be distinguished, and normal and gap are continuous from one to the next (ellipse_polygon.c). Another
 * ellipsoid: an ascent (ellipsoid_pair.c). Other shapes of space: the general routine (convex_pair.c). The surface is
 * curved everywhere, so a pair has one touch, and its feature is 0.
 */
#include "collide/shapes/ellipsoid.h"

#include "math/ellipsoid.h"
#include "math/vec.h"

#include <assert.h>

double crn_ellipsoid_support(const crn_placed *p, const double n[3])
{
    double local[3];
    crn_unrotate3(p->R, n, local);
    for (int k = 0; k < 3; ++k)
        local[k] *= p->half[k];
    return crn_norm3(local);
}

double crn_ellipsoid_support_point(const crn_placed *p, const double n[3], double out[3])
{
    double local[3], rho = crn_ellipsoid_support(p, n);
    crn_unrotate3(p->R, n, local);
    for (int k = 0; k < 3; ++k)
        local[k] *= p->half[k] * p->half[k] / rho;
    crn_rotate3(p->R, local, out);
    return rho;
}

void crn_ellipsoid_away_from(const crn_placed *p, int dimension, const double x[3], double n[3])
{
    assert(dimension == 2 || dimension == 3);
    double arm[3], y[3], local[3] = {0, 0, 0};
    crn_sub3(p->centre, x, arm);
    crn_unrotate3(p->R, arm, y);
    crn_ellipsoid_normal(dimension, p->half, y, local);
    crn_rotate3(p->R, local, n);
}

void crn_ellipsoid_add(const crn_placed *p, const double n[3], double gap, crn_manifold *out)
{
    assert(crn_is_elliptic(p->kind));
    double point[3];
    crn_ellipsoid_support_point(p, n, point);
    crn_sub3(p->centre, point, point); /* the lowest point: the shape is symmetric about its centre */
    crn_manifold_add(out, gap, n, point, 0);
}

double crn_ellipsoid_height(const crn_placed *p, const double n[3], const double x[3])
{
    double arm[3];
    crn_sub3(p->centre, x, arm);
    return crn_dot3(n, arm) - crn_ellipsoid_support(p, n);
}

void crn_touch_ellipsoid_half(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    assert(crn_is_half(b->kind));
    crn_ellipsoid_add(a, b->normal, crn_ellipsoid_height(a, b->normal, b->centre), out);
}

void crn_touch_ellipsoid_sphere(const crn_placed *a, const crn_placed *b, crn_manifold *out)
{
    double n[3];
    crn_ellipsoid_away_from(a, 3, b->centre, n);
    crn_ellipsoid_add(a, n, crn_ellipsoid_height(a, n, b->centre) - b->radius, out);
}
