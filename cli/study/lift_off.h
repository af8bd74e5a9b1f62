/* Lift-off: how far the convex law opens contacts that slide. */
#ifndef CLI_STUDY_LIFT_OFF_H
#define CLI_STUDY_LIFT_OFF_H

#include <cairn/simulation.h>

/* m: the largest gap that the last step, of length h, left at a contact that slides under load; 0 when there is none,
 * NAN for second-order schemes, whose contacts are those of their last stage. */
double cli_lift_off(const cairn_simulation *simulation, double h);

#endif
