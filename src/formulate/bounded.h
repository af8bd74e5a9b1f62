/* Bounded rows of joints in the one-step problem. See bounded.c. */
#ifndef CRN_FORMULATE_BOUNDED_H
#define CRN_FORMULATE_BOUNDED_H

#include "formulate/assemble.h"

/* Keep the bounded rows of a joint that was evaluated for its equations, so that crn_add_bounded_rows need not evaluate it again. Call it in
 * the order of the joints. */
cairn_status crn_keep_bounded(crn_assembly *assembly, int joint, const crn_joint_rows *rows);

/* Add one item of H per bounded row. Call this after all contact rows have been added. */
cairn_status crn_add_bounded_rows(crn_assembly *assembly, const crn_input *in);

/* Identity of a bounded row. It is greater than those of collision detection and of users' gaps. */
uint64_t crn_bounded_identity(int joint, int row);

#endif
