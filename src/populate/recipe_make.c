/* The grains of a recipe in the arrays of the model, as populate/population.c adds others. Its populations are filled one after the other, each as the last of the model. */
#include "model/handles.h"
#include "model/population.h"
#include "model/shape/shape.h"
#include "populate/recipe.h"

#include <string.h>

static cairn_status add_grains(cairn_model *model, const crn_recipe *recipe, const crn_recipe_part *part)
{
    crn_recipe_reader reader = crn_recipe_read(recipe, part->first);
    cairn_shape_options ball = cairn_shape_default(CAIRN_SPHERE);
    ball.density = part->density;
    ball.material = crn_material_handle(model, part->material);
    CRN_TRY(crn_population_reserve(model, part->count, 1));
    for (int i = 0; i < part->count; ++i)
    {
        cairn_body_state initial = {.orientation = {1, 0, 0, 0}};
        crn_recipe_grain grain;
        crn_recipe_next(&reader, &grain);
        ball.radius = grain.radius;
        memcpy(initial.position, grain.x, sizeof initial.position);
        memcpy(initial.velocity, part->velocity, sizeof initial.velocity);
        memcpy(initial.angular_velocity, part->angular_velocity, sizeof initial.angular_velocity);
        int body = crn_population_add_grain(model, &initial, part->groups, part->collides_with);
        CRN_TRY(body < 0 ? CAIRN_NO_MEMORY : crn_shape_add(model, body, &ball, NULL));
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
