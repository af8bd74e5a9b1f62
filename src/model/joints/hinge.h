/* The revolute joint in space, whose five equations (revolute.c) are written out: most joints of mechanisms are hinges, and each is
 * evaluated several times per step. The numbers are those of the lists, to the last bit. */
#ifndef CRN_MODEL_JOINTS_HINGE_H
#define CRN_MODEL_JOINTS_HINGE_H

#include "model/joints/joint_class.h"

static inline bool crn_is_hinge(const crn_joint *joint, int dimension)
{
    return dimension == 3 && joint->type == &crn_revolute_joint;
}

/* A hinge without anything on its angle. */
static inline bool crn_is_plain_hinge(const crn_joint *joint, int dimension)
{
    return crn_is_hinge(joint, dimension) && joint->element_count == 0 && joint->bounded == 0 && !joint->coupling;
}

void crn_hinge_evaluate(const crn_joint *joint, const crn_joint_place *place, crn_joint_rows *rows);
/* What impulses do, from statics: a force at the points and a moment across the axis. */
void crn_hinge_act(const crn_joint *joint, const crn_joint_place *place, const double *c, crn_joint_action *action);

#endif
