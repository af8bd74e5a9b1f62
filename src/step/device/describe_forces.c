/* Applied forces as the device sees them. Of those that depend on time alone, values are computed here for every step of a batch. Those that depend on the state
 * become programs (gpu/forces/program.hpp), which the device runs at the start of every step; so they are explicit, as under `euler` on the processor. */
#include "base/expression_code.h"
#include "model/handles.h"
#include "model/names.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)CRN_GPU_PUSH_VARIABLE == OP_VARIABLE && (int)CRN_GPU_POWER == OP_POWER &&
                   (int)CRN_GPU_ATAN2 == OP_ATAN2 && (int)CRN_GPU_SQRT == OP_SQRT && (int)CRN_GPU_MAX == OP_MAX &&
                   (int)CRN_GPU_UNIT_STEP == OP_STEP && (int)CRN_GPU_IF == OP_IF &&
                   (int)CRN_GPU_STACK == CRN_EXPRESSION_STACK,
               "the device and base/expression.c know the same operations");

static cairn_status refuse(const cairn_simulation *s, const crn_force *force, const char *why)
{
    return crn_device_fail(s, CAIRN_UNSUPPORTED, "force '%s' depends on the state%s; use device cpu", force->name, why);
}

/* The number on the device of a body that a quantity belongs to, if the device moves it; otherwise -1. */
static int number_of(const cairn_simulation *s, const crn_device *device, const crn_reference *reference)
{
    int body = reference->body.id != 0 ? crn_body_index(s->model, reference->body) : -1;
    return body >= 0 && s->layout->body_block[body] >= 0 ? crn_device_number_of(s, device, body) : -1;
}

static cairn_status check_force(const cairn_simulation *s, const crn_device *device, const crn_force *force)
{
    if (force->function)
        return refuse(s, force, " by a callback, which is not supported on the device");
    if (force->references.count == 0)
        return CAIRN_OK;
    if (s->settings.device == CAIRN_DEVICE_RANKS)
        return refuse(s, force, ", which is not supported where processes share a scene");
    if (s->settings.integrator != CAIRN_INTEGRATOR_EULER)
        return refuse(s, force, ", which is explicit on the device: it needs integrator euler there");
    for (int i = 0; i < force->references.count; ++i)
        if (number_of(s, device, &force->references.item[i]) < 0)
            return refuse(s, force, " of a joint or of a body that is fixed or driven, which is not supported there");
    return CAIRN_OK;
}

/* A quantity as the device names it. */
static crn_gpu_variable variable_of(const cairn_simulation *s, const crn_device *device, const crn_reference *reference)
{
    int group = reference->kind == CRN_REFERENCE_POSITION ? 0 : reference->kind == CRN_REFERENCE_VELOCITY ? 3 : 6;
    return (crn_gpu_variable){number_of(s, device, reference), group + reference->k};
}

static int by_number(const void *a, const void *b)
{
    const crn_gpu_variable *x = a, *y = b;
    return x->body != y->body ? (x->body > y->body) - (x->body < y->body) : x->field - y->field;
}

/* All quantities that forces name, each once, by body. */
static cairn_status add_variables(cairn_simulation *s, crn_device *device)
{
    size_t count = 0;
    for (size_t i = 0; i < s->model->force_count; ++i)
        count += (size_t)s->model->forces[i].references.count;
    device->variables = 0;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->variable, count)));
    for (size_t i = 0, n = 0; i < s->model->force_count; ++i)
        for (int k = 0; k < s->model->forces[i].references.count; ++k)
            device->variable[n++] = variable_of(s, device, &s->model->forces[i].references.item[k]);
    if (count > 0)
        qsort(device->variable, count, sizeof *device->variable, by_number);
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || by_number(&device->variable[i], &device->variable[device->variables - 1]) != 0)
            device->variable[device->variables++] = device->variable[i];
    return CAIRN_OK;
}

static const crn_expression *component(const crn_force *force, int k)
{
    return k < 3 ? force->force[k] : force->torque[k - 3];
}

static crn_gpu_instruction instruction_of(const cairn_simulation *s, const crn_device *device, const crn_force *force,
                                          const crn_instruction *from)
{
    crn_gpu_instruction out = {.operation = (int32_t)from->op, .variable = -1, .value = from->value};
    if (from->op != OP_VARIABLE || from->variable == 0)
        return out;
    crn_gpu_variable name = variable_of(s, device, &force->references.item[from->variable - 1]);
    const crn_gpu_variable *found = bsearch(&name, device->variable, (size_t)device->variables, sizeof name, by_number);
    assert(found);
    out.variable = (int32_t)(found - device->variable);
    return out;
}

