/* `double-hinge`: two hinges in a row whose axes pass each other at right angles, as those of an ankle do. The link between them has no
 * mass, and is no body: a keeps the first axis, b the second, and the points are where they are nearest to each other. Their distance d
 * along a_0 x b_1 is that of the start.
 *
 *     e_k . (x_a + d a_0 x b_1 - x_b) = 0,  k = 0, 1, 2;     a_0 . b_1 = 0
 *
 * Rates: e_k . ((w_a x a_0) x b_1) = w_a . (a_0 x (b_1 x e_k)), and e_k . (a_0 x (w_b x b_1)) = w_b . (b_1 x (e_k x a_0)).
 */
#include "math/vec.h"
#include "model/joints/joint_class.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>

/* a_0, b_1 and x_a + d a_0 x b_1 - x_b, in the world. */
static void axes_of(const crn_joint *joint, const crn_joint_place *place, double a_0[3], double b_1[3], double open[3])
{
    double across[3];
    crn_joint_direction(place, 0, joint->axis[0][0], a_0);
    crn_joint_direction(place, 1, joint->axis[1][1], b_1);
    crn_cross3(a_0, b_1, across);
    crn_sub3(place->x[0], place->x[1], open);
    crn_madd3(open, joint->length, across, open);
}

static cairn_status prepare(const cairn_model *model, const cairn_joint_options *options, crn_joint *joint)
{
    (void)options;
    crn_pose pose[2];
    crn_joint_place start;
    double a_0[3], b_1[3], across[3], apart[3];
    crn_joint_at_start(model, joint, pose, &start);
    joint->length = 0;
    axes_of(joint, &start, a_0, b_1, apart);
    crn_cross3(a_0, b_1, across);
    joint->length = -crn_dot3(apart, across);
    crn_madd3(apart, joint->length, across, apart);
    if (crn_norm3(apart) > 1e-6 * (fabs(joint->length) + crn_norm3(start.x[0])))
        return crn_fail(
            model->context, CAIRN_INVALID,
            "joint '%s': points: must lie where the two axes pass each other, one on each, but are off by %g m",
            joint->name, crn_norm3(apart));
    return crn_joint_check_turns(model, joint);
}

static void add_turn(const crn_joint_place *place, int side, double size, const double t[3], crn_gradient *gradient)
{
    double local[3];
    if (!place->pose[side])
        return;
    crn_unrotate3(place->pose[side]->R, t, local);
    for (int k = 0; k < 3; ++k)
        gradient->g[side][3 + k] += size * local[k];
}

static void evaluate(const crn_joint *joint, int dimension, const crn_joint_place *place, crn_joint_rows *rows)
{
    double a_0[3], b_1[3], open[3], inner[3], t[3];
    double size = crn_norm3(place->x[0]) + crn_norm3(place->x[1]) + fabs(joint->length);
    assert(dimension == 3);
    crn_joint_evaluate_functions(joint, dimension, place, rows);
    axes_of(joint, place, a_0, b_1, open);
    for (int k = 0; k < 3; ++k)
    {
        const double e_k[3] = {k == 0, k == 1, k == 2};
        rows->theta[k] = crn_joint_clean(open[k], size);
        if (rows->values_only)
            continue;
        crn_cross3(b_1, e_k, inner);
        crn_cross3(a_0, inner, t);
        add_turn(place, 0, joint->length, t, &rows->gradient[k]);
        crn_cross3(e_k, a_0, inner);
        crn_cross3(b_1, inner, t);
        add_turn(place, 1, joint->length, t, &rows->gradient[k]);
    }
}

/* A force F on a, through the link, comes with a moment d (a_0 x b_1) x F about a's point. Of that the first hinge gives a no part about
 * a_0, which leaves d (a_0 . F) b_1, and by the same rule the second gives b none about b_1: -d (b_1 . F) a_0. Where the axes are a little
 * oblique, the link is a little shorter, which takes -d (a_0 . b_1) F from the one and adds it to the other. */
static void act(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                crn_joint_action *action)
{
    double a_0[3], b_1[3], open[3];
    const double *F = c;
    double d = joint->length;
    crn_joint_act_functions(joint, dimension, place, c, action);
    axes_of(joint, place, a_0, b_1, open);
    crn_madd3(action->moment[0], d * crn_dot3(a_0, F), b_1, action->moment[0]);
    crn_madd3(action->moment[0], -d * crn_dot3(a_0, b_1), F, action->moment[0]);
    crn_madd3(action->moment[1], -d * crn_dot3(b_1, F), a_0, action->moment[1]);
    crn_madd3(action->moment[1], d * crn_dot3(a_0, b_1), F, action->moment[1]);
    action->off = crn_norm3(open);
}

const crn_joint_class crn_double_hinge_joint = {
    .name = "double-hinge",
    .equations = {0, 4},
    .angular = {0, 1},
    .equation = {[CRN_SPACE] = {{.kind = CRN_MEET, .k = 0},
                                {.kind = CRN_MEET, .k = 1},
                                {.kind = CRN_MEET, .k = 2},
                                {.kind = CRN_ACROSS, .k = 0, .l = 1}}},
    .coordinate = {[CRN_SPACE] = {{.name = "angle", .kind = CRN_POINT_A},
                                  {.name = "second_angle", .kind = CRN_POINT_B}}},
    .fields = CRN_JOINT_AXIS | CRN_JOINT_SECOND_AXIS | CRN_JOINT_APART,
    .prepare = prepare,
    .evaluate = evaluate,
    .act = act,
};
