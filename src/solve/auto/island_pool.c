#include "solve/auto/island_pool.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum
{
    LARGE = 1024 /* the weight from which on an island is worth the threads that a method uses within it */
};

/* An island aims a little below the tolerance, since rounding makes its scale differ from what the whole sees of it. */
static const double SAFETY = 0.999;

bool crn_island_pool_open(crn_island_pool *pool, crn_solver_policy *largest_workspace)
{
    pool->largest_workspace = largest_workspace;
    pool->certifier = crn_certifier_create();
    return pool->certifier;
}

void crn_island_pool_close(crn_island_pool *pool)
{
    for (int i = 0; i < pool->worker_count; ++i)
        crn_solver_policy_destroy(pool->worker[i]);
    free(pool->worker);
    crn_islands_release(&pool->islands);
    crn_island_split_release(&pool->split);
    crn_certifier_destroy(pool->certifier);
    free(pool->result);
    free(pool->share);
    free(pool->solution.v);
    free(pool->solution.c);
    free(pool->solution.r);
}

cairn_status crn_island_pool_survey(crn_island_pool *pool, const cairn_problem *problem, bool *apart)
{
    cairn_status status = crn_islands_find(&pool->islands, problem);
    *apart = !status && pool->islands.group_count > 1;
    return status;
}

static cairn_status hire(crn_island_pool *pool, int threads)
{
    if (crn_reserve(&pool->worker, &pool->capacity[0], (size_t)threads, sizeof(crn_solver_policy *)))
        return CAIRN_NO_MEMORY;
    while (pool->worker_count < threads)
    {
        pool->worker[pool->worker_count] = crn_solver_policy_create();
        if (!pool->worker[pool->worker_count])
            return CAIRN_NO_MEMORY;
        ++pool->worker_count;
    }
    return CAIRN_OK;
}

static cairn_status reserve(crn_island_pool *pool, const cairn_problem *problem)
{
    size_t groups = (size_t)pool->islands.group_count;
    CRN_TRY(crn_reserve(&pool->result, &pool->capacity[1], groups, sizeof(crn_island_result)));
    CRN_TRY(crn_reserve(&pool->share, &pool->capacity[2], groups, sizeof(double)));
    return crn_solution_reserve(&pool->solution, problem, pool->capacity + 3);
}

/* What the islands are asked for. */
typedef struct task
{
    crn_island_pool *pool;
    const cairn_problem *problem;
    const cairn_solver_options *options;
    double deadline; /* 0: none */
    int threads;
} task;

/* Time goes by weight: what an island takes grows faster than that, so small ones have plenty. */
static void find_shares(crn_island_pool *pool, int threads)
{
    double rest = 0.0;
    for (int i = pool->islands.group_count - 1; i >= 0; --i)
    {
        double weight = crn_islands_weight(&pool->islands, pool->islands.order[i]);
        rest += weight;
        pool->share[i] = fmin(1.0, threads * weight / rest);
    }
}

/* The island that is i-th in the order. */
static void solve_group(const task *t, int i, crn_solver_policy *policy, int threads)
{
    crn_island_pool *pool = t->pool;
    int group = pool->islands.order[i];
    const crn_island_part *part = &pool->split.part[group];
    cairn_solver_options options = *t->options;
    options.guess = part->guess;
    options.threads = threads;
    options.time_limit = pool->share[i] * crn_time_left(t->deadline);
    options.tolerance *= SAFETY;
    crn_island_result *result = &pool->result[group];
    *result = (crn_island_result){.status = crn_solver_policy_solve(policy, NULL, &part->problem, NULL, &options)};
    if (!result->status)
    {
        cairn_solution solution;
        crn_attempt_result(&policy->attempt, &solution, &result->report);
        crn_island_merge(&pool->islands, t->problem, group, &solution, &pool->solution);
    }
}

/* The same, with the workspace of worker w. */
static void solve_next(const task *t, int i, int w)
{
    crn_island_pool *pool = t->pool;
    solve_group(t, i, i == 0 ? pool->largest_workspace : pool->worker[w], 1);
}

