/* Statistics: their options are checked and copied into the model. */
#include "model/statistic.h"

#include "base/memory.h"
#include "math/vec.h"
#include "model/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_statistic_options cairn_statistic_default(void)
{
    return (cairn_statistic_options){
        .struct_size = sizeof(cairn_statistic_options), .bins = 16, .top = 4, .touching = 1e-6};
}

static cairn_status check_numbers(const cairn_model *model, const cairn_statistic_options *o)
{
    if (o->bins < 1 || o->bins > CRN_STATISTIC_BINS)
        return crn_fail(model->context, CAIRN_INVALID, "statistic '%s': bins: must be from 1 to %d, found %d", o->name,
                        CRN_STATISTIC_BINS, o->bins);
    if (!(o->top > 0 && isfinite(o->top)))
        return crn_fail(model->context, CAIRN_INVALID, "statistic '%s': top: must be greater than 0, found %g", o->name,
                        o->top);
    if (!(o->touching >= 0 && isfinite(o->touching)))
        return crn_fail(model->context, CAIRN_INVALID, "statistic '%s': touching: must not be negative, found %g",
                        o->name, o->touching);
    if (!(o->cell >= 0 && isfinite(o->cell)))
        return crn_fail(model->context, CAIRN_INVALID, "statistic '%s': cell: must be greater than 0, found %g",
                        o->name, o->cell);
    if (!crn_all_finite(o->point, model->dimension) || !crn_all_finite(o->normal, model->dimension))
        return crn_fail(model->context, CAIRN_INVALID, "statistic '%s': plane: must be finite numbers", o->name);
    return CAIRN_OK;
}

static void take_plane(const cairn_model *model, const cairn_statistic_options *o, crn_statistic *out)
{
    size_t bytes = (size_t)model->dimension * sizeof(double);
    memcpy(out->point, o->point, bytes);
    memcpy(out->normal, o->normal, bytes);
    double length = crn_norm3(out->normal);
    out->has_plane = length > 0;
    if (out->has_plane)
        crn_scale3(1 / length, out->normal, out->normal);
}

cairn_status cairn_model_add_statistic(cairn_model *model, const cairn_statistic_options *options, cairn_statistic *out)
{
    if (!model || !options || !out)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "statistic: the model, the options or the place for its handle is NULL");
    CRN_TRY(crn_make_grains(model));
    CRN_TRY(crn_check_options(model, "statistic", options->struct_size, sizeof *options));
    CRN_TRY(crn_check_name(model, "statistic", options->name, &model->statistic_names));
    CRN_TRY(check_numbers(model, options));
    crn_statistic made = {.options = *options};
    CRN_TRY(crn_zone_make(model, "statistic", options->name, &options->region, &made.region));
    take_plane(model, options, &made);
    made.name = crn_copy_text(options->name);
    made.options.name = made.name;
    if (!made.name || crn_reserve_all(&model->memory, CRN_ARRAY(model->statistics, model->statistic_count + 1)) ||
        crn_enlist(model, &model->statistic_slots, &model->statistic_names, made.name))
    {
        free(made.name);
        return crn_fail(model->context, CAIRN_NO_MEMORY, "statistic '%s': memory ran out", options->name);
    }
    model->statistics[model->statistic_count++] = made;
    *out = crn_statistic_handle(model, (int)model->statistic_count - 1);
    return CAIRN_OK;
}

int cairn_model_statistic_count(const cairn_model *model)
{
    return (int)model->statistic_count;
}

cairn_statistic cairn_model_statistic(const cairn_model *model, int index)
{
    return crn_statistic_handle(model, index);
}

cairn_statistic cairn_model_find_statistic(const cairn_model *model, const char *name)
{
    return crn_statistic_handle(model, crn_find_name(&model->statistic_slots, &model->statistic_names, name));
}

const char *cairn_model_statistic_name(const cairn_model *model, cairn_statistic statistic)
{
    int index = crn_statistic_index(model, statistic);
    return index < 0 ? "" : model->statistics[index].name;
}

cairn_statistic_options cairn_model_statistic_options(const cairn_model *model, cairn_statistic statistic)
{
    int index = crn_statistic_index(model, statistic);
    return index < 0 ? cairn_statistic_default() : model->statistics[index].options;
}
