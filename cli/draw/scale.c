/* Scales and ticks.
 *
 * Linear ticks are the multiples of a step 1, 2 or 5 times a power of ten; the values are formed as k * step with an
 * integral k so that no rounding adds up. Logarithmic ticks are powers of ten, every n-th of them when there are many
 * decades, with 2 and 5 between when there are few; where even those are rare the axis falls back to linear ticks.
 */
#include "cli/draw/scale.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HUGE_VALUE  1e300  /* larger magnitudes are drawn as this, so that differences never overflow */
#define TINY_VALUE  1e-300 /* smaller magnitudes are zero */
#define FLAT        1e-12  /* data that vary by less than this, relatively, are constant */
#define FAR_AWAY    1e9    /* points */
#define MAX_DECADES 8      /* decades up to which minor ticks are drawn */

void cli_range_add(cli_range *range, double value, bool positive)
{
    if (!isfinite(value) || (positive && value < TINY_VALUE))
        return;
    value = fmax(-HUGE_VALUE, fmin(HUGE_VALUE, value));
    range->low = range->any ? fmin(range->low, value) : value;
    range->high = range->any ? fmax(range->high, value) : value;
    range->any = true;
}

static cli_scale linear_scale(cli_range range, double margin)
{
    double low = range.any ? range.low : 0.0, high = range.any ? range.high : 1.0;
    double size = fmax(fabs(low), fabs(high));
    if (size < TINY_VALUE)
        return (cli_scale){.low = -1.0, .high = 1.0};
    if (high - low <= FLAT * size)
        return (cli_scale){.low = low - 0.1 * size, .high = high + 0.1 * size};
    double room = margin * (high - low);
    return (cli_scale){.low = low - room, .high = high + room};
}

static cli_scale log_scale(cli_range range, double margin)
{
    double low = log10(range.any ? range.low : 0.1), high = log10(range.any ? range.high : 10.0);
    double room = high - low <= FLAT ? 0.5 : margin * (high - low);
    low = fmax(-307.0, low - room); /* powers of ten that are normal numbers */
    high = fmin(307.0, high + room);
    return (cli_scale){.low = pow(10.0, low), .high = pow(10.0, high), .log = true};
}

cli_scale cli_scale_of(cli_range range, bool log, double margin)
{
    assert(!range.any || range.low <= range.high);
    assert(!log || !range.any || range.low > 0.0);
    cli_scale scale = log ? log_scale(range, margin) : linear_scale(range, margin);
    scale.from = 0.0;
    scale.to = 1.0;
    assert(scale.low < scale.high);
    return scale;
}

double cli_scale_map(const cli_scale *scale, double value)
{
    if (isnan(value) || (scale->log && value <= 0.0))
        return NAN;
    double part = scale->log ? (log10(value) - log10(scale->low)) / (log10(scale->high) - log10(scale->low))
                             : (value - scale->low) / (scale->high - scale->low);
    double place = scale->from + part * (scale->to - scale->from);
    return fmax(-FAR_AWAY, fmin(FAR_AWAY, place));
}

double cli_nice_step(double x)
{
    assert(x > 0.0 && isfinite(x));
    double power = pow(10.0, floor(log10(x)));
    double digits = x / power;
    double nice = digits < sqrt(2.0) ? 1.0 : digits < sqrt(10.0) ? 2.0 : digits < sqrt(50.0) ? 5.0 : 10.0;
    return nice * power;
}

void cli_power_text(int exponent, char *text, size_t size)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    assert(size >= 24);
    snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
    snprintf(text, size, "10%s", exponent < 0 ? "⁻" : "");
    for (const char *d = digits; *d != '\0'; ++d)
        strncat(text, raised[*d - '0'], size - strlen(text) - 1);
}

/* A number with a true minus sign, and never "-0". */
static void number_text(double value, int decimals, char *text, size_t size)
{
    char plain[24];
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    bool zero = strspn(plain, "-0.") == strlen(plain);
    const char *digits = plain[0] == '-' ? plain + 1 : plain;
    snprintf(text, size, "%s%s", plain[0] == '-' && !zero ? "−" : "", digits);
}

/* Decimals that tell multiples of `step` apart; a step is one of 1, 2, 5 times a power of ten. */
static int decimals_of(double step)
{
    int decimals = (int)-floor(log10(step) + 1e-9);
    return decimals < 0 ? 0 : decimals > 15 ? 15 : decimals;
}

