/* The drift of a contact: how its surfaces move past each other beyond the motion of their bodies.
 *
 * The relative velocity of a contact is
 *
 *     u = v_a + w_a x arm_a - v_b - w_b x arm_b + d ,
 *
 * where d, the drift, does not depend on the velocities of the bodies: it is known before the step, and enters the bias of the
 * contact's rows as the velocity of a driven body does. A shape with a surface velocity s, a conveyor, moves its surface along itself:
 * d = +-(s - (n.s) n), plus on side a and minus on side b. In a sheared periodic box, an image of b that is j boxes above b moves at
 * j g L_y along x past it (model/periodic.h), and d is the opposite of that.
 */
#ifndef CRN_COLLIDE_DRIFT_H
#define CRN_COLLIDE_DRIFT_H

#include "collide/contact.h"
#include "math/pose.h"
#include "model/model.h"

/* m/s, world. False, and zero: the surfaces move with their bodies. */
bool crn_contact_drift(const cairn_model *model, const crn_pose *pose, const crn_contact *contact, double out[3]);

/* Add the part of it that is due to the image of b that touches a; false: b itself does. */
bool crn_add_image_drift(const cairn_model *model, const crn_contact *contact, double out[3]);

#endif
