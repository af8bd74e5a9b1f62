/* Restitution in compact steps that creates no energy: the counterpart of step/events/bounce.c.
 *
 * Newton's law of impact can leave the bodies of an island with more energy than they had. The contacts of an island do the work
 * W = sum_j p_j . (u_j(v-) + u_j(v+))/2 on its bodies. Apart from what pushes overlaps out, and from what the sweeps have left of the
 * contact laws, W must not be positive; moments that resist rolling add theirs. Where it is, the island is solved again with half of its restitution, then a quarter, then
 * none.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Add up W of every island, by its root. */
static void add_work(cairn_simulation *s, double h, double residual)
{
    crn_compact_scratch *c = &s->compact;
    memset(c->island_work, 0, (size_t)c->problem.body_count * sizeof(double));
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        const crn_contact *contact = &s->located.contacts[j];
        const double *p = c->impulse[j];
        double before[3], after[3];
        crn_compact_start_velocity(s, j, before);
        crn_compact_velocity(c, contact, j, c->after, after);
        double out = c->bounce[j] < 0 ? 0.0 : crn_compact_push(c, contact, j, h); /* a bounce is no push */
        c->island_work[c->island[j]] += 0.5 * (crn_dot3(p, before) + crn_dot3(p, after)) +
                                        crn_compact_rolling_work(s, j) - fabs(crn_dot3(p, contact->normal)) * out -
                                        crn_norm3(p) * residual;
    }
}

bool crn_compact_limit_bounces(cairn_simulation *s, double h, double residual, double share)
{
    assert(share >= 0 && share < 1);
    crn_compact_scratch *c = &s->compact;
    bool any = false;
    if (!c->any_bounces)
        return false;
    add_work(s, h, residual);
    for (int j = 0; j < c->problem.contact_count; ++j)
    {
        if (!(c->bounce[j] < 0) || !(c->island_work[c->island[j]] > 0))
            continue;
        c->bias[j] = share * c->bounce[j];
        any = true;
    }
    return any;
}
