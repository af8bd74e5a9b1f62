/* One step, for every integrator:
 *
 *     locate      poses and contacts at the state                      (kept from the end of the step before)
 *     advance     (q_new, v_new) by the integrator's own file: formulate one-step problems, solve and certify them
 *     move        make them the state, then project it if requested
 *     account     energies, works, penetration, joint errors
 */
#include "base/foresee.h"
#include "base/parallel_ranges.h"
#include "cairn/assembly.h"
#include "formulate/compliance.h"
#include "formulate/joints.h"
#include "formulate/springs.h"
#include "math/vec.h"
#include "model/joints/hinge/hinge.h"
#include "model/names.h"
#include "step/account/account.h"
#include "step/events/events.h"
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------------- advance and account */

void crn_set_time(cairn_simulation *s, double start, double h, int64_t steps)
{
    assert(h > 0);
    assert(s->state.steps_since_base >= 0);
    if (h != s->state.h_base)
    {
        s->state.t_base = start;
        s->state.steps_since_base = 0;
        s->state.h_base = h;
    }
    s->state.steps_since_base += steps;
    s->state.t = s->state.t_base + (double)s->state.steps_since_base * h;
    s->state.step += steps;
}

/* The largest error of the rows of joint j that do not give. */
static double joint_error(const cairn_simulation *s, int j)
{
    double worst = 0;
    crn_joint_rows rows;
    crn_joint_measure(s->model, &s->located.frame, j, &rows);
    for (int i = 0; i < rows.equations + rows.bounded; ++i)
    {
        bool bounded = i >= rows.equations;
        double error = !bounded ? fabs(rows.theta[i]) : rows.bound[i].is_limit ? -rows.theta[i] : 0.0;
        if (error > worst && !crn_is_soft(crn_joint_give(s->model, j, i)))
            worst = error;
    }
    return worst;
}

/* The same for four rigid hinges. */
static double hinge_error(const cairn_simulation *s, int first)
{
    double theta[4][5], worst = 0;
    crn_hinges_measure(&s->model->joints[first], s->located.frame.pose, theta);
    for (int i = 0; i < 20; ++i)
        worst = fabs(theta[i / 5][i % 5]) > worst ? fabs(theta[i / 5][i % 5]) : worst;
    return worst;
}

static double worst_joint(const cairn_simulation *s)
{
    double worst = 0;
    for (int j = 0; j < (int)s->model->joint_count;)
    {
        int four = crn_four_with(j, (int)s->model->joint_count);
        bool hinges = !s->model->gives && crn_are_plain_hinges(s->model, four);
        double error = hinges ? hinge_error(s, four) : joint_error(s, j);
        worst = error > worst ? error : worst;
        j = hinges ? four + 4 : j + 1;
    }
    return worst;
}

/* Joint and gap functions of users' systems, evaluated into arrays that have been large enough since the solve. */
static void worst_systems(cairn_simulation *s, double *joint, double *penetration)
{
    for (int i = 0; i < (int)s->model->system_count; ++i)
    {
        const cairn_system_options *o = &s->model->systems[i].options;
        const double *q = s->state.q + s->layout->q_start[s->layout->body_block_count + i];
        double *phi = s->stage[0].assembly.scratch;
        size_t n = (size_t)o->n, gaps = (size_t)o->gap_count;
        if (o->joint_count > 0)
            o->joints(o->data, q, s->trial.joint_bias, s->trial.joint_gradient);
        for (int k = 0; k < o->joint_count; ++k)
            *joint = fmax(*joint, fabs(s->trial.joint_bias[k]));
        if (gaps > 0)
            o->gaps(o->data, q, phi, phi + gaps, o->tangent_count > 0 ? phi + gaps * (1 + n) : NULL);
        for (size_t k = 0; k < gaps; ++k)
            *penetration = fmax(*penetration, -phi[k]);
    }
}

void crn_remember_angles(cairn_simulation *s)
{
    for (int i = 0; i < (int)s->model->spring_count; ++i)
        s->state.spring_angle[i] =
            crn_spring_stretch(s->model, &s->located.frame, i, s->state.spring_angle[i]) + s->model->springs[i].rest;
    crn_remember_coordinates(s);
}

/* The part of an array of `count` numbers that belongs to a part of the bodies. */
static size_t part_of(const cairn_simulation *s, int count, int part)
{
    return crn_part((size_t)count, s->layout->parts, part);
}

