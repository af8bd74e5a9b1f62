/* The table of pair routines, by the ranks of the two classes, lower rank first. */
#include "collide/narrow.h"

#include <assert.h>

typedef void (*touch_pair)(const crn_placed *a, const crn_placed *b, crn_manifold *out);

enum
{
    ELLIPTIC = CRN_RANK_ELLIPTIC,
    BALL = CRN_RANK_BALL,
    CAPSULE = CRN_RANK_CAPSULE,
    BOX = CRN_RANK_BOX,
    CONVEX = CRN_RANK_CONVEX,
    MESH = CRN_RANK_MESH,
    HOLLOW = CRN_RANK_HOLLOW,
    HALF = CRN_RANK_HALF,
    RANKS = CRN_RANKS
};

static const touch_pair PLANE[RANKS][RANKS] = {
    [ELLIPTIC] = {[ELLIPTIC] = crn_touch_ellipses,
                  [BALL] = crn_touch_ellipse_planar,
                  [CAPSULE] = crn_touch_ellipse_planar,
                  [HALF] = crn_touch_ellipsoid_half},
    [BALL] = {[BALL] = crn_touch_planar, [CAPSULE] = crn_touch_planar, [HALF] = crn_touch_half_plane},
    [CAPSULE] = {[CAPSULE] = crn_touch_planar, [HALF] = crn_touch_half_plane},
};

static const touch_pair SPACE[RANKS][RANKS] = {
    [ELLIPTIC] = {[ELLIPTIC] = crn_touch_ellipsoids,
                  [BALL] = crn_touch_ellipsoid_sphere,
                  [CAPSULE] = crn_touch_convex,
                  [BOX] = crn_touch_convex,
                  [CONVEX] = crn_touch_convex,
                  [MESH] = crn_touch_mesh,
                  [HOLLOW] = crn_touch_hollow_convex,
                  [HALF] = crn_touch_ellipsoid_half},
    [BALL] = {[BALL] = crn_touch_spheres,
              [CAPSULE] = crn_touch_sphere_capsule,
              [BOX] = crn_touch_sphere_box,
              [CONVEX] = crn_touch_convex,
              [MESH] = crn_touch_mesh,
              [HOLLOW] = crn_touch_hollow_ball,
              [HALF] = crn_touch_half_space_sphere},
    [CAPSULE] = {[CAPSULE] = crn_touch_capsules,
                 [BOX] = crn_touch_capsule_box,
                 [CONVEX] = crn_touch_convex,
                 [MESH] = crn_touch_mesh,
                 [HOLLOW] = crn_touch_hollow_capsule,
                 [HALF] = crn_touch_half_space_convex},
    [BOX] = {[BOX] = crn_touch_boxes,
             [CONVEX] = crn_touch_convex,
             [MESH] = crn_touch_mesh,
             [HOLLOW] = crn_touch_hollow_box,
             [HALF] = crn_touch_half_space_box},
    [CONVEX] = {[CONVEX] = crn_touch_convex,
                [MESH] = crn_touch_mesh,
                [HOLLOW] = crn_touch_hollow_convex,
                [HALF] = crn_touch_half_space_convex},
    [MESH] = {[MESH] = crn_touch_mesh, [HOLLOW] = crn_touch_hollow_mesh, [HALF] = crn_touch_half_space_mesh},
};

void crn_touch_ordered(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *out)
{
    crn_shape_rank of_a = crn_class_of(a->kind)->rank, of_b = crn_class_of(b->kind)->rank;
    touch_pair touch = (dimension == 2 ? PLANE : SPACE)[of_a][of_b];
    assert(of_a <= of_b && touch);
    touch(a, b, out);
}

void crn_touch_any(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *out)
{
    if (crn_class_of(a->kind)->rank <= crn_class_of(b->kind)->rank)
    {
        crn_touch_ordered(a, b, dimension, out);
    }
    else
    {
        crn_touch_ordered(b, a, dimension, out);
        crn_manifold_swap(out);
    }
    if (a->shape || b->shape)
        crn_outline_seams_filter(a, b, out);
    crn_manifold_sort(out);
}
