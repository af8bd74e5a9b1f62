#include "math/swing_twist_angle.h"

#include "math/vec.h"

#include <assert.h>
#include <stddef.h>

double crn_swing_twist_angle(const double q_a[4], const double q_b[4], const double axis[3], double gradient_a[3],
                             double gradient_b[3])
{
    assert(fabs(crn_norm3(axis) - 1.0) < 1e-6);
    double conjugate[4], relative[4];
    crn_quaternion_conjugate(q_a, conjugate);
    crn_quaternion_multiply(conjugate, q_b, relative);
    double e0 = relative[0];
    const double *e = relative + 1;
    double along = crn_dot3(e, axis);
    double D = e0 * e0 + along * along;
    double cross[3]; /* e x a */
    crn_cross3(e, axis, cross);
    for (int k = 0; gradient_a && gradient_b && k < 3; ++k)
    {
        /* D = 0 only where b is turned half around an axis across a: there the angle has no meaning, and no pull */
        double common = D > 1e-300 ? (e0 * e0 * axis[k] + along * e[k]) / D : 0.0;
        double skew = D > 1e-300 ? e0 * cross[k] / D : 0.0;
        gradient_a[k] = -(common + skew);
        gradient_b[k] = common - skew;
    }
    return 2.0 * atan2(along, e0);
}
