/* Equations and coordinates of joints (joint_class.h), with their gradients.
 *
 * Directions of a and b, fixed in their bodies, turn with w_a and w_b:
 *
 *     d/dt (a . b) = (w_a - w_b) . (a x b)
 *
 * so the rate of every function of such products is (w_a - w_b) . t with some vector t. An angle atan2(S, K) has
 *
 *     t = (K t_S - S t_K) / (K^2 + S^2) .
 *
 * A product with a direction of a, f = a_k . (x_b - x_a), grows as b's point leaves a's: with a's point that is at x_b now,
 *
 *     df/dt = a_k . (velocity of b's point at x_b - velocity of a's point at x_b) .
 */
#include "math/vec.h"
#include "model/joints/hinge/hinge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The joint's axes in the world, each computed when it is first asked for. */
typedef struct axes
{
    const crn_joint *joint;
    const crn_joint_place *place;
    bool known[2][3];
    double axis[2][3][3];
} axes;

static const double *axis_of(axes *x, int side, int k)
{
    assert(k >= 0 && k < 3);
    if (!x->known[side][k])
        crn_joint_direction(x->place, side, x->joint->axis[side][k], x->axis[side][k]);
    x->known[side][k] = true;
    return x->axis[side][k];
}

static axes axes_at(const crn_joint *joint, const crn_joint_place *place)
{
    axes x;
    x.joint = joint;
    x.place = place;
    memset(x.known, 0, sizeof x.known);
    return x;
}

/* The gradient of a function of rate (w_a - w_b) . t. */
static void set_turn(const crn_joint *joint, const crn_joint_place *place, const double t[3], crn_gradient *gradient)
{
    *gradient = (crn_gradient){.body = {joint->a.body, joint->b.body}};
    for (int side = 0; side < 2; ++side)
        if (place->pose[side])
            crn_unrotate3(place->pose[side]->R, t, gradient->g[side] + 3);
    for (int k = 3; k < 6; ++k)
        gradient->g[1][k] = -gradient->g[1][k];
}

/* The gradient of a function of rate  direction . (velocity of a's point at x_b - velocity of b's). */
static void set_slide(const crn_joint *joint, const crn_joint_place *place, const double direction[3], double sign,
                      crn_gradient *gradient)
{
    crn_gradient_of_point(place->pose[0], gradient, 0, joint->a.body, place->x[1], direction, sign);
    crn_gradient_of_point(place->pose[1], gradient, 1, joint->b.body, place->x[1], direction, -sign);
}

/* ---------------------------------------------------------------------------------------------------- equations */

/* One side of the gradient of sign * x_k of the point `at`: e_k, and R'(r x e_k), r from the body's origin to the point. */
static void hold_point(const crn_pose *pose, crn_gradient *gradient, int side, int body, const double at[3], int k,
                       double sign)
{
    double *g = gradient->g[side];
    gradient->body[side] = body;
    memset(g, 0, sizeof gradient->g[side]);
    if (!pose)
        return;
    int i = k == 2 ? 0 : k + 1, j = 3 - k - i; /* r x e_k has no part along e_k */
    const double *R_i = pose->R + 3 * i, *R_j = pose->R + 3 * j;
    double turn_i = sign * (at[j] - pose->x[j]), turn_j = -sign * (at[i] - pose->x[i]);
    g[k] = sign;
    for (int l = 0; l < 3; ++l)
        g[3 + l] = R_i[l] * turn_i + R_j[l] * turn_j;
}

static double evaluate_equation(const crn_joint *joint, const crn_joint_place *place, axes *axis, crn_joint_function f,
                                double size, crn_gradient *gradient)
{
    const double *a = place->x[0], *b = place->x[1];
    double d[3], t[3], other[3];
    switch (f.kind)
    {
    case CRN_MEET:
        if (gradient)
        {
            hold_point(place->pose[0], gradient, 0, joint->a.body, a, f.k, 1.0);
            hold_point(place->pose[1], gradient, 1, joint->b.body, b, f.k, -1.0);
        }
        return crn_joint_clean(a[f.k] - b[f.k], size);
    case CRN_ALONG:
        crn_sub3(a, b, d);
        if (gradient)
            set_slide(joint, place, axis_of(axis, 0, f.k), 1.0, gradient);
        return crn_joint_clean(crn_dot3(axis_of(axis, 0, f.k), d), size);
    case CRN_ACROSS:
        crn_cross3(axis_of(axis, 0, f.k), axis_of(axis, 1, f.l), t);
        if (gradient)
            set_turn(joint, place, t, gradient);
        return crn_joint_clean(crn_dot3(axis_of(axis, 0, f.k), axis_of(axis, 1, f.l)), 1.0);
    case CRN_NO_TWIST:
        crn_cross3(axis_of(axis, 0, 1), axis_of(axis, 1, 2), t);
        crn_cross3(axis_of(axis, 0, 2), axis_of(axis, 1, 1), other);
        crn_sub3(t, other, t);
        if (gradient)
            set_turn(joint, place, t, gradient);
        return crn_joint_clean(crn_dot3(axis_of(axis, 0, 1), axis_of(axis, 1, 2)) -
                                   crn_dot3(axis_of(axis, 0, 2), axis_of(axis, 1, 1)),
                               1.0);
    default:
        assert(f.kind == CRN_FUNCTION_NONE); /* only coordinates make it up */
        if (gradient)
            *gradient = (crn_gradient){.body = {joint->a.body, joint->b.body}};
        return 0.0;
    }
}

