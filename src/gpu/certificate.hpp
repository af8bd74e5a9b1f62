/* How well a step meets the contact laws, in double, by code that shares nothing with the sweeps.
 *
 * The velocities are computed again from those at the start of the step, gravity and the impulses alone, body by body, with arms and moments of
 * inertia. For that every body lists its contacts, sorted, so that sums have one order. Each contact's residual is the natural map of
 * docs/certificate.md, with r = p, rho = 3 / trace W and K the friction cone:
 *
 *     frictionless   | (min(r_n, rho u_n), r_t) | / rho
 *     cone           | r - P_K(r - rho (u + mu |u_t| n)) | / rho
 *     convex cone    | r - P_K(r - rho u) | / rho .
 */
#pragma once

#include "world.hpp"

namespace crn
{

/* Of one contact, and of all. */
struct Finding
{
    double worst, sum, approach, scale;                   /* m/s */
    double penetration, penetrations, relative;           /* m, m, 1 */
    double work_normal, work_friction;                    /* J */
    long long count, active;
};

struct Combine
{
    CRN_HD Finding operator()(const Finding &a, const Finding &b) const
    {
        return {a.worst > b.worst ? a.worst : b.worst,
                a.sum + b.sum,
                a.approach > b.approach ? a.approach : b.approach,
                a.scale > b.scale ? a.scale : b.scale,
                a.penetration > b.penetration ? a.penetration : b.penetration,
                a.penetrations + b.penetrations,
                a.relative + b.relative,
                a.work_normal + b.work_normal,
                a.work_friction + b.work_friction,
                a.count + b.count,
                a.active + b.active};
    }
};

/* ------------------------------------------------------------------------------------------ the contacts of a body */

struct CountSides
{
    World world;
    CRN_HD void operator()(int k) const
    {
        if (k >= world.counters->contacts)
            return;
        unsigned long long pair = world.ordered.pair[k];
        for (int side = 0; side < 2; ++side)
        {
            int body = side == 0 ? first_of(pair) : second_of(pair);
            if (body < world.n && world.sorted.m[body].v.w != 0)
                add_to(world.incoming_count + body, 1);
        }
    }
};

/* Fills each list from its end, in any order. */
struct ListSides
{
    World world;
    CRN_HD void operator()(int k) const
    {
        if (k >= world.counters->contacts)
            return;
        unsigned long long pair = world.ordered.pair[k];
        for (int side = 0; side < 2; ++side)
        {
            int body = side == 0 ? first_of(pair) : second_of(pair);
            if (body < world.n && world.sorted.m[body].v.w != 0)
                world.incoming[world.incoming_first[body] + add_to(world.incoming_count + body, -1) - 1] = 2 * k + side;
        }
    }
};

CRN_HD D3 impulse_of(const World &world, int k)
{
    R4 r = world.ordered.r[k];
    return (double)r.w * wide(xyz(world.ordered.n[k])) + wide(xyz(r));
}

/* ------------------------------------------------------------------------------------------------------ velocities */

/* The contacts of one body, into one order. */
CRN_HD void sort_sides(const World &world, int begin, int end)
{
    for (int i = begin + 1; i < end; ++i)
    {
        int here = world.incoming[i], j = i;
        for (; j > begin && world.incoming[j - 1] > here; --j)
            world.incoming[j] = world.incoming[j - 1];
        world.incoming[j] = here;
    }
}

/* What is known to act on a body besides gravity. */
CRN_HD void add_forces(const World &world, int i, D3 &p, D3 &moment)
{
    int number = world.sorted.tag[i].x;
    p = p + world.forces.impulse[2 * number];
    moment = moment + world.forces.impulse[2 * number + 1];
}

struct JudgeBodies
{
    World world;

