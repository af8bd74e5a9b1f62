/* Convex shapes of space by their support functions: every shape is a core (point, segment, box, hull, cylinder, cone,
 * ellipsoid) grown by a radius, and a core is known by its support point along any direction.
 *
 * Pairs are compared in coordinates relative to b's centre, so that shapes far from the origin lose no digits:
 *
 *     x_a  from a's centre ,     x_b  from b's centre ,     w = d + x_a - x_b ,     d = centre of a - centre of b .
 *
 * Along the unit direction n from b to a the cores are separated by s(n) = min n w = n w(n), where w(n) comes from the
 * lowest point of a and the highest point of b along n. The distance of the cores is the largest s(n); where they
 * overlap, the largest s(n) is minus the least depth. Radii are subtracted afterwards.
 */
#ifndef CRN_COLLIDE_CONVEX_CONVEX_H
#define CRN_COLLIDE_CONVEX_CONVEX_H

#include "collide/narrow.h"

enum
{
    CRN_FEATURE_NEAR = 0xffff /* the one contact of two closest points */
};

/* Of the extent of both: nearer than this, rounding spoils the direction between a line and a box. */
static const double CRN_CROSSING = 1e-4;

typedef struct crn_pair_view
{
    const crn_placed *a, *b;
    double d[3];
    double size; /* m: extent of both shapes; rounding scales with it */
} crn_pair_view;

/* One point of the difference of the cores. */
typedef struct crn_difference
{
    double w[3];
    crn_corner a, b;
} crn_difference;

/* Up to four such points, and weights of the point of their hull nearest to the origin. */
typedef struct crn_simplex
{
    crn_difference p[4];
    double weight[4];
    int count;
} crn_simplex;

/* The nearest points of two cores, or the shallowest way out of their overlap. */
typedef struct crn_nearest
{
    double n[3];
    double s;            /* of the cores along n */
    double x_a[3];       /* world: the point on the core of a; the point of b is s n below it */
    crn_simplex simplex; /* where the search ended */
} crn_nearest;

/* convex.c */
crn_pair_view crn_view_pair(const crn_placed *a, const crn_placed *b);
void crn_core_support(const crn_placed *p, const double n[3], crn_corner *out);
/* s(n), and the points that attain it. */
double crn_separation(const crn_pair_view *v, const double n[3], crn_difference *out);
/* Whether the core has a curved surface, not only flat faces and straight lines. */
bool crn_is_curved(const crn_placed *p);
/* Whether the support point is unique along every direction. */
bool crn_is_single(const crn_placed *p);
/* Half the least thickness, the length that tolerances scale with; infinite for a bare point or line. */
double crn_thickness(const crn_placed *p);
/* m: the distance of the core's furthest point from its centre. */
double crn_core_extent(const crn_placed *p);

/* The face of p that contains its support point along the unit direction m and faces m most. */
void crn_core_face(const crn_placed *p, const double m[3], crn_face *out);

/* The accuracy of the distance search. */
typedef enum crn_closeness
{
    CRN_SHARP,  /* flat shapes: to rounding */
    CRN_COARSE, /* curved shapes: enough for crn_ascend to start from, ... */
    CRN_SMOOTH  /* ... and closer, when that was not enough */
} crn_closeness;

/* gjk.c: true when the cores are apart, with n, s and the simplex filled in; false when they overlap or touch. Stops early
 * with true when they are known to be further apart than `limit`. */
bool crn_gjk(const crn_pair_view *v, double limit, crn_closeness closeness, crn_nearest *out);
/* line_box.c: the same for the core of a capsule and a box, without the simplex; false when they are not further apart than `least`. */
bool crn_line_to_box(const crn_pair_view *v, double least, crn_nearest *out);

/* The core of a capsule in the frame of a box: the points c + t u, |t| <= l; and its point nearest to the box. */
typedef struct crn_box_line
{
    double c[3], u[3], l;
    const double *half; /* of the box */
    double t;           /* of the nearest point, */
    double e[3];        /* the arm from the box to it, */
    double s;           /* and its length */
} crn_box_line;

/* line_box.c: `d` is the centre of the line less that of the box, in the world. */
void crn_line_in_box(const crn_placed *line, const crn_placed *box, const double d[3], crn_box_line *out);
/* epa.c: the shallowest way out of an overlap, starting from the simplex of crn_gjk. */
void crn_epa(const crn_pair_view *v, crn_nearest *out);
/* separation_search.c: refine n to rounding where a surface is curved, with the matching points. True when the result is
 * proved optimal. */
bool crn_ascend(const crn_pair_view *v, bool apart, crn_nearest *out);

/* convex_certificate.c: whether the parts of the two cores that are extreme along n have a common point when projected
 * along n, so that n is a stationary direction of s; if so, x_a is that point on a. `at` has the support points along n.
 * `level`: fraction of the extent within which points count as equally far along n. */
bool crn_certify_convex_pair(const crn_pair_view *v, const double n[3], const crn_difference *at, double level,
                             double x_a[3]);

/* convex_pair.c: the nearest points by all of the above. False: the cores are further apart than `limit`. */
bool crn_nearest_points(const crn_pair_view *v, double limit, crn_nearest *out);

/* convex_clip.c: add the touches of a face of a (of b when flipped) with the facing part of the other shape: all of them,
 * or only those beside the nearest points. False, and nothing added, when no core gap is at most `reach`, or none lies
 * beside. */
bool crn_face_clip(const crn_pair_view *v, const crn_face *reference, bool flipped, double reach,
                   const crn_beside *nearest, crn_manifold *out);
/* convex_clip.c: add the two touches of two nearly parallel straight lines, which are what a shows along -n and b along n; false when
 * they cross, or one of the two is no line. */
bool crn_line_clip(const crn_pair_view *v, const double n[3], const crn_face *of_a, const crn_face *of_b,
                   crn_manifold *out);
/* convex_clip.c: a line and a box that are nearest at an edge of the box along n: add the ends of the stretch that line and edge share,
 * beside the nearest points. The line may turn parallel to the edge within a step and land with its other end. */
void crn_edge_beside(const crn_pair_view *v, const double n[3], const crn_beside *beside, crn_manifold *out);

/* The feature of a corner within its pair. */
static inline unsigned crn_corner_feature(int name, bool of_b)
{
    return (of_b ? 0x4000u : 0u) | (unsigned)name;
}

/* A number for the edge between two corners of a shape. */
static inline unsigned crn_edge_number(unsigned p, unsigned q)
{
    return p < q ? p << 14 | q : q << 14 | p;
}

/* The feature of a crossing of two edges, and the one to take where another crossing of the pair has it. */
static inline unsigned crn_crossing_feature(unsigned edge_a, unsigned edge_b)
{
    uint64_t both = (uint64_t)edge_a << 28 | edge_b;
    return 0x8000u | (unsigned)((both * UINT64_C(0x9E3779B97F4A7C15)) >> 49) % 0x7fffu;
}

static inline unsigned crn_next_crossing(unsigned feature)
{
    return feature + 1 < CRN_FEATURE_NEAR ? feature + 1 : 0x8000u;
}

#endif
