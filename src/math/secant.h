/* The secant method within a bracket. */
#ifndef CRN_MATH_SECANT_H
#define CRN_MATH_SECANT_H

#include <assert.h>
#include <math.h>

/* The next point to evaluate for F = 0 between `low` and `high`, where F has the values F_low and F_high of opposite
 * signs: the zero of their secant, kept away from the ends by `margin` of the bracket; the middle where there is no
 * secant. */
static inline double crn_secant(double low, double F_low, double high, double F_high, double margin)
{
    assert(low <= high && margin > 0 && margin < 0.5);
    double at = F_low / (F_low - F_high);
    return low + (high - low) * fmin(fmax(isfinite(at) ? at : 0.5, margin), 1.0 - margin);
}

#endif
