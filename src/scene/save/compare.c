/* Whether a model that was saved and read again is the same. Some of what a joint keeps follows from the poses at which it was added: its
 * axes on b, the offset of a screw, the rest of a bushing. A program that moves a body afterwards (cairn_model_set_body) makes a
 * model that no scene file describes, and this is where that is noticed. Rounding is allowed for.
 */
#include "model/handles.h"
#include "model/joints/bushing.h"
#include "model/joints/coupling.h"
#include "scene/save/save.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-12;

static bool are_close(const double *a, const double *b, int count)
{
    double size = 1, off = 0;
    for (int i = 0; i < count; ++i)
    {
        size = fmax(size, fabs(a[i]));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    return off <= ROUNDING * size;
}

static bool is_same_body(const cairn_model *a, const cairn_model *b, int i)
{
    const crn_body *x = &a->bodies[i], *y = &b->bodies[i];
    const cairn_body_state *from = &x->traits->initial, *to = &y->traits->initial;
    double mass[2] = {0}, inertia[2][9] = {{0}};
    if (x->kind == CAIRN_DYNAMIC &&
        (crn_model_mass(a, i, &mass[0], inertia[0]) || crn_model_mass(b, i, &mass[1], inertia[1])))
        return false;
    return x->kind == y->kind && x->point == y->point && are_close(&mass[0], &mass[1], 1) &&
           are_close(inertia[0], inertia[1], 9) && are_close(x->position, y->position, 3) &&
           are_close(from->orientation, to->orientation, 4) && are_close(from->velocity, to->velocity, 3) &&
           are_close(from->angular_velocity, to->angular_velocity, 3);
}

static bool is_same_joint(const crn_joint *x, const crn_joint *y)
{
    if (x->type != y->type || x->rows != y->rows || x->bounded != y->bounded || x->element_count != y->element_count)
        return false;
    if (x->bushing && !are_close(x->bushing->rest, y->bushing->rest, 3))
        return false;
    for (int i = 0; i < x->element_count; ++i)
        if (x->element[i].kind != y->element[i].kind || x->element[i].coordinate != y->element[i].coordinate)
            return false;
    bool lengths = isnan(x->length) || are_close(&x->length, &y->length, 1);
    return lengths && are_close(&x->axis[0][0][0], &y->axis[0][0][0], 18) && are_close(x->mix, y->mix, 3) &&
           are_close(&x->offset, &y->offset, 1);
}

/* The joint or coupling of that name. */
static const crn_joint *find_joint(const cairn_model *model, const char *name)
{
    int index = crn_joint_index(model, cairn_model_find_joint(model, name));
    return index < 0 ? NULL : &model->joints[index];
}

cairn_status crn_compare_models(const cairn_model *model, const cairn_model *read)
{
    bool counts = model->body_count == read->body_count && model->shape_count == read->shape_count &&
                  model->joint_count == read->joint_count && model->spring_count == read->spring_count &&
                  model->force_count == read->force_count && model->statistic_count == read->statistic_count &&
                  model->flows == read->flows;
    if (!counts)
        return crn_fail(model->context, CAIRN_INVALID, "save: the scene does not have all parts of the model");
    for (int i = 0; i < (int)model->body_count; ++i)
        if (strcmp(model->bodies[i].name, read->bodies[i].name) != 0 || !is_same_body(model, read, i))
            return crn_fail(model->context, CAIRN_INVALID, "save: body '%s' is not the same when it is read again",
                            model->bodies[i].name);
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        const crn_joint *joint = &model->joints[i], *other = find_joint(read, joint->name);
        if (!other || !is_same_joint(joint, other))
            return crn_fail(model->context, CAIRN_INVALID,
                            "save: joint '%s' was added at other poses of its bodies than those of the model now; "
                            "a scene file has one pose per body",
                            joint->name);
    }
    return CAIRN_OK;
}
