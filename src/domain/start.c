/* How bodies move before a step, in the order of the description with which it is taken: ghosts may be chosen anew until then. Process 0's examination has its own copy; this one is for what
 * ranks look at themselves, and lasts until they have.
 *
 * How bodies move before a batch stays with the ranks that had them then, until process 0 says that the batch was well: it has no copy of the state to go back to. */
#include "domain/domain.h"

#include <stdlib.h>

static crn_domain_motion motion_of(const crn_gpu_body *body)
{
    crn_domain_motion out;
    memcpy(out.x, body->x, sizeof out.x);
    memcpy(out.q, body->q, sizeof out.q);
    memcpy(out.v, body->v, sizeof out.v);
    memcpy(out.w, body->w, sizeof out.w);
    return out;
}

bool crn_domain_keep_start(crn_domain *domain)
{
    const crn_local *local = &domain->local;
    size_t count = (size_t)local->description.body_count;
    crn_domain_drop_start(domain);
    if (crn_reserve_all(&domain->starting, CRN_ARRAY(domain->start, count + 1)))
        return crn_domain_fail(domain, "memory ran out");
    for (size_t i = 0; i < count; ++i)
        domain->start[i] = motion_of(&local->body[i]); /* of what does not move by itself */
    for (size_t i = 0; i < domain->own.count; ++i)
        domain->start[local->own_place[i]] = motion_of(&domain->own.body[i].state);
    for (size_t i = 0; i < domain->ghosts.bodies.count; ++i)
        domain->start[local->ghost_place[i]] = motion_of(&domain->ghosts.bodies.body[i].state);
    return true;
}

void crn_domain_drop_start(crn_domain *domain)
{
    crn_arena_release(&domain->starting);
    domain->start = NULL;
}

bool crn_domain_keep_origin(crn_domain *domain)
{
    crn_domain_drop_origin(domain);
    domain->origin = malloc((domain->own.count + 1) * sizeof *domain->origin);
    if (!domain->origin)
        return crn_domain_fail(domain, "memory ran out");
    domain->origins = domain->own.count;
    for (size_t i = 0; i < domain->origins; ++i)
        domain->origin[i] = (crn_domain_origin){domain->own.body[i].global, motion_of(&domain->own.body[i].state)};
    return true;
}

void crn_domain_drop_origin(crn_domain *domain)
{
    free(domain->origin);
    domain->origin = NULL;
    domain->origins = 0;
}

size_t crn_domain_origin_from(const crn_domain *domain, int64_t global)
{
    size_t low = 0, high = domain->origins;
    while (low < high)
    {
        size_t middle = (low + high) / 2;
        if (domain->origin[middle].global < global)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
