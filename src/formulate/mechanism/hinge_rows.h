/* Rows of four hinges at a time. */
#ifndef CRN_FORMULATE_MECHANISM_HINGE_ROWS_H
#define CRN_FORMULATE_MECHANISM_HINGE_ROWS_H

#include "formulate/assemble.h"

/* Whether the four joints from `first` on are rigid hinges with nothing on their angles, between bodies that nothing drives, and nothing but
 * their own errors is to be corrected. */
bool crn_can_add_hinges(const crn_input *in, int first);

/* Add the equations of these joints, but for the first `done`, which are there; there is room in the arrays per row. `factor` as in crn_add_joint_rows. */
cairn_status crn_add_hinges(crn_assembly *assembly, const crn_input *in, int first, int done, double factor);

#endif
