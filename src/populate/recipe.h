/* Populations as a recipe: grains whose places follow from their numbers.
 *
 * Balls on a lattice, or shapes of one size, turned at random. What a recipe has of a population is the lattice, the distribution of sizes with the generator's state at every CRN_RECIPE_MARK-th grain, and where grains stand: stretches of places that follow each
 * other, from one that an obstacle or the region's border has taken to the next. Any stretch of grains can be made from that, on any process, to the bit as they are all made at once. Populations follow each other. It is
 * one piece of memory, which may be copied and sent. */
#ifndef CRN_POPULATE_RECIPE_H
#define CRN_POPULATE_RECIPE_H

#include "populate/grain.h"
#include "populate/lattice.h"
#include "populate/pack.h"
#include "populate/sizes.h"

enum
{
    CRN_RECIPE_MARK = 1 << 10
};

/* Of all populations, which lie behind this. */
typedef struct crn_recipe
{
    size_t size; /* bytes of all of it */
    int count, parts;
    double least; /* m: the smallest radius; of other shapes, half the least thickness */
} crn_recipe;

/* A grain that is no ball: its shape, in the form of the model's, and what it weighs. All of a population are alike. */
typedef struct crn_recipe_solid
{
    cairn_shape_kind kind; /* CAIRN_SPHERE: grains are balls, and the rest does not count */
    double position[3], orientation[4], half[3], radius, bound;
    double mass, inertia[9];
    cairn_shape_options options;
    double size, unit,
        reach; /* m: its volume-equivalent radius; as the shape is given, and that of a ball that holds it then (crn_grain) */
} crn_recipe_solid;

/* Of one. */
typedef struct crn_recipe_part
{
    size_t size;      /* bytes, with its lists */
    int first, count; /* its grains among all */
    int runs, marks;
    crn_lattice lattice;
    double density;
    int material;
    double velocity[3], angular_velocity[3];
    uint64_t groups, collides_with;
    size_t table_at, run_at, mark_at; /* bytes: where lists begin that lie behind this */
    crn_recipe_solid solid;
    crn_bounds bounds; /* of the balls */
    cairn_sizes sizes;
    crn_sizes distribution;
} crn_recipe_part;

/* Grains from `grain` of the part on stand at places from `place` on. */
typedef struct crn_recipe_run
{
    int64_t place, grain;
} crn_recipe_run;

typedef struct crn_recipe_grain
{
    double x[3], radius; /* m: of the ball about it that others stay out of */
    double q[4];
    double mass, inertia[9];
} crn_recipe_grain;

/* Grains one after the other. */
typedef struct crn_recipe_reader
{
    const crn_recipe *recipe;
    const crn_recipe_part *part; /* of the grain that was read last */
    int next;                    /* grain */
    crn_random sizes, turns;
    int run;
    int at[3]; /* place */
    double radius, mass, inertia[9];
} crn_recipe_reader;

/* recipe_find.c: whether grains with these options may stay unmade in a model: balls of space on a lattice, or single capsules, boxes, ellipsoids, cylinders or cones of one size that do not spin, which
 * are all there from the start, of a model that ranks may share. */
bool crn_recipe_suits(const cairn_model *model, const cairn_population_options *options);
/* The recipe of the populations that are not made and such a one more, in a region, for crn_recipe_free. *out is NULL where it is not found: the grains do not fit, or too many stretches would have to be told. */
cairn_status crn_recipe_find(const cairn_model *model, const cairn_population_options *options, const crn_grain *grain,
                             const crn_sizes *sizes, const crn_region *region, crn_obstacles *obstacles,
                             crn_recipe **out);
/* Of a copy: its parts know where they are again. */
void crn_recipe_bind(crn_recipe *recipe);
void crn_recipe_free(void *recipe);
/* recipe_make.c: add the grains to the model, whose last populations they are. CAIRN_NO_MEMORY leaves these empty. */
cairn_status crn_recipe_make(cairn_model *model, const void *recipe);

crn_recipe_reader crn_recipe_read(const crn_recipe *recipe, int first);
void crn_recipe_next(crn_recipe_reader *reader, crn_recipe_grain *out);

/* The population that a grain is of, the first one and the next. */
const crn_recipe_part *crn_recipe_part_of(const crn_recipe *recipe, int grain);
static inline const crn_recipe_part *crn_recipe_first(const crn_recipe *recipe)
{
    return (const crn_recipe_part *)(recipe + 1);
}
static inline const crn_recipe_part *crn_recipe_after(const crn_recipe_part *part)
{
    return (const crn_recipe_part *)((const char *)part + part->size);
}
static inline const crn_recipe_run *crn_recipe_runs(const crn_recipe_part *part)
{
    return (const crn_recipe_run *)((const char *)part + part->run_at);
}
/* The generator of the sizes of balls, or of the turns of others, before the grain of a mark. */
static inline crn_random crn_recipe_mark(const crn_recipe_part *part, int mark)
{
    return ((const crn_random *)((const char *)part + part->mark_at))[mark];
}
static inline bool crn_recipe_has_balls(const crn_recipe_part *part)
{
    return part->solid.kind == CAIRN_SPHERE;
}
/* kg, kg m^2: of a ball, as the model weighs it, to the bit. CAIRN_INVALID where it refuses. */
cairn_status crn_recipe_weigh(double radius, double density, double *mass, double inertia[9]);
/* recipe_solid.c: the same of a grain that is no ball, of a volume-equivalent radius. *is_well: the model takes it. */
cairn_status crn_recipe_weigh_solid(cairn_context *context, const crn_grain *grain, double size, crn_recipe_solid *out,
                                    bool *is_well);
/* m: half of its least thickness, as the device counts it (step/device/describe.c). */
double crn_recipe_thickness(const crn_recipe_solid *solid);

#endif
