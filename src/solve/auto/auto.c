/* The choice of a method.
 *
 *     first                               some sweeps of gauss-seidel: most problems that arise need no more
 *     polyhedral, not too many variables  lemke and its fallbacks: exact, no tolerance to tune
 *     else                                the iterative methods, from the cheapest to the strongest
 *     none has met the tolerance          the same within the proximal loop, strongest first
 *     still none, polyhedral              lemke, as long as its dense matrix can be held
 *
 * Each starts from the best impulses of those before it, and the best of all by certificate is the answer: a fallback can
 * only improve it.
 */
#include "solve/auto/auto.h"
#include "base/memory.h"

#include "base/clock.h"
#include "solve/auto/cause.h"
#include "solve/gradient/fixed_point.h"
#include "solve/gradient/proximal.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const int LEMKE_ALONE = 40;   /* variables up to which pivoting costs no more than */
static const int SWEEPS_OF_FEW = 10; /* so many sweeps */
static const int SWEEPS_OF_VAGUE =
    200; /* where forces are to be chosen and the velocities are too rough to tell among which */
/* ... whose result is as exact as that of pivoting: this share of the tolerance, or what rounding leaves. */
static const double EXACT = 1e-4;
static const double EXACT_LEAST = 1e-14;
static const int DEAR = 300;        /* variables from which on it pays to ask first whether there can be a solution, */
static const int MOST_PROVED = 500; /* up to so many contacts */
static const int LEMKE_FIRST = 1500;
static const int LEMKE_LAST = 3000;

/* From the cheapest to the strongest, each with the iterations after which the next one is likely to be quicker (0: its own
 * choice). Sweeps cost what contacts cost; the second-order methods cost a factorisation, next to nothing for few contacts
 * and seconds for many thousands. Interior points settle which of many redundant contacts carry; Newton's method, begun
 * there, reaches the tolerance; where it wanders, the path of smoothed laws leads round the folds of exact friction. */
typedef struct rung
{
    cairn_solver_kind kind;
    int limit;
} rung;

enum
{
    RUNGS = 6, /* at most; those left out are CAIRN_SOLVER_AUTO, which is no method */
    SIZES = 3
};

static const struct
{
    int contacts; /* at most */
    rung rungs[RUNGS];
} LADDERS[SIZES] = {
    {50,
     {{CAIRN_SOLVER_GAUSS_SEIDEL, 60},
      {CAIRN_SOLVER_NEWTON, 60},
      {CAIRN_SOLVER_INTERIOR_POINT, 30},
      {CAIRN_SOLVER_NEWTON, 0}}},
    {8000,
     {{CAIRN_SOLVER_GAUSS_SEIDEL, 400},
      {CAIRN_SOLVER_INTERIOR_POINT, 30},
      {CAIRN_SOLVER_NEWTON, 120},
      {CAIRN_SOLVER_SMOOTHING, 300},
      {CAIRN_SOLVER_NEWTON, 0},
      {CAIRN_SOLVER_ADMM, 0}}},
    {INT_MAX,
     {{CAIRN_SOLVER_GAUSS_SEIDEL, 3000},
      {CAIRN_SOLVER_APGD, 10000},
      {CAIRN_SOLVER_INTERIOR_POINT, 30},
      {CAIRN_SOLVER_NEWTON, 0}}},
};
/* Problems given by W alone, more than FEW contacts, where factorisations are dense: what wanders there is the data, not the path. */
static const int FEW = 50;
static const rung BODILESS[RUNGS] = {{CAIRN_SOLVER_GAUSS_SEIDEL, 400},
                                     {CAIRN_SOLVER_INTERIOR_POINT, 30},
                                     {CAIRN_SOLVER_NEWTON, 0},
                                     {CAIRN_SOLVER_ADMM, 0}};
/* Of the time that is left, where a stronger method follows: on many contacts factorisations hardly pay. */
static const double SHARE = 0.5;
static const double SHARE_OF_MANY = 0.8;
static const int CROWDED = 8; /* contacts a body */
static const int CROWDED_SWEEPS = 220;
static const int CROWDED_MOST = 8000; /* contacts */

