/* Closed loops whose joints have more equations than they need, such as four hinges with parallel axes (step/loops/loops.h).
 *
 * The superfluous equations depend on the others only while every joint is closed. At a distance eps from that they are nearly dependent, and would hold
 * the loop as if it were rigid, with huge impulses. So the bodies of such a mechanism are moved to where all of its joints are closed, at the end of every
 * step. With theta the errors of the rigid equations, the move of the Levenberg-Marquardt method is
 *
 *     M^-1 J' c ,    (J M^-1 J' + R) c = -theta ,    R = max(eps^2, 1e-10) diag(J M^-1 J') ,    eps = |theta| / size .
 *
 * R vanishes fast enough for quadratic convergence even if rows depend on each other at the solution (N. Yamashita, M. Fukushima, On the rate of convergence
 * of the Levenberg-Marquardt method, 2001). Where there is no such place, nothing is moved.
 */
#pragma once

#include "../motion.hpp"
#include "mechanism.hpp"

namespace crn
{

enum
{
    MOST_MOVES = 20
};

/* Whether the row is an equation between places alone. Targets that move are left to -theta/h. */
CRN_HD bool is_rigid(const crn_gpu_row &row)
{
    return row.mode == CRN_GPU_HOLD && row.timed < 0 && !(row.k_s > 0) && !(row.c_s > 0);
}

struct CloseLoops
{
    World world;

