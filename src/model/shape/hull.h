/* The convex hull of points: its corners, its flat faces, and the moments of its volume. */
#ifndef CRN_MODEL_SHAPE_HULL_H
#define CRN_MODEL_SHAPE_HULL_H

#include "base/memory.h"
#include "model/shape/moments.h"

#include <stdbool.h>

/* Directions by the face of a cube that they pass through, each face divided into squares. */
enum
{
    CRN_HULL_SQUARES = 8, /* along an edge */
    CRN_HULL_CELLS = 6 * CRN_HULL_SQUARES * CRN_HULL_SQUARES
};

typedef struct crn_hull
{
    crn_arena memory; /* all arrays */
    int vertex_count, face_count;
    double *vertices;   /* x, y, z of each corner */
    int *face_begin;    /* face f has the corners face_vertices[face_begin[f]] to [face_begin[f + 1] - 1], ... */
    int *face_vertices; /* ... counter-clockwise from outside */
    double *normals;    /* unit, outward, one per face */
    int *corner_begin;  /* corner v lies on the faces corner_faces[corner_begin[v]] to [corner_begin[v + 1] - 1], ... */
    int *corner_faces;
    int *corner_next; /* ... and after it in each of them comes this corner: its neighbours, once each */
    int start[8];     /* where to start the walk, by octant of the direction */
    int *near;     /* CRN_HULL_CELLS: the corner furthest along the middle of each cell of directions; NULL: no walks */
    bool walkable; /* large enough for a walk, and all its corners have neighbours */
    double thickness; /* m: half the least extent along a face's normal */
    double extent;    /* m: of the furthest corner from the origin */
    double *given;    /* the corners before they were recentred; NULL: they were not */
} crn_hull;

/* Whether the points span a volume, that is, do not all lie in a plane, within rounding. */
bool crn_points_span(const double *points, int count);

/* The hull of points that span a volume. CAIRN_NO_MEMORY, or CAIRN_NUMERIC when Qhull finds none. */
cairn_status crn_hull_create(const double *points, int count, crn_hull **out);
/* The same from its corners and faces, as such a hull has them. CAIRN_NO_MEMORY. */
cairn_status crn_hull_rebuild(const crn_hull *from, crn_hull **out);
void crn_hull_destroy(crn_hull *hull);
/* The support point: the corner furthest along n. */
int crn_hull_support(const crn_hull *hull, const double n[3]);
/* The same, several times as fast; of corners that are equally far, within rounding, it may be another one. For bounds. */
int crn_hull_extreme(const crn_hull *hull, const double n[3]);
/* Derive the corner_* arrays from the faces; part of crn_hull_create. */
cairn_status crn_hull_join(crn_hull *hull);
crn_moments crn_hull_moments(const crn_hull *hull);
/* Move a hull so that the centre of its volume is the origin. */
cairn_status crn_hull_centre(crn_hull *hull);

#endif
