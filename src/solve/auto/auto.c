/* The choice of a method.
 *
 *     one of a sequence, a mechanism      directly (solve/mechanism), before anything else
 *     first                               some sweeps of gauss-seidel: most problems need no more
 *     polyhedral, not too many variables  lemke and its fallbacks: exact, no tolerance to tune. Pyramids and boxes in space come here before the
 *                                         sweeps, unless there is a budget
 *     otherwise                           the iterative methods, from the cheapest to the strongest
 *     none met the tolerance              the same within the proximal loop, strongest first
 *     still none, polyhedral              lemke, if its dense matrix fits into memory
 *
 * Where there are more contacts than LADDERS[1] names, its methods are still the right ones if their factors are thin, as those of walls are; the
 * symbolic pattern tells. Where they are not, sweeps and gradients come first.
 *
 * Under a budget of work (work_limit) sweeps get a share of it, and a factorising method the rest where the symbolic pattern of its
 * matrix predicts that it can finish; pivoting runs only where it fits. Proximal loops and pivoting's fallbacks are left out. So they are,
 * and methods without a limit of iterations, where joints contradict each other (contradiction.c): nothing reaches the tolerance then.
 *
 * Each method starts from the best impulses so far, and the best solution by certificate is the answer: a fallback can only
 * improve it.
 */
#include "solve/auto/auto.h"

#include "base/clock.h"
#include "solve/auto/cause.h"
#include "solve/gradient/fixed_point.h"
#include "solve/gradient/proximal.h"
#include "solve/hold/hold.h"
#include "solve/mechanism/mechanism.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Up to LEMKE_ALONE variables pivoting costs no more than SWEEPS_OF_FEW sweeps. */
static const int LEMKE_ALONE = 40;
static const int SWEEPS_OF_FEW = 10;
/* Sweeps that sharpen velocities too rough to tell the null space of the forces. */
static const int SWEEPS_OF_VAGUE = 200;
/* Sweeps as exact as pivoting: this share of the tolerance, but no less than rounding allows. */
static const double EXACT = 1e-4;
static const double EXACT_LEAST = 1e-14;
/* The relative certificate up to which a guess is worth a correction. */
static const double NEAR = 1e-2;
/* Above DEAR variables, and up to MOST_PROVED contacts, it pays to ask first whether a solution can exist. */
static const int DEAR = 300;
static const int MOST_PROVED = 500;
static const int LEMKE_FIRST = 1500; /* variables up to which pivoting comes before the iterative methods */
static const int LEMKE_LAST = 3000;  /* and up to which it comes after them */

/* From the cheapest to the strongest, each with the iterations after which the next one is likely to be quicker (0: the
 * method's own choice). The cost of a sweep grows with the contacts. Second-order methods cost a factorisation: next to nothing
 * for few contacts, seconds for many thousands. Interior points decide which of many redundant contacts carry load; Newton's
 * method, started there, reaches the tolerance; where it wanders, the path of smoothed laws leads round the folds of exact
 * friction. */
typedef struct rung
{
    cairn_solver_kind kind;
    int limit;
} rung;

enum
{
    RUNGS = 6, /* at most; unused rungs are CAIRN_SOLVER_AUTO, which is no method */
    SIZES = 3
};

static const struct
{
    int contacts; /* at most */
    bool thin;    /* or more, where factors are thin */
    rung rungs[RUNGS];
} LADDERS[SIZES] = {
    {50,
     false,
     {{CAIRN_SOLVER_GAUSS_SEIDEL, 60},
      {CAIRN_SOLVER_NEWTON, 60},
      {CAIRN_SOLVER_INTERIOR_POINT, 30},
      {CAIRN_SOLVER_NEWTON, 0}}},
    {8000,
     true,
     {{CAIRN_SOLVER_GAUSS_SEIDEL, 400},
      {CAIRN_SOLVER_INTERIOR_POINT, 30},
      {CAIRN_SOLVER_NEWTON, 120},
      {CAIRN_SOLVER_SMOOTHING, 300},
      {CAIRN_SOLVER_NEWTON, 0},
      {CAIRN_SOLVER_ADMM, 0}}},
    {INT_MAX,
     false,
     {{CAIRN_SOLVER_GAUSS_SEIDEL, 3000},
      {CAIRN_SOLVER_APGD, 10000},
      {CAIRN_SOLVER_INTERIOR_POINT, 30},
      {CAIRN_SOLVER_NEWTON, 0}}},
};
/* Multiplications per contact that a factorisation of thin factors takes at most: methods need some thirty of them, which then take no more than
 * 3000 sweeps. Factors of walls and pyramids of 10,000 contacts take 8e3 and of 50,000 contacts 2e4; those of 20,000 contacts of a lattice of spheres 1e6. */
