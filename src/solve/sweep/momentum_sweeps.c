#include "solve/sweep/momentum_sweeps.h"

#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    FIRST = 32,  /* sweeps of a round at least, */
    LONGER = 4,  /* or this part of all before it */
    LEAST = 1024 /* sweeps, before a lack of gain ends them */
};

/* Of the last change, that is added to it, in every other round. What one leaves in circles, the other may end. */
static const double SHARE[2] = {0.85, 0.92};
static const double GAIN = 4.0 / 3.0;
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
    m->view.problem.momentum = (crn_compact_momentum){SHARE[0], m->view.impulse, m->view.velocity};
    crn_rigid_view_take(&m->view, run->problem, run->solution->r);
    return crn_compact_load(m->sweeps, &m->view.problem, (const double(*)[3])m->view.impulse);
}

/* Measure the relative error of the impulses of the view, which are kept if they are the best. */
static void judge(crn_gs_momentum *m, double scale, double *best)
{
    crn_compact_certificate found;
    size_t size = (size_t)m->view.problem.contact_count * sizeof *m->best;
    crn_compact_judge(&m->view.problem, (const double(*)[3])m->view.impulse, m->view.after, NULL, &found);
    double error = found.worst / scale;
    if (!(error < *best))
        return;
    *best = error;
    memcpy(m->best, m->view.impulse, size);
}

/* One round: so many sweeps, by one of the two shares. */
static void sweep(crn_gs_momentum *m, int sweeps, int round)
{
    m->view.problem.momentum.share = SHARE[round & 1];
    crn_compact_sweep(m->sweeps, sweeps);
    crn_compact_store(m->sweeps, m->view.impulse, NULL);
}

/* Rounds until the goal, the limit or a lack of gain. Returns the number of sweeps. */
static int take_rounds(crn_gs_momentum *m, const crn_gs_run *run, double goal, int limit)
{
    double best = INFINITY, before = INFINITY;
    int taken = 0, next = LEAST;
    bool gains = true;
    judge(m, run->scale, &best);
    for (int round = 0; gains && best > goal && taken < limit && !crn_is_late(run->deadline); ++round)
    {
        int more = taken / LONGER > FIRST ? taken / LONGER : FIRST, left = limit - taken;
        more = more < left ? more : left;
        sweep(m, more, round);
        judge(m, run->scale, &best);
        taken += more;
        if (taken < next)
            continue;
        gains = best * GAIN <= before;
        before = best;
        next = 2 * taken;
    }
    return taken;
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
    *sweeps = take_rounds(m, run, GOAL * tolerance, limit);
    memcpy(m->view.impulse, m->best, (size_t)m->view.problem.contact_count * sizeof *m->best);
    crn_rigid_view_give(&m->view, run->problem, run->solution->r);
    return CAIRN_OK;
}
