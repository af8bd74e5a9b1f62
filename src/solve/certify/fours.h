/* Contacts in space with circular cones of friction, four at a time and in double: what natural_map.h says of one. */
#ifndef CRN_SOLVE_CERTIFY_FOURS_H
#define CRN_SOLVE_CERTIFY_FOURS_H

#include "solve/certify/certifier.h"
#include "solve/certify/natural_map.h"

/* Whether all contacts of the problem are such. */
bool crn_fours_apply(const cairn_problem *problem);

/* The masses of four contacts from `first` on, or of fewer, if there are no more, and how far they are from their law. u: three numbers per contact. */
void crn_fours_judge(crn_certifier *work, const cairn_problem *problem, int first, const double *r, const double *u,
                     crn_law_residual out[4]);

#endif