static const double THIN = 5e4;
/* For problems with more than FEW contacts that are given by W alone, so that factorisations are dense. */
static const int FEW = 50;
static const rung BODILESS[RUNGS] = {{CAIRN_SOLVER_GAUSS_SEIDEL, 400},
                                     {CAIRN_SOLVER_INTERIOR_POINT, 30},
                                     {CAIRN_SOLVER_NEWTON, 0},
                                     {CAIRN_SOLVER_ADMM, 0}};
/* Share of the time left for a method that a stronger one follows: with many contacts factorisations hardly pay. */
static const double SHARE = 0.5;
static const double SHARE_OF_MANY = 0.8;
/* Share of the budget of work for the sweeps before factorisations; without a guess they hardly ever suffice. */
static const double SWEEPS_SHARE = 0.9;
static const double SWEEPS_SHARE_COLD = 0.015625;
static const int CROWDED = 8; /* contacts per body */
static const int CROWDED_SWEEPS = 220;

/* Within the proximal loop. */
static const cairn_solver_kind PROXIMAL[] = {CAIRN_SOLVER_INTERIOR_POINT, CAIRN_SOLVER_GAUSS_SEIDEL};
static const int PROXIMAL_RUNGS = sizeof PROXIMAL / sizeof PROXIMAL[0];

bool crn_kind_can_solve(cairn_solver_kind kind, const cairn_problem *problem)
{
    assert((int)kind >= 0 && kind < CAIRN_SOLVER_KINDS);
    const crn_method *method = crn_method_of(kind);
    if (!method)
        return kind == CAIRN_SOLVER_LEMKE && crn_lcp_can_express(problem);
    return method->can_solve(problem) || crn_fixed_point_applies(method, problem);
}

cairn_status crn_solve_with(crn_solver_policy *policy, cairn_solver_kind kind)
{
    crn_attempt *attempt = &policy->attempt;
    assert(crn_kind_can_solve(kind, attempt->problem));
    const crn_method *method = crn_method_of(kind);
    if (!method)
        return crn_attempt_lemke(attempt);
    void *workspace = crn_workshop_get(&policy->workshop, kind);
    if (!workspace)
        return CAIRN_NO_MEMORY;
    return crn_fixed_point_is_needed(method, attempt->problem)
               ? crn_fixed_point(&policy->near, attempt, method, workspace)
               : crn_attempt_method(attempt, method, workspace);
}

/* Whether contacts share a compliance matrix: then sweeps converge well, and factorisations are dense. */
static bool has_patches(const cairn_problem *problem)
{
    bool found = problem->W.block_count > 0;
    for (int k = 0; k < problem->patch_count && !found; ++k)
        found = problem->patch_start[k + 1] - problem->patch_start[k] > 1;
    return found;
}

static const rung *find_ladder(const crn_solver_policy *policy)
{
    const cairn_problem *problem = policy->attempt.problem;
    int size = has_patches(problem) ? 1 : 0;
    if (problem->block_count == 0 && problem->contact_count > FEW)
        return BODILESS;
    while (problem->contact_count > LADDERS[size].contacts && !(LADDERS[size].thin && policy->thin))
        ++size;
    assert(size < SIZES);
    return LADDERS[size].rungs;
}

double crn_auto_exact_tolerance(double tolerance)
{
    assert(tolerance > 0.0);
    return fmax(fmin(tolerance, EXACT_LEAST), EXACT * tolerance);
}

cairn_status crn_solve_sweep(crn_solver_policy *policy, int limit, bool exact)
{
    assert(limit > 0);
    assert(crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, policy->attempt.problem));
    crn_attempt *attempt = &policy->attempt;
    int asked = attempt->max_iterations;
    double tolerance = attempt->tolerance;
    attempt->max_iterations = asked ? asked : limit;
    attempt->tolerance = exact ? crn_auto_exact_tolerance(tolerance) : tolerance;
    cairn_status status = crn_solve_with(policy, CAIRN_SOLVER_GAUSS_SEIDEL);
    attempt->max_iterations = asked;
    attempt->tolerance = tolerance;
    return status;
}

