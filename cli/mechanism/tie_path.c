/* The lines of ties.
 *
 * A slack rope of length L between points d apart hangs as the parabola x(s) = from + s (to - from) + 4 s (1 - s) f down, whose length is
 * about d + 8 f^2 / (3 d): f = sqrt(3 d (L - d)/8), and for points that nearly coincide L/2.
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

static int sag(const cli_symbol *tie, const double from[3], const double to[3], const double down[3], double (*out)[3])
{
    double d = cli_distance(from, to), along[3];
    double depth = fmin(sqrt(0.375 * d * (tie->length - d)), 0.5 * tie->length);
    depth = d < 0.2 * tie->length ? 0.5 * (tie->length - d) : depth;
    cli_madd(to, -1, from, along);
    for (int i = 0; i <= SAG_POINTS; ++i)
    {
        double s = (double)i / SAG_POINTS, p[3];
        cli_madd(from, s, along, p);
        cli_madd(p, 4 * s * (1 - s) * depth, down, p);
        put(out, i, p);
    }
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
        return sag(tie, from, to, down, out);
    return put(out, put(out, 0, from), to);
}
