/* A step of a second-order scheme with its events (paper 1, sections 7 and 8).
 *
 * The scheme advances over what is left of the step. When some gap that was open has become negative at the end, the cubic
 * Hermite curve between both ends is followed to where the first gap closes (7.2), the impact there is resolved, and the
 * scheme starts again from it. Where events come closer than event_floor (a bouncing ball whose jumps shrink to nothing),
 * the rest of the step is taken without telling them apart: a storm.
 */
#include "step/simulation.h"

#include "base/identity.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_EVENTS = 1000, /* a step that has more is a storm */
    MAX_LOOKS = 1000   /* at a step along which bodies may pass through each other */
};

static const char *const EVENT_NAME[] = {
    [CAIRN_EVENT_COLLISION] = "collision", [CAIRN_EVENT_STICK] = "stick", [CAIRN_EVENT_SLIP] = "slip",
    [CAIRN_EVENT_TAKE_OFF] = "take-off",   [CAIRN_EVENT_TURN] = "turn",   [CAIRN_EVENT_STORM] = "storm",
};

const char *cairn_event_name(cairn_event_kind kind)
{
    return (int)kind >= 0 && kind <= CAIRN_EVENT_STORM ? EVENT_NAME[kind] : "unknown";
}

int cairn_simulation_event_count(const cairn_simulation *s)
{
    return (int)s->event_count;
}

cairn_event cairn_simulation_event(const cairn_simulation *s, int index)
{
    cairn_event none = {.kind = CAIRN_EVENT_STORM, .time = NAN};
    return index >= 0 && (size_t)index < s->event_count ? s->events[index] : none;
}

cairn_status crn_add_event(cairn_simulation *s, const cairn_event *event)
{
    if (crn_reserve(&s->events, &s->event_capacity, s->event_count + 1, sizeof(cairn_event)))
    {
        return crn_fail(s->context, CAIRN_NO_MEMORY, "events at t = %g: memory ran out", s->t);
    }
    s->events[s->event_count++] = *event;
    return CAIRN_OK;
}

static bool is_closed(const cairn_simulation *s, uint64_t identity)
{
    return crn_identity_find(s->closed.identity, s->closed.count, identity) >= 0;
}

/* The smallest gap, at coordinates q and time t, of all contacts that were open at the start of the step; and with `share` the
 * share of a step of h that is sure to close none of them. */
static cairn_status look_at(cairn_simulation *s, const double *q, double t, double *smallest, double h, double *share)
{
    crn_frame *frame = &s->projection.frame;
    const crn_contact *contacts;
    int count;
    crn_frame_update(frame, s->layout, q, t, 0.0);
    cairn_status status = crn_collide(s->stage_collider, s->model, frame->pose, &s->reach, &contacts, &count);
    if (status != CAIRN_OK)
    {
        return crn_fail(s->context, status, "collision detection at t = %g failed", t);
    }
    *smallest = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        if (is_closed(s, contacts[i].identity))
        {
            continue;
        }
        *smallest = fmin(*smallest, contacts[i].gap);
        if (share)
        {
            *share = fmin(*share, crn_safe_share(s, &contacts[i], h));
        }
    }
    for (int k = 0; k < (int)s->model->system_count; ++k)
    {
        const cairn_system_options *o = &s->model->systems[k].options;
        size_t gaps = (size_t)o->gap_count, n = (size_t)o->n;
        double *phi = s->stage[0].assembly.scratch; /* large enough since the contacts were listed */
        if (gaps > 0)
        {
            o->gaps(o->data, q + s->layout->q_start[s->layout->body_block_count + k], phi, phi + gaps,
                    o->tangent_count > 0 ? phi + gaps * (1 + n) : NULL);
        }
        for (size_t i = 0; i < gaps; ++i)
        {
            if (phi[i] < *smallest && !is_closed(s, crn_gap_identity(k, (int)i)))
            {
                *smallest = phi[i];
            }
        }
    }
    return CAIRN_OK;
}

