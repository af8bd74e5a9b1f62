/* Four hinges at a time: what hinge.c does for one, in the same order of operations. */
#include "math/lanes_angle.h"
#include "math/vec.h"
#include "model/joints/hinge/hinge_lanes.h"

#include <assert.h>
#include <math.h>

static_assert(LANES == 4, "as hinge.h has it");

/* crn_norm3 of each. */
INLINE lanes norms_of(const lanes x[3])
{
    lanes square = lanes_dot(x, x), norm = lanes_root(square);
    lane_bits good = (square > 1e-280) & (square < 1e280);
    if (good[0] & good[1] & good[2] & good[3])
        return norm;
    for (int l = 0; l < LANES; ++l)
        norm[l] = crn_norm3((const double[3]){x[0][l], x[1][l], x[2][l]});
    return norm;
}

/* |x_a| + |x_b| of each. */
INLINE lanes sizes_of(const crn_hinge_lanes *at)
{
    return norms_of(at->x[0]) + norms_of(at->x[1]);
}

/* crn_joint_clean of each. */
INLINE lanes clean(lanes theta, lanes size)
{
    const double rounding = 64 * DBL_EPSILON;
    return (lanes)(~(lane_bits)(lanes_size(theta) <= rounding * size) & (lane_bits)theta);
}

INLINE void find_theta(const crn_hinge_lanes *at, double theta[LANES][5])
{
    lanes size = sizes_of(at), row[5];
    UNROLL
    for (int k = 0; k < 3; ++k)
        row[k] = clean(at->x[0][k] - at->x[1][k], size);
    UNROLL
    for (int k = 0; k < 2; ++k)
        row[3 + k] = clean(lanes_dot(at->a_0, at->b[k]), (lanes){1.0, 1.0, 1.0, 1.0});
    lanes_transpose(row);
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        *(loose_lanes *)theta[l] = row[l];
        theta[l][4] = row[4][l];
    }
}

/* Store one row of four gradients, of which `fixed` is the linear part and `turn` the angular one. */
INLINE void store_row(double *const gradient[LANES], int i, const double fixed[3], const lanes turn[3])
{
    lanes row[4] = {{fixed[2], fixed[2], fixed[2], fixed[2]}, turn[0], turn[1], turn[2]};
    lanes_transpose(row);
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        double *out = gradient[l] + 6 * i;
        out[0] = fixed[0];
        out[1] = fixed[1];
        *(loose_lanes *)(out + 2) = row[l];
    }
}

/* The rows of one side: sign * x_k of its point, and the turns across the axis. */
INLINE void hold(const crn_hinge_lanes *at, int side, double *const gradient[LANES])
{
    const double sign = side == 0 ? 1.0 : -1.0;
    const lanes *R = at->R[side], *r = at->arm[side];
    UNROLL
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        const double fixed[3] = {k == 0 ? sign : 0.0, k == 1 ? sign : 0.0, k == 2 ? sign : 0.0};
        lanes turn[3];
        UNROLL
        for (int l = 0; l < 3; ++l)
            turn[l] = R[3 * i + l] * (sign * r[j]) + R[3 * j + l] * (-sign * r[i]);
        store_row(gradient, k, fixed, turn);
    }
    UNROLL
    for (int k = 0; k < 2; ++k)
    {
        const lanes *t = at->across[k];
        lanes turn[3];
        UNROLL
        for (int l = 0; l < 3; ++l)
            turn[l] = sign * (R[l] * t[0] + R[3 + l] * t[1] + R[6 + l] * t[2]);
        store_row(gradient, 3 + k, (const double[3]){0.0, 0.0, 0.0}, turn);
    }
}

INLINE void measure(const crn_joint hinge[LANES], const crn_pose *pose, double theta[LANES][5])
{
    crn_hinge_lanes at;
    crn_hinge_lanes_load(hinge, pose, &at);
    find_theta(&at, theta);
}

INLINE void evaluate(const crn_joint hinge[LANES], const crn_pose *pose, double theta[LANES][5],
                     double *gradient[2][LANES])
{
    crn_hinge_lanes at;
    crn_hinge_lanes_load(hinge, pose, &at);
    find_theta(&at, theta);
    hold(&at, 0, gradient[0]);
    hold(&at, 1, gradient[1]);
}

/* The angles, from sine and cosine times the same number. */
INLINE void turn(const crn_joint hinge[LANES], const crn_pose *pose, double angle[LANES])
{
    crn_hinge_lanes at;
    lanes a[2][3], b[2][3];
    crn_hinge_lanes_place(hinge, pose, 0, &at);
    crn_hinge_lanes_place(hinge, pose, 1, &at);
    UNROLL
    for (int i = 0; i < 2; ++i)
    {
        crn_hinge_lanes_axis(hinge, at.R[0], 0, 1 + i, a[i]);
        crn_hinge_lanes_axis(hinge, at.R[1], 1, 1 + i, b[i]);
    }
    *(loose_lanes *)angle =
        lanes_angle(lanes_dot(a[1], b[0]) - lanes_dot(a[0], b[1]), lanes_dot(a[0], b[0]) + lanes_dot(a[1], b[1]));
}

WIDE static void wide_measure(const crn_joint hinge[LANES], const crn_pose *pose, double theta[LANES][5])
{
    measure(hinge, pose, theta);
}

static void plain_measure(const crn_joint hinge[LANES], const crn_pose *pose, double theta[LANES][5])
{
    measure(hinge, pose, theta);
}

void crn_hinges_measure(const crn_joint hinge[4], const crn_pose *pose, double theta[4][5])
{
    (HAS_WIDE ? wide_measure : plain_measure)(hinge, pose, theta);
}

WIDE static void wide_evaluate(const crn_joint hinge[LANES], const crn_pose *pose, double theta[LANES][5],
                               double *gradient[2][LANES])
{
    evaluate(hinge, pose, theta, gradient);
}

static void plain_evaluate(const crn_joint hinge[LANES], const crn_pose *pose, double theta[LANES][5],
                           double *gradient[2][LANES])
{
    evaluate(hinge, pose, theta, gradient);
}

void crn_hinges_evaluate(const crn_joint hinge[4], const crn_pose *pose, double theta[4][5], double *gradient[2][4])
{
    (HAS_WIDE ? wide_evaluate : plain_evaluate)(hinge, pose, theta, gradient);
}

WIDE static void wide_turn(const crn_joint hinge[LANES], const crn_pose *pose, double angle[LANES])
{
    turn(hinge, pose, angle);
}

static void plain_turn(const crn_joint hinge[LANES], const crn_pose *pose, double angle[LANES])
{
    turn(hinge, pose, angle);
}

void crn_hinges_turn(const crn_joint hinge[4], const crn_pose *pose, double *angle)
{
    double now[LANES];
    (HAS_WIDE ? wide_turn : plain_turn)(hinge, pose, now);
    for (int l = 0; l < LANES; ++l, angle += CRN_JOINT_COORDINATES)
        *angle = crn_joint_unwound(now[l], *angle);
}
