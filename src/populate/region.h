/* Regions of the world: how deep a point lies in one, and random points in it. */
#ifndef CRN_POPULATE_REGION_H
#define CRN_POPULATE_REGION_H

#include "base/random.h"
#include "cairn/population.h"
#include "math/bounds.h"
#include "math/pose.h"

typedef struct crn_region
{
    cairn_region_kind kind;
    int dimension;
    crn_pose pose;
    double half[3];             /* m: half edge lengths of a box; radius, radius and half the height of a cylinder */
    struct crn_interior *inner; /* mesh */
    double volume;              /* m^3; plane: m^2 */
    crn_bounds bounds;          /* in the world */
    crn_bounds own;             /* in its own frame */
} crn_region;

/* Prepare a region; NULL, or what is wrong with it: a sentence that begins with the name of a field. It must be closed in any case. */
const char *crn_region_open(const cairn_population_region *options, int dimension, crn_region *out);
void crn_region_close(crn_region *region);

/* m: the radius of the largest ball about x that lies in the region; negative outside. */
double crn_region_depth(const crn_region *region, const double x[3]);
/* The same, and the direction in which it grows (unit; any where the depth has several). */
double crn_region_slope(const crn_region *region, const double x[3], double inward[3]);
/* A random point of its bounds, turned as the region is: which may lie outside. */
void crn_region_draw(const crn_region *region, crn_random *random, double x[3]);

#endif
