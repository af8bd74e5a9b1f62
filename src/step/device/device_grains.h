/* Simulations of a model whose grains are not made (model/unmade.h).
 *
 * Ranks make the grains and take their steps; process 0 has the recipe, and asks for what it reads (device_away.c). Its layout and its state are those of the other bodies, none of which moves by itself. Numbers of
 * bodies are those that they have in the whole model: grains come last. When somebody needs the grains in the arrays, of the model or of the state, the simulation is laid out for all bodies, and goes on as any
 * other. */
#ifndef CRN_STEP_DEVICE_DEVICE_GRAINS_H
#define CRN_STEP_DEVICE_DEVICE_GRAINS_H

#include "gpu/interface.h"
#include "model/model.h"
#include "populate/recipe.h"

typedef struct crn_grains
{
    int count,
        first; /* count: 0 where all bodies are in the layout; first: the number of the first grain among the bodies */
    const crn_recipe *recipe;
    crn_follower follower;
} crn_grains;

/* Begin to do without the grains of the model; those of a simulation that is laid out. */
void crn_grains_open(cairn_simulation *simulation);
void crn_grains_close(cairn_simulation *simulation);
/* Whether the simulation can be one of this kind. */
bool crn_grains_may_stay(const cairn_simulation *simulation);
/* Lay the simulation out for all bodies. It has no motions then. */
cairn_status crn_grains_make(cairn_simulation *simulation);

/* A crn_maker of a recipe. */
bool crn_grains_of_rank(void *recipe, int64_t first, int64_t count, crn_gpu_body *out, crn_gpu_shape *shape);
/* Whether all grains are balls, and may touch each other and the first body of the model: they have its groups. */
bool crn_grains_are_plain(const cairn_simulation *simulation);
/* Masses and radii of bodies that are grains, from body `first` on. */
void crn_grains_weigh(const cairn_simulation *simulation, int first, int count, double *mass, double *radius);
/* Grains of a recipe as they begin, one after the other; shape NULL: in a scene of single spheres and half-spaces, otherwise their shapes. */
void crn_grains_describe(crn_recipe_reader *reader, int count, crn_gpu_body *out, crn_gpu_shape *shape);

#endif
