/* Joints and springs between two bodies, in a world with shapes.
 *
 * A joint is a list of rows. Each is a function of the two poses (model/joints/joint_class.h has the same ones): with points x_a, x_b, axes a_k, b_l and
 * e = x_a - x_b,
 *
 *     MEET      e_k . e               ALONG   a_k . e              ACROSS   a_k . b_l          NO_TWIST   a_1 . b_2 - a_2 . b_1
 *     TURN      the angle of b against a about a_0                 SLIDE    - a_k . e
 *     STRETCH   |e|                                                TWIST    the turn of b against a about a_0, where b may swing besides
 *
 * less the row's rest. Its rate is s = l . (v_a - v_b) + t_a . w_a + t_b . w_b. The first rows are equations, s + w + R z = 0; the others are bounded:
 * s + w + R z is 0 between the bounds lo <= z <= hi, not negative at lo, not positive at hi (docs/one-step-problem.md). What changes with
 * time, such as the target of a drive, comes from the host for every step.
 */
#pragma once

#include "../interface.h"
#include "../shapes/frame.hpp"

namespace crn
{

/* A row as a step needs it. */
struct JointRow
{
    D3 l, t_a, t_b;
    double w, R, lo, hi; /* bounds as impulses */
    double own;          /* its own mobility, with R */
    double theta;
    D3 u_a, u_b;         /* rad/s: what a unit impulse does to the angular velocities */
};

/* J, over a batch: of the impulse on bodies that move freely, the part of its spring, and what that part does on driven bodies and moving
 * targets. */
struct JointWork
{
    double all, elastic, given;
};

/* Joints that are solved together (mechanism.hpp). */
struct Mechanism
{
    int first;              /* of its rows among those of all mechanisms: equations, then bounded rows */
    int equations, bounded;
    int body, bodies;       /* those of it that can move, among those of all */
    int has_loop, is_closed; /* is_closed: after every step (loops.hpp) */
    long long number;       /* where its matrix begins, and behind it room for two columns */
};

struct Joints
{
    int count, colours, timed; /* timed: rows with something from the host in every step */
    crn_gpu_joint *joint;      /* by colour */
    int *colour_first;         /* colours + 1 */
    crn_gpu_timed *time;       /* timed per step of the batch */
    JointRow *row;             /* CRN_GPU_ROWS per joint */
    double *factor;            /* CRN_GPU_FACTOR per joint: L and D of the equations' block, row by row; D inverted, 0 where a row is redundant */
    double *z, *kept_z;        /* impulses: N s, N m s */
    double *angle;             /* per row: the coordinate at the end of the last step, from which whole turns are counted */
    double *rate;              /* per row of a rotor: its rate in the last step; NaN: there was none */
    JointWork *work;           /* per row */
    int *side_first, *side;    /* per body: joints, 2 j + (1 if it is the second body) */
    unsigned long long *apart; /* pairs of bodies that must not touch (interface.h) */
    int aparts;

