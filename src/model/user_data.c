/* User pointers attached to bodies, shapes and joints. They lie with the slots (slots.h), so that models without any have no memory for
 * them. */
#include "cairn/hooks.h"
#include "model/handles.h"

/* index: -1 where there is no such thing. */
static cairn_status put(cairn_model *model, crn_slots *slots, int index, void *data, const char *what)
{
    if (index < 0)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "user data: there is no such %s in the model",
                        what);
    return crn_slots_set_data(slots, index, data)
               ? crn_fail(model->context, CAIRN_NO_MEMORY, "user data: memory ran out")
               : CAIRN_OK;
}

static void *get(const crn_slots *slots, int index)
{
    return index >= 0 ? crn_slots_data(slots, index) : NULL;
}

cairn_status cairn_model_set_body_data(cairn_model *model, cairn_body body, void *data)
{
    return put(model, model ? &model->body_slots : NULL, model ? crn_body_index(model, body) : -1, data, "body");
}

void *cairn_model_body_data(const cairn_model *model, cairn_body body)
{
    return model ? get(&model->body_slots, crn_body_index(model, body)) : NULL;
}

cairn_status cairn_model_set_shape_data(cairn_model *model, cairn_shape shape, void *data)
{
    return put(model, model ? &model->shape_slots : NULL, model ? crn_shape_index(model, shape) : -1, data, "shape");
}

void *cairn_model_shape_data(const cairn_model *model, cairn_shape shape)
{
    return model ? get(&model->shape_slots, crn_shape_index(model, shape)) : NULL;
}

cairn_status cairn_model_set_joint_data(cairn_model *model, cairn_joint joint, void *data)
{
    return put(model, model ? &model->joint_slots : NULL, model ? crn_joint_index(model, joint) : -1, data, "joint");
}

void *cairn_model_joint_data(const cairn_model *model, cairn_joint joint)
{
    return model ? get(&model->joint_slots, crn_joint_index(model, joint)) : NULL;
}
