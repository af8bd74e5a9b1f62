/* Problems near a given one, which outer loops solve in its place: the same bodies, joints and contacts (shared, not copied)
 * with another law, other friction, another bias w, another compliance R or other bounds. */
#ifndef CRN_SOLVE_AUTO_PERTURBED_PROBLEM_H
#define CRN_SOLVE_AUTO_PERTURBED_PROBLEM_H

#include "base/memory.h"
#include "cairn/problem.h"

typedef struct crn_perturbed
{
    cairn_problem problem; /* shares all arrays but those below */
    double *w, *mu;
    double *R; /* of the patches, or of the sparse blocks */
    int *patch_start, *R_start;
    cairn_bound *bound;
    double *u; /* work: contact velocities */
    long double *sum;
    crn_arena memory;
} crn_perturbed;

void crn_perturbed_release(crn_perturbed *near);

/* Copy `problem`, with a w of its own. CAIRN_NO_MEMORY is the only failure, here and below. */
cairn_status crn_perturbed_copy(crn_perturbed *near, const cairn_problem *problem);

/* Copy `problem`, with w and R of its own; contacts without compliance get a zero block each. */
cairn_status crn_perturbed_copy_compliance(crn_perturbed *near, const cairn_problem *problem);

/* Replace bounds that are multiples of an impulse by constants: by the values that the impulses r give them in the first call
 * after the copy, and by a step of `share` towards those values in later calls. *change: the largest distance from them, N s. */
cairn_status crn_perturbed_freeze_bounds(crn_perturbed *near, const cairn_problem *problem, const double *r,
                                         double share, double *change);

/* The place of R_ii of contact row i. */
double *crn_perturbed_diagonal(crn_perturbed *near, int row);

/* near->u = H v + R r + w of `problem`. */
void crn_perturbed_velocities(crn_perturbed *near, const cairn_problem *problem, const double *v, const double *r);

#endif