static void label_linear(cli_ticks *ticks, double step)
{
    double size = 0.0;
    for (int i = 0; i < ticks->count; ++i)
        size = fmax(size, fabs(ticks->value[i]));
    int power = size > 0.0 ? (int)floor(log10(size) + 1e-9) : 0;
    ticks->exponent = power >= 5 || power <= -4 ? power : 0;
    double unit = pow(10.0, ticks->exponent);
    for (int i = 0; i < ticks->count; ++i)
        number_text(ticks->value[i] / unit, decimals_of(step / unit), ticks->label[i], sizeof ticks->label[i]);
}

static void linear_ticks(const cli_scale *scale, int wanted, cli_ticks *ticks)
{
    double step = cli_nice_step((scale->high - scale->low) / wanted);
    double slack = 1e-9 * step;
    ticks->count = 0;
    for (double k = ceil((scale->low - slack) / step); ticks->count < CLI_TICKS_MAX; k += 1.0)
    {
        double value = k * step;
        if (value > scale->high + slack)
            break;
        ticks->value[ticks->count++] = value == 0.0 ? 0.0 : value;
    }
    label_linear(ticks, step);
}

#define PLAIN_LOW  1e-4 /* axes between these have plain numbers */
#define PLAIN_HIGH 1e5

static void add_log_tick(const cli_scale *scale, cli_ticks *ticks, int digit, int power)
{
    double value = digit * pow(10.0, power);
    if (value < scale->low * (1.0 - 1e-9) || value > scale->high * (1.0 + 1e-9) || ticks->count == CLI_TICKS_MAX)
        return;
    char text[24];
    cli_power_text(power, text, sizeof text);
    char *label = ticks->label[ticks->count];
    bool plain = power == 0 || (scale->low >= PLAIN_LOW && scale->high <= PLAIN_HIGH); /* 0.5 and 20, and never 5×10⁰ */
    int length = plain        ? snprintf(label, sizeof ticks->label[0], "%.*f", power < 0 ? -power : 0, value)
                 : digit == 1 ? snprintf(label, sizeof ticks->label[0], "%s", text)
                              : snprintf(label, sizeof ticks->label[0], "%d×%s", digit, text);
    assert(length > 0 && length < (int)sizeof ticks->label[0]);
    (void)length;
    ticks->value[ticks->count++] = value;
}

static void add_minor_ticks(const cli_scale *scale, int first, int last, cli_ticks *ticks)
{
    for (int power = first; power <= last; ++power)
        for (int digit = 2; digit <= 9; ++digit)
        {
            double value = digit * pow(10.0, power);
            if (value >= scale->low && value <= scale->high && ticks->minor_count < 10 * CLI_TICKS_MAX)
                ticks->minor[ticks->minor_count++] = value;
        }
}

static void add_powers(const cli_scale *scale, int first, int last, int stride, bool fine, cli_ticks *ticks)
{
    ticks->count = 0;
    for (int power = first; power <= last; ++power)
    {
        if (power % stride != 0)
            continue;
        add_log_tick(scale, ticks, 1, power);
        if (fine)
        {
            add_log_tick(scale, ticks, 2, power);
            add_log_tick(scale, ticks, 5, power);
        }
    }
}

static void log_ticks(const cli_scale *scale, int wanted, cli_ticks *ticks)
{
    double decades = log10(scale->high) - log10(scale->low);
    int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
    int stride = decades <= wanted ? 1 : (int)fmax(2.0, round(cli_nice_step(decades / wanted)));
    add_powers(scale, first, last, stride, decades < 2.5, ticks);
    for (; ticks->count < 2 && stride > 1; stride /= 2)
        add_powers(scale, first, last, stride / 2, false, ticks);
    if (stride == 1 && decades <= MAX_DECADES)
        add_minor_ticks(scale, first, last, ticks);
}

void cli_ticks_make(const cli_scale *scale, int wanted, cli_ticks *ticks)
{
    assert(scale->low < scale->high && wanted >= 1);
    memset(ticks, 0, sizeof *ticks);
    wanted = wanted < 2 ? 2 : wanted > CLI_TICKS_MAX / 4 ? CLI_TICKS_MAX / 4 : wanted;
    if (scale->log)
        log_ticks(scale, wanted, ticks);
    /* Steps are rounded, so that a small number wanted may give but one. */
    for (; ticks->count < 2 && wanted <= CLI_TICKS_MAX / 4; ++wanted)
        linear_ticks(scale, wanted, ticks);
}
