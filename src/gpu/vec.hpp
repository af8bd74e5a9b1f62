/* Small vectors for both machines. */
#pragma once

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define CRN_HD __host__ __device__ __forceinline__
#else
#define CRN_HD inline
#endif

namespace crn
{

template <class T> struct V3
{
    T x, y, z;
};
using F3 = V3<float>;
using D3 = V3<double>;

struct alignas(16) F4
{
    float x, y, z, w;
};
struct alignas(16) D4
{
    double x, y, z, w;
};
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

CRN_HD F3 xyz(F4 a)
{
    return {a.x, a.y, a.z};
}
CRN_HD D3 xyz(D4 a)
{
    return {a.x, a.y, a.z};
}
CRN_HD D3 wide(F3 a)
{
    return {a.x, a.y, a.z};
}
CRN_HD F3 narrow(D3 a)
{
    return {(float)a.x, (float)a.y, (float)a.z};
}
CRN_HD F4 with(F3 a, float w)
{
    return {a.x, a.y, a.z, w};
}
CRN_HD D4 with(D3 a, double w)
{
    return {a.x, a.y, a.z, w};
}

} // namespace crn
