/* What collision detection asks of a mesh, found once: its sharp edges, what lies around a vertex, which triangles are one flat
 * region, and trees of bounds over triangles and sharp edges. All in the mesh's own frame, constant once made.
 *
 * A ridge is an edge that something may touch: a convex one, or one at the border. Flat edges are not there at all, and in a
 * concave one the two faces are met before it. At the border the surface is taken to go down along minus the normal, so
 * that what lies beside it below does not touch it.
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
    crn_ridge *ridges; /* those at the border first */
    int ridge_count;
    int *vertex_ridge;     /* of each vertex, the first ridge that ends there; -1: none */
    int *ring_begin;       /* of vertex v the neighbours are ring[ring_begin[v]] to ring[ring_begin[v + 1] - 1] */
    int *ring;             /* each once */
    int *region;           /* of each triangle, the least one that it is joined to by flat edges */
    crn_bounds *bounds;    /* of the triangles ... */
    crn_bounds *stretches; /* ... and of the ridges */
    crn_tree triangles, sharp;
    crn_bounds all;
    crn_hull *hull; /* of all vertices; NULL: they span no volume, or were too many */
} crn_mesh_index;

/* CAIRN_OK or CAIRN_NO_MEMORY. */
cairn_status crn_mesh_index_create(const crn_mesh *mesh, crn_mesh_index **out);
void crn_mesh_index_destroy(crn_mesh_index *index);

#endif
