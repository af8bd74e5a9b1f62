/* The parts of the pipeline (pipeline.cu) that only a world with forces, or one in which somebody pulls, has. */
#pragma once

#include "../pipeline.hpp"

namespace crn
{

/* Programs of forces that depend on the state. */
void Pipeline::send_programs(const crn_gpu_description *d)
{
    Forces &w = world.forces;
    std::vector<int> first((size_t)world.n + 1);
    for (int k = 0; k < d->variable_count; ++k)
        ++first[(size_t)d->variable[k].body + 1];
    for (size_t i = 0; i < (size_t)world.n; ++i)
        first[i + 1] += first[i];
    send(w.program_first, d->program_first, 6 * (size_t)d->force_count + 1);
    send(w.instruction, d->instruction, (size_t)d->instruction_count);
    send(w.variable, d->variable, (size_t)d->variable_count);
    send(w.variable_first, first.data(), first.size());
    take(w.value, (size_t)d->variable_count);
}

void Pipeline::enqueue_forces()
{
    World &w = world;
    if (w.forces.program_first)
    {
        machine.launch(w.n, ReadVariables{w});
        machine.launch(w.forces.count, EvaluateForces{w});
        machine.launch(1, RefuseForces{w});
    }
    if (w.forces.impulse)
        machine.launch(w.n, ApplyForces{w});
}

void Pipeline::send_forces(const crn_gpu_description *d)
{
    Forces &w = world.forces;
    std::vector<int> first((size_t)world.n + 1);
    const crn_gpu_pull none = {-1, {0, 0, 0}, {0, 0, 0}, 0, 0};
    for (int f = 0; f < d->force_count; ++f)
        ++first[(size_t)d->force[f].body + 1];
    for (size_t i = 0; i < (size_t)world.n; ++i)
        first[i + 1] += first[i];
    w.count = d->force_count;
    send(w.force, d->force, (size_t)w.count);
    send(w.first, first.data(), first.size());
    send(w.pull, &none, 1);
    take(w.work, (size_t)w.count + 1);
    if (w.count > 0)
        take(w.impulse, 2 * (size_t)world.n);
    if (d->instruction_count > 0)
        send_programs(d);
}

/* What acts in the steps of the next batch. Kernels for it are launched from the first force or pull on. */
bool Pipeline::load(const crn_gpu_load *load, int steps, const crn_gpu_pull *pull)
{
    Forces &w = world.forces;
    if (w.count * steps > load_capacity || (pull->body >= 0 && !w.impulse))
        machine.forget_recordings();
    if (w.count * steps > load_capacity)
    {
        load_capacity = w.count * steps;
        keep(w.load, 0, (size_t)load_capacity);
    }
    if (pull->body >= 0 && !w.impulse)
        take(w.impulse, 2 * (size_t)world.n);
    if (!machine.good() || !w.impulse)
        return machine.good();
    machine.clear(w.work, 0, ((size_t)w.count + 1) * sizeof(double));
    machine.copy_in(w.pull, pull, sizeof *pull);
    if (w.count > 0)
        machine.copy_in(w.load, load, (size_t)w.count * (size_t)steps * sizeof *load);
    return machine.wait();
}

bool Pipeline::read_forces(double *work)
{
    size_t count = (size_t)world.forces.count + 1;
    memset(work, 0, count * sizeof *work);
    if (world.forces.impulse)
        machine.copy_out(work, world.forces.work, count * sizeof *work);
    return machine.good();
}

} // namespace crn