static cairn_status smallest_open_gap(cairn_simulation *s, const double *q, double t, double *smallest)
{
    return look_at(s, q, t, smallest, 0.0, NULL);
}

/* The paper follows the cubic Hermite curve between both ends of the step, position and velocity, and so do its schemes here.
 * But the curve's velocity has the position's error divided by h, O(h^2) and depending on where in the step the event falls,
 * and where stiff forces die out within the step the curve is no path at all. stiff2 takes steps of its own to the event. */
static bool follows_curve(const cairn_simulation *s)
{
    return s->settings.integrator != CAIRN_INTEGRATOR_STIFF2;
}

/* The gap at the share tau of h, on the curve or by a step of that length (which q_new and v_new then hold). */
static cairn_status look_ahead(cairn_simulation *s, double h, double tau, double *gap, double *share)
{
    if (follows_curve(s))
    {
        crn_hermite(s, h, tau, s->q_end, s->v_at);
        return look_at(s, s->q_end, s->t + tau * h, gap, h, share);
    }
    cairn_solver_report ignored = {0};
    cairn_status status = tau > 0 ? crn_advance(s, tau * h, &ignored) : CAIRN_OK;
    return status ? status : look_at(s, tau > 0 ? s->q_new : s->q, s->t + tau * h, gap, h, share);
}

static cairn_status gap_at(cairn_simulation *s, double h, double tau, double *gap)
{
    return look_ahead(s, h, tau, gap, NULL);
}

/* Where bodies could pass through each other within the step (passing.c): walk along it to where the first gap has closed, *tau,
 * or where one is negative, *high and *high_gap, or to the end. */
static cairn_status walk(cairn_simulation *s, double h, double *tau, double *high, double *high_gap)
{
    double at = 0.0, gap, share = INFINITY;
    cairn_status status = look_ahead(s, h, at, &gap, &share);
    for (int looks = 0; looks < MAX_LOOKS && status == CAIRN_OK && share > 0.0 && at + share < 1.0; ++looks)
    {
        at += share;
        share = INFINITY;
        status = look_ahead(s, h, at, &gap, &share);
        if (status == CAIRN_OK && gap < -s->settings.contact_tolerance)
        {
            *high = at;
            *high_gap = gap;
            return CAIRN_OK;
        }
        if (status == CAIRN_OK && share == 0.0)
        {
            *tau = at;
            return CAIRN_OK;
        }
    }
    cairn_solver_report ignored = {0};
    return status || follows_curve(s) ? status : crn_advance(s, h, &ignored);
}

/* The first share tau of h at which an open gap is zero, by a bracketed secant (Illinois) on the gap itself; 1 when none
 * closes. The bracket [low, high] keeps gap(low) > 0 >= gap(high). */
static cairn_status find_collision(cairn_simulation *s, double h, double *tau)
{
    double high_gap, low_gap, low = 0, high = 1;
    *tau = 1;
    cairn_status status = smallest_open_gap(s, s->q_new, s->t + h, &high_gap);
    if (status == CAIRN_OK && crn_may_pass(s, h))
    {
        status = walk(s, h, tau, &high, &high_gap);
    }
    if (status != CAIRN_OK || *tau < 1.0 || !(high_gap < -s->settings.contact_tolerance))
    {
        return status;
    }
    /* A contact that has just bounced starts with no gap: look for a time at which it has one, ever nearer to the start. */
    status = gap_at(s, h, 0.0, &low_gap);
    double enough = 1e-3 * s->settings.contact_tolerance;
    for (double share = 0.5; status == CAIRN_OK && !(low_gap > enough) && share > s->settings.event_floor; share *= 0.5)
    {
        status = gap_at(s, h, share, &low_gap);
        low = share;
        high = low_gap > 0 ? high : share;
        high_gap = low_gap > 0 ? high_gap : low_gap;
    }
    if (status != CAIRN_OK || !(low_gap > enough))
    {
        *tau = 0;
        return status;
    }
    /* weights of the secant: the gaps, halved on the side that stays too long */
    double low_weight = low_gap, high_weight = high_gap;
    int side = 0;
    for (int i = 0; i < 100 && high - low > 1e-15 && low_gap > enough; ++i)
    {
        bool bracketed = isfinite(low_weight) && i < 60;
        double middle = bracketed ? low + (high - low) * low_weight / (low_weight - high_weight) : 0.5 * (low + high);
        double gap;
        status = gap_at(s, h, middle, &gap);
        if (status != CAIRN_OK)
        {
            return status;
        }
        if (fabs(gap) <= enough)
        {
            *tau = middle;
            return CAIRN_OK;
        }
        if (gap > 0)
        {
            low = middle;
            low_gap = low_weight = gap;
            high_weight = side == 1 ? 0.5 * high_weight : high_weight;
            side = 1;
        }
        else
        {
            high = middle;
            high_weight = gap;
            low_weight = side == -1 ? 0.5 * low_weight : low_weight;
            side = -1;
        }
    }
    *tau = low;
    return CAIRN_OK;
}

