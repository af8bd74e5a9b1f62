/* Springs and dampers: their options are checked and copied into the model. */
#include "base/memory.h"
#include "math/swing_twist_angle.h"
#include "math/vec.h"
#include "model/names.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_spring_options cairn_spring_default(cairn_spring_kind kind)
{
    return (cairn_spring_options){
        .struct_size = sizeof(cairn_spring_options), .kind = kind, .axis = {0, 0, 1}, .rest = NAN};
}

static cairn_status check_numbers(const cairn_model *model, const cairn_spring_options *o)
{
    if (!isfinite(o->stiffness) || o->stiffness < 0 || !isfinite(o->damping) || o->damping < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID,
                        "spring '%s': stiffness and damping must be 0 or more, found %g and %g", o->name, o->stiffness,
                        o->damping);
    }
    if (!(o->stiffness > 0) && !(o->damping > 0))
        return crn_fail(model->context, CAIRN_INVALID, "spring '%s': stiffness and damping are both 0", o->name);
    if (isinf(o->rest) || (o->kind == CAIRN_SPRING_LINEAR && o->rest < 0))
    {
        return crn_fail(model->context, CAIRN_INVALID, "spring '%s': rest: must be a length of 0 or more, found %g",
                        o->name, o->rest);
    }
    return CAIRN_OK;
}

static cairn_status set_linear(const cairn_model *model, const cairn_spring_options *o, crn_spring *spring)
{
    assert(spring->kind == CAIRN_SPRING_LINEAR);
    double a[3], b[3], d[3];
    crn_attachment_at_start(model, &spring->a, a);
    crn_attachment_at_start(model, &spring->b, b);
    crn_sub3(b, a, d);
    double length = crn_norm3(d);
    spring->rest = isnan(o->rest) ? length : o->rest;
    if (!(length > 0) && spring->rest != 0)
    {
        return crn_fail(model->context, CAIRN_INVALID,
                        "spring '%s': its points coincide at the start, so that it has no direction", o->name);
    }
    return CAIRN_OK;
}

static cairn_status set_angular(const cairn_model *model, const cairn_spring_options *o, crn_spring *spring)
{
    cairn_body_state a = {.orientation = {1, 0, 0, 0}};
    cairn_body_state b = a;
    if (spring->a.body >= 0)
        crn_model_pose_at(model, spring->a.body, 0.0, &a);
    if (spring->b.body >= 0)
        crn_model_pose_at(model, spring->b.body, 0.0, &b);
    double now = b.angle - a.angle;
    if (model->dimension == 3)
    {
        double length = crn_norm3(o->axis);
        if (!crn_all_finite(o->axis, 3) || !(length > 0))
            return crn_fail(model->context, CAIRN_INVALID, "spring '%s': axis: must not have zero length", o->name);
        for (int k = 0; k < 3; ++k)
            spring->axis_a[k] = o->axis[k] / length;
        now = crn_swing_twist_angle(a.orientation, b.orientation, spring->axis_a, NULL, NULL);
    }
    spring->rest = isnan(o->rest) ? now : o->rest;
    return CAIRN_OK;
}

static cairn_status check_bodies(const cairn_model *model, const crn_spring *spring)
{
    int a = spring->a.body;
    int b = spring->b.body;
    if (a == b)
    {
        return crn_fail(model->context, CAIRN_INVALID, "spring '%s': bodies '%s' and '%s' are the same", spring->name,
                        crn_body_name(model, a), crn_body_name(model, b));
    }
    if (!crn_body_is_dynamic(model, a) && !crn_body_is_dynamic(model, b))
    {
        return crn_fail(model->context, CAIRN_INVALID, "spring '%s': neither '%s' nor '%s' can move under forces",
                        spring->name, crn_body_name(model, a), crn_body_name(model, b));
    }
    for (int side = 0; spring->kind == CAIRN_SPRING_ANGULAR && side < 2; ++side)
    {
        int body = side == 0 ? a : b;
        if (crn_body_is_dynamic(model, body) && model->bodies[body].point)
        {
            return crn_fail(model->context, CAIRN_INVALID, "spring '%s': body '%s' is a point mass, which cannot turn",
                            spring->name, model->bodies[body].name);
        }
    }
    return CAIRN_OK;
}

static cairn_status fill(const cairn_model *model, const cairn_spring_options *o, crn_spring *spring)
{
    CRN_TRY(crn_check_options(model, "spring", o->struct_size, sizeof *o));
    CRN_TRY(crn_check_name(model, "spring", o->name, &model->spring_names));
    CRN_TRY(check_numbers(model, o));
    spring->name = crn_copy_text(o->name);
    if (!spring->name)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "spring '%s': memory ran out", o->name);
    CRN_TRY(crn_attach(model, "spring", o->name, &o->a, &spring->a));
    CRN_TRY(crn_attach(model, "spring", o->name, &o->b, &spring->b));
    CRN_TRY(check_bodies(model, spring));
    return o->kind == CAIRN_SPRING_LINEAR ? set_linear(model, o, spring) : set_angular(model, o, spring);
}

cairn_status cairn_model_add_spring(cairn_model *model, const cairn_spring_options *options, cairn_spring *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "spring: the model, the options or the place for its handle is NULL");
    }
    crn_spring spring = {.kind = options->kind, .stiffness = options->stiffness, .damping = options->damping};
    cairn_status status = fill(model, options, &spring);
    if (status == CAIRN_OK && (crn_reserve_all(&model->memory, CRN_ARRAY(model->springs, model->spring_count + 1)) ||
                               crn_enlist(model, &model->spring_slots, &model->spring_names, spring.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "spring '%s': memory ran out", options->name);
    if (status != CAIRN_OK)
    {
        free(spring.name);
        return status;
    }
    model->springs[model->spring_count++] = spring;
    *out = crn_spring_handle(model, (int)model->spring_count - 1);
    return CAIRN_OK;
}

int cairn_model_spring_count(const cairn_model *model)
{
    return (int)model->spring_count;
}

cairn_spring cairn_model_spring(const cairn_model *model, int index)
{
    return crn_spring_handle(model, index);
}

cairn_spring cairn_model_find_spring(const cairn_model *model, const char *name)
{
    return crn_spring_handle(model, crn_find_name(&model->spring_slots, &model->spring_names, name));
}

const char *cairn_model_spring_name(const cairn_model *model, cairn_spring spring)
{
    int index = crn_spring_index(model, spring);
    return index < 0 ? "" : model->springs[index].name;
}

cairn_spring_kind cairn_model_spring_kind(const cairn_model *model, cairn_spring spring)
{
    int index = crn_spring_index(model, spring);
    return index < 0 ? CAIRN_SPRING_LINEAR : model->springs[index].kind;
}

void cairn_model_spring_attachments(const cairn_model *model, cairn_spring spring, cairn_attachment *a,
                                    cairn_attachment *b)
{
    int index = crn_spring_index(model, spring);
    *a = *b = (cairn_attachment){.body = {0}};
    if (index >= 0)
    {
        *a = crn_attachment_given(model, &model->springs[index].a);
        *b = crn_attachment_given(model, &model->springs[index].b);
    }
}