    int mechanisms, mechanism_rows, mechanism_bodies, is_bounded; /* is_bounded: some mechanism has bounded rows */
    int has_lone;              /* some joint is in none */
    Mechanism *mechanism;
    int *lone;                 /* per joint: 1 if it is in none; NULL: all are */
    int *mechanism_row;        /* where each row is in `row` */
    int *mechanism_of;         /* per row */
    int *mechanism_body;       /* bodies that can move */
    double *number;
    double *off, *change;      /* per row of a mechanism: s, and the change of its impulse */
    double *pushed;            /* the same change, beside z */
    int has_loops;
    double *lifted;            /* J, per mechanism, over a batch: what closing loops has added to the potential of gravity */
    D4 *pose;                  /* per body of a mechanism: where it was before its loops were closed; x and q */
};

CRN_HD bool joint_is_in_mechanism(const Joints &joints, int j)
{
    return joints.lone && !joints.lone[j];
}

/* Where the joint is. A body of -1 is the world. */
struct JointPlace
{
    D3 x[2], arm[2], axis[2][3];
    D4 q[2];
};

CRN_HD JointPlace place_joint(const crn_gpu_joint &joint, const D4 *x, const D4 *q)
{
    JointPlace out = {};
    for (int side = 0; side < 2; ++side)
    {
        int body = joint.body[side];
        const double *p = joint.point[side];
        out.q[side] = body >= 0 ? q[body] : D4{1, 0, 0, 0};
        Axes R = axes_of(out.q[side]);
        D3 centre = body >= 0 ? D3{x[body].x, x[body].y, x[body].z} : D3{0, 0, 0};
        out.arm[side] = out_of(R, {p[0], p[1], p[2]});
        out.x[side] = centre + out.arm[side];
        for (int k = 0; k < 3; ++k)
        {
            const double *a = joint.axis[side][k];
            out.axis[side][k] = out_of(R, {a[0], a[1], a[2]});
        }
    }
    return out;
}

/* The whole turns that bring an angle closest to the last one. */
CRN_HD double count_turns(double now, double last)
{
    const double turn = 6.283185307179586;
    return now + turn * rint((last - now) / turn);
}

/* The function TWIST (math/swing_twist_angle.h): with e = q_a^-1 q_b and the axis a, 2 atan2(e . a, e_0). */
CRN_HD double evaluate_twist(const JointPlace &at, const crn_gpu_joint &joint, double angle, D3 &t_a, D3 &t_b)
{
    const double *axis = joint.axis[0][0];
    D3 a = {axis[0], axis[1], axis[2]}, p = {at.q[0].y, at.q[0].z, at.q[0].w}, q = {at.q[1].y, at.q[1].z, at.q[1].w};
    double p0 = at.q[0].x, q0 = at.q[1].x, e0 = p0 * q0 + dot(p, q);
    D3 e = p0 * q - q0 * p - cross(p, q);
    double along = dot(e, a), D = e0 * e0 + along * along, inverse = D > 1e-300 ? 1 / D : 0.0;
    D3 common = (inverse * e0 * e0) * a + (inverse * along) * e, skew = (inverse * e0) * cross(e, a);
    t_a = out_of(axes_of(at.q[0]), -1.0 * (common + skew));
    t_b = out_of(axes_of(at.q[1]), common - skew);
    return count_turns(2 * atan2(along, e0), angle);
}

/* The function STRETCH. Where the points meet it has no direction. */
CRN_HD double evaluate_stretch(const JointPlace &at, D3 &l, D3 &t_a, D3 &t_b)
{
    D3 e = at.x[0] - at.x[1];
    double length = norm(e);
    l = (length > 0 ? 1 / length : 0.0) * e;
    t_a = cross(at.arm[0], l);
    t_b = -1.0 * cross(at.arm[1], l);
    return length;
}

/* The function and its gradient. angle: the last one, for TURN and TWIST. */
CRN_HD double evaluate_row(const crn_gpu_joint &joint, const crn_gpu_row &row, const JointPlace &at, double angle, D3 &l, D3 &t_a, D3 &t_b)
{
    const D3 *a = at.axis[0], *b = at.axis[1], none = {0, 0, 0}, e = at.x[0] - at.x[1];
    l = t_a = t_b = none;
    if (row.function == CRN_GPU_MEET || row.function == CRN_GPU_ALONG || row.function == CRN_GPU_SLIDE)
    {
        bool meets = row.function == CRN_GPU_MEET;
        double sign = row.function == CRN_GPU_SLIDE ? -1.0 : 1.0;
        D3 d = meets ? D3{row.k == 0 ? 1.0 : 0.0, row.k == 1 ? 1.0 : 0.0, row.k == 2 ? 1.0 : 0.0} : a[row.k];
        l = sign * d;
        t_a = sign * cross(meets ? at.arm[0] : at.arm[0] - e, d);
        t_b = (-sign) * cross(at.arm[1], d);
        return sign * dot(d, e);
    }
    if (row.function == CRN_GPU_TURN)
    {
        double S = dot(a[2], b[1]) - dot(a[1], b[2]), K = dot(a[1], b[1]) + dot(a[2], b[2]), square = S * S + K * K;
        D3 t_S = cross(a[2], b[1]) - cross(a[1], b[2]), t_K = cross(a[1], b[1]) + cross(a[2], b[2]);
        t_a = square > 0 ? (1 / square) * (K * t_S - S * t_K) : none;
        t_b = -1.0 * t_a;
        return count_turns(atan2(S, K), angle);
    }
    if (row.function == CRN_GPU_STRETCH)
        return evaluate_stretch(at, l, t_a, t_b);
    if (row.function == CRN_GPU_TWIST)
        return evaluate_twist(at, joint, angle, t_a, t_b);
    bool twists = row.function == CRN_GPU_NO_TWIST;
    t_a = twists ? cross(a[1], b[2]) - cross(a[2], b[1]) : cross(a[row.k], b[row.l]);
    t_b = -1.0 * t_a;
    return twists ? dot(a[1], b[2]) - dot(a[2], b[1]) : dot(a[row.k], b[row.l]);
}

CRN_HD bool are_apart(const Joints &joints, int a, int b)
{
    unsigned long long pair = (unsigned long long)(a < b ? a : b) << 32 | (unsigned)(a < b ? b : a);
    int low = 0, high = joints.aparts;
    while (low < high)
    {
        int middle = (low + high) / 2;
        if (joints.apart[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low < joints.aparts && joints.apart[low] == pair;
}

} // namespace crn
