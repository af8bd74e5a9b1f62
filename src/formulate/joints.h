/* Joint functions Theta(q) and their gradients (Anitescu & Potra 2002, eq. 1). A new joint is one more function here. */
#ifndef CRN_FORMULATE_JOINTS_H
#define CRN_FORMULATE_JOINTS_H

#include "formulate/frame.h"

enum
{
    CRN_JOINT_ROWS = 6 /* the most rows a joint has */
};

/* Theta and gradients of a joint's rows; returns how many. */
int crn_joint_evaluate(const cairn_model *model, const crn_frame *frame, int joint, double theta[CRN_JOINT_ROWS],
                       crn_gradient gradient[CRN_JOINT_ROWS]);

#endif
