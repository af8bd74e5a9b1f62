#include "collide/drift.h"

#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Add the surface velocity of a shape, without its part along the normal. */
static bool add_surface(const cairn_model *model, const crn_pose *pose, int shape, double sign, const double n[3],
                        double out[3])
{
    assert(shape >= 0 && (size_t)shape < model->shape_count);
    const crn_shape *of = &model->shapes[shape];
    double velocity[3];
    if (!of->form->surface_velocity)
        return false;
    crn_rotate3(pose[of->body].R, of->form->surface_velocity, velocity);
    crn_madd3(velocity, -crn_dot3(velocity, n), n, velocity);
    crn_madd3(out, sign, velocity, out);
    return true;
}

bool crn_add_image_drift(const cairn_model *model, const crn_contact *contact, double out[3])
{
    if (model->shear == 0)
        return false;
    double up = contact->point_a[1] - contact->gap * contact->normal[1] - contact->point_b[1];
    double images = round(up / model->box[1]);
    out[0] -= images * model->shear * model->box[1];
    return images != 0;
}

bool crn_contact_drift(const cairn_model *model, const crn_pose *pose, const crn_contact *contact, double out[3])
{
    memset(out, 0, sizeof(double[3]));
    if (!model->drifts || contact->body_a < 0)
        return false;
    assert(crn_is_unit3(contact->normal));
    bool on_a = add_surface(model, pose, contact->shape_a, 1.0, contact->normal, out);
    bool on_b = add_surface(model, pose, contact->shape_b, -1.0, contact->normal, out);
    bool across = crn_add_image_drift(model, contact, out);
    return on_a || on_b || across;
}
