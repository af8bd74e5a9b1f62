/* Applied forces and a pull. A rank applies those on its ghosts too, which then move as their owners do; it counts the works of those on its own bodies. */
#include "domain/domain.h"

/* Whether this rank owns a body of the scene. */
static bool owns(const crn_domain *domain, int64_t number)
{
    int32_t place = number < 0 ? -1 : crn_local_place(&domain->local, number);
    return place >= 0 && domain->local.owner[place] == domain->ranks->rank;
}

static bool acts_at_all(const crn_domain *domain, const crn_domain_acts *acts)
{
    return domain->scene.description.force_count > 0 || acts->pull.body >= 0 || domain->was_pulled;
}

bool crn_domain_load(crn_domain *domain, const crn_domain_acts *acts)
{
    crn_local *local = &domain->local;
    crn_gpu_pull pull = acts->pull;
    if (!acts_at_all(domain, acts))
        return true;
    for (int i = 0; i < local->description.force_count; ++i)
        local->load[i] = acts->load[local->force_of[i]];
    pull.body = pull.body < 0 ? -1 : crn_local_place(local, pull.body);
    domain->was_pulled = acts->pull.body >= 0;
    bool good = domain->inner->load(domain->world, local->load, 1, &pull, domain->sentence);
    return crn_domain_agree(domain, good);
}

bool crn_domain_take_works(crn_domain *domain, const crn_domain_acts *acts)
{
    const crn_local *local = &domain->local;
    int count = local->description.force_count, all = domain->scene.description.force_count;
    if (!acts_at_all(domain, acts))
        return true;
    if (!domain->inner->read_forces(domain->world, domain->read_work, domain->sentence))
        return false;
    for (int i = 0; i < count; ++i)
        domain->force_work[local->force_of[i]] += domain->read_work[i];
    domain->force_work[all] += domain->read_work[count];
    return true;
}

/* A work on its way to all ranks. */
typedef struct force_work
{
    int64_t force;
    double work;
} force_work;

void crn_domain_share_works(crn_domain *domain)
{
    const crn_gpu_description *scene = &domain->scene.description;
    crn_bytes mine = {0};
    size_t size;
    if (scene->force_count == 0 && domain->pulled < 0)
        return;
    for (int f = 0; f <= scene->force_count; ++f)
        if (owns(domain, f < scene->force_count ? scene->force[f].body : domain->pulled))
            crn_bytes_put(&mine, &(force_work){f, domain->force_work[f]}, sizeof(force_work));
    const unsigned char *all = domain->ranks->gather(domain->ranks->context, mine.data, mine.size, &size);
    crn_reading from = {all, all + size};
    while (from.at < from.end)
    {
        force_work one;
        crn_take_to(&from, &one, sizeof one);
        domain->force_work[one.force] = one.work;
    }
    crn_bytes_free(&mine);
}