/* With many contacts per body sweeps converge slowly, while the cost of a factorisation grows with the bodies. */
static int limit_of(const rung *r, const crn_solver_policy *policy)
{
    const cairn_problem *problem = policy->attempt.problem;
    bool factorises = problem->contact_count <= LADDERS[1].contacts || policy->thin;
    assert(r->limit >= 0 && r->kind != CAIRN_SOLVER_AUTO);
    bool crowded = problem->contact_count > CROWDED * problem->block_count;
    bool sweeps = r->kind == CAIRN_SOLVER_GAUSS_SEIDEL && r->limit > CROWDED_SWEEPS;
    return crowded && sweeps && factorises ? CROWDED_SWEEPS : r->limit;
}

/* A method that another follows gets only a share of the time left. */
static void share_time(crn_solver_policy *policy, bool more)
{
    crn_attempt *attempt = &policy->attempt;
    bool sweeps = attempt->problem->contact_count > LADDERS[1].contacts && !policy->thin;
    bool shared = more && attempt->deadline > 0.0;
    double share = sweeps ? SHARE_OF_MANY : SHARE;
    attempt->until = shared ? crn_deadline(share * crn_time_left(attempt->deadline)) : attempt->deadline;
}

/* Pivoting takes about 2 n pivots of n^2 products each, and half as much for the matrix. */
static bool can_pivot(crn_attempt *attempt, int variables)
{
    double n = variables;
    return crn_attempt_pay(attempt, crn_attempt_is_limited(attempt) ? 2.5 * n * n * n : 0.0);
}

/* Run the sweeps that come before factorisations with their share of the work. What they leave of it is for those. */
static cairn_status try_sweeps(crn_solver_policy *policy)
{
    crn_attempt *attempt = &policy->attempt;
    bool alone = crn_auto_pivots_first(attempt->problem); /* no interior points know polygons */
    double share = attempt->guess || alone ? SWEEPS_SHARE : SWEEPS_SHARE_COLD;
    double rest = crn_attempt_is_limited(attempt) ? (1.0 - share) * attempt->work : 0.0;
    attempt->work -= rest;
    cairn_status status = crn_solve_with(policy, CAIRN_SOLVER_GAUSS_SEIDEL);
    attempt->work += rest;
    return status;
}

/* Run one rung. A method that factorises bodies and contacts together may fail where others do not: then the next is tried. */
static cairn_status try_rung(crn_solver_policy *policy, cairn_solver_kind kind)
{
    crn_attempt *attempt = &policy->attempt;
    int messages = attempt->context ? cairn_context_message_count(attempt->context) : 0;
    cairn_status status = kind == CAIRN_SOLVER_GAUSS_SEIDEL ? try_sweeps(policy) : crn_solve_with(policy, kind);
    if (status != CAIRN_NUMERIC || !crn_method_of(kind)->factorises_contacts)
        return status;
    attempt->numeric = true;
    if (attempt->context)
        crn_forget_messages(attempt->context, messages);
    return CAIRN_OK;
}

