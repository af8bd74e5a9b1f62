/* Where a body was at the start, in the middle and at the end of the last step.
 *
 * Impulses are summed over a step, and mean forces belong to its middle: with the directions there they are of order 2.
 */
#ifndef CRN_STEP_ACCOUNT_ENDS_H
#define CRN_STEP_ACCOUNT_ENDS_H

#include "math/pose.h"
#include "step/simulation.h"

typedef struct crn_ends
{
    cairn_body_state before, after;
} crn_ends;

/* The states of a body at both ends. False, and both are the state now, when no step was taken, or when bodies were moved by hand or
 * a state was restored since. */
bool crn_step_ends(const cairn_simulation *simulation, int body, crn_ends *out);
/* The pose half way between: the first orientation, turned by half of what leads to the second. */
crn_pose crn_step_middle(const crn_ends *ends);

#endif
