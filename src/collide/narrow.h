/* The touches of one pair, shared by the files of the narrow phase.
 *
 * Every pair routine takes two placed shapes `a` and `b` and adds touches whose normal points from b to a. Each
 * combination of two kinds has one routine with a fixed order of arguments (pairs.c); where the pair has the opposite
 * order, its touches are swapped afterwards.
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
    double apart;                /* m: a lower bound of the distance, set by some routines that find no touch */
    bool grows;                  /* `touches` may be reallocated; otherwise its capacity suffices */
    int bits;                    /* with a mesh: width of a feature, in bits */
    struct crn_mesh_work *work;  /* with a mesh: its workspace */
    const struct crn_thin *thin; /* planar pairs with a segment: its allowed sides; NULL: any */
    cairn_status status;         /* CAIRN_NO_MEMORY: some touches are missing */
} crn_manifold;

/* Where a touch beside that of the nearest points may lie: no nearer than they are, and more than `apart` away from them.
 * A touch closer to them belongs to the same corner, and a second plane there would block the way past it. */
typedef struct crn_beside
{
    double point_a[3], gap;
    double apart;
} crn_beside;

/* Add a touch by its witness point on a; the one on b follows. */
void crn_manifold_add(crn_manifold *manifold, double gap, const double normal[3], const double point_a[3],
                      uint64_t feature);
/* Whether a touch may lie beside the nearest points; always when `nearest` is NULL. */
bool crn_is_beside(const crn_beside *nearest, double gap, const double point_a[3]);
/* Whether the manifold has a touch of this feature. */
bool crn_manifold_has(const crn_manifold *manifold, uint64_t feature);
/* Swap the roles of a and b in all touches. */
void crn_manifold_swap(crn_manifold *manifold);
/* Sort by feature. */
void crn_manifold_sort(crn_manifold *manifold);

/* The direction used where geometry gives none, as for coincident centres. */
static inline void crn_any_normal(int dimension, double normal[3])
{
    normal[0] = 0.0;
    normal[1] = dimension == 2 ? 1.0 : 0.0;
    normal[2] = dimension == 2 ? 0.0 : 1.0;
}

/* pairs.c: any two shapes that are not both half-planes or half-spaces; sorted by feature */
void crn_touch_any(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *out);
/* Whether a shape is surely longer than `least`: one look at a single edge is mostly enough. */
static inline bool crn_is_long(const crn_placed *p, double least)
{
    return crn_is_half(p->kind) || p->bounds.upper[0] - p->bounds.lower[0] - 2.0 * p->margin > least;
}
/* Whether crn_hold_fast may do anything. */
static inline bool crn_may_hold_fast(const crn_placed *a, const crn_placed *b, double travel, const crn_manifold *out)
{
    return out->count > 0 && travel > 0.0 && !(crn_is_long(a, travel) && crn_is_long(b, travel));
}
/* fast_approach.c: add the vertices of the smaller shape when the two approach by more than its size; `travel`: by how
 * much, m */
void crn_hold_fast(const crn_placed *a, const crn_placed *b, double travel, crn_manifold *out);
/* planar.c */
void crn_touch_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* pairs.c: the same for a pair whose ranks are in order; touches are neither swapped nor sorted */
void crn_touch_ordered(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *out);
/* planar.c: the closest points, accurate to rounding; false, and nothing added, where the cores overlap */
bool crn_closest_planar(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* half_space.c: b is the half-plane or half-space */
void crn_touch_half_plane(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_sphere(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_box(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* hollow.c: b is the hollow cylinder or cone */
void crn_touch_hollow_ball(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_hollow_capsule(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_hollow_box(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_hollow_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_hollow_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out);
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
/* capsule_box.c: a is the capsule */
void crn_touch_capsule_box(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* convex_pair.c: any two bounded shapes of space */
void crn_touch_convex(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* mesh_pair.c: b is the mesh, a any bounded shape of space; b is the half-space, a the mesh */
void crn_touch_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out);
void crn_touch_half_space_mesh(const crn_placed *a, const crn_placed *b, crn_manifold *out);
/* outline_seams.c: drop touches that belong to another piece of the same outline */
void crn_outline_seams_filter(const crn_placed *a, const crn_placed *b, crn_manifold *out);

#endif
