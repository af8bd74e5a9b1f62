/* The bodies that stand in a part of the world, asked whether a ball has room among them. */
#ifndef CRN_COLLIDE_QUERY_OBSTACLES_H
#define CRN_COLLIDE_QUERY_OBSTACLES_H

#include "collide/mesh/mesh.h"
#include "collide/narrow.h"
#include "collide/shapes/triangulated_shapes.h"
#include "math/pose.h"
#include "math/tree.h"

typedef struct crn_obstacles
{
    const cairn_model *model;
    crn_arena memory;   /* placed, vertices, bounds, bounded, shape */
    crn_placed *placed; /* one per shape that stands there, half-planes and half-spaces last */
    double *vertices;
    crn_bounds *bounds;
    int *shape;
    int count, bounded; /* of these, and those with bounds */
    crn_tree tree;
    crn_hits found;
    crn_facets facets;
    crn_touch *touches;
    size_t touch_capacity;
    crn_mesh_work mesh;
} crn_obstacles;

/* Gather the shapes near `where` of bodies that collide with a body of these groups. `poses` has one entry per body; bodies for which
 * `absent` is true do not count, NULL: none is. CAIRN_NO_MEMORY; close it in any case. It can be gathered again. */
cairn_status crn_obstacles_gather(crn_obstacles *obstacles, const cairn_model *model, const crn_pose *poses,
                                  const bool *absent, const crn_bounds *where, uint64_t groups, uint64_t collides_with);
void crn_obstacles_close(crn_obstacles *obstacles);

/* The body that a ball (disc) comes nearer to than `clear`, -1: none. *failed: memory ran out. */
int crn_obstacles_meet(crn_obstacles *obstacles, const double x[3], double radius, double clear, bool *failed);

#endif
