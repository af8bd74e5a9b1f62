/* Where contacts are redundant, exact friction may have several solutions: a box between two jaws may be pressed evenly and stick, or at
 * one corner, about which it then slips. Both satisfy Coulomb's law. Compliant bodies would stick: they begin with an even load.
 *
 * Under the convex law the velocities are unique. If nothing that is loaded slips under it, its solution satisfies the exact law, too, and is
 * the solution that sticks. So where dynamic friction leaves the motion undetermined (forces/forces.c), and where that has not been
 * examined but redundant contacts begin to slip, the convex problem is solved as well, and its solution is taken if the exact
 * problem certifies it.
 */
#include "solve/auto/auto.h"
#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>

/* A contact begins to slip if it slid by less than this share of its speed before the step. */
static const double ONSET = 0.1;
/* Contacts above which the second solve is too dear. */
static const int MANY = 200;

/* The law of the same cone that is convex. False: there is none that a method here solves. */
static bool convex_law(const cairn_problem *problem, cairn_law *law)
{
    bool cone = problem->law.kind == CAIRN_LAW_CONE || (problem->law.kind == CAIRN_LAW_PYRAMID && problem->dim == 2);
    *law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
    return cone && !crn_has_multiples(problem);
}

/* m/s: the largest sliding speed of a loaded contact at velocities v. */
static double slip_of(crn_perturbed *near, const cairn_problem *problem, const double *v, const double *r)
{
    double most = 0.0;
    crn_perturbed_velocities(near, problem, v, r);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *u = near->u + (size_t)j * (size_t)problem->dim;
        if (!crn_is_row(problem, j) && r[(size_t)j * (size_t)problem->dim] > 0.0)
            most = fmax(most, problem->dim == 3 ? hypot(u[1], u[2]) : fabs(u[1]));
    }
    return most;
}

/* Whether there may be another solution that sticks; near is a copy of the problem. */
static bool is_in_doubt(crn_perturbed *near, const crn_attempt *attempt)
{
    const cairn_problem *problem = attempt->problem;
    int rows = problem->joint_rows;
    if (!attempt->report.unexamined)
        return attempt->report.velocity_null_space > 0;
    if (!attempt->before || problem->contact_count > MANY)
        return false;
    for (int j = 0; j < problem->contact_count; ++j)
        rows += crn_item_rows(problem, j);
    double slip = slip_of(near, problem, attempt->best.v, attempt->best.r);
    return rows > problem->n && slip > attempt->tolerance * attempt->report.certificate.scale &&
           slip_of(near, problem, attempt->before, attempt->best.r) < ONSET * slip;
}

cairn_status crn_prefer_stick(crn_solver_policy *policy, bool *taken)
{
    crn_attempt *attempt = &policy->attempt;
    const cairn_problem *problem = attempt->problem;
    cairn_law law;
    *taken = false;
    if (attempt->report.outcome != CAIRN_SOLVED || !convex_law(problem, &law))
        return CAIRN_OK;
    CRN_TRY(crn_perturbed_copy(&policy->near, problem));
    if (!is_in_doubt(&policy->near, attempt))
        return CAIRN_OK;
    crn_method_options options = {.tolerance = crn_auto_exact_tolerance(attempt->tolerance)};
    crn_method_report report;
    const crn_method *method = crn_method_of(CAIRN_SOLVER_INTERIOR_POINT);
    void *workspace = crn_workshop_get(&policy->workshop, CAIRN_SOLVER_INTERIOR_POINT);
    if (!workspace)
        return CAIRN_NO_MEMORY;
    policy->near.problem.law = law;
    cairn_status status = crn_attempt_iterate(attempt, method, workspace, &policy->near.problem, &options, &report);
    if (status || report.declined)
        return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
    return crn_attempt_take_other(attempt, taken);
}
