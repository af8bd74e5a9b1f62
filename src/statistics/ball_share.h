/* How much of a ball (in the plane: a disc) lies in a region. */
#ifndef CRN_STATISTICS_BALL_SHARE_H
#define CRN_STATISTICS_BALL_SHARE_H

#include "model/zone.h"

/* Where a ball of radius r about x (world) lies; it may also be said to cross the surface where it just misses an edge. */
typedef enum crn_where
{
    CRN_BALL_OUTSIDE,
    CRN_BALL_CUT,
    CRN_BALL_INSIDE
} crn_where;
crn_where crn_ball_where(const crn_zone *region, const double x[3], double r);

/* m^3, in the plane m^2: the common volume, to 1e-10 of that of the ball. */
double crn_ball_share(const crn_zone *region, const double x[3], double r);

#endif
