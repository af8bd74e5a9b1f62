/* One problem, one or more attempts at it; the best solution so far, by its certificate, is kept.
 *
 * The order of calls: begin, then any of the ways to solve it, then result. Lemke's method and its fallbacks need the
 * problem reduced to its contacts (prepare, which begins too): dense, and only for polyhedral laws.
 */
#ifndef CRN_SOLVE_AUTO_ATTEMPT_H
#define CRN_SOLVE_AUTO_ATTEMPT_H

#include "base/context.h"
#include "cairn/solver.h"
#include "solve/auto/method.h"
#include "solve/certify/certify.h"
#include "solve/pivot/lcp.h"
#include "solve/pivot/lemke.h"
#include "solve/pivot/reduce.h"
#include "solve/pivot/refine.h"

typedef struct crn_attempt
{
    const cairn_problem *problem;
    const crn_islands *islands; /* of the problem, where it may have several; NULL: it is one */
    cairn_context *context;
    double tolerance;
    int max_iterations;  /* the caller's, 0: none */
    double deadline;     /* the caller's, 0: none */
    double until;        /* when the method under way is to end, no later than the deadline */
    int threads;         /* that a method may use, at least 1 */
    bool brief;          /* a method is to have a first look only */
    bool has_successor;  /* another follows it */
    const double *guess; /* the caller's, or NULL */
    int max_pivots;
    bool may_go_on; /* the limit is ours, not the caller's */
    bool limited;   /* the last attempt came to it */

    crn_reduction reduction;
    crn_lcp lcp;
    crn_lemke *lemke;
    crn_refiner refiner;
    crn_certifier *certifier;
    bool prepared; /* the certifier, for this problem */
    bool numeric;  /* a method could not factorise */

    double *z; /* of the attempt under way */
    bool *basic;
    cairn_solution trial;
    cairn_solution best;
    cairn_solver_report report; /* of the best, with the counts of all */

    double *cover;          /* fallbacks: a covering vector, */
    double *M, *q, *centre; /* and the problem made proximal about a point */
    size_t capacity[12];
} crn_attempt;

/* Arrays of the problem's sizes; capacity: of v, c and r. */
cairn_status crn_solution_reserve(cairn_solution *solution, const cairn_problem *problem, size_t capacity[3]);

bool crn_attempt_open(crn_attempt *attempt);
void crn_attempt_close(crn_attempt *attempt);

/* Note what is asked, with room for the answer. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_attempt_begin(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                               const cairn_solver_options *options);

/* Begin, factorise, reduce to the contacts, and expand the law where it is polyhedral. */
cairn_status crn_attempt_prepare(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                                 const cairn_solver_options *options);

/* The same for what was begun already. */
cairn_status crn_attempt_reduce(crn_attempt *attempt);

/* Lemke's method as it stands. */
cairn_status crn_attempt_lemke(crn_attempt *attempt);

/* Stronger ways, one after the other, until the certificate holds. */
cairn_status crn_attempt_fallbacks(crn_attempt *attempt);

/* Pivot on (M, q), the problem's own or one near it, with the covering vector (NULL: ones); refine on the problem's own,
 * certify, and keep the result if it is the best. z holds the refined point. */
cairn_status crn_attempt_pivot(crn_attempt *attempt, const double *M, const double *q, const double *cover,
                               const char *method);

/* An iterative method, on the problem itself or on one of the same size near it, from the best impulses so far (or the
 * guess), by the attempt's threads. The result is in `trial`. */
cairn_status crn_attempt_iterate(crn_attempt *attempt, const crn_method *method, void *workspace,
                                 const cairn_problem *near, const crn_method_options *options,
                                 crn_method_report *report);

/* Judge the trial by the problem itself and keep it if it is the best. usable: the largest relative certificate with which
 * it still counts as a solution that misses the tolerance rather than as none. */
cairn_status crn_attempt_judge(crn_attempt *attempt, double usable, const char *method);

/* The trial in place of the best, unless its certificate misses the tolerance or is much worse; CRN_AS_GOOD is as good as
 * rounding allows. */
#define CRN_AS_GOOD 1e-12
cairn_status crn_attempt_take(crn_attempt *attempt, bool *taken);

/* For what a method came to, whether it says it converged or not; pivoting that ended in a ray came to nothing. */
#define CRN_USABLE 1e-2

/* A method alone. */
cairn_status crn_attempt_method(crn_attempt *attempt, const crn_method *method, void *workspace);

/* The tolerance is met, or the time is up and something was found. */
bool crn_attempt_is_done(const crn_attempt *attempt);
void crn_attempt_result(const crn_attempt *attempt, cairn_solution *solution, cairn_solver_report *report);

#endif
