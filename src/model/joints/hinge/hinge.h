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

/* Whether four joints, from `first` on, are such hinges; and whether they are hinges with whatever on their angles. */
static inline bool crn_are_plain_hinges(const cairn_model *model, int first)
{
    bool are = first + 4 <= (int)model->joint_count;
    for (int l = 0; l < 4 && are; ++l)
        are = crn_is_plain_hinge(&model->joints[first + l], model->dimension);
    return are;
}

static inline bool crn_are_hinges(const cairn_model *model, int first)
{
    bool are = first + 4 <= (int)model->joint_count;
    for (int l = 0; l < 4 && are; ++l)
        are = crn_is_hinge(&model->joints[first + l], model->dimension);
    return are;
}

/* Where four things are taken at a time, the last ones of a list are taken together with those before them, which were taken before: the first
 * of four, of which `first` is the first that is not done. */
static inline int crn_four_with(int first, int count)
{
    return first + 4 <= count || count < 4 ? first : count - 4;
}

void crn_hinge_evaluate(const crn_joint *joint, const crn_joint_place *place, crn_joint_rows *rows);
/* What impulses do, from statics: a force at the points and a moment across the axis. */
void crn_hinge_act(const crn_joint *joint, const crn_joint_place *place, const double *c, crn_joint_action *action);

/* Of four hinges at a time (hinges.c), to the same bits: theta, and the rows of their gradients, six numbers each, of a's and of b's. Their
 * angles, counted on from `angle`, CRN_JOINT_COORDINATES apart, are right to rounding: they tell later angles which turn they belong to. Counted on
 * from themselves they stay. */
void crn_hinges_measure(const crn_joint hinge[4], const crn_pose *pose, double theta[4][5]);
void crn_hinges_evaluate(const crn_joint hinge[4], const crn_pose *pose, double theta[4][5], double *gradient[2][4]);
void crn_hinges_turn(const crn_joint hinge[4], const crn_pose *pose, double *angle);

#endif
