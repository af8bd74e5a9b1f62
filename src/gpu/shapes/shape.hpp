/* Shapes of bodies that are not single spheres, and the arrays of a step with them.
 *
 * A world with shapes differs from one of single spheres (world.hpp) in three ways. Bodies are not sorted: they keep their numbers, and what
 * is sorted into cells are the shapes, by balls that hold them. Angular velocities are stored as they are (the radius beside a place is 1).
 * A contact has two arms, from the centre of each body to where it touches, and bodies have an inverse inertia in the world.
 *
 * Two shapes that may touch are a pair (pairs.hpp). A pair has up to MOST_TOUCHES touches (touches.hpp), each with a feature: a number that
 * tells it from the others of the pair, so that its impulse is found again in the next step. Of the two shapes, `a` has the lower kind, or the
 * lower number where the kinds are the same, whichever of them found the other.
 *
 * Half-spaces and hollow cylinders are walls: they come after all other shapes, are in no cell, and are compared with every body.
 */
#pragma once

#include "../atomic.hpp"
#include "../interface.h"
#include "frame.hpp"

namespace crn
{

enum
{
    MOST_TOUCHES = 8
};

struct Shape
{
    D3 x; /* in the frame of its body; of a half-space a point of its surface */
    double radius;
    D4 q;
    D3 half; /* as in interface.h */
    double bound; /* m: radius of a ball about its middle that holds it */
    double size;  /* m: half its least thickness */
    int kind, body, material, triangle, level; /* triangle: or hull */
};

/* A shape in the world. */
struct Placed
{
    int kind, triangle;
    D3 c;
    Axes R;
    D3 half; /* of a half-space its normal, in the world; of a triangle the middle of its ball, in the frame of its body */
    double radius, size;
};

/* One touch of a pair, as a step keeps it. */
struct Stored
{
    R4 n;     /* from b to a; and the gap */
    R4 arm_a; /* m: from the centre of body a to the point on a; and half the least thickness of the two shapes */
    R4 arm_b;
};

/* The inverse inertia of a body in the world: xx, yy, zz, and yz, xz, xy. */
struct alignas(2 * sizeof(R4)) Inertia
{
    R4 diagonal, rest;
};

CRN_HD R3 times(const Inertia &J, R3 x)
{
    R4 d = J.diagonal, o = J.rest;
    return {d.x * x.x + o.z * x.y + o.y * x.z, o.z * x.x + d.y * x.y + o.x * x.z, o.y * x.x + o.x * x.y + d.z * x.z};
}

/* Inertia and its inverse, in the body's frame. */
struct Mass
{
    double I[9], inverse[9];
};

struct Shapes
{
    int count, walls; /* 0, 0: there are single spheres and half-spaces only */
    int pair_capacity;
    int has_general; /* there are ellipsoids, cylinders, cones or hulls */
    int is_implicit; /* the gyroscopic moment at the end of the step */
    Shape *shape;    /* walls last */
    Mass *mass;      /* per body */
    unsigned long long *groups, *collides_with;
    Inertia *inertia;

    /* of meshes and height fields, in the frames of their bodies */
    crn_gpu_triangle *triangle;
    double *vertex; /* x, y, z */
    int *ring_begin, *ring;

    crn_gpu_hull *hull; /* with their arrays, as in interface.h */
    double *hull_corner, *hull_normal;
    int *hull_face_begin, *hull_face_corner, *hull_at_begin, *hull_at;

    int *order;           /* number of each shape in the order of the cells */
    R4 *swift;            /* m/s, per shape: velocity of its middle, and how fast turning moves its surface besides */
    D4 *middle;           /* per shape: of the ball, and its radius with what it moves in this step */
    int *pair_first;      /* per shape: its first pair; count + 1 */
    I2 *pair;             /* shapes: the one that found the other, and the other */
    uint16_t *pair_kind, *pair_kind_sorted; /* of the two shapes together */
    int *pair_number, *pair_order;          /* pairs by their kind: neighbours in a warp then do the same */
    int *touch_count, *touch_first; /* per pair; pair_capacity + 1 */
    Stored *touch;        /* MOST_TOUCHES per pair */
    int *touch_feature;

    int *feature, *last_feature; /* per contact in the order of the search */
    R4 *arm_a, *arm_b;           /* likewise; with size and gap */
    R4 *ordered_arm_a, *ordered_arm_b;
    R4 *extra, *last_extra, *ordered_extra; /* moments and pulls of laws.hpp; NULL: there are none */
    double *work;                /* J: of the gyroscopic moment in a certified step */
};

CRN_HD bool is_wall(int kind)
{
    return kind == CRN_GPU_HALF_SPACE || kind == CRN_GPU_HOLLOW;
}

} // namespace crn
