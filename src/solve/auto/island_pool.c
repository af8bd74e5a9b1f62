#include "solve/auto/island_pool.h"

#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum
{
    LARGE = 1024 /* weight from which an island is worth several threads within one method */
};

/* An island aims a little below the tolerance, since its scale differs by rounding from the one that the whole computes. */
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
    crn_islands_release(&pool->islands);
    crn_island_split_release(&pool->split);
    crn_certifier_destroy(pool->certifier);
    crn_arena_release(&pool->memory);
}

static cairn_status hire(crn_island_pool *pool, int threads)
{
    assert(threads > 0);
    CRN_TRY(crn_reserve_all(&pool->memory, CRN_ARRAY(pool->worker, threads)));
    for (; pool->worker_count < threads; ++pool->worker_count)
    {
        pool->worker[pool->worker_count] = crn_solver_policy_create();
        if (!pool->worker[pool->worker_count])
            return CAIRN_NO_MEMORY;
    }
    return CAIRN_OK;
}

/* What the threads share. */
typedef struct task
{
    crn_island_pool *pool;
    const cairn_problem *problem;
    const cairn_solver_options *options;
    double deadline; /* 0: none */
    int threads;
} task;

/* Time is shared by weight. An island's time grows faster than its weight, so small ones have plenty. */
static void find_shares(crn_island_pool *pool, int threads)
{
    assert(threads >= 1);
    assert(pool->islands.group_count > 0);
    double rest = 0.0;
    for (int i = pool->islands.group_count - 1; i >= 0; --i)
    {
        double weight = crn_islands_weight(&pool->islands, pool->islands.order[i]);
        rest += weight;
        pool->share[i] = fmin(1.0, threads * weight / rest);
    }
}

/* Solve the island that is i-th in the order, with the workspace of a worker or, for the first, one of its own. */
static void solve_group(const task *t, int i, int worker, int threads)
{
    assert(i >= 0 && i < t->pool->islands.group_count);
    assert(i == 0 || worker < t->pool->worker_count);
    assert(threads >= 1);
    crn_island_pool *pool = t->pool;
    int group = pool->islands.order[i];
    const crn_island_part *part = &pool->split.part[group];
    crn_solver_policy *policy = i == 0 ? pool->largest_workspace : pool->worker[worker];
    cairn_solver_options options = *t->options;
    options.guess = part->guess;
    options.before = part->before;
    options.threads = threads;
    options.time_limit = pool->share[i] * crn_time_left(t->deadline);
    options.work_limit *= (double)part->problem.contact_count / fmax(t->problem->contact_count, 1.0);
    options.tolerance *= SAFETY;
    crn_island_result *result = &pool->result[group];
    cairn_solution solution;
    *result = (crn_island_result){.status = CAIRN_OK};
    result->status = crn_solver_policy_solve(policy, NULL, &part->problem, NULL, &options, &solution, &result->report);
    if (!result->status)
        crn_island_merge(&pool->islands, t->problem, group, &solution, &pool->solution);
}

/* Without OpenMP, which allocates for a parallel region even if it has only one thread. */
static void solve_one_by_one(const task *t)
{
    for (int i = 0; i < t->pool->islands.group_count; ++i)
        solve_group(t, i, 0, 1);
}

#ifdef _OPENMP
/* An island heavier than a thread's share of all work comes first and gets all threads. */
static void solve_by_threads(const task *t)
{
    const crn_islands *islands = &t->pool->islands;
    int count = islands->group_count;
    int threads = t->threads > count ? count : t->threads;
    int weight = crn_islands_weight(islands, islands->order[0]);
    int all = t->problem->block_count + t->problem->G.item_count + t->problem->contact_count;
    bool first_alone = weight >= LARGE && weight >= all / t->threads;
    if (first_alone)
        solve_group(t, 0, 0, t->threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = first_alone ? 1 : 0; i < count; ++i)
        solve_group(t, i, omp_get_thread_num(), 1);
}
#else
static void solve_by_threads(const task *t)
{
    solve_one_by_one(t);
}
#endif

/* -------------------------------------------------------------------------------------------------------- together */

/* The method of all islands with contacts, or "several". */
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

/* The worse of two outcomes that are not CAIRN_SOLVED: no solution, a limit, a miss. */
static cairn_outcome worse(cairn_outcome a, cairn_outcome b)
{
    if (a == CAIRN_FAILED || b == CAIRN_FAILED)
        return CAIRN_FAILED;
    return a == CAIRN_LIMITED || b == CAIRN_LIMITED ? CAIRN_LIMITED : CAIRN_MISSED;
}

/* Sum up the reports. The certificate of the whole decides; where it misses the tolerance, the worst outcome counts. */
static void judge(crn_island_pool *pool, const cairn_problem *problem, double tolerance, cairn_solver_report *report)
{
    assert(tolerance > 0.0);
    assert(pool->solution.n == problem->n);
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
        report->unexamined_rows =
            part->unexamined_rows > report->unexamined_rows ? part->unexamined_rows : report->unexamined_rows;
        report->out_of_time |= part->out_of_time;
        report->chosen_forces = report->chosen_forces && (part->chosen_forces || part->null_space == 0);
        report->outcome = worse(report->outcome, part->outcome);
    }
    report->chosen_forces = report->chosen_forces && report->null_space > 0;
    crn_certifier_judge(pool->certifier, problem, &pool->solution, &report->certificate);
    report->outcome = report->certificate.relative <= tolerance ? CAIRN_SOLVED : report->outcome;
}

cairn_status crn_island_pool_solve(crn_island_pool *pool, const cairn_problem *problem,
                                   const cairn_solver_options *options, cairn_solution *solution,
                                   cairn_solver_report *report)
{
    assert(pool->islands.group_count > 1);
    assert(options->tolerance > 0.0);
    int groups = pool->islands.group_count;
    task t = {.pool = pool, .problem = problem, .options = options};
    t.threads = options->threads > 1 ? options->threads : 1;
    t.deadline = crn_deadline(options->time_limit);
    CRN_TRY(crn_reserve_all(&pool->memory, CRN_ARRAY(pool->result, groups), CRN_ARRAY(pool->share, groups)));
    CRN_TRY(crn_solution_reserve(&pool->solution, problem, &pool->memory));
    CRN_TRY(hire(pool, t.threads > groups ? groups : t.threads));
    CRN_TRY(crn_island_split_make(&pool->split, &pool->islands, problem, options->guess, options->before));
    CRN_TRY(crn_certifier_prepare(pool->certifier, problem, &pool->islands));
    find_shares(pool, t.threads);
    if (t.threads > 1)
        solve_by_threads(&t);
    else
        solve_one_by_one(&t);
    for (int k = 0; k < groups; ++k)
        CRN_TRY(pool->result[k].status);
    *solution = pool->solution;
    judge(pool, problem, options->tolerance, report);
    return CAIRN_OK;
}
