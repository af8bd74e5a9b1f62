#include "populate/lattice.h"

#include "math/vec.h"
#include "populate/pack.h"
#include "populate/sizes.h"

#include <math.h>
#include <string.h>

/* end: m, the distance of the first and the last place from the region's bounds. */
static int places_along(const crn_region *region, double end, double spacing, int axis, double *begin)
{
    double length = region->own.upper[axis] - region->own.lower[axis] - 2 * end;
    double places = floor(length / spacing * (1 + 1e-12));
    *begin = region->own.lower[axis] + end + (axis < region->dimension - 1 ? 0.5 * (length - places * spacing) : 0);
    return length < 0 ? 0 : (int)fmin(places, 1e9) + 1;
}

crn_lattice crn_lattice_in(const crn_region *region, const cairn_population_options *o, double most, double spacing)
{
    crn_lattice lattice = {.dimension = region->dimension,
                           .n = {1, 1, 1},
                           .spacing = spacing,
                           .pose = region->pose,
                           .jitter = o->jitter,
                           .key = crn_random_key(o->seed, CRN_STREAM_JITTER),
                           .margin = CRN_PACKING_CLEAR * most};
    for (int k = 0; k < region->dimension; ++k)
        lattice.n[k] = places_along(region, o->jitter > 0 ? 0.5 * spacing : most, spacing, k, &lattice.begin[k]);
    return lattice;
}

/* u of a place along an axis. */
static double draw(const crn_lattice *lattice, const int at[3], int axis)
{
    uint64_t row = (uint64_t)at[2] * (uint64_t)lattice->n[1] + (uint64_t)at[1];
    uint64_t number = row * (uint64_t)lattice->n[0] + (uint64_t)at[0];
    return 2 * crn_random_at(lattice->key, 3 * number + (uint64_t)axis) - 1;
}

void crn_lattice_place(const crn_lattice *lattice, const int at[3], double radius, double x[3])
{
    double y[3] = {0}, room = lattice->jitter * fmax(0.5 * lattice->spacing - radius - lattice->margin, 0);
    for (int k = 0; k < lattice->dimension; ++k)
        y[k] = lattice->begin[k] + at[k] * lattice->spacing + (room > 0 ? room * draw(lattice, at, k) : 0);
    crn_rotate3(lattice->pose.R, y, x);
    crn_add3(x, lattice->pose.x, x);
}

void crn_lattice_find(const crn_lattice *lattice, int64_t number, int at[3])
{
    at[0] = (int)(number % lattice->n[0]);
    at[1] = (int)(number / lattice->n[0] % lattice->n[1]);
    at[2] = (int)(number / lattice->n[0] / lattice->n[1]);
}

bool crn_lattice_next(const crn_lattice *lattice, int at[3])
{
    for (int k = 0; k < 3; ++k)
    {
        if (++at[k] < lattice->n[k])
            return true;
        at[k] = 0;
    }
    return false;
}