/* Within the proximal loop. */
static const cairn_solver_kind PROXIMAL[] = {CAIRN_SOLVER_INTERIOR_POINT, CAIRN_SOLVER_GAUSS_SEIDEL};
static const int PROXIMAL_RUNGS = sizeof PROXIMAL / sizeof PROXIMAL[0];

bool crn_kind_can_solve(cairn_solver_kind kind, const cairn_problem *problem)
{
    const crn_method *method = crn_method_of(kind);
    if (!method)
        return kind == CAIRN_SOLVER_LEMKE && crn_lcp_can_express(problem);
    return method->can_solve(problem) || crn_fixed_point_applies(method, problem);
}

static cairn_status pivot(crn_attempt *attempt)
{
    CRN_TRY(crn_attempt_reduce(attempt));
    return crn_attempt_lemke(attempt);
}

cairn_status crn_solve_with(crn_solver_policy *policy, cairn_solver_kind kind)
{
    crn_attempt *attempt = &policy->attempt;
    assert(crn_kind_can_solve(kind, attempt->problem));
    const crn_method *method = crn_method_of(kind);
    if (!method)
        return pivot(attempt);
    void *workspace = crn_workshop_get(&policy->workshop, kind);
    if (!workspace)
        return CAIRN_NO_MEMORY;
    return crn_fixed_point_is_needed(method, attempt->problem)
               ? crn_fixed_point(&policy->near, attempt, method, workspace)
               : crn_attempt_method(attempt, method, workspace);
}

/* Whether some contacts share their compliance: sweeps converge well there, and factorisations are dense. */
static bool has_patches(const cairn_problem *problem)
{
    bool found = false;
    for (int k = 0; k < problem->patch_count && !found; ++k)
        found = problem->patch_start[k + 1] - problem->patch_start[k] > 1;
    return found;
}

static const rung *find_ladder(const cairn_problem *problem)
{
    int size = has_patches(problem) ? 1 : 0;
    if (problem->block_count == 0 && problem->contact_count > FEW)
        return BODILESS;
    while (problem->contact_count > LADDERS[size].contacts)
        ++size;
    return LADDERS[size].rungs;
}

cairn_status crn_solve_sweep(crn_solver_policy *policy, int limit, bool exact)
{
    crn_attempt *attempt = &policy->attempt;
    int asked = attempt->max_iterations;
    double tolerance = attempt->tolerance;
    attempt->max_iterations = asked ? asked : limit;
    attempt->tolerance = exact ? fmax(fmin(tolerance, EXACT_LEAST), EXACT * tolerance) : tolerance;
    cairn_status status = crn_solve_with(policy, CAIRN_SOLVER_GAUSS_SEIDEL);
    attempt->max_iterations = asked;
    attempt->tolerance = tolerance;
    return status;
}

/* Many contacts a body: sweeps go slowly, while a factorisation costs what bodies cost. */
static int limit_of(const rung *r, const cairn_problem *problem)
{
    bool crowded = problem->contact_count > CROWDED * problem->block_count;
    bool sweeps = r->kind == CAIRN_SOLVER_GAUSS_SEIDEL && r->limit > CROWDED_SWEEPS;
    return crowded && sweeps && problem->contact_count <= CROWDED_MOST ? CROWDED_SWEEPS : r->limit;
}

/* A method takes no more than its share of what is left. */
static void share_time(crn_attempt *attempt, bool more)
{
    bool shared = more && attempt->deadline > 0.0;
    double share = attempt->problem->contact_count > LADDERS[1].contacts ? SHARE_OF_MANY : SHARE;
    attempt->until = shared ? crn_deadline(share * crn_time_left(attempt->deadline)) : attempt->deadline;
}

