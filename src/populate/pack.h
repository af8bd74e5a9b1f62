/* Packing: places for balls (discs) in a region, clear of each other and of other bodies. */
#ifndef CRN_POPULATE_PACK_H
#define CRN_POPULATE_PACK_H

#include "base/context.h"
#include "collide/query/obstacles.h"
#include "populate/balls.h"
#include "populate/region.h"

typedef struct crn_packing
{
    cairn_context *context;
    const char *name; /* of the population */
    const cairn_population_options *options;
    const crn_region *region;
    crn_obstacles *obstacles;
    crn_random *random;
    crn_balls *balls; /* none is in yet */
    double spacing;   /* m: of the lattice */
    double down[3];   /* unit, along gravity; 0: there is none */
} crn_packing;

/* Fill in balls->x. CAIRN_INVALID with a sentence when the grains do not fit. */
cairn_status crn_pack_lattice(crn_packing *packing);
/* Of that: how many places are tried for so many grains, and whether a ball may have one. */
double crn_lattice_patience(int count);
static const double CRN_LATTICE_SLACK = 1e-9; /* of the radius: a ball that fits to rounding fits */
bool crn_lattice_takes(crn_packing *packing, const double x[3], double radius, bool *failed);
cairn_status crn_pack_random(crn_packing *packing);
cairn_status crn_pack_deposit(crn_packing *packing);
cairn_status crn_pack_growth(crn_packing *packing);

/* Between grains, and between grains and other bodies, of the largest radius: so that rounding makes no overlap. */
static const double CRN_PACKING_CLEAR = 1e-6;

/* Whether a ball about x lies in the region, clear of the other bodies; and also of the balls that are in. */
bool crn_packing_stands(crn_packing *packing, const double x[3], double radius, bool *failed);
bool crn_packing_fits(crn_packing *packing, const double x[3], double radius, bool *failed);

/* The share of the region's volume that the first `count` balls of an order fill; NULL: of all in their own order. */
double crn_packing_share(const crn_packing *packing, const int *order, int count);

#endif
