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

/* Give back the memory of methods, most of it factors. The last solution stays. */
void crn_solver_release_methods(cairn_solver *solver);

/* Whether the forces of a mechanism may be chosen when they are asked for, rather than with its solution. Off unless it is set. */
void crn_solver_set_lazy(cairn_solver *solver, bool lazy);

/* Whether the forces of the last problem are still to be chosen: with lazy forces, those of a mechanism without bodies' velocities
 * that depend on them. */
bool crn_solver_is_waiting(const cairn_solver *solver);

/* Choose them. The problem must still be there; the former solution stays as it is. The report is that of the solve with what is known
 * about the forces now. */
cairn_status crn_solver_choose_forces(cairn_solver *solver, cairn_solution *solution, cairn_solver_report *report);

#endif