/* One rung. Matrices of bodies and contacts together may fail where those of the bodies do not: then the next one is tried. */
static cairn_status try_rung(crn_solver_policy *policy, cairn_solver_kind kind)
{
    crn_attempt *attempt = &policy->attempt;
    int messages = attempt->context ? cairn_context_message_count(attempt->context) : 0;
    cairn_status status = crn_solve_with(policy, kind);
    if (status != CAIRN_NUMERIC || !crn_method_of(kind)->factorises_contacts)
        return status;
    attempt->numeric = true;
    if (attempt->context)
        crn_forget_messages(attempt->context, messages);
    return CAIRN_OK;
}

/* Rungs from `first` up to `end`, while there is need. */
static cairn_status climb(crn_solver_policy *policy, int first, int end)
{
    crn_attempt *attempt = &policy->attempt;
    int asked = attempt->max_iterations;
    cairn_status status = CAIRN_OK;
    const rung *ladder = find_ladder(attempt->problem);
    for (int i = first; i < end && !status && !crn_attempt_is_done(attempt); ++i)
    {
        if (crn_kind_can_solve(ladder[i].kind, attempt->problem))
        {
            attempt->max_iterations = asked ? asked : limit_of(&ladder[i], attempt->problem);
            attempt->has_successor = !asked && i + 1 < RUNGS;
            share_time(attempt, i + 1 < RUNGS && ladder[i + 1].kind != CAIRN_SOLVER_AUTO);
            status = try_rung(policy, ladder[i].kind);
            attempt->report.fallbacks += !crn_attempt_is_done(attempt) && i + 1 < end;
        }
    }
    attempt->max_iterations = asked;
    attempt->has_successor = false;
    attempt->until = attempt->deadline;
    return status;
}

static cairn_status climb_proximal(crn_solver_policy *policy)
{
    crn_attempt *attempt = &policy->attempt;
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < PROXIMAL_RUNGS && !status && !crn_attempt_is_done(attempt); ++i)
    {
        const crn_method *method = crn_method_of(PROXIMAL[i]);
        if (!method || crn_fixed_point_is_needed(method, attempt->problem))
            continue;
        void *workspace = crn_workshop_get(&policy->workshop, PROXIMAL[i]);
        ++attempt->report.fallbacks;
        status = workspace ? crn_proximal(&policy->near, attempt, method, workspace) : CAIRN_NO_MEMORY;
    }
    return status;
}

static bool has_rung(const cairn_problem *problem)
{
    bool found = false;
    for (int i = 0; i < RUNGS; ++i)
        found = found || crn_kind_can_solve(find_ladder(problem)[i].kind, problem);
    return found;
}

/* What sweeps that were asked for more came to may do. */
static void accept(crn_attempt *attempt)
{
    bool held = attempt->report.certificate.relative <= attempt->tolerance;
    attempt->report.outcome = held ? CAIRN_SOLVED : attempt->report.outcome;
}

/* Whether it is proved that no law can hold, where a search is dear: then there is nothing to search. */
static cairn_status prove_hopeless(crn_solver_policy *policy, bool *hopeless)
{
    const cairn_problem *problem = policy->attempt.problem;
    bool dear = crn_lcp_can_express(problem) && crn_lcp_count(problem) > DEAR && problem->contact_count <= MOST_PROVED;
    *hopeless = false;
    if (!dear || crn_attempt_is_done(&policy->attempt))
        return CAIRN_OK;
    policy->prover = policy->prover ? policy->prover : calloc(1, sizeof *policy->prover);
    bool ready = policy->prover && (policy->prover->lemke || crn_attempt_open(policy->prover));
    return ready ? crn_prove_infeasible(policy->prover, problem, hopeless) : CAIRN_NO_MEMORY;
}

bool crn_auto_is_exact(const cairn_problem *problem, int contacts)
{
    return crn_lcp_can_express(problem) &&
           (int64_t)crn_lcp_count(problem) * contacts <= (int64_t)LEMKE_ALONE * problem->contact_count;
}

