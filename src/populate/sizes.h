/* Radii of grains: a distribution is its quantile function, so that a random number in (0, 1) becomes a radius. */
#ifndef CRN_POPULATE_SIZES_H
#define CRN_POPULATE_SIZES_H

#include "base/random.h"
#include "cairn/population.h"

enum
{
    CRN_SIZE_CELLS = 1024,
    CRN_MOST_GRAINS = 1 << 22, /* of a population */
    CRN_MOST_UNMADE = 1 << 30  /* of one that ranks make (recipe.h) */
};

/* Of the generators of a seed: radii, places, orientations and displacements from a lattice have one each, so that another packing of the same seed has the same grains. */
enum
{
    CRN_STREAM_SIZES = 0,
    CRN_STREAM_PLACES,
    CRN_STREAM_TURNS,
    CRN_STREAM_JITTER
};

typedef struct crn_sizes
{
    const cairn_sizes *options;
    int dimension;
    double least, most;   /* m */
    double begin, end;    /* quantiles at which a normal distribution is cut off */
    double centre, width; /* of the normal one, or of that of the logarithm */
    /* by mass: where each cell begins, as a radius and as a quantile, and how many grains those before it have, at most */
    double first[CRN_SIZE_CELLS + 1], quantile[CRN_SIZE_CELLS + 1], cumulative[CRN_SIZE_CELLS + 1];
} crn_sizes;

/* Prepare a distribution. NULL, or what is wrong with it: a sentence that begins with the name of a field. */
const char *crn_sizes_prepare(const cairn_sizes *options, int dimension, crn_sizes *out);
/* The radius at a quantile, 0 < u < 1, of the distribution as it is given, by number or by mass. */
double crn_sizes_quantile(const crn_sizes *sizes, double u);
/* The radius of one grain. */
double crn_sizes_draw(const crn_sizes *sizes, crn_random *random);

#endif
