/* The vector type of the file that includes this: LANES doubles (1, 4 or 8), with gathers of bodies.
 *
 * Each lane goes through the operations of the scalar version in the same order; addition, product, quotient and root are rounded
 * correctly by all of them and nothing is contracted, so the width does not change a bit.
 */
#include "solve/compact/packed.h"

#include <math.h>

/* Calls would pass vectors through memory. */
#define INLINE static inline __attribute__((always_inline))

#if LANES == 1

typedef double lanes;

INLINE lanes lanes_load(const double *x)
{
    return *x;
}

INLINE void lanes_store(double *x, lanes value)
{
    *x = value;
}

/* Anywhere, not only where a vector begins. */
INLINE lanes lanes_get(const double *x)
{
    return *x;
}

INLINE void lanes_put(double *x, lanes value)
{
    *x = value;
}

/* max(0, x); 0 if x is not a number */
INLINE lanes lanes_positive(lanes x)
{
    return x > 0.0 ? x : 0.0;
}

/* where x > y: a, elsewhere b */
INLINE lanes lanes_choose(lanes x, lanes y, lanes a, lanes b)
{
    return x > y ? a : b;
}

INLINE lanes lanes_root(lanes x)
{
    return sqrt(x);
}

INLINE lanes lanes_all(double x)
{
    return x;
}

/* x > y ? x : y and x < y ? x : y */
INLINE lanes lanes_larger(lanes x, lanes y)
{
    return x > y ? x : y;
}

INLINE lanes lanes_smaller(lanes x, lanes y)
{
    return x < y ? x : y;
}

/* Whether x > y in all lanes. */
INLINE bool lanes_exceed(lanes x, lanes y)
{
    return x > y;
}

INLINE double lanes_most(lanes x)
{
    return x;
}

INLINE double lanes_one(lanes x, int l)
{
    (void)l;
    return x;
}

/* x[0], x[stride], .. */
INLINE lanes lanes_spread(const double *x, int stride)
{
    (void)stride;
    return *x;
}

INLINE lanes lanes_size(lanes x)
{
    return fabs(x);
}

/* x[k] = row[k] of every row, for k < count */
INLINE void lanes_rows(const double *const row[1], int count, lanes *x)
{
    for (int k = 0; k < count; ++k)
        x[k] = row[0][k];
}

/* Write v and w back. */
INLINE void lanes_scatter(crn_compact_body *body, const int *who, lanes x[8])
{
    double *to = (double *)&body[*who];
    for (int k = 0; k < 3; ++k)
        to[k] = x[k];
    for (int k = 4; k < 7; ++k)
        to[k] = x[k];
}

#else

typedef double lanes __attribute__((vector_size(LANES * 8)));
typedef double lanes_in_memory __attribute__((vector_size(LANES * 8), may_alias));
typedef double lanes_anywhere __attribute__((vector_size(LANES * 8), may_alias, aligned(8)));
typedef double lanes_half __attribute__((vector_size(16), may_alias, aligned(8)));
typedef int64_t lanes_mask __attribute__((vector_size(LANES * 8)));

#if defined __AVX__
#include <immintrin.h>
#endif

INLINE lanes lanes_load(const double *x)
{
    return *(const lanes_in_memory *)x;
}

INLINE void lanes_store(double *x, lanes value)
{
    *(lanes_in_memory *)x = value;
}

INLINE lanes lanes_get(const double *x)
{
    return *(const lanes_anywhere *)x;
}

INLINE void lanes_put(double *x, lanes value)
{
    *(lanes_anywhere *)x = value;
}

INLINE lanes lanes_all(double x)
{
    return x - (lanes){0.0};
}

/* The instruction for the larger one gives the second if the first is not a number, or if both are zero. */
INLINE lanes lanes_positive(lanes x)
{
#if LANES == 4 && defined __AVX__
    return _mm256_max_pd(x, lanes_all(0.0));
#elif LANES == 8 && defined __AVX512F__
    return _mm512_max_pd(x, lanes_all(0.0));
#else
    return (lanes)((x > lanes_all(0.0)) & (lanes_mask)x);
#endif
}

INLINE lanes lanes_choose(lanes x, lanes y, lanes a, lanes b)
{
#if LANES == 4 && defined __AVX__
    return _mm256_blendv_pd(b, a, _mm256_cmp_pd(x, y, _CMP_GT_OQ));
#elif LANES == 8 && defined __AVX512F__
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, y, _CMP_GT_OQ), b, a);
#else
    lanes_mask is_larger = x > y;
    return (lanes)((is_larger & (lanes_mask)a) | (~is_larger & (lanes_mask)b));
#endif
}

/* x > y ? x : y and x < y ? x : y: the instructions give the second where the first is not a number. */
INLINE lanes lanes_larger(lanes x, lanes y)
{
#if LANES == 4 && defined __AVX__
    return _mm256_max_pd(x, y);
#elif LANES == 8 && defined __AVX512F__
    return _mm512_max_pd(x, y);
#else
    return lanes_choose(x, y, x, y);
#endif
}

