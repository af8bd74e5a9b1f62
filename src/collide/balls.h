/* Pairs of balls, of which large heaps are made, four at a time: which of them are near, and where they touch. The results are those of
 * crn_balls_near and crn_touch_balls to the bit. */
#ifndef CRN_COLLIDE_BALLS_H
#define CRN_COLLIDE_BALLS_H

#include "collide/broad/broad.h"

enum
{
    CRN_BALLS = 64 /* pairs at once; as many lanes less one may follow the last */
};

/* Where two balls touch: a crn_contact from its gap on. */
typedef struct crn_ball_touch
{
    double gap, normal[3], point_a[3], point_b[3];
    double ordinary; /* 0: one is a half-space, or so little is left after rounding that crn_touch_balls has to look */
    double unused;
} crn_ball_touch;

/* Keep the pairs that may come within reach, in their order, and return their number. Those with a half-space are kept, too. */
int crn_balls_sift(const crn_sites *sites, crn_shape_pair *pair, int count);
/* The touches of pairs; those that are not of two balls get nothing of use. */
void crn_balls_meet(const crn_sites *sites, crn_shape_pair *pair, int count, crn_ball_touch *touch);

#endif
