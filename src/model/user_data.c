/* User pointers attached to bodies, shapes and joints. */
#include "cairn/hooks.h"
#include "model/handles.h"

static void **body_place(const cairn_model *model, cairn_body body)
{
    int index = model ? crn_body_index(model, body) : -1;
    return index >= 0 ? &model->bodies[index].user_data : NULL;
}

static void **shape_place(const cairn_model *model, cairn_shape shape)
{
    int index = model ? crn_shape_index(model, shape) : -1;
    return index >= 0 ? &model->shapes[index].user_data : NULL;
}

static void **joint_place(const cairn_model *model, cairn_joint joint)
{
    int index = model ? crn_joint_index(model, joint) : -1;
    return index >= 0 ? &model->joints[index].user_data : NULL;
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
