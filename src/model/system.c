/* User-defined systems: their callbacks and initial values are checked and copied into the model. */
#include "base/memory.h"
#include "model/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_system_options cairn_system_default(void)
{
    return (cairn_system_options){.struct_size = sizeof(cairn_system_options)};
}

static cairn_status check_system(const cairn_model *model, const cairn_system_options *o)
{
    const char *wrong = NULL;
    if (o->n < 1 || !o->q || !crn_all_finite(o->q, o->n) || (o->v && !crn_all_finite(o->v, o->n)))
        wrong = "needs one coordinate or more, with finite initial values";
    else if (!o->mass)
        wrong = "needs a mass callback";
    else if (o->joint_count < 0 || (o->joint_count > 0 && !o->joints))
        wrong = "has joint rows but no joints callback";
    else if (o->gap_count < 0 || (o->gap_count > 0 && !o->gaps))
        wrong = "has gaps but no gaps callback";
    else if (o->tangent_count < 0 || o->tangent_count > model->dimension - 1)
        wrong = "has more friction directions than the model's dimension leaves";
    else if (!(isfinite(o->friction) && o->friction >= 0 && o->restitution >= 0 && o->restitution <= 1))
        wrong = "needs friction of 0 or more and restitution between 0 and 1";
    return wrong ? crn_fail(model->context, CAIRN_INVALID, "system '%s': %s", o->name, wrong) : CAIRN_OK;
}

cairn_status cairn_model_add_system(cairn_model *model, const cairn_system_options *options, cairn_system *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "system: the model, the options or the place for its handle is NULL");
    }
    CRN_TRY(crn_check_options(model, "system", options->struct_size, sizeof *options));
    CRN_TRY(crn_check_name(model, "system", options->name, &model->system_names));
    CRN_TRY(check_system(model, options));
    size_t n = (size_t)options->n;
    crn_system system = {.options = *options};
    system.name = crn_copy_text(options->name);
    system.q0 = calloc(n, sizeof(double));
    system.v0 = calloc(n, sizeof(double));
    if (!system.name || !system.q0 || !system.v0 ||
        crn_reserve_all(&model->memory, CRN_ARRAY(model->systems, model->system_count + 1)) ||
        crn_enlist(model, &model->system_slots, &model->system_names, system.name))
    {
        free(system.name);
        free(system.q0);
        free(system.v0);
        return crn_fail(model->context, CAIRN_NO_MEMORY, "system '%s': memory ran out", options->name);
    }
    memcpy(system.q0, options->q, n * sizeof(double));
    if (options->v)
        memcpy(system.v0, options->v, n * sizeof(double));
    system.options.name = system.name;
    system.options.q = system.q0;
    system.options.v = system.v0;
    model->systems[model->system_count++] = system;
    *out = crn_system_handle(model, (int)model->system_count - 1);
    return CAIRN_OK;
}

int cairn_model_system_count(const cairn_model *model)
{
    return (int)model->system_count;
}

cairn_system cairn_model_system(const cairn_model *model, int index)
{
    return crn_system_handle(model, index);
}

cairn_system cairn_model_find_system(const cairn_model *model, const char *name)
{
    return crn_system_handle(model, crn_find_name(&model->system_slots, &model->system_names, name));
}

const char *cairn_model_system_name(const cairn_model *model, cairn_system system)
{
    int index = crn_system_index(model, system);
    return index < 0 ? "" : model->systems[index].name;
}
