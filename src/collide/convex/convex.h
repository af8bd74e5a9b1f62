/* Convex shapes of space, seen from outside: every one is a core (point, segment, box, hull, cylinder, cone, ellipsoid)
 * grown by a radius, and known by its support function, what it shows to a direction.
 *
 * A pair is compared in the coordinates of b's centre, so that shapes far from the origin lose no digits:
 *
 *     x_a  from a's centre ,     x_b  from b's centre ,     w = d + x_a - x_b ,     d = centre of a - centre of b .
 *
 * Along the unit direction n from b to a the cores are apart by s(n) = min n w = n w(n), w(n) made of the point of a lowest
 * and the point of b highest along n. The distance of the cores is the largest s(n); where they overlap that is minus the
 * least depth. Radii are taken off afterwards.
 */
#ifndef CRN_COLLIDE_CONVEX_CONVEX_H
#define CRN_COLLIDE_CONVEX_CONVEX_H

#include "collide/narrow.h"

enum
{
    CRN_FEATURE_NEAR = 0xffff /* the one contact of two closest points */
};

typedef struct crn_pair_view
{
    const crn_placed *a, *b;
    double d[3];
    double size; /* m: extent of both, what rounding scales with */
} crn_pair_view;

/* One point of the difference of the cores. */
typedef struct crn_difference
{
    double w[3];
    crn_corner a, b;
} crn_difference;

/* Up to four of them, and the point of their hull nearest to the origin as weights. */
typedef struct crn_simplex
{
    crn_difference p[4];
    double weight[4];
    int count;
} crn_simplex;

/* The nearest points of two cores, or the shallowest way out. */
typedef struct crn_nearest
{
    double n[3];
    double s;            /* of the cores along n */
    double x_a[3];       /* world: on the core of a; the one of b is s n below */
    crn_simplex simplex; /* where the search ended */
} crn_nearest;

/* convex.c */
crn_pair_view crn_view_pair(const crn_placed *a, const crn_placed *b);
void crn_core_support(const crn_placed *p, const double n[3], crn_corner *out);
/* s(n), and the points that give it. */
double crn_separation(const crn_pair_view *v, const double n[3], crn_difference *out);
/* Whether the core has a surface that is not made of flat faces and straight lines. */
bool crn_is_curved(const crn_placed *p);
/* Whether the core shows a single point to every direction. */
bool crn_is_single(const crn_placed *p);
/* Half the least thickness: the length that tolerances scale with; infinite for a point. */
double crn_thickness(const crn_placed *p);
/* The extent of the core from its centre. */
double crn_core_extent(const crn_placed *p);

/* The face of p that looks most along the unit direction m and has the point furthest along m. */
void crn_core_face(const crn_placed *p, const double m[3], crn_face *out);

/* How close the search for the distance comes. */
typedef enum crn_closeness
{
    CRN_SHARP,  /* flat shapes: to the last digits */
    CRN_COARSE, /* where a surface is curved: so that the ascent has its case before it, */
    CRN_SMOOTH  /* and closer, when it had not */
} crn_closeness;

/* gjk.c: true when the cores are apart, with n, s and the simplex filled in; false when they overlap or touch. Stops early
 * with true when they are known to be further apart than `limit`. */
bool crn_gjk(const crn_pair_view *v, double limit, crn_closeness closeness, crn_nearest *out);
/* epa.c: the way out of an overlap, from the simplex that crn_gjk left. */
void crn_epa(const crn_pair_view *v, crn_nearest *out);
/* separation_search.c: n to the last digits where a surface is curved, and the points that belong to it; true when they are proved. */
bool crn_ascend(const crn_pair_view *v, bool apart, crn_nearest *out);

/* convex_certificate.c: whether what the cores show along n has a point in common, so that n is a stationary direction of s, and that point of
 * a; `at` has the points that n separates. `level`: of the extent, what counts as equally far along n. */
bool crn_certify_convex_pair(const crn_pair_view *v, const double n[3], const crn_difference *at, double level,
                             double x_a[3]);

/* convex_pair.c: all of these. False: further apart than `limit`. */
bool crn_nearest_points(const crn_pair_view *v, double limit, crn_nearest *out);

/* convex_clip.c: the touches of a face of the pair's a (b when flipped) and what the other shape shows to it, all of them or
 * those beside the nearest one. False, and nothing added, when no core gap is at most `reach`, or nothing is beside. */
bool crn_face_clip(const crn_pair_view *v, const crn_face *reference, bool flipped, double reach,
                   const crn_beside *nearest, crn_manifold *out);
/* convex_clip.c: the two touches of two straight lines nearly along each other; false when they cross. */
bool crn_line_clip(const crn_pair_view *v, const crn_nearest *nearest, crn_manifold *out);

/* Name of a corner of a shape within its pair. */
static inline unsigned crn_corner_feature(int name, bool of_b)
{
    return (of_b ? 0x4000u : 0u) | (unsigned)name;
}

#endif