/* theta += mix . coordinates - offset */
static void mix_in(const crn_joint *joint, int dimension, const crn_joint_place *place, double size, double *theta,
                   crn_gradient *gradient)
{
    double sum = *theta - joint->offset;
    for (int i = 0; i < crn_joint_class_coordinates(joint->type, dimension); ++i)
    {
        crn_gradient part;
        if (joint->mix[i] == 0)
            continue;
        sum += joint->mix[i] * crn_joint_coordinate(joint, dimension, place, i, gradient ? &part : NULL);
        for (int k = 0; gradient && k < 12; ++k)
            gradient->g[k / 6][k % 6] += joint->mix[i] * part.g[k / 6][k % 6];
    }
    *theta = crn_joint_clean(sum, size + fabs(joint->offset));
}

void crn_joint_evaluate_functions(const crn_joint *joint, int dimension, const crn_joint_place *place,
                                  crn_joint_rows *rows)
{
    const crn_joint_class *type = joint->type;
    if (crn_is_hinge(joint, dimension))
    {
        crn_hinge_evaluate(joint, place, rows);
        return;
    }
    double size = crn_norm3(place->x[0]) + crn_norm3(place->x[1]);
    axes axis = axes_at(joint, place);
    for (int i = 0; i < rows->equations; ++i)
    {
        crn_gradient *gradient = rows->values_only ? NULL : &rows->gradient[i];
        rows->theta[i] = evaluate_equation(joint, place, &axis, type->equation[dimension - 2][i], size, gradient);
        if (joint->is_mixed && i == type->mixed)
            mix_in(joint, dimension, place, size, &rows->theta[i], gradient);
    }
}

/* -------------------------------------------------------------------------------------------------- coordinates */

/* The angle whose sine and cosine are proportional to S and K, with its t from theirs. */
static double angle_of(double S, double K, const double t_S[3], const double t_K[3], double t[3])
{
    double square = K * K + S * S;
    for (int i = 0; i < 3; ++i)
        t[i] = square > 0 ? (K * t_S[i] - S * t_K[i]) / square : 0.0;
    return atan2(S, K);
}

/* The angle of the product of two pairs of directions: S = p . q, K = u . v. */
static double pointing(const double p[3], const double q[3], const double u[3], const double v[3], double t[3])
{
    double t_S[3], t_K[3];
    crn_cross3(p, q, t_S);
    crn_cross3(u, v, t_K);
    return angle_of(crn_dot3(p, q), crn_dot3(u, v), t_S, t_K, t);
}

static double turn_of(axes *x, double t[3])
{
    double t_S[3], t_K[3], other[3];
    double S = crn_dot3(axis_of(x, 0, 2), axis_of(x, 1, 1)) - crn_dot3(axis_of(x, 0, 1), axis_of(x, 1, 2));
    double K = crn_dot3(axis_of(x, 0, 1), axis_of(x, 1, 1)) + crn_dot3(axis_of(x, 0, 2), axis_of(x, 1, 2));
    crn_cross3(axis_of(x, 0, 2), axis_of(x, 1, 1), t_S);
    crn_cross3(axis_of(x, 0, 1), axis_of(x, 1, 2), other);
    crn_sub3(t_S, other, t_S);
    crn_cross3(axis_of(x, 0, 1), axis_of(x, 1, 1), t_K);
    crn_cross3(axis_of(x, 0, 2), axis_of(x, 1, 2), other);
    crn_add3(t_K, other, t_K);
    return angle_of(S, K, t_S, t_K, t);
}

static double swing_of(axes *x, double t[3])
{
    crn_cross3(axis_of(x, 0, 0), axis_of(x, 1, 0), t);
    double sine = crn_norm3(t);
    for (int k = 0; k < 3; ++k)
        t[k] = sine > 0 ? -t[k] / sine : 0.0;
    return atan2(sine, crn_dot3(axis_of(x, 0, 0), axis_of(x, 1, 0)));
}

/* With the turns alpha, beta, gamma about a_0, n and b_2: a_1 . b_2 = -sin(alpha) cos(beta), a_2 . b_2 = cos(alpha) cos(beta),
 * a_0 . b_2 = sin(beta), a_0 . b_1 = -cos(beta) sin(gamma), a_0 . b_0 = cos(beta) cos(gamma). */
