/* Lagged friction. The law `lagged` bounds |r_t| by mu times the normal force of the previous step, matched by contact
 * identity (Preclik et al. 2011, section 4.3). Impulses are forces times the step size, so a change of the step size
 * scales the bound. A new contact has no bound yet. */
#include "step/simulation.h"

#include <assert.h>

cairn_status crn_lag_friction(cairn_simulation *s, crn_stage *stage, double h)
{
    assert(h > 0);
    crn_assembly *assembly = &stage->assembly;
    cairn_problem *problem = &assembly->problem;
    problem->radius = NULL;
    if (problem->law.kind != CAIRN_LAW_LAGGED)
        return CAIRN_OK;
    const crn_named named = crn_stage_names(stage);
    const double *before = NULL;
    if (crn_reserve_all(&assembly->memory, CRN_ARRAY(assembly->radius, problem->contact_count)) ||
        crn_warm_recall(&s->state.lag, &named, NULL, &before))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double r_n = before ? before[j * problem->dim] * h / s->state.lag_h : 0.0;
        assembly->radius[j] = r_n > 0.0 ? problem->mu[j] * r_n : 0.0;
    }
    problem->radius = assembly->radius;
    return CAIRN_OK;
}

cairn_status crn_keep_lag(cairn_simulation *s, double h)
{
    const crn_stage *stage = crn_last_stage(s);
    if (stage->assembly.problem.law.kind != CAIRN_LAW_LAGGED)
        return CAIRN_OK;
    const crn_named named = crn_stage_names(stage);
    if (crn_warm_keep(&s->saved.lag, &named, stage->solution.r))
        return crn_fail(s->context, CAIRN_NO_MEMORY, "step at t = %g: memory ran out", s->state.t);
    crn_warm before = s->state.lag; /* kept until the next step is accepted, because this one may still fail */
    s->saved.lag_h = s->state.lag_h;
    s->saved.lag_kept = true;
    s->state.lag = s->saved.lag;
    s->state.lag_h = h;
    s->saved.lag = before;
    return CAIRN_OK;
}