/* Take the state to the share tau of the step; on the curve its stages' impulses count by the same share. */
static cairn_status accept_share(cairn_simulation *s, double h, double tau, cairn_solver_report *report)
{
    if (!follows_curve(s))
    {
        cairn_status status = tau > 0 ? crn_advance(s, tau * h, report) : CAIRN_OK;
        return status || !(tau > 0) ? status : crn_accept(s, tau * h);
    }
    crn_hermite(s, h, tau, s->q_end, s->v_at);
    memcpy(s->q_new, s->q_end, (size_t)s->layout->q_start[s->layout->block_count] * sizeof(double));
    memcpy(s->v_new, s->v_at, (size_t)s->layout->block_start[s->layout->block_count] * sizeof(double));
    for (int k = 0; k < s->stage_count; ++k)
    {
        s->stage[k].weight *= tau;
    }
    double error = s->energy.balance_error;
    cairn_status status = crn_accept(s, tau * h);
    /* an interpolated velocity is not quite what those impulses make: the rest is the scheme's, not a loss of the books */
    s->energy.integration += s->energy.balance_error - error;
    s->energy.balance_error = error;
    return status;
}

/* The rest of a step without looking for events. Where bodies could pass through each other on the way, a first-order step takes
 * it, which holds every gap in reach from its start on; those of second order hold what touches. */
static cairn_status advance_in_storm(cairn_simulation *s, double h, cairn_solver_report *report)
{
    cairn_integrator own = s->settings.integrator;
    cairn_status status = crn_advance(s, h, report);
    if (status == CAIRN_OK && crn_may_pass(s, h))
    {
        s->settings.integrator = own == CAIRN_INTEGRATOR_STIFF2 ? CAIRN_INTEGRATOR_STIFF : CAIRN_INTEGRATOR_EULER;
        status = crn_advance(s, h, report);
        s->settings.integrator = own;
    }
    return status;
}

static cairn_status finish_in_storm(cairn_simulation *s, double h, cairn_solver_report *report)
{
    cairn_event event = {.kind = CAIRN_EVENT_STORM, .time = s->t};
    cairn_status status = crn_add_event(s, &event);
    double threshold = s->settings.restitution_threshold;
    s->storm = true;
    s->settings.restitution_threshold = INFINITY; /* what is left of the bounces is taken out */
    status = status ? status : crn_locate(s, h);
    status = status ? status : advance_in_storm(s, h, report);
    s->settings.restitution_threshold = threshold;
    s->storm = false;
    s->mode_count = 0;
    return status ? status : crn_accept(s, h);
}

/* A transition before the share tau of the step just computed: take the step up to it. *taken tells whether there was one;
 * if not, the step is computed anew, since looking for it has overwritten the first result. */
