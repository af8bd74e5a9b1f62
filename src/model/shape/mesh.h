/* Triangle meshes: an oriented surface, used for collision detection, mass and drawing. Height fields are meshes too. */
#ifndef CRN_MODEL_SHAPE_MESH_H
#define CRN_MODEL_SHAPE_MESH_H

#include "base/memory.h"
#include "model/shape/moments.h"

#include <stdbool.h>

enum
{
    CRN_MOST_TRIANGLES = 1 << 20 /* and vertices */
};

typedef struct crn_mesh
{
    crn_arena memory; /* all arrays */
    int vertex_count, triangle_count;
    double *vertices; /* x, y, z; shape's frame */
    int *triangles;   /* three vertices each, counter-clockwise from outside */
    int *
        begin; /* 3 t: where triangle t begins in `triangles`, in the same form as the faces of a hull; triangle_count + 1 entries */
    double *normals;   /* unit, outward, one per triangle */
    int *neighbours;   /* three per triangle: the triangle across the edge from corner k to corner k + 1; -1: border */
    signed char *bend; /* likewise, the bend of that edge: +1 convex, 0 flat (to rounding), -1 concave; border: +1 */
    bool closed;       /* no border, so it has an inside and a volume */
    double extent;     /* m: of the furthest vertex from the origin */
    double *given;     /* the vertices before they were recentred; NULL: they were not */
} crn_mesh;

/* Triangles as they come from a user or a file. */
typedef struct crn_mesh_data
{
    const double *vertices;
    int vertex_count;
    const int *triangles; /* from 0 */
    int triangle_count;
    double
        weld;  /* m: vertices nearer to each other than this become one, and triangles that vanish by it are dropped; 0:
                    vertices of the same coordinates become one */
    bool flip; /* reverse every triangle */
} crn_mesh_data;

typedef enum crn_mesh_fault
{
    CRN_MESH_SOUND = 0,
    CRN_MESH_EMPTY,      /* no triangle, or none left */
    CRN_MESH_NOT_FINITE, /* `vertex`, or further than 1e30 */
    CRN_MESH_RANGE,      /* `triangle` names `vertex`, which is none */
    CRN_MESH_NO_AREA,    /* `triangle` */
    CRN_MESH_TWICE,      /* `triangle` has the corners of `other` */
    CRN_MESH_CROWDED,    /* `count` triangles, `triangle` the first, share `edge` */
    CRN_MESH_TURNED,     /* `triangle` and `other` run along their common `edge` in the same direction */
    CRN_MESH_INSIDE_OUT, /* closed, and `volume` is negative */
    CRN_MESH_NO_VOLUME,  /* closed, and none to speak of */
} crn_mesh_fault;

/* The result of the checks; triangles and vertices are numbered as in the data. */
typedef struct crn_mesh_report
{
    crn_mesh_fault fault;
    int triangle, other, vertex, count;
    double edge[2][3];
    double volume;       /* m^3, of a closed mesh */
    int border_count;    /* edges with a triangle on one side only, ... */
    int border_triangle; /* ... the first triangle that has one, ... */
    double border[2][3]; /* ... and the ends of that edge */
} crn_mesh_report;

/* Build a mesh. CAIRN_OK; CAIRN_INVALID with report->fault; CAIRN_NO_MEMORY. Self-intersections are not detected. */
cairn_status crn_mesh_create(const crn_mesh_data *data, crn_mesh_report *report, crn_mesh **out);
void crn_mesh_destroy(crn_mesh *mesh);

/* Moments of the volume of a closed mesh. */
crn_moments crn_mesh_moments(const crn_mesh *mesh);
/* Move a closed mesh so that the centre of its volume is the origin. */
cairn_status crn_mesh_centre(crn_mesh *mesh);

/* Number the vertices that are kept, and count them; vertices that no triangle uses get -1. `kept` and `number` have room
 * for all vertices. CAIRN_OK or CAIRN_NO_MEMORY. */
cairn_status crn_merge_vertices(const crn_mesh_data *data, int *number, double *kept, int *kept_count);

#endif
