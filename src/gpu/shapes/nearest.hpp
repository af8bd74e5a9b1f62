/* The nearest points of two cores, or the shallowest way out of their overlap.
 *
 * With w = d + x_a - x_b, d from the centre of b to that of a, the cores are separated along the unit direction n from b to a by s(n) = min n w.
 * The distance is the largest s(n); where they overlap, the largest s(n) is minus the least depth.
 *
 * Distances come from the search of E. Gilbert, D. Johnson and S. Keerthi (IEEE J. Robotics and Automation 4, 1988). Where cores overlap or nearly touch, a is
 * first moved along a direction n until it is apart by a margin m; the direction n' of the distance there has s(n') >= s(n), and equals n only where s
 * is stationary. So n is replaced by n' until s grows no more. On a surface of curvature 1/R each round is closer by the factor (depth + m)/(R + m). It starts
 * from the best of the directions that the faces and axes of both suggest. */
#pragma once

#include "core.hpp"

namespace crn
{

enum
{
    SEARCH_TURNS = 64, /* of a distance, at most */
    SHIFT_TURNS = 24   /* of a way out, at most */
};

struct Nearest
{
    D3 n;
    double s;
    D3 x_a; /* on the core of a, relative to its centre; the point of b is s n below it */
};

/* Points of the difference with those of a that they come from, and weights of the point of their hull nearest to the origin. */
struct Simplex
{
    D3 w[4], a[4];
    double weight[4];
    int count;

    CRN_HD D3 nearest() const
    {
        D3 v = {0, 0, 0};
        for (int i = 0; i < count; ++i)
            v = v + weight[i] * w[i];
        return v;
    }
    CRN_HD D3 on_a() const
    {
        D3 x = {0, 0, 0};
        for (int i = 0; i < count; ++i)
            x = x + weight[i] * a[i];
        return x;
    }
    /* Only those with a weight stay. */
    CRN_HD void drop()
    {
        int kept = 0;
        for (int i = 0; i < count; ++i)
            if (weight[i] > 0)
            {
                w[kept] = w[i];
                a[kept] = a[i];
                weight[kept++] = weight[i];
            }
        count = kept;
    }
};

/* Weights of the point of a segment nearest to the origin. */
CRN_HD void weigh_segment(D3 p, D3 q, double weight[2])
{
    D3 e = q - p;
    double square = dot(e, e), t = square > 0 ? -dot(p, e) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    weight[0] = 1 - t;
    weight[1] = t;
}

/* Of a triangle. Its longest edge comes first, and what the others add across it: triangles become slivers where surfaces are curved. */
CRN_HD void weigh_triangle(D3 p, D3 q, D3 r, double weight[3])
{
    const D3 corner[3] = {p, q, r};
    double length[3], two[2];
    for (int k = 0; k < 3; ++k)
        length[k] = norm(corner[(k + 1) % 3] - corner[k]);
    int k0 = length[0] >= length[1] && length[0] >= length[2] ? 0 : length[1] >= length[2] ? 1 : 2, k1 = (k0 + 1) % 3, k2 = (k0 + 2) % 3;
    D3 e = corner[k1] - corner[k0], f = corner[k2] - corner[k0];
    double square = dot(e, e), along = square > 0 ? dot(f, e) / square : 0;
    D3 across = f - along * e;
    double height = dot(across, across);
    if (height > 0)
    {
        double t = -dot(corner[k0], across) / height, u = -dot(corner[k0], e) / square - t * along;
        weight[k0] = 1 - t - u;
        weight[k1] = u;
        weight[k2] = t;
        if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0)
            return;
    }
    /* otherwise on an edge, the nearest of the three */
    double best = INFINITY;
    for (int k = 0; k < 3; ++k)
    {
        int l = (k + 1) % 3;
        weigh_segment(corner[k], corner[l], two);
        D3 v = two[0] * corner[k] + two[1] * corner[l];
        if (dot(v, v) < best)
        {
            best = dot(v, v);
            weight[0] = weight[1] = weight[2] = 0;
            weight[k] = two[0];
            weight[l] = two[1];
        }
    }
}

