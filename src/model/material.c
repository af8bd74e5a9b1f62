/* Materials and pairs of them. */
#include "base/memory.h"
#include "model/names.h"

#include <math.h>
#include <stdlib.h>

cairn_material_options cairn_material_default(void)
{
    return (cairn_material_options){.struct_size = sizeof(cairn_material_options),
                                    .friction = 0.5,
                                    .weight = 1.0,
                                    .patch = {.poisson = 0.3, .damping = 1.0}};
}

cairn_status crn_check_surface(const cairn_model *model, const char *what, double friction, double restitution)
{
    if (!isfinite(friction) || friction < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s: friction: must be a number of 0 or more, found %g", what,
                        friction);
    }
    if (!(restitution >= 0 && restitution <= 1))
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s: restitution: must lie between 0 and 1, found %g", what,
                        restitution);
    }
    return CAIRN_OK;
}

static cairn_status check_elements(const cairn_model *model, const char *name, int elements)
{
    int most = model->dimension == 2 ? CAIRN_MAX_ELEMENTS_PLANE : CAIRN_MAX_ELEMENTS_SPACE;
    bool right = elements >= 1 && elements <= most && elements % 2 == 1;
    return right ? CAIRN_OK
                 : crn_fail(model->context, CAIRN_INVALID,
                            "material '%s': elements: must be an odd number from 1 to %d, so that one lies at the "
                            "contact point, found %d",
                            name, most, elements);
}

static cairn_status check_patch(const cairn_model *model, const cairn_material_options *options)
{
    const cairn_patch_options *patch = &options->patch;
    if (patch->elements == 0)
        return CAIRN_OK;
    struct
    {
        bool right;
        const char *what, *must;
        double found;
    } checks[] = {
        {isfinite(patch->spacing) && patch->spacing > 0, "spacing", "be a length greater than 0", patch->spacing},
        {isfinite(patch->compliance) && patch->compliance > 0, "compliance", "be greater than 0 (1/E)",
         patch->compliance},
        {patch->poisson > -1 && patch->poisson <= 0.5, "poisson", "be greater than -1 and at most 0.5", patch->poisson},
        {isfinite(patch->damping) && patch->damping >= 0, "damping", "be a number of 0 or more", patch->damping},
        {isfinite(patch->retardation) && patch->retardation >= 0, "retardation", "be a time of 0 or more",
         patch->retardation},
        {options->stiffness == 0, "stiffness", "be left out with a patch, which gives way by its elements",
         options->stiffness},
        {options->rolling_friction == 0, "rolling_friction", "be 0 with a patch, whose elements carry moments",
         options->rolling_friction},
        {options->spinning_friction == 0, "spinning_friction", "be 0 with a patch, whose elements carry moments",
         options->spinning_friction},
        {options->cohesion == 0, "cohesion", "be 0 with a patch, whose elements only press", options->cohesion},
        {options->restitution == 0, "restitution", "be 0 with a patch, which bounces by its own elasticity",
         options->restitution},
    };
    cairn_status status = check_elements(model, options->name, patch->elements);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i)
    {
        if (!checks[i].right)
        {
            status = crn_fail(model->context, CAIRN_INVALID, "material '%s': %s: must %s, found %g", options->name,
                              checks[i].what, checks[i].must, checks[i].found);
        }
    }
    return status;
}

/* Options of a compliant surface, and of one that resists rolling. */
static cairn_status check_stiffness(const cairn_model *model, const cairn_material_options *o)
{
    bool spring = isfinite(o->tangential_stiffness) && o->tangential_stiffness >= 0;
    if (!spring || (o->tangential_stiffness > 0 && !(o->stiffness > 0)))
    {
        return crn_fail(model->context, CAIRN_INVALID, "material '%s': tangential_stiffness: must %s, found %g",
                        o->name, spring ? "be left out without a stiffness" : "be a number of 0 or more",
                        o->tangential_stiffness);
    }
    CRN_TRY(crn_check_resistance(model, "material", o->name, o->rolling_friction, o->spinning_friction, o->cohesion,
                                 o->cohesion_range));
    return crn_check_give(model, "material", o->name, "", o->stiffness, o->damping) ||
                   crn_check_weight(model, "material", o->name, o->weight)
               ? CAIRN_INVALID
               : CAIRN_OK;
}

cairn_status cairn_model_add_material(cairn_model *model, const cairn_material_options *options, cairn_material *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "material: the model, the options or the place for its handle is NULL");
    }
    CRN_TRY(crn_check_options(model, "material", options->struct_size, sizeof *options));
    CRN_TRY(crn_check_name(model, "material", options->name, &model->material_names));
    CRN_TRY(crn_check_surface(model, options->name, options->friction, options->restitution));
    CRN_TRY(check_stiffness(model, options));
    CRN_TRY(check_patch(model, options));
    char *name = crn_copy_text(options->name);
    if (!name || crn_reserve_all(&model->memory, CRN_ARRAY(model->materials, model->material_count + 1)) ||
        crn_enlist(model, &model->material_slots, &model->material_names, name))
    {
        free(name);
        return crn_fail(model->context, CAIRN_NO_MEMORY, "material '%s': memory ran out", options->name);
    }
    double tangential = options->tangential_stiffness > 0 ? options->tangential_stiffness : options->stiffness;
    model->materials[model->material_count++] = (crn_material){.name = name,
                                                               .friction = options->friction,
                                                               .restitution = options->restitution,
                                                               .stiffness = options->stiffness,
                                                               .damping = options->damping,
                                                               .tangential = tangential,
                                                               .rolling = options->rolling_friction,
                                                               .spinning = options->spinning_friction,
                                                               .cohesion = options->cohesion,
                                                               .range = options->cohesion_range,
                                                               .weight = options->weight,
                                                               .patch = options->patch};
    model->rolls = model->rolls || options->rolling_friction > 0 || options->spinning_friction > 0;
    model->coheres = model->coheres || options->cohesion > 0;
    model->range = fmax(model->range, options->cohesion_range);
    model->gives = model->gives || options->stiffness > 0;
    model->weighs = model->weighs || options->weight != 1.0;
    *out = crn_material_handle(model, (int)model->material_count - 1);
    return CAIRN_OK;
}

int cairn_model_material_count(const cairn_model *model)
{
    return (int)model->material_count;
}

cairn_material cairn_model_material(const cairn_model *model, int index)
{
    return crn_material_handle(model, index);
}

cairn_material cairn_model_find_material(const cairn_model *model, const char *name)
{
    return crn_material_handle(model, crn_find_name(&model->material_slots, &model->material_names, name));
}

int crn_material_given(const cairn_model *model, cairn_material material)
{
    return material.id == 0 ? 0 : crn_material_index(model, material);
}

const char *cairn_model_material_name(const cairn_model *model, cairn_material material)
{
    int index = crn_material_given(model, material);
    return index < 0 ? "" : model->materials[index].name;
}

cairn_material_options cairn_model_material_options(const cairn_model *model, cairn_material material)
{
    int index = crn_material_given(model, material);
    const crn_material *m = &model->materials[index < 0 ? 0 : index];
    return (cairn_material_options){.struct_size = sizeof(cairn_material_options),
                                    .name = m->name,
                                    .friction = m->friction,
                                    .restitution = m->restitution,
                                    .stiffness = m->stiffness,
                                    .damping = m->damping,
                                    .tangential_stiffness = m->tangential,
                                    .rolling_friction = m->rolling,
                                    .spinning_friction = m->spinning,
                                    .cohesion = m->cohesion,
                                    .cohesion_range = m->range,
                                    .weight = m->weight,
                                    .patch = m->patch};
}
