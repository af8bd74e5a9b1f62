/* Transitions of a contact between stick, slip and open within a step (Potra et al. 2006, section 7.5).
 *
 * The mode of every closed contact is remembered from the previous step. If a step shows a different mode anywhere, it
 * is recomputed over shorter lengths with the old modes held (solve/hold.h: a linear system, the paper's fixed basis).
 * Held modes remain valid while
 *
 *     slip    the contact still slides the way it did: u_t . s / |u_t at the start| >= 0,  s its direction at the start
 *     stick   friction suffices: 1 - |f_t| / (mu f_n) >= 0, in the law's own norm
 *     both    it is still pressed together: f_n / (f_n at the start) >= 0
 *
 * The smallest of these values is F(length). A transition happens where F = 0, which a bracketed secant method finds.
 * The step is taken up to there, and the scheme starts again.
 *
 * The force f at the end of a step cannot be taken from its last stage. The impulse of a single stage is only
 * first-order accurate, and the time of the event would be too. The impulse R(l) of a whole step of length l is
 * accurate to O(l^3), so
 *
 *     f(l) = dR/dl = (R(l (1 + d)) - R(l (1 - d))) / (2 d l) + O(l^2)
 *
 * is of second order. Errors of the rows at the start cancel in the difference. The force can also be extrapolated from
 * the mean forces of this step and the previous one. That reveals a transition which the last stage does not show yet.
 *
 * If F >= 0 at the end of the step, the old modes are valid up to there, whatever the last stage shows. They remain the
 * remembered modes, and a contact that they hold stays closed. The transition is then found in the next step.
 */
#include "base/memory.h"
#include "collide/identity.h"
#include "math/secant.h"
#include "model/handles.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SPREAD = 0.125; /* d above */

/* |f_t| in the norm whose unit ball is the law's friction set. */
static double friction_norm(cairn_law law, int dim, const double r_t[2])
{
    assert(dim == 2 || dim == 3);
    if (dim == 2)
        return fabs(r_t[0]);
    if (law.kind == CAIRN_LAW_BOX)
        return fmax(fabs(r_t[0]), fabs(r_t[1]));
    if (law.kind == CAIRN_LAW_CONE)
        return hypot(r_t[0], r_t[1]);
    double pi = acos(-1.0), largest = 0;
    for (int k = 0; k < law.directions; ++k)
    {
        double angle = (2 * k + 1) * pi / law.directions; /* normal of the edge between two directions */
        largest = fmax(largest, r_t[0] * cos(angle) + r_t[1] * sin(angle));
    }
    return largest / cos(pi / law.directions);
}

/* The impulse over the whole step of a contact of the last stage: the weighted sum of its impulses in all stages. */
static void whole_impulse(const cairn_simulation *s, int j, double impulse[3])
{
    assert(j >= 0 && j < crn_last_stage(s)->assembly.problem.contact_count);
    const crn_stage *last = crn_last_stage(s);
    int dim = last->assembly.problem.dim;
    uint64_t identity = last->assembly.active[j].identity;
    memset(impulse, 0, 3 * sizeof(double));
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_stage *stage = &s->stage[k];
        int i = stage == last ? j
                              : crn_identity_find(stage->assembly.problem.identity,
                                                  stage->assembly.problem.contact_count, identity);
        for (int c = 0; c < dim && i >= 0; ++c)
            impulse[c] += stage->weight * stage->solution.r[i * dim + c];
    }
}

/* A contact slides if it moves faster than the solver's tolerance explains, or if it moves and friction is at its
 * limit. */
static bool slides(const cairn_simulation *s, const cairn_problem *problem, int j, const double *r, double speed)
{
    if (!(problem->mu[j] > 0))
        return true;
    double used = friction_norm(s->settings.law, problem->dim, r + 1) / (problem->mu[j] * r[0]);
    bool moves = speed > 100 * s->settings.solver.tolerance * s->state.velocity_scale;
    return speed > 1e-10 * s->state.velocity_scale && (moves || used > 1 - 1e-4);
}

