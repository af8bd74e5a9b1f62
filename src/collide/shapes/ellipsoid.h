/* A placed ellipse (in the plane, third semi-axis 0) or ellipsoid: half = semi-axes, R its axes, centre. */
#ifndef CRN_COLLIDE_SHAPES_ELLIPSOID_H
#define CRN_COLLIDE_SHAPES_ELLIPSOID_H

#include "collide/narrow.h"

/* rho(n) = max n (x - centre) over the shape = |(e_k n_k)| in its frame; homogeneous in n. */
double crn_ellipsoid_support(const crn_placed *p, const double n[3]);
/* Its gradient: the point of the surface, from the centre, whose outward normal is n. Returns rho(n). */
double crn_ellipsoid_support_point(const crn_placed *p, const double n[3], double out[3]);
/* Height of the lowest point of p over x along n. */
double crn_ellipsoid_height(const crn_placed *p, const double n[3], const double x[3]);
/* The direction n from the point x to the shape along which they are furthest apart (or least deep). */
void crn_ellipsoid_away_from(const crn_placed *p, int dimension, const double x[3], double n[3]);
/* Add the touch of a pair whose a is p, by its normal and gap. */
void crn_ellipsoid_add(const crn_placed *p, const double n[3], double gap, crn_manifold *out);

#endif
