/* Directions in a scene are divided by their length as they are read. The model keeps the quotient u, and dividing that once more may
 * change its last bit. Other numbers along u do not: tried are small ones, such as [1, 1, 0] for [0.707..., 0.707..., 0], then u
 * itself and multiples of it. About one multiple in five gives u back, so that the search ends soon.
 */
#include "math/vec.h"
#include "scene/save/save.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MULTIPLES = 4096
};

/* What the model makes of the numbers x. */
static void read_back(const double *x, int n, const double *R, double *out)
{
    double unit[4];
    memcpy(unit, x, (size_t)n * sizeof *x);
    if (n == 4)
        crn_quaternion_normalise(unit);
    else
    {
        double length = crn_norm3(x);
        for (int k = 0; k < 3; ++k)
            unit[k] = x[k] / length;
    }
    if (R)
        crn_rotate3(R, unit, out);
    else
        memcpy(out, unit, (size_t)n * sizeof *out);
}

static bool gives(const double *x, int n, const double *R, const double *unit)
{
    double back[4];
    read_back(x, n, R, back);
    return memcmp(back, unit, (size_t)n * sizeof *unit) == 0;
}

/* x over the size of its entry k, with six digits. */
static bool shorten(const double *x, int n, int k, double *out)
{
    if (fabs(x[k]) < 1e-3)
        return false;
    for (int i = 0; i < n; ++i)
    {
        double ratio = x[i] / fabs(x[k]);
        out[i] = copysign(round(fabs(ratio) * 1e6) / 1e6, ratio);
    }
    return true;
}

void crn_find_direction(const double *unit, int n, const double *R, double *out)
{
    assert(n == 3 || n == 4);
    double start[4];
    memcpy(start, unit, (size_t)n * sizeof *unit);
    if (R)
        crn_unrotate3(R, unit, start);
    for (int k = 0; k < n; ++k)
        if (shorten(start, n, k, out) && gives(out, n, R, unit))
            return;
    for (int k = 0; k < MULTIPLES; ++k)
    {
        for (int i = 0; i < n; ++i)
            out[i] = (1 + k / (double)MULTIPLES) * start[i];
        if (gives(out, n, R, unit))
            return;
    }
    memcpy(out, start, (size_t)n * sizeof *out);
}
