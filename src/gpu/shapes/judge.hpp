/* The certificate of a world with shapes: that of certificate.hpp with arms and inertias, in double, from the state at the start of the
 * step and the impulses alone. The gap at the end of the step is the one at its start, closed at the velocity found here. */
#pragma once

#include "../certificate.hpp"
#include "../joints/judge.hpp"

namespace crn
{

/* J^-1 x, in the world. */
CRN_HD D3 turned_by(const World &world, int body, D3 x)
{
    Axes R = axes_of(world.sorted.q[body]);
    return out_of(R, row_times(world.shapes.mass[body].inverse, into(R, x)));
}

/* N s and N m s, of contacts that pull or resist rolling (laws.hpp). */
CRN_HD double pull_of(const World &world, int k)
{
    return world.shapes.ordered_extra ? world.shapes.ordered_extra[k].w : 0.0;
}
CRN_HD D3 moment_of(const World &world, int k)
{
    return world.shapes.ordered_extra ? wide(xyz(world.shapes.ordered_extra[k])) : D3{0, 0, 0};
}

struct JudgeShapeBodies
{
    World world;
    CRN_HD void operator()(int i) const
    {
        const Batch &batch = *world.batch;
        const Motion &start = world.kept.m[i];
        D3 v = wide(xyz(start.v)), w = wide(xyz(start.w)), p = {0, 0, 0}, moment = {0, 0, 0};
        double light = start.v.w;
        if (light > 0)
        {
            int begin = world.incoming_first[i], end = world.incoming_first[i + 1];
            sort_sides(world, begin, end);
            for (int j = begin; j < end; ++j)
            {
                int k = world.incoming[j] / 2, second = world.incoming[j] % 2;
                D3 arm = wide(xyz(second ? world.shapes.ordered_arm_b[k] : world.shapes.ordered_arm_a[k]));
                double sign = second ? -1.0 : 1.0;
                D3 here = sign * (impulse_of(world, k) - pull_of(world, k) * wide(xyz(world.ordered.n[k])));
                p = p + here;
                moment = moment + cross(arm, here) + sign * moment_of(world, k);
            }
            if (world.joints.count > 0)
                add_joint_impulses(world, i, p, moment);
            v = v + batch.h * D3{batch.gravity[0], batch.gravity[1], batch.gravity[2]} + light * p;
            w = free_turn(world, i, w) + turned_by(world, i, moment);
        }
        world.judged_v[i] = with(v, light);
        world.judged_w[i] = with(w, 0);
    }
};

/* The same as residual_of of certificate.hpp with a polygon: |(min(r_n, rho u_n), r_t - P(r_t - rho u_t))| / rho. The nearest edge is
 * the one whose outward normal the point lies farthest along. */
CRN_HD double polygon_residual(const Figure &of, double mu, double rho, double r_n, D3 r_t, double u_n, D3 u_t, D3 n)
{
    D3 s, t, x = r_t - rho * u_t;
    double side = n.z < 0 ? -1.0 : 1.0, a = -1 / (side + n.z), half = 3.14159265358979324 / of.corners, far = -INFINITY, angle = 0;
    s = across(D3{1 + side * n.x * n.x * a, side * n.x * n.y * a, -side * n.x}, n);
    s = (1 / norm(s)) * s;
    t = cross(n, s);
    for (int k = 0; k < of.corners; ++k)
    {
        double middle = of.phase + (2 * k + 1) * half, out = cos(middle) * dot(x, s) + sin(middle) * dot(x, t);
        angle = out > far ? middle : angle;
        far = most(out, far);
    }
    D3 outward = cos(angle) * s + sin(angle) * t, along = cross(n, outward);
    double radius = of.reach * mu * most(r_n, 0), edge = least(far, radius * cos(half));
    D3 nearest = edge * outward + (far > edge ? clamp(dot(x, along), radius * sin(half)) : dot(x, along)) * along;
    double normal = least(r_n, rho * u_n), flat = far > edge ? norm(r_t - nearest) : rho * norm(u_t);
    return sqrt(normal * normal + flat * flat) / rho;
}

struct JudgeShapeContact
{
    World world;

    struct Side
    {
        D3 u, start;         /* m/s: of the touching point, at the end and the start of the step */
        D3 w, w_start;       /* rad/s */
        double turning;      /* trace of J^-1 */
        double arm;          /* m */
        double trace, speed; /* of its share of W; m/s */
        double light;
    };

