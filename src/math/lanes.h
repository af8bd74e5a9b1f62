/* Vectors of four numbers, and functions compiled twice: for the vectors that every processor of the architecture has, and for
 * AVX2, which is detected at run time; those with vectors of eight numbers a third time, for AVX-512. Lanes are independent of each other and products are never fused with sums, so both give the
 * same bits.
 */
#ifndef CRN_MATH_LANES_H
#define CRN_MATH_LANES_H

#include <math.h>
#include <stddef.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum
{
    LANES = 4
};

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define WIDE     __attribute__((target("avx2")))
#define HAS_WIDE __builtin_cpu_supports("avx2")
#define WIDER    __attribute__((target("avx512f,avx512vl,avx512dq")))
#define HAS_WIDER                                                                                                      \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
#else
#define WIDE
#define HAS_WIDE 0
#define WIDER
#define HAS_WIDER 0
#endif

/* Before a loop of constant length, which is to be written out. Clang takes minutes where such loops are nested and sanitized, and does
 * without. */
#if defined(__clang__)
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
/* The same without alignment. */
typedef double loose_lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
/* The bits of a vector, and what a comparison of vectors gives. */
typedef long long lane_bits __attribute__((vector_size(LANES * sizeof(double))));

/* ------------------------------------------------------------------------------------------------------- one item per lane */

/* Four rows of four numbers become four columns. */
INLINE void lanes_transpose(lanes x[LANES])
{
    lanes a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6), b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    lanes c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6), d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
    x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* Numbers `at` to at + 3 of each of four lists. */
INLINE void lanes_read_four(const double *const from[LANES], int at, lanes out[LANES])
{
    UNROLL
    for (int l = 0; l < LANES; ++l)
        out[l] = *(const loose_lanes *)(from[l] + at);
    lanes_transpose(out);
}

INLINE lanes lanes_dot(const lanes x[3], const lanes y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

INLINE void lanes_cross(const lanes x[3], const lanes y[3], lanes out[3])
{
    out[0] = x[1] * y[2] - x[2] * y[1];
    out[1] = x[2] * y[0] - x[0] * y[2];
    out[2] = x[0] * y[1] - x[1] * y[0];
}

/* max(0, x); 0 if x is not a number. */
INLINE lanes lanes_positive(lanes x)
{
    return (lanes)((x > (lanes){0.0}) & (lane_bits)x);
}

INLINE lanes lanes_size(lanes x)
{
    return (lanes)((lane_bits)x & 0x7fffffffffffffffLL);
}

/* x where the lane's bits are set, y elsewhere. */
INLINE lanes lanes_choose(lane_bits is, lanes x, lanes y)
{
    return (lanes)((is & (lane_bits)x) | (~is & (lane_bits)y));
}

INLINE lanes lanes_root(lanes x)
{
#if defined(__SSE2__)
    typedef double pair __attribute__((vector_size(2 * sizeof(double))));
    pair low = _mm_sqrt_pd(__builtin_shufflevector(x, x, 0, 1)),
         high = _mm_sqrt_pd(__builtin_shufflevector(x, x, 2, 3));
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#else
    return (lanes){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
#endif
}

INLINE double lanes_sum(lanes x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}

#endif
