/* Which part of a polytope a contact touches: a face, an edge or a corner. A round body that rolls from a face onto an
 * edge keeps its contact and its normal, but the curvature of its path jumps, and with it the contact force. */
#ifndef CRN_COLLIDE_SHAPES_REGION_H
#define CRN_COLLIDE_SHAPES_REGION_H

#include "collide/collide.h"

/* The numbers of faces (in the plane: sides) of each shape that meet at the contact, as one number; 0 where neither shape
 * is a point or round: contacts of polytopes are named after their features and change their identity instead. Two
 * regions of one identity are equal while the contact moves smoothly. */
int crn_contact_region(const cairn_model *model, const crn_contact *contact, const crn_pose *poses);

/* Whether one of the shapes is a point or round, so that it slides or rolls from feature to feature of the other. */
bool crn_contact_rolls(const cairn_model *model, const crn_contact *contact);

/* Whether a shape touches with a single point of its own: a point or round shape, or a corner of a polytope. */
bool crn_touches_by_corner(const cairn_model *model, const crn_contact *contact, const crn_pose *poses, bool of_b);

#endif
