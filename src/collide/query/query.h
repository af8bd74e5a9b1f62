/* The internals of a query: shapes placed in one set of poses. */
#ifndef CRN_COLLIDE_QUERY_QUERY_H
#define CRN_COLLIDE_QUERY_QUERY_H

#include "base/memory.h"
#include "collide/collide.h"
#include "collide/mesh/mesh.h"
#include "collide/shapes/triangulated_shapes.h"
#include "math/tree.h"

/* The shapes of all bodies of a model in given poses. */
struct cairn_query
{
    cairn_context *context;
    const cairn_model *model;
    crn_arena memory;  /* poses, placed, vertices, bounds, bounded, hit, hits */
    uint64_t revision; /* revision of the model that the arrays were made for */
    crn_pose *poses;
    crn_placed *placed; /* one per shape */
    double *vertices;
    crn_bounds *bounds; /* one per shape; not of half-planes and half-spaces */
    int *bounded;
    int bounded_count;
    crn_tree tree; /* over the bounded shapes */
    crn_hits found;
    crn_touch *touches; /* workspace for one pair */
    size_t touch_capacity;
    crn_facets facets;
    crn_mesh_work mesh;
    bool *hit; /* one per body */
    struct cairn_ray_hit *hits;
};

/* CAIRN_INVALID with a message when the model has changed since the query was made. */
cairn_status crn_query_check(const struct cairn_query *query);
/* Take the poses over. CAIRN_NUMERIC when one is not finite. */
cairn_status crn_query_update(struct cairn_query *query);

#endif
