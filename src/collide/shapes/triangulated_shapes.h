/* Boxes and hulls as triangles, for models with meshes: one cube for all boxes, and one mesh per hull. */
#ifndef CRN_COLLIDE_SHAPES_TRIANGULATED_SHAPES_H
#define CRN_COLLIDE_SHAPES_TRIANGULATED_SHAPES_H

#include "collide/narrow.h"

typedef struct crn_facet
{
    crn_mesh *mesh;
    crn_mesh_index *index;
} crn_facet;

typedef struct crn_facets
{
    crn_facet cube;  /* from -1 to 1 on every axis */
    crn_facet *hull; /* one per shape */
    size_t hull_capacity, hull_count;
} crn_facets;

/* Add the shapes that the model has gained since the last call; does nothing in a model without meshes. */
cairn_status crn_facets_update(crn_facets *facets, const cairn_model *model);
void crn_facets_free(crn_facets *facets);
/* Give a placed box or hull its triangles; shape < 0: it is not a shape of the model. */
void crn_facets_lend(const crn_facets *facets, int shape, crn_placed *placed);

#endif
