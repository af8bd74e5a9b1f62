/* Friction in proportion to what a joint carries: mu times the force with which its surfaces press on each other. Let F and M be the
 * force and the moment of the joint's own rows on b at b's point, d the unit vector along which the coordinate slides or about
 * which it turns, F_d = d . F and F_n = F - F_d d. Then the largest friction is F_0 plus
 *
 *     slides    mu N                          on a guide
 *     angles    mu (radius N + thrust |F_d|)   in a bearing of that radius, with a collar or a thread at the radius `thrust`
 *
 * where N = |F_n|. Two bearings that are `span` apart, the point in the middle, carry the moment too, by opposite forces across d:
 *
 *     N = |F_n/2 + d x M/span| + |F_n/2 - d x M/span| .
 *
 * A swing has no axis that stays: there N = |F|. The friction acts on the coordinate alone, so that it changes what the bearing
 * carries only through the motion. What acts on other coordinates, such as a limit, does not count as a load.
 */
#include "math/vec.h"
#include "model/joints/element.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* d; false: there is none that stays. */
static bool direction(const crn_joint *joint, int dimension, const crn_joint_place *place, int i, double d[3])
{
    crn_joint_function f = joint->type->coordinate[dimension - 2][i];
    double inner[3], outer[3];
    switch (f.kind)
    {
    case CRN_SLIDE:
        crn_joint_direction(place, 0, joint->axis[0][f.k], d);
        return true;
    case CRN_LENGTH:
        crn_joint_line(place, d);
        return true;
    case CRN_SWING:
        return false;
    case CRN_POINT_B:
        crn_joint_direction(place, 1, joint->axis[1][1], d);
        return true;
    case CRN_INNER:
        crn_joint_direction(place, 1, joint->axis[1][2], d);
        return true;
    case CRN_MIDDLE:
        crn_joint_direction(place, 1, joint->axis[1][2], inner);
        crn_joint_direction(place, 0, joint->axis[0][0], outer);
        crn_cross3(inner, outer, d);
        crn_scale3(1 / fmax(crn_norm3(d), DBL_MIN), d, d);
        return true;
    default:
        crn_joint_direction(place, 0, joint->axis[0][0], d);
        return true;
    }
}

/* N: the forces of one bearing, or of two. */
static double pressed(const double F_n[3], const double d[3], const double M[3], double span)
{
    double couple[3], end[2][3];
    if (span == 0)
        return crn_norm3(F_n);
    crn_cross3(d, M, couple);
    for (int k = 0; k < 3; ++k)
    {
        end[0][k] = 0.5 * F_n[k] + couple[k] / span;
        end[1][k] = 0.5 * F_n[k] - couple[k] / span;
    }
    return crn_norm3(end[0]) + crn_norm3(end[1]);
}

double crn_bearing_friction(const crn_joint *joint, int dimension, const crn_joint_place *place,
                            const crn_element *element, const crn_joint_action *load)
{
    assert(element->kind == CRN_ELEMENT_FRICTION && element->mu >= 0);
    const double *F = load->impulse[1], *M = load->moment[1];
    double d[3], across[3];
    if (!direction(joint, dimension, place, element->coordinate, d))
        return element->mu * element->radius * crn_norm3(F);
    double along = crn_dot3(d, F);
    crn_madd3(F, -along, d, across);
    double N = pressed(across, d, M, element->span);
    bool turns = crn_element_turns(joint, dimension, element);
    return element->mu * (turns ? element->radius * N + element->thrust * fabs(along) : N);
}
