/* Alternating direction method of multipliers: crn_method_admm of solve/method.h. */
#ifndef CRN_SOLVE_GRADIENT_ADMM_H
#define CRN_SOLVE_GRADIENT_ADMM_H

#include "solve/auto/method.h"

#endif