static void exchange_part(void *data, int part)
{
    cairn_simulation *s = data;
    int n = s->layout->q_start[s->layout->block_count];
    for (size_t i = part_of(s, n, part), end = part_of(s, n, part + 1); i < end; ++i)
    {
        double old = s->state.q[i];
        s->state.q[i] = s->trial.q_new[i];
        s->saved.q[i] = old;
    }
}

/* Make the new positions those of the state. Where the saved ones share their memory, the old ones go there. */
static void take_positions(cairn_simulation *s)
{
    if (s->saved.q == s->trial.q_new)
        crn_in_parts(s->layout->parts, exchange_part, s);
    else
        crn_copy_q(s->layout, s->trial.q_new, s->state.q);
    s->saved.has_moved = true;
}

/* The same for the velocities, with their mean. */
static void velocities_part(void *data, int part)
{
    cairn_simulation *s = data;
    int n = s->layout->block_start[s->layout->block_count];
    for (size_t i = part_of(s, n, part), end = part_of(s, n, part + 1); i < end; ++i)
    {
        double old = s->state.v[i];
        s->state.v[i] = s->trial.v_new[i];
        s->trial.v_old[i] = old;
        s->trial.mean[i] = 0.5 * old + 0.5 * s->state.v[i];
    }
}

static void take_velocities(cairn_simulation *s)
{
    crn_in_parts(s->layout->parts, velocities_part, s);
    s->saved.has_sped = true;
    if (s->trial.v_old == s->trial.v_new && s->stage[0].solution.v == s->trial.v_new)
        s->stage[0].solution.v = s->state.v;
}

/* Move the positions to the end of the step, and book the change of the potentials. */
static cairn_status move(cairn_simulation *s, double h)
{
    take_positions(s);
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t + h, 0.0);
    crn_potentials moved = crn_potentials_at(s, &s->located.frame, s->state.q);
    crn_potentials projected = moved;
    s->state.report.projection_iterations = 0;
    s->state.report.projection_met = true;
    s->state.report.projection_error = 0;
    if (s->loops.redundant && s->settings.stabilisation != CAIRN_STABILISE_NONE)
    {
        bool closed;
        CRN_TRY(crn_loops_close(s, s->state.t + h, s->state.q, &closed));
        crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t + h, 0.0);
        projected = crn_potentials_at(s, &s->located.frame, s->state.q);
    }
    if (s->settings.stabilisation == CAIRN_STABILISE_PROJECT)
    {
        cairn_status status = crn_project(s, h);
        if (status != CAIRN_OK)
            return crn_fail(s->context, status, "projection at t = %g: %s", s->state.t, cairn_status_text(status));
        crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t + h, 0.0);
        projected = crn_potentials_at(s, &s->located.frame, s->state.q);
    }
    crn_book_motion(s, moved, projected);
    return CAIRN_OK;
}

/* The deepest overlap, part by part. */
typedef struct deepest
{
    const cairn_simulation *s;
    int parts;
    double overlap[CRN_COMPACT_THREADS]; /* m */
} deepest;

static void overlap_part(void *data, int part)
{
    deepest *all = data;
    const cairn_simulation *s = all->s;
    size_t count = (size_t)s->located.contact_count;
    int end = (int)crn_part(count, all->parts, part + 1);
    double most = 0;
    for (int i = (int)crn_part(count, all->parts, part); i < end; ++i)
    {
        int finer; /* overlap of the undeformed shapes of compliant bodies is not penetration */
        const crn_contact *contact = &s->located.contacts[i];
        crn_foresee(&contact->gap, CRN_FORESEEN * sizeof *contact);
        if (-contact->gap > most && !crn_model_patch_of(s->model, contact->shape_a, contact->shape_b, &finer))
            most = -contact->gap;
    }
    all->overlap[part] = most;
}

void crn_report_violations(cairn_simulation *s)
{
    cairn_step_report *report = &s->state.report;
    deepest all = {.s = s, .parts = crn_compact_threads(s, s->located.contact_count)};
    crn_in_parts(all.parts, overlap_part, &all);
    report->penetration = 0;
    for (int part = 0; part < all.parts; ++part)
        report->penetration = all.overlap[part] > report->penetration ? all.overlap[part] : report->penetration;
    report->penetration = fmax(report->penetration, s->state.patches.penetration);
    report->joint_error = worst_joint(s);
    worst_systems(s, &report->joint_error, &report->penetration);
    report->penetration += 0.0; /* turns -0, from a gap of 0, into 0 */
}

