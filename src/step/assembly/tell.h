/* Messages about mechanisms that cannot be assembled. */
#ifndef CRN_STEP_ASSEMBLY_TELL_H
#define CRN_STEP_ASSEMBLY_TELL_H

#include "step/assembly/fit.h"

/* Name what is violated most in the rows evaluated last: positions, and rates. */
void crn_tell_open_joints(const crn_fit *fit);
void crn_tell_rates(const crn_fit *fit);

#endif
