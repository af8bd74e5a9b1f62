/* Problems that follow each other in time. Before the methods of auto.c they are tried with the guess, corrected, and mechanisms directly;
 * after them the forces of the first one are corrected where bodies are at rest. */
#include "solve/auto/auto.h"
#include "solve/hold/hold.h"
#include "solve/mechanism/mechanism.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The change of impulses, relative to the largest, up to which a correction leaves the forces as they were chosen. */
static const double SLIGHT = 1e-7;
/* Share of the tolerance above which velocities of a mechanism are refined, so many times at most. */
static const double ROUGH = 0.1;
static const int REFINEMENTS = 2;

/* Whether impulses differ by no more than SLIGHT of the largest. */
static bool differ_slightly(int rows, const double *a, const double *b)
{
    double change = 0.0, largest = 0.0;
    for (int i = 0; i < rows; ++i)
    {
        double own = fabs(a[i] - b[i]), size = fabs(b[i]);
        change = own > change ? own : change;
        largest = size > largest ? size : largest;
    }
    return change <= SLIGHT * largest;
}

/* Correct the best solution, which nearly solves the problem, towards `aim`. */
static cairn_status hold_best(crn_solver_policy *policy, double aim, bool eases)
{
    crn_attempt *attempt = &policy->attempt;
    double tolerance = attempt->tolerance;
    crn_method_options options = {.tolerance = aim, .eases = eases, .limbs = attempt->limbs};
    crn_method_report report;
    policy->hold = policy->hold ? policy->hold : crn_method_hold.create();
    if (!policy->hold)
        return CAIRN_NO_MEMORY;
    CRN_TRY(crn_attempt_iterate(attempt, &crn_method_hold, policy->hold, attempt->problem, &options, &report));
    attempt->tolerance = aim;
    cairn_status status = report.declined ? CAIRN_OK : crn_attempt_judge_impulses(attempt, crn_method_hold.name);
    attempt->tolerance = tolerance;
    return status;
}

cairn_status crn_hold_guess(crn_solver_policy *policy)
{
    const crn_attempt *attempt = &policy->attempt;
    cairn_status status = hold_best(policy, policy->aim, false);
    policy->slight = !status && differ_slightly(attempt->best.contact_rows, attempt->best.r, attempt->guess);
    return status;
}

/* Whether bodies at rest are loaded for the first time. */
static bool is_first_load(const cairn_problem *problem, const cairn_solver_options *options)
{
    bool at_rest = options->steady && options->before && !options->guess && problem->contact_count > 0;
    for (int i = 0; at_rest && i < problem->n; ++i)
        at_rest = options->before[i] == 0.0;
    return at_rest;
}

cairn_status crn_settle_first_load(crn_solver_policy *policy, const cairn_solver_options *options)
{
    crn_attempt *attempt = &policy->attempt;
    bool is_small = !crn_attempt_is_limited(attempt), is_solved = attempt->report.outcome == CAIRN_SOLVED;
    bool is_exact = attempt->report.certificate.relative <= crn_auto_exact_tolerance(attempt->tolerance);
    if (!is_small || !is_solved || is_exact || options->kind != CAIRN_SOLVER_AUTO ||
        !is_first_load(attempt->problem, options) || !crn_method_hold.can_solve(attempt->problem))
        return CAIRN_OK;
    return hold_best(policy, attempt->tolerance, true);
}

/* Judge the trial of a mechanism in double. Where it holds the contacts but v and c are rough, they are refined. */
static cairn_status judge_mechanism(crn_solver_policy *policy, bool converged)
{
    crn_attempt *attempt = &policy->attempt;
    cairn_status status = CAIRN_OK;
    assert(attempt->prepared);
    crn_certifier_set_plain(attempt->certifier, attempt->problem->patch_count == 0);
    for (int pass = 0; pass <= REFINEMENTS && !status; ++pass)
    {
        const cairn_solution *best = &attempt->best;
        const cairn_certificate *found = &attempt->report.certificate;
        status = crn_attempt_judge(attempt, CRN_USABLE, crn_method_mechanism.name);
        bool rough = fmax(found->dynamics, found->joint) > ROUGH * attempt->tolerance * found->scale;
        if (status || !converged || !rough)
            break;
        memcpy(attempt->trial.v, best->v, (size_t)best->n * sizeof(double));
        memcpy(attempt->trial.c, best->c, (size_t)best->joint_rows * sizeof(double));
        memcpy(attempt->trial.r, best->r, (size_t)best->contact_rows * sizeof(double));
        status = crn_mechanism_refine(policy->mechanism, attempt->problem, &attempt->trial);
    }
    crn_certifier_set_plain(attempt->certifier, false);
    return status;
}

cairn_status crn_solve_mechanism(crn_solver_policy *policy)
{
    crn_attempt *attempt = &policy->attempt;
    crn_method_options options = {.tolerance = attempt->tolerance, .before = attempt->before};
    crn_method_report report;
    policy->mechanism = policy->mechanism ? policy->mechanism : crn_method_mechanism.create();
    if (!policy->mechanism)
        return CAIRN_NO_MEMORY;
    CRN_TRY(
        crn_attempt_iterate(attempt, &crn_method_mechanism, policy->mechanism, attempt->problem, &options, &report));
    policy->resting = report.resting;
    if (report.resting)
        attempt->limbs = policy->mechanism;
    if (report.declined)
        return CAIRN_OK;
    CRN_TRY(judge_mechanism(policy, report.converged));
    cairn_solver_report *now = &attempt->report;
    bool left = attempt->problem->contact_count > 0 && now->outcome == CAIRN_MISSED &&
                now->certificate.relative <= CRN_MECHANISM_CLOSE * attempt->tolerance;
    now->outcome = left ? CAIRN_LIMITED : now->outcome;
    policy->direct = now->outcome == CAIRN_SOLVED || left;
    policy->slight = policy->direct && attempt->guess &&
                     differ_slightly(attempt->best.contact_rows, attempt->best.r, attempt->guess);
    return CAIRN_OK;
}