    /* Row k of the mechanism at the bodies' places after the step. */
    CRN_HD void linearise(int at, double &theta) const
    {
        const Joints &joints = world.joints;
        const crn_gpu_joint &joint = joints.joint[at / CRN_GPU_ROWS];
        const crn_gpu_row &row = joint.row[at % CRN_GPU_ROWS];
        JointRow &to = joints.row[at];
        theta = to.own = 0;
        if (!is_rigid(row))
            return;
        JointPlace place = place_joint(joint, world.kept.x, world.kept.q);
        theta = row.sign * (evaluate_row(joint, row, place, joints.angle[at], to.l, to.t_a, to.t_b) - row.rest);
        to.l = row.sign * to.l;
        to.t_a = row.sign * to.t_a;
        to.t_b = row.sign * to.t_b;
        JointBodies of = bodies_of(world, joint, world.kept.m, world.kept.q);
        to.u_a = turned(of, 0, to.t_a);
        to.u_b = turned(of, 1, to.t_b);
        to.R = 0;
        to.own = mobility(to, to, of);
    }
    /* The largest error, relative to the size of the bodies. */
    CRN_HD double error_of(const Mechanism &of) const
    {
        const Joints &joints = world.joints;
        double error = 0, size = 0;
        for (int k = of.first; k < of.first + of.equations; ++k)
        {
            int at = joints.mechanism_row[k];
            double length = joints.joint[at / CRN_GPU_ROWS].length;
            size = most(size, length);
            error = most(error, fabs(joints.off[k]) * (dot(joints.row[at].l, joints.row[at].l) > 0 ? 1.0 : length));
        }
        return size > 0 ? error / size : 0.0;
    }
    /* (J M^-1 J' + R)^-1, negative. Rows that are not rigid have zeros. */
    template <class Group> CRN_HD void invert(const Mechanism &of, double share, const Group &group) const
    {
        const Joints &joints = world.joints;
        const int n = of.equations, *row = joints.mechanism_row + of.first;
        double *A = joints.number + of.number;
        for (int k = group.rank(); k < n * n; k += group.size())
        {
            const JointRow &a = joints.row[row[k / n]], &b = joints.row[row[k % n]];
            bool is_there = a.own > 0 && b.own > 0;
            A[k] = is_there ? felt(world, row[k / n], row[k % n]) + (k / n == k % n ? share * a.own : 0.0) : 0.0;
        }
        group.sync();
        sweep_pivots(A, A + n * n, n, n, true, [&](int p) { return joints.row[row[p]].own; }, group);
    }
    CRN_HD void move_body(int body) const
    {
        const Joints &joints = world.joints;
        D3 x = {0, 0, 0}, angle = x;
        for (int s = joints.side_first[body]; s < joints.side_first[body + 1]; ++s)
        {
            int j = joints.side[s] / 2, second = joints.side[s] % 2;
            for (int i = j * CRN_GPU_ROWS; i < j * CRN_GPU_ROWS + joints.joint[j].equations; ++i)
                if (joints.row[i].own > 0)
                {
                    x = x + (second ? -joints.pushed[i] : joints.pushed[i]) * joints.row[i].l;
                    angle = angle + joints.pushed[i] * (second ? joints.row[i].u_b : joints.row[i].u_a);
                }
        }
        world.kept.x[body] = with(xyz(world.kept.x[body]) + (double)world.kept.m[body].v.w * x, world.kept.x[body].w);
        world.kept.q[body] = turned(world.kept.q[body], angle, 1);
    }
    template <class Group> CRN_HD void measure(const Mechanism &of, const Group &group) const
    {
        for (int k = of.first + group.rank(); k < of.first + of.equations; k += group.size())
            linearise(world.joints.mechanism_row[k], world.joints.off[k]);
        group.sync();
    }
    template <class Group> CRN_HD void move(const Mechanism &of, double share, const Group &group) const
    {
        const Joints &joints = world.joints;
        const int n = of.equations;
        invert(of, share, group);
        for (int k = group.rank(); k < n; k += group.size())
        {
            double sum = 0;
            for (int c = 0; c < n; ++c)
                sum += joints.number[of.number + k * n + c] * joints.off[of.first + c];
            joints.pushed[joints.mechanism_row[of.first + k]] = sum;
        }
        group.sync();
        for (int k = of.body + group.rank(); k < of.body + of.bodies; k += group.size())
            move_body(joints.mechanism_body[k]);
        group.sync();
    }
    /* Keep where the bodies are, or put them back there. */
    template <class Group> CRN_HD void store(const Mechanism &of, bool is_back, const Group &group) const
    {
        for (int k = of.body + group.rank(); k < of.body + of.bodies; k += group.size())
        {
            int body = world.joints.mechanism_body[k];
            D4 *pose = world.joints.pose + 2 * k;
            D4 &x = world.kept.x[body], &q = world.kept.q[body];
            (is_back ? x : pose[0]) = is_back ? pose[0] : x;
            (is_back ? q : pose[1]) = is_back ? pose[1] : q;
        }
        group.sync();
    }
    template <class Group> CRN_HD void operator()(int i, const Group &group) const
    {
        const Mechanism &of = world.joints.mechanism[i];
        const double rounding = 1e-14, near = 1e-3, closed = 1e-9;
        if (!of.is_closed || world.counters->full)
            return;
        store(of, false, group);
        measure(of, group);
        double error = error_of(of), last = INFINITY;
        for (int k = 0; k < MOST_MOVES && error > rounding && (error < 0.5 * last || error > near); ++k)
        {
            last = error;
            move(of, most(error * error, 1e-10), group);
            measure(of, group);
            error = error_of(of);
        }
        if (!(error <= closed))
            store(of, true, group);
        if (group.rank() == 0)
            world.joints.lifted[i] += lifted(of);
    }
    /* J: what the move has added to the potential of gravity. */
    CRN_HD double lifted(const Mechanism &of) const
    {
        const double *g = world.batch->gravity;
        double sum = 0;
        for (int k = of.body; k < of.body + of.bodies; ++k)
        {
            int body = world.joints.mechanism_body[k];
            sum -= dot(D3{g[0], g[1], g[2]}, xyz(world.kept.x[body]) - xyz(world.joints.pose[2 * k])) / world.kept.m[body].v.w;
        }
        return sum;
    }
};

} // namespace crn
