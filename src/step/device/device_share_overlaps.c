/* Overlaps at the end of a step that a rank looks at (device_share.c). They are found by the library's collision detection, in a model of this part of the scene (device_replica.c), with
 * the reach that process 0 would search in (step/reach.c).
 *
 * A body that overlaps an own one at the end of the step is a ghost, and so is one that has passed through it: then their gap at the end is at most the sum of the ways that their points
 * have gone. It is sure to be here if no own body, with its way, reaches further than its reach and half the skin allow (domain/ghosts.h).
 */
#include "collide/collide.h"
#include "formulate/surface/cohesion.h"
#include "math/vec.h"
#include "step/device/device_share.h"

#include <math.h>

/* m: how far a point of an own body has gone in the step, at most; that of a chord for the angle that it turned by. */
static double way_of(const crn_sharing *s, int b, double extent)
{
    double way[3], turned[9];
    crn_sub3(s->pose[1][b].x, s->pose[0][b].x, way);
    for (int k = 0; k < 9; ++k)
        turned[k] = s->pose[1][b].R[k] - s->pose[0][b].R[k];
    double most = 0; /* of the matrix, in Frobenius' norm */
    for (int k = 0; k < 9; ++k)
        most += turned[k] * turned[k];
    return crn_norm3(way) + sqrt(most) * extent;
}

static bool knows_its_ghosts(const crn_sharing *s, const crn_domain_body *own, int b)
{
    double moved[3], more = 1 + 1e-6;
    crn_sub3(s->pose[1][b].x, own->anchor, moved);
    return crn_norm3(moved) + more * (own->extent + way_of(s, b, own->extent)) - own->reach <= 0.5 * s->domain->skin;
}

static bool has_all_ghosts(const crn_sharing *s)
{
    const crn_domain *domain = s->domain;
    bool has = true;
    for (size_t i = 0; i < domain->own.count && domain->ranks->count > 1 && has; ++i)
        has = knows_its_ghosts(s, &domain->own.body[i], domain->local.own_place[i]);
    return has;
}

static bool are_finite(const crn_sharing *s)
{
    double sum = 0;
    for (int b = 0; b < s->bodies; ++b)
        for (int end = 0; end < 2; ++end)
        {
            sum += s->pose[end][b].x[0] + s->pose[end][b].x[1] + s->pose[end][b].x[2];
            for (int k = 0; k < 9; ++k)
                sum += s->pose[end][b].R[k];
        }
    return isfinite(sum);
}

static bool is_own(const crn_sharing *s, int body)
{
    const crn_local *local = &s->domain->local;
    return body < local->description.body_count && local->owner[body] == s->domain->ranks->rank;
}

/* Whether one of two shapes is an own body's: pairs of ghosts are somebody else's. */
static bool is_own_pair(const void *data, int a, int b)
{
    const crn_sharing *s = data;
    const crn_shape *shape = s->replica.model.shapes;
    return is_own(s, shape[a].body) || is_own(s, shape[b].body);
}

/* As reach_part in step/reach.c. */
static void set_margins(crn_sharing *s, int end, double h)
{
    for (int b = 0; b < s->bodies; ++b)
    {
        const double *v = s->velocity[end][b];
        double bound = s->replica.bound[b], pull = fmax(s->ask.range, CRN_COHESION_RANGE * bound);
        s->margin[b] = s->ask.k * h * crn_norm3(v + 3) * bound + s->ask.room[end] + 1e-6 * bound;
        s->margin[b] += s->ask.coheres && s->replica.mass[b] > 0 ? pull : 0.0;
        crn_scale3(h, v, s->travel[b]);
    }
}

static cairn_status search(crn_sharing *s, crn_collider *collider, int end, const crn_contact **contacts, int *count)
{
    double h = end ? s->ask.step_after : s->ask.step.h;
    set_margins(s, end, h);
    const crn_reach reach = {.margin = s->margin,
                             .travel = s->travel,
                             .lifts = s->ask.step.lifts != 0,
                             .friction = isnan(s->ask.friction) ? NULL : &s->ask.friction,
                             .settles = true,
                             .allows = is_own_pair,
                             .allow_data = s,
                             .down = s->ask.step.gravity,
                             .h = h};
    return crn_collide(collider, &s->replica.model, s->pose[end], &reach, contacts, count);
}

static cairn_status compare_ends(crn_sharing *s, crn_collider *collider)
{
    const crn_audit_motion motion = {.h = s->ask.step.h,
                                     .left = s->ask.step.left,
                                     .tolerance = s->ask.step.tolerance,
                                     .before = s->velocity[0],
                                     .after = s->velocity[1]};
    const crn_contact *contacts;
    int count;
    if (s->ask.keeps_all)
        crn_collider_keep_all(collider);
    CRN_TRY(search(s, collider, 0, &contacts, &count));
    CRN_TRY(crn_audit_from(s->audit, contacts, count, false));
    CRN_TRY(search(s, collider, 1, &contacts, &count));
    s->out->doubts += crn_audit_share_end(s->audit, &motion, contacts, count);
    return CAIRN_OK;
}

bool crn_share_overlaps(crn_sharing *s)
{
    cairn_status status = CAIRN_OK;
    bool can = s->is_whole && are_finite(s) && has_all_ghosts(s);
    crn_collider *collider = can ? crn_collider_create(1) : NULL;
    if (can)
        status = collider && crn_share_audit(s) ? compare_ends(s, collider) : CAIRN_NO_MEMORY;
    s->out->doubts += !can;
    crn_collider_destroy(collider);
    return crn_domain_agree(s->domain, status == CAIRN_OK || crn_domain_fail(s->domain, "memory ran out"));
}
