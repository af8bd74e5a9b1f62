#include "solve/sweep/momentum_sweeps.h"

#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    FIRST = 32, /* sweeps of the first round, */
    LONGER = 4  /* and of another: this part of all before it */
};

static const double SHARE = 0.85; /* of the last change, that is added to it */
static const double GAIN = 2.0;
static const double GOAL = 0.9; /* share of the tolerance, which blocks measure with a rounding of their own */

void crn_gs_momentum_release(crn_gs_momentum *momentum)
{
    crn_rigid_view_release(&momentum->view);
    crn_compact_destroy(momentum->sweeps);
    crn_arena_release(&momentum->memory);
    memset(momentum, 0, sizeof *momentum);
}

/* Make the view and load it with the impulses of the run. */
static cairn_status begin(crn_gs_momentum *m, const crn_gs_run *run, bool *applies)
{
    *applies = run->plan->apart;
    if (!*applies)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&m->memory, CRN_ARRAY(m->free, run->problem->n + 1),
                            CRN_ARRAY(m->best, run->problem->contact_count)));
    crn_gs_plan_free_velocity(run->plan, run->problem, m->free);
    CRN_TRY(crn_rigid_view_make(&m->view, run->problem, &run->plan->D, m->free, applies));
    if (!*applies)
        return CAIRN_OK;
    m->sweeps = m->sweeps ? m->sweeps : crn_compact_create(NULL);
    if (!m->sweeps)
        return CAIRN_NO_MEMORY;
    m->view.problem.threads = run->threads;
    m->view.problem.momentum = (crn_compact_momentum){SHARE, m->view.impulse, m->view.velocity};
    crn_rigid_view_take(&m->view, run->problem, run->solution->r);
    return crn_compact_load(m->sweeps, &m->view.problem, (const double(*)[3])m->view.impulse);
}

/* The relative error of the impulses of the view, which are kept if they are the best. */
static double judge(crn_gs_momentum *m, double scale, double *best)
{
    crn_compact_certificate found;
    size_t size = (size_t)m->view.problem.contact_count * sizeof *m->best;
    crn_compact_judge(&m->view.problem, (const double(*)[3])m->view.impulse, m->view.after, NULL, &found);
    double error = found.worst / scale;
    if (!(error < *best))
        return error;
    *best = error;
    memcpy(m->best, m->view.impulse, size);
    return error;
}

cairn_status crn_gs_momentum_iterate(crn_gs_momentum *m, const crn_gs_run *run, double tolerance, int limit,
                                     int *sweeps)
{
    assert(run->scale > 0.0 && limit > 0);
    bool applies;
    *sweeps = 0;
    CRN_TRY(begin(m, run, &applies));
    if (!applies)
        return CAIRN_OK;
    double best = INFINITY, before = INFINITY;
    int doubled = 2 * FIRST;
    judge(m, run->scale, &best);
    bool gains = true;
    while (gains && best > GOAL * tolerance && *sweeps < limit && !crn_is_late(run->deadline))
    {
        int more = *sweeps / LONGER > FIRST ? *sweeps / LONGER : FIRST, left = limit - *sweeps;
        more = more < left ? more : left;
        crn_compact_sweep(m->sweeps, more);
        crn_compact_store(m->sweeps, m->view.impulse, NULL);
        judge(m, run->scale, &best);
        *sweeps += more;
        if (*sweeps < doubled)
            continue;
        gains = best * GAIN <= before;
        before = best;
        doubled = 2 * *sweeps;
    }
    memcpy(m->view.impulse, m->best, (size_t)m->view.problem.contact_count * sizeof *m->best);
    crn_rigid_view_give(&m->view, run->problem, run->solution->r);
    return CAIRN_OK;
}
