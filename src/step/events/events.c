/* A step of a second-order scheme with its events (Potra et al. 2006, sections 7 and 8).
 *
 * The step is taken in smooth parts:
 *
 *     strike      a touching contact that still approaches at the start of a part, or whose rate jumps there, gets an
 *                 impact first (closed.c)
 *     advance     the scheme advances over the rest of the step, or over less if the error tolerance requires it, the
 *                 velocity of a driven body jumps, or the point of a contact swings around its body (rims.c)
 *     look        search for the first gap that closes (collision.c), a contact that runs over an edge (edges.c), and a
 *                 change between stick, slip and open (transitions.c); the part ends at the first of them
 *     verify      contacts do no work on the bodies in a smooth part; if they did, a velocity has jumped within it
 *                 (Painleve's paradox), and the part is repeated with the first-order scheme, which cannot reflect
 *
 * If collisions follow each other more closely than event_floor, as for a ball whose bounces shrink to nothing, the
 * first-order scheme takes the rest of the step without resolving them individually. This is called a storm. Storms and
 * velocity jumps each cost an error of O(h^2) once per event. A second-order scheme can afford finitely many of these.
 */
#include "step/events/events.h"
#include "base/memory.h"
#include "collide/identity.h"
#include "step/schemes/scheme.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_EVENTS = 1000, /* a step with more events is a storm */
    MAX_PARTS = 4000   /* a step that events cut into more parts is a storm too */
};

static const double JUMP_BRACKET = 1e-5; /* fraction of a part: accuracy of the time of a jump */
static const double MOST_SWING = 0.1;    /* sizes of a body: how far a contact's point may swing around it in a part */

static const char *const EVENT_NAME[] = {
    [CAIRN_EVENT_COLLISION] = "collision", [CAIRN_EVENT_STICK] = "stick", [CAIRN_EVENT_SLIP] = "slip",
    [CAIRN_EVENT_TAKE_OFF] = "take-off",   [CAIRN_EVENT_TURN] = "turn",   [CAIRN_EVENT_STORM] = "storm",
    [CAIRN_EVENT_EDGE] = "edge",           [CAIRN_EVENT_JUMP] = "jump",
};

const char *cairn_event_name(cairn_event_kind kind)
{
    return (int)kind >= 0 && kind < CAIRN_EVENT_KINDS ? EVENT_NAME[kind] : "unknown";
}

int cairn_simulation_event_count(const cairn_simulation *s)
{
    return (int)s->state.event_count;
}

cairn_event cairn_simulation_event(const cairn_simulation *s, int index)
{
    cairn_event none = {.kind = CAIRN_EVENT_STORM, .time = NAN};
    return index >= 0 && (size_t)index < s->state.event_count ? s->state.events[index] : none;
}

