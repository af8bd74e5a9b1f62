/* A shape placed in the world: what the geometry of a shape class works on.
 *
 * A convex shape of space is a core grown by a radius. The core is known by its support point: its point furthest along a
 * direction. Some cores also show a flat face or a straight line.
 */
#ifndef CRN_MODEL_SHAPE_PLACED_H
#define CRN_MODEL_SHAPE_PLACED_H

#include "math/bounds.h"
#include "math/vec.h"
#include "model/model.h"

#include <assert.h>

/* One shape in the world. Only the fields of its kind are filled. */
typedef struct crn_placed
{
    cairn_shape_kind kind;
    int body;
    double margin;        /* m: by how much the bounds were enlarged */
    double radius;        /* of the rounding: circle, sphere, capsule */
    double half[3];       /* as in the model's shape */
    double centre[3];     /* shapes of space, ellipse; half-plane and half-space: a point of the boundary */
    double normal[3];     /* half-plane, half-space */
    double R[9];          /* shapes of space, ellipse: the shape's axes are the columns; with seams: the body's */
    const crn_hull *hull; /* hull */
    const crn_mesh *mesh; /* mesh, height field; of a box or hull its triangles, where the model has meshes */
    const crn_mesh_index *index;
    const crn_shape *shape; /* with seams: the model's shape, which has them; NULL: none */
    const double *vertices; /* planar kinds but the half-plane: x, y pairs in the world, counter-clockwise */
    int vertex_count;
    crn_bounds bounds; /* margin included; not for half-planes and half-spaces */
} crn_placed;

enum
{
    CRN_CURVED = -1,    /* name of a point that is no corner */
    CRN_RIM = 8,        /* corners that represent a round cap */
    CRN_FACE_ROOM = 128 /* corners of a face; larger faces are thinned out */
};

/* A point of the core, relative to the centre. */
typedef struct crn_corner
{
    double x[3];
    int name; /* of a corner, or CRN_CURVED */
} crn_corner;

/* A flat (or straight, or single) part of a core that faces a direction. */
typedef struct crn_face
{
    int count;   /* 1: a point, 2: a straight line, 3 or more: a face, counter-clockwise from outside */
    double n[3]; /* face: unit, outward */
    crn_corner corner[CRN_FACE_ROOM];
} crn_face;

/* Add the corner at x, y, z of the shape's frame to a face. */
static inline void crn_face_add(crn_face *face, const crn_placed *p, double x, double y, double z, int name)
{
    assert(face->count < CRN_FACE_ROOM);
    crn_corner *corner = &face->corner[face->count++];
    crn_rotate3(p->R, (double[3]){x, y, z}, corner->x);
    corner->name = name;
}

/* The centre; in the plane the first vertex. */
void crn_centre_of(const crn_placed *p, double out[3]);
/* Column `axis` of R: an axis of the shape, in the world. */
void crn_axis_of(const crn_placed *p, int axis, double out[3]);
/* A point and a direction of the world in the shape's frame; either may be NULL. */
void crn_into_shape(const crn_placed *p, const double x[3], const double n[3], double y[3], double m[3]);

/* The four corners of a face of a box, numbered by bits: bit k is set on the positive side of axis k. */
void crn_box_face(int axis, bool positive, int corners[4]);

/* Tolerance relative to the size of a shape: a line along a face, or this near to its edge, counts as meeting the shape,
 * so that rounding does not decide which elements on an edge exist. */
static const double CRN_SLIVER = 1e-9;

/* Clip the stretch [*low, *high] of the line x + s n to a half-space { y : m (y - p) <= 0 }, m of any length; `size`
 * scales the tolerance. False when nothing is left. */
bool crn_span_cut(const double x[3], const double n[3], const double p[3], const double m[3], double size, double *low,
                  double *high);
/* The stretch of the line inside a ball; sets *low and *high. False when the line misses it. */
bool crn_span_ball(const double centre[3], double radius, const double x[3], const double n[3], double *low,
                   double *high);

/* Cut to where |y + s m| across the z axis is at most radius + slope (u - s m_z): a round side, y and m in the shape's frame, u the
 * height of the end where the radius is given over y. A cylinder has slope 0. In kinds/turned.c. */
bool crn_span_side(const double y[3], const double m[3], double radius, double slope, double u, double *low,
                   double *high);

#endif
