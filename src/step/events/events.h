/* A step of a second-order scheme, taken in parts between its events (Potra et al. 2006, sections 7 and 8). */
#ifndef CRN_STEP_EVENTS_EVENTS_H
#define CRN_STEP_EVENTS_EVENTS_H

#include "cairn/simulation.h"

cairn_status crn_step_with_events(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* With `events` off: what closes in the step is taken by `stiff`. */
cairn_status crn_step_without_events(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_add_event(cairn_simulation *simulation, const cairn_event *event);

/* Whether a part of stiff2 is not the smooth motion it takes it for, in smooth.c; strict: every contact that works counts. */
cairn_status crn_velocity_jumped(cairn_simulation *simulation, double h, bool strict, bool *jumped);
/* CAIRN_NUMERIC, naming the fastest body, when state, energy or works are no longer numbers; in range.c. */
cairn_status crn_check_range(const cairn_simulation *simulation);

#endif
