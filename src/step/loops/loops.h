/* Closed loops whose joints have more equations than they need: hinges with parallel axes in space, Bricard's and Bennett's linkages,
 * a third crank in a parallelogram.
 *
 * The superfluous equations depend on the others only while every joint is closed. At a distance eps from that, where steps evaluate
 * them, they are nearly dependent, at eps, and would hold the loop as if it were rigid, with huge forces. Equations of such models
 * are therefore evaluated at the nearest positions at which all joints are closed. There the solvers find the dependent rows and
 * drop them, and right-hand sides agree with each other.
 */
#ifndef CRN_STEP_LOOPS_H
#define CRN_STEP_LOOPS_H

#include "formulate/assemble.h"
#include "linalg/inverses.h"
#include "linalg/saddle.h"

typedef struct crn_loops
{
    bool redundant; /* joints form loops, and some of their equations depend on others */
    crn_frame frame;
    crn_assembly assembly;
    crn_inverses inverses; /* of the bodies' masses */
    crn_saddle *saddle;
    double *q, *c, *move; /* scratch */
    crn_arena memory;
} crn_loops;

/* Find out whether the model has such loops, at its initial positions. CAIRN_NO_MEMORY is the only failure. */
cairn_status crn_loops_open(cairn_simulation *simulation);
void crn_loops_release(crn_loops *loops);

/* Move q to the nearest positions at time t at which all joints are closed, in the norm of the masses. *closed: whether there are such
 * positions; q is unchanged if not. Does nothing unless there are redundant loops. */
cairn_status crn_loops_close(cairn_simulation *simulation, double t, double *q, bool *closed);

#endif
