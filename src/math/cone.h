/* Projections on friction cones in the frame of a contact: the normal first, then one or two tangents. */
#ifndef CRN_MATH_CONE_H
#define CRN_MATH_CONE_H

/* The point nearest to x in { |x_t| <= mu x_n }, mu >= 0; dim 2 (a wedge) or 3. x and out may be the same. */
void crn_cone_project(int dim, double mu, const double *x, double *out);

/* The point nearest to x in the cone over the m-gon (m even) of circumradius mu >= 0. x and out may be the same. */
void crn_pyramid_project(int m, double mu, const double x[3], double out[3]);

#endif
