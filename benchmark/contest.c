#include "contest.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double CONTEST_TARGET[CONTEST_TARGETS] = {1e-4, 1e-8};

/* Short calls are repeated, and the median taken. */
static const double REPEAT_BELOW = 0.02; /* s in all */
enum
{
    MOST_REPEATS = 7
};
static const double SMALLEST = 0.5e-4; /* tolerance over the target that is still tried */

static const cairn_solver_kind OWN[] = {CAIRN_SOLVER_AUTO,     CAIRN_SOLVER_GAUSS_SEIDEL,   CAIRN_SOLVER_APGD,
                                        CAIRN_SOLVER_ADMM,     CAIRN_SOLVER_INTERIOR_POINT, CAIRN_SOLVER_NEWTON,
                                        CAIRN_SOLVER_SMOOTHING};

int contest_own_count(void)
{
    return (int)(sizeof OWN / sizeof OWN[0]);
}

int contest_count(void)
{
    return contest_own_count() + peer_cone_count();
}

const char *contest_name(int solver)
{
    int own = contest_own_count();
    return solver < own ? cairn_solver_kind_name(OWN[solver]) : peer_cone_name(solver - own);
}

/* What a child is told. */
typedef struct order
{
    int solver;
    const peer_form *form;
    double tolerance;
} order;

/* One call of Cairn, from no guess, with the memory of the calls before as in a simulation; false when it gave no
 * impulses. */
static bool solve_own(const order *o, cairn_solver *solver, double *r, contest_result *result)
{
    cairn_solver_options options = cairn_solver_default();
    cairn_solution solution;
    cairn_solver_report report = {0};
    options.kind = OWN[o->solver];
    options.tolerance = o->tolerance;
    options.forces = CAIRN_FORCES_ANY; /* the peer does not choose among the forces that would do */
    double start = bench_now();
    bool fine = solver && !cairn_solver_solve(solver, o->form->problem, &options, &solution, &report);
    result->seconds = bench_now() - start;
    if (fine)
    {
        memcpy(r, solution.r, (size_t)solution.contact_rows * sizeof *r);
        result->iterations = report.iterations;
        result->claimed = report.outcome == CAIRN_SOLVED;
        strncpy(result->method, report.method ? report.method : "", sizeof result->method - 1);
    }
    return fine;
}

static bool solve_once(const order *o, cairn_solver *solver, double *r, contest_result *result)
{
    int own = contest_own_count();
    if (o->solver < own)
        return solve_own(o, solver, r, result);
    result->claimed = peer_cone_solve(o->solver - own, o->form, o->tolerance, r, &result->iterations, &result->seconds);
    return true;
}

static void work(void *data, void *answer)
{
    const order *o = data;
    contest_result *result = answer;
    const cairn_problem *problem = o->form->problem;
    cairn_context *context = cairn_context_create();
    cairn_solver *solver = cairn_solver_create(context);
    double *r = bench_memory((size_t)(problem->dim * problem->contact_count), sizeof *r);
    double times[MOST_REPEATS];
    double total = 0;
    int count = 0;
    bool fine = true;
    while (fine && count < MOST_REPEATS && (count == 0 || total < REPEAT_BELOW))
    {
        fine = solve_once(o, solver, r, result);
        times[count++] = result->seconds;
        total += result->seconds;
    }
    result->seconds = bench_median(times, count);
    result->error = (measure){INFINITY, INFINITY};
    if (fine)
        result->error = measure_impulses(context, problem, r);
    free(r);
    cairn_solver_destroy(solver);
    cairn_context_destroy(context);
}

static contest_result run_once(const order *o, const contest_rules *rules)
{
    contest_result result = {.end = CONTEST_NOT_MET};
    order copy = *o;
    int own = contest_own_count();
    trial_end end = trial_run(rules->limit, work, &copy, &result, sizeof result);
    if (end != TRIAL_DONE)
        result = (contest_result){.end = end == TRIAL_TIME ? CONTEST_TIME : CONTEST_CRASH};
    else
        result.end = result.error.siconos <= rules->target ? CONTEST_MET : CONTEST_NOT_MET;
    result.tolerance = o->tolerance;
    result.assembly = o->solver >= own && peer_cone_needs_W(o->solver - own) ? o->form->seconds : 0;
    return result;
}

contest_result contest_run(int solver, const peer_form *form, const contest_rules *rules)
{
    contest_result result = {.end = CONTEST_NOT_MET, .claimed = true};
    int own = contest_own_count();
    order o = {solver, form, rules->target};
    if (solver >= own && !peer_cone_takes(solver - own, form->problem))
        result.end = CONTEST_NOT_TAKEN;
    /* one that does not even claim success will not reach a smaller tolerance */
    while (o.tolerance > rules->target * SMALLEST && result.end == CONTEST_NOT_MET && result.claimed)
    {
        result = run_once(&o, rules);
        o.tolerance *= 0.1;
    }
    return result;
}