    CRN_HD Side side_of(int body, D3 arm) const
    {
        const Motion &m = world.kept.m[body];
        D3 v = xyz(world.judged_v[body]), w = xyz(world.judged_w[body]), v0 = wide(xyz(m.v)), w0 = wide(xyz(m.w));
        double light = m.v.w, trace = 3 * light, turning = 0;
        for (int k = 0; k < 3 && light > 0; ++k)
        {
            D3 e = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}, turn = cross(arm, e);
            trace += dot(turn, turned_by(world, body, turn));
            turning += dot(e, turned_by(world, body, e));
        }
        return {v + cross(w, arm), v0 + cross(w0, arm), w, w0, turning, light > 0 ? norm(arm) : 0.0, trace, norm(v0) + norm(w0) * norm(arm), light};
    }

    /* m/s: what the contact's data amount to, the scale of its residual. */
    CRN_HD double scale_of(const Side &a, const Side &b, double bias) const
    {
        const double *g = world.batch->gravity;
        double fall = world.batch->h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        double free = (a.light > 0 ? a.speed : 0.0) + (b.light > 0 ? b.speed : 0.0) + fall;
        double w = fabs(bias) + (a.light > 0 ? 0.0 : a.speed) + (b.light > 0 ? 0.0 : b.speed);
        return free + (w < free ? w : bias > 0 ? free : w);
    }

    /* m/s: how far the moment is from its law, times the longer arm of a body that turns. */
    CRN_HD double turning_residual(int k, const Side &a, const Side &b, D3 n, double r_n) const
    {
        const Surface &surface = world.surface[class_of(world.ordered.pair[k])];
        D3 M = moment_of(world, k), w = a.w - b.w;
        double rho = 3 / (a.turning + b.turning), arm = a.arm > b.arm ? a.arm : b.arm;
        if (!(a.turning + b.turning > 0))
            return arm * norm(M);
        D3 to = M - rho * w, flat = across(to, n);
        double size = norm(flat), most = surface.rolling * r_n, spin = clamp(dot(to, n), surface.spinning * r_n);
        D3 off = M - spin * n - (size > most ? most / size : 1.0) * flat;
        return arm * norm(off) / rho;
    }

    CRN_HD Finding operator()(int k) const
    {
        if (k >= world.counters->contacts)
            return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        unsigned long long pair = world.ordered.pair[k];
        R4 n4 = world.ordered.n[k], arm_a = world.shapes.ordered_arm_a[k], arm_b = world.shapes.ordered_arm_b[k];
        D3 n = wide(xyz(n4)), p = impulse_of(world, k);
        Side a = side_of(first_of(pair), wide(xyz(arm_a))), b = side_of(second_of(pair), wide(xyz(arm_b)));
        D3 u = a.u - b.u, both = u + a.start - b.start;
        double along = dot(u, n), u_n = along + n4.w, mu = world.friction[class_of(pair)];
        double found = residual_of(world.law, mu, 3 / (a.trace + b.trace), dot(p, n), across(p, n), u_n, across(u, n));
        if (world.figure.corners > 0)
            found = polygon_residual(world.figure, mu, 3 / (a.trace + b.trace), dot(p, n), across(p, n), u_n, across(u, n), n);
        double turning = world.shapes.ordered_extra ? turning_residual(k, a, b, n, dot(p, n)) : 0.0;
        found = turning > found ? turning : found;
        found = found == found && turning == turning ? found : INFINITY;
        D3 M = moment_of(world, k), w_both = a.w - b.w + a.w_start - b.w_start;
        double gap = arm_b.w + world.batch->h * along, deep = gap < 0 ? -gap : 0.0;
        bool active = world.ordered.r[k].w > 0;
        return {found, found, u_n < 0 ? -u_n : 0.0, scale_of(a, b, n4.w), deep, active ? deep : 0.0, active ? deep / arm_a.w : 0.0,
                0.5 * (dot(p, n) - pull_of(world, k)) * dot(n, both), 0.5 * (dot(across(p, n), both) + dot(M, w_both)), 1, active};
    }
};

/* J: of the gyroscopic moment on a body, which over a step acts at the mean of its angular velocities. */
struct TurnWork
{
    World world;
    CRN_HD double operator()(int i) const
    {
        if (world.kept.m[i].v.w == 0)
            return 0;
        D3 w = wide(xyz(world.kept.m[i].w)), change = free_turn(world, i, w) - w;
        Axes R = axes_of(world.sorted.q[i]);
        return 0.5 * dot(row_times(world.shapes.mass[i].I, into(R, change)), into(R, w + xyz(world.judged_w[i])));
    }
};

struct Sum
{
    CRN_HD double operator()(double a, double b) const
    {
        return a + b;
    }
};

struct AddTurnWork
{
    World world;
    Totals *totals;
    CRN_HD void operator()(int) const
    {
        if (!world.counters->full)
            totals->work_gyroscopic += *world.shapes.work;
    }
};

} // namespace crn
