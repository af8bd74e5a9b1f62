/* The model as a container: creation and destruction, gravity, and the properties of pairs of shapes and bodies. */
#include "model/model.h"
#include "model/joints/coupling.h"
#include "model/population.h"

#include "base/memory.h"
#include "model/ignored.h"
#include "model/names.h"
#include "model/shape/shape.h"
#include "model/traits.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_status cairn_model_create(cairn_context *context, int dimension, cairn_model **out)
{
    if (!out)
        return crn_fail(context, CAIRN_INVALID, "model: the place for it is NULL");
    *out = NULL;
    if (dimension != 2 && dimension != 3)
        return crn_fail(context, CAIRN_INVALID, "dimension: must be 2 or 3, found %d", dimension);
    cairn_model *model = calloc(1, sizeof *model);
    if (!model)
        return crn_fail(context, CAIRN_NO_MEMORY, "model: memory ran out");
    model->context = context;
    model->number = crn_context_next_model(context);
    model->dimension = dimension;
    model->gravity[dimension - 1] = -9.81;
    cairn_material_options standard = cairn_material_default();
    standard.name = "default";
    cairn_material made;
    cairn_status status = cairn_model_add_material(model, &standard, &made);
    if (status != CAIRN_OK)
    {
        cairn_model_destroy(model);
        return status;
    }
    *out = model;
    return CAIRN_OK;
}

void crn_body_release(crn_body *body)
{
    crn_traits_release(body);
    if (body->population == 0)
        free(body->name);
}

void crn_force_release(crn_force *force)
{
    for (int k = 0; k < 3; ++k)
    {
        crn_expression_destroy(force->force[k]);
        crn_expression_destroy(force->torque[k]);
    }
    for (int k = 0; k < 6; ++k)
        free(force->text[k]);
    crn_references_release(&force->references);
    free(force->name);
}

static void release_things(cairn_model *model)
{
    for (size_t i = 0; i < model->body_count; ++i)
        crn_body_release(&model->bodies[i]);
    crn_unmade_release(model);
    for (size_t i = 0; i < model->population_count; ++i)
        crn_population_release(&model->populations[i]);
    for (size_t i = 0; i < model->force_count; ++i)
        crn_force_release(&model->forces[i]);
    for (size_t i = 0; i < model->shape_count; ++i)
        crn_shape_free(model, &model->shapes[i]);
    free(model->sphere_form);
    for (size_t i = 0; i < model->material_count; ++i)
        free(model->materials[i].name);
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        free(model->joints[i].name);
        crn_joint_release_elements(&model->joints[i]);
        crn_coupling_free(model->joints[i].coupling);
    }
    for (size_t i = 0; i < model->spring_count; ++i)
        free(model->springs[i].name);
    for (size_t i = 0; i < model->statistic_count; ++i)
        free(model->statistics[i].name);
    for (size_t i = 0; i < model->system_count; ++i)
    {
        free(model->systems[i].name);
        free(model->systems[i].q0);
        free(model->systems[i].v0);
    }
}

static void free_tables(cairn_model *model)
{
    crn_name_table *names[] = {&model->body_names,     &model->material_names, &model->joint_names,
                               &model->spring_names,   &model->force_names,    &model->system_names,
                               &model->statistic_names};
    crn_slots *slots[] = {&model->body_slots,   &model->shape_slots, &model->material_slots, &model->joint_slots,
                          &model->spring_slots, &model->force_slots, &model->system_slots,   &model->statistic_slots};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        crn_name_table_free(names[i]);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; ++i)
        crn_slots_free(slots[i]);
}

void cairn_model_destroy(cairn_model *model)
{
    if (!model)
        return;
    release_things(model);
    free_tables(model);
    crn_arena_release(&model->memory);
    free(model->ignored);
    free(model);
}

int cairn_model_dimension(const cairn_model *model)
{
    return model->dimension;
}

uint64_t cairn_model_revision(const cairn_model *model)
{
    return model->revision;
}

cairn_status cairn_model_set_gravity(cairn_model *model, const double gravity[3])
{
    if (!model || !gravity)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "gravity: the model or its numbers are NULL");
    double g[3] = {gravity[0], gravity[1], model->dimension == 3 ? gravity[2] : 0.0};
    if (!crn_all_finite(g, 3))
        return crn_fail(model->context, CAIRN_INVALID, "gravity: must be finite numbers");
    memcpy(model->gravity, g, sizeof g);
    return CAIRN_OK;
}

void cairn_model_gravity(const cairn_model *model, double gravity[3])
{
    memcpy(gravity, model->gravity, sizeof model->gravity);
}

bool crn_model_may_touch(const cairn_model *model, int body_a, int body_b)
{
    assert(body_a >= 0 && (size_t)body_a < model->body_count);
    assert(body_b >= 0 && (size_t)body_b < model->body_count);
    if (body_a == body_b)
        return false;
    const crn_body *a = &model->bodies[body_a], *b = &model->bodies[body_b];
    if (a->kind != CAIRN_DYNAMIC && b->kind != CAIRN_DYNAMIC)
        return false;
    if (!(a->traits->groups & b->traits->collides_with) || !(b->traits->groups & a->traits->collides_with))
        return false;
    return !crn_model_ignores(model, body_a, body_b);
}

static bool is_finer(const cairn_patch_options *x, const cairn_patch_options *y)
{
    return y->elements == 0 || x->spacing < y->spacing || (x->spacing == y->spacing && x->elements >= y->elements);
}

bool crn_materials_patch(const cairn_model *model, int a, int b, int *finer)
{
    assert(a >= 0 && (size_t)a < model->material_count);
    assert(b >= 0 && (size_t)b < model->material_count);
    const cairn_patch_options *x = &model->materials[a].patch, *y = &model->materials[b].patch;
    *finer = x->elements > 0 && is_finer(x, y) ? a : b;
    return x->elements > 0 || y->elements > 0;
}

bool crn_model_patch_of(const cairn_model *model, int shape_a, int shape_b, int *finer)
{
    return crn_materials_patch(model, model->shapes[shape_a].material, model->shapes[shape_b].material, finer);
}
