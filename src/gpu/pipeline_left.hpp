/* A step that sweeps have left above its tolerance, handed out as one problem in double (crn_gpu_left of interface.h) and taken back as impulses.
 *
 * Sweeps carry loads across a jammed heap slowly, and Coulomb's law can drive them in circles; the processor's solvers factorise instead. The velocities of
 * the problem are those of the certificate, which follow from the impulses alone, so the problem needs nothing else of the step: with v and r at hand, the
 * velocity without contacts is v - A^-1 H' r. The impulses that come back are rounded to the precision of the sweeps and judged like all others. Those of the
 * sweeps are put back if they were better.
 */
#pragma once

#include "pipeline.hpp"

namespace crn
{

/* Joints, polygons and moments have no place in the problem, and ranks have only a part of it. The processor's solvers look at no clock, and their time has no
 * bound that follows from the problem: of seven steps with 930 to 2,500 contacts, five took 0.03 s to 2.2 s, the others more than 40 s. So they get small ones alone. */
static const int MOST_LEFT = 600; /* contacts */
inline bool Pipeline::can_leave(int contacts) const
{
    return finish && contacts <= MOST_LEFT && can_calm() && world.joints.count == 0;
}

inline void write(double *to, D3 x)
{
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
}

inline void Pipeline::list_bodies(std::vector<crn_gpu_left_body> &body)
{
    size_t all = body.size(), n = (size_t)world.n;
    std::vector<D4> v(all), w(all), q(n);
    std::vector<Mass> mass(world.has_shapes ? n : 0);
    machine.copy_out(v.data(), world.judged_v, all * sizeof(D4));
    machine.copy_out(w.data(), world.judged_w, all * sizeof(D4));
    machine.copy_out(q.data(), world.sorted.q, n * sizeof(D4));
    if (world.has_shapes)
        machine.copy_out(mass.data(), world.shapes.mass, n * sizeof(Mass));
    for (size_t i = 0; i < all; ++i)
    {
        body[i] = {};
        write(body[i].v, xyz(v[i]));
        write(body[i].w, xyz(w[i]));
        body[i].inverse_mass = v[i].w;
        Axes R = i < n ? axes_of(q[i]) : Axes{};
        for (int k = 0; k < 3 && i < n; ++k)
        {
            D3 e = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
            if (world.has_shapes)
                write(body[i].inertia + 3 * k, out_of(R, row_times(mass[i].I, into(R, e))));
            else if (w[i].w > 0)
                body[i].inertia[4 * k] = 1 / w[i].w;
        }
    }
}

/* Of single spheres: arms are radii. */
inline void Pipeline::list_round_contacts(std::vector<crn_gpu_left_contact> &contact)
{
    std::vector<D4> x((size_t)world.n);
    machine.copy_out(x.data(), world.sorted.x, x.size() * sizeof(D4));
    for (crn_gpu_left_contact &c : contact)
    {
        D3 n = {c.n[0], c.n[1], c.n[2]};
        write(c.arm_a, -x[(size_t)c.a].w * n);
        write(c.arm_b, (c.b < world.n ? x[(size_t)c.b].w : 0.0) * n);
    }
}

inline void Pipeline::list_contacts(std::vector<crn_gpu_left_contact> &contact)
{
    size_t count = contact.size();
    std::vector<unsigned long long> pair(count);
    std::vector<R4> n(count), r(count), arm_a(count), arm_b(count);
    std::vector<real> friction(CRN_GPU_CLASSES);
    machine.copy_out(pair.data(), world.ordered.pair, count * sizeof pair[0]);
    machine.copy_out(n.data(), world.ordered.n, count * sizeof(R4));
    machine.copy_out(r.data(), world.ordered.r, count * sizeof(R4));
    machine.copy_out(friction.data(), world.friction, CRN_GPU_CLASSES * sizeof(real));
    if (world.has_shapes)
    {
        machine.copy_out(arm_a.data(), world.shapes.ordered_arm_a, count * sizeof(R4));
        machine.copy_out(arm_b.data(), world.shapes.ordered_arm_b, count * sizeof(R4));
    }
    for (size_t k = 0; k < count; ++k)
    {
        crn_gpu_left_contact &c = contact[k];
        c = {};
        c.a = first_of(pair[k]);
        c.b = second_of(pair[k]);
        c.bias = n[k].w;
        c.friction = friction[(size_t)class_of(pair[k])];
        write(c.n, wide(xyz(n[k])));
        write(c.arm_a, wide(xyz(arm_a[k])));
        write(c.arm_b, wide(xyz(arm_b[k])));
        write(c.impulse, (double)r[k].w * wide(xyz(n[k])) + wide(xyz(r[k])));
    }
    if (!world.has_shapes)
        list_round_contacts(contact);
}

inline void Pipeline::take_impulses(const std::vector<crn_gpu_left_contact> &contact)
{
    std::vector<R4> r(contact.size());
    for (size_t k = 0; k < contact.size(); ++k)
    {
        const crn_gpu_left_contact &c = contact[k];
        D3 n = {c.n[0], c.n[1], c.n[2]}, p = {c.impulse[0], c.impulse[1], c.impulse[2]};
        r[k] = with(narrow(across(p, n)), (real)dot(p, n));
    }
    machine.copy_in(world.ordered.r, r.data(), r.size() * sizeof(R4));
    machine.wait();
}

/* found: of the impulses that the step ends with, before and after. */
inline void Pipeline::leave_step(int contacts, Finding *found)
{
    std::vector<crn_gpu_left_body> body((size_t)(world.n + world.planes));
    std::vector<crn_gpu_left_contact> contact((size_t)contacts);
    std::vector<R4> swept_r((size_t)contacts);
    Finding swept_found = *found;
    list_bodies(body);
    list_contacts(contact);
    machine.copy_out(swept_r.data(), world.ordered.r, swept_r.size() * sizeof(R4));
    crn_gpu_left problem = {(int32_t)body.size(), contacts, (crn_gpu_law)world.law, tolerance, body.data(), contact.data()};
    ++left;
    if (!machine.good() || !finish(finish_user, &problem))
        return;
    take_impulses(contact);
    enqueue_judgement();
    machine.copy_out(found, finding, sizeof *found);
    if (!(found->worst < swept_found.worst))
    {
        machine.copy_in(world.ordered.r, swept_r.data(), swept_r.size() * sizeof(R4));
        enqueue_judgement();
        *found = swept_found;
    }
    machine.launch(world.n, Refresh{world});
    machine.wait();
}

} // namespace crn
