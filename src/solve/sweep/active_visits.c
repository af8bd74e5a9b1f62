#include "solve/sweep/active_visits.h"

#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum
{
    BUSY_PASSES = 6, /* over the busy contacts alone, after each over all */
    SLOW = 200,      /* sweeps' worth of visits for one step of theta: extrapolated sweeps do better */
    MEASUREMENTS = 6 /* afresh, before it is given up */
};

static const double STEP = 1.0 / 3.0; /* of theta */
static const double GOAL = 0.9;       /* share of the tolerance that is left unvisited */
/* r goes beyond the local solution by this factor: a quarter fewer visits on heaps, and still safe. */
static const double OVER = 1.3;

/* One call. */
typedef struct errand
{
    crn_gs_due *due;
    crn_gs_run run;
    double theta; /* m/s */
} errand;

bool crn_gs_due_applies(const crn_gs_run *run)
{
    const crn_gs_plan *plan = run->plan;
    int contacts = run->problem->contact_count;
    bool apart = plan->R_start[contacts] <= (size_t)contacts && !plan->multiples;
    for (int j = 0; j < contacts && apart; ++j)
        apart = plan->patch[j] < 0;
    return apart;
}

void crn_gs_due_release(crn_gs_due *due)
{
    crn_arena_release(&due->memory);
    memset(due, 0, sizeof *due);
}

static cairn_status reserve(crn_gs_due *due, const crn_gs_run *run)
{
    size_t contacts = (size_t)run->problem->contact_count + 1;
    size_t entries = (size_t)run->problem->H.entry_start[run->problem->contact_count] + 1;
    size_t colours = (size_t)run->plan->colour_count + 1;
    size_t clusters = (size_t)run->plan->cluster_count + 1;
    return crn_reserve_all(&due->memory, CRN_ARRAY(due->moved, clusters), CRN_ARRAY(due->seen, entries),
                           CRN_ARRAY(due->share, entries), CRN_ARRAY(due->cluster, entries),
                           CRN_ARRAY(due->busy, contacts), CRN_ARRAY(due->busy_end, colours),
                           CRN_ARRAY(due->visited, contacts));
}

/* The trace of H_je X_je, X_je the response of contact j on the block of its entry e. */
static double own_response(const crn_gs_run *run, int j, int e)
{
    assert(e >= run->problem->H.entry_start[j] && e < run->problem->H.entry_start[j + 1]);
    const cairn_problem *problem = run->problem;
    const crn_gs_plan *plan = run->plan;
    int first = problem->block_start[problem->H.block[e]];
    int size = problem->block_start[problem->H.block[e] + 1] - first;
    const double *H = problem->H.value + problem->H.value_start[e];
    double trace = 0.0;
    for (size_t x = plan->X_start[j]; x < plan->X_start[j + 1]; ++x)
    {
        if (first < plan->X_first[x] || first >= plan->X_first[x] + plan->X_size[x])
            continue;
        const double *X = plan->X + plan->X_value[x] + (first - plan->X_first[x]);
        for (int k = 0; k < problem->dim; ++k)
            for (int i = 0; i < size; ++i)
                trace += H[k * size + i] * X[k * plan->X_size[x] + i];
    }
    return trace;
}

static void find_shares(crn_gs_due *due, const crn_gs_run *run)
{
    const cairn_block_rows *H = &run->problem->H;
    memset(due->moved, 0, (size_t)run->plan->cluster_count * sizeof *due->moved);
    for (int j = 0; j < run->problem->contact_count; ++j)
    {
        double sum = 0.0;
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
        {
            due->cluster[e] = run->plan->cluster[H->block[e]];
            due->share[e] = own_response(run, j, e);
            sum += due->share[e];
        }
        for (int e = H->entry_start[j]; e < H->entry_start[j + 1]; ++e)
            due->share[e] = sum > 0.0 ? fmin(fmax(due->share[e] / sum, 0.0), 1.0) : 1.0;
    }
}

/* due_j */
static double due_of(const errand *at, int j)
{
    const crn_gs_due *due = at->due;
    const int *start = at->run.problem->H.entry_start;
    double sum = 0.0;
    for (int e = start[j]; e < start[j + 1]; ++e)
        sum += due->moved[due->cluster[e]] - due->seen[e];
    return sum;
}

/* From now on due_j = `left` as long as no body of contact j moves. */
static void set_due(const errand *at, int j, double left)
{
    crn_gs_due *due = at->due;
    const int *start = at->run.problem->H.entry_start;
    for (int e = start[j]; e < start[j + 1]; ++e)
        due->seen[e] = due->moved[due->cluster[e]] - (e == start[j] ? left : 0.0);
}

