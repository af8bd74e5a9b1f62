/* A visit of a contact with arms, between bodies of any inertia (docs/methods/compact.md). With W its own block of H A^-1 H',
 *
 *     W x = (1/m_a + 1/m_b) x + (J_a^-1 (r_a x x)) x r_a + (J_b^-1 (r_b x x)) x r_b ,
 *
 *     cone           r_n' = max(0, r_n - u_n / W_nn) ,  u_t' = u_t + (W n)_t (r_n' - r_n) ,
 *                    r_t' = r_t - W_tt^-1 u_t'   if that lies in the disc of radius mu r_n', otherwise P(r_t - rho u_t'), 1/rho >= W_tt
 *     convex cone    r - W^-1 u   if that lies in the cone K, otherwise P_K(r - rho u), 1/rho >= W
 *     frictionless   the first line alone.
 *
 * W is computed anew in every visit: arms and inertias are less to read than W and what leads from impulses to velocities. */
#pragma once

#include "../sweep.hpp"
#include "frame.hpp"

namespace crn
{

/* One side of a contact. */
struct Body
{
    Motion m;
    Inertia J;
    R3 arm;

    CRN_HD R3 velocity() const
    {
        return xyz(m.v) + cross(xyz(m.w), arm);
    }
    /* What an impulse x at the end of the arm does there. */
    CRN_HD R3 response(R3 x) const
    {
        return m.v.w * x + cross(times(J, cross(arm, x)), arm);
    }
    CRN_HD Motion moved_by(R3 p) const
    {
        return {with(xyz(m.v) + m.v.w * p, m.v.w), with(xyz(m.w) + times(J, cross(arm, p)), m.w.w)};
    }
};

/* The part of W in the tangents s, t of n. */
struct Flat
{
    real ss, st, tt;
    CRN_HD real largest() const /* of its eigenvalues */
    {
        real mean = (real)0.5 * (ss + tt), half = (real)0.5 * (ss - tt);
        return mean + sqrt(half * half + st * st);
    }
};

/* laws.hpp */
CRN_HD R3 project_polygon(const Figure &of, R3 s, R3 t, R3 x, real most);
template <class T> CRN_HD void duff_tangents(V3<T> n, V3<T> &s, V3<T> &t);
CRN_HD void visit_with_moments(const World &world, int k, const Held &c, bool is_start, bool is_active);

/* r_t - W_tt^-1 u_t if it sticks, otherwise on the disc or polygon. */
template <bool IS_PLAIN> CRN_HD R3 solve_friction(const Figure &figure, const Flat &W, R3 s, R3 t, R3 r_t, R3 u_t, real most)
{
    real us = dot(u_t, s), ut = dot(u_t, t), det = W.ss * W.tt - W.st * W.st;
    R3 stuck = r_t - ((W.tt * us - W.st * ut) / det) * s - ((W.ss * ut - W.st * us) / det) * t;
    bool has_corners = !IS_PLAIN && figure.corners > 0;
    if (has_corners ? is_zero(project_polygon(figure, s, t, stuck, most) - stuck) : dot(stuck, stuck) <= most * most)
        return stuck;
    R3 slid = r_t - (1 / W.largest()) * u_t;
    if (has_corners)
        return project_polygon(figure, s, t, slid, most);
    real size = sqrt(dot(slid, slid));
    return size > most ? (most / size) * slid : slid;
}

CRN_HD R4 solve_convex(R3 n, R3 s, R3 t, R3 Wn, R3 Ws, R3 Wt, R4 r, R3 u, real mu)
{
    real nn = dot(n, Wn), ns = dot(s, Wn), nt = dot(t, Wn), ss = dot(s, Ws), st = dot(s, Wt), tt = dot(t, Wt);
    R3 b = {dot(u, n), dot(u, s), dot(u, t)}, A = {nn, ns, nt}, B = {ns, ss, st}, C = {nt, st, tt};
    R3 BC = cross(B, C), x = (1 / dot(A, BC)) * (b.x * BC + b.y * cross(C, A) + b.z * cross(A, B));
    R3 flat = xyz(r) - x.y * s - x.z * t;
    real along = r.w - x.x;
    if (along >= 0 && dot(flat, flat) <= mu * mu * along * along)
        return with(flat, along);
    real row_n = nn + fabs(ns) + fabs(nt), row_s = ss + fabs(ns) + fabs(st), row_t = tt + fabs(nt) + fabs(st);
    real largest = row_n > row_s ? row_n : row_s, rho = 1 / (largest > row_t ? largest : row_t); /* Gershgorin */
    return project_cone(xyz(r) - rho * across(u, n), r.w - rho * b.x, mu);
}

/* IS_PLAIN: there are no polygons and no moments. */
template <bool IS_PLAIN = false> CRN_HD R4 solve_with_arms(const World &world, const Held &c, const Body &a, const Body &b)
{
    R3 n = xyz(c.n), s, t, u = a.velocity() - b.velocity() + c.n.w * n, Wn = a.response(n) + b.response(n);
    if (!IS_PLAIN && world.figure.corners > 0)
        duff_tangents(n, s, t);
    else
        tangents_of(n, s, t);
    real mu = world.friction[class_of(c.pair)];
    R3 Ws = a.response(s) + b.response(s), Wt = a.response(t) + b.response(t);
    if (world.law == CRN_GPU_CONVEX)
        return solve_convex(n, s, t, Wn, Ws, Wt, c.r, u, mu);
    real along = c.r.w - dot(u, n) / dot(n, Wn);
    along = along > 0 ? along : 0;
    if (world.law == CRN_GPU_FRICTIONLESS)
        return with({0, 0, 0}, along);
    R3 u_t = across(u + (along - c.r.w) * Wn, n);
    return with(solve_friction<IS_PLAIN>(world.figure, {dot(s, Ws), dot(s, Wt), dot(t, Wt)}, s, t, xyz(c.r), u_t, mu * along), along);
}

/* In calm sweeps. */
CRN_HD real share_with_arms(const World &world, const Held &c, const Body &a, const Body &b)
{
    R3 n = xyz(c.n), s, t, u = a.velocity() - b.velocity() + c.n.w * n;
    tangents_of(n, s, t);
    real trace = dot(n, a.response(n) + b.response(n)) + dot(s, a.response(s) + b.response(s)) + dot(t, a.response(t) + b.response(t));
    return share_of_way(world, world.friction[class_of(c.pair)], trace, c.r, dot(u, n), across(u, n));
}

CRN_HD void read_arms(const World &world, int k, int ia, int ib, Body &a, Body &b)
{
    const Shapes &shapes = world.shapes;
    a.arm = xyz(get_once(shapes.ordered_arm_a + k));
    b.arm = xyz(get_once(shapes.ordered_arm_b + k));
    a.J = {get(&shapes.inertia[ia].diagonal), get(&shapes.inertia[ia].rest)};
    b.J = {get(&shapes.inertia[ib].diagonal), get(&shapes.inertia[ib].rest)};
}

/* As visit() of sweep.hpp. */
template <bool IS_PLAIN, bool IS_CALM> CRN_HD void visit_with_arms(const World &world, int k, const Held &c, bool is_start, bool is_active)
{
    if (!IS_PLAIN && world.shapes.ordered_extra)
        return visit_with_moments(world, k, c, is_start, is_active);
    int ia = is_active ? first_of(c.pair) : -1, ib = is_active ? second_of(c.pair) : -1;
    Motion *m = world.sorted.m;
    Body a = {read_motion(m, ia), {}, {0, 0, 0}}, b = {read_motion(m, ib), {}, {0, 0, 0}};
    R3 p = {0, 0, 0};
    if (is_active)
    {
        read_arms(world, k, ia, ib, a, b);
        R4 next = is_start ? c.r : solve_with_arms<IS_PLAIN>(world, c, a, b);
        if (IS_CALM && !is_start)
            next = added(c.r, share_with_arms(world, c, a, b), difference(next, c.r));
        p = vector_of(xyz(c.n), is_start ? c.r : difference(next, c.r));
        if (!is_start && !is_zero(p))
            put_once(world.ordered.r + k, next);
    }
    R3 back = {-p.x, -p.y, -p.z};
    write_motion(m, !is_zero(p) && a.m.v.w != 0 ? ia : -1, a.moved_by(p));
    write_motion(m, !is_zero(p) && b.m.v.w != 0 ? ib : -1, b.moved_by(back));
}

} // namespace crn
