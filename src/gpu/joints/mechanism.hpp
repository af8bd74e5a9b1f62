/* Mechanisms: joints that hang together through bodies that can move, solved all at once.
 *
 * Sweeps over single joints carry a load from one joint to the next, and take long where light links join heavy bodies, or joints form a loop. What they
 * leave of -theta/h, the correction of drift, is a velocity that was not asked for, and feeds energy into the mechanism. So the rows of a mechanism are
 * one block of the sweep. With its equations e and bounded rows b, and A = J M^-1 J' + R,
 *
 *     s_e + A_ee d_e + A_eb d_b = 0 ,    s_b + A_be d_e + A_bb d_b  complementary to the bounds of z_b + d_b,
 *
 * where s = J v + w + R z is what the rows are off, and d the change of their impulses z. Without d_e this is
 *
 *     s_b - G' s_e + S d_b ,    G = A_ee^-1 A_eb ,    S = A_bb - A_be G ,    d_e = -A_ee^-1 s_e - G d_b .
 *
 * The bounded rows are visited in turn with S, which is small, until they agree. A_ee^-1, G and S are computed once per step, by a block of threads per
 * mechanism. The inverse itself, not its factors: so a visit is a product of a matrix and a vector, all rows at the same time.
 *
 * The inverse is that of the sweep operator: pivot by pivot, A_ij -= A_ip A_pj / A_pp. Swept over the equations, a matrix with the columns of the bounded
 * rows beside them holds -A_ee^-1, G and S. A row that others imply is left out; its impulse stays what it is.
 */
#pragma once

#include "../interface.h"
#include "joint.hpp"
#include "solve.hpp"

