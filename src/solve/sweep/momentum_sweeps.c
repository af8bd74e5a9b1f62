#include "solve/sweep/momentum_sweeps.h"

#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    FIRST = 32,       /* sweeps of a round at least, */
    LONGER = 4,       /* or this part of all before it */
    LOOK = 128,       /* sweeps before the first look at what is gained, */
    LOOK_ROUND = 512, /* and where all contacts are round */
    CROWD = 24        /* contacts per body: with more hardly any two of them can be visited at once */
};

/* Of the last change, that is added to it, in every other round. What one leaves in circles, the other may end. */
static const double SHARE[2] = {0.85, 0.92};
/* Give up where the limit would have to be so many times as large. */
static const double HOPELESS = 2.5, HOPELESS_ROUND = 1.25;
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
    *applies = run->plan->apart && run->problem->contact_count <= CROWD * run->problem->block_count;
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
    m->view.problem.momentum =
        (crn_compact_momentum){.share = SHARE[0], .impulse = m->view.impulse, .velocity = m->view.velocity};
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

/* Looks at the best error each time the number of sweeps has doubled. */
typedef struct outlook
{
    bool is_round;
    int next, last; /* sweeps */
    double before;
} outlook;

/* The sweeps that the goal is likely to take in all. Where all contacts are round, errors go on shrinking at the rate since the last look. Where faces
 * touch, each doubling of the sweeps gains what the last one did. */
static double sweeps_for(const outlook *look, double best, double goal, int taken)
{
    double gain = log(look->before / best), left = log(best / goal);
    return look->is_round ? taken + left * (taken - look->last) / gain : taken * pow(2.0, left / gain);
}

static bool is_hopeless(outlook *look, double best, double goal, int taken, int limit)
{
    if (taken < look->next)
        return false;
    double most = (look->is_round ? HOPELESS_ROUND : HOPELESS) * limit;
    bool hopeless = isfinite(look->before) && !(sweeps_for(look, best, goal, taken) <= most);
    *look = (outlook){look->is_round, 2 * taken, taken, best};
    return hopeless;
}

/* Rounds until the goal, the limit, or until they are hopeless. Returns the number of sweeps. */
static int take_rounds(crn_gs_momentum *m, const crn_gs_run *run, double goal, int limit)
{
    double best = INFINITY;
    outlook look = {m->view.all_round, m->view.all_round ? LOOK_ROUND : LOOK, 0, INFINITY};
    int taken = 0;
    judge(m, run->scale, &best);
    for (int round = 0; best > goal && taken < limit && !crn_is_late(run->deadline); ++round)
    {
        int more = taken / LONGER > FIRST ? taken / LONGER : FIRST, left = limit - taken;
        more = more < left ? more : left;
        sweep(m, more, round);
        judge(m, run->scale, &best);
        taken += more;
        if (is_hopeless(&look, best, goal, taken, limit))
            break;
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
