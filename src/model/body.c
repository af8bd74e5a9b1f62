/* Bodies: their options are checked and copied into the model, with the prescribed motion of driven bodies. */
#include "base/memory.h"
#include "math/vec.h"
#include "model/names.h"
#include "model/population.h"
#include "model/traits.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cairn_body_options cairn_body_default(void)
{
    return (cairn_body_options){.struct_size = sizeof(cairn_body_options),
                                .kind = CAIRN_DYNAMIC,
                                .orientation = {1, 0, 0, 0},
                                .motion_axis = {0, 0, 1},
                                .groups = 1,
                                .collides_with = UINT64_MAX};
}

/* A symmetric 3x3 matrix is positive definite when its leading minors are positive; equilibrated first, so that the
 * test does not depend on units. */
static bool is_positive_definite(const double I[9])
{
    if (!(I[0] > 0 && I[4] > 0 && I[8] > 0))
        return false;
    double xy = I[1] / sqrt(I[0] * I[4]);
    double xz = I[2] / sqrt(I[0] * I[8]);
    double yz = I[5] / sqrt(I[4] * I[8]);
    double minor = 1 - xy * xy;
    double determinant = 1 + 2 * xy * xz * yz - xy * xy - xz * xz - yz * yz;
    return minor > 1e-14 && determinant > 1e-14;
}

static cairn_status check_inertia(const cairn_model *model, const cairn_body_options *o, crn_body_traits *traits)
{
    const double *i = o->inertia;
    bool is_given = false;
    for (int k = 0; k < 6; ++k)
        is_given = is_given || i[k] != 0;
    if (!is_given)
        return CAIRN_OK;
    if (o->point)
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': inertia: a point mass has none", o->name);
    double full[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    if (i[0] > 0 && i[0] == i[1] && i[0] == i[2] && i[3] == 0 && i[4] == 0 && i[5] == 0)
    {
        traits->is_round = true;
        traits->round_inertia = i[0];
    }
    else
    {
        traits->inertia = malloc(sizeof full);
        if (!traits->inertia)
            return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out", o->name);
        memcpy(traits->inertia, full, sizeof full);
    }
    if (model->dimension == 2 && !(isfinite(i[2]) && i[2] > 0))
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': inertia: must be greater than 0, found %g", o->name,
                        i[2]);
    }
    if (model->dimension == 3 && (!crn_all_finite(i, 6) || !is_positive_definite(full)))
    {
        return crn_fail(model->context, CAIRN_INVALID,
                        "body '%s': inertia: the matrix must be positive definite (found xx %g, yy %g, zz %g, xy %g, "
                        "xz %g, yz %g)",
                        o->name, i[0], i[1], i[2], i[3], i[4], i[5]);
    }
    return CAIRN_OK;
}

static cairn_status check_numbers(const cairn_model *model, const cairn_body_options *o)
{
    if (!isfinite(o->mass) || o->mass < 0)
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': mass: must be greater than 0, found %g", o->name,
                        o->mass);
    }
    if (!crn_all_finite(o->position, 3) || !isfinite(o->angle) || !crn_all_finite(o->orientation, 4) ||
        !crn_all_finite(o->velocity, 3) || !crn_all_finite(o->angular_velocity, 3))
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': position, orientation and velocity must be finite",
                        o->name);
    }
    if (model->dimension == 3 && !crn_quaternion_turns(o->orientation))
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': orientation: a quaternion must not be zero",
                        o->name);
    }
    if ((int)o->kind < 0 || o->kind > CAIRN_DRIVEN)
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': kind: unknown value %d", o->name, (int)o->kind);
    bool moves =
        o->motion || o->motion_angle || o->motion_position[0] || o->motion_position[1] || o->motion_position[2];
    if (moves && o->kind != CAIRN_DRIVEN)
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': motion: only driven bodies have one", o->name);
    double axis = crn_norm3(o->motion_axis);
    if (o->motion_angle && !(axis > 0 && isfinite(axis)))
    {
        return crn_fail(model->context, CAIRN_INVALID, "body '%s': motion: the axis must not have zero length",
                        o->name);
    }
    return CAIRN_OK;
}

/* The initial state; planar bodies get the quaternion of their angle, so that both views agree. */
static void set_initial(const cairn_model *model, const cairn_body_options *o, crn_body *body)
{
    cairn_body_state *s = &body->traits->initial;
    memcpy(body->position, o->position, sizeof body->position);
    memcpy(s->velocity, o->velocity, sizeof s->velocity);
    memcpy(s->angular_velocity, o->angular_velocity, sizeof s->angular_velocity);
    if (model->dimension == 2)
    {
        body->position[2] = s->velocity[2] = 0;
        s->angular_velocity[0] = s->angular_velocity[1] = 0;
        s->angle = o->angle;
        crn_quaternion_exp((double[3]){0, 0, o->angle}, s->orientation);
    }
    else
    {
        memcpy(s->orientation, o->orientation, sizeof s->orientation);
        crn_quaternion_normalise(s->orientation);
    }
    if (o->point)
        memset(s->angular_velocity, 0, sizeof s->angular_velocity);
    if (o->kind != CAIRN_DYNAMIC)
    {
        memset(s->velocity, 0, sizeof s->velocity);
        memset(s->angular_velocity, 0, sizeof s->angular_velocity);
    }
}

