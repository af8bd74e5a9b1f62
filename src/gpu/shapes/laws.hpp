/* Laws of contacts beyond Coulomb's cone, in a world with shapes: polygons of friction, moments that resist rolling and spinning, and pulls.
 *
 *     pyramid(m), box     r_t in a regular polygon, m corners or a square, instead of the disc (docs/laws.md). The nearest point of a regular polygon
 *                         lies in the same sector as the point itself, on one known edge.
 *     rolling, spinning   a moment M on body a, -M on b, with |M_t| <= rolling r_n and |M_n| <= spinning r_n, which opposes w = w_a - w_b most:
 *                         M_t' = P(M_t - rho w_t), and likewise M_n, 1/rho >= J_a^-1 + J_b^-1 (formulate/rolling.c).
 *     cohesion            with r' = r + c n, c = h F, the ordinary law for r' and a known impulse -c n on the bodies
 *                         (formulate/surface/cohesion.c). r' is what sweeps and certificate call r.
 *
 * Friction turns a ball that the moment holds, and the moment lets it slip, so a visit answers both in turn, a few times.
 */
#pragma once

#include "visit.hpp"

namespace crn
{

enum
{
    TURNS = 4 /* of friction and moment in a visit */
};

/* The tangents of the processor (T. Duff et al., JCGT 6, 2017), along which a polygon lies. */
template <class T> CRN_HD void duff_tangents(V3<T> n, V3<T> &s, V3<T> &t)
{
    T side = n.z < 0 ? (T)-1 : (T)1, a = -1 / (side + n.z), b = n.x * n.y * a;
    s = across(V3<T>{1 + side * n.x * n.x * a, side * b, -side * n.x}, n);
    s = (1 / (T)sqrt((double)dot(s, s))) * s;
    t = cross(n, s);
}

/* x on the polygon with `reach` times `most` as the radius of its corners. */
CRN_HD R3 project_polygon(const Figure &of, R3 s, R3 t, R3 x, real most)
{
    const real sector = (real)6.283185307179586 / (real)of.corners;
    real xs = dot(x, s), xt = dot(x, t), middle = of.phase + (floor((atan2(xt, xs) - of.phase) / sector) + (real)0.5) * sector;
    real c = cos(middle), d = sin(middle), out = c * xs + d * xt, along = c * xt - d * xs;
    real edge = of.reach * most * cos((real)0.5 * sector), half = of.reach * most * sin((real)0.5 * sector);
    if (out <= edge)
        return x;
    along = along > half ? half : along < -half ? -half : along;
    return (c * edge - d * along) * s + (d * edge + c * along) * t;
}

/* 1/rho of moments: no eigenvalue of J_a^-1 + J_b^-1 is larger (Gershgorin). */
CRN_HD real largest_turn(const Inertia &a, const Inertia &b)
{
    R3 d = xyz(a.diagonal) + xyz(b.diagonal), o = xyz(a.rest) + xyz(b.rest);
    real x = d.x + fabs(o.y) + fabs(o.z), y = d.y + fabs(o.x) + fabs(o.z), z = d.z + fabs(o.x) + fabs(o.y);
    x = x > y ? x : y;
    return x > z ? x : z;
}

CRN_HD R3 solve_moment(const Surface &surface, R3 n, real r_n, R3 M, R3 w, real rho)
{
    R3 to = M - rho * w;
    real along = dot(to, n), most = surface.spinning * r_n;
    R4 flat = project_disc(to - along * n, r_n, surface.rolling);
    along = along > most ? most : along < -most ? -most : along;
    return xyz(flat) + along * n;
}

CRN_HD void turn_body(Body &body, R3 M)
{
    body.m.w = with(xyz(body.m.w) + times(body.J, M), body.m.w.w);
}

/* A contact with the impulse r and the moment and pull `extra`, in turn. */
CRN_HD void settle_contact(const World &world, Held &c, R4 &extra, Body &a, Body &b)
{
    const Surface &surface = world.surface[class_of(c.pair)];
    real stiff = largest_turn(a.J, b.J), rho = stiff > 0 ? 1 / stiff : 0;
    R3 n = xyz(c.n);
    int turns = surface.rolling > 0 || surface.spinning > 0 ? TURNS : 1;
    for (int i = 0; i < turns; ++i)
    {
        R4 next = solve_with_arms(world, c, a, b);
        R3 p = vector_of(n, difference(next, c.r)), back = {-p.x, -p.y, -p.z};
        c.r = next;
        a.m = a.moved_by(p);
        b.m = b.moved_by(back);
        R3 M = solve_moment(surface, n, next.w, xyz(extra), xyz(a.m.w) - xyz(b.m.w), rho), change = M - xyz(extra);
        extra = with(M, extra.w);
        turn_body(a, change);
        turn_body(b, {-change.x, -change.y, -change.z});
    }
}

/* What a contact starts the step with acts on its bodies. */
CRN_HD void start_contact(const Held &c, R4 extra, Body &a, Body &b)
{
    R3 p = vector_of(xyz(c.n), c.r) - extra.w * xyz(c.n), back = {-p.x, -p.y, -p.z}, M = xyz(extra);
    a.m = a.moved_by(p);
    b.m = b.moved_by(back);
    turn_body(a, M);
    turn_body(b, {-M.x, -M.y, -M.z});
}

/* As visit_with_arms() of visit.hpp. */
CRN_HD void visit_with_moments(const World &world, int k, const Held &c, bool is_start, bool is_active)
{
    int ia = is_active ? first_of(c.pair) : -1, ib = is_active ? second_of(c.pair) : -1;
    Motion *m = world.sorted.m;
    Body a = {read_motion(m, ia), {}, {0, 0, 0}}, b = {read_motion(m, ib), {}, {0, 0, 0}};
    bool moves_a = a.m.v.w != 0, moves_b = b.m.v.w != 0;
    if (is_active)
    {
        read_arms(world, k, ia, ib, a, b);
        R4 extra = get(world.shapes.ordered_extra + k);
        Held now = c;
        if (is_start)
            start_contact(c, extra, a, b);
        else
        {
            settle_contact(world, now, extra, a, b);
            put(world.ordered.r + k, now.r);
            put(world.shapes.ordered_extra + k, extra);
        }
    }
    write_motion(m, is_active && moves_a ? ia : -1, a.m);
    write_motion(m, is_active && moves_b ? ib : -1, b.m);
}

/* ------------------------------------------------------------------------------------------------ from step to step */

/* The pull of contact k, which was found as number `before` in the last step (-1: it was not), and the moment that it starts with. */
CRN_HD void recall_extra(const World &world, int k, int before, real warm)
{
    const Surface &surface = world.surface[class_of(world.pair[k])];
    real size = world.shapes.arm_a[k].w, gap = world.shapes.arm_b[k].w;
    real range = surface.range > 0 ? surface.range : (real)1e-3 * size;
    real pull = gap <= range ? (real)world.batch->h * surface.cohesion : 0;
    R4 none = {0, 0, 0, 0};
    world.shapes.extra[k] = with(warm * xyz(before >= 0 ? world.shapes.last_extra[before] : none), pull);
}

} // namespace crn
