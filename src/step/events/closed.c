/* Closed contacts: those that a smooth part of a second-order step holds, and those among them that need an impact first.
 *
 * A contact is closed if it was pressed at the end of the previous part; its gap is then drift, whatever its size. It
 * is also closed if its gap is within the tolerance and it does not separate within the part. Both stages of the scheme
 * hold closed contacts at the velocity level.
 *
 * This is correct only while the normal velocity is continuous. stiff2 extrapolates from its first stage to the second
 * by (1 - g)/g, and scheme II reflects. A contact that still approaches at the start of a part would therefore leave at
 * 1.41 or 1.0 times its approach speed, and the certificate would not show it. So a velocity jump must never pass
 * through a smooth stage. `crn_must_strike` finds the contacts that approach, and those whose rate has jumped since the
 * end of the previous part because a driven body started abruptly. An impact then resolves the jump before the smooth
 * part (impact.c).
 */
#include "base/memory.h"
#include "collide/identity.h"
#include "formulate/joints.h"
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- pressed contacts */

static int compare_identities(const void *a, const void *b)
{
    const crn_contact *x = a;
    const crn_contact *y = b;
    return (x->identity > y->identity) - (x->identity < y->identity);
}

const crn_contact *crn_find_pressed(const cairn_simulation *s, uint64_t identity)
{
    return crn_find_contact(s->state.pressed, s->state.pressed_count, identity);
}

static cairn_status push_pressed(cairn_simulation *s, const crn_contact *contact)
{
    if (crn_reserve(&s->state.pressed, &s->state.pressed_capacity, (size_t)s->state.pressed_count + 1,
                    sizeof *s->state.pressed))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    s->state.pressed[s->state.pressed_count++] = *contact;
    return CAIRN_OK;
}

void crn_sort_pressed(cairn_simulation *s)
{
    if (s->state.pressed_count > 1)
        qsort(s->state.pressed, (size_t)s->state.pressed_count, sizeof *s->state.pressed, compare_identities);
}

/* A positive impulse alone does not mean that a contact presses. The solver's tolerance may leave an impulse at a
 * contact that opens. A contact that bounced has an impulse too, but separates faster than an overlap is pushed out. */
bool crn_presses(const cairn_simulation *s, const crn_stage *stage, int j)
{
    assert(j >= 0 && j < stage->assembly.problem.contact_count);
    const cairn_problem *problem = &stage->assembly.problem;
    double noise = fmax(1e-9, 10 * s->settings.solver.tolerance) * s->state.velocity_scale;
    double rate = crn_contact_rate(s, stage, j, 0, stage->solution.v);
    double opens = problem->w[j * problem->dim] - stage->assembly.contact_drive[j][0] + rate;
    double out = 1.01 * fmax(-stage->assembly.active[j].gap, 0.0) / s->settings.step;
    bool bounced = !s->settings.events && rate > out + noise;
    return stage->solution.r[j * problem->dim] > 0 && opens <= noise && !bounced;
}

cairn_status crn_remember_pressed(cairn_simulation *s, bool impact)
{
    const crn_stage *stage = crn_last_stage(s);
    const cairn_problem *problem = &stage->assembly.problem;
    cairn_status status = CAIRN_OK;
    s->state.pressed_count = 0;
    for (int j = 0; j < problem->contact_count && status == CAIRN_OK; ++j)
    {
        if (!crn_is_gap(&stage->assembly, j))
            continue;
        bool parts = impact && crn_contact_rate(s, stage, j, 0, s->state.v) > 1e-9 * s->state.velocity_scale;
        bool holds = !impact && crn_mode_holds(s, stage->assembly.active[j].identity);
        bool presses = impact ? stage->solution.r[j * problem->dim] > 0 : holds || crn_presses(s, stage, j);
        if (presses && !parts)
            status = push_pressed(s, &stage->assembly.active[j]);
    }
    crn_sort_pressed(s);
    return status;
}

/* ------------------------------------------------------------------------------------------------ closed contacts */

/* Rates of a contact at the state. */
typedef struct rates
{
    double u_n, jump, speed;
} rates;

static cairn_status push_closed(cairn_simulation *s, uint64_t identity, double gap, rates motion)
{
    crn_closed *closed = &s->search.closed;
    int need = closed->count + 1;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(closed->identity, need), CRN_ARRAY(closed->bias, need),
                        CRN_ARRAY(closed->gap, need), CRN_ARRAY(closed->rate, need), CRN_ARRAY(closed->jump, need),
                        CRN_ARRAY(closed->speed, need)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    closed->identity[closed->count] = identity;
    closed->gap[closed->count] = gap;
    closed->rate[closed->count] = motion.u_n;
    closed->jump[closed->count] = motion.jump;
    closed->speed[closed->count++] = motion.speed;
    return CAIRN_OK;
}