/* Velocity and mode of contact j as the solution of a stage shows them. */
static crn_contact_mode read_mode(const cairn_simulation *s, const crn_stage *stage, int j)
{
    if (!crn_is_gap(&stage->assembly, j))
        return crn_read_row_mode(s, stage, j);
    const cairn_problem *problem = &stage->assembly.problem;
    double r[3] = {0};
    memcpy(r, stage->solution.r + j * problem->dim, (size_t)problem->dim * sizeof(double));
    crn_contact_mode mode = {.identity = stage->assembly.active[j].identity, .mu = problem->mu[j]};
    for (int i = 1; i < problem->dim; ++i)
        mode.u_t[i - 1] = crn_contact_rate(s, stage, j, i, stage->solution.v);
    mode.speed = hypot(mode.u_t[0], mode.u_t[1]);
    mode.hold.mode = !crn_presses(s, stage, j)              ? CRN_MODE_OPEN
                     : slides(s, problem, j, r, mode.speed) ? CRN_MODE_SLIP
                                                            : CRN_MODE_STICK;
    mode.hold.friction[0] = r[0] > 0 ? r[1] / r[0] : 0.0;
    mode.hold.friction[1] = r[0] > 0 ? r[2] / r[0] : 0.0;
    return mode;
}

static int compare(const void *a, const void *b)
{
    const crn_contact_mode *x = a;
    const crn_contact_mode *y = b;
    return (x->identity > y->identity) - (x->identity < y->identity);
}

