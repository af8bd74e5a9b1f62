/* The parts of a solver that other files of solve/ use. */
#ifndef CRN_SOLVE_AUTO_SOLVER_H
#define CRN_SOLVE_AUTO_SOLVER_H

#include "solve/auto/attempt.h"

crn_attempt *crn_solver_attempt(cairn_solver *solver);
cairn_context *crn_solver_context(cairn_solver *solver);

#endif
