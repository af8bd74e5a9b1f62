/* Shapes brought from their bodies' frames into the world. */
#ifndef CRN_COLLIDE_BROAD_PLACE_H
#define CRN_COLLIDE_BROAD_PLACE_H

#include "collide/collide.h"
#include "collide/narrow.h"

#include <assert.h>
#include <math.h>

/* Fill `placed` from a shape and the pose of its body, bounds included. `vertices` receives the world's vertices of a
 * planar shape (x, y pairs) and must outlive `placed`. */
void crn_place(const crn_shape *shape, int dimension, const crn_pose *pose, double margin, double *vertices,
               crn_placed *placed);

/* The same for a bounded shape of space that has been placed before and whose frame is that of its body. */
void crn_place_again(const crn_pose *pose, double margin, crn_placed *placed);

/* A point of a body in the world. */
void crn_place_point(const crn_pose *pose, const double local[3], double out[3]);

/* Grow the bounds of a shape's core by radius and margin, and slightly more, so that rounding does not lose shapes that touch
 * exactly. */
static inline void crn_bounds_grow(crn_bounds *bounds, double radius, double margin)
{
    for (int k = 0; k < 3; ++k)
    {
        double slop = 1e-12 * (fabs(bounds->lower[k]) + fabs(bounds->upper[k]) + radius);
        double reach = radius + margin + slop;
        bounds->lower[k] -= reach;
        bounds->upper[k] += reach;
        assert(bounds->lower[k] <= bounds->upper[k]);
    }
}

static inline crn_bounds crn_ball_bounds(const double centre[3], double radius, double margin)
{
    crn_bounds bounds = {{centre[0], centre[1], centre[2]}, {centre[0], centre[1], centre[2]}};
    crn_bounds_grow(&bounds, radius, margin);
    return bounds;
}

#endif
