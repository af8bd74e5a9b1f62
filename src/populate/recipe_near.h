/* Grains of a recipe as obstacles: who is near a ball is found among the places of their lattices, so that nobody has to make them.
 *
 * The answer is that of crn_obstacles_meet where they are in the model. */
#ifndef CRN_POPULATE_RECIPE_NEAR_H
#define CRN_POPULATE_RECIPE_NEAR_H

#include "populate/recipe.h"

enum
{
    CRN_RECIPE_BLOCKS = 64 /* of radii that are kept */
};

/* The radii of the grains from a mark on. */
typedef struct crn_recipe_block
{
    const crn_recipe_part *part; /* NULL: none yet */
    int mark;
    double radius[CRN_RECIPE_MARK];
} crn_recipe_block;

typedef struct crn_recipe_near
{
    const crn_recipe *recipe; /* NULL: all grains are in the model */
    uint64_t groups, collides_with;
    const crn_bounds *where; /* who does not reach it does not count */
    double clear;            /* m */
    bool is_known;           /* false: grains that are no balls may be near, and nobody knows them so */
    crn_recipe_block *block;
} crn_recipe_near;

/* The grains of the model that are not made, for balls with these options about `where`. CAIRN_NO_MEMORY; close it in any case. */
cairn_status crn_recipe_near_open(const cairn_model *model, const cairn_population_options *options,
                                  const crn_bounds *where, double clear, crn_recipe_near *out);
void crn_recipe_near_close(crn_recipe_near *near);
/* Whether a ball comes nearer to none of them than `clear`. */
bool crn_recipe_is_clear(crn_recipe_near *near, const double x[3], double radius);

#endif
