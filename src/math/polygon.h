/* Regular polygons about the origin with a vertex on the first axis: the bases of friction pyramids. */
#ifndef CRN_MATH_POLYGON_H
#define CRN_MATH_POLYGON_H

/* Vertex k of the m-gon (m even) of radius 1, at the angle 2 pi k / m. Opposite vertices are exact negatives, and those
 * on the axes are exact. */
void crn_polygon_vertex(int m, int k, double out[2]);

/* The point nearest to x in the m-gon (m even) of circumradius `radius` >= 0. */
void crn_polygon_project(int m, double radius, const double x[2], double out[2]);

#endif