namespace crn
{

enum
{
    MECHANISM_TURNS = 64 /* of the bounded rows in a visit */
};

constexpr double ROUNDING = sizeof(real) == sizeof(double) ? 1.2e-16 : 6e-8; /* of velocities */

/* What row `to` of its joint feels of an impulse along row `from` through the body that is theirs: `side` of each. */
CRN_HD double felt_at(const JointRow &to, int side, const JointRow &from, int other, double light)
{
    double sign = side == other ? 1.0 : -1.0;
    return sign * light * dot(to.l, from.l) + dot(side ? to.t_b : to.t_a, other ? from.u_b : from.u_a);
}

CRN_HD double felt(const World &world, int to, int from)
{
    const Joints &joints = world.joints;
    const crn_gpu_joint &a = joints.joint[to / CRN_GPU_ROWS], &b = joints.joint[from / CRN_GPU_ROWS];
    double sum = to == from ? joints.row[to].R : 0.0;
    for (int side = 0; side < 2; ++side)
        for (int other = 0; other < 2; ++other)
            if (a.body[side] >= 0 && a.body[side] == b.body[other])
                sum += felt_at(joints.row[to], side, joints.row[from], other, world.sorted.m[a.body[side]].v.w);
    return sum;
}

/* One pivot of the sweep operator; `column` is that of the pivot. */
template <class Group> CRN_HD void eliminate(double *A, const double *column, int n, int p, double inverse, const Group &group)
{
    for (int k = group.rank(); k < n * n; k += group.size())
    {
        int a = k / n, b = k % n;
        if (a == p && b == p)
            A[k] = -inverse;
        else if (a == p)
            A[k] = inverse * column[b];
        else if (b == p)
            A[k] = inverse * column[a];
        else
            A[k] -= inverse * column[a] * column[b];
    }
}

/* The next pivot: the largest part that is left of its row's own number; -1: nothing is left. */
template <class F> CRN_HD int next_pivot(const double *A, const double *is_done, int n, int pivots, F own_of)
{
    double largest = 1e-10;
    int best = -1;
    for (int p = 0; p < pivots; ++p)
        if (is_done[p] == 0 && A[p * n + p] > largest * own_of(p))
        {
            largest = A[p * n + p] / own_of(p);
            best = p;
        }
    return best;
}

/* The first pivots of a matrix of n rows. If rows may depend on others, the largest comes first, so that what is left in the end is nothing but rounding;
 * those rows and columns become zeros. room: for 2 n numbers. */
template <class F, class Group>
CRN_HD void sweep_pivots(double *A, double *room, int n, int pivots, bool are_dependent, F own_of, const Group &group)
{
    double *column = room, *is_done = room + n;
    for (int k = group.rank(); k < n; k += group.size())
        is_done[k] = k >= pivots;
    group.sync();
    for (int k = 0; k < pivots; ++k)
    {
        int p = are_dependent ? next_pivot(A, is_done, n, pivots, own_of) : A[k * n + k] > 0 ? k : -1;
        if (p < 0)
            break;
        double pivot = A[p * n + p];
        for (int i = group.rank(); i < n; i += group.size())
            column[i] = A[i * n + p];
        group.sync();
        if (group.rank() == 0)
            is_done[p] = 1;
        eliminate(A, column, n, p, 1 / pivot, group);
        group.sync();
    }
    for (int k = group.rank(); k < n * n; k += group.size())
        if (is_done[k / n] == 0 || is_done[k % n] == 0)
            A[k] = 0;
    group.sync();
}

/* A of mechanism i, swept over its equations. */
struct FactorMechanism
{
    World world;
    template <class Group> CRN_HD void operator()(int i, const Group &group) const
    {
        const Mechanism &of = world.joints.mechanism[i];
        const int n = of.equations + of.bounded, *row = world.joints.mechanism_row + of.first;
        double *A = world.joints.number + of.number;
        for (int k = group.rank(); k < n * n; k += group.size())
            A[k] = felt(world, row[k / n], row[k % n]);
        group.sync();
        sweep_pivots(A, A + n * n, n, of.equations, of.has_loop, [&](int p) { return world.joints.row[row[p]].own; }, group);
    }
};

/* What row k of the mechanisms is off. Nothing, if it is less than velocities can tell: impulses would go on to change, and velocities not. */
CRN_HD void measure_row(const World &world, int k)
{
    const Joints &joints = world.joints;
    int at = joints.mechanism_row[k];
    const crn_gpu_joint &joint = joints.joint[at / CRN_GPU_ROWS];
    const JointRow &row = joints.row[at];
    double sum = row.w + row.R * joints.z[at], size = fabs(row.w) + fabs(row.R * joints.z[at]);
    for (int side = 0; side < 2; ++side)
        if (joint.body[side] >= 0)
        {
            const Motion &m = world.sorted.m[joint.body[side]];
            double along = dot(row.l, wide(xyz(m.v))), about = dot(side ? row.t_b : row.t_a, wide(xyz(m.w)));
            sum += (side ? -along : along) + about;
            size += norm(wide(xyz(m.v))) * norm(row.l) + norm(wide(xyz(m.w))) * norm(side ? row.t_b : row.t_a);
        }
    joints.off[k] = fabs(sum) > ROUNDING * size ? sum : 0.0;
}

/* The changes of the bounded rows of mechanism i. */
CRN_HD void solve_bounds(const World &world, int i)
{
    const Joints &joints = world.joints;
    const Mechanism &of = joints.mechanism[i];
    const int n = of.equations + of.bounded;
    const double *A = joints.number + of.number;
    double *off = joints.off + of.first, *change = joints.change + of.first;
    for (int b = of.equations; b < n; ++b)
    {
        change[b] = 0;
        for (int e = 0; e < of.equations; ++e)
            off[b] -= A[b * n + e] * off[e];
    }
    for (int turn = 0; turn < MECHANISM_TURNS; ++turn)
    {
        bool is_done = true;
        for (int b = of.equations; b < n; ++b)
        {
            int at = joints.mechanism_row[of.first + b];
            const JointRow &row = joints.row[at];
            double own = A[b * n + b], z = joints.z[at], s = off[b];
            for (int c = of.equations; c < n; ++c)
                s += A[b * n + c] * change[c];
            if (!(own > 1e-10 * row.own))
                continue;
            double next = least(most(z + change[b] - s / own, row.lo), row.hi) - z;
            is_done = is_done && fabs(next - change[b]) <= 1e-12 * fabs(next);
            change[b] = next;
        }
        if (is_done)
            break;
    }
}

/* The change of row k, once those of the bounded rows are known, and its impulse with it. */
CRN_HD void solve_row(const World &world, int k)
{
    const Joints &joints = world.joints;
    const Mechanism &of = joints.mechanism[joints.mechanism_of[k]];
    const int n = of.equations + of.bounded, e = k - of.first;
    const double *A = joints.number + of.number + e * n, *off = joints.off + of.first;
    if (e < of.equations)
    {
        double sum = 0;
        for (int c = 0; c < of.equations; ++c)
            sum += A[c] * off[c];
        for (int b = of.equations; b < n; ++b)
            sum -= A[b] * joints.change[of.first + b];
        joints.change[k] = sum;
    }
    joints.pushed[joints.mechanism_row[k]] = joints.change[k];
    joints.z[joints.mechanism_row[k]] += joints.change[k];
}

/* Let the changes of all rows at a body of a mechanism act on it, or the impulses that the step starts with. */
CRN_HD void push_body(const World &world, int k, bool is_start)
{
    const Joints &joints = world.joints;
    int body = joints.mechanism_body[k];
    const double *z = is_start ? joints.z : joints.pushed;
    Motion &m = world.sorted.m[body];
    D3 v = wide(xyz(m.v)), w = wide(xyz(m.w));
    for (int s = joints.side_first[body]; s < joints.side_first[body + 1]; ++s)
    {
        int j = joints.side[s] / 2, second = joints.side[s] % 2;
        for (int i = j * CRN_GPU_ROWS; i < j * CRN_GPU_ROWS + joints.joint[j].rows; ++i)
        {
            v = v + ((second ? -z[i] : z[i]) * (double)m.v.w) * joints.row[i].l;
            w = w + z[i] * (second ? joints.row[i].u_b : joints.row[i].u_a);
        }
    }
    m = {with(narrow(v), m.v.w), with(narrow(w), m.w.w)};
}

/* All mechanisms. */
template <class Crew> CRN_HD void sweep_mechanisms(const World &world, Crew &crew, bool is_start)
{
    const Joints &joints = world.joints;
    if (!is_start)
    {
        crew.each(0, joints.mechanism_rows, [&](int k) { measure_row(world, k); });
        crew.sync();
        if (joints.is_bounded)
        {
            crew.each(0, joints.mechanisms, [&](int i) { solve_bounds(world, i); });
            crew.sync();
        }
        crew.each(0, joints.mechanism_rows, [&](int k) { solve_row(world, k); });
        crew.sync();
    }
    crew.each(0, joints.mechanism_bodies, [&](int k) { push_body(world, k, is_start); });
    crew.sync();
}

/* Mechanisms, then all other joints, colour by colour. No two of a colour share a body that can move. */
template <class Crew> CRN_HD void sweep_joints(const World &world, Crew &crew, bool is_start, bool is_backwards)
{
    const Joints &joints = world.joints;
    if (joints.mechanisms > 0)
        sweep_mechanisms(world, crew, is_start);
    for (int c = 0; joints.has_lone && c < joints.colours; ++c)
    {
        int colour = is_backwards ? joints.colours - 1 - c : c;
        crew.each(joints.colour_first[colour], joints.colour_first[colour + 1], [&](int j) {
            if (!joint_is_in_mechanism(joints, j))
                visit_joint(world, j, is_start);
        });
        crew.sync();
    }
}

} // namespace crn
