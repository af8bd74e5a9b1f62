/* Accelerated projected gradient: crn_method_apgd of solve/method.h. */
#ifndef CRN_SOLVE_GRADIENT_APGD_H
#define CRN_SOLVE_GRADIENT_APGD_H

#include "solve/auto/method.h"

#endif
