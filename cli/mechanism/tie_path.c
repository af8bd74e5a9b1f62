/* The lines of ties.
 *
 * A slack rope of length L hangs as the parabola x(s) = from + s (to - from) + 4 s (1 - s) f down; the depth f at which the drawn line is
 * as long as the rope is found by bisection.
 */
#include "cli/mechanism/mechanism_build.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    SAG_POINTS = 24,
    TEETH = 13
};

static int put(double (*out)[3], int count, const double p[3])
{
    assert(count < CLI_TIE_POINTS);
    memcpy(out[count], p, sizeof out[0]);
    return count + 1;
}

/* The parabola of depth f; returns its length. */
static double hang(double f, const double from[3], const double to[3], const double down[3], double (*out)[3])
{
    double along[3], length = 0;
    cli_madd(to, -1, from, along);
    for (int i = 0; i <= SAG_POINTS; ++i)
    {
        double s = (double)i / SAG_POINTS;
        cli_madd(from, s, along, out[i]);
        cli_madd(out[i], 4 * s * (1 - s) * f, down, out[i]);
        length += i > 0 ? cli_distance(out[i], out[i - 1]) : 0;
    }
    return length;
}

static int sag(double length, const double from[3], const double to[3], const double down[3], double (*out)[3])
{
    double low = 0, high = length; /* twice the depth of any rope of this length */
    for (int i = 0; i < 50; ++i)
    {
        double middle = 0.5 * (low + high);
        *(hang(middle, from, to, down, out) < length ? &low : &high) = middle;
    }
    hang(low, from, to, down, out);
    return SAG_POINTS + 1;
}

/* To the side in the plane, and in space across the vertical where the coil is not vertical itself. */
static void coil_side(const double along[3], double side[3])
{
    static const double UP[3] = {0, 0, 1}, X[3] = {1, 0, 0};
    cli_cross(fabs(along[2]) > 0.9 * cli_length(along) ? X : UP, along, side);
    double size = cli_length(side);
    for (int k = 0; k < 3; ++k)
        side[k] = size > 0 ? side[k] / size : 0;
}

static int coil(double unit, const double from[3], const double to[3], double (*out)[3])
{
    double along[3], side[3], p[3], width = fmin(1.3 * unit, 0.2 * cli_distance(from, to));
    int count = put(out, 0, from);
    cli_madd(to, -1, from, along);
    coil_side(along, side);
    cli_madd(from, 0.12, along, p);
    count = put(out, count, p);
    for (int i = 0; i < TEETH; ++i)
    {
        cli_madd(from, 0.12 + 0.76 * (i + 0.5) / TEETH, along, p);
        cli_madd(p, i % 2 == 0 ? width : -width, side, p);
        count = put(out, count, p);
    }
    cli_madd(from, 0.88, along, p);
    count = put(out, count, p);
    return put(out, count, to);
}

int cli_tie_path(const cli_symbol *tie, double unit, const double from[3], const double to[3], const double down[3],
                 double (*out)[3])
{
    assert(tie->kind == CLI_SYMBOL_TIE);
    if (tie->role == CLI_ROLE_SPRING)
        return coil(unit, from, to, out);
    if (tie->role == CLI_ROLE_ROPE && tie->length > (1 + 1e-6) * cli_distance(from, to))
        return sag(tie->length, from, to, down, out);
    return put(out, put(out, 0, from), to);
}
