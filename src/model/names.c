#include "model/names.h"

#include "math/vec.h"
#include "model/population.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool crn_all_finite(const double *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            return false;
    return true;
}

const char *crn_body_name(const cairn_model *model, int body)
{
    assert(body < (int)model->body_count + model->unmade.count);
    if (body >= (int)model->body_count)
        return crn_unmade_name(model, body);
    return body < 0 ? "world" : model->bodies[body].name;
}

bool crn_body_is_dynamic(const cairn_model *model, int body)
{
    assert(body < (int)model->body_count);
    return body >= 0 && model->bodies[body].kind == CAIRN_DYNAMIC;
}

cairn_status crn_check_name(const cairn_model *model, const char *kind, const char *name, const crn_name_table *taken)
{
    if (!name || !name[0])
        return crn_fail(model->context, CAIRN_INVALID, "%s: needs a name", kind);
    if (strcmp(name, "world") == 0)
        return crn_fail(model->context, CAIRN_INVALID, "%s: the name 'world' is taken by the world itself", kind);
    if (crn_name_table_find(taken, name) >= 0)
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': the name is used twice", kind, name);
    return CAIRN_OK;
}

cairn_status crn_attach(const cairn_model *model, const char *kind, const char *name, const cairn_attachment *from,
                        crn_attachment *to)
{
    to->body = crn_body_index(model, from->body);
    if (from->body.id != 0 && to->body < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': is attached to a body that is not in the model", kind,
                        name);
    }
    CRN_TRY(crn_check_stays(model, kind, name, to->body));
    memcpy(to->point, from->point, sizeof to->point);
    if (model->dimension == 2)
        to->point[2] = 0.0;
    if (!crn_all_finite(to->point, 3))
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': a point has numbers that are not finite", kind, name);
    return CAIRN_OK;
}

cairn_attachment crn_attachment_given(const cairn_model *model, const crn_attachment *attachment)
{
    assert(attachment->body < (int)model->body_count);
    cairn_attachment out = {.body = crn_body_handle(model, attachment->body)};
    memcpy(out.point, attachment->point, sizeof out.point);
    return out;
}

void crn_rotation_at_start(const cairn_model *model, int body, double R[9])
{
    assert(body < (int)model->body_count);
    static const double IDENTITY[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (body < 0)
    {
        memcpy(R, IDENTITY, sizeof IDENTITY);
        return;
    }
    cairn_body_state pose;
    crn_model_pose_at(model, body, 0.0, &pose);
    crn_quaternion_to_matrix(pose.orientation, R);
}

void crn_attachment_at_start(const cairn_model *model, const crn_attachment *attachment, double out[3])
{
    if (attachment->body < 0)
    {
        memcpy(out, attachment->point, sizeof(double[3]));
        return;
    }
    cairn_body_state pose;
    crn_model_pose_at(model, attachment->body, 0.0, &pose);
    double R[9];
    crn_quaternion_to_matrix(pose.orientation, R);
    crn_rotate3(R, attachment->point, out);
    crn_add3(out, pose.position, out);
}

cairn_attachment cairn_model_attach(const cairn_model *model, cairn_body body, const double world_point[3])
{
    cairn_attachment attachment = {.body = body};
    memcpy(attachment.point, world_point, sizeof attachment.point);
    if (model->dimension == 2)
        attachment.point[2] = 0.0;
    int index = crn_body_index(model, body);
    if (index >= 0)
    {
        cairn_body_state pose;
        crn_model_pose_at(model, index, 0.0, &pose);
        double R[9];
        crn_quaternion_to_matrix(pose.orientation, R);
        crn_sub3(attachment.point, pose.position, attachment.point);
        crn_unrotate3(R, attachment.point, attachment.point);
    }
    return attachment;
}

cairn_status crn_compile_in_time(const cairn_model *model, const char *kind, const char *name, const char *field,
                                 const char *text, crn_expression **out)
{
    static const char *const VARIABLES[] = {"t"};
    crn_expression_error error;
    *out = text ? crn_expression_compile(text, VARIABLES, 1, NULL, 0, &error) : NULL;
    if (text && !*out && error.position < 0)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "%s '%s': %s: memory ran out", kind, name, field);
    if (text && !*out)
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %s: \"%s\" at character %d: %s", kind, name, field,
                        text, error.position + 1, error.text);
    }
    return CAIRN_OK;
}

cairn_status crn_check_give(const cairn_model *model, const char *kind, const char *name, const char *prefix,
                            double stiffness, double damping)
{
    if (!isfinite(stiffness) || stiffness < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %sstiffness: must be greater than 0, found %g", kind,
                        name, prefix, stiffness);
    }
    if (!isfinite(damping) || damping < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %sdamping: must be 0 or more, found %g", kind, name,
                        prefix, damping);
    }
    if (damping > 0 && stiffness == 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "%s '%s': %sdamping: needs %sstiffness beside it", kind, name,
                        prefix, prefix);
    }
    return CAIRN_OK;
}

cairn_status crn_check_weight(const cairn_model *model, const char *kind, const char *name, double weight)
{
    return isfinite(weight) && weight > 0
               ? CAIRN_OK
               : crn_fail(model->context, CAIRN_INVALID, "%s '%s': weight: must be greater than 0, found %g", kind,
                          name, weight);
}
