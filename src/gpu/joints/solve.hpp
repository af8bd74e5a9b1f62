/* A visit of a joint: its equations are solved together and exactly, by L D L', its bounded rows one after the other, and both in turn until they
 * agree, the equations last. All of it in double: there are few joints, and light links between heavy ones need it. */
#pragma once

#include "../shapes/turn.hpp"
#include "../sweep.hpp"

namespace crn
{

enum
{
    JOINT_TURNS = 8 /* of equations and bounded rows in a visit */
};

/* The two bodies of a joint. */
struct JointBodies
{
    D3 v[2], w[2];
    double light[2];
    Axes R[2];
    const double *inverse[2]; /* inertia, in the body's frame; NULL: it does not turn */
};

CRN_HD JointBodies bodies_of(const World &world, const crn_gpu_joint &joint, const Motion *motion, const D4 *q)
{
    JointBodies out = {};
    for (int side = 0; side < 2; ++side)
    {
        int body = joint.body[side];
        if (body < 0)
            continue;
        const Motion &m = motion[body];
        out.v[side] = wide(xyz(m.v));
        out.w[side] = wide(xyz(m.w));
        out.light[side] = m.v.w;
        out.R[side] = axes_of(q[body]);
        out.inverse[side] = m.v.w != 0 ? world.shapes.mass[body].inverse : nullptr;
    }
    return out;
}

CRN_HD JointBodies bodies_of(const World &world, const crn_gpu_joint &joint, const Motion *motion)
{
    return bodies_of(world, joint, motion, world.sorted.q);
}

CRN_HD D3 turned(const JointBodies &of, int side, D3 moment)
{
    if (!of.inverse[side])
        return {0, 0, 0};
    return out_of(of.R[side], row_times(of.inverse[side], into(of.R[side], moment)));
}

CRN_HD double rate_of(const JointRow &row, const JointBodies &of)
{
    return dot(row.l, of.v[0] - of.v[1]) + dot(row.t_a, of.w[0]) + dot(row.t_b, of.w[1]);
}

/* An impulse along a row. */
CRN_HD void push(const JointRow &row, double z, JointBodies &of)
{
    of.v[0] = of.v[0] + (z * of.light[0]) * row.l;
    of.v[1] = of.v[1] - (z * of.light[1]) * row.l;
    of.w[0] = of.w[0] + turned(of, 0, z * row.t_a);
    of.w[1] = of.w[1] + turned(of, 1, z * row.t_b);
}

/* What a unit impulse along `column` does to the rate of `row`. */
CRN_HD double mobility(const JointRow &row, const JointRow &column, const JointBodies &of)
{
    return (of.light[0] + of.light[1]) * dot(row.l, column.l) + dot(row.t_a, turned(of, 0, column.t_a)) +
           dot(row.t_b, turned(of, 1, column.t_b));
}

/* L D L' of the equations' block; L without its diagonal of ones, D inverted. A row that others imply has no impulse. */
CRN_HD void factor_joint(const JointRow *row, int n, const JointBodies &of, double *F)
{
    for (int i = 0; i < n; ++i)
    {
        double *Fi = F + i * (i + 1) / 2, own = mobility(row[i], row[i], of) + row[i].R, d = own;
        for (int j = 0; j < i; ++j)
        {
            double *Fj = F + j * (j + 1) / 2, sum = mobility(row[i], row[j], of);
            for (int k = 0; k < j; ++k)
                sum -= Fi[k] * Fj[k]; /* Fi[k] is still L D */
            Fi[j] = sum;
        }
        for (int j = 0; j < i; ++j)
        {
            double inverse = F[j * (j + 1) / 2 + j], LD = Fi[j];
            Fi[j] = LD * inverse;
            d -= LD * Fi[j];
        }
        Fi[i] = d > 1e-10 * own ? 1 / d : 0.0;
    }
}

CRN_HD void solve_factored(const double *F, int n, double *x)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            x[i] -= F[i * (i + 1) / 2 + j] * x[j];
    for (int i = 0; i < n; ++i)
        x[i] *= F[i * (i + 1) / 2 + i];
    for (int i = n - 1; i >= 0; --i)
        for (int j = i + 1; j < n; ++j)
            x[i] -= F[j * (j + 1) / 2 + i] * x[j];
}

CRN_HD void solve_equations(const JointRow *row, int n, const double *F, double *z, JointBodies &of)
{
    double x[CRN_GPU_EQUATIONS];
    for (int i = 0; i < n; ++i)
        x[i] = -(rate_of(row[i], of) + row[i].w + row[i].R * z[i]);
    solve_factored(F, n, x);
    for (int i = 0; i < n; ++i)
    {
        z[i] += x[i];
        push(row[i], x[i], of);
    }
}

/* Returns the largest change of a rate. */
CRN_HD double solve_bounded(const JointRow *row, int begin, int end, double *z, JointBodies &of)
{
    double largest = 0;
    for (int i = begin; i < end; ++i)
    {
        double own = row[i].own, s = rate_of(row[i], of) + row[i].w + row[i].R * z[i];
        double next = own > 0 ? z[i] - s / own : z[i];
        next = next < row[i].lo ? row[i].lo : next > row[i].hi ? row[i].hi : next;
        push(row[i], next - z[i], of);
        largest = most(largest, own * fabs(next - z[i]));
        z[i] = next;
    }
    return largest;
}

