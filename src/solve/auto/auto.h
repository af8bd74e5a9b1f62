/* Which method solves a problem, and which one follows when it misses the tolerance. */
#ifndef CRN_SOLVE_AUTO_AUTO_H
#define CRN_SOLVE_AUTO_AUTO_H

#include "solve/auto/attempt.h"
#include "solve/auto/methods.h"
#include "solve/auto/perturbed_problem.h"
#include "solve/forces/forces.h"

typedef struct crn_solver_policy
{
    crn_attempt attempt;
    crn_workshop workshop;
    crn_perturbed near;
    crn_forces forces;
    void *hold;          /* workspace of crn_method_hold; NULL: not needed yet */
    void *mechanism;     /* workspace of crn_method_mechanism; NULL: not needed yet */
    bool guessed, still; /* the guess has been judged; it is the answer */
    bool direct;         /* the problem was a mechanism, and is solved */
    bool resting;        /* it is a mechanism whose bodies are at rest, and not solved as one yet */
    bool thin;           /* the problem has many contacts, but its factors are thin */
    bool slight;         /* it is the answer but for a slight correction */
    double aim;          /* the relative certificate that a guess, as it is or corrected, has to reach */
    crn_attempt *prover; /* pivots to prove that there is no solution; NULL: not needed yet */
} crn_solver_policy;

/* NULL when memory ran out. */
crn_solver_policy *crn_solver_policy_create(void);
void crn_solver_policy_destroy(crn_solver_policy *policy);

/* Begin with a problem, and judge the guess if the options say that the problem is one of a sequence. islands: of the problem;
 * NULL: it is one island. largest: contacts of its largest island. *still: the guess is the answer, in attempt.best. */
cairn_status crn_solver_policy_begin(crn_solver_policy *policy, cairn_context *context, const cairn_problem *problem,
                                     const crn_islands *islands, int largest, const cairn_solver_options *options,
                                     bool *still);

/* Solve the problem that was begun by the kind that the options ask for; the answer is in attempt.best. */
cairn_status crn_solver_policy_run(crn_solver_policy *policy, const cairn_solver_options *options);

/* Choose the forces of the answer, and return it. */
cairn_status crn_solver_policy_choose(crn_solver_policy *policy, const cairn_solver_options *options,
                                      cairn_solution *solution, cairn_solver_report *report);

/* Return the answer of a mechanism with the forces that it was found with; others are chosen later (crn_solver_policy_choose_later),
 * which leaves the arrays of this answer as they are. Velocities that friction leaves undetermined are chosen at once. */
cairn_status crn_solver_policy_defer(crn_solver_policy *policy, cairn_solution *solution, cairn_solver_report *report);
cairn_status crn_solver_policy_choose_later(crn_solver_policy *policy, cairn_solution *solution,
                                            cairn_solver_report *report);

/* Solve by the kind that the options ask for, which must be able to, and choose the forces. islands: of the problem; NULL: it
 * is one island. The solution's arrays belong to the policy. */
cairn_status crn_solver_policy_solve(crn_solver_policy *policy, cairn_context *context, const cairn_problem *problem,
                                     const crn_islands *islands, const cairn_solver_options *options,
                                     cairn_solution *solution, cairn_solver_report *report);

/* Where friction leaves the motion undetermined, take the solution in which all contacts stick, if there is one (stick.c). */
cairn_status crn_prefer_stick(crn_solver_policy *policy, bool *taken);

/* Whether a kind can solve the problem's law, possibly by a fixed point over a convex method. */
bool crn_kind_can_solve(cairn_solver_kind kind, const cairn_problem *problem);

/* Run one kind. Here and below, the attempt has begun. */
cairn_status crn_solve_with(crn_solver_policy *policy, cairn_solver_kind kind);

/* Whether the law has polygons in space, whose problems pivoting solves in full where they are not too large: sweeps come first only within a budget of work. */
bool crn_auto_pivots_first(const cairn_problem *problem);

/* Whether an island with so many of the problem's contacts is small enough for pivoting, so that its result must be exact. */
bool crn_auto_is_exact(const cairn_problem *problem, int contacts);

/* The tolerance of sweeps and guesses whose result must be as exact as pivoting. */
double crn_auto_exact_tolerance(double tolerance);

/* Run Gauss-Seidel, which must be able to solve the law, for `limit` sweeps unless the caller set another limit. exact: aim at
 * nearly the certificate that rounding allows. */
cairn_status crn_solve_sweep(crn_solver_policy *policy, int limit, bool exact);

/* Correct a guess that nearly solves the problem, and note whether the correction is slight. */
cairn_status crn_hold_guess(crn_solver_policy *policy);

/* What the first solution leaves of the forces on bodies at rest acts again in every step to come, until the sum misses the tolerance.
 * Correct it to rounding: small structures stay at rest from then on. */
cairn_status crn_settle_first_load(crn_solver_policy *policy, const cairn_solver_options *options);

/* Solve a mechanism directly, where it is one; policy->direct tells whether that succeeded. */
cairn_status crn_solve_mechanism(crn_solver_policy *policy);

#endif
