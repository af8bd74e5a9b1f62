/* The grains of a recipe in the arrays of the model, as populate/population.c adds others. */
#include "model/handles.h"
#include "model/population.h"
#include "model/shape/shape.h"
#include "populate/recipe.h"

#include <string.h>

static cairn_status add_grains(cairn_model *model, const crn_recipe *r)
{
    crn_recipe_reader reader = crn_recipe_read(r, 0);
    cairn_shape_options ball = cairn_shape_default(CAIRN_SPHERE);
    ball.density = r->density;
    ball.material = crn_material_handle(model, r->material);
    for (int i = 0; i < r->count; ++i)
    {
        cairn_body_state initial = {.orientation = {1, 0, 0, 0}};
        crn_recipe_grain grain;
        crn_recipe_next(&reader, &grain);
        ball.radius = grain.radius;
        memcpy(initial.position, grain.x, sizeof initial.position);
        memcpy(initial.velocity, r->velocity, sizeof initial.velocity);
        memcpy(initial.angular_velocity, r->angular_velocity, sizeof initial.angular_velocity);
        int body = crn_population_add_grain(model, &initial, r->groups, r->collides_with);
        CRN_TRY(body < 0 ? CAIRN_NO_MEMORY : crn_shape_add(model, body, &ball, NULL));
    }
    return CAIRN_OK;
}

cairn_status crn_recipe_make(cairn_model *model, const void *recipe)
{
    const crn_recipe *r = recipe;
    cairn_status status = crn_population_reserve(model, r->count, 1);
    status = status ? status : add_grains(model, r);
    if (status)
        crn_population_empty(model);
    return status;
}
