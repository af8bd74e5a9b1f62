/* Finds where the first open gap closes within a part of a step (Potra et al. 2006, section 7.2).
 *
 * The part is first computed to its end. If a gap that was open at the start is negative there, a bracketed secant
 * method (Illinois) on the smallest open gap finds the fraction of the part at which the first gap is zero.
 */
#include "collide/identity.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    MAX_LOOKS = 1000 /* per step in which bodies may pass through each other */
};

static bool is_closed(const cairn_simulation *s, uint64_t identity)
{
    return crn_identity_find(s->search.closed.identity, s->search.closed.count, identity) >= 0;
}

/* The paper locates events on the cubic Hermite curve through position and velocity at both ends of the step. Its
 * schemes do the same here. But the velocity on that curve has the position's error divided by h, which is O(h^2) and
 * depends on where in the step the event falls. And where stiff forces die out within the step, the curve does not
 * resemble the path at all. stiff2 therefore computes a separate step up to the event. */
bool crn_follows_curve(const cairn_simulation *s)
{
    return !crn_scheme_of(s->settings.integrator)->steps_to_events;
}

/* Coordinates at the fraction tau of the current part of length h, either on the curve or by a step of length tau h. */
static cairn_status go_ahead(cairn_simulation *s, double h, double tau, const double **q)
{
    assert(tau >= 0 && tau <= 1);
    assert(h > 0);
    cairn_solver_report ignored = {0};
    *q = tau > 0 ? s->trial.q_new : s->state.q;
    if (crn_follows_curve(s))
    {
        crn_hermite(s, h, tau, s->trial.q_end, s->trial.v_at);
        *q = s->trial.q_end;
        return CAIRN_OK;
    }
    if (tau == s->search.look.new_share || !(tau > 0))
        return CAIRN_OK;
    cairn_status status = crn_advance(s, tau * h, &ignored);
    s->search.look.new_share = status ? NAN : tau;
    return status;
}

cairn_status crn_look_ahead(cairn_simulation *s, double h, double tau)
{
    const double *q = NULL;
    cairn_status status = tau == s->search.look.share ? CAIRN_OK : go_ahead(s, h, tau, &q);
    if (status != CAIRN_OK || tau == s->search.look.share)
        return status;
    crn_frame *frame = &s->projection.stage.frame;
    s->search.look.q = q;
    s->search.look.share = NAN;
    crn_frame_update(frame, s->layout, q, s->state.t + tau * h, 0.0);
    status = crn_collide_hooked(s, s->trial.collider, frame->pose, &s->located.reach, &s->search.look.contacts,
                                &s->search.look.count);
    s->search.look.share = status ? NAN : tau;
    return status ? crn_fail(s->context, status, "collision detection at t = %g failed", s->state.t + tau * h)
                  : CAIRN_OK;
}

/* Lower *smallest to the smallest open gap of the user systems, if that is smaller. */
static void look_at_systems(cairn_simulation *s, double *smallest)
{
    for (int k = 0; k < (int)s->model->system_count; ++k)
    {
        const cairn_system_options *o = &s->model->systems[k].options;
        size_t gaps = (size_t)o->gap_count, n = (size_t)o->n;
        double *phi = s->stage[0].assembly.scratch; /* already sized when the contacts were listed */
        if (gaps > 0)
        {
            o->gaps(o->data, s->search.look.q + s->layout->q_start[s->layout->body_block_count + k], phi, phi + gaps,
                    o->tangent_count > 0 ? phi + gaps * (1 + n) : NULL);
        }
        for (size_t i = 0; i < gaps; ++i)
        {
            bool open = phi[i] < *smallest && !is_closed(s, crn_gap_identity(k, (int)i));
            *smallest = open ? phi[i] : *smallest;
        }
    }
}

/* Likewise for the limits of joints. */
static void look_at_limits(cairn_simulation *s, double *smallest)
{
    int count = crn_list_limits(s, &s->projection.stage.frame, s->state.v);
    for (int i = 0; i < count; ++i)
        if (s->search.limits[i].gap < *smallest && !is_closed(s, s->search.limits[i].identity))
            *smallest = s->search.limits[i].gap;
}

/* The smallest gap at the fraction tau of h, over all contacts that were open at the start of the part. If `share` is
 * given, it is lowered to the fraction of a step of length h in which none of these contacts can close. */
