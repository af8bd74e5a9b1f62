/* What integrators share: solving a one-step problem, the contacts it needs, and which of them are closed. */
#include "base/identity.h"
#include "base/memory.h"
#include "formulate/joints.h"
#include "step/simulation.h"
#include "step/who.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_PASSES = 20
};

crn_input crn_stage_input(const cairn_simulation *s, const crn_stage *stage, double h)
{
    return (crn_input){
        .layout = s->layout,
        .frame = &stage->frame,
        .settings = &s->settings,
        .gravity = s->gravity,
        .pull = s->pulled ? &s->pull : NULL,
        .q = s->q,
        .v = s->v,
        .v_at = s->v,
        .spring_angle = s->spring_angle,
        .t = s->t,
        .h = h,
    };
}

static bool is_finite(const double *x, int n)
{
    for (int i = 0; i < n; ++i)
    {
        if (!isfinite(x[i]))
        {
            return false;
        }
    }
    return true;
}

/* From the impulses that the same contacts had in this stage before. */
static cairn_status solve_warm(const cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    const cairn_problem *problem = &stage->assembly.problem;
    cairn_solver_options options = s->settings.solver;
    stage->left = 0;
    crn_wedge_recall(s, stage);
    cairn_status status = crn_warm_recall(&stage->warm, problem, &options.guess);
    status = status ? status : cairn_solver_solve(stage->solver, problem, &options, &stage->solution, report);
    if (!status && crn_wedge_leave(s, stage, report))
    {
        int iterations = report->iterations, fallbacks = report->fallbacks;
        status = cairn_solver_solve(stage->solver, problem, &options, &stage->solution, report);
        report->iterations += iterations;
        report->fallbacks += fallbacks;
    }
    bool worth = !status && report->outcome != CAIRN_FAILED;
    return worth ? crn_warm_keep(&stage->warm, problem, &stage->solution) : status;
}

static int item_of(const cairn_block_rows *rows, int row)
{
    int item = 0;
    while (rows->row_start[item + 1] <= row)
    {
        ++item;
    }
    return item;
}

/* Why there is no solution, and where that shows most. */
static cairn_status tell_failure(const cairn_simulation *s, const crn_stage *stage, const cairn_solver_report *report)
{
    const crn_assembly *assembly = &stage->assembly;
    char who[256] = "";
    if (report->cause == CAIRN_CAUSE_JOINTS && report->culprit >= 0)
    {
        crn_who_joint(s->model, item_of(&assembly->problem.G, report->culprit), who, sizeof who);
    }
    else if (report->culprit >= 0)
    {
        crn_who_contact(s->model, &assembly->active[report->culprit], who, sizeof who);
    }
    return crn_fail(s->context, CAIRN_UNSOLVED, "step at t = %g with %d contacts: %s%s%s", s->t,
                    assembly->problem.contact_count, cairn_cause_text(report->cause), who[0] ? "; see " : "", who);
}

cairn_status crn_stage_solve(cairn_simulation *s, crn_stage *stage, cairn_solver_report *report)
{
    const cairn_problem *problem = &stage->assembly.problem;
    if (!is_finite(problem->p, problem->n))
    {
        return crn_fail(s->context, CAIRN_NUMERIC, "step at t = %g: a force is not a finite number", s->t);
    }
    if (s->holding)
    {
        s->problems += 1;
        return crn_solve_held(s, stage);
    }
    cairn_solver_report once;
    cairn_status status = solve_warm(s, stage, &once);
    if (status != CAIRN_OK)
    {
        return crn_fail(s->context, status, "step at t = %g: %s", s->t, cairn_status_text(status));
    }
    if (once.outcome == CAIRN_FAILED || !is_finite(stage->solution.v, problem->n))
    {
        return once.cause == CAIRN_CAUSE_UNKNOWN ? crn_blame(s, stage) : tell_failure(s, stage, &once);
    }
    s->problems += 1;
    s->velocity_scale = once.certificate.scale;
    /* counts add up; the certificate told is the worst of the step */
    once.iterations += report->iterations;
    once.fallbacks += report->fallbacks;
    once.refactorisations += report->refactorisations;
    once.unexamined += report->unexamined;
    once.out_of_time |= report->out_of_time;
    if (report->null_space > once.null_space)
    {
        once.null_space = report->null_space;
        once.velocity_null_space = report->velocity_null_space;
        once.chosen_forces = report->chosen_forces;
    }
    if (report->method && report->certificate.relative > once.certificate.relative)
    {
        once.certificate = report->certificate;
        once.outcome = report->outcome;
    }
    *report = once;
    return CAIRN_OK;
}

