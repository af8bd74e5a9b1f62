/* The vector type of the file that includes this: LANES doubles (1, 4 or 8), with gathers of bodies.
 *
 * Each lane goes through the operations of the scalar version in the same order; addition, product, quotient and root are rounded
 * correctly by all of them and nothing is contracted, so the width does not change a bit.
 */
#include "solve/compact/packed.h"

#include <math.h>

#if LANES == 1

typedef double lanes;

static inline lanes lanes_load(const double *x)
{
    return *x;
}

static inline void lanes_store(double *x, lanes value)
{
    *x = value;
}

/* max(0, x); 0 if x is not a number */
static inline lanes lanes_positive(lanes x)
{
    return x > 0.0 ? x : 0.0;
}

/* where x > y: a, elsewhere b */
static inline lanes lanes_choose(lanes x, lanes y, lanes a, lanes b)
{
    return x > y ? a : b;
}

static inline lanes lanes_root(lanes x)
{
    return sqrt(x);
}

static inline lanes lanes_all(double x)
{
    return x;
}

static inline double lanes_most(lanes x)
{
    return x;
}

/* v, 1/m, w and 1/J of the bodies, component by component. */
static inline void lanes_gather(const crn_compact_body *body, const int *who, lanes x[8])
{
    const double *from = (const double *)&body[*who];
    for (int k = 0; k < 8; ++k)
        x[k] = from[k];
}

/* Write v and w back. */
static inline void lanes_scatter(crn_compact_body *body, const int *who, lanes x[8])
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
typedef int64_t lanes_mask __attribute__((vector_size(LANES * 8)));

#if defined __AVX__
#include <immintrin.h>
#endif

static inline lanes lanes_load(const double *x)
{
    return *(const lanes_in_memory *)x;
}

static inline void lanes_store(double *x, lanes value)
{
    *(lanes_in_memory *)x = value;
}

static inline lanes lanes_all(double x)
{
    return x - (lanes){0.0};
}

static inline lanes lanes_positive(lanes x)
{
    return (lanes)((x > lanes_all(0.0)) & (lanes_mask)x);
}

static inline lanes lanes_choose(lanes x, lanes y, lanes a, lanes b)
{
    lanes_mask is_larger = x > y;
    return (lanes)((is_larger & (lanes_mask)a) | (~is_larger & (lanes_mask)b));
}

static inline lanes lanes_root(lanes x)
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

static inline double lanes_most(lanes x)
{
    double most = x[0];
    for (int l = 1; l < LANES; ++l)
        most = x[l] > most ? x[l] : most;
    return most;
}

#define PICK __builtin_shufflevector

/* Rows become columns. */
#if LANES == 4
static inline void lanes_transpose(lanes x[4])
{
    lanes a = PICK(x[0], x[1], 0, 4, 2, 6), b = PICK(x[0], x[1], 1, 5, 3, 7);
    lanes c = PICK(x[2], x[3], 0, 4, 2, 6), d = PICK(x[2], x[3], 1, 5, 3, 7);
    x[0] = PICK(a, c, 0, 1, 4, 5);
    x[1] = PICK(b, d, 0, 1, 4, 5);
    x[2] = PICK(a, c, 2, 3, 6, 7);
    x[3] = PICK(b, d, 2, 3, 6, 7);
}
#else
static inline void lanes_transpose(lanes x[8])
{
    lanes y[8];
    for (int k = 0; k < 8; k += 2) /* 2 x 2 */
    {
        y[k] = PICK(x[k], x[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        y[k + 1] = PICK(x[k], x[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += k % 4 == 1 ? 3 : 1) /* 0, 1, 4, 5: 4 x 4 */
    {
        x[k] = PICK(y[k], y[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        x[k + 2] = PICK(y[k], y[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int k = 0; k < 4; ++k)
    {
        lanes low = PICK(x[k], x[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        x[k + 4] = PICK(x[k], x[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        x[k] = low;
    }
}
#endif

/* A body is 8 doubles: two rows of 4, or one of 8. */
static inline void lanes_gather(const crn_compact_body *body, const int *who, lanes x[8])
{
    for (int l = 0; l < LANES; ++l)
        for (int k = 0; k < 8; k += LANES)
            x[l + k] = lanes_load((const double *)&body[who[l]] + k);
    for (int k = 0; k < 8; k += LANES)
        lanes_transpose(x + k);
}

static inline void lanes_scatter(crn_compact_body *body, const int *who, lanes x[8])
{
    for (int k = 0; k < 8; k += LANES)
        lanes_transpose(x + k);
    for (int l = 0; l < LANES; ++l)
        for (int k = 0; k < 8; k += LANES)
            lanes_store((double *)&body[who[l]] + k, x[l + k]);
}

#endif
