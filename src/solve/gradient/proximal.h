/* The proximal outer loop over any method. */
#ifndef CRN_SOLVE_GRADIENT_PROXIMAL_H
#define CRN_SOLVE_GRADIENT_PROXIMAL_H

#include "solve/auto/attempt.h"
#include "solve/auto/perturbed_problem.h"

/* Starts from the best impulses so far, which must have been judged. */
cairn_status crn_proximal(crn_perturbed *near, crn_attempt *attempt, const crn_method *method, void *workspace);

#endif