/* Whether a contact closes at the collision that was just found. */
static bool was_struck(const cairn_simulation *s, uint64_t identity)
{
    for (int i = 0; i < s->search.struck_count; ++i)
        if (s->search.struck[i] == identity)
            return true;
    return false;
}

static bool is_closed(const cairn_simulation *s, uint64_t identity, double gap, double u_n, double reach)
{
    double tolerance = s->settings.contact_tolerance;
    bool touches = gap <= tolerance && !(fmin(gap, 0.0) + u_n * reach > 10 * tolerance);
    return touches || crn_find_pressed(s, identity) || (!(reach > 0) && was_struck(s, identity));
}

/* The frame of the state, with the velocities of driven bodies taken just before or just after it. */
static crn_frame frame_now(cairn_simulation *s, bool before)
{
    crn_frame frame = s->located.frame;
    if (frame.drive)
        frame.drive = before ? s->search.drive_before : s->search.drive_now;
    (before ? crn_frame_drive_before : crn_frame_drive_now)(&frame, s->layout);
    return frame;
}

/* Normal velocity of a contact at the state. Its rounding error scales with `speed`, which sums the speeds of both
 * bodies and of their points. */
static rates rates_of(const cairn_simulation *s, const crn_frame *now, const crn_frame *before,
                      const crn_contact *contact)
{
    crn_gradient gradient;
    crn_gradient_point(now, &gradient, 0, contact->body_a, contact->point_a, contact->normal, 1);
    crn_gradient_point(now, &gradient, 1, contact->body_b, contact->point_b, contact->normal, -1);
    crn_motion a = crn_motion_of(s, contact->body_a, s->state.v, 1.0),
               b = crn_motion_of(s, contact->body_b, s->state.v, 1.0);
    double drive = crn_contact_drive(now, contact, contact->normal, &gradient);
    return (rates){
        .u_n = crn_gradient_rate(s->layout, &gradient, s->state.v) + drive,
        .jump = drive - crn_contact_drive(before, contact, contact->normal, &gradient),
        .speed = crn_norm3(a.travel) + crn_norm3(b.travel) + a.turn + b.turn,
    };
}

