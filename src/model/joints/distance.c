/* `distance`: the two points keep their distance, as if a rigid rod without mass connected them.
 *
 *     Theta = |x_b - x_a| - length,     d Theta/dt = e . (x_b' - x_a'),     e = (x_b - x_a)/|x_b - x_a|
 *
 * The impulse c pushes the points apart: -c e on a, c e on b.
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
    assert(rows->equations == 1 && joint->length > 0);
    double unit[3];
    /* the points can only meet when the joint is off by its whole length; then any direction pushes them apart */
    double length = crn_joint_line(place, unit);
    double size = crn_norm3(place->x[0]) + crn_norm3(place->x[1]) + joint->length;
    rows->theta[0] = crn_joint_clean(length - joint->length, size);
    crn_gradient_of_point(place->pose[0], &rows->gradient[0], 0, joint->a.body, place->x[0], unit, -1);
    crn_gradient_of_point(place->pose[1], &rows->gradient[0], 1, joint->b.body, place->x[1], unit, 1);
}

static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    (void)dimension;
    double d[3];
    crn_sub3(place->x[1], place->x[0], d);
    double length = crn_norm3(d);
    action->off = fabs(length - joint->length);
    for (int k = 0; k < 3; ++k)
    {
        action->impulse[0][k] = length > 0 ? -c[0] * d[k] / length : 0.0;
        action->impulse[1][k] = -action->impulse[0][k];
    }
}

const crn_joint_class crn_distance_joint = {
    .name = "distance",
    .equations = {1, 1},
    .fields = CRN_JOINT_LENGTH | CRN_JOINT_APART,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