cairn_status crn_solve_auto(crn_solver_policy *policy)
{
    crn_attempt *attempt = &policy->attempt;
    const cairn_problem *problem = attempt->problem;
    bool polyhedral = crn_lcp_can_express(problem);
    int variables = polyhedral ? crn_lcp_count(problem) : 0;
    /* without contacts there is nothing to iterate: the joints can be held, or they cannot */
    bool iterative = problem->contact_count > 0 && has_rung(problem);
    if (!polyhedral && !iterative)
        return crn_fail(attempt->context, CAIRN_INVALID, "no method of this build solves the law of the circular cone");
    bool exact = polyhedral && (variables <= LEMKE_FIRST || !iterative);
    bool few = crn_auto_is_exact(problem, problem->contact_count);
    bool swept = iterative && (!few || crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, problem));
    cairn_status status = CAIRN_OK;
    if (swept)
        status = few ? crn_solve_sweep(policy, SWEEPS_OF_FEW, true) : climb(policy, 0, 1);
    if (!status && exact && !crn_attempt_is_done(attempt))
    {
        attempt->report.fallbacks += swept && !few;
        status = pivot(attempt);
        accept(attempt);
    }
    bool hopeless = false;
    status = status ? status : prove_hopeless(policy, &hopeless);
    if (hopeless)
        return status;
    if (!status && exact && !crn_attempt_is_done(attempt))
        status = crn_attempt_fallbacks(attempt);
    if (!status && iterative && !crn_attempt_is_done(attempt))
    {
        ++attempt->report.fallbacks;
        status = climb(policy, swept ? 1 : 0, RUNGS);
        status = status ? status : climb_proximal(policy);
    }
    if (!status && polyhedral && !exact && variables <= LEMKE_LAST && !crn_attempt_is_done(attempt))
    {
        ++attempt->report.fallbacks;
        status = pivot(attempt);
        status = status ? status : crn_attempt_fallbacks(attempt);
    }
    return status;
}

crn_solver_policy *crn_solver_policy_create(void)
{
    crn_solver_policy *policy = calloc(1, sizeof(crn_solver_policy));
    if (policy && !(crn_attempt_open(&policy->attempt) && crn_forces_open(&policy->forces)))
    {
        crn_solver_policy_destroy(policy);
        return NULL;
    }
    return policy;
}

void crn_solver_policy_destroy(crn_solver_policy *policy)
{
    if (policy)
    {
        crn_attempt_close(&policy->attempt);
        crn_workshop_release(&policy->workshop);
        crn_perturbed_release(&policy->near);
        crn_forces_close(&policy->forces);
        if (policy->prover)
        {
            crn_attempt_close(policy->prover);
            free(policy->prover);
        }
        free(policy);
    }
}

/* A solution that meets the tolerance, made as good as sweeps can. */
static cairn_status sharpen(crn_solver_policy *policy)
{
    policy->attempt.report.outcome = CAIRN_MISSED;
    cairn_status status = crn_solve_sweep(policy, SWEEPS_OF_VAGUE, true);
    accept(&policy->attempt);
    return status;
}

cairn_status crn_solver_policy_solve(crn_solver_policy *policy, cairn_context *context, const cairn_problem *problem,
                                     const crn_islands *islands, const cairn_solver_options *options)
{
    cairn_status status = crn_attempt_begin(&policy->attempt, context, problem, options);
    if (status)
        return status;
    policy->attempt.islands = islands;
    status = options->kind == CAIRN_SOLVER_AUTO ? crn_solve_auto(policy) : crn_solve_with(policy, options->kind);
    bool none = policy->attempt.numeric && !isfinite(policy->attempt.report.certificate.relative);
    status = !status && none ? CAIRN_NUMERIC : status;
    bool vague = false;
    status = status ? status : crn_forces_choose(&policy->forces, &policy->attempt, options->forces, &vague);
    if (!status && vague && crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, problem))
    {
        status = sharpen(policy);
        status = status ? status : crn_forces_choose(&policy->forces, &policy->attempt, options->forces, &vague);
    }
    return status;
}