    CRN_HD void operator()(int i) const
    {
        const Batch &batch = *world.batch;
        int from = i < world.n ? world.from[i] : i;
        R4 v0 = i < world.n ? world.kept.m[from].v : world.sorted.m[i].v;
        R4 w0 = i < world.n ? world.kept.m[from].w : world.sorted.m[i].w;
        double radius = i < world.n ? world.sorted.x[i].w : 1.0;
        D3 v = wide(xyz(v0)), w = (1 / radius) * wide(xyz(w0));
        double light = v0.w, nimble = w0.w / (radius * radius);
        if (i < world.n && light > 0)
        {
            D3 g = {batch.gravity[0], batch.gravity[1], batch.gravity[2]}, p = {0, 0, 0}, moment = {0, 0, 0};
            int begin = world.incoming_first[i], end = world.incoming_first[i + 1];
            sort_sides(world, begin, end);
            for (int k = begin; k < end; ++k)
            {
                int contact = world.incoming[k] / 2;
                double sign = world.incoming[k] % 2 ? -1.0 : 1.0;
                D3 here = sign * impulse_of(world, contact), arm = (-sign * radius) * wide(xyz(world.ordered.n[contact]));
                p = p + here;
                moment = moment + cross(arm, here);
            }
            if (world.forces.impulse)
                add_forces(world, i, p, moment);
            v = v + batch.h * g + light * p;
            w = w + nimble * moment;
        }
        world.judged_v[i] = with(v, light);
        world.judged_w[i] = with(w, nimble);
    }
};

/* ------------------------------------------------------------------------------------------------------ residuals */

/* |r - P_K(r - step)|^2, K: |t| <= mu n */
CRN_HD double cone_distance(double mu, double r_n, D3 r_t, double step_n, D3 step_t)
{
    double x_n = r_n - step_n;
    D3 x_t = r_t - step_t;
    double size = sqrt(dot(x_t, x_t));
    if (size <= mu * x_n)
        return step_n * step_n + dot(step_t, step_t);
    double n = (x_n + mu * size) / (1 + mu * mu);
    n = n > 0 ? n : 0;
    D3 off = r_t - (size > 0 ? mu * n / size : 0.0) * x_t;
    return (r_n - n) * (r_n - n) + dot(off, off);
}

CRN_HD double residual_of(int law, double mu, double rho, double r_n, D3 r_t, double u_n, D3 u_t)
{
    double square;
    if (law == CRN_GPU_FRICTIONLESS)
    {
        double least = r_n < rho * u_n ? r_n : rho * u_n;
        square = least * least + dot(r_t, r_t);
    }
    else
    {
        double shift = law == CRN_GPU_CONE ? mu * sqrt(dot(u_t, u_t)) : 0.0;
        square = cone_distance(mu, r_n, r_t, rho * (u_n + shift), rho * u_t);
    }
    return sqrt(square) / rho;
}

struct JudgeContact
{
    World world;

    struct Side
    {
        D3 v, w, arm, v_start, w_start, x_end; /* x_end: of a sphere */
        double light, nimble, radius;
    };

    CRN_HD Side side_of(int body, D3 n, double sign) const
    {
        D4 v = world.judged_v[body], w = world.judged_w[body];
        Side s = {xyz(v), xyz(w), {0, 0, 0}, xyz(v), xyz(w), {0, 0, 0}, v.w, w.w, 0};
        if (body >= world.n)
            return s;
        D4 x = world.sorted.x[body];
        int from = world.from[body];
        s.radius = x.w;
        s.arm = (-sign * x.w) * n;
        s.v_start = wide(xyz(world.kept.m[from].v));
        s.w_start = (1 / x.w) * wide(xyz(world.kept.m[from].w));
        s.x_end = v.w > 0 ? xyz(x) + world.batch->h * xyz(v) : xyz(x);
        return s;
    }

    CRN_HD double gap_at_end(const Side &a, const Side &b, int second, D3 n) const
    {
        if (second >= world.n)
        {
            const crn_gpu_plane &plane = world.plane[second - world.n];
            return dot(n, a.x_end - world.batch->h * b.v) - plane.offset - a.radius;
        }
        D3 end = b.light > 0 ? b.x_end : b.x_end + world.batch->h * b.v;
        D3 start = a.light > 0 ? a.x_end : a.x_end + world.batch->h * a.v;
        D3 e = shortest(world, start - end);
        return sqrt(dot(e, e)) - a.radius - b.radius;
    }

    /* m/s: what the contact's data amount to, the scale of its residual. */
    CRN_HD double speed_of(const Side &a, const Side &b, double bias) const
    {
        double ha = a.light > 0 ? sqrt(dot(a.v_start, a.v_start)) + a.radius * sqrt(dot(a.w_start, a.w_start)) : 0.0;
        double hb = b.light > 0 ? sqrt(dot(b.v_start, b.v_start)) + b.radius * sqrt(dot(b.w_start, b.w_start)) : 0.0;
        const double *g = world.batch->gravity;
        double fall = world.batch->h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        double free = ha + hb + fall, prescribed = b.light > 0 ? 0.0 : sqrt(dot(b.v, b.v));
        double w = fabs(bias) + prescribed;
        return free + (w < free ? w : bias > 0 ? free : w);
    }