static cairn_status take_transition(cairn_simulation *s, double h, double tau, double floor, bool *taken,
                                    cairn_solver_report *report)
{
    cairn_event event = {0};
    *taken = false;
    if (s->mode_count == 0 || !crn_modes_changed(s, &event))
    {
        return CAIRN_OK;
    }
    double share = 1;
    bool found = crn_find_transition(s, h, &share);
    if (found && share > tau)
    {
        return crn_advance(s, h, report); /* the collision comes first */
    }
    /* redundant contacts: the modes do not tell the forces, and the change is only known to lie within the step */
    event.time = s->t + (found ? share : 1) * h;
    cairn_status status = crn_add_event(s, &event);
    s->mode_count = 0; /* the modes have ended; the next part of the step finds its own */
    if (status != CAIRN_OK || !found || share * h < floor || (1 - share) * h < floor)
    {
        return status ? status : crn_advance(s, h, report);
    }
    *taken = true;
    return crn_accept(s, share * h);
}

static cairn_status take_collision(cairn_simulation *s, double h, double tau, cairn_solver_report *report)
{
    cairn_status status = accept_share(s, h, tau, report);
    status = status ? status : crn_locate(s, (1 - tau) * h);
    s->mode_count = 0;
    return status ? status : crn_impact(s, report);
}

/* Advance over `part` of the step, or less where the error tolerance asks for it; *tau is where the first open gap closes. */
static cairn_status try_advance(cairn_simulation *s, double *part, double *tau, cairn_solver_report *report)
{
    double tolerance = s->settings.error_tolerance;
    double least = s->settings.event_floor * *part;
    cairn_status status = s->contacts_h == *part ? CAIRN_OK : crn_locate(s, *part);
    *part = status || !follows_curve(s) ? *part : fmax(least, crn_steady_part(s, *part));
    for (;;)
    {
        status = status || s->contacts_h == *part ? status : crn_locate(s, *part);
        status = status ? status : crn_advance(s, *part, report);
        status = status ? status : crn_widen(s, *part, s->v_new);
        if (status != CAIRN_OK || !(tolerance > 0))
        {
            return status ? status : find_collision(s, *part, tau);
        }
        double error = crn_stiff2_error(s, *part);
        double factor = 0.9 * cbrt(tolerance / fmax(error, 1e-3 * tolerance));
        s->part_length = *part * fmin(fmax(factor, 0.2), 3.0);
        if (error <= tolerance || s->part_length < least)
        {
            return find_collision(s, *part, tau);
        }
        *part = s->part_length;
    }
}

/* The length to try next: what is left, or what the error tolerance allows, without leaving a sliver at the end. */
static double next_part(const cairn_simulation *s, double left)
{
    bool whole = !(s->settings.error_tolerance > 0) || !(s->part_length > 0) || s->part_length >= left;
    return whole ? left : fmin(s->part_length, 0.5 * left);
}

cairn_status crn_step_with_events(cairn_simulation *s, double h, cairn_solver_report *report)
{
    double floor = s->settings.event_floor * h;
    double left = h, last_event = -INFINITY, end = s->t + h;
    while (left > 1e-14 * h)
    {
        double tau = 1, part = next_part(s, left);
        bool taken = false;
        cairn_status status = try_advance(s, &part, &tau, report);
        status = status ? status : take_transition(s, part, tau, floor, &taken, report);
        if (status == CAIRN_OK && !taken && tau >= 1)
        {
            status = crn_accept(s, part);
            status = status ? status : crn_remember_modes(s);
        }
        else if (status == CAIRN_OK && !taken)
        {
            bool crowded = s->t + tau * part - last_event < floor || s->event_count > MAX_EVENTS;
            if (crowded)
            {
                return finish_in_storm(s, left, report);
            }
            status = take_collision(s, part, tau, report);
            last_event = s->t;
        }
        if (status != CAIRN_OK)
        {
            return status;
        }
        left = end - s->t;
        s->contacts_h = 0; /* velocities changed: margins anew */
    }
    return CAIRN_OK;
}
