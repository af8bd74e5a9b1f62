/* From values to places on an axis: the range of some data, a linear or logarithmic scale over it, and its ticks. All of
 * it keeps working for no data, constant data, NaN, infinities and values near the ends of double precision. */
#ifndef CLI_PLOT_SCALE_H
#define CLI_PLOT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

/* The smallest and largest finite values seen. */
typedef struct crn_range
{
    double low, high;
    bool any;
} crn_range;

/* Non-finite values are left out; so are values that are not positive when `positive` is asked for. */
void crn_range_add(crn_range *range, double value, bool positive);

/* A map of [low, high], low < high, to [from, to] in points; from may be the larger (y goes down). */
typedef struct crn_scale
{
    double low, high;
    bool log;
    double from, to;
} crn_scale;

/* The scale of a range, widened by the fraction `margin` on both sides; constant or absent data get room around them. */
crn_scale crn_scale_of(crn_range range, bool log, double margin);

/* NaN where the scale has no place for the value; otherwise finite, and far outside at the most 1e9 points. */
double crn_scale_map(const crn_scale *scale, double value);

#define CRN_TICKS_MAX 40

typedef struct crn_ticks
{
    int count;
    double value[CRN_TICKS_MAX];
    char label[CRN_TICKS_MAX][32]; /* UTF-8 */
    int minor_count;               /* unlabelled ticks between, logarithmic scales only */
    double minor[10 * CRN_TICKS_MAX];
    int exponent; /* labels are to be multiplied by ten to this; 0: plain */
} crn_ticks;

/* The 1-2-5 number nearest to `x` > 0, by ratio. */
double crn_nice_step(double x);

/* About `wanted` ticks (at least 2), within [low, high], rising. */
void crn_ticks_make(const crn_scale *scale, int wanted, crn_ticks *ticks);

/* "10" with a raised exponent, e.g. 10⁻⁸. */
void crn_power_text(int exponent, char *text, size_t size);

#endif