static double middle_of(axes *x, double t[3])
{
    double sine = crn_dot3(axis_of(x, 0, 0), axis_of(x, 1, 2));
    double cosine = sqrt(fmax(0.0, 1 - sine * sine));
    crn_cross3(axis_of(x, 0, 0), axis_of(x, 1, 2), t);
    for (int k = 0; k < 3; ++k)
        t[k] = cosine > 0 ? t[k] / cosine : 0.0;
    return atan2(sine, cosine);
}

/* The same angle alone. */
static double turn_between(const crn_joint *joint, const crn_joint_place *place)
{
    double a_1[3], a_2[3], b_1[3], b_2[3];
    crn_joint_direction(place, 0, joint->axis[0][1], a_1);
    crn_joint_direction(place, 0, joint->axis[0][2], a_2);
    crn_joint_direction(place, 1, joint->axis[1][1], b_1);
    crn_joint_direction(place, 1, joint->axis[1][2], b_2);
    return atan2(crn_dot3(a_2, b_1) - crn_dot3(a_1, b_2), crn_dot3(a_1, b_1) + crn_dot3(a_2, b_2));
}

/* An angle, its gradient given by t (set_turn). */
static double angle_at(const crn_joint *joint, axes *x, crn_joint_function_kind kind, double t[3])
{
    double back[3], angle;
    switch (kind)
    {
    case CRN_OUTER:
        crn_scale3(-1, axis_of(x, 0, 1), back);
        return pointing(back, axis_of(x, 1, 2), axis_of(x, 0, 2), axis_of(x, 1, 2), t);
    case CRN_MIDDLE:
        return middle_of(x, t);
    case CRN_INNER:
        crn_scale3(-1, axis_of(x, 1, 1), back);
        angle = pointing(axis_of(x, 0, 0), back, axis_of(x, 0, 0), axis_of(x, 1, 0), t);
        crn_scale3(joint->third, t, t);
        return joint->third * angle;
    case CRN_SWING:
        return swing_of(x, t);
    case CRN_POINT_A:
        return pointing(axis_of(x, 0, 2), axis_of(x, 1, 1), axis_of(x, 0, 1), axis_of(x, 1, 1), t);
    case CRN_POINT_B:
        return pointing(axis_of(x, 0, 0), axis_of(x, 1, 2), axis_of(x, 0, 0), axis_of(x, 1, 0), t);
    default:
        assert(kind == CRN_TURN);
        return turn_of(x, t);
    }
}

static double bearing_at(const crn_joint *joint, const crn_joint_place *place, axes *x, crn_gradient *gradient)
{
    double d[3], t[3];
    crn_sub3(place->x[1], place->x[0], d);
    double p = crn_dot3(axis_of(x, 0, 1), d), q = crn_dot3(axis_of(x, 0, 2), d), square = p * p + q * q;
    for (int k = 0; k < 3; ++k)
        t[k] = square > 0 ? (p * axis_of(x, 0, 2)[k] - q * axis_of(x, 0, 1)[k]) / square : 0.0;
    if (gradient)
        set_slide(joint, place, t, -1.0, gradient);
    return atan2(q, p);
}

double crn_joint_coordinate(const crn_joint *joint, int dimension, const crn_joint_place *place, int i,
                            crn_gradient *gradient)
{
    crn_joint_function f = joint->type->coordinate[dimension - 2][i];
    assert(i >= 0 && i < CRN_JOINT_COORDINATES && f.name);
    double t[3], value;
    if (f.kind == CRN_TURN && !gradient)
    {
        value = turn_between(joint, place);
        return place->last ? crn_joint_unwound(value, place->last[i]) : value;
    }
    axes x = axes_at(joint, place);
    if (f.kind == CRN_SLIDE)
    {
        if (gradient)
            set_slide(joint, place, axis_of(&x, 0, f.k), -1.0, gradient);
        crn_sub3(place->x[1], place->x[0], t);
        return crn_dot3(axis_of(&x, 0, f.k), t);
    }
    if (f.kind == CRN_LENGTH)
    {
        value = crn_joint_line(place, t);
        if (gradient)
        {
            crn_gradient_of_point(place->pose[0], gradient, 0, joint->a.body, place->x[0], t, -1);
            crn_gradient_of_point(place->pose[1], gradient, 1, joint->b.body, place->x[1], t, 1);
        }
        return value;
    }
    if (f.kind == CRN_BEARING)
        value = bearing_at(joint, place, &x, gradient);
    else
    {
        value = angle_at(joint, &x, f.kind, t);
        if (gradient)
            set_turn(joint, place, t, gradient);
    }
    return place->last ? crn_joint_unwound(value, place->last[i]) : value;
}
