/* Ellipses (n = 2) and ellipsoids (n = 3) about the origin, axes along the coordinates. */
#ifndef CRN_MATH_ELLIPSOID_H
#define CRN_MATH_ELLIPSOID_H

/* The unit normal of the surface at the point nearest to y: the direction m with the largest m y - rho(m), where
 * rho(m) = |(e_k m_k)| is the support function; that value is the distance of y, negative inside. Where several points are
 * nearest (y on the medial surface) it is the one on the positive side of the first shortest axis. */
void crn_ellipsoid_normal(int n, const double semi_axes[], const double y[], double normal[]);

#endif
