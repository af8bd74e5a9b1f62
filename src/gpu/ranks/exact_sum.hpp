/* The sum of any number of doubles without any rounding, so that it does not depend on their order or on how they are divided among ranks.
 *
 * A double is a whole number times a power of two. It is cut into digits of 32 bits, which are added in 64; sums of digits may be added over ranks. */
#pragma once

#include <cmath>
#include <cstdint>

namespace crn
{

struct ExactSum
{
    enum
    {
        DIGITS = 16,
        LOWEST = -256 /* exponent of the first digit: what is smaller than 2^-256 does not count, nor does what is not below 2^192 */
    };
    int64_t digit[DIGITS] = {};
    int added = 0;

    void add(double x)
    {
        int exponent;
        double fraction = std::frexp(x, &exponent); /* x = fraction 2^exponent, 1/2 <= |fraction| < 1 */
        if (!std::isfinite(x) || x == 0 || exponent <= LOWEST + 96 || exponent > 192)
            return;
        int64_t whole = (int64_t)std::ldexp(fraction, 53);
        int low = exponent - 53 - LOWEST, k = low / 32;
        int64_t size = whole < 0 ? -whole : whole, sign = whole < 0 ? -1 : 1;
        unsigned __int128 shifted = (unsigned __int128)(uint64_t)size << (low % 32);
        for (int i = 0; i < 3; ++i)
            digit[k + i] += sign * (int64_t)(uint32_t)(shifted >> (32 * i));
        if (++added == 1 << 30)
            carry();
    }
    void add(ExactSum &other)
    {
        carry();
        other.carry();
        for (int k = 0; k < DIGITS; ++k)
            digit[k] += other.digit[k];
    }
    /* Digits small again, so that many ranks' can be added. */
    void carry()
    {
        for (int k = 0; k + 1 < DIGITS; ++k)
        {
            int64_t over = digit[k] >> 32;
            digit[k] -= over * ((int64_t)1 << 32);
            digit[k + 1] += over;
        }
        added = 0;
    }
    /* The same double for the same sum: carry() leaves one form of it, without a sign but in its last digit. */
    double value()
    {
        carry();
        bool is_negative = digit[DIGITS - 1] < 0;
        for (int k = 0; is_negative && k < DIGITS; ++k)
            digit[k] = -digit[k];
        carry();
        double sum = 0;
        for (int k = DIGITS - 1; k >= 0; --k)
            sum += std::ldexp((double)digit[k], LOWEST + 32 * k);
        return is_negative ? -sum : sum;
    }
};

} // namespace crn
