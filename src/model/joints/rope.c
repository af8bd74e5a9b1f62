/* `rope`: the distance of the two points is at most `length`. A rope has no mass and no bending stiffness; below its length
 * it is slack and does nothing.
 *
 *     gap = length - |x_b - x_a| >= 0,     d gap/dt = -e . (x_b' - x_a'),     e = (x_b - x_a)/|x_b - x_a|
 *
 * One bounded row, a limit: the impulse z >= 0 pulls the points together, z e on a and -z e on b. A rope that becomes taut
 * stops the points from moving apart without a rebound: the kinetic energy of that motion is lost (Newton's law with e = 0).
 */
#include "math/vec.h"
#include "model/joints/joint_class.h"

#include <assert.h>
#include <math.h>

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    return crn_joint_set_length(model, options->length, joint);
}

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    (void)dimension;
    assert(rows->equations == 0 && rows->bounded == 1 && joint->length > 0);
    double unit[3];
    /* where the points meet the rope is slack, and the direction has no effect */
    double distance = crn_joint_line(place, unit);
    double size = crn_norm3(place->x[0]) + crn_norm3(place->x[1]) + joint->length;
    rows->theta[0] = crn_joint_clean(joint->length - distance, size);
    rows->bound[0] = (crn_joint_bound){.is_limit = true, .lo = 0, .hi = INFINITY};
    crn_gradient_of_point(place->pose[0], &rows->gradient[0], 0, joint->a.body, place->x[0], unit, 1);
    crn_gradient_of_point(place->pose[1], &rows->gradient[0], 1, joint->b.body, place->x[1], unit, -1);
}

static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    (void)dimension;
    double d[3];
    crn_sub3(place->x[1], place->x[0], d);
    double distance = crn_norm3(d);
    action->off = fmax(0.0, distance - joint->length);
    action->has_limit = distance > 0;
    action->limit_gap = joint->length - distance;
    action->limit_impulse = c[0];
    for (int k = 0; k < 3 && distance > 0; ++k)
    {
        action->limit[k] = d[k] / distance;
        action->impulse[0][k] = c[0] * d[k] / distance;
        action->impulse[1][k] = -action->impulse[0][k];
    }
}

static const char *const BOUNDED_NAME[] = {"limit"};

const crn_joint_class crn_rope_joint = {
    .name = "rope",
    .bounded = {1, 1},
    .bounded_name = BOUNDED_NAME,
    .fields = CRN_JOINT_LENGTH | CRN_JOINT_APART,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