/* Rungs from `first` up to `end`, until the attempt is done. */
static cairn_status climb(crn_solver_policy *policy, int first, int end)
{
    assert(first >= 0 && first <= end);
    assert(end <= RUNGS);
    crn_attempt *attempt = &policy->attempt;
    int asked = attempt->max_iterations;
    cairn_status status = CAIRN_OK;
    const rung *ladder = find_ladder(policy);
    for (int i = first; i < end && !status && !crn_attempt_is_done(attempt); ++i)
    {
        bool endless = ladder[i].limit == 0 && attempt->floor > 0.0;
        if (crn_kind_can_solve(ladder[i].kind, attempt->problem) && !endless)
        {
            attempt->max_iterations = asked ? asked : limit_of(&ladder[i], policy);
            attempt->has_successor = !asked && i + 1 < RUNGS;
            share_time(policy, i + 1 < RUNGS && ladder[i + 1].kind != CAIRN_SOLVER_AUTO);
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
    for (int i = 0; i < PROXIMAL_RUNGS && !crn_attempt_is_done(attempt); ++i)
    {
        const crn_method *method = crn_method_of(PROXIMAL[i]);
        if (crn_fixed_point_is_needed(method, attempt->problem))
            continue;
        void *workspace = crn_workshop_get(&policy->workshop, PROXIMAL[i]);
        if (!workspace)
            return CAIRN_NO_MEMORY;
        ++attempt->report.fallbacks;
        CRN_TRY(crn_proximal(&policy->near, attempt, method, workspace));
    }
    return CAIRN_OK;
}

static bool has_rung(const crn_solver_policy *policy)
{
    bool found = false;
    for (int i = 0; i < RUNGS; ++i)
        found = found || crn_kind_can_solve(find_ladder(policy)[i].kind, policy->attempt.problem);
    return found;
}

/* Accept a sweep result that meets the caller's tolerance, though not the tighter one it aimed at. */
static void accept(crn_attempt *attempt)
{
    bool held = attempt->report.certificate.relative <= attempt->tolerance;
    attempt->report.outcome = held ? CAIRN_SOLVED : attempt->report.outcome;
}

/* Where a search is expensive, find out first whether it can be proved that there is no solution. */
static cairn_status prove_hopeless(crn_solver_policy *policy, bool *hopeless)
{
    const cairn_problem *problem = policy->attempt.problem;
    bool dear = crn_lcp_can_express(problem) && crn_lcp_count(problem) > DEAR && problem->contact_count <= MOST_PROVED;
    *hopeless = false;
    if (!dear || crn_attempt_is_done(&policy->attempt) || crn_attempt_is_limited(&policy->attempt))
        return CAIRN_OK;
    policy->prover = policy->prover ? policy->prover : calloc(1, sizeof *policy->prover);
    bool ready = policy->prover && (policy->prover->lemke || crn_attempt_open(policy->prover));
    return ready ? crn_prove_infeasible(policy->prover, problem, hopeless) : CAIRN_NO_MEMORY;
}

bool crn_auto_is_exact(const cairn_problem *problem, int contacts)
{
    assert(contacts >= 0 && contacts <= problem->contact_count);
    return crn_lcp_can_express(problem) &&
           (int64_t)crn_lcp_count(problem) * contacts <= (int64_t)LEMKE_ALONE * problem->contact_count;
}

bool crn_auto_pivots_first(const cairn_problem *problem)
{
    cairn_law_kind law = problem->law.kind;
    return problem->dim == 3 && (law == CAIRN_LAW_PYRAMID || law == CAIRN_LAW_BOX) && crn_lcp_can_express(problem);
}

/* Ask the pattern of many contacts what a factorisation takes. */
static cairn_status find_thinness(crn_solver_policy *policy)
{
    const cairn_problem *problem = policy->attempt.problem;
    double work;
    policy->thin = false;
    if (problem->contact_count <= LADDERS[1].contacts || problem->block_count == 0 ||
        !crn_kind_can_solve(CAIRN_SOLVER_INTERIOR_POINT, problem))
        return CAIRN_OK;
    void *workspace = crn_workshop_get(&policy->workshop, CAIRN_SOLVER_INTERIOR_POINT);
    CRN_TRY(workspace ? crn_method_interior_point.predict(workspace, problem, &work) : CAIRN_NO_MEMORY);
    policy->thin = work <= THIN * problem->contact_count;
    return CAIRN_OK;
}

static cairn_status solve_auto(crn_solver_policy *policy)
{
    crn_attempt *attempt = &policy->attempt;
    const cairn_problem *problem = attempt->problem;
    bool polyhedral = crn_lcp_can_express(problem);
    int variables = polyhedral ? crn_lcp_count(problem) : 0;
    /* without contacts there is nothing to iterate: the joint equations can be solved or they cannot */
    CRN_TRY(find_thinness(policy));
    bool iterative = problem->contact_count > 0 && has_rung(policy);
    if (!polyhedral && !iterative)
        return crn_fail(attempt->context, CAIRN_INVALID, "no method of this build solves the law of the circular cone");
    bool exact = polyhedral && (variables <= LEMKE_FIRST || !iterative);
    bool few = crn_auto_is_exact(problem, problem->contact_count);
    bool swept = iterative && (!few || crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, problem)) &&
                 (!exact || !crn_auto_pivots_first(problem) || crn_attempt_is_limited(attempt));
    if (swept)
        CRN_TRY(few ? crn_solve_sweep(policy, SWEEPS_OF_FEW, true) : climb(policy, 0, 1));
    CRN_TRY(crn_attempt_find_contradiction(attempt));
    if (exact && !crn_attempt_is_done(attempt) && can_pivot(attempt, variables))
    {
        attempt->report.fallbacks += swept && !few;
        CRN_TRY(crn_attempt_lemke(attempt));
        accept(attempt);
    }
    bool hopeless = false;
    CRN_TRY(prove_hopeless(policy, &hopeless));
    if (hopeless)
        return CAIRN_OK;
    bool unlimited = !crn_attempt_is_limited(attempt) && attempt->floor == 0.0;
    if (exact && unlimited && !crn_attempt_is_done(attempt))
        CRN_TRY(crn_attempt_fallbacks(attempt));
    if (iterative && !crn_attempt_is_done(attempt))
    {
        ++attempt->report.fallbacks;
        CRN_TRY(climb(policy, swept ? 1 : 0, RUNGS));
        CRN_TRY(unlimited ? climb_proximal(policy) : CAIRN_OK);
    }
    if (polyhedral && !exact && variables <= LEMKE_LAST && unlimited && !crn_attempt_is_done(attempt))
    {
        ++attempt->report.fallbacks;
        CRN_TRY(crn_attempt_lemke(attempt));
        CRN_TRY(crn_attempt_fallbacks(attempt));
    }
    return CAIRN_OK;
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
        crn_method_hold.destroy(policy->hold);
        crn_method_mechanism.destroy(policy->mechanism);
        if (policy->prover)
        {
            crn_attempt_close(policy->prover);
            free(policy->prover);
        }
        free(policy);
    }
}

