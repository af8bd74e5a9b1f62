#include "model/periodic.h"

#include "math/vec.h"
#include "model/names.h"
#include "model/shape/shape_class.h"

#include <assert.h>
#include <string.h>

static const char AXIS[3] = {'x', 'y', 'z'};
static const double LEVEL = 1e-9; /* how far the normal of a half-space may lean towards a periodic axis */

cairn_status cairn_model_set_periodic(cairn_model *model, const double size[3], double shear)
{
    if (!model || !size)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "periodic: the model or the sizes are NULL");
    double box[3] = {size[0], size[1], model->dimension == 3 ? size[2] : 0.0};
    for (int k = 0; k < 3; ++k)
        if (!(isfinite(box[k]) && box[k] >= 0))
            return crn_fail(model->context, CAIRN_INVALID,
                            "periodic: size: must be greater than 0, or 0 where the box is open; found %g along %c",
                            box[k], AXIS[k]);
    if (!isfinite(shear))
        return crn_fail(model->context, CAIRN_INVALID, "periodic: shear: must be a finite rate");
    if (shear != 0 && !(box[0] > 0 && box[1] > 0))
        return crn_fail(model->context, CAIRN_INVALID,
                        "periodic: shear: only a box that is periodic along x and y can be sheared");
    memcpy(model->box, box, sizeof box);
    model->shear = shear;
    model->drifts = model->drifts || shear != 0;
    ++model->revision;
    return CAIRN_OK;
}

void cairn_model_periodic(const cairn_model *model, double size[3], double *shear)
{
    memcpy(size, model->box, sizeof model->box);
    *shear = model->shear;
}

void crn_box_cell(const cairn_model *model, double t, const double x[3], int cell[3])
{
    double offset = crn_box_offset(model, t);
    memset(cell, 0, sizeof(int[3]));
    for (int k = 2; k >= 0; --k) /* x last: it depends on y */
        if (model->box[k] > 0)
            cell[k] = (int)lround((x[k] - (k == 0 ? cell[1] * offset : 0.0)) / model->box[k]);
}

void crn_box_displacement(const cairn_model *model, double t, const int cell[3], double out[3])
{
    out[0] = cell[0] * model->box[0] + cell[1] * crn_box_offset(model, t);
    out[1] = cell[1] * model->box[1];
    out[2] = cell[2] * model->box[2];
}

void crn_box_shorten(const cairn_model *model, double t, double d[3])
{
    int cell[3];
    double by[3];
    crn_box_cell(model, t, d, cell);
    crn_box_displacement(model, t, cell, by);
    crn_sub3(d, by, d);
}

void cairn_model_wrap(const cairn_model *model, double t, cairn_body_state *state)
{
    int cell[3];
    double by[3];
    crn_box_cell(model, t, state->position, cell);
    crn_box_displacement(model, t, cell, by);
    crn_sub3(state->position, by, state->position);
    state->velocity[0] -= cell[1] * model->shear * model->box[1];
}

/* Half-spaces must lie along the periodic axes, and other shapes must be of the kinds that images are made of. */
static cairn_status check_shape(cairn_context *context, const cairn_model *model, const crn_shape *shape)
{
    const crn_body *body = &model->bodies[shape->body];
    const crn_shape_class *class = crn_class_of(shape->kind);
    cairn_body_state pose;
    double R[9], n[3];
    int finer;
    if (crn_is_mesh(shape->kind) || crn_is_hollow(shape->kind) || (class->flags & CRN_SHAPE_THIN) || shape->form->seams)
        return crn_fail(context, CAIRN_INVALID,
                        "body '%s': %s: a periodic box does not take this shape; it takes spheres, convex bodies, "
                        "compounds of them, and half-spaces",
                        body->name, crn_class_of(shape->form->drawn)->name);
    if (crn_materials_patch(model, shape->material, shape->material, &finer))
        return crn_fail(context, CAIRN_INVALID,
                        "body '%s': material '%s': a periodic box does not take compliant patches; use stiffness "
                        "without a patch",
                        body->name, model->materials[shape->material].name);
    if (!crn_is_half(shape->kind))
        return CAIRN_OK;
    crn_model_pose_at(model, shape->body, 0.0, &pose);
    if (model->dimension == 2)
        crn_quaternion_exp((double[3]){0, 0, pose.angle}, pose.orientation);
    crn_quaternion_to_matrix(pose.orientation, R);
    crn_rotate3(R, shape->form->normal, n);
    for (int k = 0; k < 3; ++k)
        if (model->box[k] > 0 && fabs(n[k]) > LEVEL)
            return crn_fail(context, CAIRN_INVALID,
                            "body '%s': %s: its normal must be perpendicular to %c, along which the box is periodic",
                            body->name, class->name, AXIS[k]);
    return CAIRN_OK;
}

cairn_status crn_box_check(cairn_context *context, const cairn_model *model)
{
    for (size_t i = 0; i < model->population_count; ++i)
        if (model->populations[i].flow)
            return crn_fail(context, CAIRN_INVALID,
                            "population '%s': its grains come and go, which a periodic box does not take: pack them",
                            model->populations[i].name);
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        CRN_TRY(check_shape(context, model, shape));
        for (int k = 0; k < 3 && !crn_is_half(shape->kind); ++k)
            if (model->box[k] > 0 && 4 * shape->bound > model->box[k])
                return crn_fail(context, CAIRN_INVALID,
                                "body '%s': is too large for a periodic box of %g m along %c, which takes bodies of "
                                "half its size at most; found %g m",
                                model->bodies[shape->body].name, model->box[k], AXIS[k], 2 * shape->bound);
    }
    return CAIRN_OK;
}
