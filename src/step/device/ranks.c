#include "cairn/ranks.h"

#include "domain/crew.h"
#include "step/device/device_glance.h"
#include "step/simulation.h"

#include <string.h>

cairn_status cairn_context_join(cairn_context *context, cairn_ranks *ranks)
{
    if (!context || !ranks || ranks->rank != 0 || ranks->count < 1)
        return crn_fail(context, CAIRN_INVALID, "ranks: the context or the ranks are NULL, or this is not process 0");
    return crn_context_register(context, CRN_REGISTRY_RANKS, ranks) ? CAIRN_OK : CAIRN_NO_MEMORY;
}

cairn_ranks *crn_device_ranks(const cairn_context *context)
{
    cairn_ranks *ranks = NULL;
    const void *joined = crn_context_registered(context, CRN_REGISTRY_RANKS, 0);
    memcpy(&ranks, &joined, sizeof joined); /* it was given as one that may be changed */
    return ranks;
}

bool crn_device_task(crn_domain *domain, const void *question, size_t size, void *answer)
{
    int64_t task;
    memcpy(&task, question, sizeof task);
    return task == CRN_DEVICE_LOADS    ? crn_loads_task(domain, question, size, answer)
           : task == CRN_DEVICE_GLANCE ? crn_glance_task(domain, question, size, answer)
           : task == CRN_DEVICE_START  ? crn_start_task(domain, question, size, answer)
                                       : crn_share_task(domain, question, size, answer);
}

cairn_status cairn_ranks_serve(cairn_context *context, cairn_ranks *ranks)
{
    if (!ranks || ranks->rank < 1)
        return crn_fail(context, CAIRN_INVALID, "ranks: process 0 does not serve");
    const crn_gpu_table *pipeline = crn_device_library(context, CAIRN_DEVICE_RANKS);
    return crn_crew_serve(ranks, pipeline, &(crn_crew_calls){crn_device_task, crn_grains_of_rank});
}

cairn_ranks_tally cairn_simulation_ranks(cairn_simulation *s)
{
    bool are_there = s && s->settings.device == CAIRN_DEVICE_RANKS && s->device && s->device->world;
    return are_there ? crn_crew_count(s->device->world) : (cairn_ranks_tally){0};
}

void cairn_ranks_dismiss(cairn_ranks *ranks)
{
    if (ranks)
        crn_crew_dismiss(ranks);
}
