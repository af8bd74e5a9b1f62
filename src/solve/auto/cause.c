#include "solve/auto/cause.h"

#include "base/memory.h"
#include "linalg/blocks.h"
#include "solve/auto/laws.h"
#include "solve/auto/monotone.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_VARIABLES = 3000, /* of a dense problem */
    DIRECTIONS = 16,       /* of the pyramid that stands for the cone */
};
static const double TOLERANCE = 1e-6;
static const double LARGEST_RATIO = 1e14;   /* of the entries on A's diagonal */
static const double LARGEST_NUMBER = 1e100; /* of p, b and w */

const char *cairn_cause_text(cairn_cause cause)
{
    switch (cause)
    {
    case CAIRN_CAUSE_JOINTS:
        return "the equations of the joints contradict each other";
    case CAIRN_CAUSE_CONTACTS:
        return "every motion that the joints allow closes some contact further";
    case CAIRN_CAUSE_BOUNDS:
        return "no motion that the joints and contacts allow satisfies a bounded row whose impulse has no bound";
    case CAIRN_CAUSE_LIFT_OFF:
        return "a contact must slide but cannot lift off as the convex law wants; take the law cone or pyramid(m)";
    case CAIRN_CAUSE_TIME:
        return "the time limit ended the search before a solution was found";
    case CAIRN_CAUSE_UNKNOWN:
        break;
    }
    return "no method found a solution";
}

/* Solve a part of the problem by pivoting; the attempt holds the result. */
static cairn_status pivot(crn_attempt *attempt, const cairn_problem *part)
{
    cairn_solver_options options = cairn_solver_default();
    options.kind = CAIRN_SOLVER_LEMKE;
    options.tolerance = TOLERANCE;
    CRN_TRY(crn_attempt_begin(attempt, NULL, part, &options));
    return crn_attempt_lemke(attempt);
}

/* The row with the largest |G v + R_c c - b|. */
static int worst_joint_row(const cairn_problem *problem, const cairn_solution *solution)
{
    int worst = -1;
    double largest = 0.0;
    for (int i = 0; i < problem->G.item_count; ++i)
    {
        for (int row = problem->G.row_start[i]; row < problem->G.row_start[i + 1]; ++row)
        {
            double speed = crn_row_times(problem, &problem->G, i, row - problem->G.row_start[i], solution->v);
            double residual = fabs(speed + problem->R_c[row] * solution->c[row] - problem->b[row]);
            if (residual > largest)
            {
                largest = residual;
                worst = row;
            }
        }
    }
    return worst;
}

static cairn_status try_joints(crn_attempt *attempt, const cairn_problem *problem, cairn_solver_report *report)
{
    cairn_problem part = *problem;
    part.contact_count = part.H.item_count = part.patch_count = 0;
    if (part.joint_rows == 0)
        return CAIRN_OK;
    cairn_status status = pivot(attempt, &part);
    const cairn_certificate *certificate = &attempt->report.certificate;
    if (!status && certificate->joint > CRN_USABLE * certificate->scale)
    {
        report->cause = CAIRN_CAUSE_JOINTS;
        report->culprit = worst_joint_row(&part, &attempt->best);
    }
    return status;
}

/* Whether a motion is possible depends only on where the impulse of a row is unbounded. held: no row acts. */
static void open_bounds(const cairn_problem *problem, bool held, cairn_bound *bound)
{
    for (int j = 0; j < problem->contact_count; ++j)
    {
        bound[j] = problem->bound[j];
        bound[j].by = -1;
        bound[j].lo = !held && isinf(bound[j].lo) ? bound[j].lo : 0.0;
        bound[j].hi = !held && isinf(bound[j].hi) ? bound[j].hi : 0.0;
    }
}

static cairn_status try_contacts(crn_attempt *attempt, const cairn_problem *problem, cairn_law law, cairn_cause cause,
                                 cairn_solver_report *report)
{
    cairn_problem part = *problem;
    part.law = law;
    if (report->cause != CAIRN_CAUSE_UNKNOWN || part.contact_count == 0 || crn_lcp_count(&part) > MOST_VARIABLES)
        return CAIRN_OK;
    cairn_status status = pivot(attempt, &part);
    if (!status && attempt->report.outcome == CAIRN_FAILED && !attempt->limited)
    {
        report->cause = cause;
        report->culprit = attempt->report.certificate.worst_contact;
    }
    return status;
}

