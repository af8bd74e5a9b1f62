/* The proximal outer loop.
 *
 * Redundant contacts make W singular and every iterative method slow. With impulses r_k known, solve instead
 *
 *     u + alpha_j (r - r_k) = H v + (R + alpha I) r + (w - alpha r_k),      law(u + alpha (r - r_k), r, mu),
 *
 * the same kind of problem, whose Delassus matrix W + alpha I is not singular; then r_k+1 = r. At a fixed point r = r_k, and
 * the law holds. For the convex laws it converges for any alpha > 0 (Rockafellar 1976): large ones make the problems easy,
 * small ones the steps few. alpha_j = a / rho_j, rho_j the contact's effective mass, and a falls while the method keeps up.
 */
#include "solve/gradient/proximal.h"

#include <assert.h>
#include <math.h>

static const int OUTER_STEPS = 15;
static const double FIRST_WEIGHT = 0.1;
static const double SMALLEST_WEIGHT = 1e-6;
static const double LARGEST_WEIGHT = 10.0;
static const int STALLED = 3; /* steps without progress */

/* R + alpha I and w - alpha r_k. */
static void shift(crn_perturbed *near, const crn_attempt *attempt, double weight)
{
    assert(weight > 0.0);
    assert(near->problem.contact_count == attempt->problem->contact_count);
    const cairn_problem *problem = attempt->problem;
    for (int j = 0; j < problem->contact_count; ++j)
    {
        double alpha = weight / crn_certifier_mass(attempt->certifier, problem, j);
        for (int i = j * problem->dim; i < (j + 1) * problem->dim; ++i)
        {
            *crn_perturbed_diagonal(near, i) += alpha;
            near->w[i] -= alpha * attempt->best.r[i];
        }
    }
}

cairn_status crn_proximal(crn_perturbed *near, crn_attempt *attempt, const crn_method *method, void *workspace)
{
    cairn_status status = CAIRN_OK;
    double weight = FIRST_WEIGHT;
    int idle = 0;
    for (int k = 0; k < OUTER_STEPS && idle < STALLED && !crn_attempt_is_done(attempt); ++k)
    {
        double before = attempt->report.certificate.relative;
        if (!isfinite(before) || crn_attempt_left(attempt, method) == 0)
            return CAIRN_OK; /* nothing to start from, or nothing left to take */
        crn_method_options options = {.tolerance = 0.1 * attempt->tolerance, .max_iterations = attempt->max_iterations};
        crn_method_report report;
        status = crn_perturbed_copy_compliance(near, attempt->problem);
        if (!status)
        {
            shift(near, attempt, weight);
            status = crn_attempt_iterate(attempt, method, workspace, &near->problem, &options, &report);
        }
        status = status ? status : crn_attempt_judge(attempt, CRN_USABLE, method->name);
        if (status)
            return status;
        bool better = attempt->report.certificate.relative < before;
        idle = attempt->report.certificate.relative < 0.9 * before ? 0 : idle + 1;
        weight = better && report.converged ? fmax(0.3 * weight, SMALLEST_WEIGHT) : fmin(4.0 * weight, LARGEST_WEIGHT);
    }
    return status;
}