cairn_status crn_stage_collide(cairn_simulation *s, crn_stage *stage, crn_input *in)
{
    cairn_status status =
        crn_collide(s->stage_collider, s->model, stage->frame.pose, &s->reach, &in->contacts, &in->contact_count);
    return status ? crn_fail(s->context, status, "collision detection at t = %g failed", s->t) : CAIRN_OK;
}

cairn_status crn_solve_at_state(cairn_simulation *s, double h,
                                cairn_status (*formulate)(crn_assembly *assembly, const crn_input *in),
                                cairn_solver_report *report)
{
    crn_stage *stage = &s->stage[0];
    stage->weight = 1.0;
    stage->h = h;
    s->stage_count = 1;
    for (int pass = 0; pass < MAX_PASSES; ++pass)
    {
        crn_input in = crn_stage_input(s, stage, h);
        in.frame = &s->frame;
        in.contacts = s->contacts;
        in.contact_count = s->contact_count;
        in.patches = &s->patches;
        in.collider = s->collider;
        cairn_status status = crn_patches_prepare(&s->patches, s->contacts, s->contact_count, h);
        if (status != CAIRN_OK)
        {
            return status;
        }
        if (formulate(&stage->assembly, &in) != CAIRN_OK)
        {
            return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->t);
        }
        status = crn_lag_friction(s, stage, h);
        status = status ? status : crn_stage_solve(s, stage, report);
        bool missed = false;
        status = status ? status : crn_find_missed(s, h, &stage->assembly, stage->solution.v, &missed);
        if (status != CAIRN_OK)
        {
            return status;
        }
        if (!missed)
        {
            break;
        }
    }
    int n = stage->assembly.problem.n;
    for (int i = 0; i < n; ++i)
    {
        s->v_new[i] = stage->solution.v[i];
        s->displacement[i] = h * s->v_new[i];
    }
    memcpy(s->q_new, s->q, (size_t)s->layout->q_start[s->layout->block_count] * sizeof(double));
    crn_layout_move(s->layout, s->displacement, s->q_new);
    return crn_wedge_keep(s, stage);
}

/* ---------------------------------------------------------------------------------- closed contacts and drift */

static cairn_status push_closed(cairn_simulation *s, uint64_t identity, double bias)
{
    crn_closed *closed = &s->closed;
    size_t need = (size_t)closed->count + 1;
    if (crn_reserve(&closed->identity, &closed->identity_capacity, need, sizeof(uint64_t)) ||
        crn_reserve(&closed->bias, &closed->bias_capacity, need, sizeof(double)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->t);
    }
    closed->identity[closed->count] = identity;
    closed->bias[closed->count++] = bias;
    return CAIRN_OK;
}