cairn_status crn_remember_modes(cairn_simulation *s, double h)
{
    const crn_stage *stage = crn_last_stage(s);
    int count = stage->assembly.problem.contact_count;
    s->state.mode_count = 0;
    s->state.mode_h = h;
    if (crn_reserve(&s->state.modes, &s->state.mode_capacity, (size_t)count + 1, sizeof(crn_contact_mode)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    for (int j = 0; j < count; ++j)
    {
        crn_contact_mode mode = read_mode(s, stage, j);
        double impulse[3];
        whole_impulse(s, j, impulse);
        for (int k = 0; k < 3; ++k)
            mode.force[k] = impulse[k] / h;
        s->state.modes[s->state.mode_count++] = mode;
    }
    qsort(s->state.modes, (size_t)s->state.mode_count, sizeof *s->state.modes, compare);
    return CAIRN_OK;
}

static crn_contact_mode *find(const cairn_simulation *s, uint64_t identity)
{
    size_t count = (size_t)s->state.mode_count;
    const uint64_t *first = count > 0 ? &s->state.modes->identity : NULL;
    int at = crn_identity_search(first, count, sizeof *s->state.modes, identity);
    return at < 0 ? NULL : &s->state.modes[at];
}

/* Modes never hold contacts in scheme II. Its law applies to the mean velocity of a step, so a separating contact that
 * is held comes back at the same speed. */
bool crn_mode_holds(const cairn_simulation *s, uint64_t identity)
{
    bool reflects = crn_scheme_of(s->settings.integrator)->reflects;
    const crn_contact_mode *mode = s->search.modes_hold && !reflects ? find(s, identity) : NULL;
    return mode && (mode->hold.mode == CRN_MODE_STICK || mode->hold.mode == CRN_MODE_SLIP);
}

bool crn_contact_lost(const cairn_simulation *s, uint64_t identity)
{
    const crn_stage *stage = crn_last_stage(s);
    const cairn_problem *problem = &stage->assembly.problem;
    int j = crn_identity_find(problem->identity, problem->contact_count, identity);
    return j >= 0 && !crn_presses(s, stage, j) && !crn_mode_holds(s, identity);
}

void crn_keep_modes(cairn_simulation *s, double h)
{
    const crn_stage *stage = crn_last_stage(s);
    s->state.mode_h = h;
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        crn_contact_mode *mode = find(s, stage->assembly.active[j].identity);
        double impulse[3];
        whole_impulse(s, j, impulse);
        for (int k = 0; k < 3 && mode; ++k)
            mode->force[k] = impulse[k] / h;
    }
}

/* What changed at a contact from the remembered mode to that of the new solution. Returns false if nothing did. */
static bool changed(const crn_stage *stage, int j, const crn_contact_mode *old, const crn_contact_mode *now,
                    cairn_event_kind *kind)
{
    if (old->hold.mode >= CRN_MODE_BETWEEN)
        return crn_row_changed(stage, j, old, now, kind);
    if (old->hold.mode == CRN_MODE_OPEN)
        return false; /* it closed, which is a collision, or it merely touched */
    if (now->hold.mode == CRN_MODE_OPEN)
    {
        *kind = CAIRN_EVENT_TAKE_OFF;
        return true;
    }
    if (old->hold.mode != now->hold.mode)
    {
        *kind = now->hold.mode == CRN_MODE_STICK ? CAIRN_EVENT_STICK : CAIRN_EVENT_SLIP;
        return true;
    }
    double along = old->u_t[0] * now->u_t[0] + old->u_t[1] * now->u_t[1];
    *kind = CAIRN_EVENT_TURN;
    return old->hold.mode == CRN_MODE_SLIP && old->mu > 0 && along < 0;
}

/* Whether a contact that still shows its old mode is about to change it, because its force extrapolated to the end of
 * the step no longer allows that mode. */
static bool is_due(const cairn_simulation *s, const crn_contact_mode *old, int j, double h, cairn_event_kind *kind)
{
    double impulse[3], end[3];
    whole_impulse(s, j, impulse);
    for (int k = 0; k < 3; ++k)
    {
        double mean = impulse[k] / h;
        end[k] = mean + (mean - old->force[k]) * h / (h + s->state.mode_h);
    }
    if (old->hold.mode >= CRN_MODE_BETWEEN)
    {
        *kind = CAIRN_EVENT_SLIP;
        return old->hold.mode == CRN_MODE_BETWEEN && crn_row_feasibility(s, crn_last_stage(s), old, j, end[0]) < 0;
    }
    *kind = end[0] < 0 ? CAIRN_EVENT_TAKE_OFF : CAIRN_EVENT_SLIP;
    bool slips = old->hold.mode == CRN_MODE_STICK &&
                 friction_norm(s->settings.law, crn_last_stage(s)->assembly.problem.dim, end + 1) > old->mu * end[0];
    return old->hold.mode != CRN_MODE_OPEN && old->force[0] > 0 && (end[0] < 0 || slips);
}

bool crn_modes_changed(const cairn_simulation *s, double h, cairn_event *event)
{
    const crn_stage *stage = crn_last_stage(s);
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        const crn_contact *contact = &stage->assembly.active[j];
        const crn_contact_mode *old = find(s, contact->identity);
        crn_contact_mode now = read_mode(s, stage, j);
        if (old && (changed(stage, j, old, &now, &event->kind) || is_due(s, old, j, h, &event->kind)))
        {
            event->contact = contact->identity;
            event->a = crn_body_handle(s->model, contact->body_a);
            event->b = crn_body_handle(s->model, contact->body_b);
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------ held modes */

cairn_status crn_solve_held(cairn_simulation *s, crn_stage *stage)
{
    const crn_assembly *assembly = &stage->assembly;
    int count = assembly->problem.contact_count;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(s->search.hold, count)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    for (int j = 0; j < count; ++j)
    {
        const crn_contact_mode *mode = find(s, assembly->active[j].identity);
        s->search.hold[j] = !crn_is_gap(assembly, j) ? crn_row_hold(stage, j, mode)
                            : mode                   ? mode->hold
                                                     : (crn_hold){CRN_MODE_OPEN, {0, 0}};
    }
    bool regular = false;
    cairn_status status =
        crn_solver_hold(stage->solver, &assembly->problem, s->search.hold, &stage->solution, &regular);
    s->search.held_regular = s->search.held_regular && regular;
    if (status == CAIRN_OK && !regular)
    {
        /* No unique solution. The values of the previous step keep the arithmetic going, and the caller gives up. */
        return CAIRN_UNSOLVED;
    }
    return status;
}

/* Compute a step of `length` with the modes held. Returns false if they do not determine a solution. */
static bool held_step(cairn_simulation *s, double length)
{
    assert(length > 0);
    assert(!s->search.holding);
    cairn_solver_report ignored = {0};
    s->search.holding = true;
    s->search.held_regular = true;
    cairn_status status = crn_advance(s, length, &ignored);
    s->search.holding = false;
    s->search.look.share = s->search.look.new_share = NAN;
    return status == CAIRN_OK && s->search.held_regular;
}

/* Keep the impulses of the held step just computed, as the first or second of the two that determine the forces. */
static void keep_impulses(cairn_simulation *s, int which)
{
    const crn_stage *stage = crn_last_stage(s);
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        crn_contact_mode *mode = find(s, stage->assembly.active[j].identity);
        if (mode)
            whole_impulse(s, j, mode->impulse[which]);
    }
}

/* F of one contact, given its force f at the end of the held step just computed. */
static double feasibility_of(const cairn_simulation *s, const crn_contact_mode *old, int j, const double f[3])
{
    const crn_stage *stage = crn_last_stage(s);
    if (!crn_is_gap(&stage->assembly, j))
        return crn_row_feasibility(s, stage, old, j, f[0]);
    crn_contact_mode now = read_mode(s, stage, j);
    double least = f[0] / fmax(old->force[0], 1e-300);
    if (old->hold.mode == CRN_MODE_SLIP && old->mu > 0 && old->speed > 0)
    {
        double along = now.u_t[0] * old->u_t[0] + now.u_t[1] * old->u_t[1];
        least = fmin(least, along / (old->speed * old->speed));
    }
    if (old->hold.mode == CRN_MODE_STICK && f[0] > 0)
    {
        double used = friction_norm(s->settings.law, stage->assembly.problem.dim, f + 1);
        least = fmin(least, 1 - used / (old->mu * f[0]));
    }
    return least;
}

/* F of a held step of `length`; q_new and v_new then belong to it. NAN if the modes do not determine a solution. */
static double feasibility(cairn_simulation *s, double length)
{
    for (int side = 0; side < 2; ++side)
    {
        if (!held_step(s, length * (side == 0 ? 1 - SPREAD : 1 + SPREAD)))
            return NAN;
        keep_impulses(s, side);
    }
    if (!held_step(s, length))
        return NAN;
    const crn_stage *stage = crn_last_stage(s);
    double least = INFINITY;
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        const crn_contact_mode *old = find(s, stage->assembly.active[j].identity);
        double f[3];
        for (int k = 0; old && k < 3; ++k)
            f[k] = (old->impulse[1][k] - old->impulse[0][k]) / (2 * SPREAD * length);
        bool closed = old && old->hold.mode != CRN_MODE_OPEN;
        least = closed ? fmin(least, feasibility_of(s, old, j, f)) : least;
    }
    return least;
}

crn_transition crn_find_transition(cairn_simulation *s, double h, double *share)
{
    assert(h > 0);
    assert(s->state.mode_count > 0);
    double low = 0, high = 1, F_low = 1, F_high = feasibility(s, h);
    if (!(F_high < 0))
        return isnan(F_high) ? CRN_TRANSITION_UNKNOWN : CRN_TRANSITION_LATER;
    int side = 0;
    for (int i = 0; i < 60 && high - low > 1e-13; ++i)
    {
        double middle = crn_secant(low, F_low, high, F_high, 0.01);
        double F = feasibility(s, middle * h);
        if (isnan(F))
            return CRN_TRANSITION_UNKNOWN;
        if (fabs(F) < 1e-12)
        {
            high = middle;
            break;
        }
        bool before = F > 0;
        if (before)
        {
            low = middle;
            F_low = F;
            F_high = side == 1 ? 0.5 * F_high : F_high;
        }
        else
        {
            high = middle;
            F_high = F;
            F_low = side == -1 ? 0.5 * F_low : F_low;
        }
        side = before ? 1 : -1;
    }
    *share = high;
    return held_step(s, high * h) ? CRN_TRANSITION_FOUND : CRN_TRANSITION_UNKNOWN;
}
