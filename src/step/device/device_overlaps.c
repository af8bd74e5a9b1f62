/* Overlaps at the end of a step, by a rank: of its own spheres with each other, with ghosts, with fixed spheres and with half-spaces.
 *
 * With the places at both ends of the step, the gap of any two spheres is known at both. Two pairs matter: those that overlap at the end, and those whose normal has turned over, which
 * passed through each other. If d is the line between the centres, with d0 . d1 < -|d0| |d1| / 2 , then |d1 - d0|^2 > |d0|^2 + |d1|^2 + |d0| |d1| , and the least of that over |d0| is
 * |d1|^2 . So both lie within the sum of the two bodies' ranges at the end, where the range of one is its radius or its way in the step, whichever is the longer.
 *
 * Ghosts are there if they were within the sum of two reaches and the skin where they were chosen (domain/ghosts.h). Nothing in range is missing if no body's range, with its way
 * since then, exceeds its reach and half the skin; every rank says so of its own bodies.
 */
#include "step/device/device_glance.h"

#include "math/tree.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>

/* Of a range: more than rounding. */
static const double WIDER = 1 + 1e-9;

typedef struct looking
{
    const crn_domain *domain;
    const crn_audit_motion *motion;
    crn_arena memory;
    crn_tree tree;
    crn_hits hits;
    crn_bounds *bounds; /* per body of the description: of its range at the end */
} looking;

static const double *end_of(const looking *l, int body)
{
    return l->domain->read[body].x;
}

static double radius_of(const looking *l, int body)
{
    return l->domain->local.body[body].radius;
}

static bool is_own(const looking *l, int body)
{
    return l->domain->local.owner[body] == l->domain->ranks->rank;
}

static double size_of(const looking *l, int body)
{
    return l->domain->local.body[body].inverse_mass > 0 ? radius_of(l, body) : 0.0;
}

static double distance(const double a[3], const double b[3])
{
    double e[3];
    crn_sub3(a, b, e);
    return crn_norm3(e);
}

static double range_of(const looking *l, int body)
{
    return WIDER * fmax(radius_of(l, body), distance(end_of(l, body), l->domain->start[body].x));
}

/* ----------------------------------------------------------------------------------------------------------------- pairs */

/* Whether an overlap is no deeper than it was, but for what the allowance has for any motion; size: m, of the larger body that moves. */
static bool has_stayed(const looking *l, double before, double after, double size)
{
    return after >= 0 || -after - fmax(0.0, -before) <= crn_overlap_slight(l->motion, size);
}

static bool pair_is_right(const looking *l, int a, int b)
{
    double before[3], after[3], reach = radius_of(l, a) + radius_of(l, b);
    crn_sub3(l->domain->start[a].x, l->domain->start[b].x, before);
    crn_sub3(end_of(l, a), end_of(l, b), after);
    double first = crn_norm3(before), last = crn_norm3(after);
    bool has_turned = crn_dot3(before, after) < -0.49 * first * last;
    return !has_turned && has_stayed(l, first - reach, last - reach, fmax(size_of(l, a), size_of(l, b)));
}

static bool wall_is_right(const looking *l, int body, const crn_gpu_plane *plane)
{
    double from = plane->offset + radius_of(l, body);
    return has_stayed(l, crn_dot3(plane->n, l->domain->start[body].x) - from,
                      crn_dot3(plane->n, end_of(l, body)) - from, size_of(l, body));
}

/* An own body with all others. Of two own bodies, the first looks. */
static cairn_status look_around(looking *l, int body, bool *right)
{
    const crn_gpu_description *d = &l->domain->local.description;
    *right = isfinite(range_of(l, body));
    for (int k = 0; k < d->plane_count && *right; ++k)
        *right = wall_is_right(l, body, &d->plane[k]);
    l->hits.count = 0;
    CRN_TRY(crn_tree_overlap(&l->tree, l->bounds, &l->bounds[body], &l->hits));
    for (int i = 0; i < l->hits.count && *right; ++i)
    {
        int other = l->hits.item[i];
        *right = other == body || (is_own(l, other) && other < body) || pair_is_right(l, body, other);
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------------------------------------- all */

/* Whether an own body is in range of none that is not here. */
static bool knows_its_ghosts(const looking *l, const crn_domain_body *own, int place)
{
    double moved = distance(end_of(l, place), own->anchor);
    return moved + range_of(l, place) - own->reach <= 0.5 * l->domain->skin;
}

static cairn_status lay_bounds(looking *l)
{
    int count = l->domain->local.description.body_count;
    CRN_TRY(crn_reserve_all(&l->memory, CRN_ARRAY(l->bounds, count)));
    for (int b = 0; b < count; ++b)
        for (int k = 0; k < 3; ++k)
        {
            l->bounds[b].lower[k] = end_of(l, b)[k] - range_of(l, b);
            l->bounds[b].upper[k] = end_of(l, b)[k] + range_of(l, b);
        }
    return crn_tree_build(&l->tree, l->bounds, NULL, count);
}

static cairn_status look_at_all(looking *l, bool *right)
{
    const crn_domain *domain = l->domain;
    CRN_TRY(lay_bounds(l));
    for (size_t i = 0; i < domain->own.count && *right; ++i)
    {
        int place = domain->local.own_place[i];
        *right = domain->ranks->count == 1 || knows_its_ghosts(l, &domain->own.body[i], place);
        CRN_TRY(*right ? look_around(l, place, right) : CAIRN_OK);
    }
    return CAIRN_OK;
}

cairn_status crn_domain_overlaps_well(const crn_domain *domain, const crn_audit_motion *motion, bool *right)
{
    looking l = {.domain = domain, .motion = motion};
    *right = true;
    cairn_status status = look_at_all(&l, right);
    crn_tree_free(&l.tree);
    crn_arena_release(&l.memory);
    free(l.hits.item);
    return status;
}
