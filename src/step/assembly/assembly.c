/* The assembly of an initial state: positions, then velocities, then what became of each body and joint. */
#include "cairn/assembly.h"

#include "math/vec.h"
#include "model/handles.h"
#include "step/assembly/fit.h"
#include "step/assembly/tell.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cairn_assembly
{
    crn_arena memory;
    cairn_assembly_report report;
    cairn_body *body; /* handles, and what became of each */
    cairn_assembly_move *move;
    int body_count;
    cairn_joint *joint;
    cairn_assembly_error *error;
    int joint_count;
};

/* ------------------------------------------------------------------------------------------------------- a fit */

void crn_fit_close(crn_fit *fit)
{
    crn_saddle_destroy(fit->saddle);
    crn_arena_release(&fit->branch.memory);
    crn_arena_release(&fit->memory);
    crn_projection_release(fit->s);
}

cairn_status crn_fit_open(cairn_simulation *s, crn_fit *fit)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    size_t joints = s->model->joint_count, values = joints * CRN_JOINT_COORDINATES;
    *fit = (crn_fit){.s = s, .share = 1.0, .saddle = crn_saddle_create()};
    if (!fit->saddle || crn_projection_open(s) ||
        crn_reserve_all(&fit->memory, CRN_ARRAY(fit->given_q, nq), CRN_ARRAY(fit->last_q, nq),
                        CRN_ARRAY(fit->best_q, nq), CRN_ARRAY(fit->given_v, nv), CRN_ARRAY(fit->step, nv),
                        CRN_ARRAY(fit->start, values), CRN_ARRAY(fit->best_coordinate, values),
                        CRN_ARRAY(fit->before, joints), CRN_ARRAY(fit->after, joints)))
        return CAIRN_NO_MEMORY;
    crn_copy_q(s->layout, s->state.q, fit->given_q);
    crn_copy_v(s->layout, s->state.v, fit->given_v);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------- the record of it */

static cairn_status make_record(const cairn_model *model, cairn_assembly **out)
{
    cairn_assembly *a = calloc(1, sizeof *a);
    *out = a;
    if (!a || crn_reserve_all(&a->memory, CRN_ARRAY(a->body, model->body_count), CRN_ARRAY(a->move, model->body_count),
                              CRN_ARRAY(a->joint, model->joint_count), CRN_ARRAY(a->error, model->joint_count)))
    {
        cairn_assembly_destroy(a);
        *out = NULL;
        return CAIRN_NO_MEMORY;
    }
    a->body_count = (int)model->body_count;
    a->joint_count = (int)model->joint_count;
    for (int i = 0; i < a->body_count; ++i)
        a->body[i] = crn_body_handle(model, i);
    for (int j = 0; j < a->joint_count; ++j)
        a->joint[j] = crn_joint_handle(model, j);
    return CAIRN_OK;
}

/* What became of a dynamic body: `d` is its displacement, `dv` the change of its velocity. */
static void record_body(const crn_fit *fit, int body, const double *d, const double *dv, cairn_assembly *a)
{
    const cairn_simulation *s = fit->s;
    cairn_assembly_move *move = &a->move[body];
    int block = s->layout->body_block[body], dimension = s->model->dimension;
    crn_model_pose_at(s->model, body, s->state.t, &move->state);
    if (block < 0)
        return;
    int first = s->layout->block_start[block], turn = first + dimension;
    int turns = s->layout->block_start[block + 1] - turn;
    crn_layout_read_body(s->layout, body, s->state.q, s->state.v, &move->state);
    move->moved = sqrt(crn_dot(dimension, d + first, d + first));
    move->turned = sqrt(crn_dot(turns, d + turn, d + turn));
    move->velocity_change = sqrt(crn_dot(dimension, dv + first, dv + first));
    move->spin_change = sqrt(crn_dot(turns, dv + turn, dv + turn));
    if (move->moved > a->report.moved)
    {
        a->report.moved = move->moved;
        a->report.most_moved = a->body[body];
    }
    if (move->turned > a->report.turned)
    {
        a->report.turned = move->turned;
        a->report.most_turned = a->body[body];
    }
}

/* fit->step becomes the displacement, fit->given_v the change of velocities. */
static void record_bodies(crn_fit *fit, cairn_assembly *a)
{
    const cairn_simulation *s = fit->s;
    const crn_assembly *assembly = &s->projection.stage.assembly;
    int n = s->layout->block_start[s->layout->block_count];
    crn_layout_difference(s->layout, fit->given_q, s->state.q, fit->step);
    for (int i = 0; i < n; ++i)
        fit->given_v[i] = s->state.v[i] - fit->given_v[i];
    for (int i = 0; i < a->body_count; ++i)
        record_body(fit, i, fit->step, fit->given_v, a);
    crn_mass_times(assembly, s->layout, fit->given_v, fit->step);
    a->report.change = 0.5 * crn_dot(n, fit->given_v, fit->step);
}

