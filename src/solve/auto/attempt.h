/* Attempts at one problem: each runs a method, the certificate judges its result, and the best solution so far is kept.
 *
 * Call crn_attempt_begin, then any of the ways to solve; `best` and `report` hold the answer. Lemke's method and its fallbacks
 * reduce the problem to its contacts, which takes dense matrices, and solve polyhedral laws only.
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
    const crn_islands *islands; /* of the problem; NULL: it is one island */
    cairn_context *context;
    double tolerance;
    int max_iterations;           /* the caller's limit; 0: none */
    int left[CAIRN_SOLVER_KINDS]; /* what each method has left of it, however often it runs; INT_MAX: there is none */
    double work;                  /* multiplications left of the caller's budget; INFINITY: there is none */
    double deadline;              /* the caller's; 0: none */
    double until;                 /* when the current method must end, no later than the deadline */
    int threads;                  /* that a method may use, at least 1 */
    bool steady;                  /* the problem is one of a sequence: cairn_solver_options */
    bool brief;                   /* crn_method_options::brief of the methods */
    bool has_successor;           /* another method follows the current one */
    const double *guess;          /* the caller's, or NULL */
    const double *before;         /* velocities before the step, or NULL */
    int max_pivots;
    bool may_go_on; /* max_pivots is our own limit, not the caller's */
    bool limited;   /* the last pivoting ended at max_pivots */

    crn_reduction reduction;
    crn_lcp lcp;
    crn_lemke *lemke;
    crn_refiner refiner;
    crn_certifier *certifier;
    bool prepared; /* the certifier is ready for this problem */
    bool numeric;  /* a method could not factorise its matrix */
    void *limbs;   /* workspace of crn_method_mechanism, which has found that the bodies rest, or NULL */
    double
        floor; /* m/s that joints miss at least, because they contradict each other: contradiction.c; 0: none or unknown */

    double *z; /* of the last pivoting */
    bool *basic;
    cairn_solution trial; /* of the current method */
    cairn_solution best;
    cairn_solver_report report; /* of the best, with the counts of all */

    double *cover;          /* fallbacks: a covering vector */
    double *M, *q, *centre; /* fallbacks: the proximal problem about a point */
    crn_arena memory;
} crn_attempt;

/* Make room for a solution of the problem's sizes. */
cairn_status crn_solution_reserve(cairn_solution *solution, const cairn_problem *problem, crn_arena *memory);

bool crn_attempt_open(crn_attempt *attempt);
void crn_attempt_close(crn_attempt *attempt);

/* Start on a problem: forget earlier results and make room for new ones. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_attempt_begin(crn_attempt *attempt, cairn_context *context, const cairn_problem *problem,
                               const cairn_solver_options *options);

/* Factorise, reduce to the contacts, and expand the law where it is polyhedral. */
cairn_status crn_attempt_reduce(crn_attempt *attempt);

/* Reduce, and solve by Lemke's method. */
cairn_status crn_attempt_lemke(crn_attempt *attempt);

/* Stronger variants of Lemke's method, one after another, until the certificate holds. */
cairn_status crn_attempt_fallbacks(crn_attempt *attempt);

/* Pivot on (M, q), of the problem itself or of one near it, with the covering vector (NULL: ones); refine on the problem
 * itself, certify, and keep the result if it is the best. z holds the refined point. */
cairn_status crn_attempt_pivot(crn_attempt *attempt, const double *M, const double *q, const double *cover,
                               const char *method);

/* Iterations that the caller's limit leaves to a method; INT_MAX: there is none. */
int crn_attempt_left(crn_attempt *attempt, const crn_method *method);

/* Run an iterative method on the problem itself or on one of the same size near it, starting from the best impulses so far or
 * the guess. The result is in `trial`. */
cairn_status crn_attempt_iterate(crn_attempt *attempt, const crn_method *method, void *workspace,
                                 const cairn_problem *near, const crn_method_options *options,
                                 crn_method_report *report);

/* Judge the trial by the problem itself and keep it if it is the best. usable: up to this relative certificate a trial that
 * misses the tolerance is CAIRN_MISSED, above it CAIRN_FAILED. */
cairn_status crn_attempt_judge(crn_attempt *attempt, double usable, const char *method);

/* The same for a trial of which only the impulses are given: its velocities are those that they cause. */
cairn_status crn_attempt_judge_impulses(crn_attempt *attempt, const char *method);

/* Judge the guess, with the velocities it causes, and keep it if it is the best. *still: it meets the tolerance, and will do so
 * in steps to come that are like this one. */
cairn_status crn_attempt_guess(crn_attempt *attempt, bool *still);

/* Replace the best by the trial, unless its certificate misses the tolerance or is much worse. No certificate below
 * CRN_AS_GOOD counts as worse: it is as good as rounding allows. */
#define CRN_AS_GOOD 1e-12
cairn_status crn_attempt_take(crn_attempt *attempt, bool *taken);
/* The same with another solution, which only has to meet the tolerance. */
cairn_status crn_attempt_take_other(crn_attempt *attempt, bool *taken);

/* `usable` of iterative methods, converged or not, and of pivoting that did not end in a ray. */
#define CRN_USABLE 1e-2

/* Run an iterative method and judge its result. */
cairn_status crn_attempt_method(crn_attempt *attempt, const crn_method *method, void *workspace);

/* Whether there is a budget of work. */
bool crn_attempt_is_limited(const crn_attempt *attempt);

/* Take work from the budget. Returns false, and takes nothing, where it does not suffice. */
bool crn_attempt_pay(crn_attempt *attempt, double work);

/* Whether the tolerance is met, or the time is up or the work spent and a solution was found, or all that is missed is what
 * joints that contradict each other must miss. */
bool crn_attempt_is_done(const crn_attempt *attempt);

/* Where the joints of the best solution miss the tolerance: find out how much of that they contradict each other by. */
cairn_status crn_attempt_find_contradiction(crn_attempt *attempt);

/* How far a certificate is from the best that the joints allow, relative to its scale. */
double crn_attempt_excess(const crn_attempt *attempt, const cairn_certificate *certificate);

/* Whether nothing is left to improve but what the joints contradict each other by. */
bool crn_attempt_is_contradicted(const crn_attempt *attempt);

/* Get the certifier ready for the problem, if it is not. */
cairn_status crn_attempt_prepare_certifier(crn_attempt *attempt);

#endif