/* Visit joint j, or let the impulses act that it starts with. */
CRN_HD void visit_joint(const World &world, int j, bool is_start)
{
    const Joints &joints = world.joints;
    const crn_gpu_joint &joint = joints.joint[j];
    const JointRow *row = joints.row + j * CRN_GPU_ROWS;
    const double *F = joints.factor + j * CRN_GPU_FACTOR;
    double *z = joints.z + j * CRN_GPU_ROWS;
    JointBodies of = bodies_of(world, joint, world.sorted.m);
    for (int i = 0; is_start && i < joint.rows; ++i)
        push(row[i], z[i], of);
    for (int turn = 0; !is_start && turn < JOINT_TURNS; ++turn)
    {
        double change = solve_bounded(row, joint.equations, joint.rows, z, of);
        solve_equations(row, joint.equations, F, z, of);
        if (change == 0)
            break;
    }
    for (int side = 0; side < 2; ++side)
        if (of.light[side] > 0)
        {
            Motion &m = world.sorted.m[joint.body[side]];
            m = {with(narrow(of.v[side]), m.v.w), with(narrow(of.w[side]), m.w.w)};
        }
}

/* m/s or rad/s: what a row asks for because of where it is. A spring's is that of formulate/compliance.c. */
CRN_HD double bias_of(const World &world, const crn_gpu_row &row, double theta)
{
    double h = world.batch->h, stiff = h * row.k_s + row.c_s;
    if (row.mode == CRN_GPU_GAP && theta > 0)
        return theta / h;
    if (stiff > 0)
        return row.k_s * theta / stiff;
    if (row.mode == CRN_GPU_RATE)
        return 0;
    double back = world.push_out ? theta / h : 0.0;
    return row.mode == CRN_GPU_GAP && back < -world.push_out_speed ? -world.push_out_speed : back;
}

/* What the rows of a joint give way to an impulse, by the masses that its bodies have now. */
CRN_HD void weigh_joint(const World &world, int j)
{
    const crn_gpu_joint &joint = world.joints.joint[j];
    JointBodies of = bodies_of(world, joint, world.sorted.m);
    JointRow *row = world.joints.row + j * CRN_GPU_ROWS;
    for (int i = 0; i < joint.rows; ++i)
    {
        row[i].own = mobility(row[i], row[i], of) + row[i].R;
        row[i].u_a = turned(of, 0, row[i].t_a);
        row[i].u_b = turned(of, 1, row[i].t_b);
    }
    if (!joint_is_in_mechanism(world.joints, j))
        factor_joint(row, joint.equations, of, world.joints.factor + j * CRN_GPU_FACTOR);
}

/* Rows at the start of the step, with the impulses of the last one. */
struct PrepareJoints
{
    World world;

    /* A rotor: z = -k_s (s - last), that is, s + z / k_s - last = 0. */
    CRN_HD void start_rotor(const crn_gpu_row &row, double last, double rate, JointRow &to) const
    {
        to.R = 1 / row.k_s;
        to.w = last == last ? -last : -rate;
    }
    /* A spring and a damper where the step starts: a known impulse. */
    CRN_HD void start_early(const crn_gpu_row &row, double rate, JointRow &to) const
    {
        to.R = to.w = 0;
        to.lo = to.hi = -world.batch->h * (row.k_s * to.theta + row.c_s * rate);
    }

    CRN_HD void operator()(int j) const
    {
        const Joints &joints = world.joints;
        const crn_gpu_joint &joint = joints.joint[j];
        JointPlace at = place_joint(joint, world.sorted.x, world.sorted.q);
        JointBodies before = bodies_of(world, joint, world.kept.m);
        JointRow *out = joints.row + j * CRN_GPU_ROWS;
        double h = world.batch->h, warm = *world.kept_h > 0 ? h / *world.kept_h : 0.0;
        for (int i = 0; i < joint.rows; ++i)
        {
            const crn_gpu_row &row = joint.row[i];
            JointRow &to = out[i];
            double sign = row.sign, stiff = h * row.k_s + row.c_s;
            to.theta = sign * (evaluate_row(joint, row, at, joints.angle[j * CRN_GPU_ROWS + i], to.l, to.t_a, to.t_b) - row.rest);
            to.l = sign * to.l;
            to.t_a = sign * to.t_a;
            to.t_b = sign * to.t_b;
            to.lo = -INFINITY;
            to.hi = INFINITY;
            double shift = 0;
            if (row.timed >= 0)
            {
                const crn_gpu_timed &time = joints.time[(long long)world.counters->taken * joints.timed + row.timed];
                to.theta += time.offset;
                shift = time.shift;
                to.lo = h * time.lo;
                to.hi = h * time.hi;
            }
            to.R = stiff > 0 ? 1 / (h * stiff) : 0.0;
            to.w = bias_of(world, row, to.theta) + shift;
            if (row.mode == CRN_GPU_ROTOR)
                start_rotor(row, joints.rate[j * CRN_GPU_ROWS + i], rate_of(to, before), to);
            if (row.mode == CRN_GPU_EARLY)
                start_early(row, rate_of(to, before), to);
            double z = warm * joints.kept_z[j * CRN_GPU_ROWS + i];
            joints.z[j * CRN_GPU_ROWS + i] = z < to.lo ? to.lo : z > to.hi ? to.hi : z;
        }
        weigh_joint(world, j);
    }
};

} // namespace crn
