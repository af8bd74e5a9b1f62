#include "domain/made.h"

enum
{
    PART = 1 << 10 /* bodies that are made at a time */
};

/* The first body of a rank: body i is made by rank i ranks / bodies. */
static int64_t first_of(const crn_domain *domain, int64_t rank)
{
    int64_t ranks = domain->ranks->count, first = (rank * domain->scene.total + ranks - 1) / ranks;
    int64_t least = crn_given_bodies(&domain->scene.description);
    return first > least ? first : least;
}

static cairn_status add_part(crn_domain *domain, int64_t first, int64_t count, const crn_gpu_body *made)
{
    for (int64_t i = 0; i < count; ++i)
    {
        const crn_domain_body body = {
            .global = first + i, .lead = first + i, .work = 1, .extent = made[i].radius, .state = made[i]};
        CRN_TRY(crn_bodies_add(&domain->own, &body, NULL));
    }
    return CAIRN_OK;
}

bool crn_domain_make_bodies(crn_domain *domain, crn_maker *make)
{
    const crn_gpu_description *d = &domain->scene.description;
    int64_t first = first_of(domain, domain->ranks->rank), end = first_of(domain, domain->ranks->rank + 1);
    crn_gpu_body *made = malloc(PART * sizeof *made);
    bool good = made != NULL;
    for (; first < end && good; first += PART)
    {
        int64_t count = end - first < PART ? end - first : PART;
        good = make(domain->scene.recipe, first - crn_given_bodies(d), count, made) &&
               !add_part(domain, first, count, made);
    }
    free(made);
    return good || crn_domain_fail(domain, "memory ran out");
}