INLINE lanes lanes_smaller(lanes x, lanes y)
{
#if LANES == 4 && defined __AVX__
    return _mm256_min_pd(x, y);
#elif LANES == 8 && defined __AVX512F__
    return _mm512_min_pd(x, y);
#else
    return lanes_choose(y, x, x, y);
#endif
}

/* Whether x > y in all lanes. */
INLINE bool lanes_exceed(lanes x, lanes y)
{
#if LANES == 4 && defined __AVX__
    return _mm256_movemask_pd(_mm256_cmp_pd(x, y, _CMP_GT_OQ)) == 15;
#elif LANES == 8 && defined __AVX512F__
    return _mm512_cmp_pd_mask(x, y, _CMP_GT_OQ) == 255;
#else
    lanes_mask is_larger = x > y;
    int64_t all = -1;
    for (int l = 0; l < LANES; ++l)
        all &= is_larger[l];
    return all != 0;
#endif
}

INLINE lanes lanes_root(lanes x)
{
#if LANES == 4 && defined __AVX__
    return _mm256_sqrt_pd(x);
#elif LANES == 8 && defined __AVX512F__
    return _mm512_sqrt_pd(x);
#else
    for (int l = 0; l < LANES; ++l)
        x[l] = sqrt(x[l]);
    return x;
#endif
}

INLINE lanes lanes_size(lanes x)
{
    return (lanes)((lanes_mask)x & INT64_MAX);
}

INLINE double lanes_most(lanes x)
{
    double most = x[0];
    for (int l = 1; l < LANES; ++l)
        most = x[l] > most ? x[l] : most;
    return most;
}

INLINE double lanes_one(lanes x, int l)
{
    return x[l];
}

INLINE lanes lanes_spread(const double *x, int stride)
{
    lanes out;
    for (int l = 0; l < LANES; ++l)
        out[l] = x[l * stride];
    return out;
}

#define PICK __builtin_shufflevector

