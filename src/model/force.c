/* External forces k1(t, q, v): their options are checked and copied into the model. */
#include "base/memory.h"
#include "model/names.h"
#include "model/population.h"

#include <string.h>

cairn_force_options cairn_force_default(void)
{
    return (cairn_force_options){.struct_size = sizeof(cairn_force_options)};
}

static cairn_status compile_all(const cairn_model *model, const cairn_force_options *o, crn_force *force)
{
    for (int k = 0; k < 3; ++k)
    {
        crn_references *named = &force->references;
        CRN_TRY(crn_compile_in_state(model, "force", o->name, "force", o->force[k], named, &force->force[k]));
        CRN_TRY(crn_compile_in_state(model, "force", o->name, "torque", o->torque[k], named, &force->torque[k]));
        force->text[k] = o->force[k] ? crn_copy_text(o->force[k]) : NULL;
        force->text[3 + k] = o->torque[k] ? crn_copy_text(o->torque[k]) : NULL;
        if ((o->force[k] && !force->text[k]) || (o->torque[k] && !force->text[3 + k]))
            return crn_fail(model->context, CAIRN_NO_MEMORY, "force '%s': memory ran out", o->name);
    }
    return CAIRN_OK;
}

cairn_status cairn_model_add_force(cairn_model *model, const cairn_force_options *options, cairn_force *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "force: the model, the options or the place for its handle is NULL");
    }
    CRN_TRY(crn_check_options(model, "force", options->struct_size, sizeof *options));
    CRN_TRY(crn_check_name(model, "force", options->name, &model->force_names));
    crn_force force = {.body_frame = options->body_frame,
                       .function = options->function,
                       .slopes = options->slopes,
                       .data = options->data};
    force.body = crn_body_index(model, options->body);
    if (!crn_body_is_dynamic(model, force.body))
        return crn_fail(model->context, CAIRN_INVALID, "force '%s': needs a dynamic body of the model", options->name);
    CRN_TRY(crn_check_stays(model, "force", options->name, force.body));
    memcpy(force.point, options->point, sizeof force.point);
    if (!crn_all_finite(force.point, 3))
        return crn_fail(model->context, CAIRN_INVALID, "force '%s': point: must be finite", options->name);
    cairn_status status = compile_all(model, options, &force);
    force.name = crn_copy_text(options->name);
    if (status == CAIRN_OK &&
        (!force.name || crn_reserve_all(&model->memory, CRN_ARRAY(model->forces, model->force_count + 1)) ||
         crn_enlist(model, &model->force_slots, &model->force_names, force.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "force '%s': memory ran out", options->name);
    if (status != CAIRN_OK)
    {
        crn_force_release(&force);
        return status;
    }
    model->forces[model->force_count++] = force;
    model->has_references = model->has_references || force.references.count > 0;
    *out = crn_force_handle(model, (int)model->force_count - 1);
    return CAIRN_OK;
}

int cairn_model_force_count(const cairn_model *model)
{
    return (int)model->force_count;
}

cairn_force cairn_model_force(const cairn_model *model, int index)
{
    return crn_force_handle(model, index);
}

cairn_force cairn_model_find_force(const cairn_model *model, const char *name)
{
    return crn_force_handle(model, crn_find_name(&model->force_slots, &model->force_names, name));
}

const char *cairn_model_force_name(const cairn_model *model, cairn_force force)
{
    int index = crn_force_index(model, force);
    return index < 0 ? "" : model->forces[index].name;
}
