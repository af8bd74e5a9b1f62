/* The proximal outer loop over any method. */
#ifndef CRN_SOLVE_PROXIMAL_H
#define CRN_SOLVE_PROXIMAL_H

#include "solve/attempt.h"
#include "solve/near.h"

/* Starts from the best impulses so far, which must have been judged. */
cairn_status crn_proximal(crn_near *near, crn_attempt *attempt, const crn_method *method, void *workspace);

#endif
