/* The fixed point on the convexity gap (de Saxce and Feng 1998; Acary and Cadoux 2013).
 *
 * Coulomb's law is the convex law of the velocity u + s e_n with s = mu |u_t|, since r in K, u + s e_n in K* and
 * (u + s e_n)'r = 0 is what it says. With s held the problem is convex, and its bias is w_n + s:
 *
 *     s_0 = mu |u_t| of the guess (0 without one);   solve;   s_k+1 = s_k + theta (mu |u_t| - s_k);   repeat.
 *
 * Bounds lo f <= z <= hi f of a row, f the first impulse of another item, are held at the f of the step before in the same
 * way: lo_k+1 = lo_k + theta (lo f - lo_k).
 *
 * A solution of the outer loop is exact; the certificate of the exact law ends it. There is no proof that it converges:
 * theta is halved where the residual does not fall or, with bounds, where these do not come closer to what the impulses give.
 */
#include "solve/gradient/fixed_point.h"

#include "solve/auto/bounded.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const int OUTER_STEPS = 60;
static const double SMALLEST_THETA = 0.05;

static bool convex_twin(const cairn_problem *problem, cairn_law *law)
{
    *law = (cairn_law){CAIRN_LAW_CONVEX_CONE, 0};
    return problem->law.kind == CAIRN_LAW_CONE;
}

bool crn_fixed_point_applies(const crn_method *method, const cairn_problem *problem)
{
    cairn_problem twin = *problem;
    return convex_twin(problem, &twin.law) && method->can_solve(&twin);
}

bool crn_fixed_point_is_needed(const crn_method *method, const cairn_problem *problem)
{
    return !method->can_solve(problem) || (method->needs_constant_bounds && crn_has_multiples(problem));
}

static double sliding(const cairn_problem *problem, const double *u, int j)
{
    assert(j >= 0 && j < problem->contact_count);
    const double *u_j = u + j * problem->dim;
    return problem->mu[j] * (problem->dim == 3 ? hypot(u_j[1], u_j[2]) : fabs(u_j[1]));
}

/* The impulses to begin with: the best known, else the guess; NULL: none. */
static const double *first_impulses(const crn_attempt *attempt)
{
    return isfinite(attempt->report.certificate.relative) ? attempt->best.r : attempt->guess;
}

/* Take the bounds from the impulses to begin with. */
static cairn_status start_bounds(crn_perturbed *near, crn_attempt *attempt)
{
    const double *r = first_impulses(attempt);
    if (!r)
    {
        memset(attempt->trial.r, 0, (size_t)attempt->trial.contact_rows * sizeof(double));
        r = attempt->trial.r;
    }
    double change;
    return crn_perturbed_freeze_bounds(near, attempt->problem, r, 1.0, &change);
}

/* s += theta (mu |u_t| - s) in the bias of the convex problem. */
static void move_bias(crn_perturbed *near, const cairn_problem *problem, double theta)
{
    assert(theta > 0.0 && theta <= 1.0);
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double *w_n = near->w + j * problem->dim;
        double s = *w_n - problem->w[j * problem->dim];
        *w_n = problem->w[j * problem->dim] + s + theta * (sliding(problem, near->u, j) - s);
    }
}

cairn_status crn_fixed_point(crn_perturbed *near, crn_attempt *attempt, const crn_method *method, void *workspace)
{
    const cairn_problem *problem = attempt->problem;
    cairn_status status = crn_perturbed_copy(near, problem);
    bool bounds = method->needs_constant_bounds && crn_has_multiples(problem);
    bool gap = !method->can_solve(problem);
    status = status || !bounds ? status : start_bounds(near, attempt);
    if (status)
        return status;
    if (gap)
        convex_twin(problem, &near->problem.law);
    double theta = 1.0, last_change = INFINITY;
    for (int k = 0; k < OUTER_STEPS && theta >= SMALLEST_THETA && !status && !crn_attempt_is_done(attempt); ++k)
    {
        crn_method_options options = {.tolerance = 0.1 * attempt->tolerance, .max_iterations = attempt->max_iterations};
        crn_method_report report;
        double before = attempt->report.certificate.relative;
        if (crn_attempt_left(attempt, method) == 0)
            return CAIRN_OK;
        status = crn_attempt_iterate(attempt, method, workspace, &near->problem, &options, &report);
        if (status)
            return status;
        const double *solved = attempt->trial.r; /* remains valid when the trial becomes the best */
        crn_perturbed_velocities(near, problem, attempt->trial.v, solved);
        status = crn_attempt_judge(attempt, CRN_USABLE, method->name);
        if (bounds && !status)
        {
            double change;
            status = crn_perturbed_freeze_bounds(near, problem, solved, theta, &change);
            theta = change < last_change ? theta : 0.5 * theta;
            last_change = change;
        }
        else
        {
            theta = attempt->report.certificate.relative < before ? theta : 0.5 * theta;
        }
        if (gap)
            move_bias(near, problem, theta);
    }
    return status;
}
