/* Creation, destruction and queries of a simulation. */
#include "step/simulation.h"
#include "cairn/assembly.h"
#include "cairn/hooks.h"
#include "step/account/account.h"
#include "step/assembly/fit.h"

#include "collide/identity.h"
#include "formulate/influence.h"
#include "formulate/joints.h"
#include "formulate/springs.h"
#include "math/vec.h"
#include "model/joints/hinge/hinge.h"
#include "model/names.h"
#include "step/settings/settings.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void close_stage(crn_stage *stage)
{
    crn_frame_destroy(&stage->frame);
    crn_assembly_destroy(&stage->assembly);
    cairn_solver_destroy(stage->solver);
    stage->solver = NULL;
}

/* The frame is needed only where problems are evaluated elsewhere than at the state. */
static bool open_stage(cairn_simulation *s, bool elsewhere, crn_stage *stage)
{
    stage->solver = stage->solver ? stage->solver : cairn_solver_create(s->context);
    return stage->solver && (!elsewhere || crn_frame_create(s->layout, &stage->frame) == CAIRN_OK) &&
           crn_assembly_create(s->layout, &stage->assembly) == CAIRN_OK;
}

/* Whether steps use the projection's stage: to project, for its frame while events are searched for, or for the masses of systems. */
static bool keeps_projection(const cairn_simulation *s)
{
    return s->settings.stabilisation == CAIRN_STABILISE_PROJECT || crn_is_second_order(s->settings.integrator) ||
           s->model->system_count > 0;
}

cairn_status crn_projection_open(cairn_simulation *s)
{
    crn_stage *stage = &s->projection.stage;
    if (!stage->frame.pose && !open_stage(s, true, stage))
        return CAIRN_NO_MEMORY;
    crn_simulation_bind(s);
    return CAIRN_OK;
}

void crn_projection_release(cairn_simulation *s)
{
    if (!keeps_projection(s))
        close_stage(&s->projection.stage);
}

void crn_simulation_bind(cairn_simulation *s)
{
    for (int k = 0; k < CRN_STAGES; ++k)
    {
        s->stage[k].warm = &s->state.warm[k];
        s->stage[k].frame.coordinate = s->state.coordinate;
        s->stage[k].frame.v = s->trial.v_at;
    }
    s->projection.stage.warm = &s->state.warm[CRN_WARM_PROJECTION];
    s->projection.stage.frame.coordinate = s->loops.frame.coordinate = s->state.coordinate;
    s->layout->absent = s->state.absent;
    s->located.frame.v = s->trial.frame_end.v = s->projection.stage.frame.v = s->loops.frame.v = s->state.v;
    s->located.frame.coordinate = s->trial.frame_end.coordinate = s->state.coordinate;
    s->trial.rotor_frame.coordinate = s->state.coordinate;
    s->trial.rotor_frame.v = s->state.v;
}

const crn_stage *crn_last_stage(const cairn_simulation *s)
{
    assert(s->stage_count >= 0 && s->stage_count <= CRN_STAGES);
    return &s->stage[s->stage_count > 0 ? s->stage_count - 1 : 0];
}

void cairn_simulation_destroy(cairn_simulation *s)
{
    if (!s)
        return;
    crn_frame_destroy(&s->located.frame);
    crn_arena_release(&s->trial.memory);
    crn_frame_destroy(&s->trial.frame_end);
    crn_frame_destroy(&s->trial.rotor_frame);
    for (int k = 0; k < CRN_STAGES; ++k)
        close_stage(&s->stage[k]);
    close_stage(&s->projection.stage);
    crn_loops_release(&s->loops);
    crn_collider_destroy(s->located.collider);
    crn_arena_release(&s->located.memory);
    crn_collider_destroy(s->trial.collider);
    crn_gates_close(&s->gates);
    crn_state_close(&s->state);
    crn_ledger_close(s);
    crn_layout_destroy(s->layout);
    crn_roster_free(&s->roster);
    free(s->saved.events);
    crn_warm_release(&s->saved.lag);
    crn_sides_free(&s->saved.sides);
    crn_hooks_close(&s->hooks);
    crn_anderson_release(&s->bearings.past);
    crn_compact_destroy(s->compact.sweeps);
    crn_device_close(s->device);
    crn_grains_close(s);
    crn_frame_destroy(&s->compact.frame);
    cairn_assembly_destroy(s->assembly);
    crn_arena_release(&s->memory);
    if (s->scratch)
        crn_scratch_release(s->scratch);
    free(s->scratch);
    free(s);
}

