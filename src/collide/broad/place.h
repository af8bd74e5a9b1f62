/* Shapes brought from their bodies' frames into the world. */
#ifndef CRN_COLLIDE_BROAD_PLACE_H
#define CRN_COLLIDE_BROAD_PLACE_H

#include "collide/collide.h"
#include "collide/narrow.h"

/* Fill `placed` from a shape and the pose of its body, bounds included. `vertices` receives the world's vertices of a
 * planar shape (x, y pairs) and must outlive `placed`. */
void crn_place(const crn_shape *shape, int dimension, const crn_pose *pose, double margin, double *vertices,
               crn_placed *placed);

#endif
