/* Pointers of the user's on bodies, shapes and joints. */
#include "cairn/hooks.h"
#include "model/model.h"

static void **body_place(const cairn_model *model, cairn_body body)
{
    bool known = model && body.id >= 1 && (size_t)body.id <= model->body_count;
    return known ? &model->bodies[body.id - 1].user_data : NULL;
}

static void **shape_place(const cairn_model *model, cairn_shape shape)
{
    bool known = model && shape.id >= 1 && (size_t)shape.id <= model->shape_count;
    return known ? &model->shapes[shape.id - 1].user_data : NULL;
}

static void **joint_place(const cairn_model *model, cairn_joint joint)
{
    bool known = model && joint.id >= 1 && (size_t)joint.id <= model->joint_count;
    return known ? &model->joints[joint.id - 1].user_data : NULL;
}

static cairn_status put(const cairn_model *model, void **place, void *data, const char *what)
{
    if (!place)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "user data: there is no such %s in the model",
                        what);
    *place = data;
    return CAIRN_OK;
}

cairn_status cairn_model_set_body_data(cairn_model *model, cairn_body body, void *data)
{
    return put(model, body_place(model, body), data, "body");
}

void *cairn_model_body_data(const cairn_model *model, cairn_body body)
{
    void **place = body_place(model, body);
    return place ? *place : NULL;
}

cairn_status cairn_model_set_shape_data(cairn_model *model, cairn_shape shape, void *data)
{
    return put(model, shape_place(model, shape), data, "shape");
}

void *cairn_model_shape_data(const cairn_model *model, cairn_shape shape)
{
    void **place = shape_place(model, shape);
    return place ? *place : NULL;
}

cairn_status cairn_model_set_joint_data(cairn_model *model, cairn_joint joint, void *data)
{
    return put(model, joint_place(model, joint), data, "joint");
}

void *cairn_model_joint_data(const cairn_model *model, cairn_joint joint)
{
    void **place = joint_place(model, joint);
    return place ? *place : NULL;
}
