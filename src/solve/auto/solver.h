/* The parts of a solver that other files of solve/ use. */
#ifndef CRN_SOLVE_AUTO_SOLVER_H
#define CRN_SOLVE_AUTO_SOLVER_H

#include "solve/auto/attempt.h"

crn_attempt *crn_solver_attempt(cairn_solver *solver);
cairn_context *crn_solver_context(cairn_solver *solver);

/* cairn_solver_solve for a problem that the library has formulated from finite numbers: its arrays are not checked. */
cairn_status crn_solver_solve_own(cairn_solver *solver, const cairn_problem *problem,
                                  const cairn_solver_options *options, cairn_solution *solution,
                                  cairn_solver_report *report);

#endif
