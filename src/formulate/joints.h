/* Joint functions Theta(q) and their gradients (Anitescu & Potra 2002, eq. 1), and the bounded rows of joints, at a frame. The functions
 * themselves are those of the joint's class (model/joints/). */
#ifndef CRN_FORMULATE_JOINTS_H
#define CRN_FORMULATE_JOINTS_H

#include "formulate/frame.h"

void crn_joint_evaluate(const cairn_model *model, const crn_frame *frame, int joint, crn_joint_rows *rows);

#endif
