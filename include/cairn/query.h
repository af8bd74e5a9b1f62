/* Queries: distances, rays, regions and closest points.
 *
 * A query holds the shapes of a model in one set of poses: the initial ones, those of a simulation, or given ones. It ignores
 * contact filters, groups and ignored pairs: every shape counts. Planar models use the first two entries of every [3] vector.
 *
 *     cairn_query *query;
 *     cairn_query_create(context, model, &query);
 *     cairn_query_follow(query, simulation);
 *     cairn_query_ray(query, origin, direction, INFINITY, hits, 1, &count);
 *     cairn_query_destroy(query);
 *
 * All functions that return a status answer CAIRN_INVALID, with a message in the query's context, for NULL arguments, numbers
 * that are not finite, null, stale and foreign handles, and once something was added to the model or removed from it: then make
 * another query. They answer CAIRN_NO_MEMORY when memory ran out. Guide: docs/query.md.
 */
#ifndef CAIRN_QUERY_H
#define CAIRN_QUERY_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* ------------------------------------------------------------------------------------------ making and placing */

/* The shapes of a model in one set of poses, with workspace. One thread at a time may use a query. */
typedef struct cairn_query cairn_query;

/* Create a query with all bodies at their initial poses. The model and the context must outlive it. *out belongs to the caller
 * (cairn_query_destroy); it is NULL on failure. */
CAIRN_API cairn_status cairn_query_create(cairn_context *context, const cairn_model *model, cairn_query **out);

/* Destroy a query. NULL is allowed. */
CAIRN_API void cairn_query_destroy(cairn_query *query);

/* Move all bodies to where they are in a simulation of the same model now. Costs O(n log n) for n shapes. The query does not
 * follow later steps by itself. */
CAIRN_API cairn_status cairn_query_follow(cairn_query *query, const cairn_simulation *simulation);

/* Move all bodies to given poses: one state per body of the model, in its order, such as a frame of a run file. Velocities are
 * ignored. A body whose position is NAN is absent, and nothing finds it. */
CAIRN_API cairn_status cairn_query_place(cairn_query *query, const cairn_body_state *states);

/* --------------------------------------------------------------------------------------------------- distances */

/* The distance between two things a and b, and where it is attained. */
typedef struct cairn_distance
{
    /* m; negative: they overlap, by that depth. */
    double distance;
    /* Unit vector from b to a. */
    double normal[3];
    /* m, world: the nearest points; point_a - point_b = distance * normal. */
    double point_a[3], point_b[3];
    /* The shapes these points belong to; null for a mere point. */
    cairn_shape shape_a, shape_b;
} cairn_distance;

/* Distance between two bodies: that of their two nearest shapes. CAIRN_INVALID also when a body has no shape, or when both
 * consist of half-planes or half-spaces only. */
CAIRN_API cairn_status cairn_query_distance(cairn_query *query, cairn_body a, cairn_body b, cairn_distance *out);

/* Distance between a body and a point of the world (m). In the result, a is the body and b the point; the distance is negative
 * when the point lies inside. */
CAIRN_API cairn_status cairn_query_closest(cairn_query *query, cairn_body body, const double point[3],
                                           cairn_distance *out);

/* -------------------------------------------------------------------------------------------- rays and regions */

/* Where a ray enters a shape. */
typedef struct cairn_ray_hit
{
    cairn_body body;
    cairn_shape shape;
    /* m along the ray. */
    double distance;
    /* m, world. */
    double point[3];
    /* Unit, outward; against the ray when the ray begins inside. */
    double normal[3];
    /* The ray begins inside the shape; the distance is then 0. */
    bool inside;
} cairn_ray_hit;

/* Find the shapes that a ray meets within `most` metres (INFINITY is allowed), each where the ray enters it, the nearest first
 * (of equals, the lower id). The direction need not have unit length. `hits` receives the first `capacity` of them; *count is
 * the number of all, which may be larger. */
CAIRN_API cairn_status cairn_query_ray(cairn_query *query, const double origin[3], const double direction[3],
                                       double most, cairn_ray_hit *hits, int capacity, int *count);

/* A ball, a cylinder or a box; in the plane a disc or a rectangle. */
typedef struct cairn_region
{
    /* m, world. */
    double centre[3];
    /* m; > 0: a ball, disc or cylinder of this radius; 0: a box or rectangle. */
    double radius;
    /* m; > 0, in space: a cylinder of this height about the z axis of its frame. */
    double height;
    /* m: edge lengths of the box. */
    double size[3];
    /* rad: how far a rectangle is turned. */
    double angle;
    /* Quaternion (w, x, y, z) by which a box or cylinder is turned; all 0: not turned. */
    double orientation[4];
} cairn_region;

/* Find the bodies that touch or overlap a region, in the order of the model. `bodies` receives the first `capacity` of them;
 * *count is the number of all, which may be larger. */
CAIRN_API cairn_status cairn_query_overlap(cairn_query *query, const cairn_region *region, cairn_body *bodies,
                                           int capacity, int *count);

CAIRN_END_DECLS

#endif
