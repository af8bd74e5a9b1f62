/* Applied forces as the device sees them: those that depend on time alone, whose values are computed here for every step of a batch. */
#include "model/names.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cairn_status check_force(const cairn_simulation *s, const crn_force *force)
{
    if (!force->function && force->references.count == 0)
        return CAIRN_OK;
    return crn_device_fail(s, CAIRN_UNSUPPORTED,
                           "force '%s' depends on the state, which is not supported on the device yet; use device cpu",
                           force->name);
}

/* Among forces of the device's bodies. */
static int by_body(const void *a, const void *b)
{
    const crn_device_force *x = a, *y = b;
    return x->at.body != y->at.body ? (x->at.body > y->at.body) - (x->at.body < y->at.body) : x->index - y->index;
}

static cairn_status number_bodies(cairn_simulation *s, crn_device *device)
{
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->number_of, s->model->body_count)));
    for (size_t b = 0; b < s->model->body_count; ++b)
        device->number_of[b] = -1;
    for (int i = 0; i < device->bodies; ++i)
        device->number_of[device->body_of[i]] = i;
    return CAIRN_OK;
}

cairn_status crn_device_add_forces(cairn_simulation *s, crn_device *device)
{
    size_t count = s->model->force_count;
    device->forces = (int)count;
    CRN_TRY(number_bodies(s, device));
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->force, count), CRN_ARRAY(device->force_at, count),
                            CRN_ARRAY(device->force_work, count + 1)));
    for (int i = 0; i < (int)count; ++i)
    {
        const crn_force *force = &s->model->forces[i];
        CRN_TRY(check_force(s, force));
        crn_device_force *out = &device->force[i];
        *out =
            (crn_device_force){.index = i, .at = {.body = device->number_of[force->body], .is_own = force->body_frame}};
        memcpy(out->at.point, force->point, sizeof out->at.point);
        assert(out->at.body >= 0);
    }
    if (count > 0)
        qsort(device->force, count, sizeof *device->force, by_body);
    for (size_t i = 0; i < count; ++i)
        device->force_at[i] = device->force[i].at;
    return CAIRN_OK;
}

/* The forces at time t. */
cairn_status crn_device_time_forces(const cairn_simulation *s, const crn_device *device, double t, crn_gpu_load *out)
{
    for (int i = 0; i < device->forces; ++i)
    {
        const crn_force *force = &s->model->forces[device->force[i].index];
        for (int k = 0; k < 3; ++k)
        {
            out[i].force[k] = force->force[k] ? crn_expression_evaluate(force->force[k], &t) : 0.0;
            out[i].torque[k] = force->torque[k] ? crn_expression_evaluate(force->torque[k], &t) : 0.0;
            if (!isfinite(out[i].force[k]) || !isfinite(out[i].torque[k]))
                return crn_fail(s->context, CAIRN_INVALID, "force '%s': has no finite value at t = %g", force->name, t);
        }
    }
    return CAIRN_OK;
}

crn_gpu_pull crn_device_pull(const cairn_simulation *s, const crn_device *device)
{
    const crn_drag_spring *pull = &s->state.pull;
    crn_gpu_pull out = {.body = -1};
    if (!s->state.pulled)
        return out;
    out.body = device->number_of[pull->body];
    memcpy(out.point, pull->point, sizeof out.point);
    memcpy(out.target, pull->target, sizeof out.target);
    out.stiffness = pull->stiffness;
    out.damping = pull->damping;
    return out;
}
