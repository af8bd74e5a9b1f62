/* Hollow cylinders and cones: rings about z, whose inner wall bodies touch (kinds/hollow.c). */
#ifndef CRN_MODEL_SHAPE_HOLLOW_H
#define CRN_MODEL_SHAPE_HOLLOW_H

#include "model/shape/shape_class.h"

static const double CRN_HOLLOW_OUT = 2.0; /* radius of the solid, of the largest radius of the hole */

/* The nearest part of the ring to a point at the distance rho from the axis and the height z. */
typedef struct crn_hollow_side
{
    double distance; /* m: negative inside of the solid, where it is minus the least depth */
    double n[2];     /* unit, away from the solid: outwards from the axis, and up */
    bool is_wall;    /* the foot is on the inner wall; else on a rim or an end */
} crn_hollow_side;

crn_hollow_side crn_hollow_nearest(const double half[3], double rho, double z);

/* Half the extent along a coordinate of the world. */
double crn_hollow_extent(const crn_placed *p, int k);
/* Where the line x + s n (world) passes through the solid: the number of stretches, 2 at most, ascending. */
int crn_hollow_spans(const crn_placed *p, const double x[3], const double n[3], double low[2], double high[2]);

#endif
