/* The angle of four directions, one per lane, to within 1e-15 rad. As usual, |tan| is brought to at most 0.66, where the arctangent is
 *
 *     atan x = x + x z P(z) / Q(z),     z = x^2
 *
 * with the polynomials of Moshier's library Cephes (Methods and Programs for Mathematical Functions, 1989). */
#ifndef CRN_MATH_LANES_ANGLE_H
#define CRN_MATH_LANES_ANGLE_H

#include "math/lanes.h"

/* atan x for |x| <= 0.66. */
INLINE lanes lanes_small_arctangent(lanes x)
{
    lanes z = x * x;
    lanes P = ((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z;
    lanes Q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) * z +
               4.853903996359136964868e2) *
                  z +
              1.945506571482613964425e2;
    P = (P - 1.228866684490136173410e2) * z - 6.485021904942025371773e1;
    return x + x * (z * P / Q);
}

/* atan2(sine, cosine); 0 where both are 0. */
INLINE lanes lanes_angle(lanes sine, lanes cosine)
{
    const lanes zero = {0.0}, quarter = 0.78539816339744830962 + zero, half = 1.57079632679489661923 + zero;
    lanes s = lanes_size(sine), c = lanes_size(cosine);
    lane_bits steep = s > c;
    lanes small = lanes_choose(steep, c, s), large = lanes_choose(steep, s, c);
    lane_bits middle = small > 0.4142135623730950488 * large;
    large = lanes_choose(large == zero, 1.0 + zero, large);
    lanes x = lanes_choose(middle, small - large, small) / lanes_choose(middle, small + large, large);
    lanes angle = lanes_small_arctangent(x) + (lanes)(middle & (lane_bits)quarter);
    angle = lanes_choose(steep, half - angle, angle);
    angle = lanes_choose(cosine < zero, 2 * half - angle, angle);
    return lanes_choose(sine < zero, -angle, angle);
}

#endif