/* The programs of all forces that depend on the state, in the device's order of forces. */
static cairn_status add_programs(cairn_simulation *s, crn_device *device)
{
    size_t count = (size_t)device->forces, all = 0;
    device->instructions = 0;
    CRN_TRY(add_variables(s, device));
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 6; ++k)
        {
            const crn_expression *of = component(&s->model->forces[i], k);
            all += of && s->model->forces[i].references.count > 0 ? of->count : 0;
        }
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->instruction, all),
                            CRN_ARRAY(device->program_first, 6 * count + 1)));
    for (size_t i = 0; i < 6 * count; ++i)
    {
        const crn_force *force = &s->model->forces[device->force[i / 6].index];
        const crn_expression *of = force->references.count > 0 ? component(force, (int)(i % 6)) : NULL;
        device->program_first[i] = device->instructions;
        for (size_t k = 0; of && k < of->count; ++k)
            device->instruction[device->instructions++] = instruction_of(s, device, force, &of->code[k]);
    }
    device->program_first[6 * count] = device->instructions;
    return CAIRN_OK;
}

/* Among forces of the device's bodies. */
static int by_body(const void *a, const void *b)
{
    const crn_device_force *x = a, *y = b;
    return x->at.body != y->at.body ? (x->at.body > y->at.body) - (x->at.body < y->at.body) : x->index - y->index;
}

cairn_status crn_device_add_forces(cairn_simulation *s, crn_device *device)
{
    size_t count = s->model->force_count;
    device->forces = (int)count;
    CRN_TRY(crn_reserve_all(&device->memory, CRN_ARRAY(device->force, count), CRN_ARRAY(device->force_at, count),
                            CRN_ARRAY(device->force_work, count + 1)));
    for (int i = 0; i < (int)count; ++i)
    {
        const crn_force *force = &s->model->forces[i];
        CRN_TRY(check_force(s, device, force));
        crn_device_force *out = &device->force[i];
        *out = (crn_device_force){
            .index = i, .at = {.body = crn_device_number_of(s, device, force->body), .is_own = force->body_frame}};
        memcpy(out->at.point, force->point, sizeof out->at.point);
        assert(out->at.body >= 0);
    }
    if (count > 0)
        qsort(device->force, count, sizeof *device->force, by_body);
    for (size_t i = 0; i < count; ++i)
        device->force_at[i] = device->force[i].at;
    return add_programs(s, device);
}

/* Time and quantities as the expressions of a force number them. */
static void read_variables(const cairn_simulation *s, const crn_force *force, double t,
                           double values[1 + CRN_REFERENCES])
{
    values[0] = t;
    for (int i = 0; i < force->references.count; ++i)
    {
        const crn_reference *reference = &force->references.item[i];
        cairn_body_state state;
        crn_layout_read_body(s->layout, crn_body_index(s->model, reference->body), s->state.q, s->state.v, &state);
        const double *from = reference->kind == CRN_REFERENCE_POSITION   ? state.position
                             : reference->kind == CRN_REFERENCE_VELOCITY ? state.velocity
                                                                         : state.angular_velocity;
        values[1 + i] = from[reference->k];
    }
}

cairn_status crn_device_time_forces(const cairn_simulation *s, const crn_device *device, double t, bool is_of_state,
                                    crn_gpu_load *out)
{
    double values[1 + CRN_REFERENCES];
    for (int i = 0; i < device->forces; ++i)
    {
        const crn_force *force = &s->model->forces[device->force[i].index];
        bool is_known = is_of_state || force->references.count == 0;
        values[0] = t;
        if (is_of_state)
            read_variables(s, force, t, values);
        out[i].time = t;
        for (int k = 0; k < 3; ++k)
        {
            out[i].force[k] = is_known && force->force[k] ? crn_expression_evaluate(force->force[k], values) : 0.0;
            out[i].torque[k] = is_known && force->torque[k] ? crn_expression_evaluate(force->torque[k], values) : 0.0;
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
    out.body = crn_device_number_of(s, device, pull->body);
    memcpy(out.point, pull->point, sizeof out.point);
    memcpy(out.target, pull->target, sizeof out.target);
    out.stiffness = pull->stiffness;
    out.damping = pull->damping;
    return out;
}
