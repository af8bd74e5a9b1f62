/* The part of joints in the certificate and at the end of a step. */
#pragma once

#include "../certificate.hpp"
#include "mechanism.hpp"

namespace crn
{

/* The impulse and the moment of all joints on a body, in one order. */
CRN_HD void add_joint_impulses(const World &world, int body, D3 &p, D3 &moment)
{
    const Joints &joints = world.joints;
    for (int k = joints.side_first[body]; k < joints.side_first[body + 1]; ++k)
    {
        int j = joints.side[k] / 2, second = joints.side[k] % 2;
        for (int i = 0; i < joints.joint[j].rows; ++i)
        {
            const JointRow &row = joints.row[j * CRN_GPU_ROWS + i];
            double z = joints.z[j * CRN_GPU_ROWS + i];
            p = p + (second ? -z : z) * row.l;
            moment = moment + z * (second ? row.t_b : row.t_a);
        }
    }
}

/* m/s: of one joint, and of all. */
struct JointFinding
{
    double worst, scale;
};

struct WorseJoint
{
    CRN_HD JointFinding operator()(const JointFinding &a, const JointFinding &b) const
    {
        return {most(a.worst, b.worst), most(a.scale, b.scale)};
    }
};

/* |s + w + R z| of equations, and |z - P(z - rho (s + w + R z))| / rho of bounded rows, times a length where they are angles, and times the share
 * W / (W + R) that the bodies have in it: what is left of a spring's force counts as the velocity that it makes. */
struct JudgeJoint
{
    World world;
    CRN_HD JointFinding operator()(int j) const
    {
        const Joints &joints = world.joints;
        const crn_gpu_joint &joint = joints.joint[j];
        D3 v[2] = {{0, 0, 0}, {0, 0, 0}}, w[2] = {{0, 0, 0}, {0, 0, 0}};
        double speed = 0, found = 0;
        for (int side = 0; side < 2; ++side)
            if (joint.body[side] >= 0)
            {
                v[side] = xyz(world.judged_v[joint.body[side]]);
                w[side] = xyz(world.judged_w[joint.body[side]]);
                const Motion &start = world.kept.m[joint.body[side]];
                speed += norm(wide(xyz(start.v))) + joint.length * norm(wide(xyz(start.w)));
            }
        const double *g = world.batch->gravity;
        double scale = speed + world.batch->h * norm(D3{g[0], g[1], g[2]});
        for (int i = 0; i < joint.rows; ++i)
        {
            const JointRow &row = joints.row[j * CRN_GPU_ROWS + i];
            double z = joints.z[j * CRN_GPU_ROWS + i], length = dot(row.l, row.l) > 0 ? 1.0 : joint.length;
            length *= row.own > 0 ? (row.own - row.R) / row.own : 1.0;
            double s = dot(row.l, v[0] - v[1]) + dot(row.t_a, w[0]) + dot(row.t_b, w[1]) + row.w + row.R * z, off = s;
            if (i >= joint.equations)
                off = row.own > 0 ? (z - least(most(z - s / row.own, row.lo), row.hi)) * row.own : 0.0;
            found = most(found, length * fabs(off == off ? off : INFINITY));
            scale = most(scale, row.w > 0 ? 0.0 : length * fabs(row.w));
        }
        return {found, scale};
    }
};

/* Into what contacts have found. */
struct AddJoints
{
    World world;
    const JointFinding *joints;
    Finding *finding;
    CRN_HD void operator()(int) const
    {
        finding->worst = most(finding->worst, joints->worst);
        finding->scale = most(finding->scale, joints->scale);
    }
};

/* Impulses and rates for the next step, and the work of every row at the mean of its rates. Before the bodies move. */
struct KeepJoints
{
    World world;

    /* The rate that bodies which move freely have in a row's. */
    CRN_HD static double free_rate(const JointRow &row, JointBodies of)
    {
        for (int side = 0; side < 2; ++side)
            if (of.light[side] == 0)
                of.v[side] = of.w[side] = {0, 0, 0};
        return rate_of(row, of);
    }
    /* N s or N m s: the part of the impulse z that is the row's spring (formulate/compliance.c, crn_compliance_parts). */
    CRN_HD double elastic_part(const crn_gpu_row &row, const JointRow &at, double z) const
    {
        double h = world.batch->h, stiff = h * row.k_s + row.c_s;
        if (row.mode == CRN_GPU_ROTOR)
            return z;
        if (row.mode == CRN_GPU_EARLY)
            return -h * row.k_s * at.theta;
        if (!(stiff > 0) || (row.mode == CRN_GPU_GAP && !(z > 0)))
            return 0;
        return -h * row.k_s * (at.theta - h * (at.R * z + bias_of(world, row, at.theta)));
    }
    CRN_HD void operator()(int j) const
    {
        const Joints &joints = world.joints;
        const crn_gpu_joint &joint = joints.joint[j];
        if (world.counters->full)
            return;
        JointBodies before = bodies_of(world, joint, world.kept.m), after = bodies_of(world, joint, world.sorted.m);
        for (int i = 0; i < joint.rows; ++i)
        {
            int k = j * CRN_GPU_ROWS + i;
            const crn_gpu_row &of = joint.row[i];
            const JointRow &row = joints.row[k];
            double z = joints.z[k], end = rate_of(row, after), mean = 0.5 * (free_rate(row, before) + free_rate(row, after));
            bool is_moved = of.timed >= 0 && of.mode != CRN_GPU_ROTOR; /* by a target */
            double drive = end - free_rate(row, after) + (is_moved ? row.w - bias_of(world, of, row.theta) : 0.0);
            double elastic = elastic_part(of, row, z);
            joints.kept_z[k] = z;
            joints.rate[k] = end;
            joints.work[k].all += z * mean;
            joints.work[k].elastic += elastic * mean;
            joints.work[k].given += elastic * drive;
        }
    }
};

/* Angles after the step. */
struct CountAngles
{
    World world;
    CRN_HD void operator()(int j) const
    {
        const crn_gpu_joint &joint = world.joints.joint[j];
        D3 l, t_a, t_b;
        if (world.counters->full)
            return;
        JointPlace at = place_joint(joint, world.kept.x, world.kept.q);
        for (int i = 0; i < joint.watched; ++i)
        {
            double &angle = world.joints.angle[j * CRN_GPU_ROWS + i];
            angle = evaluate_row(joint, joint.row[i], at, angle, l, t_a, t_b);
        }
    }
};

} // namespace crn
