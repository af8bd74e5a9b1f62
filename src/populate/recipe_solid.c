/* A grain that is no ball: what it is and weighs, from a model of its own with one of them. */
#include "math/vec.h"
#include "model/model.h"
#include "populate/recipe.h"

#include <math.h>
#include <string.h>

double crn_recipe_thickness(const crn_recipe_solid *solid)
{
    return solid->radius > 0 ? solid->radius : fmin(solid->half[0], fmin(solid->half[1], solid->half[2]));
}

static void read_shape(const crn_shape *shape, crn_recipe_solid *out)
{
    const crn_shape_frame *frame = crn_frame_of(shape);
    out->kind = shape->kind;
    out->radius = shape->radius;
    out->bound = shape->bound;
    memcpy(out->position, frame->position, sizeof out->position);
    memcpy(out->orientation, frame->orientation, sizeof out->orientation);
    memcpy(out->half, shape->form->half, sizeof out->half);
}

static cairn_status weigh(cairn_model *scratch, crn_recipe_solid *solid)
{
    cairn_body_options options = cairn_body_default();
    cairn_shape_options plain = solid->options;
    crn_grain grain = {.shapes = &plain, .count = 1, .turned = true};
    cairn_body body;
    options.name = "grain";
    plain.material = (cairn_material){0};
    CRN_TRY(cairn_model_add_body(scratch, &options, &body));
    CRN_TRY(crn_grain_add(&grain, scratch, 0, solid->size / solid->unit));
    CRN_TRY(crn_model_weigh(scratch->context, scratch, 0, &solid->mass, solid->inertia));
    read_shape(&scratch->shapes[0], solid);
    return CAIRN_OK;
}

cairn_status crn_recipe_weigh_solid(cairn_context *context, const crn_grain *grain, double size, crn_recipe_solid *out,
                                    bool *is_well)
{
    cairn_model *scratch = NULL;
    *out = (crn_recipe_solid){.options = grain->shapes[0], .size = size, .unit = grain->radius, .reach = grain->reach};
    CRN_TRY(cairn_model_create(context, 3, &scratch));
    cairn_status status = weigh(scratch, out);
    cairn_model_destroy(scratch);
    *is_well = status == CAIRN_OK;
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}
