/* The parts of the pipeline (pipeline.cu) that only a world with joints has. */
#pragma once

#include "../pipeline.hpp"
#include "plan.hpp"

namespace crn
{

void Pipeline::send_joints(const crn_gpu_description *d)
{
    Joints &w = world.joints;
    size_t count = (size_t)d->joint_count, rows = count * CRN_GPU_ROWS;
    w.count = d->joint_count;
    w.colours = d->joint_colours;
    w.timed = d->timed_count;
    w.aparts = d->apart_count;
    send(w.apart, (const unsigned long long *)d->apart, (size_t)d->apart_count);
    if (w.count == 0)
        return;
    std::vector<double> zero(rows), angle(rows), never(rows, NAN);
    std::vector<std::vector<int>> of((size_t)d->body_count);
    for (size_t j = 0; j < count; ++j)
    {
        memcpy(angle.data() + j * CRN_GPU_ROWS, d->joint[j].angle, sizeof d->joint[j].angle);
        for (int side = 0; side < 2; ++side)
            if (d->joint[j].body[side] >= 0)
                of[(size_t)d->joint[j].body[side]].push_back(2 * (int)j + side);
    }
    std::vector<int> first(1), list;
    for (const std::vector<int> &one : of)
    {
        list.insert(list.end(), one.begin(), one.end());
        first.push_back((int)list.size());
    }
    send(w.joint, d->joint, count);
    send(w.colour_first, d->joint_first, (size_t)w.colours + 1);
    send(w.side_first, first.data(), first.size());
    send(w.side, list.data(), list.size());
    send(w.kept_z, zero.data(), rows);
    send(w.rate, never.data(), rows);
    take(w.work, rows);
    send(w.angle, angle.data(), rows);
    take(w.row, rows);
    take(w.factor, count * CRN_GPU_FACTOR);
    take(w.z, rows);
    take(joint_finding, 1);
    if (tolerance > 0)
        send(world.before.z, zero.data(), rows);
    if (!team) /* their bodies may be on several ranks */
        send_mechanisms(d);
}

/* Joints that hang together, two or more of them. Larger ones are swept joint by joint. */
void Pipeline::send_mechanisms(const crn_gpu_description *d)
{
    Joints &w = world.joints;
    MechanismPlan plan(d);
    w.mechanisms = (int)plan.mechanism.size();
    w.mechanism_rows = (int)plan.row.size();
    w.mechanism_bodies = (int)plan.body.size();
    w.is_bounded = plan.is_bounded;
    w.has_lone = plan.has_lone;
    w.has_loops = plan.has_loops;
    if (w.mechanisms == 0)
        return;
    send(w.lone, plan.lone.data(), plan.lone.size());
    send(w.mechanism, plan.mechanism.data(), plan.mechanism.size());
    send(w.mechanism_row, plan.row.data(), plan.row.size());
    send(w.mechanism_of, plan.of.data(), plan.of.size());
    send(w.mechanism_body, plan.body.data(), plan.body.size());
    take(w.number, (size_t)plan.numbers);
    take(w.off, plan.row.size());
    take(w.change, plan.row.size());
    take(w.pushed, plan.lone.size() * CRN_GPU_ROWS);
    take(w.pose, 2 * plan.body.size());
    take(w.lifted, plan.mechanism.size());
}

void Pipeline::enqueue_joints()
{
    machine.launch(world.joints.count, PrepareJoints{world});
    machine.launch_blocks(world.joints.mechanisms, FactorMechanism{world});
}

/* What the rows need in the steps of a batch. */
void Pipeline::time_joints(const crn_gpu_timed *timed, int steps)
{
    Joints &w = world.joints;
    if (w.count > 0)
        machine.clear(w.work, 0, (size_t)w.count * CRN_GPU_ROWS * sizeof(JointWork));
    if (w.mechanisms > 0)
        machine.clear(w.lifted, 0, (size_t)w.mechanisms * sizeof(double));
    if (w.timed * steps > timed_capacity)
    {
        timed_capacity = w.timed * steps;
        machine.forget_recordings();
        keep(w.time, 0, (size_t)timed_capacity);
    }
    if (w.timed > 0)
        machine.copy_in(w.time, timed, (size_t)w.timed * (size_t)steps * sizeof *timed);
}

double Pipeline::lifted_by_loops()
{
    std::vector<double> lifted(world.joints.has_loops ? (size_t)world.joints.mechanisms : 0);
    if (!lifted.empty())
        machine.copy_out(lifted.data(), world.joints.lifted, lifted.size() * sizeof(double));
    return std::accumulate(lifted.begin(), lifted.end(), 0.0);
}

void Pipeline::enqueue_joint_judgement()
{
    machine.reduce(world.joints.count, JudgeJoint{world}, WorseJoint{}, joint_finding);
    machine.launch(1, AddJoints{world, joint_finding, finding});
}

bool Pipeline::read_joints(crn_gpu_joint_row *row)
{
    const Joints &w = world.joints;
    size_t rows = (size_t)w.count * CRN_GPU_ROWS;
    std::vector<double> z(rows), angle(rows);
    std::vector<JointWork> work(rows);
    machine.copy_out(z.data(), w.kept_z, rows * sizeof(double));
    machine.copy_out(angle.data(), w.angle, rows * sizeof(double));
    machine.copy_out(work.data(), w.work, rows * sizeof(JointWork));
    for (size_t i = 0; i < rows && machine.good(); ++i)
        row[i] = {z[i], angle[i], work[i].all, work[i].elastic, work[i].given};
    return machine.good();
}

} // namespace crn
