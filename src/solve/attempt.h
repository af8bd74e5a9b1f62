/* One problem, one or more attempts at it; the best solution so far, by its certificate, is kept.
 *
 * The order of calls: prepare, lemke, then perhaps fallbacks, then result.
 */
#ifndef CRN_SOLVE_ATTEMPT_H
#define CRN_SOLVE_ATTEMPT_H

#include "base/context.h"
#include "cairn/solver.h"
#include "solve/certify.h"
#include "solve/lcp.h"
#include "solve/lemke.h"
#include "solve/reduce.h"
#include "solve/refine.h"

typedef struct crn_attempt
{
    const cairn_problem *problem;
    double tolerance;
    int max_pivots;
    bool may_go_on; /* the limit is ours, not the caller's */
    bool limited;   /* the last attempt came to it */

    crn_reduction reduction;
    crn_lcp lcp;
    crn_lemke *lemke;
    crn_refiner refiner;
    crn_certifier *certifier;

    double *z; /* of the attempt under way */
    bool *basic;
    cairn_solution trial;
    cairn_solution best;
    cairn_solver_report report; /* of the best, with the counts of all */

    double *cover;          /* fallbacks: a covering vector, */
    double *M, *q, *centre; /* and the problem made proximal about a point */
    size_t capacity[12];
} crn_attempt;

bool crn_attempt_open(crn_attempt *attempt);
void crn_attempt_close(crn_attempt *attempt);

/* Factorise, reduce, expand. */
cairn_status crn_attempt_prepare(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                                 const cairn_solver_options *options);

/* Lemke's method as it stands. */
cairn_status crn_attempt_lemke(crn_attempt *attempt);

/* Stronger ways, one after the other, until the certificate holds. */
cairn_status crn_attempt_fallbacks(crn_attempt *attempt);

/* Pivot on (M, q), the problem's own or one near it, with the covering vector (NULL: ones); refine on the problem's own,
 * certify, and keep the result if it is the best. z holds the refined point. */
cairn_status crn_attempt_pivot(crn_attempt *attempt, const double *M, const double *q, const double *cover,
                               const char *method);

bool crn_attempt_is_done(const crn_attempt *attempt);
void crn_attempt_result(const crn_attempt *attempt, cairn_solution *solution, cairn_solver_report *report);

#endif