cairn_status crn_add_event(cairn_simulation *s, const cairn_event *event)
{
    if (crn_reserve(&s->state.events, &s->state.event_capacity, s->state.event_count + 1, sizeof(cairn_event)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "events at t = %g: memory ran out", s->state.t);
    s->state.events[s->state.event_count++] = *event;
    return CAIRN_OK;
}

static cairn_status add_plain_event(cairn_simulation *s, cairn_event_kind kind, double time)
{
    cairn_event event = {.kind = kind, .time = time};
    return crn_add_event(s, &event);
}

/* ---------------------------------------------------------------------------------------------- taking a part */

/* Advance the scheme over h. q_new and v_new are then known to be at the end of the part. */
static cairn_status advance(cairn_simulation *s, double h, cairn_solver_report *report)
{
    s->search.look.share = NAN;
    s->search.modes_hold = false;
    cairn_status status = crn_advance(s, h, report);
    s->search.look.new_share = status ? NAN : 1.0;
    return status;
}

/* Move the state to the fraction tau of the step. On the curve, the impulses of the stages are scaled by tau too. */
static cairn_status accept_share(cairn_simulation *s, double h, double tau, cairn_solver_report *report)
{
    assert(tau >= 0 && tau <= 1);
    assert(h > 0);
    if (!crn_follows_curve(s))
    {
        if (!(tau > 0))
            return CAIRN_OK;
        CRN_TRY(advance(s, tau * h, report));
        return crn_accept(s, tau * h);
    }
    crn_hermite(s, h, tau, s->trial.q_end, s->trial.v_at);
    crn_copy_q(s->layout, s->trial.q_end, s->trial.q_new);
    crn_copy_v(s->layout, s->trial.v_at, s->trial.v_new);
    for (int k = 0; k < s->stage_count; ++k)
        s->stage[k].weight *= tau;
    double error = s->state.energy.balance_error;
    s->search.curve_share = tau;
    cairn_status status = crn_accept(s, tau * h);
    s->search.curve_share = 0;
    /* The scaled impulses do not exactly produce the interpolated velocity. Book the difference as an error of the
     * scheme rather than of the energy balance. */
    s->state.energy.integration += s->state.energy.balance_error - error;
    s->state.energy.balance_error = error;
    return status;
}

/* Take a part with the first-order scheme, which holds every gap in reach and cannot reflect. If `inelastic` is set,
 * nothing bounces in it. */
static cairn_status accept_damped(cairn_simulation *s, double h, bool inelastic, cairn_solver_report *report)
{
    assert(h > 0);
    assert(crn_scheme_of(s->settings.integrator)->storm_scheme);
    CRN_TRY(crn_ensure_located(s, h));
    CRN_TRY(crn_close_contacts(s, h));
    s->trial.inelastic = inelastic;
    s->search.modes_hold = false;
    cairn_status status = crn_scheme_of(s->settings.integrator)->storm_scheme->advance(s, h, report);
    s->trial.inelastic = false;
    s->state.mode_count = 0;
    s->state.rough = true;
    return status ? status : crn_accept(s, h);
}

static cairn_status finish_in_storm(cairn_simulation *s, double h, cairn_solver_report *report)
{
    CRN_TRY(add_plain_event(s, CAIRN_EVENT_STORM, s->state.t));
    return accept_damped(s, h, true, report);
}

/* ------------------------------------------------------------------------------------------------------- events */

/* Look for a transition before the fraction tau of the step just computed, and take the step up to it. *taken tells
 * whether there was one. If not, the step is recomputed, because the search has overwritten the first result. */
static cairn_status take_transition(cairn_simulation *s, double h, double tau, double floor, bool *taken,
                                    cairn_solver_report *report)
{
    cairn_event event = {0};
    *taken = false;
    if (s->state.mode_count == 0 || !crn_modes_changed(s, h, &event))
        return CAIRN_OK;
    double share = 1;
    crn_transition found = crn_find_transition(s, h, &share);
    if (found == CRN_TRANSITION_LATER || (found == CRN_TRANSITION_FOUND && share > tau))
    {
        cairn_status again = advance(s, h, report); /* a collision comes first, or the old modes hold to the end */
        s->search.modes_hold = found == CRN_TRANSITION_LATER && tau >= 1;
        bool lost = s->search.modes_hold && crn_contact_lost(s, event.contact);
        s->search.modes_hold = s->search.modes_hold && !lost;
        event.time = s->state.t + h;
        return again || !lost ? again : crn_add_event(s, &event);
    }
    /* With redundant contacts the modes do not determine the forces: the change is somewhere within the step. */
    event.time = s->state.t + (found == CRN_TRANSITION_FOUND ? share : 1) * h;
    CRN_TRY(crn_add_event(s, &event));
    s->state.mode_count = 0; /* the modes have ended; the next part finds its own */
    if (found != CRN_TRANSITION_FOUND || share * h < floor || (1 - share) * h < floor)
        return advance(s, h, report);
    *taken = true;
    CRN_TRY(advance(s, share * h, report)); /* solve the contact laws: a step with held modes has no certificate */
    return crn_accept(s, share * h);
}

static cairn_status take_collision(cairn_simulation *s, double h, double tau, cairn_solver_report *report)
{
    assert(tau >= 0 && tau < 1);
    CRN_TRY(accept_share(s, h, tau, report));
    CRN_TRY(crn_locate(s, (1 - tau) * h));
    s->state.mode_count = 0;
    CRN_TRY(crn_impact(s, s->settings.law, report));
    s->search.struck_count = 0;
    return CAIRN_OK;
}

/* Take the part up to just before the edge with the old features, then cross the edge in a very short part. */
static cairn_status take_edge(cairn_simulation *s, double h, double before, double after, double floor,
                              cairn_solver_report *report)
{
    assert(before <= after);
    assert(after < 1);
    before = before * h > floor ? before : 0;
    if (before > 0)
    {
        bool taken = false;
        CRN_TRY(advance(s, before * h, report));
        CRN_TRY(take_transition(s, before * h, 1, floor, &taken, report));
        if (taken)
            return CAIRN_OK;
        CRN_TRY(crn_accept(s, before * h));
    }
    CRN_TRY(add_plain_event(s, CAIRN_EVENT_EDGE, s->state.t));
    /* Beyond the edge friction may differ and allow no finite force, so use the scheme that cannot reflect. */
    CRN_TRY(crn_locate(s, (after - before) * h));
    return accept_damped(s, (after - before) * h, true, report);
}

/* Resolve an impact before the smooth part if a closed contact approaches or its rate jumps. */
static cairn_status strike_first(cairn_simulation *s, double h, cairn_solver_report *report)
{
    bool strike = false;
    crn_pass_on_pressed(s);
    CRN_TRY(crn_must_strike(s, h, &strike));
    s->state.rough = false;
    if (!strike)
        return CAIRN_OK;
    s->state.mode_count = 0;
    CRN_TRY(crn_impact(s, s->settings.law, report));
    CRN_TRY(crn_locate(s, h));
    return crn_close_contacts(s, h);
}

/* ----------------------------------------------------------------------------------------------------- the step */

/* stiff2: how far contacts swing in the part just computed, in multiples of what its two stages allow. */
static double swing_of(const cairn_simulation *s)
{
    return crn_follows_curve(s) ? 0.0 : crn_largest_swing(s) / MOST_SWING;
}

/* Advance over `part` of the step, or over less if the error tolerance requires it or points of contacts swing too far. */
static cairn_status try_advance(cairn_simulation *s, double *part, cairn_solver_report *report)
{
    double tolerance = s->settings.error_tolerance;
    double least = s->settings.event_floor * *part;
    *part = crn_follows_curve(s) ? fmax(least, crn_steady_part(s, *part)) : *part;
    for (;;)
    {
        if (s->state.located_h != *part)
        {
            CRN_TRY(crn_locate(s, *part));
            CRN_TRY(crn_close_contacts(s, *part));
        }
        CRN_TRY(advance(s, *part, report));
        CRN_TRY(crn_widen(s, *part, s->trial.v_new));
        crn_copy_v(s->layout, s->trial.v_new, s->search.v_far);
        double swing = swing_of(s);
        if (swing > 1 && *part > least)
        {
            *part = fmax(fmax(0.1, 0.5 / swing) * *part, least);
            continue;
        }
        if (!(tolerance > 0))
            return CAIRN_OK;
        double error = crn_scheme_of(s->settings.integrator)->error(s, *part);
        double factor = 0.9 * cbrt(tolerance / fmax(error, 1e-3 * tolerance));
        s->state.part_length = *part * fmin(fmax(factor, 0.2), 3.0);
        if (error <= tolerance || s->state.part_length < least)
            return CAIRN_OK;
        *part = s->state.part_length;
    }
}

/* The length to try next: the rest of the step, limited by the next velocity jump of a driven body and by the error
 * tolerance. It avoids leaving a sliver at the end. */
static double next_part(const cairn_simulation *s, double left)
{
    double kink = s->located.frame.any_driven
                      ? crn_model_next_kink(s->model, s->state.t, s->state.t + left) - s->state.t
                      : INFINITY;
    left = s->state.t + kink > s->state.t ? fmin(left, kink) : left;
    bool whole = !(s->settings.error_tolerance > 0) || !(s->state.part_length > 0) || s->state.part_length >= left;
    return whole ? left : fmin(s->state.part_length, 0.5 * left);
}

typedef struct progress
{
    double floor;      /* s: events closer together than this are not resolved individually */
    double last_event; /* s */
    double last_jump;  /* s */
    double last_edge;  /* s */
    bool done;         /* a storm took the rest of the step */
} progress;

/* Take the part up to the point where a velocity jumps, which is found by bisection on the length. The first-order
 * scheme then takes the jump itself in a very short part, at the place where it happens. Jumps in quick succession are
 * taken together. */
static cairn_status take_jump(cairn_simulation *s, double part, progress *p, cairn_solver_report *report)
{
    assert(part > 0);
    assert(p->floor > 0);
    double low = 0, high = 1;
    while (high - low > JUMP_BRACKET)
    {
        bool jumped;
        double middle = 0.5 * (low + high);
        CRN_TRY(advance(s, middle * part, report));
        CRN_TRY(crn_velocity_jumped(s, middle * part, true, &jumped));
        *(jumped ? &high : &low) = middle;
    }
    if (low * part > p->floor)
    {
        CRN_TRY(advance(s, low * part, report));
        CRN_TRY(crn_accept(s, low * part));
        CRN_TRY(crn_locate(s, (1 - low) * part));
    }
    low = low * part > p->floor ? low : 0;
    bool again = s->state.t - p->last_jump < 100 * JUMP_BRACKET * part;
    p->last_jump = s->state.t;
    CRN_TRY(add_plain_event(s, CAIRN_EVENT_JUMP, s->state.t));
    return accept_damped(s, again ? (1 - low) * part : 2 * (high - low) * part, true, report);
}

/* Accept the part just computed, unless velocities jumped in it. */
static cairn_status accept_smooth(cairn_simulation *s, double part, progress *p, cairn_solver_report *report)
{
    bool jumped;
    CRN_TRY(crn_velocity_jumped(s, part, false, &jumped));
    if (jumped)
        return take_jump(s, part, p, report);
    CRN_TRY(crn_accept(s, part));
    if (!s->search.modes_hold)
        return crn_remember_modes(s, part);
    crn_keep_modes(s, part);
    return CAIRN_OK;
}

/* Take one part. The first event in it ends it. */
static cairn_status take_part(cairn_simulation *s, double left, progress *p, cairn_solver_report *report)
{
    double tau = 1, part = next_part(s, left), before = 0, after = 0;
    bool taken = false, edge = false;
    if (s->trial.parts > MAX_PARTS && !(s->settings.error_tolerance > 0))
    {
        p->done = true;
        return finish_in_storm(s, left, report);
    }
    CRN_TRY(crn_ensure_located(s, part));
    CRN_TRY(strike_first(s, part, report));
    CRN_TRY(try_advance(s, &part, report));
    CRN_TRY(crn_find_collision(s, part, &tau));
    if (tau != 0)
        CRN_TRY(crn_find_edge(s, part, tau, &before, &after, &edge));
    bool again = !(before * part > p->floor) && s->state.t - p->last_edge < p->floor;
    if (edge && after < 1 && !again)
    {
        p->last_edge = s->state.t + before * part;
        return take_edge(s, part, before, after, p->floor, report);
    }
    if (s->search.look.new_share != 1)
        CRN_TRY(advance(s, part, report));
    CRN_TRY(take_transition(s, part, tau, p->floor, &taken, report));
    if (taken)
        return CAIRN_OK;
    if (tau >= 1)
        return accept_smooth(s, part, p, report);
    if (s->state.t + tau * part - p->last_event < p->floor || s->state.event_count > MAX_EVENTS)
    {
        p->done = true;
        return finish_in_storm(s, left, report);
    }
    CRN_TRY(take_collision(s, part, tau, report));
    p->last_event = s->state.t;
    return CAIRN_OK;
}

cairn_status crn_step_with_events(cairn_simulation *s, double h, cairn_solver_report *report)
{
    progress p = {
        .floor = s->settings.event_floor * h, .last_event = -INFINITY, .last_jump = -INFINITY, .last_edge = -INFINITY};
    double left = h, end = s->state.t + h;
    while (left > 1e-14 * h && !p.done)
    {
        CRN_TRY(take_part(s, left, &p, report));
        left = end - s->state.t;
        s->state.located_h = 0; /* velocities changed, so the margins must be recomputed */
    }
    return CAIRN_OK;
}

/* Whether a contact that was open at the start of the step took an impulse in it. */
static bool something_closed(const cairn_simulation *s)
{
    for (int k = 0; k < s->stage_count; ++k)
    {
        const crn_stage *stage = &s->stage[k];
        for (int j = 0; j < stage->assembly.problem.contact_count; ++j)
        {
            bool open = crn_identity_find(s->search.closed.identity, s->search.closed.count,
                                          stage->assembly.active[j].identity) < 0;
            if (open && stage->solution.r[j * stage->assembly.problem.dim] > 0)
                return true;
        }
    }
    return false;
}

cairn_status crn_step_without_events(cairn_simulation *s, double h, cairn_solver_report *report)
{
    bool strike = false, jumped = false;
    CRN_TRY(crn_ensure_located(s, h));
    if (s->state.rough)
        CRN_TRY(strike_first(s, h, report));
    crn_pass_on_pressed(s);
    CRN_TRY(crn_must_strike(s, h, &strike));
    if (!strike)
        CRN_TRY(advance(s, h, report));
    crn_copy_v(s->layout, s->trial.v_new, s->search.v_far);
    /* only rows evaluated at the start keep fast bodies apart */
    strike = strike || crn_may_pass(s, h) || something_closed(s) || swing_of(s) > 1;
    if (!strike)
        CRN_TRY(crn_velocity_jumped(s, h, false, &jumped));
    return strike || jumped ? accept_damped(s, h, false, report) : crn_accept(s, h);
}
