/* Checks of shape options, with one plain sentence about the first fault. Checks specific to a class are in kinds/. */
#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static bool is_known(cairn_shape_kind kind)
{
    return (int)kind >= 0 && (int)kind < crn_shape_class_count;
}

const char *cairn_shape_kind_name(cairn_shape_kind kind)
{
    return is_known(kind) ? crn_class_of(kind)->name : "unknown";
}

cairn_status crn_shape_complain(const cairn_model *model, int body, cairn_shape_kind kind, const char *format, ...)
{
    assert(body >= 0 && (size_t)body < model->body_count);
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return crn_fail(model->context, CAIRN_INVALID, "body '%s': %s: %s", model->bodies[body].name,
                    cairn_shape_kind_name(kind), sentence);
}

cairn_status crn_shape_check_measures(const cairn_model *model, int body, cairn_shape_kind kind, const double *measures,
                                      int count, double ratio, const char *not_positive, const char *too_slender)
{
    double least = INFINITY, most = 0.0;
    assert(count > 0 && ratio >= 1);
    for (int k = 0; k < count; ++k)
    {
        if (!(isfinite(measures[k]) && measures[k] > 0))
            return crn_shape_complain(model, body, kind, "%s", not_positive);
        least = fmin(least, measures[k]);
        most = fmax(most, measures[k]);
    }
    return most <= ratio * least ? CAIRN_OK : crn_shape_complain(model, body, kind, "%s", too_slender);
}

cairn_status crn_shape_check_kind(const cairn_model *model, int body, cairn_shape_kind kind)
{
    return is_known(kind) ? CAIRN_OK
                          : crn_fail(model->context, CAIRN_INVALID, "body '%s': unknown shape kind %d",
                                     model->bodies[body].name, (int)kind);
}

cairn_status crn_shape_check(const cairn_model *model, int body, const cairn_shape_options *o)
{
    const crn_shape_class *class = crn_class_of(o->kind);
    if (class->dimension != 0 && class->dimension != model->dimension)
    {
        return crn_shape_complain(model, body, o->kind, "is a shape of %s",
                                  model->dimension == 2 ? "space; the model is planar"
                                                        : "the plane; the model is spatial");
    }
    if ((class->flags & CRN_SHAPE_IMMOVABLE) && model->bodies[body].kind == CAIRN_DYNAMIC)
        return crn_shape_complain(model, body, o->kind, "only fixed and driven bodies can have one");
    if (!crn_all_finite(o->position, 3) || !isfinite(o->angle) ||
        (model->dimension == 3 && !crn_quaternion_turns(o->orientation)))
        return crn_shape_complain(model, body, o->kind, "position and orientation must be finite and not degenerate");
    if (!isfinite(o->density) || o->density < 0)
        return crn_shape_complain(model, body, o->kind, "density: must be 0 or more");
    if (!crn_all_finite(o->surface_velocity, 3))
        return crn_shape_complain(model, body, o->kind, "surface_velocity: must be finite");
    return class->check ? class->check(model, body, o) : CAIRN_OK;
}
