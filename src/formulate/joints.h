/* Joint functions Theta(q) with their gradients (Anitescu & Potra 2002, eq. 1), and the bounded rows of joints,
 * evaluated at a frame. The joint's class (model/joints/) implements the functions. */
#ifndef CRN_FORMULATE_JOINTS_H
#define CRN_FORMULATE_JOINTS_H

#include "formulate/frame.h"

void crn_joint_evaluate(const cairn_model *model, const crn_frame *frame, int joint, crn_joint_rows *rows);
/* The same without the gradients. */
void crn_joint_measure(const cairn_model *model, const crn_frame *frame, int joint, crn_joint_rows *rows);

/* Coordinate i of a joint, and its rate at the velocity v with the drives of the frame. */
double crn_joint_coordinate_at(const cairn_model *model, const crn_frame *frame, int joint, int i);
double crn_joint_coordinate_rate(const crn_layout *layout, const crn_frame *frame, int joint, int i, const double *v);

/* Row 0 is the coordinate, with its gradient; nothing else is set. */
void crn_joint_coordinate_row(const cairn_model *model, const crn_frame *frame, int joint, int i, crn_joint_rows *row);

/* What the impulses c of a joint's own rows do where its bodies have these poses; that of the world is not read. */
crn_joint_action crn_joint_reaction(const cairn_model *model, const crn_pose pose[2], int joint, const double *c);
/* What such a load adds to the largest friction of an element of the joint (model/joints/element.h). */
struct crn_element;
double crn_joint_load(const cairn_model *model, const crn_frame *frame, int joint, const struct crn_element *element,
                      const double *c);

#endif