/* The same after opening the bounds of bounded rows. */
static cairn_status try_opened(crn_attempt *attempt, const cairn_problem *problem, bool held, cairn_law law,
                               cairn_cause cause, cairn_solver_report *report)
{
    cairn_problem part = *problem;
    if (!problem->bound)
        return try_contacts(attempt, problem, law, cause, report);
    part.bound = calloc((size_t)problem->contact_count + 1, sizeof(cairn_bound));
    if (!part.bound)
        return CAIRN_NO_MEMORY;
    open_bounds(problem, held, part.bound);
    cairn_status status = try_contacts(attempt, &part, law, cause, report);
    free(part.bound);
    return status;
}

/* Contacts alone, then contacts and rows. */
static cairn_status try_motion(crn_attempt *attempt, const cairn_problem *problem, cairn_solver_report *report)
{
    cairn_law frictionless = {CAIRN_LAW_FRICTIONLESS, 0};
    cairn_status status = try_opened(attempt, problem, true, frictionless, CAIRN_CAUSE_CONTACTS, report);
    if (status || !problem->bound)
        return status;
    return try_opened(attempt, problem, false, frictionless, CAIRN_CAUSE_BOUNDS, report);
}

/* A convex law, or the pyramid inside a convex cone. */
static cairn_law lift_off(cairn_law law)
{
    bool polyhedral = crn_law_class_of(law.kind)->is_polyhedral;
    return polyhedral ? law : (cairn_law){CAIRN_LAW_CONVEX_PYRAMID, DIRECTIONS};
}

static bool all_below(const double *x, int count, double limit)
{
    bool below = true;
    for (int i = 0; i < count; ++i)
        below = below && fabs(x[i]) < limit;
    return below;
}

/* A ray proves that there is no solution only where u grows with r: A is positive definite, so where R is monotone. */
static cairn_status may_prove(const cairn_problem *problem, bool *may)
{
    int patch = -1;
    cairn_status status = crn_find_not_monotone(problem, &patch);
    *may = !status && patch < 0;
    return status;
}

/* Pivoting proves nothing where numbers overflow or masses differ by more than the range of double precision. */
static bool can_be_trusted(const cairn_problem *problem)
{
    double least = INFINITY;
    double most = 0.0;
    for (int i = 0; i < problem->block_count; ++i)
    {
        int size = problem->block_start[i + 1] - problem->block_start[i];
        const double *block = crn_diagonal_block(&problem->A, i);
        for (int k = 0; k < size; ++k)
        {
            least = fmin(least, block[k * (size + 1)]);
            most = fmax(most, block[k * (size + 1)]);
        }
    }
    return most <= LARGEST_RATIO * least && all_below(problem->p, problem->n, LARGEST_NUMBER) &&
           all_below(problem->b, problem->joint_rows, LARGEST_NUMBER) &&
           all_below(problem->w, problem->dim * problem->contact_count, LARGEST_NUMBER);
}

cairn_status crn_prove_infeasible(crn_attempt *work, const cairn_problem *problem, bool *infeasible)
{
    cairn_solver_report report = {.cause = CAIRN_CAUSE_UNKNOWN};
    bool may = can_be_trusted(problem);
    cairn_status status = may ? may_prove(problem, &may) : CAIRN_OK;
    status = status || !may ? status : try_joints(work, problem, &report);
    status = status || !may ? status : try_motion(work, problem, &report);
    *infeasible = report.cause != CAIRN_CAUSE_UNKNOWN;
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

cairn_status crn_find_cause(const cairn_problem *problem, cairn_solver_report *report)
{
    if (!can_be_trusted(problem))
        return CAIRN_OK;
    crn_attempt *attempt = calloc(1, sizeof *attempt);
    if (!attempt)
        return CAIRN_NO_MEMORY;
    bool convex = cairn_law_lifts_off(problem->law.kind);
    cairn_status status = crn_attempt_open(attempt) ? CAIRN_OK : CAIRN_NO_MEMORY;
    status = status ? status : try_joints(attempt, problem, report);
    bool monotone = false;
    status = status ? status : may_prove(problem, &monotone);
    status = status || !monotone ? status : try_motion(attempt, problem, report);
    if (convex && monotone && !status)
        status = try_opened(attempt, problem, false, lift_off(problem->law), CAIRN_CAUSE_LIFT_OFF, report);
    crn_attempt_close(attempt);
    free(attempt);
    /* a part that cannot be factorised tells nothing */
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}
