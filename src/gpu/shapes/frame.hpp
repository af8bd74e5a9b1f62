/* Orientations: a quaternion w, x, y, z in the four fields of a D4, and the axes it stands for. */
#pragma once

#include "../vec.hpp"

namespace crn
{

/* The axes of a frame, in the world. */
struct Axes
{
    D3 x, y, z;
};

CRN_HD double at(D3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}
CRN_HD D3 at(const Axes &a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}
CRN_HD void set(D3 &a, int k, double value)
{
    (k == 0 ? a.x : k == 1 ? a.y : a.z) = value;
}
CRN_HD double norm(D3 a)
{
    return sqrt(dot(a, a));
}
CRN_HD double least(double a, double b)
{
    return a < b ? a : b;
}
CRN_HD double most(double a, double b)
{
    return a > b ? a : b;
}
CRN_HD double clamp(double x, double half)
{
    return x < -half ? -half : x > half ? half : x;
}

CRN_HD Axes axes_of(D4 q)
{
    double w = q.x, x = q.y, y = q.z, z = q.w;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

/* From the frame to the world, and back. */
CRN_HD D3 out_of(const Axes &a, D3 x)
{
    return x.x * a.x + x.y * a.y + x.z * a.z;
}
CRN_HD D3 into(const Axes &a, D3 x)
{
    return {dot(a.x, x), dot(a.y, x), dot(a.z, x)};
}
CRN_HD Axes turned_axes(const Axes &outer, const Axes &inner)
{
    return {out_of(outer, inner.x), out_of(outer, inner.y), out_of(outer, inner.z)};
}

/* A unit vector across n, and one across both. */
template <class T> CRN_HD void tangents_of(V3<T> n, V3<T> &s, V3<T> &t)
{
    V3<T> e = fabs((double)n.x) < 0.6 ? V3<T>{1, 0, 0} : V3<T>{0, 1, 0};
    s = across(e, n);
    s = (1 / (T)sqrt((double)dot(s, s))) * s;
    t = cross(n, s);
}

} // namespace crn
