/* Vectors of four numbers for the kernels of the saddle matrix, and functions compiled twice: for the vectors that every
 * processor of the architecture has, and for AVX2, which is detected at run time. Lanes are independent of each other and products
 * are never fused with sums, so both give the same bits.
 */
#ifndef CRN_LINALG_SADDLE_LANES_H
#define CRN_LINALG_SADDLE_LANES_H

#include <stddef.h>

enum
{
    LANES = 4
};

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define WIDE     __attribute__((target("avx2")))
#define HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define WIDE
#define HAS_WIDE 0
#endif

/* Before a loop of constant length, which is to be written out. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
/* The same without alignment. */
typedef double loose_lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
/* The bits of a vector, and what a comparison of vectors gives. */
typedef long long lane_bits __attribute__((vector_size(LANES * sizeof(double))));

#endif