/* Of a tetrahedron; false: the origin is inside. */
CRN_HD bool weigh_tetrahedron(const D3 w[4], double weight[4])
{
    const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    double best = INFINITY, three[3];
    for (int k = 0; k < 4; ++k)
        weight[k] = 0;
    for (int k = 0; k < 4; ++k)
    {
        D3 p = w[face[k][0]], q = w[face[k][1]], r = w[face[k][2]], n = cross(q - p, r - p);
        double top = dot(n, w[face[k][3]] - p), here = -dot(n, p), flat = 1e-14 * norm(q - p) * norm(r - p) * (norm(p) + norm(w[face[k][3]]));
        if (here * top > 0 && fabs(top) > flat)
            continue; /* the origin is on the inner side */
        weigh_triangle(p, q, r, three);
        D3 v = three[0] * p + three[1] * q + three[2] * r;
        if (dot(v, v) < best)
        {
            best = dot(v, v);
            for (int i = 0; i < 4; ++i)
                weight[face[k][i]] = i < 3 ? three[i] : 0;
        }
    }
    return best < INFINITY;
}

/* Weigh the points; false: the origin is inside. */
CRN_HD bool weigh(Simplex &s)
{
    bool is_outside = true;
    if (s.count == 1)
        s.weight[0] = 1;
    else if (s.count == 2)
        weigh_segment(s.w[0], s.w[1], s.weight);
    else if (s.count == 3)
        weigh_triangle(s.w[0], s.w[1], s.w[2], s.weight);
    else
        is_outside = weigh_tetrahedron(s.w, s.weight);
    if (is_outside)
        s.drop();
    return is_outside;
}

/* s(n), and where on a. */
CRN_HD double separation(const Core &a, const Core &b, D3 d, D3 n, D3 *x_a)
{
    *x_a = support(a, -1.0 * n);
    return dot(n, d + *x_a - support(b, n));
}

enum Verdict
{
    APART,
    FAR,    /* further than the limit */
    CLOSE   /* they overlap, or nearly touch */
};

/* The distance of the cores with a at d from b. tiny: m, below which they count as touching. */
CRN_CALL Verdict search_distance(const Core &a, const Core &b, D3 d, double limit, double tiny, Nearest &out)
{
    Simplex s;
    D3 v = d;
    s.count = 0;
    double square = dot(v, v), last = INFINITY, lowest = -INFINITY;
    if (!(square > tiny * tiny))
        v = {1, 0, 0};
    for (int turn = 0; turn < SEARCH_TURNS; ++turn)
    {
        D3 x_a = support(a, -1.0 * v), w = d + x_a - support(b, v);
        double length = norm(v), low = dot(v, w) / length;
        if (low > limit)
        {
            out.n = (1 / length) * v;
            out.s = low;
            return FAR;
        }
        bool is_known = false;
        for (int i = 0; i < s.count; ++i)
            is_known = is_known || (w.x == s.w[i].x && w.y == s.w[i].y && w.z == s.w[i].z);
        if (s.count > 0 && (is_known || length - low <= 1e-12 * length))
            break;
        Simplex before = s;
        s.w[s.count] = w;
        s.a[s.count++] = x_a;
        bool is_outside = weigh(s);
        lowest = most(lowest, low);
        if (is_outside)
            v = s.nearest();
        square = dot(v, v);
        if (lowest <= tiny && (!is_outside || !(square > tiny * tiny)))
            return CLOSE;
        if (!is_outside || !(square < last * (1 - 1e-15)))
        {
            s = before; /* rounding: no nearer any more */
            v = s.nearest();
            break;
        }
        last = square;
    }
    double length = norm(v);
    out.n = (1 / length) * v;
    out.s = length;
    out.x_a = s.on_a();
    return APART;
}

/* ------------------------------------------------------------------------------------------------------- overlaps */

struct Guess
{
    const Core &a, &b;
    D3 d;
    Nearest best;

