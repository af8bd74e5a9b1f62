/* Velocities of bodies in the world, computed once per body where many contacts need them. */
#ifndef CRN_STEP_TWIST_H
#define CRN_STEP_TWIST_H

#include "formulate/frame.h"
#include "math/vec.h"

typedef struct crn_twist
{
    double x[3];       /* m: origin */
    double v[3], w[3]; /* m/s, rad/s: linear and angular velocity, world frame */
} crn_twist;

/* The twists of all bodies of a frame if the dynamic ones have velocity v. Driven ones move if `drive` is set; fixed ones rest. */
void crn_twists_read(const crn_layout *layout, const crn_frame *frame, const double *v, bool drive, crn_twist *out);

/* Velocity of a's point relative to b's, both points in the world. */
static inline void crn_twist_apart(const crn_twist *a, const double point_a[3], const crn_twist *b,
                                   const double point_b[3], double u[3])
{
    double arm_a[3], arm_b[3], of_a[3], of_b[3];
    crn_sub3(point_a, a->x, arm_a);
    crn_sub3(point_b, b->x, arm_b);
    crn_cross3(a->w, arm_a, of_a);
    crn_cross3(b->w, arm_b, of_b);
    for (int k = 0; k < 3; ++k)
        u[k] = (a->v[k] + of_a[k]) - (b->v[k] + of_b[k]);
}

#endif
