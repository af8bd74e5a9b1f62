/* Couplings: joints over any number of bodies. A coupling adds up parts, each a function of two bodies: coordinates of other joints,
 * and distances of points, the straight strands of a rope that runs through them,
 *
 *     L(q) = sum_i f_i q_i + sum_k f_k |x_b,k - x_a,k| .
 *
 * L is its one coordinate, `value`. It may be held at a function of time, which is an equation as those of joints are, and whatever
 * acts on coordinates (element.h) may act on it. The gradient of L is the sum of those of its parts, and so is its curvature. An
 * impulse z along L acts as f_i z along every part.
 *
 * The rows of a coupling, the equation and those of the elements, have the same gradient but for the sign.
 */
#ifndef CRN_MODEL_JOINTS_COUPLING_H
#define CRN_MODEL_JOINTS_COUPLING_H

#include "model/joints/element.h"

typedef struct crn_coupling_part
{
    double factor;
    int joint, coordinate; /* joint -1: a strand from a to b */
    crn_attachment a, b;
    int side[2]; /* places of its two bodies in crn_coupling.body; -1: the world */
} crn_coupling_part;

typedef struct crn_coupling
{
    crn_coupling_part *part;
    int part_count;
    int body[CRN_JOINT_BODIES]; /* ascending, without the world */
    int body_count;
    bool turns;       /* all parts are angles */
    bool moves;       /* the value at which it is held changes in time */
    crn_element hold; /* its equation, if it is held: joint->own_rows is 1 */
} crn_coupling;

extern const crn_joint_class crn_coupling_class;

void crn_coupling_free(crn_coupling *coupling);
/* "coupling" or "joint": what messages call it. */
const char *crn_joint_noun(const crn_joint *joint);

/* The two bodies of a part. */
void crn_coupling_bodies(const cairn_model *model, const crn_coupling_part *part, int body[2]);
/* L with the poses of all bodies, and its gradient, one side per body of the coupling, unless that is NULL. coordinate:
 * CRN_JOINT_COORDINATES per joint of the model, as crn_joint_place.last; NULL: none are known. */
double crn_coupling_value(const cairn_model *model, const crn_coupling *coupling, const crn_pose *pose,
                          const double *coordinate, crn_gradient_side *side);
/* m or rad: the size of the numbers that L is a sum of, by which rounding is judged. */
double crn_coupling_size(const cairn_model *model, const crn_coupling *coupling, const crn_pose *pose);
/* What the impulse z along L does to the two bodies of part i, written from statics; motor: the part of z that motors give. */
crn_joint_action crn_coupling_act(const cairn_model *model, const crn_coupling *coupling, int i, const crn_pose *pose,
                                  double z, double motor);

#endif
