/* Bounded rows of joints in the one-step problem. See bounded.c. */
#ifndef CRN_FORMULATE_BOUNDED_H
#define CRN_FORMULATE_BOUNDED_H

#include "formulate/assemble.h"

/* Once all contact rows are there: one item of H per bounded row. */
cairn_status crn_add_bounded_rows(crn_assembly *assembly, const crn_input *in);

/* Identity of a bounded row: above those of collision detection and of users' gaps. */
uint64_t crn_bounded_identity(int joint, int row);

#endif
