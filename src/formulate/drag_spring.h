/* The user's drag on a body: a spring of rest length zero and a damper from a point of the body to a point of the
 * world. */
#ifndef CRN_FORMULATE_DRAG_SPRING_H
#define CRN_FORMULATE_DRAG_SPRING_H

#include "formulate/assemble.h"

/* The drag on the body: the force in the world frame, and the moment about its centre of mass in the body frame. */
void crn_drag_spring_force(const crn_drag_spring *pull, const crn_input *in, double out[6]);

#endif
