/* How far two placed shapes are apart: one touch, the nearest. */
#ifndef CRN_COLLIDE_CONVEX_DISTANCE_H
#define CRN_COLLIDE_CONVEX_DISTANCE_H

#include "collide/narrow.h"

/* `room` has space for the touches of the pair. False where there is no answer: two half-planes or half-spaces. */
bool crn_distance(const crn_placed *a, const crn_placed *b, int dimension, crn_manifold *room, crn_touch *out);

/* The outward normal of a shape at a point of its surface that a line along the unit vector d comes upon. */
void crn_surface_normal(const crn_placed *shape, const double x[3], const double d[3], double out[3]);

#endif