static void fill_report(cairn_simulation *s, const cairn_solver_report *solver)
{
    cairn_step_report *report = &s->state.report;
    report->time = s->state.t;
    report->step = s->state.step;
    report->problems = s->trial.problems;
    report->held_overlaps = crn_last_stage(s)->relaxed;
    report->parts = s->trial.parts;
    report->contacts = cairn_simulation_contact_count(s);
    report->solver = *solver;
    report->push_out_speed = s->trial.push_out_speed;
    crn_report_violations(s);
    report->energy = s->state.energy;
}

cairn_status crn_advance(cairn_simulation *s, double h, cairn_solver_report *report)
{
    return crn_scheme_of(s->settings.integrator)->advance(s, h, report);
}

cairn_status crn_accept(cairn_simulation *s, double h)
{
    assert(h >= 0);
    assert(s->stage_count > 0 && s->stage_count <= CRN_STAGES);
    take_velocities(s);
    if (crn_book_work(s, h))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    crn_turn_patches(s, h);
    CRN_TRY(crn_accept_anchors(s, h));
    CRN_TRY(crn_ledger_smooth(s, h));
    CRN_TRY(move(s, h));
    crn_ledger_moved(s);
    CRN_TRY(crn_accept_patches(s, h));
    CRN_TRY(crn_keep_lag(s, h));
    s->state.t += h;
    s->trial.parts += 1;
    s->state.located_h = 0;
    crn_remember_angles(s);
    crn_close_balance(s);
    return crn_is_second_order(s->settings.integrator) ? crn_remember_pressed(s, false) : CAIRN_OK;
}

/* Save positions and velocities, unless that is left to take_positions and take_velocities, or go back to them. */
static void copy_motion(cairn_simulation *s, bool save)
{
    bool shared = s->saved.q == s->trial.q_new;
    assert(shared == (s->saved.v == s->trial.v_new));
    if (save ? !shared : shared && !s->saved.has_moved) /* the state has not left them */
        crn_copy_q(s->layout, s->state.q, s->saved.q);
    else if (!save)
        crn_copy_q(s->layout, s->saved.q, s->state.q);
    if (save ? !shared : shared && !s->saved.has_sped)
        crn_copy_v(s->layout, s->state.v, s->saved.v);
    else if (!save)
        crn_copy_v(s->layout, s->saved.v, s->state.v);
    s->saved.has_moved = s->saved.has_sped = false;
}

/* Copy the rest of the state to or from its saved copy. */
static void copy_state(const cairn_simulation *s, bool save)
{
    const crn_saved *saved = &s->saved;
    size_t springs = s->model->spring_count;
    struct
    {
        double *now, *then;
        size_t size;
    } all[] = {
        {s->state.spring_angle, saved->spring_angle, springs},
        {s->state.coordinate, saved->coordinate, s->model->joint_count * CRN_JOINT_COORDINATES},
        {s->state.spring_work, saved->spring_work, springs},
        {s->state.joint_work, saved->joint_work, s->model->joint_count},
        {s->state.force_work, saved->force_work, s->model->force_count},
        {s->state.element_work, saved->element_work, s->state.element_works},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        memcpy(save ? all[i].then : all[i].now, save ? all[i].now : all[i].then, all[i].size * sizeof(double));
}

static cairn_status save_state(cairn_simulation *s)
{
    copy_motion(s, true);
    copy_state(s, true);
    s->saved.t = s->state.t;
    s->saved.is_old = false;
    s->saved.is_there = true;
    s->saved.potentials = s->state.potentials;
    s->saved.energy = s->state.energy;
    crn_save_rest(s);
    cairn_status status = crn_sides_copy(&s->state.sides, &s->saved.sides);
    return status ? crn_fail(s->context, status, "step at t = %g: memory ran out", s->state.t) : CAIRN_OK;
}

static void restore_state(cairn_simulation *s)
{
    copy_motion(s, false);
    copy_state(s, false);
    s->state.t = s->saved.t;
    s->state.potentials = s->saved.potentials;
    s->state.energy = s->saved.energy;
    (void)crn_sides_copy(&s->saved.sides, &s->state.sides); /* cannot fail: the array was this large before */
    s->state.located_h = 0;
    s->state.mode_count = s->state.pressed_count = s->state.wedged.count = 0;
    s->search.struck_count = 0;
    s->trial.inelastic = s->state.rough = false;
    memcpy(s->ledger.joint_total, s->ledger.joint_last, s->model->joint_count * sizeof *s->ledger.joint_total);
    crn_restore_rest(s);
    if (s->ledger.audit)
        crn_audit_forget_start(s->ledger.audit);
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t,
                     s->saved.frame_h); /* springs and driven bodies are read from the frame */
}

