/* What the impulses of joints do to bodies, for the audit. Written from statics, not from the gradients of joint_functions.c: a
 * force of which direction, where, and a moment about which axis.
 *
 *     MEET      a force on a at its point along an axis of the world, and its opposite on b at b's point
 *     ALONG     a force along a_k on a, and its opposite on b, both at b's point, which slides on a
 *     ACROSS    a moment about the common normal of a_k and b_l
 *     NO_TWIST  a moment about the axes of a and b, each half of it: about their bisector
 *     TURN      a moment about the bisector of the axes of a and b, such that its power is z times the rate of the turn
 *     OUTER, MIDDLE, INNER
 *               a moment across the axes of the two other turns, such that its power is z times the rate of its own
 *     BEARING   a force on b across the line from a to b, with a lever of their distance across a_0, and its opposite on a, there
 */
#include "math/vec.h"
#include "model/joints/hinge/hinge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void direction_of(const crn_joint *joint, const crn_joint_place *place, int side, int k, double out[3])
{
    crn_joint_direction(place, side, joint->axis[side][k], out);
}

static double length_of(double a, double b)
{
    return sqrt(a * a + b * b);
}

/* Opposite moments, `size` along t on a. */
static void turn(crn_joint_action *action, double size, const double t[3])
{
    crn_madd3(action->moment[0], size, t, action->moment[0]);
    crn_madd3(action->moment[1], -size, t, action->moment[1]);
}

/* Opposite forces, `size` along d on a, which act where `action` says. */
static void push(crn_joint_action *action, double size, const double d[3])
{
    crn_madd3(action->impulse[0], size, d, action->impulse[0]);
    crn_madd3(action->impulse[1], -size, d, action->impulse[1]);
}

/* The same, both at b's point: the moment about a's point is added to a. */
static void push_at_b(const crn_joint_place *place, crn_joint_action *action, double size, const double d[3])
{
    double arm[3], moment[3];
    push(action, size, d);
    crn_sub3(place->x[1], place->x[0], arm);
    crn_cross3(arm, d, moment);
    crn_madd3(action->moment[0], size, moment, action->moment[0]);
}

/* a_1 . b_2 - a_2 . b_1: the sine of the twist, times 1 + the cosine of the swing */
static double twist_of(const crn_joint *joint, const crn_joint_place *place)
{
    double a_1[3], a_2[3], b_1[3], b_2[3];
    direction_of(joint, place, 0, 1, a_1);
    direction_of(joint, place, 0, 2, a_2);
    direction_of(joint, place, 1, 1, b_1);
    direction_of(joint, place, 1, 2, b_2);
    return crn_dot3(a_1, b_2) - crn_dot3(a_2, b_1);
}

/* theta = -(1 + cos s) sin t, with the swing s and the twist t. A turn of a against b at the rate w changes them by
 * dt = -w . (a_0 + b_0)/(1 + cos s) and d cos s = w . (a_0 x b_0), so that it is resisted along cos t (a_0 + b_0) - sin t a_0 x b_0. */
static void act_against_twist(const crn_joint *joint, const crn_joint_place *place, double c, crn_joint_action *action)
{
    double p[3], q[3], sum[3], across[3];
    direction_of(joint, place, 0, 0, p);
    direction_of(joint, place, 1, 0, q);
    crn_add3(p, q, sum);
    crn_cross3(p, q, across);
    double theta = twist_of(joint, place), sine = -theta / (1 + crn_dot3(p, q));
    turn(action, c * sqrt(fmax(0.0, 1 - sine * sine)), sum);
    turn(action, -c * sine, across);
    action->skew = fmax(action->skew, fabs(theta));
}

/* `mixed`: coordinates take part, so that the function alone does not tell how far off the joint is. */
static void act_equation(const crn_joint *joint, const crn_joint_place *place, crn_joint_function f, bool mixed,
                         double c, crn_joint_action *action)
{
    double p[3], q[3], t[3], d[3];
    double world[3] = {f.k == 0, f.k == 1, f.k == 2};
    crn_sub3(place->x[0], place->x[1], d);
    switch (f.kind)
    {
    case CRN_MEET:
        push(action, c, world);
        action->off = length_of(action->off, crn_dot3(world, d));
        break;
    case CRN_ALONG:
        direction_of(joint, place, 0, f.k, p);
        push_at_b(place, action, c, p);
        action->off = mixed ? action->off : length_of(action->off, crn_dot3(p, d));
        break;
    case CRN_ACROSS:
        direction_of(joint, place, 0, f.k, p);
        direction_of(joint, place, 1, f.l, q);
        crn_cross3(p, q, t);
        turn(action, c, t);
        action->skew = fmax(action->skew, fabs(crn_dot3(p, q)));
        break;
    case CRN_NO_TWIST:
        act_against_twist(joint, place, c, action);
        break;
    default:
        assert(f.kind == CRN_FUNCTION_NONE);
    }
}

