/* An index of a mesh for collision detection: its sharp edges, the neighbours of each vertex, which triangles form one
 * flat region, and trees of bounds over triangles and sharp edges. Everything is in the mesh's own frame and constant.
 *
 * A ridge is an edge that something can touch: a convex edge or one at the border. Flat edges are ignored, and at a
 * concave edge the two faces are touched before it. At the border the surface is taken to continue straight down along
 * minus the normal, so that what lies beside it and below does not touch it.
 */
#ifndef CRN_MODEL_SHAPE_MESH_INDEX_H
#define CRN_MODEL_SHAPE_MESH_INDEX_H

#include "math/tree.h"
#include "model/shape/hull.h"
#include "model/shape/mesh.h"

typedef struct crn_ridge
{
    int v[2]; /* its ends; triangle t[0] runs from the first to the second */
    int t[2]; /* its triangles; -1: border */
} crn_ridge;

typedef struct crn_mesh_index
{
    crn_arena memory;  /* all arrays but those of trees and hull */
    crn_ridge *ridges; /* border ridges first */
    int ridge_count;
    int *vertex_ridge;     /* per vertex: the first ridge that ends there; -1: none */
    int *ring_begin;       /* the neighbours of vertex v are ring[ring_begin[v]] to ring[ring_begin[v + 1] - 1] */
    int *ring;             /* each once */
    int *region;           /* per triangle: the lowest triangle connected to it by flat edges */
    crn_bounds *bounds;    /* of the triangles ... */
    crn_bounds *stretches; /* ... and of the ridges */
    crn_tree triangles, sharp;
    crn_bounds all;
    crn_hull *hull; /* of all vertices; NULL: they span no volume, or are too many */
} crn_mesh_index;

/* CAIRN_OK or CAIRN_NO_MEMORY. */
cairn_status crn_mesh_index_create(const crn_mesh *mesh, crn_mesh_index **out);
void crn_mesh_index_destroy(crn_mesh_index *index);

#endif
