/* One file per integrator: from (t, q, v) to (q_new, v_new) over h, without changing the state. */
#ifndef CRN_STEP_SCHEMES_SCHEMES_H
#define CRN_STEP_SCHEMES_SCHEMES_H

#include "cairn/simulation.h"

typedef cairn_status (*crn_advance_fn)(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_advance_euler(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_advance_stiff(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_advance_trapezoid(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_advance_trapezoid2(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_advance_stiff2(cairn_simulation *simulation, double h, cairn_solver_report *report);

/* A part of first order within a scheme of second order, in stiff2.c. */
cairn_status crn_advance_damped(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Local error in position (m) of the step just computed by stiff2, in stiff2.c. */
double crn_stiff2_error(const cairn_simulation *simulation, double h);

#endif