static int compare_identities(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

cairn_status crn_remember_pressed(cairn_simulation *s, const double *v)
{
    const crn_stage *stage = crn_last_stage(s);
    const cairn_problem *problem = &stage->assembly.problem;
    s->pressed_count = 0;
    if (crn_reserve(&s->pressed, &s->pressed_capacity, (size_t)problem->contact_count + 1, sizeof(uint64_t)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->t);
    }
    for (int j = 0; j < problem->contact_count; ++j)
    {
        bool parts = v && crn_contact_rate(s, stage, j, 0, v) > 1e-9 * s->velocity_scale;
        if (stage->solution.r[j * problem->dim] > 0 && !parts)
        {
            s->pressed[s->pressed_count++] = stage->assembly.active[j].identity;
        }
    }
    qsort(s->pressed, (size_t)s->pressed_count, sizeof(uint64_t), compare_identities);
    return CAIRN_OK;
}

/* A contact is closed when it was pressed together before (its gap then is drift, whatever its size), or when its gap is
 * within the tolerance and it does not leave within the step (of `reach` seconds). */
static bool is_closed(const cairn_simulation *s, uint64_t identity, double gap, double u_n, double reach)
{
    double tolerance = s->settings.contact_tolerance;
    bool touches = gap <= tolerance && !(fmin(gap, 0.0) + u_n * reach > 10 * tolerance);
    return touches || crn_identity_find(s->pressed, s->pressed_count, identity) >= 0;
}

static double normal_velocity(const cairn_simulation *s, const crn_contact *contact)
{
    crn_gradient gradient;
    crn_gradient_point(&s->frame, &gradient, 0, contact->body_a, contact->point_a, contact->normal, 1);
    crn_gradient_point(&s->frame, &gradient, 1, contact->body_b, contact->point_b, contact->normal, -1);
    return crn_gradient_rate(s->layout, &gradient, s->v) + crn_gradient_drive(&s->frame, &gradient);
}

static cairn_status close_system_gaps(cairn_simulation *s, int system, double factor, double reach)
{
    const cairn_system_options *o = &s->model->systems[system].options;
    crn_assembly *assembly = &s->stage[0].assembly;
    size_t gaps = (size_t)o->gap_count, n = (size_t)o->n;
    if (gaps == 0)
    {
        return CAIRN_OK;
    }
    if (crn_reserve(&assembly->scratch, &assembly->scratch_capacity, gaps * (1 + n * (1 + (size_t)o->tangent_count)),
                    sizeof(double)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->t);
    }
    double *phi = assembly->scratch;
    o->gaps(o->data, s->q + s->layout->q_start[s->layout->body_block_count + system], phi, phi + gaps,
            o->tangent_count > 0 ? phi + gaps * (1 + n) : NULL);
    for (size_t i = 0; i < gaps; ++i)
    {
        double u_n = 0;
        for (size_t k = 0; k < n; ++k)
        {
            u_n +=
                phi[gaps + i * n + k] * s->v[(size_t)s->layout->block_start[s->layout->body_block_count + system] + k];
        }
        if (is_closed(s, crn_gap_identity(system, (int)i), phi[i], u_n, reach) &&
            push_closed(s, crn_gap_identity(system, (int)i), factor * phi[i]))
        {
            return CAIRN_NO_MEMORY;
        }
    }
    return CAIRN_OK;
}

/* b of every joint row that takes its drift out over the step. */
static void correct_joints(cairn_simulation *s, double factor)
{
    int row = 0;
    for (int j = 0; j < (int)s->model->joint_count; ++j)
    {
        double theta[CRN_JOINT_ROWS];
        crn_gradient gradient[CRN_JOINT_ROWS];
        int rows = crn_joint_evaluate(s->model, &s->frame, j, theta, gradient);
        for (int i = 0; i < rows; ++i)
        {
            s->joint_bias[row++] = -factor * theta[i];
        }
    }
    for (int i = 0; i < (int)s->model->system_count; ++i)
    {
        const cairn_system_options *o = &s->model->systems[i].options;
        if (o->joint_count > 0)
        {
            o->joints(o->data, s->q + s->layout->q_start[s->layout->body_block_count + i], s->joint_bias + row,
                      s->joint_gradient);
        }
        for (int k = 0; k < o->joint_count; ++k)
        {
            s->joint_bias[row] = -factor * s->joint_bias[row];
            ++row;
        }
    }
}

cairn_status crn_list_closed(cairn_simulation *s, double h, double unknowns, crn_input *in)
{
    /* The linearised correction of paper 1, section 10.4: drift is O(h^3) a step, so that gap/h keeps the order. A part of a
       step corrects at the same rate, or a short one would turn drift into a kick. */
    bool correct = s->settings.stabilisation == CAIRN_STABILISE_GAP && isfinite(h);
    double factor = correct ? unknowns / fmax(h, s->settings.step) : 0.0;
    double reach =
        s->settings.events && isfinite(h) ? h : 0.0; /* an impact lasts no time: all that touches takes part */
    /* the second stage of stiff2 carries a jump of the first one on, by sqrt(2) */
    bool carries = s->settings.integrator == CAIRN_INTEGRATOR_STIFF2;
    double push_out = s->settings.push_out_speed / (carries ? 1.0 + sqrt(2.0) : 1.0);
    s->closed.count = 0;
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < s->contact_count && status == CAIRN_OK; ++i)
    {
        const crn_contact *contact = &s->contacts[i];
        if (is_closed(s, contact->identity, contact->gap, normal_velocity(s, contact), reach))
        {
            status = push_closed(s, contact->identity, fmax(factor * contact->gap, -push_out));
        }
    }
    for (int i = 0; i < (int)s->model->system_count && status == CAIRN_OK; ++i)
    {
        status = close_system_gaps(s, i, factor, reach);
    }
    correct_joints(s, factor);
    in->closed = s->closed.identity;
    in->closed_bias = s->closed.bias;
    in->closed_count = s->closed.count;
    in->hold_closed = true;
    in->only_closed = s->settings.events && !s->storm;
    in->joint_bias = s->joint_bias;
    return status;
}