    CRN_HD void consider(D3 n)
    {
        D3 x_a;
        double size = norm(n);
        if (!(size > 0))
            return;
        n = (1 / size) * n;
        double s = separation(a, b, d, n, &x_a);
        if (s > best.s)
            best = {n, s, x_a};
    }
    /* Outward directions of p on the side of `towards`; sign: 1 where p is b, -1 where it is a. */
    CRN_HD void consider_sides(const Core &p, double sign, D3 towards)
    {
        D3 y = into(p.R, towards);
        consider(sign * towards);
        if (p.kind == CRN_GPU_CAPSULE)
            consider(sign * (towards - dot(towards, p.R.z) * p.R.z));
        if (p.kind == CRN_GPU_ELLIPSOID)
            consider(sign * out_of(p.R, {y.x / (p.half.x * p.half.x), y.y / (p.half.y * p.half.y), y.z / (p.half.z * p.half.z)}));
        for (int k = 0; k < 3 && p.kind == CRN_GPU_BOX; ++k)
            for (int side = -1; side < 2; side += 2)
                consider((double)side * at(p.R, k));
        if (p.kind == CRN_GPU_CYLINDER || p.kind == CRN_GPU_CONE_SHAPE)
        {
            double across = sqrt(y.x * y.x + y.y * y.y), rise = p.kind == CRN_GPU_CONE_SHAPE ? 0.5 * p.half.x / p.half.z : 0;
            consider(-sign * p.R.z);
            consider(sign * p.R.z);
            consider(sign * out_of(p.R, {across > 0 ? y.x / across : 1, across > 0 ? y.y / across : 0, rise}));
        }
        for (int f = 0; p.kind == CRN_GPU_HULL && f < p.hull->faces; ++f)
        {
            const double *n = p.shapes->hull_normal + 3 * (long long)(p.hull->face + f);
            consider(sign * out_of(p.R, {n[0], n[1], n[2]}));
        }
    }
};

CRN_HD double extent_of(const Core &p)
{
    return p.kind == CRN_GPU_HULL ? p.hull->extent : 1.5 * norm(p.half);
}

/* From the centre of p to the nearest point of q, or to its centre where that of p is inside; any length. */
CRN_HD D3 way_to(const Core &p, const Core &q, double tiny)
{
    Nearest found;
    Core centre = line_core(p.c, {0, 0, 1}, 0);
    return search_distance(centre, q, p.c - q.c, INFINITY, tiny, found) == APART ? -1.0 * found.n : q.c - p.c;
}

/* False: the cores are further apart than `limit`. */
CRN_CALL bool nearest_points(const Core &a, const Core &b, double limit, Nearest &out)
{
    D3 d = a.c - b.c;
    double extent = extent_of(a) + extent_of(b), margin = 0.01 * least(least(a.size, b.size), extent), tiny = 1e-9 * extent;
    Verdict verdict = search_distance(a, b, d, limit, tiny, out);
    if (verdict == FAR)
        return false;
    if (verdict == APART && out.s >= margin)
        return out.s <= limit;
    D3 unused;
    Guess guess = {a, b, d, {{0, 0, 1}, -INFINITY, {0, 0, 0}}};
    if (verdict == APART)
        guess.best = {out.n, separation(a, b, d, out.n, &unused), out.x_a};
    else
    {
        guess.consider(d);
        guess.consider({0, 0, 1});
        guess.consider_sides(a, -1, way_to(a, b, tiny));
        guess.consider_sides(b, 1, way_to(b, a, tiny));
    }
    out = guess.best;
    for (int turn = 0; turn < SHIFT_TURNS; ++turn)
    {
        Nearest next;
        double shift = margin - out.s;
        if (search_distance(a, b, d + shift * out.n, INFINITY, 0.1 * margin, next) != APART)
            break;
        double s = separation(a, b, d, next.n, &unused), before = out.s;
        out.x_a = next.x_a;
        if (!(s > before))
            break;
        out.n = next.n;
        out.s = s;
        if (!(s > before + 1e-13 * extent))
            break;
    }
    return out.s <= limit;
}

} // namespace crn
