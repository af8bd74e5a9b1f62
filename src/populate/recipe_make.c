/* The grains of a recipe in the arrays of the model, as populate/population.c adds others. Its populations are filled one after the other, each as the last of the model. */
#include "model/handles.h"
#include "model/population.h"
#include "model/shape/shape.h"
#include "populate/recipe.h"

#include <string.h>

static cairn_status add_shape(cairn_model *model, int body, const crn_recipe_part *part, double radius)
{
    const crn_recipe_solid *solid = &part->solid;
    cairn_shape_options shape = crn_recipe_has_balls(part) ? cairn_shape_default(CAIRN_SPHERE) : solid->options;
    crn_grain grain = {.shapes = &shape, .count = 1, .turned = true};
    if (!crn_recipe_has_balls(part))
        return crn_grain_add(&grain, model, body, solid->size / solid->unit);
    shape.density = part->density;
    shape.material = crn_material_handle(model, part->material);
    shape.radius = radius;
    return crn_shape_add(model, body, &shape, NULL);
}

static cairn_status add_grains(cairn_model *model, const crn_recipe *recipe, const crn_recipe_part *part)
{
    crn_recipe_reader reader = crn_recipe_read(recipe, part->first);
    CRN_TRY(crn_population_reserve(model, part->count, 1));
    for (int i = 0; i < part->count; ++i)
    {
        cairn_body_state initial = {.angle = 0};
        crn_recipe_grain grain;
        crn_recipe_next(&reader, &grain);
        memcpy(initial.position, grain.x, sizeof initial.position);
        memcpy(initial.orientation, grain.q, sizeof initial.orientation);
        memcpy(initial.velocity, part->velocity, sizeof initial.velocity);
        memcpy(initial.angular_velocity, part->angular_velocity, sizeof initial.angular_velocity);
        int body = crn_population_add_grain(model, &initial, part->groups, part->collides_with);
        CRN_TRY(body < 0 ? CAIRN_NO_MEMORY : add_shape(model, body, part, grain.radius));
    }
    return CAIRN_OK;
}

cairn_status crn_recipe_make(cairn_model *model, const void *recipe)
{
    const crn_recipe *r = recipe;
    const crn_recipe_part *part = crn_recipe_first(r);
    size_t all = model->population_count, first = all - (size_t)r->parts;
    cairn_status status = CAIRN_OK;
    for (model->population_count = first; model->population_count < all && !status; part = crn_recipe_after(part))
    {
        ++model->population_count;
        status = add_grains(model, r, part);
    }
    for (; status && model->population_count > first; --model->population_count)
        crn_population_empty(model);
    model->population_count = all;
    return status;
}
