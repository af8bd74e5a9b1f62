#include "solve/crew.h"

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

bool crn_crew_open(crn_crew *crew, crn_chooser *foreman)
{
    crew->foreman = foreman;
    crew->certifier = crn_certifier_create();
    return crew->certifier != NULL;
}

void crn_crew_close(crn_crew *crew)
{
    for (int i = 0; i < crew->worker_count; ++i)
    {
        crn_chooser_destroy(crew->worker[i]);
    }
    free(crew->worker);
    crn_islands_release(&crew->islands);
    crn_island_split_release(&crew->split);
    crn_certifier_destroy(crew->certifier);
    free(crew->result);
    free(crew->share);
    free(crew->solution.v);
    free(crew->solution.c);
    free(crew->solution.r);
}

cairn_status crn_crew_survey(crn_crew *crew, const cairn_problem *problem, bool *apart)
{
    cairn_status status = crn_islands_find(&crew->islands, problem);
    *apart = !status && crew->islands.group_count > 1;
    return status;
}

static cairn_status hire(crn_crew *crew, int threads)
{
    if (crn_reserve(&crew->worker, &crew->capacity[0], (size_t)threads, sizeof(crn_chooser *)))
    {
        return CAIRN_NO_MEMORY;
    }
    while (crew->worker_count < threads)
    {
        crew->worker[crew->worker_count] = crn_chooser_create();
        if (!crew->worker[crew->worker_count])
        {
            return CAIRN_NO_MEMORY;
        }
        crew->worker_count++;
    }
    return CAIRN_OK;
}

static cairn_status reserve(crn_crew *crew, const cairn_problem *problem)
{
    size_t groups = (size_t)crew->islands.group_count;
    cairn_status status = crn_reserve(&crew->result, &crew->capacity[1], groups, sizeof(crn_island_result));
    status = status ? status : crn_reserve(&crew->share, &crew->capacity[2], groups, sizeof(double));
    return status ? status : crn_solution_reserve(&crew->solution, problem, crew->capacity + 3);
}

/* What the islands are asked for. */
typedef struct task
{
    crn_crew *crew;
    const cairn_problem *problem;
    const cairn_solver_options *options;
    double deadline; /* 0: none */
    int threads;
} task;

/* Time goes by weight: what an island takes grows faster than that, so small ones have plenty. */
static void find_shares(crn_crew *crew, int threads)
{
    double rest = 0.0;
    for (int i = crew->islands.group_count - 1; i >= 0; --i)
    {
        double weight = crn_islands_weight(&crew->islands, crew->islands.order[i]);
        rest += weight;
        crew->share[i] = fmin(1.0, threads * weight / rest);
    }
}

/* The island that is i-th in the order. */
static void solve_group(const task *t, int i, crn_chooser *chooser, int threads)
{
    crn_crew *crew = t->crew;
    int group = crew->islands.order[i];
    const crn_island_part *part = &crew->split.part[group];
    cairn_solver_options options = *t->options;
    options.guess = part->guess;
    options.threads = threads;
    options.time_limit = crew->share[i] * crn_time_left(t->deadline);
    options.tolerance *= SAFETY;
    crn_island_result *result = &crew->result[group];
    *result = (crn_island_result){.status = crn_chooser_solve(chooser, NULL, &part->problem, NULL, &options)};
    if (!result->status)
    {
        cairn_solution solution;
        crn_attempt_result(&chooser->attempt, &solution, &result->report);
        crn_island_merge(&crew->islands, t->problem, group, &solution, &crew->solution);
    }
}

/* The same, with the workspace of worker w. */
static void solve_next(const task *t, int i, int w)
{
    crn_crew *crew = t->crew;
    solve_group(t, i, i == 0 ? crew->foreman : crew->worker[w], 1);
}

/* OpenMP allocates for a region even if it has one thread only: this is for the others. */
static void solve_one_by_one(const task *t)
{
    for (int i = 0; i < t->crew->islands.group_count; ++i)
    {
        solve_next(t, i, 0);
    }
}

#ifdef _OPENMP
/* An island that outweighs what a thread has to do otherwise goes first and has all threads to itself. */
static void solve_by_threads(const task *t)
{
    const crn_islands *islands = &t->crew->islands;
    int count = islands->group_count;
    int threads = t->threads > count ? count : t->threads;
    int weight = crn_islands_weight(islands, islands->order[0]);
    int all = t->problem->block_count + t->problem->G.item_count + t->problem->contact_count;
    bool first_alone = weight >= LARGE && weight >= all / t->threads;
    if (first_alone)
    {
        solve_group(t, 0, t->crew->foreman, t->threads);
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = first_alone ? 1 : 0; i < count; ++i)
    {
        solve_next(t, i, omp_get_thread_num());
    }
}
#else
static void solve_by_threads(const task *t)
{
    solve_one_by_one(t);
}
#endif

/* -------------------------------------------------------------------------------------------------------- together */

/* The name of the method that all islands with contacts share. */
static const char *common_method(const crn_crew *crew)
{
    const char *method = NULL;
    for (int k = 0; k < crew->islands.group_count; ++k)
    {
        const char *other = crew->result[k].report.method;
        if (crn_members_count(&crew->islands.contacts, k) > 0)
        {
            method = !method || strcmp(method, other) == 0 ? other : "several";
        }
    }
    return method ? method : crew->result[crew->islands.order[0]].report.method;
}

/* The certificate of the whole decides; where it misses, the worst outcome of an island. */
static void judge(crn_crew *crew, const cairn_problem *problem, double tolerance, cairn_solver_report *report)
{
    *report = (cairn_solver_report){.outcome = CAIRN_MISSED, .method = common_method(crew), .chosen_forces = true};
    for (int k = 0; k < crew->islands.group_count; ++k)
    {
        const cairn_solver_report *part = &crew->result[k].report;
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
    crn_certifier_judge(crew->certifier, problem, &crew->solution, &report->certificate);
    report->outcome = report->certificate.relative <= tolerance ? CAIRN_SOLVED : report->outcome;
}

cairn_status crn_crew_solve(crn_crew *crew, const cairn_problem *problem, const cairn_solver_options *options,
                            cairn_solution *solution, cairn_solver_report *report)
{
    int groups = crew->islands.group_count;
    task t = {.crew = crew, .problem = problem, .options = options};
    t.threads = options->threads > 1 ? options->threads : 1;
    t.deadline = crn_deadline(options->time_limit);
    cairn_status status = reserve(crew, problem);
    status = status ? status : hire(crew, t.threads > groups ? groups : t.threads);
    status = status ? status : crn_island_split_make(&crew->split, &crew->islands, problem, options->guess);
    status = status ? status : crn_certifier_prepare(crew->certifier, problem, &crew->islands);
    if (status)
    {
        return status;
    }
    find_shares(crew, t.threads);
    if (t.threads > 1)
    {
        solve_by_threads(&t);
    }
    else
    {
        solve_one_by_one(&t);
    }
    for (int k = 0; k < groups && !status; ++k)
    {
        status = crew->result[k].status;
    }
    *solution = crew->solution;
    if (!status)
    {
        judge(crew, problem, options->tolerance, report);
    }
    return status;
}
