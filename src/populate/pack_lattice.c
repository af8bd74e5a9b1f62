/* A cubic lattice along the axes of the region, filled row by row from its lower end on. Where most places are taken by other bodies, or
 * lie outside a mesh, the search ends after a number of places. */
#include "populate/pack.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>

/* Places along an axis: whole spacings between two ends that are a radius away from the bounds. */
static int places_along(const crn_packing *p, int axis, double *begin)
{
    double length = p->region->own.upper[axis] - p->region->own.lower[axis] - 2 * p->balls->most;
    double most = floor(length / p->spacing * (1 + 1e-12));
    *begin = p->region->own.lower[axis] + p->balls->most +
             (axis < p->region->dimension - 1 ? 0.5 * (length - most * p->spacing) : 0);
    return length < 0 ? 0 : (int)fmin(most, 1e9) + 1;
}

cairn_status crn_pack_lattice(crn_packing *p)
{
    crn_balls *balls = p->balls;
    int n[3] = {1, 1, 1}, at[3], placed = 0, dimension = p->region->dimension;
    double begin[3] = {0}, left = 1000.0 * balls->count + 1e6;
    bool failed = false;
    for (int k = 0; k < dimension; ++k)
        n[k] = places_along(p, k, &begin[k]);
    for (at[2] = 0; at[2] < n[2] && placed < balls->count && left > 0; ++at[2])
        for (at[1] = 0; at[1] < n[1] && placed < balls->count && left > 0; ++at[1])
            for (at[0] = 0; at[0] < n[0] && placed < balls->count && --left > 0; ++at[0])
            {
                double y[3] = {0}, *x = balls->x[placed];
                for (int k = 0; k < dimension; ++k)
                    y[k] = begin[k] + at[k] * p->spacing;
                crn_rotate3(p->region->pose.R, y, x);
                crn_add3(x, p->region->pose.x, x);
                /* a ball that fits to rounding fits */
                placed += crn_packing_stands(p, x, (1 - 1e-9) * balls->radius[placed], &failed) ? 1 : 0;
            }
    if (failed)
        return crn_fail(p->context, CAIRN_NO_MEMORY, "population '%s': memory ran out", p->name);
    return placed == balls->count
               ? CAIRN_OK
               : crn_fail(p->context, CAIRN_INVALID,
                          "population '%s': packing: a lattice of spacing %g m has places for %d of its %d "
                          "grains in the region",
                          p->name, p->spacing, placed, balls->count);
}