/* Improve a solution that meets the tolerance as far as sweeps can. */
static cairn_status sharpen(crn_solver_policy *policy)
{
    policy->attempt.report.outcome = CAIRN_MISSED;
    cairn_status status = crn_solve_sweep(policy, SWEEPS_OF_VAGUE, true);
    accept(&policy->attempt);
    return status;
}

/* Choose the forces; where the velocities are too rough to tell which, sharpen them first. */
static cairn_status choose_sharp(crn_solver_policy *policy, cairn_forces wish)
{
    bool vague = false;
    CRN_TRY(crn_forces_choose(&policy->forces, &policy->attempt, wish, &vague));
    if (!vague || !crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, policy->attempt.problem))
        return CAIRN_OK;
    CRN_TRY(sharpen(policy));
    return crn_forces_choose(&policy->forces, &policy->attempt, wish, &vague);
}

/* The forces; and the velocities where friction leaves a choice and the wish is no other. */
static cairn_status choose_forces(crn_solver_policy *policy, cairn_forces wish)
{
    bool sticks = false;
    CRN_TRY(choose_sharp(policy, wish));
    if (wish == CAIRN_FORCES_AUTO)
        CRN_TRY(crn_prefer_stick(policy, &sticks));
    return sticks ? choose_sharp(policy, wish) : CAIRN_OK;
}

cairn_status crn_solver_policy_begin(crn_solver_policy *policy, cairn_context *context, const cairn_problem *problem,
                                     const crn_islands *islands, int largest, const cairn_solver_options *options,
                                     bool *still)
{
    assert((int)options->kind >= 0 && options->kind < CAIRN_SOLVER_KINDS);
    assert(!islands || islands->component_count > 1);
    crn_attempt *attempt = &policy->attempt;
    policy->guessed = policy->still = policy->slight = policy->direct = policy->resting = *still = false;
    policy->aim =
        crn_auto_is_exact(problem, largest) ? crn_auto_exact_tolerance(options->tolerance) : options->tolerance;
    CRN_TRY(crn_attempt_begin(attempt, context, problem, options));
    /* what sweeps cannot solve has no cheap solution to go on with */
    attempt->work = crn_kind_can_solve(CAIRN_SOLVER_GAUSS_SEIDEL, problem) ? attempt->work : INFINITY;
    attempt->islands = islands;
    if (!options->steady || options->kind != CAIRN_SOLVER_AUTO)
        return CAIRN_OK;
    bool mechanism = crn_method_mechanism.can_solve(problem) && !crn_auto_is_exact(problem, largest) && !islands;
    if (mechanism || (problem->joint_rows > 0 && problem->contact_count == 0))
        CRN_TRY(crn_solve_mechanism(policy));
    if (policy->direct || !options->guess || problem->contact_count == 0)
        return CAIRN_OK;
    attempt->tolerance = policy->aim;
    cairn_status status = crn_attempt_guess(attempt, &policy->still);
    attempt->tolerance = options->tolerance;
    policy->guessed = true;
    *still = policy->still;
    return status;
}

