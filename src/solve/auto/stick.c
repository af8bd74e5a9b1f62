/* Where contacts are redundant, exact friction may have several solutions: a box between two jaws may be pressed evenly and stick, or at
 * one corner, about which it then slips. Both satisfy Coulomb's law. Compliant bodies would stick: they begin with an even load.
 *
 * Under the convex law the velocities are unique. If nothing that is loaded slips under it, its solution satisfies the exact law, too, and is
 * the solution that sticks. So where dynamic friction leaves the motion undetermined (forces/forces.c), and where that has not been
 * examined but redundant contacts begin to slip, the convex problem is solved as well, and its solution is taken if the exact
 * problem certifies it.
 */
#include "linalg/blocks.h"
#include "solve/auto/auto.h"
#include "solve/auto/bounded.h"
#include "solve/mechanism/mechanism.h"

#include <assert.h>
#include <math.h>

/* A contact begins to slip if it slid by less than this share of its speed before the step. */
static const double ONSET = 0.1;
/* Contacts above which the second solve is too dear. */
static const int MANY = 200;

/* The share of mu of a circular cone that lies within the cone of the problem's law; 0: none does, or the law is convex. A box
 * contains the circle, and a pyramid's polygon that through the middle of its sides. */
static double circle_within(const cairn_problem *problem)
{
    if (crn_has_multiples(problem))
        return 0.0;
    switch (problem->law.kind)
    {
    case CAIRN_LAW_CONE:
    case CAIRN_LAW_BOX:
        return 1.0;
    case CAIRN_LAW_PYRAMID:
        return problem->dim == 2 ? 1.0 : cos(M_PI / problem->law.directions);
    default:
        return 0.0;
    }
}

/* The problem in `near`, which is a copy, under the convex law of that circle. */
static cairn_status make_convex(crn_perturbed *near, double share)
{
    CRN_TRY(crn_reserve_all(&near->memory, CRN_ARRAY(near->mu, near->problem.contact_count)));
    for (int j = 0; j < near->problem.contact_count; ++j)
        near->mu[j] = share * near->problem.mu[j];
    near->problem.mu = near->mu;
    near->problem.law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
    return CAIRN_OK;
}

/* m/s: the largest sliding speed of a loaded contact at velocities v. */
static double slip_of(crn_perturbed *near, const cairn_problem *problem, const double *v, const double *r)
{
    double most = 0.0;
    if (problem->patch_count > 0 || problem->W.block_count > 0)
        crn_perturbed_velocities(near, problem, v, r);
    else
        crn_contact_velocities_plain(problem, v, near->u);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        const double *u = near->u + (size_t)j * (size_t)problem->dim;
        if (!crn_is_row(problem, j) && r[(size_t)j * (size_t)problem->dim] > 0.0)
            most = fmax(most, problem->dim == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]));
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
    if (rows <= problem->n)
        return false;
    double slip = slip_of(near, problem, attempt->best.v, attempt->best.r);
    return slip > attempt->tolerance * attempt->report.certificate.scale &&
           slip_of(near, problem, attempt->before, attempt->best.r) < ONSET * slip;
}

/* Solve the convex problem in `near` into the trial: a mechanism as it was solved itself, which is far quicker, others and those that
 * this does not solve by interior points. *found: there is a trial. */
static cairn_status solve_convex(crn_solver_policy *policy, bool *found)
{
    crn_attempt *attempt = &policy->attempt;
    const cairn_problem *convex = &policy->near.problem;
    crn_method_options options = {.tolerance = attempt->tolerance};
    crn_method_report report;
    *found = policy->direct && crn_method_mechanism.can_solve(convex);
    if (*found)
    {
        CRN_TRY(crn_attempt_iterate(attempt, &crn_method_mechanism, policy->mechanism, convex, &options, &report));
        *found = report.converged;
    }
    if (*found)
        return CAIRN_OK;
    options.tolerance = crn_auto_exact_tolerance(attempt->tolerance);
    void *workspace = crn_workshop_get(&policy->workshop, CAIRN_SOLVER_INTERIOR_POINT);
    if (!workspace)
        return CAIRN_NO_MEMORY;
    const crn_method *method = crn_method_of(CAIRN_SOLVER_INTERIOR_POINT);
    if (crn_attempt_left(attempt, method) == 0)
        return CAIRN_OK;
    cairn_status status = crn_attempt_iterate(attempt, method, workspace, convex, &options, &report);
    *found = !status && !report.declined;
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

cairn_status crn_prefer_stick(crn_solver_policy *policy, bool *taken)
{
    crn_attempt *attempt = &policy->attempt;
    double share = circle_within(attempt->problem);
    bool found;
    *taken = false;
    if (attempt->report.outcome != CAIRN_SOLVED || share == 0.0)
        return CAIRN_OK;
    CRN_TRY(crn_perturbed_copy(&policy->near, attempt->problem));
    if (!is_in_doubt(&policy->near, attempt))
        return CAIRN_OK;
    CRN_TRY(make_convex(&policy->near, share));
    CRN_TRY(solve_convex(policy, &found));
    return found ? crn_attempt_take_other(attempt, taken) : CAIRN_OK;
}
