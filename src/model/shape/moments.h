/* The moments of a volume enclosed by triangles, from which mass and inertia follow. */
#ifndef CRN_MODEL_SHAPE_MOMENTS_H
#define CRN_MODEL_SHAPE_MOMENTS_H

/* Volume, first moment (volume times centre) and second moments (xx, yy, zz, xy, xz, yz) about the origin. */
typedef struct crn_moments
{
    double volume;
    double first[3];
    double second[6];
} crn_moments;

/* The mean of points. Taking moments about it keeps the digits of a volume far from the origin. */
void crn_mean_of(const double *points, int count, double mean[3]);

/* Add the tetrahedron between `apex` and the triangle p q r, counter-clockwise from outside; all moments about the apex. */
void crn_moments_add(crn_moments *m, const double apex[3], const double p[3], const double q[3], const double r[3]);

/* Convert moments about the apex to moments about the origin. */
void crn_moments_shift(crn_moments *m, const double apex[3]);

/* Translate points so that the centre of the volume becomes the origin. */
void crn_moments_centre(const crn_moments *m, double *points, int count);

/* The largest distance of the points from the origin. */
double crn_extent_of(const double *points, int count);

#endif