/* due_j by measurement for all contacts; the largest of them, relative, infinite where one is not a number. */
static double measure(const errand *at)
{
    double worst = 0.0;
    for (int j = 0; j < at->run.problem->contact_count; ++j)
    {
        double error = crn_gs_contact_error(&at->run, j);
        if (!isfinite(error))
            return INFINITY;
        set_due(at, j, error);
        worst = fmax(worst, error);
    }
    return worst / at->run.scale;
}

static bool visit_if_due(const errand *at, int j)
{
    assert(at->theta > 0.0);
    assert(at->run.omega > 0.0 && at->run.omega < 2.0);
    crn_gs_due *due = at->due;
    const int *start = at->run.problem->H.entry_start;
    due->visited[j] = due_of(at, j) > at->theta;
    if (!due->visited[j])
        return false;
    crn_gs_visit visit = crn_gs_visit_contact(&at->run, j);
    for (int e = start[j]; e < start[j + 1]; ++e)
        due->moved[due->cluster[e]] += visit.speed * due->share[e];
    double beyond = visit.speed * (at->run.omega - 1.0) / at->run.omega;
    set_due(at, j, beyond - visit.slack);
    return true;
}

/* Those of some contacts of one colour that are due; their number. */
static int visit_some(const errand *at, const int *contacts, int count)
{
    int visits = 0;
    if (at->run.threads <= 1 || count < CRN_GS_PARALLEL)
    {
        for (int k = 0; k < count; ++k)
            visits += visit_if_due(at, contacts[k]);
        return visits;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(at->run.threads) reduction(+ : visits)
#endif
    for (int k = 0; k < count; ++k)
        visits += visit_if_due(at, contacts[k]);
    return visits;
}

/* A pass over all contacts, which tells who is busy. */
static int pass_over_all(const errand *at)
{
    const crn_gs_plan *plan = at->run.plan;
    int visits = 0;
    int busy = 0;
    for (int colour = 0; colour < plan->colour_count; ++colour)
    {
        int first = plan->colour_start[colour];
        int end = plan->colour_start[colour + 1];
        visits += visit_some(at, plan->order + first, end - first);
        for (int k = first; k < end; ++k)
        {
            at->due->busy[busy] = plan->order[k];
            busy += at->due->visited[plan->order[k]];
        }
        at->due->busy_end[colour] = busy;
    }
    return visits;
}

static int pass_over_busy(const errand *at)
{
    assert(at->due->busy_end[at->run.plan->colour_count - 1] <= at->run.problem->contact_count);
    int visits = 0;
    int first = 0;
    for (int colour = 0; colour < at->run.plan->colour_count; ++colour)
    {
        int end = at->due->busy_end[colour];
        visits += visit_some(at, at->due->busy + first, end - first);
        first = end;
    }
    return visits;
}

/* Until nobody is due at this theta, or more than `most` visits are made; their number. */
static int64_t work_off(const errand *at, int64_t most)
{
    assert(most >= 0);
    int64_t visits = 0;
    int found = 0;
    do
    {
        found = pass_over_all(at);
        visits += found;
        int again = found;
        for (int pass = 0; pass < BUSY_PASSES && again > 0 && !crn_is_late(at->run.deadline); ++pass)
        {
            again = pass_over_busy(at);
            visits += again;
        }
    } while (found > 0 && visits <= most && !crn_is_late(at->run.deadline));
    return visits;
}

cairn_status crn_gs_due_iterate(crn_gs_due *due, const crn_gs_run *run, double tolerance, int limit, double *error,
                                int *sweeps)
{
    assert(crn_gs_due_applies(run));
    assert(run->scale > 0.0);
    assert(limit > 0);
    errand at = {due, *run, 0.0};
    int64_t contacts = run->problem->contact_count;
    int64_t visits = 0;
    double goal = GOAL * tolerance;
    *sweeps = 0;
    CRN_TRY(reserve(due, run));
    at.run.omega = run->omega == 1.0 ? OVER : run->omega;
    find_shares(due, run);
    *error = measure(&at);
    bool slow = false;
    for (int round = 0; round<MEASUREMENTS && * error> tolerance && isfinite(*error) && !slow; ++round)
    {
        double theta = *error;
        while (theta > goal && !slow)
        {
            theta = fmax(STEP * theta, goal);
            at.theta = theta * run->scale;
            int64_t most = contacts * limit - visits;
            most = most < SLOW * contacts ? most : SLOW * contacts;
            int64_t made = work_off(&at, most);
            visits += made;
            slow = made > most || crn_is_late(run->deadline);
        }
        *error = measure(&at);
        goal *= 0.5;
    }
    *sweeps = (int)((visits + contacts - 1) / contacts);
    return CAIRN_OK;
}