static void record_joints(crn_fit *fit, cairn_assembly *a)
{
    for (int j = 0; j < a->joint_count; ++j)
    {
        a->error[j] = (cairn_assembly_error){fit->before[j], fit->after[j]};
        if (fit->after[j] > a->report.error || a->report.worst.id == 0)
            a->report.worst = a->joint[j];
        a->report.error = fmax(a->report.error, fit->after[j]);
    }
    a->report.error_before = fit->error_before;
    a->report.error = fit->error;
    a->report.iterations = fit->iterations;
    a->report.branch_changes = crn_branch_changes(&fit->branch);
}

/* ------------------------------------------------------------------------------------------------------- assembling */

/* m/s: the largest velocity, to which errors of rates are relative. */
static double speed_of(const cairn_simulation *s)
{
    double speed = 0;
    for (int k = 0; k < s->layout->block_count; ++k)
        for (int i = s->layout->block_start[k]; i < s->layout->block_start[k + 1]; ++i)
        {
            bool turns = i - s->layout->block_start[k] >= s->model->dimension;
            speed = fmax(speed, fabs(s->state.v[i]) * (turns ? crn_turning_length(s->layout, k) : 1.0));
        }
    return speed;
}

/* Positions, velocities, messages. CAIRN_INVALID where one of them fails. */
static cairn_status fit_all(crn_fit *fit, cairn_assembly *a)
{
    const cairn_simulation *s = fit->s;
    CRN_TRY(crn_fit_positions(fit));
    a->report.assembled = fit->worst <= s->settings.projection_tolerance;
    bool tells = s->settings.initial != CAIRN_INITIAL_CLOSEST;
    if (!a->report.assembled && tells)
        crn_tell_open_joints(fit);
    if (a->report.assembled)
        CRN_TRY(crn_fit_velocities(fit));
    a->report.rate_error = fit->rate_error;
    a->report.consistent = a->report.assembled && fit->rate_error <= 1e-9 * (1 + speed_of(s));
    if (a->report.assembled && !a->report.consistent && tells)
        crn_tell_rates(fit);
    record_joints(fit, a);
    record_bodies(fit, a);
    return (a->report.assembled && a->report.consistent) || !tells ? CAIRN_OK : CAIRN_INVALID;
}

/* Assemble the state of a simulation; *out may be set on CAIRN_INVALID too. */
static cairn_status assemble(cairn_simulation *s, cairn_assembly **out)
{
    crn_fit fit;
    cairn_status status = crn_fit_open(s, &fit);
    status = status ? status : make_record(s->model, out);
    status = status ? status : fit_all(&fit, *out);
    crn_fit_close(&fit);
    return status == CAIRN_NO_MEMORY ? crn_fail(s->context, status, "assembly: memory ran out") : status;
}

bool crn_wants_assembly(const cairn_simulation *s)
{
    return s->model->has_initial || s->settings.initial == CAIRN_INITIAL_ASSEMBLE ||
           s->settings.initial == CAIRN_INITIAL_CLOSEST;
}

cairn_status crn_assemble_initial(cairn_simulation *s)
{
    assert(!s->assembly);
    return assemble(s, &s->assembly);
}

/* ------------------------------------------------------------------------------------------------- public functions */

cairn_status cairn_assembly_create(cairn_context *context, const cairn_model *model, const cairn_settings *settings,
                                   cairn_assembly **out)
{
    if (!model || !settings || !out)
        return crn_fail(context, CAIRN_INVALID, "assembly: the model, the settings or the place for it is NULL");
    cairn_simulation *s = NULL;
    *out = NULL;
    CRN_TRY(cairn_settings_check(context, settings));
    CRN_TRY(crn_make_grains(model));
    CRN_TRY(crn_simulation_open(context, model, settings, &s));
    cairn_status status = assemble(s, out);
    cairn_simulation_destroy(s);
    if (status && status != CAIRN_INVALID)
    {
        cairn_assembly_destroy(*out);
        *out = NULL;
    }
    return status;
}

void cairn_assembly_destroy(cairn_assembly *a)
{
    if (!a)
        return;
    crn_arena_release(&a->memory);
    free(a);
}

const cairn_assembly *cairn_simulation_assembly(const cairn_simulation *s)
{
    return s->assembly;
}

cairn_assembly_report cairn_assembly_result(const cairn_assembly *a)
{
    return a ? a->report : (cairn_assembly_report){.assembled = false};
}

/* The model may have changed since, so handles are compared. Most often things are at the place of their id. */
cairn_assembly_move cairn_assembly_body(const cairn_assembly *a, cairn_body body)
{
    for (int k = 0; a && body.id > 0 && k < a->body_count; ++k)
    {
        int i = (body.id - 1 + k) % a->body_count;
        if (a->body[i].id == body.id && a->body[i].generation == body.generation)
            return a->move[i];
    }
    return (cairn_assembly_move){.state = {.orientation = {1, 0, 0, 0}}};
}

cairn_assembly_error cairn_assembly_joint(const cairn_assembly *a, cairn_joint joint)
{
    for (int k = 0; a && joint.id > 0 && k < a->joint_count; ++k)
    {
        int j = (joint.id - 1 + k) % a->joint_count;
        if (a->joint[j].id == joint.id && a->joint[j].generation == joint.generation)
            return a->error[j];
    }
    return (cairn_assembly_error){.before = 0};
}
