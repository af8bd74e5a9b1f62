/* What a grain is made of: shapes about their centre of mass, for grains of volume-equivalent radius 1 m. */
#ifndef CRN_POPULATE_GRAIN_H
#define CRN_POPULATE_GRAIN_H

#include "base/memory.h"
#include "base/random.h"
#include "cairn/population.h"

typedef struct crn_grain
{
    cairn_shape_options *shapes;
    int count;
    double radius; /* m: volume-equivalent, as the shapes are given */
    double reach;  /* m: of a ball about the centre of mass that holds them, likewise */
    bool turned;   /* grains have random orientations */
    crn_arena memory;
    double *numbers; /* vertices of one scaled shape */
} crn_grain;

/* Prepare the shapes of a population's grains: checked, with densities and materials filled in, moved to their centre of mass.
 * CAIRN_INVALID with a sentence; close it in any case. */
cairn_status crn_grain_open(const cairn_model *model, const cairn_population_options *options, crn_grain *grain);
void crn_grain_close(crn_grain *grain);
/* A random turn, all equally likely, whose quaternion stays what it is, to the bit, when it is normalised again: so that nobody can tell how often that was done. */
void crn_grain_turn(crn_random *random, double q[4]);
/* Add the shapes of a grain, `scale` times as large, to a body. */
cairn_status crn_grain_add(crn_grain *grain, cairn_model *model, int body, double scale);

#endif
