/* Four joints of five rows between bodies of six unknowns at a time, one per lane: most joints of mechanisms are hinges. */
#ifndef CRN_SOLVE_CERTIFY_FIVES_H
#define CRN_SOLVE_CERTIFY_FIVES_H

#include "cairn/problem.h"

#include <stdbool.h>

/* Whether the four items from `first` on are such joints. */
bool crn_are_fives(const cairn_problem *problem, int first);

/* speed = |G| |x| of their rows. */
void crn_fives_speeds(const cairn_problem *problem, int first, const double *x, double *speed);

/* y -= G'c and u += G v of their rows. */
void crn_fives_residuals(const cairn_problem *problem, int first, const double *v, const double *c, double *y,
                         double *u);

#endif