static cairn_status close_system_gaps(cairn_simulation *s, int system, double reach)
{
    const cairn_system_options *o = &s->model->systems[system].options;
    crn_assembly *assembly = &s->stage[0].assembly;
    size_t gaps = (size_t)o->gap_count, n = (size_t)o->n;
    if (gaps == 0)
        return CAIRN_OK;
    if (crn_reserve_all(&assembly->memory,
                        CRN_ARRAY(assembly->scratch, gaps * (1 + n * (1 + (size_t)o->tangent_count)))))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    double *phi = assembly->scratch;
    const double *v = s->state.v + s->layout->block_start[s->layout->body_block_count + system];
    o->gaps(o->data, s->state.q + s->layout->q_start[s->layout->body_block_count + system], phi, phi + gaps,
            o->tangent_count > 0 ? phi + gaps * (1 + n) : NULL);
    for (size_t i = 0; i < gaps; ++i)
    {
        rates motion = {0};
        for (size_t k = 0; k < n; ++k)
        {
            motion.u_n += phi[gaps + i * n + k] * v[k];
            motion.speed += fabs(phi[gaps + i * n + k] * v[k]);
        }
        uint64_t identity = crn_gap_identity(system, (int)i);
        if (is_closed(s, identity, phi[i], motion.u_n, reach) && push_closed(s, identity, phi[i], motion))
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

/* The time within which a contact must separate to count as open. For a smooth part this is its length. An impact takes
 * no time: every touching contact takes part in it, and so does every contact found to close at that collision. */
static double reach_of(double h)
{
    return isfinite(h) ? h : 0.0;
}

cairn_status crn_close_contacts(cairn_simulation *s, double h)
{
    double reach = reach_of(h);
    size_t driven = s->layout->drives ? s->model->body_count : 0;
    cairn_status status =
        crn_reserve_all(&s->memory, CRN_ARRAY(s->search.drive_now, driven), CRN_ARRAY(s->search.drive_before, driven));
    if (status)
        return crn_fail(s->context, status, "step at t = %g: memory ran out", s->state.t);
    crn_frame now = frame_now(s, false), before = frame_now(s, true);
    s->search.closed.count = 0;
    for (int i = 0; i < s->located.contact_count && status == CAIRN_OK; ++i)
    {
        const crn_contact *contact = &s->located.contacts[i];
        rates motion = rates_of(s, &now, &before, contact);
        if (is_closed(s, contact->identity, contact->gap, motion.u_n, reach) &&
            !crn_is_passed(s, contact, s->located.contacts, s->located.contact_count))
            status = push_closed(s, contact->identity, contact->gap, motion);
    }
    for (int i = 0; i < (int)s->model->system_count && status == CAIRN_OK; ++i)
        status = close_system_gaps(s, i, reach);
    int limits = crn_list_limits(s, &now, s->state.v);
    for (int i = 0; i < limits && status == CAIRN_OK; ++i)
    {
        const crn_limit *limit = &s->search.limits[i];
        rates motion = {.u_n = limit->rate, .speed = limit->speed};
        if (is_closed(s, limit->identity, limit->gap, limit->rate, reach))
            status = push_closed(s, limit->identity, limit->gap, motion);
    }
    return status;
}

/* Set the right-hand side b of every joint row so that drift is removed over the step. */
static void correct_joints(cairn_simulation *s, double factor)
{
    int row = 0;
    for (int j = 0; j < (int)s->model->joint_count; ++j)
    {
        crn_joint_rows rows;
        crn_joint_evaluate(s->model, &s->located.frame, j, &rows);
        for (int i = 0; i < rows.equations; ++i)
            s->trial.joint_bias[row++] = -factor * rows.theta[i];
    }
    for (int i = 0; i < (int)s->model->system_count; ++i)
    {
        const cairn_system_options *o = &s->model->systems[i].options;
        if (o->joint_count > 0)
        {
            o->joints(o->data, s->state.q + s->layout->q_start[s->layout->body_block_count + i],
                      s->trial.joint_bias + row, s->trial.joint_gradient);
        }
        for (int k = 0; k < o->joint_count; ++k)
        {
            s->trial.joint_bias[row] = -factor * s->trial.joint_bias[row];
            ++row;
        }
    }
}

void crn_list_closed(cairn_simulation *s, double h, double unknowns, double ahead, crn_input *in)
{
    assert(unknowns == 1 || unknowns == 2);
    assert(h > 0 && ahead >= 0);
    /* The linearised correction of Potra et al. 2006, section 10.4. Drift is O(h^3) per step, so gap/h preserves the
     * order. A part of a step corrects at the rate of a whole step, because a short part would otherwise turn drift
     * into a kick. Scheme I moves by (v + v+)/2 and corrects by v+: with gaps where its rows are, in the middle of the step, they are closed
     * in two steps. Those of the start would swing through 1, 1/2, -1/4, -3/8 into overlap. */
    bool correct = s->settings.stabilisation == CAIRN_STABILISE_GAP && isfinite(h);
    double factor = correct ? unknowns / fmax(h, s->settings.step) : 0.0;
    double push_out = s->settings.push_out_speed / crn_scheme_of(s->settings.integrator)->jump_growth;
    for (int i = 0; i < s->search.closed.count; ++i)
    {
        double gap = s->search.closed.gap[i] + ahead * s->search.closed.rate[i];
        s->search.closed.bias[i] = fmax(factor * gap, -push_out);
    }
    correct_joints(s, factor);
    in->closed = s->search.closed.identity;
    in->closed_bias = s->search.closed.bias;
    in->closed_count = s->search.closed.count;
    in->hold_closed = true;
    in->only_closed = s->settings.events;
    in->joint_bias = s->trial.joint_bias;
}

cairn_status crn_must_strike(cairn_simulation *s, double h, bool *strike)
{
    *strike = false;
    cairn_status status = crn_close_contacts(s, h);
    double loose = fmin(2 * s->settings.solver.tolerance, 1e-3) * s->state.velocity_scale;
    for (int i = 0; i < s->search.closed.count && status == CAIRN_OK; ++i)
    {
        double rounding = fmax(1e-8 * (s->search.closed.speed[i] + h * crn_norm3(s->state.gravity)), loose);
        /* a pressed contact approaches by no more than the drift of its rows, unless a driven body jumps */
        bool smooth = !s->state.rough && crn_find_pressed(s, s->search.closed.identity[i]);
        double jump = smooth ? s->search.closed.jump[i] : s->search.closed.rate[i];
        *strike = *strike || (s->search.closed.rate[i] < -rounding && jump < -rounding);
    }
    return status;
}
