/* Problems near a given one, to be solved in its place by the outer loops: the same bodies, joints and contacts (shared, not
 * copied) with another law, another bias w, another compliance R or other bounds. */
#ifndef CRN_SOLVE_AUTO_PERTURBED_PROBLEM_H
#define CRN_SOLVE_AUTO_PERTURBED_PROBLEM_H

#include "cairn/problem.h"

typedef struct crn_perturbed
{
    cairn_problem problem; /* what it owns is below */
    double *w;
    double *R;
    int *patch_start, *R_start;
    cairn_bound *bound;
    double *u; /* work: contact velocities */
    long double *sum;
    size_t capacity[7];
} crn_perturbed;

void crn_perturbed_release(crn_perturbed *near);

/* As `problem`, with a w of its own. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_perturbed_copy(crn_perturbed *near, const cairn_problem *problem);

/* And with an R of its own; where there was none, a zero block a contact. */
cairn_status crn_perturbed_copy_compliance(crn_perturbed *near, const cairn_problem *problem);

/* Bounds that are multiples of an impulse become constants, those that the impulses r give: at once after the copy was made
 * of `problem`, `share` of the way from what they were later on. *change: the most that one is from what r gives, N s.
 * CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_perturbed_freeze_bounds(crn_perturbed *near, const cairn_problem *problem, const double *r,
                                         double share, double *change);

/* Where R_ii of contact row i is. */
double *crn_perturbed_diagonal(crn_perturbed *near, int patch, int row);

/* u = H v + R r + w of the problem given. */
void crn_perturbed_velocities(crn_perturbed *near, const cairn_problem *problem, const double *v, const double *r);

#endif
