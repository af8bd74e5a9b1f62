/* A hand's pull: a spring and damper of no rest length from a point of a body to a point of the world. */
#ifndef CRN_FORMULATE_DRAG_SPRING_H
#define CRN_FORMULATE_DRAG_SPRING_H

#include "formulate/assemble.h"

/* The force on the body: force in the world frame, moment about its centre of mass in its own. */
void crn_drag_spring_force(const crn_drag_spring *pull, const crn_input *in, double out[6]);

#endif