/* Under a budget the best solution is the answer, whatever its certificate, unless joints do not hold although velocities follow
 * from the impulses: these contradict each other. */
static void mark_limited(crn_attempt *attempt)
{
    const cairn_certificate *certificate = &attempt->report.certificate;
    bool held = isfinite(certificate->relative) && certificate->joint <= CRN_USABLE * certificate->scale;
    if (crn_attempt_is_limited(attempt) && held && attempt->report.outcome != CAIRN_SOLVED)
        attempt->report.outcome = CAIRN_LIMITED;
}

/* A mechanism at rest whose impulses could not be held: as if it moved. */
static cairn_status solve_resting(crn_solver_policy *policy)
{
    const double *before = policy->attempt.before;
    policy->attempt.before = NULL;
    cairn_status status = crn_solve_mechanism(policy);
    policy->attempt.before = before;
    return status;
}

/* A guess that is good but not the answer is corrected first; the methods that follow start from the better of the two. */
cairn_status crn_solver_policy_run(crn_solver_policy *policy, const cairn_solver_options *options)
{
    crn_attempt *attempt = &policy->attempt;
    bool near = policy->guessed && !policy->still && attempt->report.certificate.relative <= NEAR;
    if (near && crn_method_hold.can_solve(attempt->problem))
        CRN_TRY(crn_hold_guess(policy));
    if (policy->resting && !crn_attempt_is_done(attempt))
        CRN_TRY(solve_resting(policy));
    if (policy->direct || (policy->guessed && crn_attempt_is_done(attempt)))
    {
        attempt->report.out_of_time |= attempt->report.outcome != CAIRN_SOLVED && crn_is_late(attempt->deadline);
        mark_limited(attempt);
        return CAIRN_OK;
    }
    policy->slight = false;
    CRN_TRY(options->kind == CAIRN_SOLVER_AUTO ? solve_auto(policy) : crn_solve_with(policy, options->kind));
    CRN_TRY(crn_settle_first_load(policy, options));
    mark_limited(attempt);
    return attempt->numeric && !isfinite(attempt->report.certificate.relative) ? CAIRN_NUMERIC : CAIRN_OK;
}

cairn_status crn_solver_policy_choose(crn_solver_policy *policy, const cairn_solver_options *options,
                                      cairn_solution *solution, cairn_solver_report *report)
{
    CRN_TRY(choose_forces(policy, options->forces));
    *solution = policy->attempt.best;
    *report = policy->attempt.report;
    return CAIRN_OK;
}

/* Forces that have not been examined leave it to the speeds of the contacts whether another solution may stick. */
cairn_status crn_solver_policy_defer(crn_solver_policy *policy, cairn_solution *solution, cairn_solver_report *report)
{
    crn_attempt *attempt = &policy->attempt;
    bool sticks;
    assert(crn_forces_keep_velocities(attempt->problem, CAIRN_FORCES_AUTO));
    attempt->report.unexamined = 1;
    CRN_TRY(crn_prefer_stick(policy, &sticks));
    attempt->report.unexamined = 0;
    *solution = attempt->best;
    *report = attempt->report;
    return CAIRN_OK;
}

cairn_status crn_solver_policy_choose_later(crn_solver_policy *policy, cairn_solution *solution,
                                            cairn_solver_report *report)
{
    bool vague;
    policy->attempt.steady = false; /* they are asked for: what they cost does not matter */
    CRN_TRY(crn_forces_choose(&policy->forces, &policy->attempt, CAIRN_FORCES_AUTO, &vague));
    *solution = policy->attempt.best;
    *report = policy->attempt.report;
    return CAIRN_OK;
}

cairn_status crn_solver_policy_solve(crn_solver_policy *policy, cairn_context *context, const cairn_problem *problem,
                                     const crn_islands *islands, const cairn_solver_options *options,
                                     cairn_solution *solution, cairn_solver_report *report)
{
    bool still;
    CRN_TRY(crn_solver_policy_begin(policy, context, problem, islands, problem->contact_count, options, &still));
    CRN_TRY(crn_solver_policy_run(policy, options));
    return crn_solver_policy_choose(policy, options, solution, report);
}
