/* Atomics of integers and of maxima, whose results do not depend on the order of the work, and loads that see what other processors wrote. On the processor, where
 * threads meet after every loop (machine_twin.hpp), no order is asked for among them.
 *
 * No sum of floating-point numbers goes through an atomic: its result would depend on the order.
 */
#pragma once

#include "vec.hpp"

namespace crn
{

CRN_HD int add_to(int *at, int amount)
{
#ifdef __CUDA_ARCH__
    return atomicAdd(at, amount);
#else
    return __atomic_fetch_add(at, amount, __ATOMIC_RELAXED);
#endif
}

/* The next free place of a list. A warp asks once for all of its lanes that want one. */
CRN_HD int next_place(int *count)
{
#ifdef __CUDA_ARCH__
    unsigned all = __activemask();
    int lane = (int)(threadIdx.x & 31), first = __ffs((int)all) - 1, at = 0;
    if (lane == first)
        at = atomicAdd(count, __popc(all));
    return __shfl_sync(all, at, first) + __popc(all & ((1u << lane) - 1));
#else
    return add_to(count, 1);
#endif
}

#ifndef __CUDA_ARCH__
template <class T> void raise_among_threads(T *at, T value)
{
    T now;
    __atomic_load(at, &now, __ATOMIC_RELAXED);
    while (!(now >= value) && !__atomic_compare_exchange(at, &now, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}
#endif

CRN_HD void raise_to(unsigned long long *at, unsigned long long value)
{
#ifdef __CUDA_ARCH__
    atomicMax(at, value);
#else
    raise_among_threads(at, value);
#endif
}

CRN_HD void raise_to(int *at, int value)
{
#ifdef __CUDA_ARCH__
    atomicMax(at, value);
#else
    raise_among_threads(at, value);
#endif
}

/* Of numbers that are not negative: their bits are in the same order. */
CRN_HD void raise_to(real *at, real value)
{
#ifdef __CUDA_ARCH__
    atomicMax((int *)at, __float_as_int(value));
#else
    raise_among_threads(at, value);
#endif
}

CRN_HD void set_bits(unsigned long long *at, unsigned long long bits)
{
#ifdef __CUDA_ARCH__
    atomicOr(at, bits);
#else
    __atomic_fetch_or(at, bits, __ATOMIC_RELAXED);
#endif
}

CRN_HD int lowest_bit(unsigned long long bits)
{
#ifdef __CUDA_ARCH__
    return __ffsll((long long)bits) - 1;
#else
    return __builtin_ctzll(bits);
#endif
}

/* Past the first cache, which does not see what other multiprocessors did by atomics since the last barrier. */
template <class T> CRN_HD T fresh(const T *at)
{
#ifdef __CUDA_ARCH__
    return __ldcg(at);
#else
    T value;
    __atomic_load(at, &value, __ATOMIC_RELAXED);
    return value;
#endif
}

/* What others may be changing, where an old value does no harm. */
template <class T> CRN_HD T glimpse(const T *at)
{
#ifdef __CUDA_ARCH__
    return *at;
#else
    return fresh(at);
#endif
}

/* Sixteen bytes that are seen as a whole, and that others see without a barrier. */
CRN_HD R4 peek(const R4 *at)
{
#ifdef __CUDA_ARCH__
    unsigned long long a, b;
    asm volatile("{.reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; mov.b128 {%0, %1}, t;}" : "=l"(a), "=l"(b) : "l"(at) : "memory");
    return {__uint_as_float((unsigned)a), __uint_as_float((unsigned)(a >> 32)), __uint_as_float((unsigned)b),
            __uint_as_float((unsigned)(b >> 32))};
#else
    return *at;
#endif
}
CRN_HD void post(R4 *at, R4 f)
{
#ifdef __CUDA_ARCH__
    unsigned long long a = __float_as_uint(f.x) | (unsigned long long)__float_as_uint(f.y) << 32;
    unsigned long long b = __float_as_uint(f.z) | (unsigned long long)__float_as_uint(f.w) << 32;
    asm volatile("{.reg .b128 t; mov.b128 t, {%0, %1}; st.relaxed.gpu.global.b128 [%2], t;}" ::"l"(a), "l"(b), "l"(at) : "memory");
#else
    *at = f;
#endif
}

/* A whole number in the place of another one. */
CRN_HD real as_real(int a)
{
#ifdef __CUDA_ARCH__
    return __int_as_float(a);
#else
    real f = 0;
    __builtin_memcpy(&f, &a, sizeof a);
    return f;
#endif
}
CRN_HD int as_int(real f)
{
#ifdef __CUDA_ARCH__
    return __float_as_int(f);
#else
    int a;
    __builtin_memcpy(&a, &f, sizeof a);
    return a;
#endif
}

CRN_HD int count_bits(unsigned long long bits)
{
#ifdef __CUDA_ARCH__
    return __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
}

/* What is read or written once per sweep, and should not drive the bodies out of the second cache. */
CRN_HD R4 get_once(const R4 *at)
{
#ifdef __CUDA_ARCH__
    float4 a = __ldcs((const float4 *)at);
    return {a.x, a.y, a.z, a.w};
#else
    return *at;
#endif
}
CRN_HD unsigned long long get_once(const unsigned long long *at)
{
#ifdef __CUDA_ARCH__
    return __ldcs(at);
#else
    return *at;
#endif
}
CRN_HD void put_once(R4 *at, R4 a)
{
#ifdef __CUDA_ARCH__
    __stcs((float4 *)at, make_float4(a.x, a.y, a.z, a.w));
#else
    *at = a;
#endif
}

/* All sixteen bytes at once. */
CRN_HD R4 get(const R4 *at)
{
#ifdef __CUDA_ARCH__
    float4 a = *(const float4 *)at;
    return {a.x, a.y, a.z, a.w};
#else
    return *at;
#endif
}

CRN_HD void put(R4 *at, R4 a)
{
#ifdef __CUDA_ARCH__
    *(float4 *)at = make_float4(a.x, a.y, a.z, a.w);
#else
    *at = a;
#endif
}

} // namespace crn
