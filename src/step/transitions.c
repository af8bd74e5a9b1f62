/* Transitions of a contact between stick, slip and open within a step (paper 1, section 7.5).
 *
 * The mode of every closed contact is remembered from the step before. When a step's solution shows another mode somewhere,
 * the step is computed again over shorter lengths with the old modes held (solve/hold.h: a linear system, the paper's
 * fixed basis). Held modes stay right while
 *
 *     slip    the contact still slides the way it did: u_t . s / |u_t at the start| >= 0,  s its direction at the start
 *     stick   friction suffices: 1 - |r_t| / (mu r_n) >= 0, in the law's own norm
 *     both    it is still pressed together: r_n / (r_n at the start) >= 0
 *
 * The smallest of these is F(length); F = 0 is where a transition happens, found by a bracketed secant method. The step is
 * taken up to there, and the scheme starts again.
 */
#include "base/memory.h"
#include "step/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* u_t and r of contact j of a stage; the mode they show. */
static crn_contact_mode read_mode(const cairn_simulation *s, const crn_stage *stage, int j, double velocity_scale)
{
    const cairn_problem *problem = &stage->assembly.problem;
    const double *r = stage->solution.r + j * problem->dim;
    crn_contact_mode mode = {.identity = stage->assembly.active[j].identity, .r_n = r[0]};
    for (int i = 1; i < problem->dim; ++i)
    {
        mode.u_t[i - 1] = crn_contact_rate(s, stage, j, i, stage->solution.v);
        mode.r_t[i - 1] = r[i];
    }
    mode.speed = hypot(mode.u_t[0], mode.u_t[1]);
    bool slides = mode.speed > 1e-10 * velocity_scale || !(problem->mu[j] > 0);
    mode.hold.mode = r[0] > 0 ? (slides ? CRN_MODE_SLIP : CRN_MODE_STICK) : CRN_MODE_OPEN;
    mode.hold.friction[0] = r[0] > 0 ? mode.r_t[0] / r[0] : 0.0;
    mode.hold.friction[1] = r[0] > 0 ? mode.r_t[1] / r[0] : 0.0;
    mode.mu = problem->mu[j];
    return mode;
}

static int compare(const void *a, const void *b)
{
    const crn_contact_mode *x = a;
    const crn_contact_mode *y = b;
    return (x->identity > y->identity) - (x->identity < y->identity);
}

cairn_status crn_remember_modes(cairn_simulation *s)
{
    const crn_stage *stage = crn_last_stage(s);
    int count = stage->assembly.problem.contact_count;
    s->mode_count = 0;
    if (crn_reserve(&s->modes, &s->mode_capacity, (size_t)count + 1, sizeof(crn_contact_mode)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->t);
    }
    for (int j = 0; j < count; ++j)
    {
        s->modes[s->mode_count++] = read_mode(s, stage, j, s->velocity_scale);
    }
    qsort(s->modes, (size_t)s->mode_count, sizeof *s->modes, compare);
    return CAIRN_OK;
}

static const crn_contact_mode *find(const cairn_simulation *s, uint64_t identity)
{
    crn_contact_mode key = {.identity = identity};
    return s->mode_count > 0 ? bsearch(&key, s->modes, (size_t)s->mode_count, sizeof key, compare) : NULL;
}