static int joint_rows(const cairn_model *model, int *largest_gradient)
{
    int rows = 0;
    *largest_gradient = 0;
    for (size_t i = 0; i < model->joint_count; ++i)
        rows += model->joints[i].rows;
    for (size_t i = 0; i < model->system_count; ++i)
    {
        const cairn_system_options *o = &model->systems[i].options;
        int size = o->joint_count * o->n;
        rows += o->joint_count;
        *largest_gradient = size > *largest_gradient ? size : *largest_gradient;
    }
    return rows;
}

/* What second-order schemes and their events need besides. */
static bool allocate_second_order(cairn_simulation *s, size_t nq, size_t nv)
{
    return !crn_reserve_all(&s->memory, CRN_ARRAY(s->trial.q_new, nq), CRN_ARRAY(s->trial.v_new, nv),
                            CRN_ARRAY(s->trial.mean, nv), CRN_ARRAY(s->trial.v_old, nv),
                            CRN_ARRAY(s->trial.displacement, nv), CRN_ARRAY(s->saved.q, nq), CRN_ARRAY(s->saved.v, nv),
                            CRN_ARRAY(s->trial.q_at, nq), CRN_ARRAY(s->trial.q_end, nq), CRN_ARRAY(s->trial.v_at, nv),
                            CRN_ARRAY(s->trial.v_base, nv), CRN_ARRAY(s->trial.ahead, nv),
                            CRN_ARRAY(s->search.v_far, nv)) &&
           crn_frame_create(s->layout, &s->trial.frame_end) == CAIRN_OK && open_stage(s, true, &s->stage[1]);
}

static bool allocate_rotors(cairn_simulation *s)
{
    size_t rates = s->model->joint_count * CRN_JOINT_COORDINATES;
    return !s->model->has_rotors || (!crn_reserve_all(&s->memory, CRN_ARRAY(s->trial.rotor_rate, rates)) &&
                                     crn_frame_create(s->layout, &s->trial.rotor_frame) == CAIRN_OK);
}

static bool allocate(cairn_simulation *s)
{
    size_t nq = (size_t)s->layout->q_start[s->layout->block_count];
    size_t nv = (size_t)s->layout->block_start[s->layout->block_count];
    bool second_order = crn_is_second_order(s->settings.integrator);
    int gradient;
    size_t rows = (size_t)joint_rows(s->model, &gradient);
    size_t springs = s->model->spring_count;
    bool complete =
        !crn_reserve_all(&s->memory, CRN_ARRAY(s->trial.joint_bias, rows), CRN_ARRAY(s->trial.joint_gradient, gradient),
                         CRN_ARRAY(s->search.limits, s->model->bounded_rows)) &&
        !crn_reserve_all(&s->memory, CRN_ARRAY(s->saved.spring_angle, springs),
                         CRN_ARRAY(s->saved.spring_work, springs),
                         CRN_ARRAY(s->saved.coordinate, s->model->joint_count * CRN_JOINT_COORDINATES),
                         CRN_ARRAY(s->saved.joint_work, s->model->joint_count),
                         CRN_ARRAY(s->saved.element_work, s->state.element_works),
                         CRN_ARRAY(s->saved.force_work, s->model->force_count));
    s->trial.collider = crn_collider_create(s->settings.solver.threads);
    complete = complete && s->trial.collider;
    if (crn_device_begins_away(s))
        s->located.frame.layout = s->layout; /* it is located when somebody asks for that */
    else
        complete = complete && !crn_frame_create(s->layout, &s->located.frame) && !crn_located_open(s);
    if (complete && !s->settings.reduction)
        crn_collider_keep_all(s->trial.collider);
    complete = complete && (!crn_trial_is_kept(s) || !crn_trial_open(s));
    return complete && open_stage(s, second_order, &s->stage[0]) && (!keeps_projection(s) || !crn_projection_open(s)) &&
           crn_ledger_open(s) == CAIRN_OK && allocate_rotors(s) && (!second_order || allocate_second_order(s, nq, nv));
}

