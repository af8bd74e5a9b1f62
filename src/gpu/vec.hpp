/* Small vectors for both machines. */
#pragma once

#include <math.h>
#include <stdint.h>

/* CRN_CALL: a function that is called, not copied to where it is used: one that is long and rarely needed. */
#ifdef __CUDACC__
#define CRN_HD __host__ __device__ __forceinline__
#define CRN_CALL inline __host__ __device__ __noinline__
#else
#define CRN_HD inline
#define CRN_CALL inline
#endif

namespace crn
{

/* What velocities, impulses and all else of the sweeps are stored and computed in. Places, gaps, joints and the certificate are in double. */
#ifdef CRN_GPU_DOUBLE
using real = double;
#else
using real = float;
#endif

template <class T> struct V3
{
    T x, y, z;
};
template <class T> struct alignas(16) V4
{
    T x, y, z, w;
};
using R3 = V3<real>;
using R4 = V4<real>;
using D3 = V3<double>;
using D4 = V4<double>;

struct alignas(8) I2
{
    int x, y;
};

template <class T> CRN_HD V3<T> operator+(V3<T> a, V3<T> b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T> CRN_HD V3<T> operator-(V3<T> a, V3<T> b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T> CRN_HD V3<T> operator*(T s, V3<T> a)
{
    return {s * a.x, s * a.y, s * a.z};
}
template <class T> CRN_HD T dot(V3<T> a, V3<T> b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> CRN_HD V3<T> cross(V3<T> a, V3<T> b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T> CRN_HD V3<T> across(V3<T> a, V3<T> n)
{
    return a - dot(a, n) * n;
}

template <class T> CRN_HD V3<T> xyz(V4<T> a)
{
    return {a.x, a.y, a.z};
}
template <class T> CRN_HD D3 wide(V3<T> a)
{
    return {a.x, a.y, a.z};
}
CRN_HD R3 narrow(D3 a)
{
    return {(real)a.x, (real)a.y, (real)a.z};
}
CRN_HD R4 with(R3 a, real w)
{
    return {a.x, a.y, a.z, w};
}
#ifndef CRN_GPU_DOUBLE
CRN_HD D4 with(D3 a, double w)
{
    return {a.x, a.y, a.z, w};
}
#endif

} // namespace crn
