/* Bounded rows as part of the linear complementarity problem (lcp.h). With base the point of [lo, hi] nearest to 0,
 *
 *     z = base + beta_+ - beta_-,     0 <= beta_+ <= hi - base,     0 <= beta_- <= base - lo,
 *
 *     rows         s + lambda_+             _|_ beta_+           -s + lambda_-             _|_ beta_-
 *                  hi - base - beta_+       _|_ lambda_+         base - lo - beta_-        _|_ lambda_-
 *
 * A side without room has no variables, and one without a bound no lambda: a limit is one variable, like a frictionless
 * contact; an equation is two that differ in sign. Where s is not zero one beta is at its bound and the other
 * is 0, so that nothing is lost by having both. Bounds that are multiples of another item's first impulse have that
 * impulse's variable in the row of lambda, and base 0; as with friction this is exact, and M is no longer positive
 * semidefinite but still copositive.
 */
#ifndef CRN_SOLVE_PIVOT_LCP_ROWS_H
#define CRN_SOLVE_PIVOT_LCP_ROWS_H

#include "solve/pivot/lcp.h"

typedef struct crn_lcp_side
{
    double sign; /* of beta in z */
    double most; /* of beta: N s, or a multiple of the item's impulse that the bounds refer to; INFINITY: no bound */
} crn_lcp_side;

/* The sides of bounded row j on which z can move; returns their number. */
int crn_lcp_row_sides(const cairn_problem *problem, int j, crn_lcp_side side[2]);

/* The value of z at which its betas are 0. */
double crn_lcp_row_base(const cairn_problem *problem, int j);

int crn_lcp_row_count(const cairn_problem *problem, int j);

/* Number the variables of bounded row j from a; returns the next free number. */
int crn_lcp_row_list(crn_lcp *lcp, const cairn_problem *problem, int j, int a);

/* The row of lambda a, whose beta is a - 1: coefficient * z[*other] + constant - z[a - 1] in scaled variables, except that
 * the constant is not yet divided by kappa. *other is -1 where there is no such variable. */
void crn_lcp_row_limit(const crn_lcp *lcp, const cairn_problem *problem, int a, int *other, double *coefficient,
                       double *constant);

#endif