/* Contacts before the first step: whether they can be. */
static cairn_status look_at_contacts(cairn_simulation *s)
{
    CRN_TRY(crn_locate(s, s->settings.step));
    return crn_begin_consistent(s);
}

/* What the report says of them. */
static void report_contacts(cairn_simulation *s)
{
    crn_report_violations(s);
    crn_ledger_settle(s);
}

/* Energies and the report of a state before the first step. */
static void begin_account(cairn_simulation *s)
{
    double kinetic;
    crn_remember_coordinates(s);
    if (s->grains.count > 0)
        crn_device_add_start(s, &kinetic, &s->state.potentials.gravity);
    else
    {
        s->state.potentials = crn_potentials_at(s, &s->located.frame, s->state.q);
        kinetic = crn_kinetic(s);
    }
    s->state.energy = (cairn_energy){.kinetic = kinetic};
    s->state.contact_elastic = crn_contact_elastic(s);
    s->state.total_at_start = s->state.energy.kinetic + s->state.potentials.gravity + s->state.potentials.elastic +
                              s->state.potentials.systems + s->state.contact_elastic;
    if (s->grains.count > 0)
        crn_close_balance_with(s, kinetic, 0);
    else
        crn_close_balance(s);
    s->state.report.energy = s->state.energy;
    s->state.report.time = s->state.t;
    s->state.report.projection_met = true;
    s->state.report.solver.method = "none";
    s->state.report.solver.certificate.worst_contact = -1;
    report_contacts(s);
}

static cairn_status settle(cairn_simulation *s)
{
    CRN_TRY(crn_check_regularised(s));
    CRN_TRY(crn_wants_assembly(s) ? crn_assemble_initial(s) : CAIRN_OK);
    CRN_TRY(look_at_contacts(s));
    begin_account(s);
    return s->settings.device == CAIRN_DEVICE_CPU ? CAIRN_OK : crn_device_open(s);
}

/* The same where ranks have the motions from the start on. They look at the contacts as well; if they find what has to be told, it is found here. */
static cairn_status settle_away(cairn_simulation *s)
{
    bool is_slight;
    CRN_TRY(crn_check_regularised(s));
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, s->settings.step);
    begin_account(s);
    crn_device_let_motions_go(s);
    CRN_TRY(crn_device_open(s));
    CRN_TRY(crn_device_judge_start(s, &is_slight));
    if (is_slight)
        return CAIRN_OK;
    cairn_status status = look_at_contacts(s);
    report_contacts(s);
    crn_located_release(s);
    return status;
}

/* Place every body at its initial pose. */
static void begin(cairn_simulation *s)
{
    s->state.h_base = s->settings.step;
    s->state.friction = NAN;
    memcpy(s->state.gravity, s->model->gravity, sizeof s->state.gravity);
    crn_simulation_bind(s);
    crn_layout_initial(s->layout, s->state.q, s->state.v);
    for (int i = 0; i < (int)s->model->spring_count; ++i)
        s->state.spring_angle[i] = s->model->springs[i].rest;
}

void crn_remember_coordinates(cairn_simulation *s)
{
    const cairn_model *model = s->model;
    const crn_frame *frame = &s->located.frame;
    for (int j = 0; j < (int)model->joint_count;)
    {
        double *coordinate = s->state.coordinate + (ptrdiff_t)j * CRN_JOINT_COORDINATES;
        int four = crn_four_with(j, (int)model->joint_count);
        bool hinges = crn_are_hinges(model, four);
        if (hinges)
            crn_hinges_turn(&model->joints[four], frame->pose, coordinate - (j - four) * CRN_JOINT_COORDINATES);
        for (int i = 0; i < model->joints[j].coordinates && !hinges; ++i)
            coordinate[i] = crn_joint_coordinate_at(model, frame, j, i);
        j = hinges ? four + 4 : j + 1;
    }
}

