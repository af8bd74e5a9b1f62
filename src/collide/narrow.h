/* What the narrow-phase files share: the touches of one pair.
 *
 * Every pair routine takes two placed shapes `a` and `b` and adds touches whose normal points from b to a. Pairs of
 * two kinds have one routine with a fixed order of arguments (pairs.c), whose touches are turned round where needed.
 */
#ifndef CRN_COLLIDE_NARROW_H
#define CRN_COLLIDE_NARROW_H

#include "model/shape/shape_class.h"

/* One touch of a pair, in the pair's order of arguments. */
typedef struct crn_touch
{
    uint64_t feature; /* unique within the pair; below 2^16, and with a mesh below 2^bits of the manifold */
    double gap;
    double normal[3];
    double point_a[3], point_b[3]; /* point_a - point_b = gap * normal */
} crn_touch;

/* The touches of one pair. */
typedef struct crn_manifold
{
    crn_touch *touches;
    size_t capacity;
    int count;
    double limit;                /* touches with a larger gap are dropped */
    bool grows;                  /* `touches` is memory of its own, made larger where need be; else there is room */
    int bits;                    /* with a mesh: of a feature's name */
    struct crn_mesh_work *work;  /* with a mesh: its workspace */
    const struct crn_thin *thin; /* planar shapes of which one is a segment: its sides; NULL: any */
    cairn_status status;         /* CAIRN_NO_MEMORY: some are missing */
} crn_manifold;

/* What the nearest points of a pair leave to other features: touches that are no nearer, and at least `apart` from them. Points
 * that are nearer to them belong to the same corner, and a second plane there would close a way past it. */
typedef struct crn_beside
{
    double point_a[3], gap;
    double apart;
} crn_beside;

/* Add a touch by its witness point on a; the one on b follows. */
void crn_manifold_add(crn_manifold *manifold, double gap, const double normal[3], const double point_a[3],
                      uint64_t feature);
/* Whether a touch is one of those; any is when there is no nearest one (NULL). */
bool crn_is_beside(const crn_beside *nearest, double gap, const double point_a[3]);
/* Whether the manifold has a touch of this feature. */
bool crn_manifold_has(const crn_manifold *manifold, uint64_t feature);
/* Swap the roles of a and b in all touches. */
void crn_manifold_swap(crn_manifold *manifold);
/* Sort by feature. */
void crn_manifold_sort(crn_manifold *manifold);

/* Where a pair routine needs a direction and geometry gives none (coincident centres): always this one. */
static inline void crn_any_normal(int dimension, double normal[3])
{
    normal[0] = 0.0;
    normal[1] = dimension == 2 ? 1.0 : 0.0;
    normal[2] = dimension == 2 ? 0.0 : 1.0;
}

/* pairs.c: any two shapes that are not both half-planes or half-spaces; sorted by feature */
void crn_touch_any(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *out);
/* fast_approach.c: the vertices of the smaller shape beside the touches, where the two move by more than its size (`travel`, m) */
void crn_hold_fast(const crn_placed *a, const crn_placed *b, double travel, crn_manifold *out);
/* planar.c */
void crn_touch_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* pairs.c: the same for ranks in order, neither turned round nor sorted */
void crn_touch_ordered(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *out);
/* The closest points, to the last bits; false, and nothing added, where the cores overlap. */
bool crn_closest_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* half_space.c: b is the half-plane or half-space */
void crn_touch_half_plane(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_sphere(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_box(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* sphere.c */
void crn_touch_spheres(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_sphere_box(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* ellipsoid.c, ellipse_polygon.c, ellipsoid_pair.c: a is the ellipse or ellipsoid */
void crn_touch_ellipsoid_half(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_ellipsoid_sphere(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_ellipse_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_ellipses(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_ellipsoids(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* box_box.c */
void crn_touch_boxes(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* capsule.c: a is the sphere or point */
void crn_touch_sphere_capsule(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_capsules(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* convex_pair.c: any two bounded shapes of space */
void crn_touch_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* mesh_pair.c: b is the mesh, a any bounded shape of space; b is the half-space, a the mesh */
void crn_touch_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* outline_seams.c: drop the touches that another piece of the same outline has better */
void crn_outline_seams_filter(const crn_placed *a, const crn_placed *b, crn_manifold *out);

#endif