/* Rows become columns. */
#if LANES == 4
INLINE void lanes_transpose(lanes x[4])
{
    lanes a = PICK(x[0], x[1], 0, 4, 2, 6), b = PICK(x[0], x[1], 1, 5, 3, 7);
    lanes c = PICK(x[2], x[3], 0, 4, 2, 6), d = PICK(x[2], x[3], 1, 5, 3, 7);
    x[0] = PICK(a, c, 0, 1, 4, 5);
    x[1] = PICK(b, d, 0, 1, 4, 5);
    x[2] = PICK(a, c, 2, 3, 6, 7);
    x[3] = PICK(b, d, 2, 3, 6, 7);
}
#else
INLINE void lanes_transpose(lanes x[8])
{
    lanes y[8];
#pragma GCC unroll 4
    for (int k = 0; k < 8; k += 2) /* 2 x 2 */
    {
        y[k] = PICK(x[k], x[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        y[k + 1] = PICK(x[k], x[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) /* 4 x 4 */
    {
        int k = i + i / 2 * 2;
        x[k] = PICK(y[k], y[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        x[k + 2] = PICK(y[k], y[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
    {
        lanes low = PICK(x[k], x[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        x[k + 4] = PICK(x[k], x[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        x[k] = low;
    }
}
#endif

#if LANES == 8 && defined __AVX512F__
/* Two numbers of every row. Pairs are brought to their places as they are loaded. */
INLINE void lanes_pair(const double *const row[8], lanes x[2])
{
    __m512 pair[2];
    for (int k = 0; k < 2; ++k)
    {
        pair[k] = _mm512_broadcast_f32x4(_mm_loadu_ps((const float *)row[k]));
        pair[k] = _mm512_mask_broadcast_f32x4(pair[k], 0x00f0, _mm_loadu_ps((const float *)row[2 + k]));
        pair[k] = _mm512_mask_broadcast_f32x4(pair[k], 0x0f00, _mm_loadu_ps((const float *)row[4 + k]));
        pair[k] = _mm512_mask_broadcast_f32x4(pair[k], 0xf000, _mm_loadu_ps((const float *)row[6 + k]));
    }
    __m512d even = _mm512_castps_pd(pair[0]), odd = _mm512_castps_pd(pair[1]);
    x[0] = _mm512_unpacklo_pd(even, odd);
    x[1] = _mm512_unpackhi_pd(even, odd);
}
#endif

/* count >= LANES; the last columns overlap those before, so that nothing beyond the rows is read. */
INLINE void lanes_rows(const double *const row[LANES], int count, lanes *x)
{
#if LANES == 8 && defined __AVX512F__
    if (count == 10)
    {
        const double *last[8];
        for (int l = 0; l < 8; ++l)
            last[l] = row[l] + 8;
        lanes_pair(last, x + 8);
        count = 8;
    }
#endif
    for (int k = 0; k < count; k += LANES)
    {
        int from = k + LANES <= count ? k : count - LANES;
        for (int l = 0; l < LANES; ++l)
            x[from + l] = *(const lanes_anywhere *)(row[l] + from);
        lanes_transpose(x + from);
    }
}

/* Write the bodies back, each as two rows of 4 or one of 8. */
INLINE void lanes_scatter(crn_compact_body *body, const int *who, lanes x[8])
{
    for (int k = 0; k < 8; k += LANES)
        lanes_transpose(x + k);
    for (int l = 0; l < LANES; ++l)
        for (int k = 0; k < 8; k += LANES)
            lanes_store((double *)&body[who[l]] + k, x[l + k]);
}

#endif

/* v, 1/m, w and 1/J of the bodies, component by component. */
INLINE void lanes_gather(const crn_compact_body *body, const int *who, lanes x[8])
{
    const double *row[LANES];
    for (int l = 0; l < LANES; ++l)
        row[l] = (const double *)&body[who[l]];
    lanes_rows(row, 8, x);
}

/* x, y and z of points, component by component. Nothing behind z is read. */
INLINE void lanes_points(const double *const point[LANES], lanes x[3])
{
#if LANES == 4 && defined __AVX__
    lanes row[4];
    for (int l = 0; l < 4; ++l)
        row[l] = _mm256_maskload_pd(point[l], (__m256i)(lanes_mask){-1, -1, -1, 0});
    lanes_transpose(row);
    for (int k = 0; k < 3; ++k)
        x[k] = row[k];
#elif LANES == 8 && defined __AVX512F__
    lanes row[4]; /* points l and l + 4 */
    for (int l = 0; l < 4; ++l)
    {
        __m256d low = _mm256_maskload_pd(point[l], _mm256_setr_epi64x(-1, -1, -1, 0));
        __m256d high = _mm256_maskload_pd(point[l + 4], _mm256_setr_epi64x(-1, -1, -1, 0));
        row[l] = _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
    }
    lanes a = PICK(row[0], row[1], 0, 8, 2, 10, 4, 12, 6, 14), b = PICK(row[0], row[1], 1, 9, 3, 11, 5, 13, 7, 15);
    lanes c = PICK(row[2], row[3], 0, 8, 2, 10, 4, 12, 6, 14), d = PICK(row[2], row[3], 1, 9, 3, 11, 5, 13, 7, 15);
    x[0] = PICK(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    x[1] = PICK(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    x[2] = PICK(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
#else
    double from[3][LANES];
    for (int l = 0; l < LANES; ++l)
        for (int k = 0; k < 3; ++k)
            from[k][l] = point[l][k];
    for (int k = 0; k < 3; ++k)
        x[k] = lanes_spread(from[k], 1);
#endif
}

/* Points become arms: less the centres of their bodies. */
INLINE void lanes_arms(const double *const centre[LANES], lanes arm[3])
{
    lanes x[3];
    lanes_points(centre, x);
    for (int k = 0; k < 3; ++k)
        arm[k] -= x[k];
}

/* 1 in the lanes whose bits are set, 0 in others: a vector read back from single numbers would wait until all are written. */
INLINE lanes lanes_flags(unsigned bits)
{
#if LANES == 1
    return bits & 1u ? 1.0 : 0.0;
#else
    static const int64_t BIT[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    lanes_mask bit;
    for (int l = 0; l < LANES; ++l)
        bit[l] = BIT[l];
    return (lanes)(((bit & (int64_t)bits) != 0) & (lanes_mask)lanes_all(1.0));
#endif
}

/* first, first + 1, .. */
INLINE lanes lanes_count(int first)
{
    static const double COUNT[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    return first + lanes_spread(COUNT, 1);
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

/* m^-1 of bodies, of which `number` has 1/m. Bodies beyond the problem's are padding. */
INLINE void lanes_mass(const crn_compact_problem *problem, const int *who, lanes number, lanes M[9])
{
    static const double NONE[9];
    const double *row[LANES];
    unsigned matrices = 0;
    for (int l = 0; l < LANES; ++l)
    {
        int uneven = who[l] < problem->body_count ? problem->uneven[who[l]] : -1;
        row[l] = uneven < 0 ? NONE : problem->uneven_mass[uneven];
        matrices |= (uneven < 0 ? 0u : 1u) << l;
    }
    lanes_rows(row, 9, M);
    lanes choice = lanes_flags(matrices);
    for (int k = 0; k < 9; k += 4)
        M[k] = lanes_choose(choice, lanes_all(0.0), M[k], number);
}

/* J^-1 of bodies, of which `number` has 1/J. Returns 1 where it is a matrix of the problem, and 0 where it is that number times the
 * identity. Bodies beyond the problem's are padding. */
INLINE lanes lanes_inertia(const crn_compact_problem *problem, const int *who, lanes number, lanes J[9])
{
    static const double NONE[9];
    const double *row[LANES];
    unsigned matrices = 0;
    for (int l = 0; l < LANES; ++l)
    {
        bool is_number = !problem->inverse_inertia || who[l] >= problem->body_count ||
                         (problem->is_round && problem->is_round[who[l]]);
        row[l] = is_number ? NONE : problem->inverse_inertia[who[l]];
        matrices |= (is_number ? 0u : 1u) << l;
    }
    lanes_rows(row, 9, J);
    lanes choice = lanes_flags(matrices);
    for (int k = 0; k < 9; k += 4)
        J[k] = lanes_choose(choice, lanes_all(0.0), J[k], number);
    return choice;
}