cairn_status crn_simulation_open(cairn_context *context, const cairn_model *model, const cairn_settings *settings,
                                 cairn_simulation **out)
{
    cairn_simulation *s = calloc(1, sizeof *s);
    if (!s)
        return crn_fail(context, CAIRN_NO_MEMORY, "simulation: memory ran out");
    s->context = context;
    s->model = model;
    s->revision = model->revision;
    s->statistic_count = model->statistic_count;
    s->identity_bits = crn_identity_bits(model);
    s->settings = *settings;
    s->hooks.options = cairn_hooks_default();
    s->scratch = calloc(1, sizeof *s->scratch);
    crn_grains_open(s);
    cairn_status status = crn_check_references(context, model);
    status = status ? status : crn_settings_check_box(context, model, settings);
    status = status ? status : crn_layout_create(context, model, &s->layout);
    if (status == CAIRN_OK && (!s->scratch || crn_state_open(&s->state, s->layout, true) ||
                               crn_roster_take(model, &s->roster) || !allocate(s)))
        status = crn_fail(context, CAIRN_NO_MEMORY, "simulation: memory ran out");
    status = status ? status : crn_open_patches(s);
    if (status == CAIRN_OK)
    {
        const size_t many = 4000; /* bodies: fewer are not worth waking threads */
        int threads = settings->solver.threads < CRN_COMPACT_THREADS ? settings->solver.threads : CRN_COMPACT_THREADS;
        s->layout->parts = threads > 1 && model->body_count > many ? threads : 1;
        begin(s);
        if (crn_loops_open(s) || crn_flow_open(s))
            status = crn_fail(context, CAIRN_NO_MEMORY, "simulation: memory ran out");
    }
    if (status != CAIRN_OK)
        cairn_simulation_destroy(s);
    *out = status ? NULL : s;
    return status;
}

cairn_status cairn_simulation_create(cairn_context *context, const cairn_model *model, const cairn_settings *settings,
                                     cairn_simulation **out)
{
    return cairn_simulation_create_hooked(context, model, settings, NULL, out);
}

/* Without the grains of the model that are not made, if ranks can do without them on process 0. */
static cairn_status open_with_grains(cairn_context *context, const cairn_model *model, const cairn_settings *settings,
                                     const cairn_hooks *hooks, cairn_simulation **out)
{
    CRN_TRY(hooks || settings->device != CAIRN_DEVICE_RANKS ? crn_make_grains(model) : CAIRN_OK);
    CRN_TRY(crn_simulation_open(context, model, settings, out));
    if ((*out)->grains.count == 0 || crn_grains_may_stay(*out))
        return CAIRN_OK;
    cairn_simulation_destroy(*out);
    *out = NULL;
    CRN_TRY(crn_make_grains(model));
    return crn_simulation_open(context, model, settings, out);
}

cairn_status cairn_simulation_create_hooked(cairn_context *context, const cairn_model *model,
                                            const cairn_settings *settings, const cairn_hooks *hooks,
                                            cairn_simulation **out)
{
    if (!model || !settings || !out)
        return crn_fail(context, CAIRN_INVALID, "simulation: the model, the settings or the place for it is NULL");
    *out = NULL;
    cairn_simulation *s = NULL;
    cairn_status status = cairn_settings_check(context, settings);
    status = status ? status : open_with_grains(context, model, settings, hooks, &s);
    status = status ? status : crn_hooks_set(s, hooks);
    if (!status)
        status = crn_device_begins_away(s) ? settle_away(s) : settle(s);
    if (status != CAIRN_OK)
        cairn_simulation_destroy(s);
    *out = status ? NULL : s;
    return status;
}

bool crn_is_current(const cairn_simulation *s)
{
    return s->revision == s->model->revision;
}

double cairn_simulation_time(const cairn_simulation *s)
{
    return s->state.t;
}

const cairn_model *cairn_simulation_model(const cairn_simulation *s)
{
    return s->model;
}

const cairn_settings *cairn_simulation_settings(const cairn_simulation *s)
{
    return &s->settings;
}

