/* A population as a recipe: grains whose places follow from their numbers.
 *
 * Balls on a lattice. What a recipe has is the lattice, the distribution of sizes with the generator's state at every CRN_RECIPE_MARK-th grain, and where grains stand: stretches of places that follow each other, from
 * one that an obstacle or the region's border has taken to the next. Any stretch of grains can be made from that, on any process, to the bit as they are all made at once. It is one piece of memory, which may be
 * copied and sent. */
#ifndef CRN_POPULATE_RECIPE_H
#define CRN_POPULATE_RECIPE_H

#include "populate/lattice.h"
#include "populate/pack.h"
#include "populate/sizes.h"

enum
{
    CRN_RECIPE_MARK = 1 << 10
};

typedef struct crn_recipe
{
    size_t size; /* bytes of all of it */
    int count, runs, marks;
    crn_lattice lattice;
    double density;
    int material;
    double velocity[3], angular_velocity[3];
    uint64_t groups, collides_with;
    size_t table_at, run_at, mark_at; /* bytes: where lists begin that lie behind this */
    double least;                     /* m: the smallest radius */
    cairn_sizes sizes;
    crn_sizes distribution;
} crn_recipe;

typedef struct crn_recipe_grain
{
    double x[3], radius; /* m */
    double mass, inertia;
} crn_recipe_grain;

/* Grains one after the other. */
typedef struct crn_recipe_reader
{
    const crn_recipe *recipe;
    int next; /* grain */
    crn_random random;
    int run;
    int at[3]; /* place */
    double radius, mass, inertia;
} crn_recipe_reader;

/* Whether grains with these options may stay unmade in a model: balls of space on a lattice that are all there from the start, of a model that ranks may share. */
bool crn_recipe_suits(const cairn_model *model, const cairn_population_options *options);
/* The recipe of such a population in a region, for crn_recipe_free. *out is NULL where it is not found: the grains do not fit, or too many stretches would have to be told. */
cairn_status crn_recipe_find(const cairn_model *model, const cairn_population_options *options, const crn_sizes *sizes,
                             const crn_region *region, crn_obstacles *obstacles, crn_recipe **out);
/* Of a copy: its parts know where they are again. */
void crn_recipe_bind(crn_recipe *recipe);
void crn_recipe_free(void *recipe);
/* recipe_make.c: add the grains to the model, whose last population they are. CAIRN_NO_MEMORY leaves that empty. */
cairn_status crn_recipe_make(cairn_model *model, const void *recipe);

crn_recipe_reader crn_recipe_read(const crn_recipe *recipe, int first);
void crn_recipe_next(crn_recipe_reader *reader, crn_recipe_grain *out);

#endif
