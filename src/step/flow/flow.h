/* Grains that come in over time and are removed: populations with a flow.
 *
 * All grains are bodies of the model from the start. Those that are not there are absent: their flag in the state is set, they rest at
 * the centre of their region, collision detection hides their shapes, and gravity gives them nothing. At the start of each step, grains
 * whose centre is in the region of removal become absent, and grains that are due come in at random free places.
 *
 * With the rate r, n(t) = floor(r (t - begin)) + 1 grains are due at t >= begin. A grain that finds no free place in a number of tries
 * waits for the next step, with all that are due after it. The energy that grains bring and take is booked in cairn_energy.added. */
#ifndef CRN_STEP_FLOW_FLOW_H
#define CRN_STEP_FLOW_FLOW_H

#include "cairn/population.h"
#include "collide/query/obstacles.h"
#include "populate/region.h"

typedef struct crn_gate
{
    crn_region in, out;
} crn_gate;

typedef struct crn_gates
{
    crn_gate *gate; /* per population */
    int count;
    crn_obstacles obstacles;
    struct crn_newcomer *newcomers; /* grains that came in at this step */
    int newcomer_count;
    crn_arena memory;
} crn_gates;

/* Open the regions, and make the grains absent that come in later. CAIRN_NO_MEMORY. */
cairn_status crn_flow_open(cairn_simulation *simulation);
void crn_gates_close(crn_gates *gates);
/* Let grains leave and come in, before a step of length h. */
cairn_status crn_flow_go_on(cairn_simulation *simulation, double h);

/* Whether a body is a grain that comes and goes. */
bool crn_flow_has(const cairn_simulation *simulation, int body);
/* Say that such a grain is there or not, by hand; an absent one is put to rest. */
void crn_flow_set(cairn_simulation *simulation, int body, bool absent);

#endif
