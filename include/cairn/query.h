/* Questions about where bodies are: distance, rays, regions, closest points.
 *
 * A query holds the shapes of a model in one set of poses: those in which the model begins, those of a simulation, or given
 * ones. It keeps memory from question to question and is not to be shared between threads. Contact filters and ignored pairs
 * do not count: every shape is there. Planar models use the first two entries of every [3] vector.
 *
 *     cairn_query *query;
 *     cairn_query_create(context, model, &query);
 *     cairn_query_follow(query, simulation);
 *     cairn_query_ray(query, origin, direction, INFINITY, hits, 1, &count);
 */
#ifndef CAIRN_QUERY_H
#define CAIRN_QUERY_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

typedef struct cairn_query cairn_query;

/* The model must outlive the query. When something was added to it or removed from it, the query answers CAIRN_INVALID, and
 * another one must be made. */
CAIRN_API cairn_status cairn_query_create(cairn_context *context, const cairn_model *model, cairn_query **out);
CAIRN_API void cairn_query_destroy(cairn_query *query);

/* Where the bodies are now; velocities are not looked at. Cost O(n log n). */
CAIRN_API cairn_status cairn_query_follow(cairn_query *query, const cairn_simulation *simulation);
/* The same from the states of all bodies, in the order of the model (or of a run file's frame). */
CAIRN_API cairn_status cairn_query_place(cairn_query *query, const cairn_body_state *states);

typedef struct cairn_distance
{
    double distance;               /* m; negative: the bodies overlap, by that depth */
    double normal[3];              /* unit, from b to a */
    double point_a[3], point_b[3]; /* m, world; point_a - point_b = distance * normal */
    cairn_shape shape_a, shape_b;  /* null: none, a mere point */
} cairn_distance;

/* Of the two nearest shapes of two bodies. CAIRN_INVALID when a body has no shape, or both nothing but half-planes or
 * half-spaces. */
CAIRN_API cairn_status cairn_query_distance(cairn_query *query, cairn_body a, cairn_body b, cairn_distance *out);

/* The point of a body nearest to a point of the world: point_a on the body, point_b the point; negative inside. */
CAIRN_API cairn_status cairn_query_closest(cairn_query *query, cairn_body body, const double point[3],
                                           cairn_distance *out);

typedef struct cairn_ray_hit
{
    cairn_body body;
    cairn_shape shape;
    double distance;  /* m along the ray */
    double point[3];  /* m, world */
    double normal[3]; /* unit, outward; against the ray when it begins inside */
    bool inside;      /* the ray begins inside the shape: distance 0 */
} cairn_ray_hit;

/* The shapes that a ray meets within `most` metres, each where it is entered, the nearest first (of equals, the lower id).
 * `hits` gets the first `capacity` of them; *count is how many there are. The direction need not have unit length. */
CAIRN_API cairn_status cairn_query_ray(cairn_query *query, const double origin[3], const double direction[3],
                                       double most, cairn_ray_hit *hits, int capacity, int *count);

typedef struct cairn_region
{
    double centre[3];
    double radius;         /* m; > 0: a ball, in the plane a disc */
    double size[3];        /* m; radius 0: a box with these edges, in the plane a rectangle */
    double angle;          /* rad, planar box */
    double orientation[4]; /* spatial box; all 0: none */
} cairn_region;

/* The bodies that touch or overlap a region, in the order of the model. `bodies` gets the first `capacity` of them; *count is
 * how many there are. */
CAIRN_API cairn_status cairn_query_overlap(cairn_query *query, const cairn_region *region, cairn_body *bodies,
                                           int capacity, int *count);

CAIRN_END_DECLS

#endif
