/* The frame of a contact without spin. */
#ifndef CRN_MATH_TANGENTS_H
#define CRN_MATH_TANGENTS_H

#include "math/vec.h"

/* crn_tangents made orthonormal to rounding, which the formula alone is not near n = -z: (n, t1, t2) is right-handed. */
static inline void crn_orthonormal_tangents(const double n[3], double t1[3], double t2[3])
{
    crn_tangents(n, t1, t2);
    crn_madd3(t1, -crn_dot3(n, t1), n, t1);
    crn_scale3(1.0 / crn_norm3(t1), t1, t1);
    crn_cross3(n, t1, t2);
}

#endif