    CRN_HD Finding operator()(int k) const
    {
        Finding none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        if (k >= world.counters->contacts)
            return none;
        unsigned long long pair = world.ordered.pair[k];
        R4 n4 = world.ordered.n[k], r = world.ordered.r[k];
        D3 n = wide(xyz(n4)), p = impulse_of(world, k);
        Side a = side_of(first_of(pair), n, 1), b = side_of(second_of(pair), n, -1);
        D3 u = a.v + cross(a.w, a.arm) - b.v - cross(b.w, b.arm);
        D3 start = a.v_start + cross(a.w_start, a.arm) - b.v_start - cross(b.w_start, b.arm);
        double along = dot(u, n), u_n = along + n4.w;
        double trace = 3 * (a.light + b.light) + 2 * (a.radius * a.radius * a.nimble + b.radius * b.radius * b.nimble);
        double found = residual_of(world.law, world.friction[class_of(pair)], 3 / trace, dot(p, n), across(p, n), u_n,
                                   across(u, n));
        found = found == found ? found : INFINITY;
        double gap = gap_at_end(a, b, second_of(pair), n), deep = gap < 0 ? -gap : 0.0;
        bool active = r.w > 0;
        double small = second_of(pair) < world.n && b.radius < a.radius ? b.radius : a.radius;
        return {found,
                found,
                u_n < 0 ? -u_n : 0.0,
                speed_of(a, b, n4.w),
                deep,
                active ? deep : 0.0,
                active ? deep / small : 0.0,
                0.5 * dot(p, n) * dot(n, u + start),
                0.5 * dot(across(p, n), u + start),
                1,
                active};
    }
};

/* Velocities for further sweeps from those of the certificate, without what rounding has added up to in the last ones. */
struct Refresh
{
    World world;
    CRN_HD void operator()(int i) const
    {
        Motion &m = world.sorted.m[i];
        if (m.v.w == 0)
            return;
        double r = world.sorted.x[i].w;
        m = {with(narrow(xyz(world.judged_v[i])), m.v.w), with(narrow(r * xyz(world.judged_w[i])), m.w.w)};
    }
};

/* Overlaps in a wedge cannot be pushed out, whatever the impulses, and a step that asks for it has no solution (docs/one-step-problem.md). Where many
 * sweeps have not met the tolerance, overlaps are only kept from growing in this step, as the processor does with an island (step/wedge.c). */
struct HoldOverlaps
{
    World world;
    CRN_HD void operator()(int k) const
    {
        if (k >= world.counters->contacts)
            return;
        R4 &n = world.ordered.n[k];
        if (n.w >= 0 || world.restitution[class_of(world.ordered.pair[k])] > 0)
            return;
        n.w = 0;
        add_to(&world.counters->held, is_counted(world, world.ordered.pair[k]));
    }
};

/* What a batch has found so far. */
struct Totals
{
    Finding last;                        /* of the last certified step */
    double worst, mean, approach, scale; /* of the one that is worst by its scale */
    double work_normal, work_friction, work_gyroscopic;
    int certified, worst_step;
};

struct Conclude
{
    CRN_HD static double relative(double worst, double scale)
    {
        return scale > 0 ? worst / scale : worst;
    }
    World world;
    const Finding *finding;
    Totals *totals;
    CRN_HD void operator()(int) const
    {
        if (world.counters->full)
            return;
        const Finding &f = *finding;
        totals->last = f;
        totals->work_normal += f.work_normal;
        totals->work_friction += f.work_friction;
        if (totals->certified++ > 0 && !(relative(f.worst, f.scale) > relative(totals->worst, totals->scale)))
            return;
        totals->worst = f.worst;
        totals->mean = f.count > 0 ? f.sum / (double)f.count : 0.0;
        totals->approach = f.approach;
        totals->scale = f.scale;
        totals->worst_step = world.counters->taken + 1;
    }
};

} // namespace crn