/* Advance the state to the end of the step, and locate contacts there. The caller restores the state after a failure. */
static cairn_status take_step(cairn_simulation *s, double h, cairn_solver_report *report)
{
    double start = s->state.t;
    CRN_TRY(crn_ensure_located(s, h));
    CRN_TRY(crn_ledger_begin(s));
    if (crn_is_second_order(s->settings.integrator))
    {
        CRN_TRY((s->settings.events ? crn_step_with_events : crn_step_without_events)(s, h, report));
    }
    else
    {
        CRN_TRY(crn_advance(s, h, report));
        CRN_TRY(crn_accept(s, h));
    }
    CRN_TRY(crn_check_range(s));
    crn_set_time(s, start, h, 1);
    CRN_TRY(crn_locate_end(s, h));
    return crn_update_touches(s);
}

cairn_status cairn_simulation_step_by(cairn_simulation *s, double h)
{
    if (!s)
        return CAIRN_INVALID;
    if (!isfinite(h) || !(h > 0))
        return crn_fail(s->context, CAIRN_INVALID, "step: h must be greater than 0, found %g", h);
    if (s->assembly && !cairn_assembly_result(s->assembly).assembled)
        return crn_fail(s->context, CAIRN_INVALID,
                        "step: the mechanism is not assembled; its closest assembly is there to be looked at only");
    CRN_TRY(crn_simulation_enter(s));
    if (s->settings.device != CAIRN_DEVICE_CPU)
        return crn_device_step(s, h, 1);
    CRN_TRY(crn_flow_go_on(s, h));
    cairn_solver_report solver = {0};
    CRN_TRY(save_state(s));
    s->state.contacts_listed = false;
    s->trial.problems = 0;
    s->trial.parts = 0;
    s->trial.push_out_speed = 0;
    s->trial.left = s->trial.still = 0;
    cairn_status status = take_step(s, h, &solver);
    if (status != CAIRN_OK)
    {
        restore_state(s);
        return status;
    }
    crn_book_contact_elastic(s);
    crn_book_flow(s, s->saved.q, s->saved.t, 1);
    fill_report(s, &solver);
    crn_forces_end_step(s);
    crn_ledger_end(s, h);
    return CAIRN_OK;
}

cairn_status cairn_simulation_step(cairn_simulation *s)
{
    return s ? cairn_simulation_step_by(s, s->settings.step) : CAIRN_INVALID;
}

void cairn_simulation_audit_next(cairn_simulation *s)
{
    if (s)
        s->ledger.is_asked = true;
}

cairn_status cairn_simulation_steps(cairn_simulation *s, int count)
{
    if (!s)
        return CAIRN_INVALID;
    if (count < 1)
        return crn_fail(s->context, CAIRN_INVALID, "steps: expected a number of at least 1, found %d", count);
    if (s->settings.device != CAIRN_DEVICE_CPU)
    {
        CRN_TRY(crn_simulation_enter(s));
        return crn_device_step(s, s->settings.step, count);
    }
    for (int i = 0; i < count; ++i)
        CRN_TRY(cairn_simulation_step(s));
    return CAIRN_OK;
}

cairn_status cairn_simulation_begin_steps(cairn_simulation *s, int count)
{
    if (!s)
        return CAIRN_INVALID;
    if (count < 1)
        return crn_fail(s->context, CAIRN_INVALID, "begin steps: expected a number of at least 1, found %d", count);
    CRN_TRY(crn_simulation_enter(s));
    if (s->settings.device == CAIRN_DEVICE_GPU)
        CRN_TRY(crn_device_begin(s, s->settings.step, count));
    s->begun = count;
    return CAIRN_OK;
}

cairn_status cairn_simulation_finish_steps(cairn_simulation *s)
{
    if (!s)
        return CAIRN_INVALID;
    int count = s->begun;
    if (count < 1)
        return crn_fail(s->context, CAIRN_INVALID, "finish steps: none are under way");
    s->begun = 0;
    return cairn_simulation_steps(s, count);
}
