/* The angle by which body b is turned against body a around an axis of a, and its gradient.
 *
 * Relative orientation e = conj(q_a) q_b = (e0, e). Split into swing and a turn about the axis a, the turn is
 *     phi = 2 atan2(e.a, e0).
 * With e' = -1/2 w_a e + 1/2 e w_b (angular velocities in each body's own frame) and D = e0^2 + (e.a)^2:
 *     d phi/d w_a = -(e0^2 a + e0 e x a + (e.a) e) / D
 *     d phi/d w_b =  (e0^2 a + e0 a x e + (e.a) e) / D
 * For a pure hinge (e along a) both are the axis itself, up to sign.
 */
#ifndef CRN_MATH_SWING_TWIST_ANGLE_H
#define CRN_MATH_SWING_TWIST_ANGLE_H

/* phi in (-2 pi, 2 pi]; gradients may be NULL. */
double crn_swing_twist_angle(const double q_a[4], const double q_b[4], const double axis[3], double gradient_a[3],
                             double gradient_b[3]);

#endif
