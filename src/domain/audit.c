/* The audit of every step: whole numbers that are added up over all ranks and compared with those of the scene. */
#include "base/hash.h"
#include "domain/domain.h"

#include <inttypes.h>
#include <stdio.h>

/* What a body's motion comes to: the same number only for the same bits. */
static uint64_t motion_of(const crn_domain_body *body)
{
    const crn_gpu_body *state = &body->state;
    uint64_t hash = crn_hash(&body->global, sizeof body->global);
    hash = crn_hash_more(hash, state->x, sizeof state->x);
    hash = crn_hash_more(hash, state->q, sizeof state->q);
    hash = crn_hash_more(hash, state->v, sizeof state->v);
    return crn_hash_more(hash, state->w, sizeof state->w);
}

enum
{
    FAILED, /* ranks that could not do the step */
    BODIES,
    NUMBERS,
    MASS,
    GHOSTS, /* sum over bodies that are sent, less that over ghosts */
    WORK,   /* bodies and contacts */
    SUMS
};

static void add_up(const crn_domain *domain, int64_t sum[SUMS])
{
    uint64_t numbers = 0, ghosts = 0;
    for (size_t i = 0; i < domain->own.count; ++i)
    {
        numbers += crn_audit_number(domain->own.body[i].global);
        sum[MASS] += crn_audit_mass(&domain->scene, &domain->own.body[i].state);
    }
    for (size_t i = 0; i < domain->ghosts.sent.count; ++i)
        ghosts += motion_of(&domain->own.body[crn_bodies_find(&domain->own, domain->ghosts.sent.link[i].number)]);
    for (size_t i = 0; i < domain->ghosts.bodies.count; ++i)
        ghosts -= motion_of(&domain->ghosts.bodies.body[i]);
    sum[BODIES] = (int64_t)domain->own.count;
    sum[WORK] = crn_domain_work(domain);
    memcpy(&sum[NUMBERS], &numbers, sizeof numbers);
    memcpy(&sum[GHOSTS], &ghosts, sizeof ghosts);
}

bool crn_domain_audit(crn_domain *domain, bool good)
{
    const crn_domain_scene *scene = &domain->scene;
    int64_t sum[SUMS] = {[FAILED] = !good};
    add_up(domain, sum);
    domain->ranks->reduce_sum(domain->ranks->context, sum, SUMS);
    domain->mean_work = (double)sum[WORK] / domain->ranks->count;
    if (sum[FAILED] > 0)
        return crn_domain_agree(domain, good);
    if (sum[BODIES] != scene->moving || (uint64_t)sum[NUMBERS] != scene->numbers || sum[MASS] != scene->mass_parts)
        snprintf(domain->sentence, sizeof domain->sentence,
                 "the ranks have %" PRId64 " bodies instead of %" PRId64
                 ", or not the same ones: some were lost or doubled",
                 sum[BODIES], scene->moving);
    else if (sum[GHOSTS] != 0)
        snprintf(domain->sentence, sizeof domain->sentence,
                 "copies of bodies at the borders of domains are not what their owners are");
    else
        return true;
    return false;
}
