/* From values to places on an axis: the range of some data, a linear or logarithmic scale over it, and its ticks. All of
 * it keeps working for no data, constant data, NaN, infinities and values near the ends of double precision. */
#ifndef CLI_DRAW_SCALE_H
#define CLI_DRAW_SCALE_H

#include <stdbool.h>
#include <stddef.h>

/* The smallest and largest finite values seen. */
typedef struct cli_range
{
    double low, high;
    bool any;
} cli_range;

/* Non-finite values are left out; so are values that are not positive when `positive` is asked for. */
void cli_range_add(cli_range *range, double value, bool positive);

/* A map of [low, high], low < high, to [from, to] in points; from may be the larger (y goes down). */
typedef struct cli_scale
{
    double low, high;
    bool log;
    double from, to;
} cli_scale;

/* The scale of a range, widened by the fraction `margin` on both sides; constant or absent data get room around them. */
cli_scale cli_scale_of(cli_range range, bool log, double margin);

/* NaN where the scale has no place for the value; otherwise finite, and far outside at the most 1e9 points. */
double cli_scale_map(const cli_scale *scale, double value);

#define CLI_TICKS_MAX 40

typedef struct cli_ticks
{
    int count;
    double value[CLI_TICKS_MAX];
    char label[CLI_TICKS_MAX][32]; /* UTF-8 */
    int minor_count;               /* unlabelled ticks between, logarithmic scales only */
    double minor[10 * CLI_TICKS_MAX];
    int exponent; /* labels are to be multiplied by ten to this; 0: plain */
} cli_ticks;

/* The 1-2-5 number nearest to `x` > 0, by ratio. */
double cli_nice_step(double x);

/* About `wanted` ticks (at least 2), within [low, high], rising. */
void cli_ticks_make(const cli_scale *scale, int wanted, cli_ticks *ticks);

/* "10" with a raised exponent, e.g. 10⁻⁸. */
void cli_power_text(int exponent, char *text, size_t size);

#endif