/* OpenMP allocates for a region even if it has one thread only: this is for the others. */
static void solve_one_by_one(const task *t)
{
    for (int i = 0; i < t->pool->islands.group_count; ++i)
        solve_next(t, i, 0);
}

#ifdef _OPENMP
/* An island that outweighs what a thread has to do otherwise goes first and has all threads to itself. */
static void solve_by_threads(const task *t)
{
    const crn_islands *islands = &t->pool->islands;
    int count = islands->group_count;
    int threads = t->threads > count ? count : t->threads;
    int weight = crn_islands_weight(islands, islands->order[0]);
    int all = t->problem->block_count + t->problem->G.item_count + t->problem->contact_count;
    bool first_alone = weight >= LARGE && weight >= all / t->threads;
    if (first_alone)
        solve_group(t, 0, t->pool->largest_workspace, t->threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = first_alone ? 1 : 0; i < count; ++i)
        solve_next(t, i, omp_get_thread_num());
}
#else
static void solve_by_threads(const task *t)
{
    solve_one_by_one(t);
}
#endif

/* -------------------------------------------------------------------------------------------------------- together */

/* The name of the method that all islands with contacts share. */
static const char *common_method(const crn_island_pool *pool)
{
    const char *method = NULL;
    for (int k = 0; k < pool->islands.group_count; ++k)
    {
        const char *other = pool->result[k].report.method;
        if (crn_members_count(&pool->islands.contacts, k) > 0)
            method = !method || strcmp(method, other) == 0 ? other : "several";
    }
    return method ? method : pool->result[pool->islands.order[0]].report.method;
}

/* The certificate of the whole decides; where it misses, the worst outcome of an island. */
static void judge(crn_island_pool *pool, const cairn_problem *problem, double tolerance, cairn_solver_report *report)
{
    *report = (cairn_solver_report){.outcome = CAIRN_MISSED, .method = common_method(pool), .chosen_forces = true};
    for (int k = 0; k < pool->islands.group_count; ++k)
    {
        const cairn_solver_report *part = &pool->result[k].report;
        report->iterations += part->iterations;
        report->fallbacks += part->fallbacks;
        report->refactorisations += part->refactorisations;
        report->dropped_joint_rows += part->dropped_joint_rows;
        report->null_space += part->null_space;
        report->velocity_null_space += part->velocity_null_space;
        report->unexamined += part->unexamined;
        report->out_of_time |= part->out_of_time;
        report->chosen_forces = report->chosen_forces && (part->chosen_forces || part->null_space == 0);
        report->outcome = part->outcome > report->outcome ? part->outcome : report->outcome;
    }
    report->chosen_forces = report->chosen_forces && report->null_space > 0;
    crn_certifier_judge(pool->certifier, problem, &pool->solution, &report->certificate);
    report->outcome = report->certificate.relative <= tolerance ? CAIRN_SOLVED : report->outcome;
}

cairn_status crn_island_pool_solve(crn_island_pool *pool, const cairn_problem *problem,
                                   const cairn_solver_options *options, cairn_solution *solution,
                                   cairn_solver_report *report)
{
    int groups = pool->islands.group_count;
    task t = {.pool = pool, .problem = problem, .options = options};
    t.threads = options->threads > 1 ? options->threads : 1;
    t.deadline = crn_deadline(options->time_limit);
    cairn_status status = reserve(pool, problem);
    status = status ? status : hire(pool, t.threads > groups ? groups : t.threads);
    status = status ? status : crn_island_split_make(&pool->split, &pool->islands, problem, options->guess);
    status = status ? status : crn_certifier_prepare(pool->certifier, problem, &pool->islands);
    if (status)
        return status;
    find_shares(pool, t.threads);
    if (t.threads > 1)
        solve_by_threads(&t);
    else
        solve_one_by_one(&t);
    for (int k = 0; k < groups && !status; ++k)
        status = pool->result[k].status;
    *solution = pool->solution;
    if (!status)
        judge(pool, problem, options->tolerance, report);
    return status;
}
