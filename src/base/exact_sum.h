/* The sum of any number of doubles without any rounding, so that it does not depend on their order or on how they are divided among ranks.
 *
 * A double is a whole number times a power of two. It is cut into digits of 32 bits, which are added in 64; sums of digits may be added over ranks. What is not
 * finite, not above 2^-160 or not below 2^192 does not count. src/gpu/ranks/exact_sum.hpp is the same for the pipeline, which knows nothing of the library. */
#ifndef CRN_BASE_EXACT_SUM_H
#define CRN_BASE_EXACT_SUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum
{
    CRN_EXACT_DIGITS = 16,
    CRN_EXACT_LOWEST = -256, /* exponent of the first digit */
    CRN_EXACT_MOST = 1 << 30 /* terms until digits have to be carried */
};

typedef struct crn_exact_sum
{
    int64_t digit[CRN_EXACT_DIGITS];
} crn_exact_sum;

/* Digits small again, so that more terms, or those of many ranks, can be added. */
static inline void crn_exact_carry(crn_exact_sum *sum)
{
    const int64_t base = INT64_C(1) << 32;
    for (int k = 0; k + 1 < CRN_EXACT_DIGITS; ++k)
    {
        int64_t low = sum->digit[k] % base;
        low += low < 0 ? base : 0;
        sum->digit[k + 1] += (sum->digit[k] - low) / base;
        sum->digit[k] = low;
    }
}

/* CRN_EXACT_MOST times at most without a carry. */
static inline void crn_exact_add(crn_exact_sum *sum, double x)
{
    int exponent;
    double fraction = frexp(x, &exponent); /* x = fraction 2^exponent, 1/2 <= |fraction| < 1 */
    if (!isfinite(x) || x == 0 || exponent <= CRN_EXACT_LOWEST + 96 || exponent > 192)
        return;
    int low = exponent - 53 - CRN_EXACT_LOWEST, shift = low % 32;
    uint64_t size = (uint64_t)ldexp(fabs(fraction), 53), below = size << shift;
    const uint64_t part[3] = {below & UINT32_MAX, below >> 32, shift > 0 ? size >> (64 - shift) : 0};
    for (int i = 0; i < 3; ++i)
        sum->digit[low / 32 + i] += x < 0 ? -(int64_t)part[i] : (int64_t)part[i];
}

/* The same double for the same sum. */
static inline double crn_exact_value(crn_exact_sum sum)
{
    crn_exact_carry(&sum);
    bool is_negative = sum.digit[CRN_EXACT_DIGITS - 1] < 0;
    for (int k = 0; is_negative && k < CRN_EXACT_DIGITS; ++k)
        sum.digit[k] = -sum.digit[k];
    crn_exact_carry(&sum);
    double value = 0;
    for (int k = CRN_EXACT_DIGITS - 1; k >= 0; --k)
        value += ldexp((double)sum.digit[k], CRN_EXACT_LOWEST + 32 * k);
    return is_negative ? -value : value;
}

#endif
