/* The projection on circular cones (cone.c), four at a time. */
#ifndef CRN_MATH_LANES_CONE_H
#define CRN_MATH_LANES_CONE_H

#include "math/lanes.h"

/* out: the points of the cones |x_t| <= mu x_n that are nearest to x. Where x lies inside, to the bit. */
INLINE void lanes_cone_project(lanes mu, const lanes x[3], lanes out[3])
{
    const lanes zero = {0.0}, one = {1.0, 1.0, 1.0, 1.0};
    lanes size = lanes_root(x[1] * x[1] + x[2] * x[2]), height = x[0] + mu * size;
    lane_bits inside = (x[0] >= zero) & (size <= mu * x[0]);
    lanes normal = (lanes)(~(height <= zero) & (lane_bits)(height / (one + mu * mu)));
    lanes factor = (lanes)((size > zero) & (lane_bits)(mu * normal / size));
    out[0] = lanes_choose(inside, x[0], normal);
    factor = lanes_choose(inside, one, factor);
    out[1] = factor * x[1];
    out[2] = factor * x[2];
}

#endif