const cairn_step_report *cairn_simulation_report(const cairn_simulation *s)
{
    crn_forces_settle(s);
    return &s->state.report;
}

cairn_energy cairn_simulation_energy(const cairn_simulation *s)
{
    return s->state.energy;
}

cairn_body_state cairn_simulation_body(const cairn_simulation *s, cairn_body body)
{
    cairn_body_state state = {.orientation = {1, 0, 0, 0}};
    int index = crn_is_current(s) ? crn_body_ordinal(s->model, body) : -1;
    if (index < 0)
        return state;
    if (s->grains.count > 0 && index >= s->grains.first)
    {
        crn_device_read_body(s, index, &state);
        return state;
    }
    if (crn_is_absent(s->layout, index))
    {
        state.position[0] = state.position[1] = state.position[2] = NAN;
        return state;
    }
    if (s->layout->body_block[index] >= 0)
    {
        if (crn_motions_are_here(s))
            crn_layout_read_body(s->layout, index, s->state.q, s->state.v, &state);
        else
            crn_device_read_body(s, index, &state);
        return state;
    }
    crn_model_pose_at(s->model, index, s->state.t, &state);
    double drive[6];
    crn_drive_of(s, index, drive);
    memcpy(state.velocity, drive, sizeof state.velocity);
    memcpy(state.angular_velocity, drive + 3, sizeof state.angular_velocity);
    return state;
}

void cairn_simulation_system(const cairn_simulation *s, cairn_system system, const double **q, const double **v)
{
    *q = *v = NULL;
    int index = crn_is_current(s) ? crn_system_index(s->model, system) : -1;
    if (index >= 0)
    {
        int block = s->layout->body_block_count + index;
        *q = s->state.q + s->layout->q_start[block];
        *v = s->state.v + s->layout->block_start[block];
    }
}

double crn_contact_rate(const cairn_simulation *s, const crn_stage *stage, int j, int i, const double *v)
{
    const cairn_block_rows *H = &stage->assembly.problem.H;
    double rate = stage->assembly.contact_drive[j][i];
    for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
    {
        int start = s->layout->block_start[H->block[e]];
        int width = s->layout->block_start[H->block[e] + 1] - start;
        const double *row = H->value + H->value_start[e] + i * width;
        for (int k = 0; k < width; ++k)
            rate += row[k] * v[start + k];
    }
    return rate;
}

double cairn_simulation_spring_work(const cairn_simulation *s, cairn_spring spring)
{
    int index = crn_is_current(s) ? crn_spring_index(s->model, spring) : -1;
    return index < 0 ? 0.0 : s->state.spring_work[index];
}

double cairn_simulation_joint_work(const cairn_simulation *s, cairn_joint joint)
{
    int index = crn_is_current(s) ? crn_joint_index(s->model, joint) : -1;
    return index < 0 ? 0.0 : s->state.joint_work[index];
}

double cairn_simulation_force_work(const cairn_simulation *s, cairn_force force)
{
    int index = crn_is_current(s) ? crn_force_index(s->model, force) : -1;
    return index < 0 ? 0.0 : s->state.force_work[index];
}

double cairn_simulation_spring_stretch(const cairn_simulation *s, cairn_spring spring)
{
    int index = crn_is_current(s) ? crn_spring_index(s->model, spring) : -1;
    return index < 0 ? 0.0 : crn_spring_stretch(s->model, &s->located.frame, index, s->state.spring_angle[index]);
}

const cairn_problem *cairn_simulation_problem(const cairn_simulation *s)
{
    if (s->stage_count == 0 || crn_compact_generalise((cairn_simulation *)(uintptr_t)s)) /* scratch alone changes */
        return NULL;
    return &crn_last_stage(s)->assembly.problem;
}

const cairn_solution *cairn_simulation_solution(const cairn_simulation *s)
{
    bool swept = s->stage_count == 1 && s->stage[0].assembly.rowless;
    cairn_simulation *own = (cairn_simulation *)(uintptr_t)s; /* scratch alone changes */
    if (s->stage_count == 0 || (swept && crn_compact_read_rows(own, &own->stage[0])))
        return NULL;
    return &crn_last_stage(s)->solution;
}
