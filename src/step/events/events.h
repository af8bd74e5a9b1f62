/* A step of a second-order scheme, taken in parts between its events (Potra et al. 2006, sections 7 and 8). */
#ifndef CRN_STEP_EVENTS_EVENTS_H
#define CRN_STEP_EVENTS_EVENTS_H

#include "cairn/simulation.h"

cairn_status crn_step_with_events(cairn_simulation *simulation, double h, cairn_solver_report *report);
/* Used with `events` off: contacts that close within the step are handled by a step of `stiff`. */
cairn_status crn_step_without_events(cairn_simulation *simulation, double h, cairn_solver_report *report);
cairn_status crn_add_event(cairn_simulation *simulation, const cairn_event *event);

/* Whether a part of stiff2 was not smooth, contrary to what the scheme assumes. With `strict`, every contact that does
 * work counts as a jump. In smooth.c. */
cairn_status crn_velocity_jumped(cairn_simulation *simulation, double h, bool strict, bool *jumped);
/* Fails with CAIRN_NUMERIC and names the fastest body if the state, the energy or a work is no longer finite. In
 * range.c. */
cairn_status crn_check_range(const cairn_simulation *simulation);

#endif
