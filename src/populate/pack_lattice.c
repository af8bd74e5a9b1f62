/* A cubic lattice along the axes of the region, filled row by row from its lower end on. A place is taken if the next grain stands there as it is displaced. Where most places are taken by other bodies, or
 * lie outside a mesh, the search ends after a number of places. */
#include "populate/lattice.h"
#include "populate/pack.h"

#include <assert.h>

double crn_lattice_patience(int count)
{
    return 1000.0 * count + 1e6;
}

cairn_status crn_pack_lattice(crn_packing *p)
{
    crn_balls *balls = p->balls;
    const crn_lattice lattice = crn_lattice_in(p->region, p->options, balls->most, p->spacing);
    int at[3] = {0}, placed = 0;
    double left = crn_lattice_patience(balls->count);
    bool failed = false, is_place = lattice.n[0] > 0 && lattice.n[1] > 0 && lattice.n[2] > 0;
    for (; is_place && placed < balls->count && --left > 0; is_place = crn_lattice_next(&lattice, at))
    {
        double *x = balls->x[placed];
        crn_lattice_place(&lattice, at, balls->radius[placed], x);
        placed += crn_lattice_takes(p, x, balls->radius[placed], &failed);
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

bool crn_lattice_takes(crn_packing *p, const double x[3], double radius, bool *failed)
{
    return crn_packing_stands(p, x, (1 - CRN_LATTICE_SLACK) * radius, failed);
}