static cairn_status gap_and_share(cairn_simulation *s, double h, double tau, double *smallest, double *share)
{
    cairn_status status = crn_look_ahead(s, h, tau);
    *smallest = INFINITY;
    for (int i = 0; i < s->search.look.count && status == CAIRN_OK; ++i)
    {
        const crn_contact *contact = &s->search.look.contacts[i];
        bool low = contact->gap < -s->settings.contact_tolerance;
        if (is_closed(s, contact->identity) ||
            crn_is_passed(s, contact, s->search.look.contacts, s->search.look.count) ||
            (low && crn_is_successor(s, contact, s->search.look.contacts, s->search.look.count, h)))
            continue;
        *smallest = fmin(*smallest, contact->gap);
        if (share)
            *share = fmin(*share, crn_safe_share(s, contact, h));
    }
    if (status == CAIRN_OK)
    {
        look_at_systems(s, smallest);
        look_at_limits(s, smallest);
    }
    return status;
}

static cairn_status gap_at(cairn_simulation *s, double h, double tau, double *gap)
{
    return gap_and_share(s, h, tau, gap, NULL);
}

/* Used where bodies could pass through each other within the step (tunnelling.c). Walk along the step until the first
 * gap has closed (*tau), until a gap is negative (*high and *high_gap), or to the end. */
static cairn_status walk(cairn_simulation *s, double h, double *tau, double *high, double *high_gap)
{
    double at = 0.0, gap, share = INFINITY;
    cairn_status status = gap_and_share(s, h, at, &gap, &share);
    for (int looks = 0; looks < MAX_LOOKS && status == CAIRN_OK && share > 0.0 && at + share < 1.0; ++looks)
    {
        at += share;
        share = INFINITY;
        status = gap_and_share(s, h, at, &gap, &share);
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
    return status ? status : crn_look_ahead(s, h, 1.0);
}

/* The first fraction tau of h at which an open gap is zero, or 1 if none closes. Found by a bracketed secant method
 * (Illinois) on the gap itself. The bracket [low, high] keeps gap(low) > 0 >= gap(high). */
static cairn_status search(cairn_simulation *s, double h, double *tau)
{
    double high_gap, low_gap, low = 0, high = 1;
    *tau = 1;
    cairn_status status = gap_at(s, h, 1.0, &high_gap);
    if (status == CAIRN_OK && crn_may_pass(s, h))
        status = walk(s, h, tau, &high, &high_gap);
    if (status != CAIRN_OK || *tau < 1.0 || !(high_gap < -s->settings.contact_tolerance))
        return status;
    /* A contact that has just bounced starts with no gap. Halve the time towards the start until it has one. */
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
    /* secant weights: the gaps, halved for an end of the bracket that stays in place too long */
    double low_weight = low_gap, high_weight = high_gap;
    int side = 0;
    for (int i = 0; i < 100 && high - low > 1e-15 && low_gap > enough; ++i)
    {
        bool bracketed = isfinite(low_weight) && i < 60;
        double middle = bracketed ? low + (high - low) * low_weight / (low_weight - high_weight) : 0.5 * (low + high);
        double gap;
        CRN_TRY(gap_at(s, h, middle, &gap));
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
    *tau = low_gap > enough ? high : low; /* high: the gap jumps because a contact comes into view */
    return CAIRN_OK;
}

/* List the contacts that close at the fraction tau. The impact there includes them even if a projection moves them by
 * its drift. */
static cairn_status list_struck(cairn_simulation *s, double h, double tau)
{
    double gap;
    CRN_TRY(gap_at(s, h, tau, &gap));
    s->search.struck_count = 0;
    if (crn_reserve_all(&s->memory, CRN_ARRAY(s->search.struck, s->search.look.count + s->model->bounded_rows)))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "contacts at t = %g: memory ran out", s->state.t);
    for (int i = 0; i < s->search.look.count; ++i)
    {
        const crn_contact *contact = &s->search.look.contacts[i];
        if (contact->gap <= s->settings.contact_tolerance && !is_closed(s, contact->identity))
            s->search.struck[s->search.struck_count++] = contact->identity;
    }
    int limits = crn_list_limits(s, &s->projection.stage.frame, s->state.v);
    for (int i = 0; i < limits; ++i)
        if (s->search.limits[i].gap <= s->settings.contact_tolerance && !is_closed(s, s->search.limits[i].identity))
            s->search.struck[s->search.struck_count++] = s->search.limits[i].identity;
    return CAIRN_OK;
}

cairn_status crn_find_collision(cairn_simulation *s, double h, double *tau)
{
    cairn_status status = search(s, h, tau);
    return status || *tau >= 1 ? status : list_struck(s, h, *tau);
}