/* Half the bisector of the axes a_0 and b_0, divided by the cosine of half their angle squared: a turn at unit rate about axis 0,
 * with the swing kept, has unit rate along it. */
static void bisector(const crn_joint *joint, const crn_joint_place *place, double t[3])
{
    double p[3], q[3];
    direction_of(joint, place, 0, 0, p);
    direction_of(joint, place, 1, 0, q);
    double cosine = crn_dot3(p, q);
    for (int k = 0; k < 3; ++k)
        t[k] = (p[k] + q[k]) / (1 + cosine);
}

static void act_bearing(const crn_joint *joint, const crn_joint_place *place, double z, crn_joint_action *action)
{
    double axis[3], d[3], across[3];
    direction_of(joint, place, 0, 0, axis);
    crn_sub3(place->x[1], place->x[0], d);
    crn_madd3(d, -crn_dot3(axis, d), axis, d);
    crn_cross3(axis, d, across);
    double lever = crn_norm3(d);
    if (lever > 0)
        push_at_b(place, action, -z / (lever * lever), across);
}

/* The angle about an axis of a direction that is fixed in the other body. If it is not quite across the axis, rotations about the
 * direction itself count too: the rate is (axis - c direction)/(1 - c^2) times the relative rotation, with c the cosine between them. */
static void act_pointer(const double axis[3], const double direction[3], double z, crn_joint_action *action)
{
    double t[3], c = crn_dot3(axis, direction);
    crn_madd3(axis, -c, direction, t);
    turn(action, -z / (1 - c * c), t);
}

/* Turn i of a gimbal: its axes are a_0, n = b_2 x a_0 / |b_2 x a_0| and +-b_2. */
static void act_gimbal(const crn_joint *joint, const crn_joint_place *place, int i, double z, crn_joint_action *action)
{
    double e[3][3], t[3];
    direction_of(joint, place, 0, 0, e[0]);
    direction_of(joint, place, 1, 2, e[2]);
    crn_cross3(e[2], e[0], e[1]);
    crn_scale3(joint->third, e[2], e[2]);
    double length = crn_norm3(e[1]);
    if (!(length > 0))
        return;
    crn_scale3(1 / length, e[1], e[1]);
    crn_cross3(e[(i + 1) % 3], e[(i + 2) % 3], t);
    turn(action, -z / crn_dot3(e[i], t), t);
}

void crn_joint_act_coordinate(const crn_joint *joint, int dimension, const crn_joint_place *place, int i, double z,
                              crn_joint_action *action)
{
    crn_joint_function f = joint->type->coordinate[dimension - 2][i];
    double p[3], q[3], t[3];
    switch (f.kind)
    {
    case CRN_SLIDE:
        direction_of(joint, place, 0, f.k, p);
        push_at_b(place, action, -z, p);
        break;
    case CRN_LENGTH:
        crn_joint_line(place, p);
        push(action, -z, p);
        break;
    case CRN_BEARING:
        act_bearing(joint, place, z, action);
        break;
    case CRN_SWING:
        direction_of(joint, place, 0, 0, p);
        direction_of(joint, place, 1, 0, q);
        crn_cross3(p, q, t);
        turn(action, crn_norm3(t) > 0 ? -z / crn_norm3(t) : 0.0, t);
        break;
    case CRN_POINT_A:
        direction_of(joint, place, 0, 0, p);
        direction_of(joint, place, 1, 1, q);
        act_pointer(p, q, z, action);
        break;
    case CRN_POINT_B:
        direction_of(joint, place, 1, 1, p);
        direction_of(joint, place, 0, 0, q);
        act_pointer(p, q, z, action);
        break;
    case CRN_OUTER:
    case CRN_MIDDLE:
    case CRN_INNER:
        act_gimbal(joint, place, (int)(f.kind - CRN_OUTER), z, action);
        break;
    default:
        assert(f.kind == CRN_TURN);
        bisector(joint, place, t);
        turn(action, -z, t);
    }
}

void crn_joint_act_functions(const crn_joint *joint, int dimension, const crn_joint_place *place, const double *c,
                             crn_joint_action *action)
{
    const crn_joint_class *type = joint->type;
    if (crn_is_hinge(joint, dimension))
    {
        crn_hinge_act(joint, place, c, action);
        return;
    }
    for (int i = 0; i < joint->own_rows; ++i)
    {
        bool mixed = joint->is_mixed && i == type->mixed;
        act_equation(joint, place, type->equation[dimension - 2][i], mixed, c[i], action);
        for (int k = 0; mixed && k < CRN_JOINT_COORDINATES; ++k)
            if (joint->mix[k] != 0)
                crn_joint_act_coordinate(joint, dimension, place, k, c[i] * joint->mix[k], action);
    }
}