static cairn_status set_motion(const cairn_model *model, const cairn_body_options *o, crn_body *body)
{
    if (o->kind != CAIRN_DRIVEN)
        return CAIRN_OK;
    crn_driven_motion *motion = body->traits->motion = calloc(1, sizeof *motion);
    if (!motion)
        return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out", o->name);
    motion->callback = o->motion;
    motion->data = o->motion_data;
    double length = crn_norm3(o->motion_axis);
    for (int k = 0; k < 3; ++k)
    {
        motion->axis[k] = length > 0 ? o->motion_axis[k] / length : 0.0;
        CRN_TRY(crn_compile_in_time(model, "body", o->name, "motion", o->motion_position[k], &motion->position[k]));
    }
    CRN_TRY(crn_compile_in_time(model, "body", o->name, "motion", o->motion_angle, &motion->angle));
    for (int k = 0; k < 4; ++k)
    {
        const char *text = k < 3 ? o->motion_position[k] : o->motion_angle;
        motion->text[k] = text ? crn_copy_text(text) : NULL;
        if (text && !motion->text[k])
            return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out", o->name);
    }
    return CAIRN_OK;
}

cairn_status cairn_model_add_body(cairn_model *model, const cairn_body_options *options, cairn_body *out)
{
    if (!model || !options || !out)
    {
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID,
                        "body: the model, the options or the place for its handle is NULL");
    }
    crn_body body = {.kind = options->kind, .point = options->point, .hold = options->hold, .has_traits = true};
    CRN_TRY(crn_make_grains(model));
    CRN_TRY(crn_check_options(model, "body", options->struct_size, sizeof *options));
    CRN_TRY(crn_check_name(model, "body", options->name, &model->body_names));
    CRN_TRY(crn_check_grain_name(model, options->name));
    CRN_TRY(check_numbers(model, options));
    if (!(body.traits = calloc(1, sizeof *body.traits)))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out", options->name);
    body.traits->owners = 1;
    body.traits->mass = options->mass;
    body.traits->groups = options->groups;
    body.traits->collides_with = options->collides_with;
    cairn_status status = check_inertia(model, options, body.traits);
    status = status ? status : set_motion(model, options, &body);
    body.name = crn_copy_text(options->name);
    if (!status && (!body.name || crn_reserve_all(&model->memory, CRN_ARRAY(model->bodies, model->body_count + 1)) ||
                    crn_enlist(model, &model->body_slots, &model->body_names, body.name)))
        status = crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out", options->name);
    if (status)
    {
        crn_body_release(&body);
        return status;
    }
    set_initial(model, options, &body);
    crn_traits_share(model, &body);
    model->bodies[model->body_count++] = body;
    *out = crn_body_handle(model, (int)model->body_count - 1);
    return CAIRN_OK;
}

cairn_status cairn_model_set_body(cairn_model *model, cairn_body body, const cairn_body_state *state)
{
    if (!model || !state)
        return crn_fail(model ? model->context : NULL, CAIRN_INVALID, "set body: the model or the state is NULL");
    int index = crn_body_index(model, body);
    if (index < 0)
        return crn_fail_handle(model, "set body", body.id, body.model);
    crn_body *target = &model->bodies[index];
    if (target->kind != CAIRN_DYNAMIC)
        return crn_fail(model->context, CAIRN_INVALID, "set body: '%s' is not dynamic", target->name);
    cairn_body_options o = cairn_body_default();
    o.name = target->name;
    o.point = target->point;
    o.angle = state->angle;
    memcpy(o.position, state->position, sizeof o.position);
    memcpy(o.orientation, state->orientation, sizeof o.orientation);
    memcpy(o.velocity, state->velocity, sizeof o.velocity);
    memcpy(o.angular_velocity, state->angular_velocity, sizeof o.angular_velocity);
    CRN_TRY(check_numbers(model, &o));
    if (!crn_traits_own(target))
        return crn_fail(model->context, CAIRN_NO_MEMORY, "body '%s': memory ran out", target->name);
    set_initial(model, &o, target);
    return CAIRN_OK;
}

int cairn_model_body_count(const cairn_model *model)
{
    return (int)model->body_count + model->unmade.count;
}

cairn_body cairn_model_body(const cairn_model *model, int index)
{
    return crn_body_handle(model, index);
}

cairn_body cairn_model_find_body(const cairn_model *model, const char *name)
{
    int index = crn_find_name(&model->body_slots, &model->body_names, name);
    return crn_body_handle(model, index >= 0 ? index : crn_find_grain(model, name));
}

int cairn_model_body_index(const cairn_model *model, cairn_body body)
{
    return crn_body_ordinal(model, body);
}

const char *cairn_model_body_name(const cairn_model *model, cairn_body body)
{
    int index = crn_body_ordinal(model, body);
    return index < 0 && body.id != 0 ? "" : crn_body_name(model, index);
}

cairn_body_kind cairn_model_body_kind(const cairn_model *model, cairn_body body)
{
    int index = crn_body_ordinal(model, body);
    if (index >= (int)model->body_count)
        return CAIRN_DYNAMIC;
    return index < 0 ? CAIRN_FIXED : model->bodies[index].kind;
}

double cairn_model_body_mass(const cairn_model *model, cairn_body body)
{
    int index = crn_body_index(model, body);
    double mass, inertia[9];
    if (!crn_body_is_dynamic(model, index) || crn_model_mass(model, index, &mass, inertia) != CAIRN_OK)
        return 0.0;
    return mass;
}

void cairn_model_body_inertia(const cairn_model *model, cairn_body body, double inertia[9])
{
    int index = crn_body_index(model, body);
    double mass;
    if (!crn_body_is_dynamic(model, index) || crn_model_mass(model, index, &mass, inertia) != CAIRN_OK)
        memset(inertia, 0, 9 * sizeof *inertia);
}
