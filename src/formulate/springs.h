/* Spring coordinates phi(q) and their gradients (Anitescu & Potra 2002, eq. 26).
 *
 * linear    phi = |x_b - x_a| - rest, gradient along the unit vector between the points. A spring of rest length 0 acts
 *           on the whole vector between its points instead: its components are 2 or 3 coordinates phi_i, the energy
 *           gamma/2 |x_b - x_a|^2 is the same, and nothing is singular where the points meet.
 * angular   phi = angle of b against a - rest; in space the turn about a's axis (model/twist.h), counted over full turns.
 */
#ifndef CRN_FORMULATE_SPRINGS_H
#define CRN_FORMULATE_SPRINGS_H

#include "formulate/frame.h"

/* Evaluate the coordinates of a spring at the frame. Returns their number (1 to 3). `last_angle` is the spring's angle
 * in the previous step, from which full turns are counted. */
int crn_spring_coordinates(const cairn_model *model, const crn_frame *frame, int spring, double last_angle,
                           double phi[3], crn_gradient gradient[3]);

/* Length or angle minus the rest value, as a single number. */
double crn_spring_stretch(const cairn_model *model, const crn_frame *frame, int spring, double last_angle);

#endif