/* What changed at a contact between the remembered mode and the one the new solution shows; false when nothing did. */
static bool changed(const crn_contact_mode *old, const crn_contact_mode *now, cairn_event_kind *kind)
{
    if (old->hold.mode == CRN_MODE_OPEN)
    {
        return false; /* it closed: that is a collision, or it only touched */
    }
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

bool crn_modes_changed(const cairn_simulation *s, cairn_event *event)
{
    const crn_stage *stage = crn_last_stage(s);
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        const crn_contact *contact = &stage->assembly.active[j];
        const crn_contact_mode *old = find(s, contact->identity);
        crn_contact_mode now = read_mode(s, stage, j, s->velocity_scale);
        if (old && changed(old, &now, &event->kind))
        {
            event->contact = contact->identity;
            event->a.id = contact->body_a + 1;
            event->b.id = contact->body_b + 1;
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
    if (crn_reserve(&s->hold, &s->hold_capacity, (size_t)count + 1, sizeof(crn_hold)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->t);
    }
    for (int j = 0; j < count; ++j)
    {
        const crn_contact_mode *mode = find(s, assembly->active[j].identity);
        s->hold[j] = mode ? mode->hold : (crn_hold){CRN_MODE_OPEN, {0, 0}};
    }
    bool regular = false;
    cairn_status status = crn_solver_hold(stage->solver, &assembly->problem, s->hold, &stage->solution, &regular);
    s->held_regular = s->held_regular && regular;
    if (status == CAIRN_OK && !regular)
    {
        /* no unique answer: the values of the step before keep the arithmetic going; the caller gives up */
        return CAIRN_UNSOLVED;
    }
    return status;
}

/* |r_t| in the norm whose unit ball is the law's friction set. */
static double friction_norm(cairn_law law, int dim, const double r_t[2])
{
    if (dim == 2)
    {
        return fabs(r_t[0]);
    }
    if (law.kind == CAIRN_LAW_BOX)
    {
        return fmax(fabs(r_t[0]), fabs(r_t[1]));
    }
    if (law.kind == CAIRN_LAW_CONE)
    {
        return hypot(r_t[0], r_t[1]);
    }
    double pi = acos(-1.0), largest = 0;
    for (int k = 0; k < law.directions; ++k)
    {
        double angle = (2 * k + 1) * pi / law.directions; /* normal of the edge between two directions */
        largest = fmax(largest, r_t[0] * cos(angle) + r_t[1] * sin(angle));
    }
    return largest / cos(pi / law.directions);
}

/* F of the held step just computed. */
static double feasibility(const cairn_simulation *s)
{
    const crn_stage *stage = crn_last_stage(s);
    double least = INFINITY;
    for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
    {
        const crn_contact_mode *old = find(s, stage->assembly.active[j].identity);
        if (!old || old->hold.mode == CRN_MODE_OPEN)
        {
            continue;
        }
        crn_contact_mode now = read_mode(s, stage, j, s->velocity_scale);
        least = fmin(least, now.r_n / old->r_n);
        if (old->hold.mode == CRN_MODE_SLIP && old->mu > 0 && old->speed > 0)
        {
            double along = now.u_t[0] * old->u_t[0] + now.u_t[1] * old->u_t[1];
            least = fmin(least, along / (old->speed * old->speed));
        }
        if (old->hold.mode == CRN_MODE_STICK && now.r_n > 0)
        {
            double used = friction_norm(s->settings.law, stage->assembly.problem.dim, now.r_t);
            least = fmin(least, 1 - used / (old->mu * now.r_n));
        }
    }
    return least;
}

/* A step of `length` with modes held; false when they determine no solution. */
static bool held_step(cairn_simulation *s, double length, double *F)
{
    cairn_solver_report ignored = {0};
    s->holding = true;
    s->held_regular = true;
    cairn_status status = crn_advance(s, length, &ignored);
    s->holding = false;
    *F = status == CAIRN_OK && s->held_regular ? feasibility(s) : NAN;
    return isfinite(*F);
}

bool crn_find_transition(cairn_simulation *s, double h, double *share)
{
    double low = 0, high = 1, F_low = 1, F_high;
    bool found = held_step(s, h, &F_high) && F_high < 0;
    int side = 0;
    for (int i = 0; found && i < 60 && high - low > 1e-13; ++i)
    {
        double middle = low + (high - low) * fmin(fmax(F_low / (F_low - F_high), 0.01), 0.99);
        double F;
        found = held_step(s, middle * h, &F);
        if (!found || F == 0 || fabs(F) < 1e-13)
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
    double F;
    return found && held_step(s, high * h, &F);
}
